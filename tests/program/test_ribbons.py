# SPDX-License-Identifier: LGPL-2.1-or-later
"""Ribbons: the protocols of the study that judges them, and what is refused."""

from support import PRM, ProgramTest, Table, main

SECTION = "Lateral buckling/"
STRETCHABLE, SUPER = "lateral_buckling_ribbon.prm", "lateral_buckling_super_ribbon.prm"
FEW_POINTS = {
    "Frontier tracking/First step": 0.3,
    "Frontier tracking/Largest step": 0.4,
    SECTION + "Smallest width": 0.1,
}
COARSE_MAP = {
    SECTION + "Widths": "0.2, 0.6, 1",
    SECTION + "Largest gamma": 34,
    SECTION + "Smallest gamma": 10,
    SECTION + "Gamma step": 6,
    SECTION + "Shapes": 0,
}


class Cantilever(ProgramTest):
    def test_twenty_equal_elements_pass(self):
        run = self.study("cantilever_super_ribbon.prm")
        summary = run.summary
        self.assertEqual((summary["verdict"], summary["failed"]), ("OK", 0))
        self.assertEqual(summary["samples"], 281)
        graded = {"Super ribbon/Grading": 50, "Cantilever/Exponent step": 0.25}
        summary = self.study("cantilever_super_ribbon.prm", settings=graded).summary
        self.assertEqual((summary["verdict"], summary["failed"]), ("OK", 0))
        self.assertLess(summary["max_relative_error"], 1e-4)

    def test_ribbons_of_all_sizes_fall_on_one_curve(self):
        summary = self.study("cantilever_super_ribbon_redundant.prm").summary
        self.assertEqual((summary["verdict"], summary["failed"]), ("OK", 0))
        self.assertEqual(summary["samples"], 100)


class LateralBuckling(ProgramTest):
    def test_a_ribbon_that_stretches_passes_on_any_number_of_ranks(self):
        settings = {**FEW_POINTS, SECTION + "Shapes": 1}
        runs = [
            self.study(STRETCHABLE, f"on_{ranks}", ranks=ranks, settings=more)
            for ranks, more in ((1, settings), (3, {**settings, "Ranks per sample": 3}))
        ]
        summary = runs[0].summary
        self.assertEqual((summary["verdict"], summary["failed"]), ("OK", 0))
        # Sections that are parabolas cost 1.7 % where the ribbon is as wide as long.
        self.assertLess(summary["max_relative_error"], 0.018)
        first, other = (Table(run.directory / "frontier.csv") for run in runs)
        for column in first.columns:
            for a, b in zip(first[column], other[column]):
                self.assertLess(abs(a / b - 1), 1e-8)
        remark = [line for line in runs[0].results.remarks if "lateral displacement" in line]
        self.assertGreater(float(remark[0].split()[-1]), 0.1)

    def test_eigenvalues_are_those_of_the_frontier(self):
        modes = {SECTION + "Mode": "eigenvalue", SECTION + "Widths": "0.1, 1", SECTION + "Modes": 1}
        modes[SECTION + "Overload"] = 0.5  # says nothing here
        loads = self.study(STRETCHABLE, "modes", settings=modes).results["gamma"]
        frontier = self.study(STRETCHABLE, "frontier", settings=FEW_POINTS).results
        ends = dict(zip(frontier["width"], frontier["gamma_critical"]))
        for width, load in zip((0.1, 1), loads):
            # They differ by what the ribbon sags before, of the order of (h/w)^2.
            self.assertLess(abs(ends[width] / load - 1), 2e-4)

    def test_samples_of_both_ribbons(self):
        def map_of(prm):
            settings = {SECTION + "Mode": "protocol", SECTION + "Overload": 0.5, **COARSE_MAP}
            run = self.study(prm, settings=settings)
            self.assertEqual(run.summary["failed"], 0)
            states = run.results.words("state")
            return "".join("#" if state == "3D" else "." for state in states), run.summary

        # Gamma = 34, 28, 22, 16, 10; the plate is at 16.2, 22.5 and 29.1.
        states, summary = map_of(STRETCHABLE)
        self.assertEqual(states, "###.." + "##..." + "#....")
        self.assertEqual(summary["misclassified"], 0)
        # The developable ribbon stays upright for longer.
        states, summary = map_of(SUPER)
        self.assertEqual(states, "##..." + "....." + ".....")
        self.assertEqual(summary["verdict"], "KO")

    def test_a_tilted_clamp_tells_the_critical_weight(self):
        settings = {
            SECTION + "Mode": "rotation",
            SECTION + "Overload": 0.5,
            SECTION + "Widths": "0.5",
            SECTION + "Gammas": "12, 16, 18, 40",
            SECTION + "Largest angle": 0.12,
            SECTION + "Angle step": 0.04,
        }
        run = self.study(STRETCHABLE, settings=settings)
        self.assertEqual((run.summary["failed"], run.summary["snaps"]), (0, 2))
        found = Table(run.directory / "frontier.csv")["gamma_critical"][0]
        # Southwell's plot of three weights.
        self.assertLess(abs(found / 20.96 - 1), 0.01)


class Refused(ProgramTest):
    def test_settings_that_ribbons_do_not_have(self):
        own = "ribbon_equilibrium.prm"
        cases = (
            (STRETCHABLE, {"Model": "super ribbon"}, "no stiffness against twist"),
            (STRETCHABLE, {SECTION + "Cells along": 9}, "ribbons have 'Elements'"),
            (STRETCHABLE, {"Model": "kirchhoff rod"}, "shells and ribbons"),
            ("bend_twist.prm", {"Model": "super ribbon"}, "about rods"),
            ("cantilever_super_ribbon.prm", {"Cantilever/Radius": 0.1}, "Radius"),
            (
                own,
                {"Rod/Section": "circular", "Rod/Width": 0.02, "Rod/Thickness": 0.005},
                "rectangular section",
            ),
            (own, {"Rod/Width": 0.00005}, "wider than it is thick"),
            (own, {"End/Hold": "clamped", "Loads/End force": 0}, "must be free"),
            (own, {"Rod/Inextensible": "true"}, "is extensible"),
            (own, {"Rod/Natural twist": 1}, "moves nothing"),
            (own, {"Model": "super ribbon", "Rod/Natural curvature 2": 1}, "moves nothing"),
            (own, {"Loads/End force follows": "true"}, "potential alone"),
        )
        for prm, settings, words in cases:
            with self.subTest(words=words):
                self.refuse(PRM / prm, settings=settings, expected=(words,))


if __name__ == "__main__":
    main()
