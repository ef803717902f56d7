# SPDX-License-Identifier: LGPL-2.1-or-later
"""How figures look, and how they get into the page."""

import io
import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize

INK, GREY, ACCENT, GRID = "#1b1f27", "#8a919e", "#c0392b", "#e4e7ec"
CATEGORIES = ["#2a6f97", "#d1702f", "#3b8b5a", "#7d4f9e", "#b03a5b", "#8c7a2a"]

# Viridis without its bright end, which is hard to see on white.
SEQUENCE = LinearSegmentedColormap.from_list(
    "sequence", matplotlib.colormaps["viridis"](np.linspace(0, 0.88, 256))
)

# Left out: a page that is made again should be the same page.
METADATA = ("Creator", "Date", "Format", "Type")

SYMBOLS = {
    "gamma": r"$\Gamma$",
    "Gamma": r"$\Gamma$",
    "aspect_ratio": r"$H/W$",
    "reference": r"$H/W$, master curve",
    "relative_error": "relative error",
}

PLAIN = {"gamma": "Γ", "Gamma": "Γ", "aspect_ratio": "H/W", "epsilon": "ε", "mu": "μ"}

matplotlib.rcParams.update(
    {
        "font.family": "STIXGeneral",
        "mathtext.fontset": "stix",
        "font.size": 11,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "axes.linewidth": 0.7,
        "axes.axisbelow": True,
        "axes.grid": True,
        "grid.color": GRID,
        "grid.linewidth": 0.6,
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "xtick.direction": "in",
        "ytick.direction": "in",
        "xtick.top": True,
        "ytick.right": True,
        "legend.frameon": False,
        "legend.fontsize": 10,
        "lines.solid_capstyle": "round",
        "savefig.bbox": "tight",
        "svg.fonttype": "path",
        "svg.hashsalt": "slender_fem",  # likewise
    }
)


def label(name):
    """The symbol of a known column, or its name in plain words."""
    return SYMBOLS.get(name, name.replace("_", " "))


def plain(name):
    """The same for text that is no plot."""
    return PLAIN.get(name, name.replace("_", " "))


SPOKEN = {r"\Gamma": "Γ", r"\alpha": "α", r"\varphi": "φ", r"\pi": "π", r"\mathrm": ""}


def spoken(figure):
    """The axes of a figure for those who cannot see it."""
    def words(text):
        for symbol, plain_text in SPOKEN.items():
            text = text.replace(symbol, plain_text)
        return re.sub(r"[$\\{}^]", "", text)

    pairs = [(words(a.get_ylabel()), words(a.get_xlabel())) for a in figure.axes]
    below = next((x for _, x in reversed(pairs) if x), "")
    pairs = [f"{y} over {x or below}" for y, x in dict.fromkeys(pairs) if y]
    return "Axes: " + "; ".join(pairs) + "." if pairs else ""


def time_norm(times):
    """Logarithmic where the values span decades; numbers of rows do not."""
    low, high = min(times), max(times)
    if all(time == round(time) for time in times):
        return Normalize(low - 0.5, high) if low == high else Normalize(low, high)
    if low == high:
        return Normalize(low - 0.5, low + 0.5)
    return LogNorm(low, high) if low > 0 and high / low > 30 else Normalize(low, high)


# Colours that the page's style sheet replaces where the screen is dark.
THEMED = {
    INK: "--ink",
    GREY: "--grey",
    ACCENT: "--accent",
    GRID: "--line",
    "#ffffff": "--paper",
    "#000000": "--ink",
    "#fbe6cf": "--planar",
    "#c9ebe8": "--spatial",
    **{colour: f"--c{k}" for k, colour in enumerate(CATEGORIES)},
}


def link(axes, x, y, rows=None, series="shapes"):
    """Notes where in these axes the rows of the results are, or those that are named;
    of another series than "shapes", the times of shapes. A click there shows the shape."""
    rows = range(len(x)) if rows is None else rows
    links = getattr(axes.figure, "links", [])
    links.append((axes, np.asarray(x, float), np.asarray(y, float), list(rows), series))
    axes.figure.links = links


def to_svg(figure):
    """The figure as an <svg> element that scales with the page, and its points that
    belong to shapes: (x, y, series, row), x and y in the units of the element."""
    links = getattr(figure, "links", [])
    for axes, *_ in links:
        axes.patch.set_gid(f"panel_{axes.figure.axes.index(axes)}")
    stream = io.StringIO()
    figure.savefig(stream, format="svg", dpi=150, metadata=dict.fromkeys(METADATA))
    text = stream.getvalue()
    points = [point for one in links for point in places(text, *one)]
    plt.close(figure)
    text = text[text.index("<svg") :]
    for colour, name in THEMED.items():
        text = re.sub(rf"((?:fill|stroke): ?){colour}\b", rf"\1var({name}, {colour})", text)
    return text, points


def places(text, axes, x, y, rows, series):
    """Points of axes in the units of the <svg> element: the background of the axes is
    named there."""
    name = f"panel_{axes.figure.axes.index(axes)}"
    found = re.search(rf'<g id="{name}">\s*<path d="([^"]*)"', text)
    if not found or len(x) == 0:
        return
    corners = np.array(re.findall(r"-?[\d.]+", found[1]), float).reshape(-1, 2)
    low, high = corners.min(axis=0), corners.max(axis=0)
    with np.errstate(invalid="ignore"):
        pixels = axes.transData.transform(np.column_stack([x, y]))
    parts = axes.transAxes.inverted().transform(pixels)
    for (across, upwards), row in zip(parts, rows):
        if -0.01 <= across <= 1.01 and -0.01 <= upwards <= 1.01:  # false for nan
            place = (low[0] + across * (high - low)[0], high[1] - upwards * (high - low)[1])
            yield (round(place[0], 1), round(place[1], 1), series, row)
