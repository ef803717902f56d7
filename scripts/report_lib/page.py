# SPDX-License-Identifier: LGPL-2.1-or-later
"""The HTML page of a run."""

from html import escape

import numpy as np

from . import branches, growth_pictures, markup, studies, validation, viewer
from .markup import foldable, preformatted, scrolling
from .shapes import can_be_drawn, figure_of_shapes, most_different
from .vtk_files import Picture

MOST_SHAPES = 8  # in the picture
MOST_SURFACES = 3  # likewise, where they are surfaces
MOST_CELLS = 20000
MOST_FAILED_ROWS = 50
MOST_LOG_LINES = 2000

NAMES = {
    "distance": "Hausdorff distance",
    "max_relative_error": "largest relative error",
    "newton_iterations": "Newton iterations",
    "seconds": "time",
    "ranks": "MPI ranks",
}


# Studies that judge; others answer a question.
PROTOCOLS = ("cantilever", "bend twist", "lateral buckling", "stick slip")


def is_table_1(run):
    """Whether it is of many models and verdicts, so that none of them is that of the page."""
    return run.summary["study"] == "validation"


def make(run):
    """The whole page as a string."""
    summary = run.summary
    played, left_out = viewer.collect(run)
    frames = frames_of(played)
    live = bool(played) and viewer.library() is not None
    study, model = escape(summary["study"].capitalize()), escape(summary["model"])
    first, *others = plots(run, played, frames if live else {}) or [""]
    body = [
        f"<h1>{study}</h1>" if is_table_1(run) else f"<h1>{study} <small>{model}</small></h1>",
        answer(run),
        "" if is_table_1(run) and run.is_finished else verdict(run),
        f'<div class="top">{first}\n{viewer.markup(played, left_out)}</div>' if live else first,
        failed_samples(run.results) if summary.get("failed", 0) else "",
        *others,
        key_numbers(summary),
        branches.special_points(run, frames if live else {}),
        remarks(run.remarks()),
        foldable("Parameters used", preformatted(run.parameters)),
        foldable("Log", preformatted(last_lines(run.log))) if run.log else "",
        viewer.scripts(viewer.packed(run, played)) if live else "",
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{study} · {model}</title><style>{viewer.beside('page.css')}</style></head>\n"
        "<body><main>\n" + "\n".join(part for part in body if part) + "\n</main></body></html>\n"
    )


def frames_of(played):
    """Where shapes are in what is played: (number of the series, number of the shape) by
    (name of the series of files, row of the results or time)."""
    found = {}
    for k, one in enumerate(played):
        for i, shape in enumerate(one.shapes):
            key = shape.row if one.series == "shapes" else shape.time
            found.setdefault((one.series, key), (k, i))
    return found


def number(value):
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return escape(str(value))


def answer(run):
    """What the study found, in its own words."""
    words = run.summary.get("answer")
    return f'<p class="answer">{escape(words)}</p>' if isinstance(words, str) and words else ""


def verdict(run):
    summary = run.summary
    if not run.is_finished:
        rows = f"{len(run.results)} rows so far" if len(run.results) else "no row yet"
        return f'<p><span class="badge none">unfinished</span> {rows}</p>'
    kind = summary["verdict"]
    if kind == "none" and summary["study"] not in PROTOCOLS:
        # There is none to be had; but a run may have come to nothing.
        failed = summary.get("failed", 0)
        return f'<p><span class="badge none">incomplete</span> {failed} failed</p>' if failed else ""
    text = {"OK": "OK", "KO": "KO"}.get(kind, "no verdict")
    details = []
    if summary.get("distance") is not None:
        distance = f"{100 * summary['distance']:.3g} % of the plot"
        details.append(f"distance to the master curve {distance}")
    if summary.get("max_relative_error") is not None:
        details.append(f"largest relative error {summary['max_relative_error']:.2g}")
    style_class = kind if kind in ("OK", "KO") else "none"
    return f'<p><span class="badge {style_class}">{text}</span> {", ".join(details)}</p>'


def key_numbers(summary):
    rows = []
    for key, value in summary.items():
        if key in ("study", "model", "verdict", "answer") or value is None:
            continue
        name = NAMES.get(key, key.replace("_", " "))
        unit = " s" if key == "seconds" and value is not None else ""
        rows.append(f"<tr><th>{escape(name)}</th><td>{number(value)}{unit}</td></tr>")
    if not rows:
        return ""
    return foldable("Key numbers", f"<table>{''.join(rows)}</table>", is_open=True)


def failed_samples(table):
    failed = table.failed_rows()
    if len(failed) == 0:
        return ""
    head = "".join(f"<th>{escape(name)}</th>" for name in ["row", *table.names])
    rows = ""
    for i in failed[:MOST_FAILED_ROWS]:
        cells = [str(i + 1), *table.rows[i]]
        rows += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    more = len(failed) - MOST_FAILED_ROWS
    note = f"<p>… and {more} more in results.csv</p>" if more > 0 else ""
    table = scrolling(f"<table><tr>{head}</tr>{rows}</table>")
    return foldable(f"Failed samples: {len(failed)}", table + note, is_open=True)


def plots(run, played, frames):
    """Figures; those with points that belong to shapes which are played name them."""
    shapes = [shape for one in played if one.series == "shapes" for shape in one.shapes]
    shapes = [shape for shape in shapes if can_be_drawn(shape.picture)]
    if run.summary["study"] in studies.DRAW_THEIR_SHAPES:
        shapes = []
    shapes = most_different(sorted(shapes, key=lambda shape: shape.time), MOST_SHAPES)
    if run.summary["study"] == "validation":
        return validation.sections(run)
    found = studies.figures(run, shapes)
    if not shapes:
        found += surfaces(run, played)
    else:
        series = run.shape_series
        caption = f"Shapes: {len(shapes)} of the {len(series)} in fields/."
        found.append((figure_of_shapes(shapes, series.time_label()), caption))
    return [markup.picture(figure, caption, frames) for figure, caption in found]


def surfaces(run, played):
    """A static picture of what is no line: a few of the shapes that are played."""
    bodies = [
        (words, shape.picture)
        for one in played
        for shape, words in zip(one.shapes, one.words)
        if 0 < len(shape.picture.cells) <= MOST_CELLS and not shape.picture.rods()
    ]
    if not bodies:
        return []
    chosen = np.unique(np.linspace(0, len(bodies) - 1, min(len(bodies), MOST_SURFACES)).round())
    panels = [(*bodies[int(k)], None, (25, -60)) for k in chosen]
    if viewer.up(run) == [0, 1, 0]:
        panels = [(words, turned(picture), None, view) for words, picture, _, view in panels]
    caption = f"Shapes: {len(panels)} of {len(bodies)}, each at a size of its own."
    return [(growth_pictures.gallery(panels), caption)]


def turned(picture):
    """With y upwards."""
    points = picture.points[:, [0, 2, 1]] * [1, -1, 1]
    return Picture(points, picture.cells, picture.cell_types, picture.fields, {})


def remarks(texts):
    if not texts:
        return ""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<h2>Remarks</h2><ul>{items}</ul>"


def last_lines(text):
    lines = text.splitlines()
    if len(lines) > MOST_LOG_LINES:
        lines = ["… (the beginning is in log.txt)", *lines[-MOST_LOG_LINES:]]
    return "\n".join(lines)
