# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Lateral Buckling protocol: frontier, eigenvalues and samples."""

from support import PRM, ProgramTest, Table, main

SECTION = "Lateral buckling/"
# Known of thin plates with nu = 0.35.
KNOWN = {0.1: 14.869, 0.5: 20.808, 1: 29.147}

SMALL = {
    SECTION + "Cells along": 6,
    SECTION + "Cells across": 2,
    SECTION + "Grading along": 4,
    SECTION + "Grading across": 1,
    SECTION + "Shapes": 0,
    "Koiter shell/Degree": 3,
}
FEW_POINTS = {"Frontier tracking/First step": 0.3, "Frontier tracking/Largest step": 0.4}
COARSE_MAP = {
    **SMALL,
    SECTION + "Widths": "0.2, 0.6, 1",
    SECTION + "Largest gamma": 34,
    SECTION + "Smallest gamma": 10,
    SECTION + "Gamma step": 6,
}


class Frontier(ProgramTest):
    def test_known_points_and_a_buckled_shape(self):
        settings = {**FEW_POINTS, SECTION + "Smallest width": 0.1, SECTION + "Shapes": 1}
        run = self.study("lateral_buckling.prm", settings=settings)
        frontier = Table(run.directory / "frontier.csv")
        self.assertEqual(frontier.columns, ["width", "gamma_critical"])
        ends = dict(zip(frontier["width"], frontier["gamma_critical"]))
        for width in (0.1, 1):
            # What is demanded of the mesh of the file.
            self.assertLess(abs(ends[width] / KNOWN[width] - 1), 2e-3)
        summary = run.summary
        self.assertEqual((summary["verdict"], summary["failed"]), ("OK", 0))
        self.assertLess(summary["max_relative_error"], 2e-3)
        self.assertGreater(summary["max_relative_error"], 0)
        remark = [line for line in run.results.remarks if "lateral displacement" in line]
        self.assertEqual(len(remark), 1)
        # Half above its critical weight it is far to the side.
        self.assertGreater(float(remark[0].split()[-1]), 0.1)

    def test_a_plate_is_shared_by_ranks(self):
        settings = {**SMALL, **FEW_POINTS}
        alone = self.study("lateral_buckling.prm", output="alone", settings=settings)
        expected = Table(alone.directory / "frontier.csv")
        for ranks in (2, 3):
            with self.subTest(ranks=ranks):
                shared = {**settings, "Ranks per sample": ranks}
                run = self.study("lateral_buckling.prm", ranks=ranks, settings=shared)
                found = Table(run.directory / "frontier.csv")
                self.assertEqual(len(found), len(expected))
                for column in found.columns:
                    for a, b in zip(found[column], expected[column]):
                        self.assertLess(abs(a / b - 1), 1e-8)

    def test_without_a_master_curve_there_is_no_verdict(self):
        settings = {**SMALL, **FEW_POINTS, SECTION + "Poisson's ratio": 0.1}
        run = self.study("lateral_buckling.prm", settings=settings)
        self.assertEqual(run.summary["verdict"], "none")
        self.assertGreater(len(run.results), 2)


class Eigenvalue(ProgramTest):
    def test_known_points(self):
        settings = {
            SECTION + "Widths": ", ".join(map(str, KNOWN)),
            SECTION + "Cells along": 8,
            SECTION + "Cells across": 4,
            SECTION + "Modes": 2,
        }
        run = self.study("lateral_buckling_eigenvalue.prm", ranks=2, settings=settings)
        rows = list(zip(run.results["width"], run.results["mode"], run.results["gamma"]))
        self.assertEqual(len(rows), 6)
        for width, mode, gamma in rows:
            if mode == 1:
                # This mesh leaves 1.2e-4, the digits of what is known 3e-5.
                self.assertLess(abs(gamma / KNOWN[width] - 1), 2e-4)
            else:
                self.assertGreater(gamma, 2 * KNOWN[width])
        self.assertEqual(len(list((run.directory / "fields").glob("modes*.vtu"))), 6)
        self.assertEqual(run.summary["verdict"], "OK")


class Protocol(ProgramTest):
    def test_states_of_a_coarse_grid_on_any_number_of_ranks(self):
        runs = [
            self.study("lateral_buckling_protocol.prm", ranks=ranks, settings=COARSE_MAP)
            for ranks in (1, 2, 3)
        ]
        table, summary = runs[0].results, runs[0].summary
        self.assertEqual(table.columns[:4], ["width", "gamma", "lateral_displacement", "state"])
        states = ["#" if row[3] == "3D" else "." for row in table.rows]
        # Gamma = 34, 28, 22, 16, 10; the frontier is at 16.2, 22.5 and 29.1.
        self.assertEqual("".join(states), "###.." + "##..." + "#....")
        self.assertEqual((summary["samples"], summary["failed"]), (15, 0))
        self.assertEqual((summary["misclassified"], summary["misclassified_away"]), (0, 0))
        for state, displacement in zip(states, table["lateral_displacement"]):
            # Far from the tolerance of 1e-4.
            if state == "#":
                self.assertGreater(displacement, 2e-3)
            else:
                self.assertLess(displacement, 1e-8)
        for run in runs[1:]:
            self.assertEqual(run.results_bytes, runs[0].results_bytes)


class WrongUse(ProgramTest):
    def test_one_line_each(self):
        for settings, words in (
            ({SECTION + "Mode": "map"}, "'Mode' in section 'Lateral buckling'"),
            ({SECTION + "Smallest width": 2}, "'Smallest width' is not below 'Largest width'"),
            ({"Model": "kirchhoff rod"}, "about shells"),
            ({SECTION + "Mode": "protocol", SECTION + "Widths": "0.5, 0.2"}, "ascending"),
            ({SECTION + "Mode": "protocol", SECTION + "Smallest gamma": 50}, "'Smallest gamma'"),
            ({SECTION + "Thickness ratio": 0}, "'Thickness ratio'"),
            ({SECTION + "Poisson's ratio": 0.6}, "'Poisson's ratio'"),
        ):
            with self.subTest(settings=settings):
                prm = PRM / "lateral_buckling.prm"
                process = self.program(prm, output="wrong", settings=settings)
                self.assertEqual(process.returncode, 1)
                self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
                self.assertIn(words, process.stderr)
                self.assertFalse((self.directory / "wrong").exists())


if __name__ == "__main__":
    main()
