# SPDX-License-Identifier: LGPL-2.1-or-later
"""Labels beside points of a plot, where there is room for them."""

import numpy as np

from . import style

SIZE = 8.5  # of the letters, in points
DIRECTIONS = np.deg2rad([45, 135, -45, -135, 90, -90, 0, 180])
DISTANCES = (6, 12, 19)  # from the point, in points
TOGETHER = 2.0  # points of a plot nearer than this, in points, share a label


class Boxes:
    """Rectangles (left, bottom, right, top) that may not overlap."""

    def __init__(self):
        self.taken = np.empty((0, 4))

    def is_free(self, box):
        t = self.taken
        apart = (t[:, 0] > box[2]) | (t[:, 2] < box[0]) | (t[:, 1] > box[3]) | (t[:, 3] < box[1])
        return bool(apart.all())

    def add(self, box):
        self.taken = np.vstack([self.taken, box])


def positions(axes, x, y):
    """Of points in the figure, in points of typography."""
    pixels = axes.transData.transform(np.column_stack([x, y]))
    return pixels * 72 / axes.figure.dpi


def together(spots, special, kinds):
    """(position, words) of points that lie on one another: they have one label,
    and an end of a branch at a bifurcation has none of its own."""
    groups = []
    for spot, (code, number) in zip(spots, special):
        near = [g for g in groups if np.abs(g[0] - spot).max() < TOGETHER]
        same = [g for g in near if g[1] == code]
        if same:
            same[0][2].append(number)
        elif not (kinds.is_end(code) and any(kinds.is_singular(g[1]) for g in near)):
            groups.append((spot, code, [number]))
    words = []
    for spot, code, found in groups:
        more = ", …" if len(found) > 3 else ""
        words.append((spot, f"{code} " + ", ".join(map(str, found[:3])) + more))
    return words


def place(axes, x, y, special, lines, kinds):
    """Writes labels at points, most important first; those without a free place
    are left out. `special` are pairs (code, number), `lines` pairs of arrays
    (x, y) that labels rather avoid."""
    figure = axes.figure
    figure.canvas.draw()
    frame = axes.get_window_extent().extents * 72 / figure.dpi
    spots = positions(axes, x, y)
    ink = [positions(axes, *fine(line)) for line in lines]
    ink = np.concatenate(ink) if ink else np.empty((0, 2))
    boxes = Boxes()
    for spot in spots:
        boxes.add([*(spot - 2.5), *(spot + 2.5)])
    for spot, words in together(spots, special, kinds):
        width, height = 0.5 * SIZE * len(words), SIZE
        best = None
        for distance in DISTANCES:
            for angle in DIRECTIONS:
                away = np.array([np.cos(angle), np.sin(angle)])
                centre = spot + distance * away + away * np.array([width, height]) / 2
                box = [*(centre - [width / 2, height / 2]), *(centre + [width / 2, height / 2])]
                outside = box[0] < frame[0] or box[1] < frame[1]
                if outside or box[2] > frame[2] or box[3] > frame[3] or not boxes.is_free(box):
                    continue
                inside = (ink > box[:2]).all(axis=1) & (ink < box[2:]).all(axis=1)
                cost = 3 * np.count_nonzero(inside) + distance
                if best is None or cost < best[0]:
                    best = (cost, centre, box)
        if best is None:
            continue
        boxes.add(best[2])
        axes.annotate(
            words,
            xy=axes.transData.inverted().transform(spot * figure.dpi / 72),
            xytext=best[1] - spot,
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=SIZE,
            color=style.INK,
            zorder=6,
        )


def fine(line, count=200):
    """A polygon with points so close that a label cannot slip between them."""
    x, y = (np.asarray(values, dtype=float) for values in line)
    if len(x) < 2:
        return x, y
    steps = np.linspace(0, len(x) - 1, count)
    return np.interp(steps, np.arange(len(x)), x), np.interp(steps, np.arange(len(y)), y)
