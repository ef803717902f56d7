# SPDX-License-Identifier: LGPL-2.1-or-later
"""The files of a run, read and checked. Nothing else is known of it."""

import json
import os

from . import prm
from .errors import ReportError
from .kinds import REMARK as KIND_REMARK
from .kinds import Kinds
from .series import Series
from .tables import Table, read_text

UNFINISHED = ".unfinished"

# Settings that name the parameters which a study varies.
VARIED = {
    "branch": ["Branch/Parameter"],
    "frontier": ["Frontier/Parameter 1", "Frontier/Parameter 2"],
}


class Run:
    """All that scripts/report knows of a run."""

    def __init__(self, directory):
        self.directory = os.path.normpath(directory)
        self.check_directory()
        self.is_finished = not self.directory.endswith(UNFINISHED) and self.has("summary.json")
        self.parameters = read_text(self.path("used.prm"))
        self.settings = prm.settings(self.parameters)
        self.summary = self.read_summary()
        self.results = self.read_table("results.csv")
        self.frontier = self.read_table("frontier.csv")
        self.master = self.read_table("master.csv")
        self.log = read_text(self.path("log.txt")) if self.has("log.txt") else ""
        if self.results is None:
            if self.is_finished:
                raise ReportError(f"{self.path('results.csv')}: no such file")
            self.results = Table(os.devnull, may_be_cut=True)
        self.kinds = Kinds(self.results.remarks)
        self.shape_series = self.series("shapes")

    def check_directory(self):
        unfinished = self.directory + UNFINISHED
        if not os.path.isdir(self.directory):
            hint = f"; the run has not ended, see {unfinished}" if os.path.isdir(unfinished) else ""
            raise ReportError(f"{self.directory}: no such directory{hint}")
        if not self.has("summary.json") and not self.has("used.prm"):
            words = "holds neither summary.json nor used.prm, so it is not a run"
            raise ReportError(f"{self.directory}: {words}")

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def has(self, name):
        return os.path.exists(self.path(name))

    def read_table(self, name):
        if not self.has(name):
            return None
        return Table(self.path(name), may_be_cut=not self.is_finished)

    def read_summary(self):
        """What is known of a run that has not ended stands in its parameters."""
        path = self.path("summary.json")
        if not self.has("summary.json"):
            study = self.settings.get("Study", "?")
            model = self.settings.get("Model", "several models" if study == "validation" else "?")
            return {"study": study, "model": model, "verdict": "none"}
        try:
            summary = json.loads(read_text(path))
        except json.JSONDecodeError as problem:
            raise ReportError(f"{path}:{problem.lineno}: {problem.msg}") from None
        for key in ("study", "model", "verdict"):
            if not isinstance(summary, dict) or not isinstance(summary.get(key), str):
                raise ReportError(f"{path}: has no '{key}'")
        return summary

    def has_verdict(self):
        return self.summary["verdict"] in ("OK", "KO")

    def remarks(self):
        """Those of the results that explain no kinds of points."""
        return [text for text in self.results.remarks if not KIND_REMARK.fullmatch(text)]

    def varied_columns(self):
        """The columns of the parameters that a branch or a frontier varies; none
        where the table lacks one of them."""
        settings = VARIED.get(self.summary["study"], [])
        names = [self.settings.get(name, "").replace(" ", "_") for name in settings]
        return names if self.results.has(*names) else []

    def series(self, name):
        """The series fields/NAME.pvd; an empty one where there is none."""
        path = self.path("fields", f"{name}.pvd")
        text = read_text(path) if os.path.exists(path) else None
        return Series(path, text, self.results)
