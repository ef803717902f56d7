# SPDX-License-Identifier: LGPL-2.1-or-later
"""The plots of each study.

A study is one function that takes a Run (and the shapes that the page draws) and
returns figures with their captions; STUDIES names it. A study that is not named
there gets the columns of its results over that which is the "time" of its shapes,
or else over the number of the row.
"""

import matplotlib.pyplot as plt
import numpy as np

from . import bend_twist as bend_twist_diagram
from . import branches, knots, lateral_buckling, motions, rotation, stick_slip, style
from .shapes import mark_shapes
from .telling import shown, size_of
from .units import axis

MOST_PANELS = 9

# Which draw their shapes in their own pictures.
DRAW_THEIR_SHAPES = ("lateral buckling",)


def figures(run, drawn):
    """Pairs (figure, caption) of a run."""
    study = STUDIES.get(run.summary["study"], generic)
    return study(run, drawn) if run.results.rows else []


def cantilever(run, drawn):
    table = run.results
    needed = ("gamma", "aspect_ratio", "reference", "relative_error")
    if not table.has(*needed) or not (table["gamma"] > 0).all():
        return generic(run, drawn)
    figure, (curve, error) = plt.subplots(
        2,
        1,
        sharex=True,
        figsize=(6.4, 6.6),
        gridspec_kw={"height_ratios": [5, 3], "hspace": 0.06},
    )
    gamma = table["gamma"]
    order = np.argsort(gamma)
    # Zero has no place on a logarithmic axis.
    deviation = np.abs(table["relative_error"])
    deviation = np.where(deviation > 0, deviation, np.nan)
    master = {"color": style.INK, "lw": 0.9, "zorder": 3, "label": "master curve"}
    curve.plot(gamma[order], table["reference"][order], **master)
    for limit, formula, line, name in (
        (gamma <= 40, lambda g: g / 8, "--", r"$\Gamma/8$"),
        (gamma >= 0.25, lambda g: np.sqrt(g / 2), "-.", r"$\sqrt{\Gamma/2}$"),
    ):
        part = np.sort(gamma[limit])
        curve.plot(part, formula(part), line, color=style.ACCENT, lw=0.9, zorder=3, label=name)

    for name, rows, colour in groups_of_samples(table):
        # All points would hide the curve that they lie on; the errors show all.
        step = max(1, len(rows) // 70)
        shown = rows[::step]
        name += f" (one in {step} drawn)" if step > 1 else ""
        marks = {"marker": "o", "ms": 4.2, "mew": 0.7, "mfc": "white", "mec": colour, "ls": ""}
        curve.plot(gamma[shown], table["aspect_ratio"][shown], label=name, **marks)
        error.plot(gamma[rows], deviation[rows], "o-", color=colour, ms=1.8, lw=0.6)
    mark_shapes(curve, gamma, table["aspect_ratio"], drawn)

    curve.set(xscale="log", yscale="log", ylabel=style.label("aspect_ratio"))
    curve.legend(loc="lower right")
    error.set(xlabel=style.label("gamma"), ylabel=style.label("relative_error"))
    if np.isfinite(deviation).any():
        error.set_yscale("log")
    caption = "Aspect ratio over the gravito-bending parameter, and its relative error."
    if drawn:
        caption += " Coloured points are the shapes drawn below."
    return [(figure, caption)]


def groups_of_samples(table):
    """(name, rows, colour) of what a legend tells apart: length and thickness."""
    if not table.has("length", "thickness"):
        return [("computed", np.arange(len(table.rows)), style.CATEGORIES[0])]
    pairs = np.column_stack([table["length"], table["thickness"]])
    return [
        (
            rf"$L={length:g},\ h={thickness:g}$",
            np.flatnonzero((pairs == (length, thickness)).all(axis=1)),
            style.CATEGORIES[k % len(style.CATEGORIES)],
        )
        for k, (length, thickness) in enumerate(np.unique(pairs, axis=0))
    ]


def equilibrium(run, _):
    table = run.results
    if "load" not in table:
        return generic(run, _)
    return small_multiples(run, "load", "Measurements over the load.")


def bend_twist(run, drawn):
    if run.frontier is None or not run.results.has("x", "y"):
        return generic(run, drawn)
    return bend_twist_diagram.figures(run, drawn)


def lateral(run, drawn):
    if run.frontier is None or "width" not in run.results.names:
        return generic(run, drawn)
    if "angle" in run.results.names:
        return rotation.figures(run)
    return lateral_buckling.figures(run, drawn)


def stick(run, drawn):
    needed = ("mu", "epsilon", "tip_displacement"), ("epsilon", "force_ratio_master")
    if not any(run.results.has(*names) for names in needed):
        return generic(run, drawn)
    return stick_slip.figures(run)


def motion(run, drawn):
    needed = ("time", "balance", *motions.ENERGIES)
    return motions.motion(run) if run.results.has(*needed) else generic(run, drawn)


def vibration(run, drawn):
    needed = ("mode", "load", "frequency")
    return motions.vibration(run) if run.results.has(*needed) else generic(run, drawn)


def growth(run, _):
    return small_multiples(run, "time", "The shell in the course of time.")


def generic(run, _):
    return small_multiples(run, run.shape_series.time_column(), "Results.")


def small_multiples(run, across, caption):
    """The columns that tell something over one of them, or over the number of the row."""
    table = run.results
    names = shown(table, across, size_of(run))
    if not names:
        return []
    if len(names) > MOST_PANELS:
        left_out = ", ".join(map(style.plain, names[MOST_PANELS:]))
        names, caption = names[:MOST_PANELS], f"{caption} Not drawn: {left_out}."
    x = table[across] if across else np.arange(1, len(table) + 1)
    columns = 2 if len(names) == 4 else min(3, len(names))
    rows = -(-len(names) // columns)
    width = {1: 6.0, 2: 8.4, 3: 10.5}[columns]
    figure, panels = plt.subplots(
        rows, columns, figsize=(width, 0.5 + 2.6 * rows), squeeze=False, constrained_layout=True
    )
    for axes in panels.flat[len(names) :]:
        axes.set_visible(False)
    for axes, name in zip(panels.flat, names):
        marker = "o" if len(x) <= 60 else ""
        line = {"marker": marker, "ms": 3.4, "mfc": "white", "color": style.CATEGORIES[0]}
        axes.plot(x, table[name], lw=1.2, **line)
        style.link(axes, x, table[name])
        axes.set(xlabel=axis(across or "row"), ylabel=axis(name))
        axes.ticklabel_format(style="sci", scilimits=(-3, 4), useMathText=True)
        if spans_decades(x):
            axes.set_xscale("log")
        if spans_decades(table[name]):
            axes.set_yscale("log")
    return [(figure, caption)]


def spans_decades(values):
    known = values[np.isfinite(values)]
    return len(known) > 2 and known.min() > 0 and known.max() / known.min() > 300


STUDIES = {
    "cantilever": cantilever,
    "bend twist": bend_twist,
    "lateral buckling": lateral,
    "stick slip": stick,
    "equilibrium": equilibrium,
    "branch": branches.branch,
    "frontier": branches.frontier,
    "vibration": vibration,
    "motion": motion,
    "growth": growth,
    "knot": knots.knot,
}
