# SPDX-License-Identifier: LGPL-2.1-or-later
"""Series of shapes in fields/, and the rows of the results that they belong to."""

import os
import re
import xml.etree.ElementTree as ElementTree
from collections import namedtuple

import numpy as np

from .errors import ReportError
from .vtk_files import read_picture

# What "time" is stands in a comment of the .pvd file, with its unit in brackets: a
# column of results.csv, or the number of a row, counted from what stands here.
TIME_COMMENT = re.compile(r"<!--\s*time:\s*(.*?)\s*(?:\[(.*)\])?\s*-->")
FIRST_ROW = {"number of the row": 1, "number of the point": 0, "number of the sample": 0}

# Of a shape: its time, its row of the results (None if unknown), its picture.
Shape = namedtuple("Shape", "time row picture")


class Series:
    """Shapes over "time", as a .pvd file lists them."""

    def __init__(self, path, text, results):
        self.results = results
        self.entries = []
        try:
            for entry in ElementTree.fromstring(text).iter("DataSet") if text else ():
                file = os.path.join(os.path.dirname(path), entry.attrib["file"])
                self.entries.append((float(entry.get("timestep", len(self.entries))), file))
        except (ElementTree.ParseError, KeyError, ValueError) as problem:
            raise ReportError(f"{path}: is not a .pvd file ({problem})") from None
        said = TIME_COMMENT.search(text or "")
        self.time_name, self.time_unit = said.groups() if said else ("time", None)

    def __len__(self):
        return len(self.entries)

    def time_label(self):
        from . import style  # which needs matplotlib; those who only read do without

        has_unit = self.time_unit not in (None, "", "-", "1")
        return style.label(self.time_name) + (f" [{self.time_unit}]" if has_unit else "")

    def time_column(self):
        """The column of the results that is the time; None if there is none."""
        name = self.time_name.replace(" ", "_").lower()
        return next((column for column in self.results.numeric() if column.lower() == name), None)

    def row(self, time):
        """The row of the results with this time; None if there is none."""
        if self.time_name in FIRST_ROW:
            row = round(time) - FIRST_ROW[self.time_name]
            return row if 0 <= row < len(self.results) else None
        column = self.time_column()
        if column is None:
            return None
        distance = np.abs(self.results[column] - time)
        if np.isnan(distance).all():
            return None
        nearest = int(np.nanargmin(distance))
        return nearest if distance[nearest] <= 1e-6 * abs(time) else None

    def files(self):
        """Paths of the shapes by their rows."""
        rows = [(self.row(time), path) for time, path in self.entries]
        return {row: path for row, path in rows if row is not None}

    def shapes(self, at_most, important=()):
        """Shapes evenly spread over the series; those of important rows come first."""
        count = len(self.entries)
        chosen = []
        if important and count > at_most:
            chosen = [k for k, (time, _) in enumerate(self.entries) if self.row(time) in important]
            chosen = chosen if len(chosen) <= at_most else []
        spread = np.linspace(0, count - 1, min(count, at_most - len(chosen))).round()
        chosen = [self.entries[k] for k in sorted({*chosen, *spread.astype(int)})]
        return [Shape(time, self.row(time), read_picture(path)) for time, path in chosen]
