# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pictures of shells as shaded surfaces, and of those that grow."""

import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from . import style


def draw_surface(axes, picture, field=None, limits=None, view=(25, -60)):
    """The cells of a shell, shaded, and coloured by a field if there is one."""
    # A triangle is a quadrilateral whose last corner comes twice.
    cells = [c if len(c) == 4 else [*c, c[2]] for c in picture.cells if len(c) in (3, 4)]
    points = np.array(picture.points)
    corners = points[np.array(cells)]
    normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    light = np.array([0.3, -0.4, 0.87])
    shade = 0.55 + 0.45 * np.abs(normals @ light)
    if field is None:
        colours = np.tile(plt.matplotlib.colors.to_rgb(style.CATEGORIES[0]), (len(cells), 1))
        colours = 0.45 + 0.55 * colours
    else:
        values = np.array(picture.fields[field]).reshape(len(points), -1)[:, 0]
        values = values[np.array(cells)].mean(axis=1)
        low, high = limits or (values.min(), values.max())
        norm = plt.Normalize(low, high if high > low else low + 1)
        colours = plt.get_cmap("coolwarm")(norm(values))[:, :3]
    faces = np.clip(colours * shade[:, None], 0, 1)
    surface = Poly3DCollection(corners, facecolor=faces, edgecolor=faces, lw=0.2)
    surface.set_rasterized(True)  # in pages: thousands of paths would make them heavy
    axes.add_collection3d(surface)
    centre = (points.min(0) + points.max(0)) / 2
    half = (points.max(0) - points.min(0)).max() / 2
    for c, name in enumerate("xyz"):
        getattr(axes, f"set_{name}lim")(centre[c] - half, centre[c] + half)
    axes.set_box_aspect((1, 1, 1), zoom=1.45)
    axes.view_init(*view)
    axes.set_axis_off()


def gallery(panels, columns=3):
    """Shapes with titles: (title, picture, field, view)."""
    rows = -(-len(panels) // columns)
    figure = plt.figure(figsize=(3.2 * columns, 2.9 * rows), constrained_layout=True)
    for i, (title, picture, field, view) in enumerate(panels, 1):
        axes = figure.add_subplot(rows, columns, i, projection="3d")
        draw_surface(axes, picture, field, view=view)
        axes.set_title(title, fontsize=9, y=0.98)
    return figure


def over_time(run, numbers, field, view=(14, -75)):
    """Shapes of a run by their numbers, in one colour scale."""
    series = run.shape_series
    series.entries = [series.entries[i] for i in numbers]
    drawn = series.shapes(len(numbers))
    values = [np.array(shape.picture.fields[field]) for shape in drawn]
    limits = (min(v.min() for v in values), max(v.max() for v in values))
    figure = plt.figure(figsize=(2.6 * len(drawn), 2.7), constrained_layout=True)
    for i, shape in enumerate(drawn, 1):
        axes = figure.add_subplot(1, len(drawn), i, projection="3d")
        draw_surface(axes, shape.picture, field, limits, view)
        axes.set_title(f"$t = {shape.time:.3g}$ s", fontsize=9, y=0.98)
    return figure


def half_waves(run):
    """The growth at each bifurcation of a leaf, and the half waves of its mode along the
    edge y = 0.25."""
    results = run.results
    growth = {int(label): value for kind, label, value in
              zip(results.words("kind"), results["label"], results["growth"]) if kind == "BP"}
    for shape in run.series("modes").shapes(1000):
        if (label := int(round(shape.time))) in growth:
            points, mode = np.array(shape.picture.points), np.array(shape.picture.fields["displacement"])
            on_edge = np.abs((points - mode)[:, 1] - 0.25) < 1e-6
            z = mode[on_edge][np.argsort(points[on_edge, 0]), 2]
            signs = np.sign(z[np.abs(z) > 1e-3 * np.abs(z).max()])
            yield growth[label], int((np.diff(signs) != 0).sum())


def branches_of_leaf(run):
    """How high the edge of a leaf is on each branch of rippled states, with the number of
    half waves where it begins."""
    results = run.results
    branch, growth, height = (results[name] for name in ("branch", "growth", "edge_z"))
    figure, axes = plt.subplots(figsize=(6, 3.6), constrained_layout=True)
    axes.axhline(0, color="0.3", lw=1)
    for number in sorted(set(branch)):
        if number > 1:
            on = branch == number
            order = np.argsort(growth[on])
            axes.plot(1e3 * growth[on][order], height[on][order], lw=1.2,
                      color=style.CATEGORIES[int(number) // 2 % len(style.CATEGORIES)])
    for at, count in half_waves(run):
        axes.annotate(str(count), (1e3 * at, 0), (-9, 3), textcoords="offset points", fontsize=9)
    axes.set_xlabel("growth at the edge, $10^{-3}$")
    axes.set_ylabel("height of the corner")
    return figure
