# SPDX-License-Identifier: LGPL-2.1-or-later
"""The phase diagram of the Bend-Twist protocol, as in figure 3 of the paper."""

import os

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.path import Path

from . import shapes, style
from .run_files import Table

PLANAR, SPATIAL = "#fbe6cf", "#c9ebe8"  # as in the paper: orange and turquoise
STATES = {"2D": "#d1702f", "3D": "#1f8a84"}
BOX = ((0.09, 1.05), (0.27, 11.5))
SHAPE_SIZE = 0.125  # of the height of the plot
PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
MASTER = os.path.join(PROJECT, "reference", "bend_twist.csv")


def master_curve(run):
    """x and y of the master curve; None where it does not apply."""
    if run.summary["verdict"] not in ("OK", "KO") or not os.path.exists(MASTER):
        return None
    table = Table(MASTER)
    return np.column_stack([table["x"], table["y"]])


def figures(run, shape_times):
    """Pairs (figure, caption)."""
    is_map = "state" in run.results.names
    figure = phase_diagram(run, shape_times)
    caption = "Phase diagram: planar outside of the frontier (orange), 3D inside (turquoise)."
    if is_map:
        caption += " Points are samples; shapes are drawn next to the samples with a ring."
    elif shape_times:
        caption += " Coloured points are the planar shapes drawn below."
    return [(figure, caption)]


def phase_diagram(run, shape_times):
    figure, axes = plt.subplots(figsize=(7.6, 6.6))
    axes.set(xscale="log", yscale="log", xlim=BOX[0], ylim=BOX[1])
    axes.set(xlabel=r"$\Gamma^{1/3}/\varphi$", ylabel=r"$\varphi/2\pi$")
    axes.set_facecolor(PLANAR)
    for axis, ticks in ((axes.xaxis, (0.1, 0.2, 0.4, 0.6, 1)), (axes.yaxis, (0.3, 1, 3, 10))):
        axis.set_major_locator(plt.FixedLocator(ticks))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(plt.NullFormatter())

    pieces = frontier_pieces(run.frontier)
    master = master_curve(run)
    region = master if master is not None else (pieces[0] if pieces else None)
    if region is not None:
        axes.fill(*closed_at_top(region).T, color=SPATIAL, zorder=1)
    if master is not None:
        axes.plot(*master.T, color=style.INK, lw=1.4, zorder=3, label="master curve")
    line = {"color": style.ACCENT, "lw": 1.1, "zorder": 3.5}
    line["ls"] = "-" if master is None else (0, (4, 3))
    for k, piece in enumerate(pieces):
        axes.plot(*piece.T, label="computed frontier" if k == 0 else None, **line)

    if "state" in run.results.names:
        draw_samples(axes, run, region)
        draw_shapes(axes, run)
    else:
        draw_frontier_points(axes, pieces, shape_times)
    for name, place in (("3D", (0.32, 3.6)), ("2D", (0.125, 0.8))):
        axes.text(*place, name, fontsize=16, color=STATES[name], ha="center", weight="bold")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.09), ncol=3)
    return figure


def frontier_pieces(table):
    if table is None or not table.rows:
        return []
    points = np.column_stack([table["x"], table["y"]])
    number = table["piece"] if "piece" in table else np.zeros(len(points))
    return [points[number == k] for k in np.unique(number)]


def closed_at_top(curve):
    """Beyond the last samples, so that those on the upper edge are inside."""
    beyond = [[curve[-1, 0], 2 * curve[-1, 1]], [curve[0, 0], 2 * curve[0, 1]]]
    return np.concatenate([curve, beyond])


def draw_samples(axes, run, region):
    points = np.column_stack([run.results["x"], run.results["y"]])
    column = run.results.names.index("state")
    states = np.array([row[column] for row in run.results.rows])
    for state, colour in STATES.items():
        chosen = points[states == state]
        marks = {"marker": "o", "ls": "", "ms": 3.2, "mfc": colour, "mec": "none", "zorder": 4}
        axes.plot(*chosen.T, label=f"{state}, {len(chosen)} samples", **marks)
    if region is None:
        return
    inside = Path(np.log(closed_at_top(region))).contains_points(np.log(points))
    wrong = points[(states == "3D") != inside]
    if len(wrong):
        marks = {"marker": "s", "ls": "", "ms": 8, "mfc": "none", "mec": style.ACCENT}
        axes.plot(*wrong.T, label="misclassified", zorder=6, **marks)


def draw_shapes(axes, run):
    """Each rod beside its sample, seen a little from the side, at a size of its
    own."""
    axes.figure.canvas.draw()
    box = axes.get_window_extent()
    turn, tilt = np.radians(30), 0.25
    right = np.array([np.cos(turn), np.sin(turn), 0])
    up = np.array([-tilt * np.sin(turn), tilt * np.cos(turn), 1])
    for time, picture in run.shapes(100):
        row = int(round(time))
        if row >= len(run.results.rows):
            continue
        place = (run.results["x"][row], run.results["y"][row])
        centre = axes.transAxes.inverted().transform(axes.transData.transform(place))
        for points in shapes.points_of_lines(picture):
            flat = points @ np.column_stack([right, up])
            middle = (flat.max(axis=0) + flat.min(axis=0)) / 2
            flat = (flat - middle) * SHAPE_SIZE / max(np.ptp(flat, axis=0).max(), 1e-12)
            flat = flat * [box.height / box.width, 1] + centre + [0.055, 0]
            ink = {"color": style.INK, "lw": 1.2, "solid_capstyle": "round", "zorder": 5}
            axes.plot(*flat.T, transform=axes.transAxes, **ink)
        axes.plot(*place, "o", ms=6, mfc="none", mec=style.INK, zorder=5)


def draw_frontier_points(axes, pieces, shape_times):
    if not pieces or not shape_times:
        return
    norm = style.time_norm(shape_times)
    for time in shape_times:
        k = int(round(time))
        if k < len(pieces[0]):
            colour = style.SEQUENCE(norm(time))
            axes.plot(*pieces[0][k], "o", ms=7, mfc=colour, mec="white", zorder=4)
