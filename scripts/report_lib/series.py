# SPDX-License-Identifier: LGPL-2.1-or-later
"""Series of shapes in fields/, and the rows of the results that they belong to."""

import os
import re
import xml.etree.ElementTree as ElementTree
from collections import namedtuple

import numpy as np

from . import style
from .errors import ReportError
from .vtk_files import read_picture

# What "time" is stands in a comment of the .pvd file, with its unit in brackets: a
# column of results.csv, or the number of a row, counted from 0 (row) or 1 (point).
TIME_COMMENT = re.compile(r"<!--\s*time:\s*(.*?)\s*(?:\[(.*)\])?\s*-->")

# Where it does not, by study and, if need be, by series.
TIMES = {
    "cantilever": "gamma",
    "equilibrium": "load",
    ("equilibrium", "modes"): "mode",
    "branch": "point",
    ("branch", "modes"): "label",
}
FIRST_ROW = {"row": 0, "point": 1}

# Of a shape: its time, its row of the results (None if unknown), its picture.
Shape = namedtuple("Shape", "time row picture")


class Series:
    """Shapes over "time", as a .pvd file lists them."""

    def __init__(self, path, text, name, study, results):
        self.results = results
        self.entries = []
        try:
            for entry in ElementTree.fromstring(text).iter("DataSet") if text else ():
                file = os.path.join(os.path.dirname(path), entry.attrib["file"])
                self.entries.append((float(entry.get("timestep", len(self.entries))), file))
        except (ElementTree.ParseError, KeyError, ValueError) as problem:
            raise ReportError(f"{path}: is not a .pvd file ({problem})") from None
        said = TIME_COMMENT.search(text or "")
        usual = TIMES.get((study, name), TIMES.get(study, "row"))
        self.time_name = said[1].replace(" ", "_") if said else usual
        self.time_unit = said[2] if said else None

    def __len__(self):
        return len(self.entries)

    def time_label(self):
        has_unit = self.time_unit not in (None, "", "-", "1")
        return style.label(self.time_name) + (f" [{self.time_unit}]" if has_unit else "")

    def row(self, time):
        """The row of the results with this time; None if there is none."""
        if self.time_name in FIRST_ROW:
            row = round(time) - FIRST_ROW[self.time_name]
            return row if 0 <= row < len(self.results) else None
        if self.time_name not in self.results:
            return None
        distance = np.abs(self.results[self.time_name] - time)
        if np.isnan(distance).all():
            return None
        nearest = int(np.nanargmin(distance))
        return nearest if distance[nearest] <= 1e-6 * abs(time) else None

    def files(self):
        """Paths of the shapes by their rows."""
        rows = [(self.row(time), path) for time, path in self.entries]
        return {row: path for row, path in rows if row is not None}

    def shapes(self, at_most):
        """Shapes evenly spread over the series."""
        count = len(self.entries)
        chosen = np.unique(np.linspace(0, count - 1, min(count, at_most)).round())
        chosen = [self.entries[int(k)] for k in chosen]
        return [Shape(time, self.row(time), read_picture(path)) for time, path in chosen]
