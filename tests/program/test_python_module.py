# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Python module: what it asks is what the program is asked, and what it reads is
what the program wrote."""

import builtins
import contextlib
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

import numpy as np

from support import PROGRAM, ROOT, STUDIES, ProgramTest, environment, main

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "python"))

import slender  # noqa: E402
from slender import places  # noqa: E402
from slender.parameter_files import value_text  # noqa: E402

NOTEBOOKS = ROOT / "doc" / "notebooks"
FEW = {"Cantilever": {"First exponent": 0, "Last exponent": 2, "Exponent step": 0.5}}
# A strip of paper, 20 cm long.
STRIP = {
    "Rod": {
        "Length": 0.2,
        "Section": "rectangular",
        "Width": 0.02,
        "Thickness": 1e-4,
        "Young's modulus": 2.5e9,
        "Density": 800,
        "Tangent": [1, 0, 0],
        "Director 1": (0, 1, 0),
    },
    "Loads/Gravity": 9.81,
    "Equilibrium/Load steps": 4,
}


class ModuleTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        ours = {**environment(cls.scratch), "SLENDER_FEM": PROGRAM}
        patch = mock.patch.dict(os.environ, ours)
        patch.start()
        cls.addClassCleanup(patch.stop)


class Files(unittest.TestCase):
    def test_values_keep_all_their_digits(self):
        for value, text in (
            (True, "true"),
            (np.bool_(False), "false"),
            (3, "3"),
            (np.int64(3), "3"),
            (0.1, "0.1"),
            (1 / 3, "0.3333333333333333"),
            (np.float64(1e-9), "1e-09"),
            ([1, 0.5], "1, 0.5"),
            (np.array([1.0, 0.0]), "1.0, 0.0"),
            ("koiter shell", "koiter shell"),
        ):
            self.assertEqual(value_text(value, "a"), text)

    def test_sections_may_be_dictionaries_or_paths(self):
        text = slender.parameter_text("branch", "kirchhoff rod", {"Rod": {"Length": 2}, "Rod/Radius": 0.1})
        lines = [line.strip() for line in text.splitlines()]
        self.assertEqual(lines.count("subsection Rod"), 1)
        self.assertLess(lines.index("set Length = 2"), lines.index("end"))
        self.assertLess(lines.index("set Radius = 0.1"), lines.index("end"))

    def test_what_cannot_be_written_is_refused(self):
        for settings in (
            {"A": "one # two"},
            {"A": "one\ntwo"},
            {"A": None},
            {"A": object()},
            {"A/B": 1, "A": {"B": 2}},
            {"Study": "branch"},
        ):
            with self.assertRaises(slender.InputError) as caught:
                slender.parameter_text("branch", "kirchhoff rod", settings)
            self.assertNotIn("\n", str(caught.exception).replace("one\ntwo", ""))

    def test_reading_needs_numpy_alone(self):
        code = "import slender, sys; sys.exit('matplotlib' in sys.modules or 'h5py' in sys.modules)"
        paths = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        subprocess.run([sys.executable, "-c", code], env=paths, check=True)


class Runs(ModuleTest):
    def test_a_file_with_settings(self):
        run = slender.run(ROOT / "prm" / "cantilever.prm", FEW, output=self.directory / "file")
        self.assertEqual(run.verdict, "OK")
        with open(run.directory / "results.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader((x for x in file if x[0] != "#"), skipinitialspace=True))
        self.assertEqual(len(run.results), 5)
        for name in run.results.names:
            self.assertEqual(run.results[name].tolist(), [float(row[name]) for row in rows])
        self.assertEqual(run.parameters["Cantilever/Exponent step"], "0.5")
        self.assertEqual(run.summary["samples"], 5)
        self.assertIn("H/W", run.answer)

    def test_keywords_ask_what_a_file_asks(self):
        given = slender.run(study="equilibrium", model="kirchhoff rod", settings=STRIP)
        file = slender.write_prm(self.directory / "strip.prm", "equilibrium", "kirchhoff rod", STRIP)
        process = self.program(file, output=self.directory / "strip")
        self.assertEqual(process.returncode, 0, process.stderr)
        expected = slender.Run(self.directory / "strip")
        self.assertEqual(given.text("results.csv"), expected.text("results.csv"))
        # On two processes the same, digit by digit.
        shared = slender.run(study="equilibrium", model="kirchhoff rod", settings=STRIP, ranks=2)
        self.assertEqual(shared.text("results.csv"), expected.text("results.csv"))
        self.assertEqual(shared.summary["ranks"], 2)

    def test_shapes_are_arrays(self):
        run = slender.run(study="equilibrium", model="kirchhoff rod", settings=STRIP)
        shapes = run.shapes
        np.testing.assert_allclose(shapes.times, run.results["load"])
        self.assertEqual(shapes.points().shape, (5, len(shapes[0].points), 3))
        for shape, x, z in zip(shapes, run.results["end_x"], run.results["end_z"]):
            np.testing.assert_allclose(shape.points[-1, [0, 2]], [x, z], atol=1e-7)
        # A rod that does not stretch: as long as it is, but for chords instead of arcs.
        (line,) = shapes[-1].lines()
        length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
        self.assertAlmostEqual(length, 0.2, delta=2e-5)
        self.assertEqual(shapes.at(0.6).time, 0.5)
        self.assertEqual(len(shapes[1:3]), 2)
        self.assertEqual(len(shapes[-1]["curvature_1"]), len(line))

    def test_results_without_a_directory_vanish(self):
        run = slender.run(ROOT / "prm" / "cantilever.prm", FEW)
        directory = run.directory
        self.assertTrue(directory.is_dir())
        del run
        self.assertFalse(directory.exists())

    def test_a_branch_has_states_and_words(self):
        settings = {"Branch/Maximum": 3, "Branch/Requested values": 3, "Kirchhoff rod/Elements": 4}
        run = slender.run(ROOT / "prm" / "branch_euler.prm", settings)
        self.assertIn("BP", run.results["kind"])
        # Euler's load of a column that is clamped at one end, (pi/2)^2.
        first = run.results["end_force"][run.results["kind"] == "BP"][0]
        self.assertAlmostEqual(first, (np.pi / 2) ** 2, delta=1e-4)
        label = int(run.results["label"][run.results["kind"] == "BP"][0])
        self.assertIn(label, run.states)
        try:
            state = run.state(label)
        except slender.NoProgram as problem:
            self.skipTest(str(problem))
        self.assertAlmostEqual(state.parameters["end force"], first, delta=1e-6)
        self.assertEqual(state.words["model"], "kirchhoff rod")
        self.assertGreater(len(state.unknowns), 7 * 4)
        with self.assertRaisesRegex(slender.Error, "no state with label 999"):
            run.state(999)

    def test_what_is_there_is_named(self):
        run = slender.run(ROOT / "prm" / "cantilever.prm", FEW)
        with self.assertRaisesRegex(KeyError, "no column 'gama'; did you mean 'gamma'"):
            run.results["gama"]
        with self.assertRaisesRegex(slender.Error, "no table 'frontier', but results"):
            run.table("frontier")
        with self.assertRaisesRegex(slender.Error, "no series 'modes', but shapes"):
            run.series("modes")
        self.assertEqual(dict(run.results).keys(), set(run.results.names))

    def test_a_report_is_made(self):
        run = slender.run(ROOT / "prm" / "cantilever.prm", FEW)
        self.assertIn("</html>", run.report().read_text())


class Failures(ModuleTest):
    def line(self, error, **arguments):
        before = sorted(os.listdir(self.directory))
        with self.assertRaises(error) as caught:
            slender.run(output=self.directory / "none", **arguments)
        self.assertEqual(sorted(os.listdir(self.directory)), before, "something was created")
        text = str(caught.exception)
        self.assertNotIn("\n", text)
        return text

    def test_the_programs_line_is_the_error(self):
        prm = ROOT / "prm" / "cantilever.prm"
        text = self.line(slender.InputError, file=prm, settings={"Kirchhoff rod/Elemnts": 4})
        self.assertIn("did you mean 'Elements'?", text)
        text = self.line(slender.InputError, study="equilibrum", model="kirchhoff rod")
        self.assertIn("did you mean 'equilibrium'?", text)
        text = self.line(slender.InputError, file=prm, settings={"Kirchhoff rod/Elements": -4}, ranks=2)
        self.assertIn("Elements", text)

    def test_what_the_program_would_not_understand_is_refused_before(self):
        self.assertIn("no such file", self.line(slender.InputError, file="nowhere.prm"))
        self.assertIn("study and model", self.line(slender.InputError, study="branch"))
        slender.validate(study="validation", settings={"Validation/Models": "super helix"})
        prm = ROOT / "prm" / "cantilever.prm"
        self.assertIn("ranks", self.line(slender.InputError, file=prm, ranks=0))
        with self.assertRaisesRegex(slender.InputError, "resume"):
            slender.run(prm, resume=True)

    def test_validate(self):
        slender.validate(ROOT / "prm" / "cantilever.prm")
        slender.validate(study="equilibrium", model="kirchhoff rod", settings=STRIP)
        with self.assertRaisesRegex(slender.InputError, "Lenth"):
            slender.validate(study="equilibrium", model="kirchhoff rod", settings={"Rod/Lenth": 1})

    def test_a_verdict_of_ko_can_be_an_error(self):
        settings = {"Kirchhoff rod/Elements": 1, "Kirchhoff rod/Degree": 1, "Fail on KO": True, **FEW}
        with self.assertRaises(slender.JudgedKO) as caught:
            slender.run(ROOT / "prm" / "cantilever.prm", settings)
        self.assertEqual(caught.exception.run.verdict, "KO")
        run = slender.run(ROOT / "prm" / "cantilever.prm", settings, check=False)
        self.assertEqual(run.process.returncode, 3)

    def test_the_program_is_looked_for(self):
        self.assertEqual(slender.find_program(), PROGRAM)
        with mock.patch.dict(os.environ, SLENDER_FEM="nothing"):
            with self.assertRaisesRegex(slender.NoProgram, "SLENDER_FEM names 'nothing'"):
                slender.find_program()
        hidden = {"PATH": str(self.directory)}
        with mock.patch.dict(os.environ, hidden), mock.patch.object(places, "HERE", self.directory / "a"):
            del os.environ["SLENDER_FEM"]
            with self.assertRaisesRegex(slender.NoProgram, "was not found"):
                slender.find_program()

    def test_states_without_h5py_say_what_is_missing(self):
        real = builtins.__import__

        def hiding(name, *rest):
            if name == "h5py":
                raise ImportError
            return real(name, *rest)

        with mock.patch.object(builtins, "__import__", hiding):
            with self.assertRaisesRegex(slender.NoProgram, "python3-h5py"):
                slender.State("label_1.h5")

    def test_an_interruption_is_passed_on_and_can_be_resumed(self):
        """As in a notebook, whose kernel alone is interrupted."""
        output = self.directory / "long"
        prm, settings = ROOT / "prm" / "motion_swing.prm", {"Time/Step": 5e-4, "Time/End": 0.6}

        def interrupt():
            begun = self.directory / "long.unfinished" / "results.csv"
            while not begun.exists() or begun.stat().st_size < 5000:
                time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(slender.Interrupted) as caught:
            slender.run(prm, settings, output=output)
        times = caught.exception.run.results["time"]
        self.assertLess(times[-1], 0.6)
        whole = slender.run(prm, settings, output=output, resume=True)
        self.assertIn(", resumed", whole.log)
        self.assertAlmostEqual(whole.results["time"][-1], 0.6)
        np.testing.assert_array_equal(whole.results["time"][: len(times)], times)


class Lists(ModuleTest):
    def test_models_and_studies(self):
        self.assertEqual(set(STUDIES) - set(slender.studies()), set())
        self.assertIn("koiter shell", slender.models())
        self.assertIn("set Elements", slender.describe("kirchhoff rod"))
        self.assertRegex(slender.version(), r"\d+\.\d+")


NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


class Notebooks(ModuleTest):
    """Cells are run as they stand, without Jupyter, and print what stands below them."""

    def check(self, path):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(notebook["nbformat"], 4)
        self.assertLess(path.stat().st_size, 300_000)
        names = {"__name__": "__main__"}
        before = os.getcwd()
        os.chdir(path.parent)
        self.addCleanup(os.chdir, before)
        for number, cell in enumerate(notebook["cells"]):
            if cell["cell_type"] != "code":
                continue
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
            kept = "".join(
                "".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream"
            )
            self.compare(printed.getvalue(), kept, f"{path.name}, cell {number}")

    def compare(self, found, expected, where):
        """Words are equal, numbers to the digits that matter."""
        self.assertEqual(NUMBER.sub("N", found), NUMBER.sub("N", expected), where)
        for one, other in zip(NUMBER.findall(found), NUMBER.findall(expected)):
            self.assertAlmostEqual(float(one), float(other), delta=2e-3 * abs(float(other)), msg=where)

    def test_notebooks(self):
        os.environ["MPLBACKEND"] = "agg"
        found = sorted(NOTEBOOKS.glob("*.ipynb"))
        self.assertTrue(found)
        for path in found:
            with self.subTest(path.name):
                self.check(path)


if __name__ == "__main__":
    main()
