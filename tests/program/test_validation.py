# SPDX-License-Identifier: LGPL-2.1-or-later
"""Table 1 by one command: cases, the rule over resolutions, checks."""

from resume_cases import without_seconds
from support import ROOT, ProgramTest, Table, main

SMALL = {
    "Validation/Protocols": "cantilever",
    "Validation/Models": "super helix, discrete shell (bridson), koiter shell (too thick)",
    "Validation/Cantilever samples": 8,
    "Validation/Checks": "objectivity, order, frequency",
}
COLUMNS = {
    "results.csv": "case, protocol, model, resolution, setting, verdict, distance, max_relative_error, failed, seconds",
    "table.csv": "protocol, model, verdict, distance, resolution, seconds, paper, remark",
    "curves.csv": "protocol, model, resolution, x, y",
    "masters.csv": "protocol, x, y",
    "checks.csv": "check, model, value, bound, verdict",
}


class Validation(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study("validation.prm", settings=SMALL)
        cls.table = Table(cls.run_.directory / "table.csv")

    def line(self, model):
        return next(row for row in self.table.rows if row["model"] == model)

    def test_tables_have_the_columns_that_the_report_expects(self):
        for name, header in COLUMNS.items():
            self.assertEqual(Table(self.run_.directory / name).header, header)

    def test_verdicts(self):
        helix = self.line("super helix")
        self.assertEqual((helix["verdict"], helix["resolution"], helix["paper"]), ("OK", "25 elements", "OK (50 elts)"))
        self.assertEqual(self.line("discrete shell (bridson)")["verdict"], "KO")
        self.assertEqual(self.run_.summary["different"], 0)

    def test_a_case_is_the_study_with_its_settings(self):
        case = next(row for row in self.run_.results.rows if row["resolution"] == "12 elements")
        alone = self.study(
            "cantilever.prm",
            output="alone",
            settings={
                "Model": "super helix",
                "Super helix/Elements": 12,
                "Super helix/Grading": 1,
                "Cantilever/Exponent step": 1,
                "Cantilever/Shapes": 0,
                "Kirchhoff rod/Elements": 16,
            },
        )
        self.assertEqual(float(case["distance"]), alone.summary["distance"])
        self.assertEqual(float(case["max_relative_error"]), alone.summary["max_relative_error"])
        self.assertEqual(case["verdict"], alone.summary["verdict"])
        curve = [row for row in Table(self.run_.directory / "curves.csv").rows if row["resolution"] == "12 elements"]
        self.assertEqual([float(row["y"]) for row in curve], alone.results["aspect_ratio"])

    def test_rule_9_finds_what_passes_by_accident(self):
        cases = [row for row in self.run_.results.rows if row["model"] == "koiter shell (too thick)"]
        self.assertEqual([row["verdict"] for row in cases], ["OK", "KO"])
        line = self.line("koiter shell (too thick)")
        self.assertEqual(line["verdict"], "KO")
        self.assertIn("by accident with 4 cells", line["remark"])

    def test_checks(self):
        checks = Table(self.run_.directory / "checks.csv")
        self.assertEqual(set(checks.words("model")), {"super helix"})
        self.assertEqual(set(checks.words("verdict")), {"OK"})
        self.assertEqual(len(checks), 3)

    def test_the_table_to_read(self):
        lines = (self.run_.directory / "table.md").read_text().splitlines()
        self.assertEqual(len(lines), 2 + len(self.table))
        self.assertIn("| cantilever | super helix | OK |", lines[2])

    def test_two_ranks_find_the_same(self):
        few = {**SMALL, "Validation/Models": "super helix, super clothoid"}
        one = self.study("validation.prm", output="one", settings=few)
        two = self.study("validation.prm", output="two", settings=few, ranks=2)
        for name in COLUMNS:
            first, second = ((run.directory / name).read_text() for run in (one, two))
            self.assertEqual(without_seconds(first), without_seconds(second))

    def test_the_whole_of_it_has_several_bodies_and_resolutions(self):
        one = {
            "Validation/Protocols": "cantilever",
            "Validation/Models": "super clothoid",
            "Validation/Cantilever samples": 8,
            "Validation/Checks": "none",
        }
        run = self.study("validation_full.prm", output="full", settings=one)
        cases = {(row["resolution"], row["setting"]) for row in run.results.rows}
        resolutions, bodies = ({case[i] for case in cases} for i in (0, 1))
        self.assertEqual((len(resolutions), len(bodies), len(cases)), (3, 2, 6))


    def test_parameters_used_are_a_file_again(self):
        used = self.run_.directory / "used.prm"
        self.assertNotIn("set Model ", used.read_text())
        self.assertEqual(self.program("--validate", used).returncode, 0)


WRONG = (
    ({"Validation/Models": "no such line"}, "no line of the table is called 'no such line'"),
    ({"Validation/Models": "kirchoff rod"}, "did you mean 'kirchhoff rod'?"),
    # Nothing of the first would be tried, though something is of the second.
    (
        {"Validation/Models": "koiter shell, kirchhoff rod", "Validation/Protocols": "bend twist"},
        "'koiter shell' has no line with these protocols",
    ),
    ({"Validation/Checks": "none, order"}, "'none' contradicts"),
    ({"Model": "kirchhoff rod"}, "'Model' has no effect: the study 'validation'"),
    ({"Kirchhoff rod/Elements": 8}, "section 'Kirchhoff rod' has no effect"),
    ({"Kirchhoff rod/Elemnts": 8}, "section 'Kirchhoff rod' has no effect"),
    ({"Fail on KO": "true"}, "'Fail on KO' has no effect: the study 'validation'"),
)


class WrongChoices(ProgramTest):
    def test_they_are_refused(self):
        for setting, words in WRONG:
            with self.subTest(words):
                output = self.directory / "x"
                process = self.program("prm/validation.prm", settings=setting, cwd=str(ROOT), output=output)
                self.assertEqual(process.returncode, 1)
                self.assertIn(words, process.stderr)
                self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
                self.assertFalse(output.exists())


if __name__ == "__main__":
    main()
