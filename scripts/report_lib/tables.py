# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables of a run (.csv). Needs numpy alone, as the Python module reads them too."""

import csv

import numpy as np

from .errors import ReportError


def read_text(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except OSError as problem:
        raise ReportError(f"{path}: {problem.strerror}") from None


class Table:
    """Remarks, named columns, and rows of numbers and words."""

    def __init__(self, path, may_be_cut=False):
        """A table that is being written may end within a row, which is left out."""
        text = read_text(path)
        lines = text.splitlines()
        if may_be_cut and not text.endswith("\n"):
            lines = lines[:-1]
        self.remarks, self.names, self.rows = [], [], []
        for number, line in enumerate(lines, 1):
            if line.startswith("#"):
                self.remarks.append(line[1:].strip())
                continue
            cells = next(csv.reader([line], skipinitialspace=True), [])
            if not self.names:
                self.names = [name.strip() for name in cells]
            elif len(cells) == len(self.names):
                self.rows.append(cells)
            else:
                words = f"{len(cells)} cells, but {len(self.names)} columns"
                raise ReportError(f"{path}:{number}: {words}")
        if not self.names and not may_be_cut:
            raise ReportError(f"{path}: has no header line")
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

    def __len__(self):
        return len(self.rows)

    def words(self, name):
        """A column as it is written."""
        position = self.names.index(name)
        return np.array([row[position] for row in self.rows], dtype=str)

    def numeric(self):
        """Names of the columns that hold numbers, in their order."""
        return [name for name in self.names if name in self.columns]

    def has(self, *names):
        """Whether there are columns of numbers with all these names."""
        return all(name in self.columns for name in names)

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
