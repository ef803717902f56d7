# SPDX-License-Identifier: LGPL-2.1-or-later
"""The rotation experiment with a plate on its edge, and Southwell's plot of it."""

import matplotlib.pyplot as plt
import numpy as np

from . import style

WAYS = {"down": "-", "up": (0, (4, 2))}


def figures(run):
    """Pairs (figure, caption), one for each width."""
    caption = (
        "Displacement of the free end to the side over the angle by which the clamp is tilted, "
        "in the frame of the clamp: solid as the angle falls, dashed as it grows; dots are jumps. "
        "Right: Southwell's plot of the slopes at the angle 0 of plates that stand upright there, "
        "with a pole through the heaviest three: at the pole the plate buckles."
    )
    return [
        (draw(run, width), f"Plate of width {width:g}. {caption}")
        for width in np.unique(run.results["width"])
    ]


def draw(run, width):
    figure, (curves, southwell) = plt.subplots(
        1, 2, figsize=(10.4, 4.6), width_ratios=[1.5, 1], constrained_layout=True
    )
    table = run.results
    here = table["width"] == width
    gammas = np.unique(table["gamma"][here])
    norm = plt.Normalize(gammas.min() - 1, gammas.max() + 1)
    for gamma in gammas:
        colour = style.SEQUENCE(norm(gamma))
        for way in WAYS:
            rows = here & (table["gamma"] == gamma) & (table.words("tilted") == way)
            upright = table.words("state")[rows] == "upright"
            angle, displacement = table["angle"][rows], table["lateral_displacement"][rows]
            draw_way(curves, angle, np.where(upright, 0, displacement), way, colour)
        curves.plot([], [], color=colour, label=rf"$\Gamma^* = {gamma:g}$")
    curves.set(xlabel=r"angle $\alpha$ [rad]", ylabel="$d_y/L$")
    curves.legend(loc="upper left")
    draw_southwell(southwell, run, width, norm)
    return figure


def draw_way(axes, angle, displacement, way, colour):
    """One line, broken where the plate snaps over: from one side to the other
    without being upright in between."""
    snaps = np.flatnonzero(displacement[1:] * displacement[:-1] < 0)
    for part in np.split(np.arange(len(angle)), snaps + 1):
        axes.plot(angle[part], displacement[part], color=colour, ls=WAYS[way], lw=1.5)
    for k in snaps:
        axes.plot(angle[k : k + 2], displacement[k : k + 2], ":", color=colour, lw=1)


def draw_southwell(axes, run, width, norm):
    table = run.results
    upright = table.words("state") == "upright"
    chosen = (table["width"] == width) & (table["angle"] == 0) & upright
    square, unique = np.unique(table["gamma"][chosen] ** 2, return_index=True)
    compliance = (table["slope"] / table["gamma"])[chosen][unique]
    for x, y in zip(square, compliance):
        axes.plot(x, 1 / y, "o", color=style.SEQUENCE(norm(np.sqrt(x))), ms=6, zorder=3)
    found = np.flatnonzero(run.frontier["width"] == width) if run.frontier.rows else []
    if len(found):
        critical = run.frontier["gamma_critical"][found[0]]
        x = np.linspace(0, critical**2, 200)[:-1]
        fit = {"color": style.GREY, "lw": 1, "zorder": 2}
        axes.plot(x, 1 / with_pole(critical**2, square[-2:], compliance[-2:], x), **fit)
        axes.plot(critical**2, 0, "s", mfc="white", mec=style.INK, zorder=4)
        words = rf"$\Gamma^*_c = {critical:.3f}$"
        axes.annotate(words, (critical**2, 0), (-10, 8), textcoords="offset points", ha="right")
    axes.axhline(0, color=style.INK, lw=0.7)
    axes.set(xlabel=r"$\Gamma^{*2}$", ylabel=r"$\Gamma^*\,/\,(\mathrm{d}d_y/\mathrm{d}\alpha)$")


def with_pole(pole, known_x, known_y, x):
    """r + A/(pole - x) through two points."""
    inverse = 1 / (pole - known_x)
    slope = (known_y[1] - known_y[0]) / (inverse[1] - inverse[0])
    return known_y[1] + slope * (1 / (pole - x) - inverse[1])
