# SPDX-License-Identifier: LGPL-2.1-or-later
"""The HTML page of a run."""

from html import escape

from . import branches, studies, style
from .shapes import can_be_drawn, figure_of_shapes, most_different

MOST_SHAPES = 8  # in the picture
MOST_SHAPES_READ = 300  # to choose from
MOST_FAILED_ROWS = 50
MOST_LOG_LINES = 2000

NAMES = {
    "distance": "Hausdorff distance",
    "max_relative_error": "largest relative error",
    "newton_iterations": "Newton iterations",
    "seconds": "time",
    "ranks": "MPI ranks",
}

CSS = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1f27; background: #f5f6f8; margin: 0; }
main { max-width: 62rem; margin: 2rem auto; padding: 2rem 2.5rem; background: #fff;
  border: 1px solid #e4e7ec; border-radius: 8px; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h1 small { font-weight: 400; color: #5d6470; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
.answer { font-size: 1.25rem; margin: .4rem 0 .8rem; }
.badge { display: inline-block; padding: .15rem .8rem; border-radius: 1rem; color: #fff;
  font-weight: 600; margin-right: .6rem; }
.OK { background: #2c8a4b; } .KO { background: #c0392b; } .none { background: #8a919e; }
table { border-collapse: collapse; } td, th { padding: .25rem 1.4rem .25rem 0; text-align: left;
  border-bottom: 1px solid #eceef2; vertical-align: top; } th { font-weight: 500; color: #5d6470; }
td { font-variant-numeric: tabular-nums; }
figure { margin: 1rem 0; text-align: center; } figure svg { max-width: 100%; height: auto; }
figcaption { color: #5d6470; font-size: .92rem; max-width: 44rem; margin: .4rem auto 0; }
pre { background: #f5f6f8; padding: 1rem; overflow-x: auto; font-size: .82rem; line-height: 1.4;
  border-radius: 6px; } summary { cursor: pointer; font-weight: 600; margin-top: 1.2rem; }
"""


def make(run):
    """The whole page as a string."""
    summary = run.summary
    shapes = []
    if summary["study"] not in studies.DRAW_THEIR_SHAPES:
        shapes = run.shape_series.shapes(MOST_SHAPES_READ)
    shapes = [shape for shape in shapes if can_be_drawn(shape.picture)]
    shapes = most_different(shapes, MOST_SHAPES)
    study, model = escape(summary["study"].capitalize()), escape(summary["model"])
    body = [
        f"<h1>{study} <small>{model}</small></h1>",
        answer(run),
        verdict(run),
        key_numbers(summary),
        failed_samples(run.results) if summary.get("failed", 0) else "",
        *plots(run, shapes),
        branches.special_points(run),
        remarks(run.remarks()),
        foldable("Parameters used", run.parameters),
        foldable("Log", last_lines(run.log)) if run.log else "",
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{study} · {model}</title><style>{CSS}</style></head>\n<body><main>\n"
        + "\n".join(part for part in body if part)
        + "\n</main></body></html>\n"
    )


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
        if key in ("study", "model", "verdict", "answer"):
            continue
        name = NAMES.get(key, key.replace("_", " "))
        unit = " s" if key == "seconds" and value is not None else ""
        rows.append(f"<tr><th>{escape(name)}</th><td>{number(value)}{unit}</td></tr>")
    if not rows:
        return ""
    return f"<h2>Key numbers</h2><table>{''.join(rows)}</table>"


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
    title = f"<h2>Failed samples: {len(failed)}</h2>"
    return f"{title}<table><tr>{head}</tr>{rows}</table>{note}"


def plots(run, shapes):
    found = studies.figures(run, shapes)
    if shapes:
        series = run.shape_series
        caption = f"Shapes: {len(shapes)} of the {len(series)} in fields/."
        found.append((figure_of_shapes(shapes, series.time_label()), caption))
    for figure, caption in found:
        svg = style.to_svg(figure)
        yield f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def remarks(texts):
    if not texts:
        return ""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<h2>Remarks</h2><ul>{items}</ul>"


def foldable(title, text):
    return f"<details><summary>{title}</summary><pre>{escape(text.strip())}</pre></details>"


def last_lines(text):
    lines = text.splitlines()
    if len(lines) > MOST_LOG_LINES:
        lines = ["… (the beginning is in log.txt)", *lines[-MOST_LOG_LINES:]]
    return "\n".join(lines)
