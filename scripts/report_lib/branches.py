# SPDX-License-Identifier: LGPL-2.1-or-later
"""Branches and frontiers: bifurcation diagrams, special points, modes.

Points have the names that AUTO-07p gives them: BP for a branch point, LP for a
limit point (fold), UZ for a requested value, EP for an end, MX for an end where
no step converged.
"""

from html import escape

import matplotlib.pyplot as plt
import numpy as np

from . import labels, style
from .shapes import can_be_drawn, line_width, points_of_lines, projection
from .vtu import read_vtu

MARKS = {  # in the order of importance: marker, size, face
    "BP": ("o", 6, "white"),
    "LP": ("s", 5.5, "white"),
    "MX": ("X", 6.5, style.ACCENT),
    "UZ": ("o", 3.4, style.INK),
    "EP": ("D", 3.4, style.INK),
}
MEANINGS = {
    "BP": "another branch crosses",
    "LP": "the branch turns back",
    "MX": "no step converged beyond",
    "UZ": "requested value",
    "EP": "start or end",
}
NOT_MEASURED = ("branch", "label", "arc_length", "stability_index", "iterations", "slack")
WITHOUT_UNIT = ("total_twist", "largest_stretch")
MOST_ROWS = 100  # of the table of special points
MOST_MODES = 6
MOST_FRONTIER_LABELS = 12


def branch(run, shape_times):
    """The bifurcation diagram, and the modes at its special points."""
    table = run.results
    if not {"branch", "label", "arc_length", "stability_index"} <= set(table.numeric()):
        return []
    names = telling(table, table.names[3])
    found = []
    if names:
        figure = diagram(table, names, shape_times)
        caption = (
            "Bifurcation diagram: solid lines are stable, dashed ones unstable."
            " Labels without room are left out; the table below has all of them."
        )
        if shape_times:
            caption += " Coloured points are the shapes drawn below."
        found.append((figure, caption))
    row_of = {int(label): k for k, label in enumerate(table["label"]) if label > 0}
    shapes = {round(time) - 1: path for time, path in run.shape_files}
    modes = []
    for label, path in run.read_series("modes"):
        row = row_of.get(round(label))
        if row is not None and row in shapes:
            words = f"{kind(table, row)} {round(label)}, {quantity(table, table.names[3], row)}"
            modes.append((words, shapes[row], path))
    return found + figure_of_modes(modes)


def frontier(run, shape_times):
    """The frontier in the plane of its two parameters, and its modes."""
    table = run.results
    if not {"label", "slack"} <= set(table.numeric()):
        return []
    across, upwards = table.names[2:4]
    x, y = table[across], table[upwards]
    figure, axes = plt.subplots(figsize=(6.4, 5.0))
    axes.plot(x, y, color=style.CATEGORIES[0], lw=1.6, zorder=2)
    axes.set(xlabel=style.label(across), ylabel=style.label(upwards))
    axes.margins(0.06)
    mark_shapes(axes, x, y, [round(time) for time in shape_times], shape_times)
    labelled = np.flatnonzero(table["label"] > 0)
    ends = [k for k in labelled if kind(table, k) in ("EP", "MX")]
    inner = [k for k in labelled if k not in ends]
    if len(inner) > MOST_FRONTIER_LABELS:
        chosen = np.linspace(0, len(inner) - 1, MOST_FRONTIER_LABELS).round().astype(int)
        inner = [inner[k] for k in chosen]
    mark_special(axes, table, x, y, ends + inner, [(x, y)])
    caption = "Frontier in the plane of its two parameters, with some of its labelled points."
    if shape_times:
        caption += " Coloured points are the shapes drawn below."
    shapes = {round(time): path for time, path in run.shape_files}
    modes = []
    for time, path in run.read_series("modes"):
        row = round(time)
        if row in shapes and row < len(x):
            words = [quantity(table, name, row) for name in (across, upwards)]
            modes.append((", ".join(words), shapes[row], path))
    return [(figure, caption)] + figure_of_modes(modes)


def kind(table, row):
    return table.rows[row][table.names.index("kind")]


def quantity(table, name, row):
    return f"{style.label(name)} {table[name][row]:.4g}"


# --- Which measurements tell most -------------------------------------------


def family(name):
    """Components of one vector share their scale."""
    return name[:-2] if name[-2:] in ("_x", "_y", "_z") else name


def telling(table, across, count=3):
    """The measurements that vary most, relative to their scale: a component's is
    that of its vector. Left out are those that follow from the parameter or
    from one that was taken already, and what is round-off."""
    candidates = [
        name
        for name in table.numeric()
        if name not in (*NOT_MEASURED, across) and not name.startswith("eigenvalue_")
    ]
    largest = {}
    for name in candidates:
        size = np.nanmax(np.abs(table[name]), initial=0.0)
        largest[family(name)] = max(size, largest.get(family(name), 0.0))
    variation = {}
    for name in candidates:
        scale = largest[family(name)]
        is_noise = name in WITHOUT_UNIT and scale < 1e-6
        if scale > 0 and not is_noise:
            variation[name] = float(np.nanmax(table[name]) - np.nanmin(table[name])) / scale
    taken = []
    for name in sorted(variation, key=lambda n: -round(variation[n], 3)):
        if variation[name] < 1e-6 or len(taken) == count:
            break
        known = [across, *taken]
        if not any(follows(table[other], table[name]) for other in known):
            taken.append(name)
    return sorted(taken, key=table.names.index)


def follows(x, y):
    """Whether y is a linear function of x, to the eye."""
    both = np.isfinite(x) & np.isfinite(y)
    if np.count_nonzero(both) < 3 or np.ptp(x[both]) == 0:
        return False
    line = np.polyfit(x[both], y[both], 1)
    return np.abs(np.polyval(line, x[both]) - y[both]).max() < 1e-3 * np.ptp(y[both])


# --- Pictures ---------------------------------------------------------------


def diagram(table, names, shape_times=(), columns=1):
    """Measurements over the parameter, one below the other or in columns."""
    across = table.names[3]
    rows = -(-len(names) // columns)
    figure, panels = plt.subplots(
        rows,
        columns,
        sharex=True,
        squeeze=False,
        constrained_layout=True,
        figsize=(6.8 if columns == 1 else 5.2 * columns, 0.5 + 3.4 * rows),
    )
    for axes in panels.flat[len(names) :]:
        axes.remove()
    x = table[across]
    special, lines = np.flatnonzero(table["label"] > 0), []
    for k, (axes, name) in enumerate(zip(panels.flat, names)):
        y = table[name]
        lines.append(draw_branches(axes, table, x, y))
        axes.set_ylabel(style.label(name))
        axes.margins(0.07)
        drawn = [round(time) - 1 for time in shape_times]
        mark_shapes(axes, x, y, drawn, shape_times)
        axes.set_xlabel(style.label(across) if k >= len(names) - columns else "")
    # When all else is in its place.
    for axes, name, around in zip(panels.flat, names, lines):
        mark_special(axes, table, x, table[name], special, around)
    return figure


def draw_branches(axes, table, x, y):
    """Solid where stable, dashed where not; returns the lines."""
    index, number = table["stability_index"], table["branch"]
    lines = []
    for one in np.unique(number):
        rows = np.flatnonzero(number == one)
        if len(rows) < 2:
            continue
        # Between two points; a point of bifurcation counts as its stabler side,
        # and where a branch begins at one, round-off decides.
        unstable = np.maximum(index[rows[1:]], index[rows[:-1]]) > 0
        unstable[0] = index[rows[1]] > 0
        begin = 0
        for k in range(1, len(unstable) + 1):
            if k < len(unstable) and unstable[k] == unstable[begin]:
                continue
            part = rows[begin : k + 1]
            look = (
                {"color": style.CATEGORIES[1], "ls": (0, (4, 2)), "lw": 1.3}
                if unstable[begin]
                else {"color": style.CATEGORIES[0], "ls": "-", "lw": 1.7}
            )
            axes.plot(x[part], y[part], zorder=2, **look)
            lines.append((x[part], y[part]))
            begin = k
    return lines


def mark_shapes(axes, x, y, rows, times):
    """Larger points, in the colours of the shapes that belong to them."""
    norm = style.time_norm(times) if len(times) else None
    for row, time in zip(rows, times):
        if row < len(x):
            face = style.SEQUENCE(norm(time))
            axes.plot(x[row], y[row], "o", ms=10, mfc=face, mec="none", alpha=0.75, zorder=3)


def mark_special(axes, table, x, y, rows, lines):
    order = list(MARKS)
    rows = [k for k in rows if kind(table, k) in MARKS and np.isfinite(y[k])]
    rows.sort(key=lambda k: order.index(kind(table, k)))
    for k in reversed(rows):
        marker, size, face = MARKS[kind(table, k)]
        axes.plot(x[k], y[k], marker, ms=size, mfc=face, mec=style.INK, mew=0.8, zorder=4)
    if rows:
        codes = [kind(table, k) for k in rows]
        numbers = [int(table["label"][k]) for k in rows]
        labels.place(axes, x[rows], y[rows], codes, numbers, lines)


def figure_of_modes(modes):
    """Panels with a shape in grey and the shape displaced along its mode, for
    triples (words, path of the shape, path of the mode)."""
    total = len(modes)
    if not total:
        return []
    if total > MOST_MODES:
        chosen = np.linspace(0, total - 1, MOST_MODES).round().astype(int)
        modes = [modes[k] for k in chosen]
    columns = min(3, len(modes))
    rows = -(-len(modes) // columns)
    figure = plt.figure(figsize=(3.4 * columns, 0.3 + 3.2 * rows), constrained_layout=True)
    for k, (words, *paths) in enumerate(modes, 1):
        pictures = [read_vtu(path) for path in paths]
        if not all(can_be_drawn(picture) for picture in pictures):
            continue
        lines = [list(points_of_lines(picture)) for picture in pictures]
        every = np.concatenate([points for line in lines for points in line])
        plane = projection(every)
        kind_of_axes = {} if plane else {"projection": "3d"}
        axes = figure.add_subplot(rows, columns, k, title=words, **kind_of_axes)
        axes.title.set_fontsize(10)
        for line, colour in zip(lines, (style.GREY, style.CATEGORIES[0])):
            ink = {"color": colour, "lw": line_width(len(line))}
            for points in line:
                axes.plot(*(plane[0] @ points.T if plane else points.T), **ink)
        if plane:
            axes.set_aspect("equal", adjustable="datalim")
            axes.set(xlabel=plane[1][0], ylabel=plane[1][1])
            axes.margins(0.12)
        else:
            true_proportions(axes, every)
    caption = f"Modes: {len(modes)} of {total}. Grey the shape, coloured the shape moved along it."
    return [(figure, caption)]


def true_proportions(axes, points):
    extent = np.ptp(points, axis=0)
    extent = np.maximum(extent, 0.3 * extent.max())
    centre = (points.max(axis=0) + points.min(axis=0)) / 2
    for axis, name in enumerate("xyz"):
        half = 0.53 * extent[axis]
        getattr(axes, f"set_{name}lim")(centre[axis] - half, centre[axis] + half)
        getattr(axes, f"set_{name}label")(f"${name}$")
        getattr(axes, f"{name}axis").set_major_locator(plt.MaxNLocator(3))
    axes.set_box_aspect(extent / extent.max(), zoom=0.8)


# --- Table ------------------------------------------------------------------


def special_points(run):
    """The labelled points of a run as an HTML table; empty for other studies."""
    table = run.results
    if run.summary["study"] not in ("branch", "frontier") or "label" not in table:
        return ""
    rows = np.flatnonzero(table["label"] > 0)
    if len(rows) == 0:
        return ""
    if run.summary["study"] == "branch":
        names = ["label", "kind", "branch", table.names[3], "arc_length", "stability_index"]
        names += telling(table, table.names[3])
    else:
        names = ["label", "kind", *table.names[2:5]]
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    body = ""
    for k in rows[:MOST_ROWS]:
        cells = [table.rows[k][table.names.index(name)] for name in names]
        body += "<tr>" + "".join(f"<td>{escape(short(cell))}</td>" for cell in cells) + "</tr>"
    more = len(rows) - MOST_ROWS
    note = f"<p>… and {more} more in results.csv</p>" if more > 0 else ""
    met = {kind(table, k) for k in rows}
    meaning = "; ".join(f"{code}: {words}" for code, words in MEANINGS.items() if code in met)
    return (
        f"<h2>Special points: {len(rows)}</h2><table><tr>{head}</tr>{body}</table>{note}"
        f"<p>{escape(meaning)}.</p>"
    )


def short(cell):
    """Ten digits tell all; words stay."""
    try:
        return f"{float(cell):.10g}"
    except ValueError:
        return cell
