# SPDX-License-Identifier: LGPL-2.1-or-later
"""Small pictures of the shapes at labelled points, beside a diagram."""

import numpy as np

from . import style
from .shapes import can_be_drawn, line_width, points_of_lines, projection
from .vtk_files import read_picture

MOST = 8  # pictures
VIEW = np.array([[0.86, 0.5, 0.0], [-0.25, 0.43, 0.87]])  # of a body in space
THIN = 0.5  # of the second smallest extent: what is seen along the smallest one
SAME = 0.01  # of the largest distance: shapes that look alike


def at_labels(run):
    """(words, lines of points) of labelled points whose shapes look different, the
    most important ones first chosen, in the order of the labels."""
    table, files = run.results, run.shape_series.files()
    codes, numbers = table.words("kind"), table["label"]
    rows = [k for k in np.flatnonzero(numbers > 0) if k in files]
    rows.sort(key=lambda k: (run.kinds.importance(codes[k]), k))
    found = []
    for row in rows[: 4 * MOST]:
        picture = read_picture(files[row])
        if can_be_drawn(picture):
            lines = list(points_of_lines(picture))
            found.append((row, f"{codes[row]} {int(numbers[row])}", lines))
    taken = most_different(found)
    return [(words, lines) for _, words, lines in sorted(taken, key=lambda one: one[0])]


def most_different(found):
    """The first, then always the one that is farthest from all that are taken."""
    outlines = []
    for _, _, lines in found:
        points = np.concatenate(lines)
        outlines.append(points[np.linspace(0, len(points) - 1, 60).round().astype(int)])
    if not found:
        return []
    outlines = np.array(outlines)
    taken, nearest = [0], None
    while len(taken) < min(MOST, len(found)):
        away = np.linalg.norm(outlines - outlines[taken[-1]], axis=2).max(axis=1)
        nearest = away if nearest is None else np.minimum(nearest, away)
        if len(taken) == 1:
            least = SAME * nearest.max()
        best = int(np.argmax(nearest))
        if nearest[best] <= least:
            break
        taken.append(best)
    return [found[k] for k in taken]


def view(points):
    """Two directions of the paper: those of a planar body's plane; along its width for
    a strip, as an arch seen from above is a line; else obliquely."""
    plane = projection(points)
    if plane:
        return plane[0]
    extent = np.ptp(points, axis=0)
    least, second, _ = np.argsort(extent)
    if extent[least] < THIN * extent[second]:
        return np.eye(3)[[k for k in range(3) if k != least]]
    return VIEW


def draw(panels, shapes):
    """All to the same scale, so that they can be compared."""
    every = np.concatenate([points for _, lines in shapes for points in lines])
    directions = view(every)
    flat = directions @ every.T
    middle, half = (flat.max(1) + flat.min(1)) / 2, 0.56 * np.ptp(flat, axis=1).max()
    for axes, (words, lines) in zip(panels, shapes):
        for points in lines:
            axes.plot(*(directions @ points.T), color=style.INK, lw=line_width(len(lines)))
        axes.set_title(words, fontsize=8.5, pad=2)
        axes.set_aspect("equal")
        axes.set(xlim=(middle[0] - half, middle[0] + half))
        axes.set(ylim=(middle[1] - half, middle[1] + half), xticks=[], yticks=[])
        for side in axes.spines.values():
            side.set(visible=True, color=style.GREY, lw=0.6)
