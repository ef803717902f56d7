# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the phase diagrams of the protocols share: master curve, frontier, samples."""

import numpy as np

from . import style

PLANAR, SPATIAL = "#fbe6cf", "#c9ebe8"  # as in the paper: orange and turquoise
STATES = {"2D": "#d1702f", "3D": "#1f8a84"}


def master_curve(run, across, upwards):
    """The curve that the run was judged by, as points; None if there was none."""
    table = run.master
    if table is None or not table.has(across, upwards):
        return None
    return np.column_stack([table[across], table[upwards]])


def frontier_pieces(table, across, upwards):
    """The points of each piece of a computed frontier."""
    if table is None or not table.has(across, upwards):
        return []
    points = np.column_stack([table[across], table[upwards]])
    number = table["piece"] if "piece" in table else np.zeros(len(points))
    return [points[number == k] for k in np.unique(number)]


def draw_frontiers(axes, master, pieces):
    if master is not None:
        axes.plot(*master.T, color=style.INK, lw=1.4, zorder=3, label="master curve")
    line = {"color": style.ACCENT, "lw": 1.1, "zorder": 3.5}
    line["ls"] = "-" if master is None else (0, (4, 3))
    for k, piece in enumerate(pieces):
        axes.plot(*piece.T, label="computed frontier" if k == 0 else None, **line)


def draw_samples(axes, table, across, upwards):
    """Points in the colours of their states, and squares about those that are not
    as the run expected them to be."""
    points = np.column_stack([table[across], table[upwards]])
    style.link(axes, *points.T)
    states = table.words("state")
    for state, colour in STATES.items():
        chosen = points[states == state]
        marks = {"marker": "o", "ls": "", "ms": 3.2, "mfc": colour, "mec": "none", "zorder": 4}
        axes.plot(*chosen.T, label=f"{state}, {len(chosen)} samples", **marks)
    if "expected" not in table.names:
        return
    expected = table.words("expected")
    wrong = points[np.isin(expected, list(STATES)) & (states != expected) & (states != "failed")]
    if len(wrong):
        marks = {"marker": "s", "ls": "", "ms": 8, "mfc": "none", "mec": style.ACCENT}
        axes.plot(*wrong.T, label="misclassified", zorder=6, **marks)


def name_states(axes, places):
    """The names of the two states at places in units of the axes."""
    for name, place in places.items():
        words = {"fontsize": 16, "color": STATES[name], "ha": "center", "weight": "bold"}
        axes.text(*place, name, transform=axes.transAxes, zorder=7, **words)
