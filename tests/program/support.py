# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the whole-program tests share.

The program is the one in the environment's SLENDER_FEM, mpirun the one in
SLENDER_MPIEXEC. Every test class works in a directory of its own that vanishes
with it.
"""

import csv
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from report_lib import prm  # noqa: E402

PRM = ROOT / "prm"
PROGRAM = os.path.abspath(os.environ.get("SLENDER_FEM", ROOT / "build" / "slender_fem"))
MPIEXEC = os.environ.get("SLENDER_MPIEXEC", "mpirun")

MODELS = ("kirchhoff rod", "discrete elastic rod")
STUDIES = (
    "cantilever",
    "bend twist",
    "lateral buckling",
    "stick slip",
    "equilibrium",
    "evaluate",
    "branch",
    "frontier",
    "vibration",
    "growth",
    "knot",
    "motion",
    "validation",
)

# Far longer than any run takes, also with sanitizers on a busy machine.
LONGEST_RUN = 500  # s


class Table:
    """A .csv file of the program: remarks, named columns, rows of words by name."""

    def __init__(self, path):
        lines = Path(path).read_text().splitlines()
        self.remarks = [line[1:].strip() for line in lines if line.startswith("#")]
        self.header, *body = [line for line in lines if not line.startswith("#")]
        self.columns = self.header.split(", ")
        self.rows = []
        for cells in csv.reader(body, skipinitialspace=True):
            assert len(cells) == len(self.columns), f"{path}: a row of {len(cells)} cells"
            self.rows.append(dict(zip(self.columns, cells)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, name):
        return [float(row[name]) for row in self.rows]

    def words(self, name):
        return [row[name] for row in self.rows]

    def of_kind(self, kind):
        """The rows of a branch or a frontier that are points of this kind."""
        return [row for row in self.rows if row["kind"] == kind]


class Run:
    """A finished run: what it said and what it left."""

    def __init__(self, process, directory):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr
        self.directory = Path(directory)

    @property
    def summary(self):
        return json.loads((self.directory / "summary.json").read_text())

    @property
    def results(self):
        return Table(self.directory / "results.csv")

    @property
    def results_bytes(self):
        return (self.directory / "results.csv").read_bytes()

    @property
    def used_parameters(self):
        return read_parameters(self.directory / "used.prm")


def read_parameters(path):
    """The settings of a .prm file, by "Section/Name"."""
    return prm.settings(Path(path).read_text())


def snapshot(directory):
    """All that is in a directory: paths, and a digest of each file."""
    found = {}
    for path in sorted(Path(directory).rglob("*")):
        name = str(path.relative_to(directory))
        if path.is_symlink() or not path.is_file():
            found[name] = path.readlink() if path.is_symlink() else "directory"
        else:
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def command(*arguments, settings=None, output=None, ranks=None):
    """The program's command line."""
    words = [PROGRAM, *map(str, arguments)]
    for path, value in (settings or {}).items():
        words += ["--set", f"{path}={value}"]
    if output is not None:
        words += ["--output", str(output)]
    if ranks is not None:
        mpirun = [MPIEXEC, "--quiet", "--oversubscribe", "--bind-to", "none"]
        words = [*mpirun, "-n", str(ranks), *words]
    return words


def environment(scratch):
    """One thread per rank. Open MPI may be run by root, gives way to other
    processes where it waits, keeps its own files in `scratch`, and does not
    look for networks, which would take longer than most of the runs."""
    return {
        **os.environ,
        "LC_ALL": "C",
        "OMP_NUM_THREADS": "1",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_ess_singleton_isolated": "1",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_pml": "ob1",
        "TMPDIR": str(scratch),
    }


class ProgramTest(unittest.TestCase):
    """A test class with a directory of its own, shared by its tests."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        place = tempfile.TemporaryDirectory(prefix="slender_", ignore_cleanup_errors=True)
        cls.addClassCleanup(place.cleanup)
        cls.directory = Path(place.name) / "work"
        cls.scratch = Path(place.name) / "scratch"
        cls.directory.mkdir()
        cls.scratch.mkdir()

    @classmethod
    def call(cls, words, cwd=None):
        return subprocess.run(
            words,
            cwd=cwd or cls.directory,
            env=environment(cls.scratch),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST_RUN,
            check=False,
        )

    @classmethod
    def program(cls, *arguments, cwd=None, **options):
        """Runs the program, whatever comes of it."""
        return cls.call(command(*arguments, **options), cwd)

    @classmethod
    def study(cls, prm, output="run", expected_code=0, **options):
        """Runs a study into directory/output and returns the Run."""
        directory = cls.directory / output
        process = cls.program(PRM / prm, output=directory, **options)
        if process.returncode != expected_code:
            raise AssertionError(
                f"exit code {process.returncode}, not {expected_code}, of {process.args}:\n"
                f"{process.stdout}{process.stderr}"
            )
        return Run(process, directory)

    @classmethod
    def write_variant(cls, name, prm, settings):
        """A file that is another one with some settings of its own."""
        lines = [f"include {prm}"]
        for path, value in settings.items():
            *section, parameter = path.split("/")
            lines += [f"subsection {word}" for word in section]
            lines += [f"set {parameter} = {value}", *["end" for _ in section]]
        variant = cls.scratch / f"{name}.prm"
        variant.write_text("\n".join([*lines, ""]))
        return variant

    def refuse_all(self, cases):
        """Many mistakes, each a file and the words that the line about it has to
        hold: by one --validate, because to start the program takes longer than to
        check a file. The run of a file begins with the same check."""
        before = snapshot(self.directory)
        process = self.program("--validate", *(file for file, _ in cases))
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)
        self.assertEqual(process.stdout, "")
        lines = process.stderr.splitlines()
        self.assertEqual(len(lines), len(cases), process.stderr)
        for line, (file, expected) in zip(lines, cases):
            with self.subTest(file=file):
                self.assertTrue(line.startswith(f"slender_fem: {file}:"), line)
                for words in expected:
                    self.assertIn(words, line)
        self.assertEqual(snapshot(self.directory), before, "something was created or changed")
        file, expected = cases[0]
        self.refuse(file, expected=expected)

    def refuse(self, *arguments, expected=(), may_have_begun=False, **options):
        """Runs the program with a mistake: exit code 1, one line that holds all the
        words expected, and nothing that was created or changed."""
        before = snapshot(self.directory)
        process = self.program(*arguments, **options)
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)
        if not may_have_begun:
            self.assertEqual(process.stdout, "")
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        self.assertTrue(process.stderr.startswith("slender_fem: "), process.stderr)
        for words in expected:
            self.assertIn(words, process.stderr)
        self.assertEqual(snapshot(self.directory), before, "something was created or changed")


main = unittest.main
