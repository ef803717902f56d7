# SPDX-License-Identifier: LGPL-2.1-or-later
"""The phase diagram of the Bend-Twist protocol, as in figure 3 of the paper."""

import matplotlib.pyplot as plt
import numpy as np

from . import phase_diagram, shapes, style

BOX = ((0.09, 1.05), (0.27, 11.5))
SHAPE_SIZE = 0.125  # of the height of the plot


def figures(run, drawn):
    """Pairs (figure, caption)."""
    is_map = "state" in run.results.names
    figure = draw(run, drawn)
    caption = "Phase diagram: planar outside of the frontier (orange), 3D inside (turquoise)."
    if is_map:
        caption += " Points are samples; shapes are drawn next to the samples with a ring."
    elif drawn:
        caption += " Coloured points are the planar shapes drawn below."
    return [(figure, caption)]


def draw(run, drawn):
    figure, axes = plt.subplots(figsize=(7.6, 6.6))
    axes.set(xscale="log", yscale="log", xlim=BOX[0], ylim=BOX[1])
    axes.set(xlabel=r"$\Gamma^{1/3}/\varphi$", ylabel=r"$\varphi/2\pi$")
    axes.set_facecolor(phase_diagram.PLANAR)
    for axis, ticks in ((axes.xaxis, (0.1, 0.2, 0.4, 0.6, 1)), (axes.yaxis, (0.3, 1, 3, 10))):
        axis.set_major_locator(plt.FixedLocator(ticks))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(plt.NullFormatter())

    pieces = phase_diagram.frontier_pieces(run.frontier, "x", "y")
    master = phase_diagram.master_curve(run, "x", "y")
    region = master if master is not None else (pieces[0] if pieces else None)
    if region is not None:
        axes.fill(*closed_at_top(region).T, color=phase_diagram.SPATIAL, zorder=1)
    phase_diagram.draw_frontiers(axes, master, pieces)

    if "state" in run.results.names:
        phase_diagram.draw_samples(axes, run.results, "x", "y")
        draw_shapes(axes, run)
    else:
        shapes.mark_shapes(axes, run.results["x"], run.results["y"], drawn)
    phase_diagram.name_states(axes, {"3D": (0.52, 0.69), "2D": (0.13, 0.29)})
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.09), ncol=3)
    return figure


def closed_at_top(curve):
    """Beyond the last samples, so that those on the upper edge are inside."""
    beyond = [[curve[-1, 0], 2 * curve[-1, 1]], [curve[0, 0], 2 * curve[0, 1]]]
    return np.concatenate([curve, beyond])


def draw_shapes(axes, run):
    """Each rod beside its sample, seen a little from the side, at a size of its
    own."""
    axes.figure.canvas.draw()
    box = axes.get_window_extent()
    turn, tilt = np.radians(30), 0.25
    right = np.array([np.cos(turn), np.sin(turn), 0])
    up = np.array([-tilt * np.sin(turn), tilt * np.cos(turn), 1])
    for shape in run.shape_series.shapes(100):
        if shape.row is None:
            continue
        place = (run.results["x"][shape.row], run.results["y"][shape.row])
        centre = axes.transAxes.inverted().transform(axes.transData.transform(place))
        for points in shapes.points_of_lines(shape.picture):
            flat = points @ np.column_stack([right, up])
            middle = (flat.max(axis=0) + flat.min(axis=0)) / 2
            flat = (flat - middle) * SHAPE_SIZE / max(np.ptp(flat, axis=0).max(), 1e-12)
            flat = flat * [box.height / box.width, 1] + centre + [0.055, 0]
            ink = {"color": style.INK, "lw": 1.2, "solid_capstyle": "round", "zorder": 5}
            axes.plot(*flat.T, transform=axes.transAxes, **ink)
        axes.plot(*place, "o", ms=6, mfc="none", mec=style.INK, zorder=5)
