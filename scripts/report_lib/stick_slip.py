# SPDX-License-Identifier: LGPL-2.1-or-later
"""The phase diagram of the Stick-Slip protocol."""

import matplotlib.pyplot as plt

from . import style

COLOURS = {"STICK": "#e69f00", "SLIP": "#56b4e9", "EXTENDED": "#999999", "failed": "#d55e00"}


def figures(run):
    if run.results.has("mu", "epsilon", "tip_displacement"):
        return protocol(run)
    return frontier(run)


def protocol(run):
    table = run.results
    figure, axes = plt.subplots(figsize=(6.6, 4.6), constrained_layout=True)
    states = table.words("state")
    style.link(axes, table["epsilon"], table["mu"])
    for state, colour in COLOURS.items():
        chosen = [i for i, other in enumerate(states) if other == state]
        if chosen:
            axes.plot(
                table["epsilon"][chosen], table["mu"][chosen], "s", ms=4, color=colour, label=state
            )
    draw_master(axes, run)
    if run.frontier is not None:
        axes.plot(
            run.frontier["epsilon"], run.frontier["mu"], "o", ms=5, mfc="white", color=style.INK,
            zorder=4, label="the tip slips",
        )
    axes.set(xlabel="vertical strain ε", ylabel="friction μ")
    axes.legend(loc="lower right", fontsize=8)
    return [(figure, "States at each friction and strain, and where tips slip.")]


def frontier(run):
    table = run.results
    figure, axes = plt.subplots(figsize=(6.6, 4.6), constrained_layout=True)
    style.link(axes, table["epsilon"], table["force_ratio"])
    axes.plot(table["epsilon"], table["force_ratio"], "o", ms=4, mfc="white",
              color=style.CATEGORIES[0], label="Q/P")
    axes.plot(table["epsilon"], table["force_ratio_master"], lw=0.9, color=style.INK,
              label="master curve")
    axes.set(xlabel="vertical strain ε", ylabel="friction over thrust Q/P")
    axes.legend(fontsize=8)
    return [(figure, "Friction over thrust at a tip that cannot slip.")]


def draw_master(axes, run):
    if run.master is not None:
        axes.plot(run.master["epsilon"], run.master["mu"], lw=1.2, color=style.INK, zorder=3,
                  label="master curve")
