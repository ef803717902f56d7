# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pieces of HTML that several parts of the page are made of."""

import json
from html import escape

from . import style


def picture(figure, caption, frames=()):
    """A figure with its caption. `frames` says which shapes are played, by series and row:
    points of the figure that belong to them name them."""
    spoken = style.spoken(figure)
    svg, points = style.to_svg(figure)
    points = [[x, y, *frames[s, k]] for x, y, s, k in points if (s, k) in frames]
    data = f" data-points='{json.dumps(points, separators=(',', ':'))}'" if points else ""
    text = escape(f"{caption} {spoken}", quote=True)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{text}" ', 1)
    return (
        f'<figure{data}><div class="scroll">{svg}</div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def foldable(title, inner, is_open=False):
    opened = " open" if is_open else ""
    return f"<details{opened}><summary>{title}</summary>{inner}</details>"


def scrolling(table):
    """A table that may be wider than the screen."""
    return f'<div class="scroll" tabindex="0">{table}</div>'


def preformatted(text):
    return f'<pre tabindex="0">{escape(text.strip())}</pre>'
