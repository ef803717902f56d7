# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pictures of the shapes in fields/."""

import matplotlib.pyplot as plt
import numpy as np

from . import style

FLAT = 1e-6  # of the size of the picture: what counts as lying in a plane
MOST_POINTS = 400  # per line: more only makes the page heavier
MOST_LINES = 400  # per shape, likewise: a surface of more patches is not drawn
FEW_LINES = 4  # more are the mesh of a surface, and thin


def points_of_lines(picture):
    """Coordinates of each line, thinned out where it is finer than the eye."""
    for numbers in picture.lines():
        keep = np.linspace(0, len(numbers) - 1, min(len(numbers), MOST_POINTS))
        yield picture.points[numbers[np.unique(keep.round()).astype(int)]]


def can_be_drawn(picture):
    return 0 < len(picture.lines()) <= MOST_LINES and np.isfinite(picture.points).all()


def line_width(n_lines):
    return 1.8 if n_lines <= FEW_LINES else 0.6


def mark_shapes(axes, x, y, drawn):
    """Larger points, in the colours of the shapes that belong to them; a click on a
    point shows its shape."""
    style.link(axes, x, y)
    norm = style.time_norm([shape.time for shape in drawn]) if drawn else None
    for shape in drawn:
        if shape.row is not None and shape.row < len(x):
            face = style.SEQUENCE(norm(shape.time))
            mark = {"ms": 8.5, "mfc": face, "mec": "white", "mew": 0.6, "zorder": 3}
            axes.plot(x[shape.row], y[shape.row], "o", **mark)


def true_proportions(axes, points, zoom):
    """Equal units on the axes of a spatial plot; returns the extent of its box."""
    extent = np.ptp(points, axis=0)
    # A nearly flat box would leave no room for its ticks.
    extent = np.maximum(extent, 0.3 * extent.max())
    centre = (points.max(axis=0) + points.min(axis=0)) / 2
    for axis, name in enumerate("xyz"):
        half = 0.53 * extent[axis]
        getattr(axes, f"set_{name}lim")(centre[axis] - half, centre[axis] + half)
        getattr(axes, f"set_{name}label")(f"${name}$")
    axes.set_box_aspect(extent / extent.max(), zoom=zoom)
    return extent


def most_different(series, count):
    """Those shapes of the series that differ most, in their order.

    Even steps in time or load would draw many shapes on top of each other. So
    the first and the last are taken, then always the one that is farthest from
    all that are taken already.
    """
    if len(series) <= count:
        return series
    outlines = []
    for shape in series:
        points = np.concatenate(list(points_of_lines(shape.picture)))
        keep = np.linspace(0, len(points) - 1, 50).round().astype(int)
        outlines.append(points[keep])
    outlines = np.array(outlines)

    def distances(k):
        return np.linalg.norm(outlines - outlines[k], axis=2).max(axis=1)

    taken = [0, len(series) - 1]
    nearest = np.minimum(distances(taken[0]), distances(taken[1]))
    while len(taken) < count and nearest.max() > 0:
        taken.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, distances(taken[-1]))
    return [series[k] for k in sorted(taken)]


def projection(points):
    """Two directions that span the plane of the points, with their names.

    None for a body that leaves the plane. Coordinate planes keep their axes.
    """
    extent = np.ptp(points, axis=0)
    axis = int(np.argmin(extent))
    if extent[axis] <= FLAT * extent.max():
        kept = [k for k in range(3) if k != axis]
        return np.eye(3)[kept], [f"${'xyz'[k]}$" for k in kept]
    _, singular, directions = np.linalg.svd(points - points.mean(0), full_matrices=False)
    if singular[2] > FLAT * singular[0]:
        return None
    # The in-plane direction that rises most points up.
    horizontal = np.cross(directions[2], [0, 0, 1])
    if np.linalg.norm(horizontal) < FLAT:
        horizontal = directions[0]
    horizontal = horizontal / np.linalg.norm(horizontal)
    upwards = np.cross(horizontal, directions[2])
    if upwards[2] < 0:
        upwards = -upwards
    return np.array([horizontal, upwards]), ["horizontal", "in-plane, upwards"]


def draw_planar(series, directions, names, norm):
    figure, axes = plt.subplots(figsize=(6.4, 4.6))
    drawn = []
    for shape in series:
        radius = float(np.max(shape.picture.fields.get("radius", 0.0)))
        colour = style.SEQUENCE(norm(shape.time))
        for points in points_of_lines(shape.picture):
            line = axes.plot(*(directions @ points.T), color=colour, solid_capstyle="butt")
            drawn.append((line[0], radius))
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.06)
    axes.set_xlabel(names[0])
    axes.set_ylabel(names[1], rotation=0 if len(names[1]) == 3 else 90)
    # Bodies are as thick as they are, but never too thin to see.
    figure.canvas.draw()
    pixels = axes.transData.get_matrix()[0, 0]
    for line, radius in drawn:
        line.set_linewidth(max(1.8, 2 * radius * pixels * 72 / figure.dpi))
    return figure, axes


def draw_spatial(series, norm):
    figure = plt.figure(figsize=(6.4, 5.2))
    axes = figure.add_subplot(projection="3d")
    everything = []
    for shape in series:
        lines = list(points_of_lines(shape.picture))
        ink = {"color": style.SEQUENCE(norm(shape.time)), "lw": line_width(len(lines))}
        for points in lines:
            axes.plot(*points.T, **ink)
        everything += lines
    extent = true_proportions(axes, np.concatenate(everything), zoom=0.85)
    for axis, size in zip((axes.xaxis, axes.yaxis, axes.zaxis), extent / extent.max()):
        axis.pane.set_alpha(0.0)
        axis.set_major_locator(plt.MaxNLocator(max(2, round(5 * size)), prune="upper"))
    axes.zaxis.labelpad = 9
    return figure, axes


def figure_of_shapes(series, time_label):
    """All shapes of a series in one figure."""
    points = np.concatenate([p for shape in series for p in points_of_lines(shape.picture)])
    norm = style.time_norm([shape.time for shape in series])
    plane = projection(points)
    if plane is None:
        figure, axes = draw_spatial(series, norm)
    else:
        figure, axes = draw_planar(series, *plane, norm)
    if len(series) > 1:
        mappable = plt.cm.ScalarMappable(norm, style.SEQUENCE)
        pad = 0.03 if plane is not None else 0.06
        bar = figure.colorbar(mappable, ax=axes, shrink=0.8, pad=pad)
        # To the right of the bar there is room, to the left is the diagram.
        bar.ax.set_title(time_label, fontsize=11, pad=8, loc="left")
        bar.outline.set_visible(False)
    return figure
