# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of the study `validation`: Table 1 of the paper in our colours, then a section
for each protocol with all models in one plot on the master curve, as in its figures 6, 8,
9 and 11."""

import re
from collections import namedtuple
from html import escape

import matplotlib.pyplot as plt
import numpy as np

from . import style
from .markup import foldable, picture, scrolling

LARGEST_DISTANCE = 0.05  # of the plot: the paper's rule for OK
MOST_MARKERS = 40  # of a curve
MARKERS = "os^Dv<>Phd"

Plane = namedtuple("Plane", "title x y is_logarithmic")
PLANES = {
    "cantilever": Plane("Cantilever", r"$\Gamma$", "$H/W$", True),
    "bend twist": Plane("Bend-Twist", r"$\Gamma^{1/3}/\varphi$", r"$\varphi/2\pi$", True),
    "lateral buckling": Plane("Lateral Buckling", "$w/L$", r"$\Gamma^*$", False),
    "stick slip": Plane("Stick-Slip", r"vertical strain $\epsilon$", r"friction $\mu$", False),
}


def plane_of(protocol):
    name = protocol.replace("_", " ").replace("-", " ").lower()
    return PLANES.get(name, Plane(protocol, "x", "y", False))


def sections(run):
    """The parts of the page, as HTML."""
    verdicts, curves, masters, checks = (
        run.read_table(f"{name}.csv") for name in ("table", "curves", "masters", "checks")
    )
    parts = [table_1(verdicts)] if verdicts else []
    for protocol in protocols_of(verdicts, curves, run.results):
        parts.append(section(protocol, run.results, verdicts, curves, masters))
    if checks:
        parts.append("<h2>Other checks</h2>" + plain_table(checks))
    return parts


def protocols_of(*tables):
    """In the order of the tables."""
    found = {}
    for table in tables:
        if table is not None and "protocol" in table.names and len(table):
            found.update(dict.fromkeys(table.words("protocol")))
    return list(found)


# --- Tables -------------------------------------------------------------------


def badge(verdict):
    """Words as well as a colour; whatever is no verdict gets no colour."""
    kind = verdict if verdict in ("OK", "KO") else "none"
    return f'<span class="badge {kind}">{escape(verdict or "–")}</span>'


def table_1(table):
    """Models over protocols: verdict, resolution, distance, time, and the paper's verdict."""
    protocols = protocols_of(table)
    models = list(dict.fromkeys(table.words("model")))
    cells = {
        (model, protocol): row
        for row, (model, protocol) in enumerate(zip(table.words("model"), table.words("protocol")))
    }
    head = "".join(f'<th scope="col">{escape(plane_of(p).title)}</th>' for p in protocols)
    body = ""
    for model in models:
        body += f'<tr><th scope="row">{escape(model)}</th>'
        for protocol in protocols:
            row = cells.get((model, protocol))
            body += f"<td>{'–' if row is None else cell(table, row)}</td>"
        body += "</tr>"
    table_html = scrolling(
        f'<table class="verdicts"><caption>OK: within {100 * LARGEST_DISTANCE:g} % of the master '
        "curve at the resolution given and at all finer ones; KO: not; –: does not apply."
        f"</caption><tr><th></th>{head}</tr>{body}</table>"
    )
    return f"<h2>All protocols and models</h2>{table_html}{scores(table)}"


def scores(table):
    verdicts = table.words("verdict")
    counted = {kind: int(np.count_nonzero(verdicts == kind)) for kind in ("OK", "KO")}
    return f"<p>{counted['OK']} OK, {counted['KO']} KO.</p>"


def cell(table, row):
    words = {name: table.words(name)[row].strip() for name in table.names}
    lines = [badge(words["verdict"])]
    distance = number(words.get("distance"))
    details = [words.get("resolution", "")]
    if distance is not None:
        details.append((f"{100 * distance:.0f}" if distance >= 1 else f"{100 * distance:.2g}") + "\u00a0%")
    seconds = number(words.get("seconds"))
    details += [f"{seconds:.2g}\u00a0s"] if seconds is not None else []
    lines.append(f"<small>{escape(', '.join(filter(is_said, details)))}</small>")
    paper = words.get("paper", "")
    if is_said(paper):
        differs = words["verdict"] in ("OK", "KO") and not paper.startswith(words["verdict"])
        kind = "differs" if differs and paper[:2] in ("OK", "KO") else "same"
        lines.append(f'<small class="{kind}">paper: {escape(paper)}</small>')
    return "<br>".join(lines)


def plain_table(table):
    head = "".join(f'<th scope="col">{escape(style.plain(name))}</th>' for name in table.names)
    body = ""
    for row in table.rows:
        cells = [
            badge(text.strip()) if name == "verdict" else escape(shortened(text))
            for name, text in zip(table.names, row)
        ]
        body += "<tr>" + "".join(f"<td>{text}</td>" for text in cells) + "</tr>"
    return scrolling(f"<table><tr>{head}</tr>{body}</table>")


def number(text):
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if np.isfinite(value) else None


def shortened(text):
    value = number(text)
    if value is None:
        return "" if text.strip() == "nan" else text.strip()
    return text.strip() if len(text.strip()) < 7 else f"{value:.4g}"


def is_said(text):
    return text not in ("", "-", "–", "nan")


# --- Sections -----------------------------------------------------------------


def section(protocol, results, verdicts, curves, masters):
    plane = plane_of(protocol)
    parts = [f'<h2 id="{slug(protocol)}">{escape(plane.title)}</h2>']
    if curves and protocol in curves.words("protocol"):
        figure = overlay(protocol, plane, verdicts, curves, masters)
        caption = f"{plane.title}: all models on the master curve. KO in the legend: not within "
        parts.append(picture(figure, caption + f"{100 * LARGEST_DISTANCE:g} % of the plot."))
    if figure := refinement(protocol, results):
        caption = (
            "Distance from the master curve over the resolution, the worst of all settings; filled"
            " marks are KO. A model passes where it is below the line and stays there."
        )
        parts.append(picture(figure, caption))
    parts.append(remarks(protocol, verdicts))
    chosen = rows_of(results, protocol)
    if chosen:
        parts.append(foldable(f"All runs: {len(chosen)}", plain_table(Part(results, chosen))))
    return "\n".join(filter(None, parts))


class Part:
    """Some rows of a table."""

    def __init__(self, table, chosen):
        self.names, self.rows = table.names, [table.rows[k] for k in chosen]


def slug(protocol):
    return re.sub(r"\W+", "_", protocol)


def rows_of(table, protocol, model=None):
    if "protocol" not in table.names or not len(table):
        return []
    chosen = table.words("protocol") == protocol
    if model is not None:
        chosen &= table.words("model") == model
    return np.flatnonzero(chosen).tolist()


def remarks(protocol, verdicts):
    if verdicts is None or "remark" not in verdicts.names:
        return ""
    pairs = zip(verdicts.words("model"), verdicts.words("remark"))
    rows = rows_of(verdicts, protocol)
    said = [pair for k, pair in enumerate(pairs) if k in rows and is_said(pair[1].strip())]
    items = "".join(f"<li><b>{escape(model)}</b>: {escape(text)}</li>" for model, text in said)
    return f"<ul>{items}</ul>" if items else ""


def overlay(protocol, plane, verdicts, curves, masters):
    """All models in one plot, each at the resolution of the table or else its finest."""
    figure, axes = plt.subplots(figsize=(7.6, 5.2), constrained_layout=True)
    if plane.is_logarithmic:
        axes.set(xscale="log", yscale="log")
    axes.set(xlabel=plane.x, ylabel=plane.y)
    if masters is not None and (rows := rows_of(masters, protocol)):
        x, y = masters["x"][rows], masters["y"][rows]
        axes.plot(x, y, color=style.INK, lw=1.4, zorder=5, label="master curve")
    models = dict.fromkeys(curves.words("model")[rows_of(curves, protocol)])
    for k, model in enumerate(models):
        rows = rows_of(curves, protocol, model)
        resolutions = curves.words("resolution")[rows]
        verdict, wanted = judged(verdicts, protocol, model)
        shown = wanted if wanted in resolutions else resolutions[-1]
        rows = np.array(rows)[resolutions == shown]
        look = {
            "color": style.CATEGORIES[k % len(style.CATEGORIES)],
            "marker": MARKERS[k % len(MARKERS)],
            "ls": "-" if verdict == "OK" else "--" if verdict == "KO" else ":",
            "markevery": max(1, len(rows) // MOST_MARKERS),
        }
        label = f"{model}, {shown}" + (f": {verdict}" if verdict else "")
        axes.plot(curves["x"][rows], curves["y"][rows], lw=0.9, ms=4, mfc="none", label=label, **look)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0)
    return figure


def judged(verdicts, protocol, model):
    """Verdict and resolution of a model in the table; empty where it is not there."""
    rows = rows_of(verdicts, protocol, model) if verdicts is not None else []
    if not rows:
        return "", ""
    return tuple(verdicts.words(name)[rows[0]].strip() for name in ("verdict", "resolution"))


def refinement(protocol, results):
    """Distances of all models over their resolutions: rule (9) at work. None where no model
    was run at two resolutions."""
    if not {"model", "resolution", "distance", "verdict"} <= set(results.names):
        return None
    lines = []
    for model in dict.fromkeys(results.words("model")[rows_of(results, protocol)]):
        worst, is_bad = {}, {}
        for row in rows_of(results, protocol, model):
            size = first_number(results.words("resolution")[row])
            distance = number(results.words("distance")[row])
            if size is None or distance is None or size <= 0 or distance <= 0:
                continue
            worst[size] = max(distance, worst.get(size, 0.0))
            is_bad[size] = is_bad.get(size, False) or results.words("verdict")[row] == "KO"
        if len(worst) > 1:
            lines.append((model, [(x, worst[x], is_bad[x]) for x in sorted(worst)]))
    if not lines:
        return None
    figure, axes = plt.subplots(figsize=(7.6, 3.8), constrained_layout=True)
    for k, (model, points) in enumerate(lines):
        colour = style.CATEGORIES[k % len(style.CATEGORIES)]
        x, y, bad = map(np.array, zip(*points))
        mark = {"marker": MARKERS[k % len(MARKERS)], "ms": 5, "color": colour, "lw": 1.0}
        axes.plot(x, y, mfc="white", label=model, **mark)
        axes.plot(x[bad], y[bad], **{**mark, "lw": 0, "mfc": colour})
    axes.axhline(LARGEST_DISTANCE, color=style.ACCENT, lw=1, ls="--", label="5 %")
    axes.set(xscale="log", yscale="log", xlabel="resolution, as the runs name it")
    axes.set_ylabel("distance [of the plot]")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0)
    return figure


def first_number(text):
    found = re.search(r"\d+\.?\d*(?:[eE][-+]?\d+)?", text)
    return float(found[0]) if found else None
