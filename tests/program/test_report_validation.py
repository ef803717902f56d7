# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of the study `validation`, from tables of the kind that it leaves."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

from support import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from report_lib import page, validation  # noqa: E402
from report_lib.run_files import Run  # noqa: E402

# A rod that passes, one with a wrong factor, a law of friction, one that does not apply.
TABLE = """protocol, model, verdict, distance, resolution, seconds, paper, remark
cantilever, discrete elastic rod, OK, 0.011, 75 segments, 1.5, OK (300 elts), -
cantilever, bridson shell, KO, 0.13, -, 20, OK, "a constant factor: 1/4 in place of 3, <so>"
stick slip, discrete elastic rod, OK, 0.02, 40 segments, 3, KO, exact at the threshold
"""
RESULTS = """# a remark of the run
case, protocol, model, resolution, setting, verdict, distance, max_relative_error, failed, seconds
1, cantilever, discrete elastic rod, 25 segments, 1, KO, 0.07, 0.3, 0, 0.2
2, cantilever, discrete elastic rod, 75 segments, 1, OK, 0.011, 0.03, 0, 0.5
3, cantilever, discrete elastic rod, 75 segments, 2, OK, 0.010, 0.03, 0, 0.5
4, cantilever, bridson shell, 20 cells, 1, OK, 0.04, 0.9, 0, 4
5, cantilever, bridson shell, 40 cells, 1, KO, 0.13, 0.9, 0, 16
6, stick slip, discrete elastic rod, 40 segments, 1, OK, 0.02, nan, 0, 3
"""
CHECKS = """check, model, value, bound, verdict
objectivity, discrete elastic rod, 1.234567e-12, 1e-9, OK
locking, bridson shell, 0.2, 0.05, KO
"""


def curves():
    rows = ["protocol, model, resolution, x, y"]
    for model, resolution, factor in (
        ("discrete elastic rod", "25 segments", 1.1),
        ("discrete elastic rod", "75 segments", 1.0),
        ("bridson shell", "40 cells", 1.8),
    ):
        rows += [f"cantilever, {model}, {resolution}, {x}, {factor * x / 8}" for x in (1, 10, 100)]
    rows += [f"stick slip, discrete elastic rod, 40 segments, {x}, {2 * x}" for x in (0.1, 0.2)]
    return "\n".join(rows) + "\n"


MASTERS = "protocol, x, y\ncantilever, 1, 0.125\ncantilever, 100, 12.5\nstick slip, 0, 0\n"


def write_run(directory, **changed):
    files = {
        "used.prm": "set Study = validation\nset Model = all\n",
        "results.csv": RESULTS,
        "table.csv": TABLE,
        "curves.csv": curves(),
        "masters.csv": MASTERS,
        "checks.csv": CHECKS,
        "summary.json": json.dumps({
            "study": "validation", "model": "all", "verdict": "none", "failed": 0,
            "answer": "2 of 3 pass"}),
    }
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in {**files, **changed}.items():
        if text is not None:
            (directory / name).write_text(text, encoding="utf-8")


class Validation(unittest.TestCase):
    def page(self, **changed):
        with tempfile.TemporaryDirectory() as place:
            write_run(Path(place) / "run", **changed)
            return page.make(Run(Path(place) / "run"))

    def test_verdicts_are_words_and_colours(self):
        text = self.page()
        self.assertEqual(text.count('<span class="badge OK">OK</span>'), 2 + 4 + 1)
        self.assertEqual(text.count('<span class="badge KO">KO</span>'), 1 + 2 + 1)
        self.assertIn("<p>2 OK, 1 KO.</p>", text)

    def test_table_1_has_models_over_protocols(self):
        text = self.page()
        table = text[text.index('<table class="verdicts">') :]
        table = table[: table.index("</table>")]
        for words in ("Cantilever", "Stick-Slip", "75 segments, 1.1\u00a0%, 1.5\u00a0s", "paper: OK (300 elts)"):
            self.assertIn(words, table)
        shell = table[table.index("bridson shell") :]
        self.assertIn("<td>–</td>", shell, "it was not run in the other protocol")

    def test_a_verdict_that_is_not_the_papers_is_marked(self):
        text = self.page()
        self.assertEqual(text.count('class="differs">paper: OK<'), 1)
        self.assertEqual(text.count('class="differs">paper: KO<'), 1)
        self.assertEqual(text.count('class="same">paper: OK (300 elts)'), 1)

    def test_a_section_for_each_protocol(self):
        text = self.page()
        first, second = text.index('<h2 id="cantilever">'), text.index('<h2 id="stick_slip">')
        self.assertLess(text.index("2 of 3 pass"), text.index('class="verdicts"'))
        self.assertLess(first, second)
        self.assertIn("<b>bridson shell</b>: a constant factor: 1/4 in place of 3, &lt;so&gt;", text)
        # All models on the master curve, and how they converge; the other has one resolution.
        self.assertEqual(len(re.findall("<svg ", text[first:second])), 2)
        self.assertEqual(len(re.findall("<svg ", text[second:])), 1)
        self.assertIn("Axes: H/W over Γ.", text[first:second])
        self.assertIn("All runs: 5", text[first:second])

    def test_the_resolution_of_the_table_is_drawn(self):
        with tempfile.TemporaryDirectory() as place:
            write_run(Path(place) / "run")
            run = Run(Path(place) / "run")
            tables = [run.read_table(f"{name}.csv") for name in ("table", "curves", "masters")]
            plane = validation.plane_of("cantilever")
            axes = validation.overlay("cantilever", plane, *tables).axes[0]
            lines = {line.get_label(): line for line in axes.lines}
            rod = lines["discrete elastic rod, 75 segments: OK"]
            self.assertEqual(rod.get_ydata().tolist(), [0.125, 1.25, 12.5])
            self.assertIn("bridson shell, 40 cells: KO", lines)
            self.assertEqual(axes.get_xscale(), "log")
            # The worst setting of each resolution counts.
            results = validation.refinement("cantilever", run.results).axes[0]
            self.assertEqual(results.lines[0].get_ydata().tolist(), [0.07, 0.011])

    def test_files_that_are_not_there_yet(self):
        text = self.page(**{"table.csv": None, "checks.csv": None, "masters.csv": None})
        self.assertIn('<h2 id="cantilever">', text)
        self.assertNotIn("verdicts", text[text.index("<main>") :])
        self.assertIn("<h1>Validation", self.page(**{"curves.csv": None}))

    def test_checks_have_numbers_that_can_be_read(self):
        self.assertIn("<td>objectivity</td><td>discrete elastic rod</td><td>1.235e-12</td>", self.page())


if __name__ == "__main__":
    unittest.main()
