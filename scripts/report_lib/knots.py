# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plots of knots that are pulled tight."""

import matplotlib.pyplot as plt
import numpy as np

from . import style


def knot(run, _):
    """Force over shortening and over the loop's radius, gaps and contacts."""
    table = run.results
    shortening = table["shortening"]
    turn = int(np.argmin(shortening))
    parts = [("pulled", slice(0, turn + 1)), ("let loose", slice(turn, None))]
    parts = [part for part in parts if len(shortening[part[1]]) > 1]

    figure, axes = plt.subplots(figsize=(7.2, 4.2), constrained_layout=True)
    for (name, rows), colour in zip(parts, style.CATEGORIES):
        axes.plot(shortening[rows], table["pull_force"][rows], color=colour, lw=1.1, label=name)
    axes.set(xlabel="end-to-end shortening [length]", ylabel="pull force [force]")
    style.link(axes, shortening, table["pull_force"])
    axes.invert_xaxis()
    if parts:
        axes.legend()
    found = [(figure, "The force at the ends as the knot becomes tight.")]

    figure, axes = plt.subplots(figsize=(7.2, 4.2), constrained_layout=True)
    for (name, rows), colour in zip(parts, style.CATEGORIES):
        epsilon = table["epsilon"][rows]
        force = table["dimensionless_force"][rows]
        axes.plot(epsilon, np.where(force > 0, force, np.nan), color=colour, lw=1.1, label=name)
        theory = table["theory"][rows]
        line = {"color": colour, "lw": 0.9, "ls": "--"}
        axes.plot(epsilon, np.where(theory > 0, theory, np.nan), **line)
    axes.set(
        xlabel=r"$\sqrt{h/R}$ with $R$ = shortening/$2\pi$",
        ylabel=r"$F h^2/B$",
        xscale="log",
        yscale="log",
    )
    if parts:
        axes.legend(title="dashed: theory of the loose trefoil")
    found.append((figure, "The dimensionless force over the size of the loop."))

    figure, (gap, contacts) = plt.subplots(
        2, 1, sharex=True, figsize=(7.2, 5.0), gridspec_kw={"hspace": 0.08}
    )
    gap.plot(table["time"], table["least_gap"], color=style.CATEGORIES[0], lw=0.9)
    gap.axhline(0.0, color=style.INK, lw=0.6)
    gap.set_ylabel("least gap [length]")
    style.link(gap, table["time"], table["least_gap"])
    contacts.plot(table["time"], table["contacts"], color=style.CATEGORIES[1], lw=0.9)
    contacts.set(xlabel="time [time]", ylabel="pairs of edges in contact")
    found.append((figure, "How near the rod comes to itself; below zero it penetrates."))
    return found
