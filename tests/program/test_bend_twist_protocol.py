# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Bend-Twist protocol on a grid of samples (recipe manual, Algorithm 3)."""

from support import PRM, ProgramTest, main

# Eight of the recipe's rows and columns apart.
COARSE = {
    "Bend twist/Rows": 4,
    "Bend twist/Columns": 6,
    "Bend twist/Shapes": 4,
    "Kirchhoff rod/Elements": 30,
    "Discrete elastic rod/Segments": 300,
}


class Protocol(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.alone = cls.study("bend_twist_protocol.prm", output="alone", settings=COARSE)

    def test_states_of_a_coarse_grid(self):
        self.check_states(self.alone)
        for model in ("discrete elastic rod", "super clothoid"):
            with self.subTest(model=model):
                run = self.study("bend_twist_protocol.prm", settings={**COARSE, "Model": model})
                self.check_states(run)

    def check_states(self, run):
        summary, table = run.summary, run.results
        self.assertEqual((summary["samples"], summary["failed"]), (24, 0))
        self.assertEqual((summary["misclassified"], summary["misclassified_away"]), (0, 0))
        self.assertEqual(table.columns, ["x", "y", "measure", "state", "expected", "iterations"])
        states = table.words("state")
        # From the table in reference/README.md: none is within 1 % of the frontier.
        self.assertEqual("".join("#" if s == "3D" else "." for s in states[:6]), "......")
        self.assertEqual("".join("#" if s == "3D" else "." for s in states[18:]), "#####.")
        for state, measure in zip(states, table["measure"]):
            # Symmetry is exact, and a twisted rod is twisted a lot.
            if state == "2D":
                self.assertLess(measure, 1e-8)
            else:
                self.assertGreater(measure, 0.1)
        self.assertAlmostEqual(table["x"][1] / table["x"][0], (0.95 / 0.105) ** 0.2, places=12)

    def test_rows_go_to_ranks(self):
        run = self.study("bend_twist_protocol.prm", ranks=3, settings=COARSE)
        for name in ("results.csv", "frontier.csv"):
            self.assertEqual(
                (run.directory / name).read_bytes(), (self.alone.directory / name).read_bytes()
            )

    def test_a_wrong_frontier_is_noticed(self):
        # A tolerance that takes hardly twisted shapes for planar ones.
        settings = {**COARSE, "Bend twist/Twist tolerance": 5}
        run = self.study("bend_twist_protocol.prm", settings=settings)
        self.assertEqual(run.summary["verdict"], "KO")
        self.assertGreaterEqual(run.summary["misclassified_away"], 3)
        remarks = [line for line in run.results.remarks if line.startswith("misclassified: ")]
        self.assertEqual(len(remarks), run.summary["misclassified"])
        self.assertIn("is 2D instead of 3D", remarks[0])
        self.assertIn(remarks[0], (run.directory / "log.txt").read_text())

    def test_another_mode_is_refused(self):
        settings = {"Bend twist/Mode": "map"}
        process = self.program(PRM / "bend_twist.prm", output="map", settings=settings)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        for words in ("'Mode' in section 'Bend twist'", "'map'", "'frontier' or 'protocol'"):
            self.assertIn(words, process.stderr)
        self.assertFalse((self.directory / "map").exists())


if __name__ == "__main__":
    main()
