# SPDX-License-Identifier: LGPL-2.1-or-later
"""How figures look, and how they get into the page."""

import io

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize

INK, GREY, ACCENT = "#1b1f27", "#8a919e", "#c0392b"
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
        "grid.color": "#e4e7ec",
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


def time_norm(times):
    """Logarithmic where the values span decades."""
    low, high = min(times), max(times)
    if low == high:
        return Normalize(low - 0.5, low + 0.5)
    return LogNorm(low, high) if low > 0 and high / low > 30 else Normalize(low, high)


def to_svg(figure):
    """The figure as an <svg> element that scales with the page."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata=dict.fromkeys(METADATA))
    plt.close(figure)
    text = stream.getvalue()
    return text[text.index("<svg") :]
