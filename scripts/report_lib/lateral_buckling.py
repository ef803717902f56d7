# SPDX-License-Identifier: LGPL-2.1-or-later
"""The phase diagram of the Lateral Buckling protocol, as in figure 4 of the paper."""

import matplotlib.pyplot as plt
import numpy as np

from . import phase_diagram, style

BOX = ((0, 1.05), (5, 45))
SHAPE_SIZE = 0.11  # of the height of the plot, for the length of a plate


def figures(run, _):
    """Pairs (figure, caption)."""
    caption = (
        "Phase diagram: below the frontier the plate stays in its plane (2D, orange), above it "
        "the plate has given way to the side (3D, turquoise)."
    )
    if "state" in run.results.names:
        caption += " Points are samples."
    buckled = [s for s in run.series("buckled").shapes(40) if place(s.picture) is not None]
    shapes = run.shape_series.shapes(40) + buckled
    pictures = [shape.picture for shape in shapes if place(shape.picture) is not None]
    if pictures:
        caption += " Plates are drawn at their width and weight, those with a ring."
    figure = draw(run, pictures)
    if buckled:
        points = np.array([place(shape.picture) for shape in buckled])
        style.link(figure.axes[0], *points.T, [shape.time for shape in buckled], "buckled")
    return [(figure, caption)]


def draw(run, pictures):
    figure, axes = plt.subplots(figsize=(7.6, 6.0))
    axes.set(xlim=BOX[0], ylim=BOX[1], xlabel="$w/L$", ylabel=r"$\Gamma^*$")
    axes.set_facecolor(phase_diagram.PLANAR)
    pieces = phase_diagram.frontier_pieces(run.frontier, "width", "gamma_critical")
    master = phase_diagram.master_curve(run, "width", "gamma_critical")
    region = region_below(master, pieces)
    if region is not None:
        axes.fill_between(*region.T, 10 * BOX[1][1], color=phase_diagram.SPATIAL, lw=0, zorder=1)
    phase_diagram.draw_frontiers(axes, master, pieces)
    if "state" in run.results.names:
        phase_diagram.draw_samples(axes, run.results, "width", "gamma")
    elif "mode" in run.results.names:
        draw_modes(axes, run)
    highest = max([place(picture)[1] for picture in pictures], default=0)
    axes.set_ylim(top=max(axes.get_ylim()[1], highest + 3))
    draw_plates(axes, pictures)
    phase_diagram.name_states(axes, {"3D": (0.06, 0.9), "2D": (0.9, 0.1)})
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=4)
    return figure


def region_below(master, pieces):
    """The frontier by the master curve, and by what was computed where that ends."""
    computed = np.concatenate(pieces) if pieces else None
    if master is None or computed is None:
        return computed if master is None else master
    computed = computed[np.argsort(computed[:, 0])]
    left = computed[computed[:, 0] < master[:, 0].min()]
    right = computed[computed[:, 0] > master[:, 0].max()]
    return np.concatenate([left, master, right])


def draw_modes(axes, run):
    number = run.results["mode"]
    style.link(axes, run.results["width"], run.results["gamma"], np.arange(1, len(number) + 1), "modes")
    for k in np.unique(number):
        width, gamma = run.results["width"][number == k], run.results["gamma"][number == k]
        colour = style.CATEGORIES[int(k - 1) % len(style.CATEGORIES)]
        axes.plot(width, gamma, "o", ms=4, color=colour, zorder=4, label=f"mode {k:g}")
    known = run.results["gamma"][np.isfinite(run.results["gamma"])]
    if len(known):
        axes.set_ylim(BOX[1][0], 1.08 * known.max())


def place(picture):
    """Width and Gamma* of a plate; None for other pictures."""
    values = picture.global_values
    if "width" not in values or "gamma" not in values:
        return None
    return float(np.ravel(values["width"])[0]), float(np.ravel(values["gamma"])[0])


def draw_plates(axes, pictures):
    """Each plate beside its point, clamped on its left, seen a little from the
    side and from above."""
    axes.figure.canvas.draw()
    box = axes.get_window_extent()
    turn, tilt = np.radians(35), 0.3
    right = np.array([np.cos(turn), 0, np.sin(turn)])
    up = np.array([tilt * np.sin(turn), 1, -tilt * np.cos(turn)])
    towards = np.cross(right, up)
    for picture in pictures:
        point = place(picture)
        if not (BOX[0][0] <= point[0] <= BOX[0][1] and point[1] <= axes.get_ylim()[1]):
            continue
        centre = axes.transAxes.inverted().transform(axes.transData.transform(point))
        flat = picture.points @ np.column_stack([right, up]) * SHAPE_SIZE
        flat = flat * [box.height / box.width, 1]
        beside = -0.07 if centre[0] > 0.15 else 0.09
        flat = flat - flat.mean(axis=0) + centre + [beside, 0]
        depth = [float((picture.points[cell[:4]] @ towards).mean()) for cell in picture.cells]
        for k in np.argsort(depth):
            edge = picture.cells[k][:4]
            ink = {"fc": "white", "ec": style.INK, "lw": 0.15, "zorder": 5}
            axes.fill(*flat[edge].T, transform=axes.transAxes, **ink)
        axes.plot(*point, "o", ms=6, mfc="none", mec=style.INK, zorder=6)
