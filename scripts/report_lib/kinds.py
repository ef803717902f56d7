# SPDX-License-Identifier: LGPL-2.1-or-later
"""Kinds of points on branches and frontiers, as the run itself explains them.

A table with a column `kind` explains each of its codes in a remark,

    # kind BP = bifurcation: another branch crosses

a code, what sort of point that is, and words for the reader. Sorts decide how a
point is drawn; codes are only shown. A table that explains nothing gets plain
marks.
"""

import re

from . import style

REMARK = re.compile(r"kind (\w+) = (\w+): (.+)")
MARKS = {  # in the order of importance: marker, size, face
    "cusp": ("*", 9, style.ACCENT),
    "hilltop": ("^", 6.5, style.ACCENT),
    "double": ("P", 6.5, style.ACCENT),
    "bifurcation": ("o", 6, "white"),
    "fold": ("s", 5.5, "white"),
    "failure": ("X", 6.5, style.ACCENT),
    "request": ("o", 3.4, style.INK),
    "end": ("D", 3.4, style.INK),
}
PLAIN_MARK = ("o", 4.5, "white")


class Kinds:
    """What the codes of a table mean."""

    def __init__(self, remarks):
        found = [match.groups() for match in map(REMARK.fullmatch, remarks) if match]
        self.sorts = {code: sort for code, sort, _ in found}
        self.meanings = {code: words for code, _, words in found}

    def mark(self, code):
        """Marker, size and face."""
        return MARKS.get(self.sorts.get(code), PLAIN_MARK)

    def importance(self, code):
        """Smaller is more important."""
        order = list(MARKS)
        sort = self.sorts.get(code)
        return order.index(sort) if sort in order else len(order)

    def is_fold(self, code):
        return self.sorts.get(code) == "fold"

    def is_end(self, code):
        return self.sorts.get(code) in ("end", "failure")

    def is_singular(self, code):
        return self.sorts.get(code) in ("bifurcation", "fold", "cusp", "hilltop", "double")
