# SPDX-License-Identifier: LGPL-2.1-or-later
"""Branches and frontiers: bifurcation diagrams, special points, modes."""

import math
from html import escape

import matplotlib.pyplot as plt
import numpy as np

from . import insets, labels, style
from .markup import foldable, scrolling
from .shapes import can_be_drawn, line_width, mark_shapes, points_of_lines, projection
from .shapes import true_proportions
from .telling import OF_LABELS, size_of, telling
from .units import axis
from .vtk_files import read_picture

MOST_ROWS = 100  # of the table of special points
MOST_MODES = 6
MOST_FRONTIER_LABELS = 12
COLOURED = " Coloured points are the shapes drawn below."


def branch(run, drawn):
    """The bifurcation diagram, and the modes at its special points."""
    table, varied = run.results, run.varied_columns()
    if not varied or not table.has("branch", "label", "arc_length", "stability_index"):
        return []
    (across,) = varied
    names = telling(table, across, size_of(run))
    found = []
    if names:
        figure = diagram(run, across, names, drawn)
        caption = (
            "Bifurcation diagram: solid lines are stable, dashed ones unstable."
            " Labels without room are left out; the table below has all of them."
            " To the right the shapes at some labels, to one scale."
        )
        found.append((figure, caption + (COLOURED if drawn else "")))

    def title(row):
        point = f"{table.words('kind')[row]} {table.words('label')[row]}"
        return f"{point}, {quantity(table, across, row)}"

    return found + figure_of_modes(run, title)


def frontier(run, drawn):
    """The frontier in the plane of its two parameters, and its modes."""
    table, varied = run.results, run.varied_columns()
    if not varied or not table.has("label", "slack"):
        return []
    x, y = (table[name] for name in varied)
    figure, axes = plt.subplots(figsize=(6.4, 5.0))
    # To either side from where it was found.
    sides = table.words("side") if "side" in table.names else np.zeros(len(x))
    lines = [(x[sides == side], y[sides == side]) for side in np.unique(sides)]
    for line in lines:
        axes.plot(*line, color=style.CATEGORIES[0], lw=1.6, zorder=2)
    axes.set(**dict(zip(("xlabel", "ylabel"), map(axis, varied))))
    axes.margins(0.06)
    mark_shapes(axes, x, y, drawn)
    codes = table.words("kind")
    labelled = np.flatnonzero(table["label"] > 0)
    ends = [k for k in labelled if run.kinds.is_end(codes[k])]
    inner = [k for k in labelled if k not in ends]
    if len(inner) > MOST_FRONTIER_LABELS:
        chosen = np.linspace(0, len(inner) - 1, MOST_FRONTIER_LABELS).round().astype(int)
        inner = [inner[k] for k in chosen]
    mark_special(axes, run, x, y, ends + inner, lines)
    caption = "Frontier in the plane of its two parameters, with some of its labelled points."

    def title(row):
        return ", ".join(quantity(table, name, row) for name in varied)

    return [(figure, caption + (COLOURED if drawn else ""))] + figure_of_modes(run, title)


def quantity(table, name, row):
    return f"{style.label(name)} {table[name][row]:.4g}"


# --- Pictures ---------------------------------------------------------------


def diagram(run, across, names, drawn=(), columns=1):
    """Measurements over the parameter, one below the other or in columns, and beside
    them the shapes at some labels."""
    rows = -(-len(names) // columns)
    shapes = insets.at_labels(run)
    strips = -(-len(shapes) // (3 * rows))
    figure = plt.figure(
        constrained_layout=True,
        figsize=((6.8 if columns == 1 else 5.2 * columns) + 1.15 * strips, 0.5 + 3.4 * rows),
    )
    grid = figure.add_gridspec(
        3 * rows, columns + strips, width_ratios=[5.6] * columns + [1.15] * strips
    )
    panels = np.empty((rows, columns), dtype=object)
    for k in range(rows * columns):
        row, column = divmod(k, columns)
        if k < len(names):
            panels[row, column] = figure.add_subplot(
                grid[3 * row : 3 * row + 3, column], sharex=panels[0, 0]
            )
    panels = panels.ravel()[: len(names)]
    if shapes:
        places = [grid[k % (3 * rows), columns + k // (3 * rows)] for k in range(len(shapes))]
        insets.draw([figure.add_subplot(place) for place in places], shapes)
    table = run.results
    x = table[across]
    special, lines = np.flatnonzero(table["label"] > 0), []
    for k, (axes, name) in enumerate(zip(panels, names)):
        lines.append(draw_branches(axes, table, x, table[name]))
        axes.set_ylabel(axis(name))
        axes.margins(0.07)
        mark_shapes(axes, x, table[name], drawn)
        is_lowest = k >= len(names) - columns
        axes.set_xlabel(axis(across) if is_lowest else "")
        axes.tick_params(labelbottom=is_lowest)
    # When all else is in its place.
    for axes, name, around in zip(panels, names, lines):
        mark_special(axes, run, x, table[name], special, around)
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


def mark_special(axes, run, x, y, rows, lines):
    codes, numbers = run.results.words("kind"), run.results["label"]
    rows = [k for k in rows if np.isfinite(y[k])]
    rows.sort(key=lambda k: run.kinds.importance(codes[k]))
    for k in reversed(rows):
        marker, size, face = run.kinds.mark(codes[k])
        axes.plot(x[k], y[k], marker, ms=size, mfc=face, mec=style.INK, mew=0.8, zorder=4)
    if rows:
        special = [(codes[k], int(numbers[k])) for k in rows]
        labels.place(axes, x[rows], y[rows], special, lines, run.kinds)


def figure_of_modes(run, title):
    """Panels with a shape in grey and the shape displaced along its mode; `title`
    is a function of the row."""
    shapes, modes = run.shape_series.files(), run.series("modes").files()
    rows = [row for row in modes if row in shapes]
    total = len(rows)
    if not total:
        return []
    if total > MOST_MODES:
        rows = [rows[k] for k in np.linspace(0, total - 1, MOST_MODES).round().astype(int)]
    n_columns = min(3, len(rows))
    n_lines = -(-len(rows) // n_columns)
    figure = plt.figure(figsize=(3.4 * n_columns, 0.3 + 3.2 * n_lines), constrained_layout=True)
    for k, row in enumerate(rows, 1):
        pictures = [read_picture(files[row]) for files in (shapes, modes)]
        if not all(can_be_drawn(picture) for picture in pictures):
            continue
        lines = [list(points_of_lines(picture)) for picture in pictures]
        every = np.concatenate([points for line in lines for points in line])
        plane = projection(every)
        kind_of_axes = {} if plane else {"projection": "3d"}
        axes = figure.add_subplot(n_lines, n_columns, k, title=title(row), **kind_of_axes)
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
            true_proportions(axes, every, zoom=0.8)
            for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
                axis.set_major_locator(plt.MaxNLocator(3))
    caption = f"Modes: {len(rows)} of {total}. Grey the shape, coloured the shape moved along it."
    return [(figure, caption)]


# --- Table ------------------------------------------------------------------


def special_points(run, frames):
    """The labelled points of a run as an HTML table; empty for other studies. Labels
    whose shapes can be shown say where they are in what is played."""
    table, varied = run.results, run.varied_columns()
    if not varied or "label" not in table:
        return ""
    rows = np.flatnonzero(table["label"] > 0)
    if len(rows) == 0:
        return ""
    names = ["label", "kind", "branch", *varied, "arc_length", "stability_index", "slack"]
    if run.summary["study"] == "branch":
        names += [*OF_LABELS, *telling(table, *varied, size=size_of(run))]
    names = [name for name in names if name in table.names]
    names = [name for name in names if any(map(short, table.words(name)[rows]))]
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    columns = [table.words(name) for name in names]
    body = ""
    for k in rows[:MOST_ROWS]:
        cells = [f"<td>{escape(short(column[k]))}</td>" for column in columns]
        if place := frames.get(("shapes", k)):
            cells[0] = cells[0].replace("<td", f'<td data-frame="{place[0]} {place[1]}"')
        body += "<tr>" + "".join(cells) + "</tr>"
    more = len(rows) - MOST_ROWS
    note = f"<p>… and {more} more in results.csv</p>" if more > 0 else ""
    met = set(table.words("kind")[rows])
    meaning = [f"{code}: {words}" for code, words in run.kinds.meanings.items() if code in met]
    if meaning:
        note += f"<p>{escape('; '.join(meaning))}.</p>"
    table = scrolling(f"<table><tr>{head}</tr>{body}</table>")
    return foldable(f"Special points: {len(rows)}", table + note, is_open=True)


def short(cell):
    """Ten digits tell all; words stay, and what does not apply is left out."""
    try:
        number = float(cell)
    except ValueError:
        return cell
    return "" if math.isnan(number) else f"{number:.10g}"
