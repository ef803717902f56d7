# SPDX-License-Identifier: LGPL-2.1-or-later
"""0 finished, 2 some samples failed, 3 the verdict is KO and that counts."""

import math

from support import PRM, ProgramTest, main

NO_PATIENCE = {"Newton/Maximum iterations": 1, "Newton/Maximum step cuts": 0}
LITTLE_PATIENCE = {"Newton/Maximum iterations": 4, "Newton/Maximum step cuts": 0}
# One straight element cannot bend as the curve wants.
COARSE = {"Kirchhoff rod/Elements": 1, "Kirchhoff rod/Degree": 1}
REASON = "no convergence within the allowed iterations"


class FailedSamples(ProgramTest):
    def check_files(self, run):
        for name in ("results.csv", "summary.json", "used.prm", "log.txt"):
            self.assertTrue((run.directory / name).is_file(), name)

    def test_all_samples_fail(self):
        settings = {**NO_PATIENCE, "Cantilever/Exponent step": 0.5}
        run = self.study("cantilever.prm", expected_code=2, settings=settings)
        summary, table = run.summary, run.results
        self.assertEqual((summary["samples"], summary["failed"]), (15, 15))
        self.assertEqual(summary["verdict"], "KO")
        # No sample, no error.
        self.assertIsNone(summary["max_relative_error"])
        self.assertEqual(len(table), 15)
        self.assertEqual(len(table.remarks), 15)
        for gamma, remark in zip(table["gamma"], table.remarks):
            self.assertEqual(remark, f"sample at Gamma = {gamma:g} failed: {REASON}")
        self.assertTrue(all(math.isnan(value) for value in table["aspect_ratio"]))
        self.check_files(run)
        self.assertIn(REASON, (run.directory / "log.txt").read_text())

    def test_the_rest_goes_on(self):
        settings = {**LITTLE_PATIENCE, "Cantilever/Exponent step": 0.25}
        run = self.study("cantilever_der.prm", expected_code=2, settings=settings)
        summary, table = run.summary, run.results
        failed = [math.isnan(value) for value in table["aspect_ratio"]]
        self.assertEqual(len(table), 29)
        self.assertEqual(summary["failed"], sum(failed))
        self.assertEqual(len(table.remarks), sum(failed))
        self.assertTrue(0 < sum(failed) < 29)
        # What did converge is right all the same.
        self.assertLess(summary["max_relative_error"], 1e-3)
        self.assertIn(f"{sum(failed)} failed", run.out)
        self.assertTrue((run.directory / "fields" / "shapes.pvd").is_file())
        self.check_files(run)

    def test_a_rod_that_cannot_be_loaded(self):
        run = self.study("rod_equilibrium.prm", expected_code=2, settings=NO_PATIENCE)
        self.assertEqual(run.summary["failed"], 1)
        self.assertEqual(run.results.remarks, [f"stopped after 0 % of the load: {REASON}"])
        self.check_files(run)

    def test_on_two_ranks(self):
        settings = {**NO_PATIENCE, "Cantilever/Exponent step": 1}
        run = self.study("cantilever.prm", expected_code=2, ranks=2, settings=settings)
        self.assertEqual(run.summary["failed"], 8)


class Verdict(ProgramTest):
    def test_ko_counts_if_the_file_says_so(self):
        settings = {**COARSE, "Fail on KO": "true"}
        for ranks in (None, 2):
            run = self.study("cantilever.prm", expected_code=3, settings=settings, ranks=ranks)
            self.assertEqual(run.summary["verdict"], "KO")
            self.assertEqual(run.summary["failed"], 0)
            self.assertTrue((run.directory / "results.csv").is_file())

    def test_ko_is_a_result_otherwise(self):
        run = self.study("cantilever.prm", settings=COARSE)
        self.assertEqual(run.summary["verdict"], "KO")
        self.assertIn("verdict KO", run.out)

    def test_ok_is_fine_either_way(self):
        settings = {"Fail on KO": "true", "Cantilever/Exponent step": 0.1}
        run = self.study("cantilever.prm", settings=settings)
        self.assertEqual(run.summary["verdict"], "OK")

    def test_failed_samples_come_before_the_verdict(self):
        settings = {**NO_PATIENCE, "Fail on KO": "true", "Cantilever/Exponent step": 1}
        self.study("cantilever.prm", expected_code=2, settings=settings)

    def test_a_study_without_a_verdict_refuses_to_fail_by_it(self):
        process = self.program(PRM / "branch_euler.prm", settings={"Fail on KO": "true"})
        self.assertEqual(process.returncode, 1)
        self.assertIn("'Fail on KO' has no effect: the study 'branch' ends without a verdict", process.stderr)


if __name__ == "__main__":
    main()
