# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a run has left, as arrays."""

import difflib
import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from . import places
from .errors import Error
from .states import State, labels_in

prm = places.report_module("prm")
tables = places.report_module("tables")
series_files = places.report_module("series")
vtk_files = places.report_module("vtk_files")
ReportError = places.report_module("errors").ReportError


class Table(tables.Table):
    """A table: `table["gamma"]` is a column as an array, of numbers or of words;
    `names` are the columns, `remarks` the lines that began with '#'. dict(table) makes
    what pandas.DataFrame takes."""

    def __getitem__(self, name):
        if name in self.columns:
            return self.columns[name]
        if name in self.names:
            return self.words(name)
        near = difflib.get_close_matches(str(name), self.names, 1)
        meant = f"did you mean '{near[0]}'? " if near else ""
        raise KeyError(f"no column '{name}'; {meant}there are {', '.join(self.names)}")

    def __contains__(self, name):
        return name in self.names

    def __iter__(self):
        return iter(self.names)

    def keys(self):
        return list(self.names)

    def __repr__(self):
        return f"<table of {len(self)} rows: {', '.join(self.names)}>"


class Shape:
    """Points (one row each), fields (arrays by name, one entry per point), cells (the
    numbers of their points) with their types in VTK's numbers, and its time."""

    def __init__(self, time, row, picture):
        self.time, self.row, self.picture = time, row, picture
        self.points, self.fields = picture.points, picture.fields
        self.cells, self.cell_types = picture.cells, picture.cell_types

    def lines(self):
        """The points of each line: of a rod its centreline, of a shell the outline of
        each of its cells."""
        return [self.points[line] for line in self.picture.lines()]

    def __getitem__(self, name):
        return self.fields[name]

    def __repr__(self):
        return f"<shape of {len(self.points)} points at {self.time:g}: {', '.join(self.fields)}>"


class Series(Sequence):
    """Shapes over what the program calls time, read when they are asked for:
    `series[-1]` is the last one, `series.times` are all times."""

    def __init__(self, files, run):
        self.files = files
        self.run = run  # its files may vanish with it
        self.times = np.array([time for time, _ in files.entries])
        self.time_name, self.time_unit = files.time_name, files.time_unit

    def __len__(self):
        return len(self.files)

    def __getitem__(self, number):
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        time, path = self.files.entries[number]
        try:
            return Shape(time, self.files.row(time), vtk_files.read_picture(path))
        except ReportError as problem:
            raise Error(str(problem)) from None

    def at(self, time):
        """The shape whose time is nearest."""
        if not len(self):
            raise Error("the series has no shapes")
        return self[int(np.argmin(np.abs(self.times - time)))]

    def points(self):
        """All points of all shapes: an array (shapes, points, 3)."""
        shapes = [shape.points for shape in self]
        if len({len(points) for points in shapes}) > 1:
            raise Error("the shapes have different numbers of points")
        return np.array(shapes)

    def __repr__(self):
        return f"<{len(self)} shapes over {self.time_name}>"


class Run:
    """The files of a run in a directory, read when they are asked for.

    summary, answer, verdict   what summary.json says
    results                    the table results.csv
    tables                     names of all tables; table(name) reads one
    shapes                     the series fields/shapes.pvd; series(name) another
    states                     labels of states; state(label) reads one
    parameters                 every parameter by "Section/Name", as words
    """

    def __init__(self, directory, process=None, keeper=None):
        """`keeper` keeps a directory that vanishes with it."""
        self.directory = Path(directory)
        self.process, self.keeper = process, keeper
        if not (self.directory / "used.prm").is_file():
            raise Error(f"{self.directory}: holds no used.prm, so it is not a run")
        self.is_finished = (self.directory / "summary.json").is_file()

    def text(self, name):
        try:
            return tables.read_text(str(self.directory / name))
        except ReportError as problem:
            raise Error(str(problem)) from None

    @property
    def summary(self):
        try:
            return json.loads(self.text("summary.json"))
        except json.JSONDecodeError as problem:
            raise Error(f"{self.directory / 'summary.json'}: {problem.msg}") from None

    @property
    def answer(self):
        return self.summary.get("answer", "")

    @property
    def verdict(self):
        return self.summary["verdict"]

    @property
    def parameters(self):
        return prm.settings(self.text("used.prm"))

    @property
    def log(self):
        return self.text("log.txt")

    @property
    def tables(self):
        return sorted(path.stem for path in self.directory.glob("*.csv"))

    def table(self, name):
        if name not in self.tables:
            raise Error(f"{self.directory}: has no table '{name}', but {', '.join(self.tables)}")
        try:
            return Table(str(self.directory / f"{name}.csv"), may_be_cut=not self.is_finished)
        except ReportError as problem:
            raise Error(str(problem)) from None

    @property
    def results(self):
        return self.table("results")

    def series(self, name):
        path = self.directory / "fields" / f"{name}.pvd"
        there = sorted(p.stem for p in self.directory.glob("fields/*.pvd"))
        if name not in there:
            raise Error(f"{self.directory}: has no series '{name}', but {', '.join(there) or 'none'}")
        try:
            text = tables.read_text(str(path))
            return Series(series_files.Series(str(path), text, self.results), self)
        except ReportError as problem:
            raise Error(str(problem)) from None

    @property
    def shapes(self):
        return self.series("shapes")

    @property
    def states(self):
        return labels_in(self.directory)

    def state(self, label):
        if label not in self.states:
            raise Error(f"{self.directory}: has no state with label {label}, but {self.states}")
        return State(self.directory / "states" / f"label_{label}.h5")

    def report(self):
        """Makes report.html, which needs matplotlib, and returns its path."""
        from .program import make_report

        return make_report(self.directory)

    def __repr__(self):
        return f"<run in {os.fspath(self.directory)}>"
