# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Cantilever protocol with the Kirchhoff rod: prm/cantilever.prm."""

import math

import numpy as np

from support import ROOT, ProgramTest, Table, main

COLUMNS = "gamma, aspect_ratio, reference, relative_error, iterations"
SUMMARY = {
    "study",
    "model",
    "answer",
    "verdict",
    "distance",
    "max_relative_error",
    "samples",
    "failed",
    "newton_iterations",
    "seconds",
    "ranks",
    "version",
}
FILES = {".manifest", "results.csv", "summary.json", "used.prm", "log.txt", "fields"}


def distance_to_polyline(points, line):
    """The largest distance of one of the points from a polyline."""
    start, along = line[:-1], np.diff(line, axis=0)
    from_start = points[:, None, :] - start
    share = np.einsum("pik,ik->pi", from_start, along) / np.sum(along**2, axis=1)
    foot = np.clip(share, 0, 1)[:, :, None] * along
    return np.linalg.norm(from_start - foot, axis=2).min(axis=1).max()


def hausdorff_distance(gamma, ours, master):
    """Of two curves in a doubly logarithmic plot, whose frame is the master
    curve's, as a fraction of the frame."""

    def scaled(values, frame):
        low, high = np.log(np.min(frame)), np.log(np.max(frame))
        return (np.log(values) - low) / (high - low)

    x = scaled(gamma, gamma)
    curve = np.column_stack([x, scaled(ours, master)])
    reference = np.column_stack([x, scaled(master, master)])
    return max(distance_to_polyline(curve, reference), distance_to_polyline(reference, curve))


class InextensibleRod(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study("cantilever.prm")

    def test_the_verdict_is_ok(self):
        self.assertEqual(self.run_.summary["verdict"], "OK")
        self.assertIn("verdict OK", self.run_.out)

    def test_all_281_values_are_those_of_the_elastica(self):
        errors = self.run_.results["relative_error"]
        self.assertEqual(len(errors), 281)
        # What the protocol's table asks of this model; the next test says what
        # the model really achieves.
        self.assertLessEqual(max(errors), 1e-5)
        self.assertLessEqual(self.run_.summary["max_relative_error"], 1e-5)

    def test_the_error_is_that_of_the_constraint_stiffness(self):
        # A stiffness that stands for "does not stretch" makes the curve wrong by
        # 0.5 Gamma over that stiffness, as prm/cantilever.prm says; 2e-8 is for
        # the discretisation and the tolerance of Newton's method.
        used = self.run_.used_parameters
        stiffness = float(used["Kirchhoff rod/Constraint stiffness"])
        table = self.run_.results
        for gamma, error in zip(table["gamma"], table["relative_error"]):
            self.assertLessEqual(error, 0.5 * gamma / stiffness + 2e-8, f"Gamma = {gamma}")

    def test_at_most_100_elements_are_needed(self):
        used = self.run_.used_parameters
        self.assertLessEqual(int(used["Kirchhoff rod/Elements"]), 100)
        self.assertEqual(used["Cantilever/Extensible"], "false")

    def test_columns(self):
        self.assertEqual(self.run_.results.header, COLUMNS)

    def test_the_table_says_the_same_as_the_master_curve(self):
        table, master = self.run_.results, Table(ROOT / "reference" / "cantilever.csv")
        for i, gamma in enumerate(table["gamma"]):
            self.assertTrue(math.isclose(gamma, 10 ** (-3 + 0.025 * i), rel_tol=1e-12))
        self.assertEqual(table["reference"], master["aspect_ratio"])
        ratio = np.array(table["aspect_ratio"]) / np.array(table["reference"])
        # Differences of numbers near 1 carry their round-off.
        np.testing.assert_allclose(table["relative_error"], np.abs(ratio - 1), atol=5e-16)

    def test_summary(self):
        summary, table = self.run_.summary, self.run_.results
        self.assertEqual(set(summary), SUMMARY)
        self.assertEqual(summary["study"], "cantilever")
        self.assertEqual(summary["model"], "kirchhoff rod")
        self.assertEqual((summary["samples"], summary["failed"]), (281, 0))
        self.assertEqual(summary["ranks"], 1)
        self.assertIn(summary["answer"], self.run_.out)
        self.assertEqual(summary["newton_iterations"], sum(table["iterations"]))
        self.assertEqual(summary["max_relative_error"], max(table["relative_error"]))
        self.assertGreater(summary["seconds"], 0)
        self.assertRegex(summary["version"], r"^\d+\.\d+\.\d+$")

    def test_the_distance_is_that_of_hausdorff(self):
        table = self.run_.results
        expected = hausdorff_distance(table["gamma"], table["aspect_ratio"], table["reference"])
        # The distance is 3e-9 itself: round-off of numbers of order one.
        self.assertAlmostEqual(self.run_.summary["distance"], expected, delta=1e-13)

    def test_files(self):
        found = {path.name for path in self.run_.directory.iterdir()}
        self.assertEqual(found, FILES)
        log = (self.run_.directory / "log.txt").read_text()
        # All that was said but where it was written to.
        self.assertEqual(log + self.run_.out.splitlines()[-1] + "\n", self.run_.out)


class ExtensibleRod(ProgramTest):
    def test_the_recipes_own_rod_stretches(self):
        settings = {"Cantilever/Extensible": "true"}
        run = self.study("cantilever.prm", settings=settings)
        self.assertEqual(run.summary["verdict"], "OK")
        # Some 1e-4 at Gamma = 10^4: 0.5 Gamma / (EA L^2/EI) = 0.125 Gamma r^2/L^2
        # = 3e-4 is the scale of the effect, far above the discretisation error.
        self.assertGreater(run.summary["max_relative_error"], 1e-5)
        self.assertLess(run.summary["max_relative_error"], 1e-3)
        errors = run.results["relative_error"]
        self.assertEqual(errors.index(max(errors)), 280)
        print(f"error of the extensible rod: {max(errors):.2e}")


class Distance(ProgramTest):
    def test_a_large_distance_is_that_of_hausdorff_too(self):
        settings = {"Kirchhoff rod/Elements": 1, "Kirchhoff rod/Degree": 1}
        run = self.study("cantilever.prm", settings=settings)
        table = run.results
        expected = hausdorff_distance(table["gamma"], table["aspect_ratio"], table["reference"])
        self.assertAlmostEqual(run.summary["distance"], expected, delta=1e-12)
        # The protocol's limit is 5 % of the plot.
        self.assertGreater(expected, 0.05)
        self.assertEqual(run.summary["verdict"], "KO")

    def test_one_sample_is_a_sweep_too(self):
        settings = {"Cantilever/First exponent": 2, "Cantilever/Last exponent": 2}
        run = self.study("cantilever.prm", output="one", settings=settings)
        self.assertEqual(len(run.results), 1)
        self.assertEqual(run.summary["verdict"], "OK")
        self.assertLess(run.summary["distance"], 1e-6)


if __name__ == "__main__":
    main()
