# SPDX-License-Identifier: LGPL-2.1-or-later
"""The files of a run, read and checked."""

import csv
import json
import os
import xml.etree.ElementTree as ElementTree

import numpy as np

from .errors import ReportError
from .vtu import read_vtu


def read_text(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except OSError as problem:
        raise ReportError(f"{path}: {problem.strerror}") from None


class Table:
    """Remarks, named columns, and rows of numbers and words."""

    def __init__(self, path):
        self.remarks, lines, first_line = [], [], 0
        for line in read_text(path).splitlines():
            if line.startswith("#") and not lines:
                self.remarks.append(line[1:].strip())
                first_line += 1
            else:
                lines.append(line)
        rows = list(csv.reader(lines, skipinitialspace=True))
        if not rows:
            raise ReportError(f"{path}: has no header line")
        self.names, self.rows = [name.strip() for name in rows[0]], rows[1:]
        for number, row in enumerate(self.rows, first_line + 2):
            if len(row) != len(self.names):
                raise ReportError(
                    f"{path}:{number}: {len(row)} cells, but {len(self.names)} columns"
                )
        self.columns = {}
        for name, cells in zip(self.names, zip(*self.rows)):
            numbers = [as_number(cell) for cell in cells]
            # A column of words is what has not one number or "nan" in it.
            if any(number is not None for number in numbers):
                self.columns[name] = np.array(
                    [np.nan if number is None else number for number in numbers]
                )

    def __contains__(self, name):
        return name in self.columns

    def __getitem__(self, name):
        return self.columns[name]

    def numeric(self):
        """Names of the columns that hold numbers, in their order."""
        return [name for name in self.names if name in self.columns]

    def failed_rows(self):
        """Indices of the rows in which some number is not known."""
        if not self.columns:
            return []
        values = np.column_stack([self.columns[name] for name in self.numeric()])
        return np.flatnonzero(np.isnan(values).any(axis=1))


def as_number(cell):
    try:
        return float(cell)
    except ValueError:
        return None


class Run:
    """All that scripts/report knows of a run."""

    def __init__(self, directory):
        self.directory = directory
        if not os.path.isdir(directory):
            raise ReportError(f"{directory}: no such directory")
        self.summary = self.read_summary("summary.json")
        self.results = Table(self.path("results.csv"))
        frontier = self.path("frontier.csv")
        self.frontier = Table(frontier) if os.path.exists(frontier) else None
        self.parameters = read_text(self.path("used.prm"))
        self.log = read_text(self.path("log.txt"))
        self.shape_files = self.read_series()

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def read_summary(self, name):
        path = self.path(name)
        try:
            summary = json.loads(read_text(path))
        except json.JSONDecodeError as problem:
            raise ReportError(f"{path}:{problem.lineno}: {problem.msg}") from None
        for key in ("study", "model", "verdict"):
            if not isinstance(summary, dict) or not isinstance(summary.get(key), str):
                raise ReportError(f"{path}: has no '{key}'")
        return summary

    def read_series(self, wanted="shapes"):
        """Pairs (time, path of a .vtu file) of the shapes in fields/, or of
        another series, such as modes."""
        series, fields = [], self.path("fields")
        names = sorted(os.listdir(fields)) if os.path.isdir(fields) else []
        for name in names:
            if name != f"{wanted}.pvd":
                continue
            path = os.path.join(fields, name)
            try:
                root = ElementTree.fromstring(read_text(path))
                for entry in root.iter("DataSet"):
                    time = float(entry.get("timestep", len(series)))
                    series.append((time, os.path.join(fields, entry.attrib["file"])))
            except (ElementTree.ParseError, KeyError, ValueError) as problem:
                raise ReportError(f"{path}: is not a .pvd file ({problem})") from None
        return series

    def shapes(self, at_most):
        """Shapes evenly spread over the series, as pairs (time, Picture)."""
        count = len(self.shape_files)
        chosen = np.unique(np.linspace(0, count - 1, min(count, at_most)).round())
        pictures = [self.shape_files[int(i)] for i in chosen]
        return [(time, read_vtu(path)) for time, path in pictures]
