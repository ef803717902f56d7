# SPDX-License-Identifier: LGPL-2.1-or-later
"""The study `frontier`: prm/frontier_column.prm and prm/frontier_arch.prm."""

import math

from support import PRM, ProgramTest, Table, main

COLUMN = "frontier_column.prm"
ARCH = "frontier_arch.prm"
EULER = math.pi**2 / 4
GREENHILL = 2.25 * 1.866350858873895**2


def frontier(run):
    table = Table(run.directory / "frontier.csv")
    return list(zip(*[table[name] for name in table.columns]))


class Column(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study(COLUMN, output="column")

    def test_it_meets_euler_and_greenhill(self):
        points = frontier(self.run_)
        self.assertEqual(
            Table(self.run_.directory / "frontier.csv").columns, ["end_force", "gravity"]
        )
        # It starts where there is no weight.
        self.assertAlmostEqual(points[0][0], EULER, delta=1e-6)
        self.assertEqual(points[0][1], 0)
        # From there the force falls as the weight grows, to below zero: a
        # column that hangs from a string.
        forces = [force for force, _ in points]
        self.assertEqual(forces, sorted(forces, reverse=True))
        self.assertEqual(points[-1][1], 15)
        ((f0, g0), (f1, g1)) = next(
            (a, b) for a, b in zip(points, points[1:]) if a[0] >= 0 > b[0]
        )
        # The chord of a nearly straight curve.
        self.assertAlmostEqual(g0 + (g1 - g0) * f0 / (f0 - f1), GREENHILL, delta=2e-3)

    def test_the_two_formulations_agree(self):
        other = self.study(
            COLUMN,
            output="augmented",
            settings={"Frontier tracking/Method": "minimally augmented"},
        )
        for end in (0, -1):
            self.assertAlmostEqual(
                frontier(self.run_)[end][0], frontier(other)[end][0], delta=1e-8
            )

    def test_ranks_do_not_matter(self):
        # A general sparse factorisation on several ranks is slow for a rod.
        short = {
            "Kirchhoff rod/Elements": 6,
            "Frontier tracking/First step": 0.05,
            "Frontier tracking/Largest step": 0.1,
        }
        curves = [
            frontier(
                self.study(
                    COLUMN,
                    output=f"column{ranks}",
                    ranks=ranks,
                    settings={**short, "Ranks per sample": ranks or 1},
                )
            )
            for ranks in (None, 2, 3)
        ]
        # In units of the box of 6 by 15, in which steps are measured.
        for curve in curves[1:]:
            self.assertEqual(len(curve), len(curves[0]))
            for a, b in zip(curves[0], curve):
                self.assertAlmostEqual(a[0], b[0], delta=1e-8 * 6)
                self.assertAlmostEqual(a[1], b[1], delta=1e-8 * 15)

    def test_it_starts_from_a_label_of_a_branch(self):
        branch = self.study("branch_euler.prm", output="branch")
        label = branch.results.of_kind("BP")[0]["label"]
        run = self.study(
            COLUMN,
            output="from_label",
            settings={
                "Frontier/Start run": branch.directory,
                "Frontier/Start label": label,
            },
        )
        for end in (0, -1):
            self.assertAlmostEqual(
                frontier(self.run_)[end][0], frontier(run)[end][0], delta=1e-8
            )

    def test_points_are_regular_pitchforks(self):
        self.assertLess(max(map(abs, self.run_.results["slack"])), 1e-8)
        fields = self.run_.directory / "fields"
        self.assertGreater(len(list(fields.glob("shapes_*.vtp"))), 20)
        self.assertEqual(
            len(list(fields.glob("modes_*.vtp"))), len(list(fields.glob("shapes_*.vtp")))
        )


class Arch(ProgramTest):
    def test_a_fold_is_tracked(self):
        run = self.study(ARCH, output="arch")
        branch = self.study("branch_arch.prm", output="branch")
        fold = float(branch.results.of_kind("LP")[0]["gravity"])
        at_zero = [gravity for gravity, displacement in frontier(run) if displacement == 0]
        self.assertEqual(len(at_zero), 1)
        self.assertAlmostEqual(at_zero[0], fold, delta=1e-7 * fold)

    def test_it_ends_at_a_cusp(self):
        run = self.study(
            ARCH, output="cusp", expected_code=2, settings={"Frontier/Maximum 2": 0.1}
        )
        # Rows are in the order of computation, the frontier is in one piece.
        (stopped,) = run.results.of_kind("MX")
        self.assertEqual(float(stopped["end_displacement"]), frontier(run)[-1][1])
        # Where the branch itself has no folds any more.
        below, beyond = 0.0304, 0.0308
        for displacement, n_folds in ((below, 2), (beyond, 0)):
            branch = self.study(
                "branch_arch.prm", output="branch", settings={"End/Displacement": displacement}
            )
            self.assertEqual(branch.summary["folds"], n_folds)
        self.assertLess(below, frontier(run)[-1][1])
        self.assertLess(frontier(run)[-1][1], beyond)


class WrongUse(ProgramTest):
    """Exit code 1, one line, nothing created."""

    def refuse_settings(self, settings, *expected):
        options = {"settings": settings, "output": self.directory / "wrong"}
        self.refuse(PRM / COLUMN, expected=expected, may_have_begun=True, **options)

    def test_settings(self):
        for settings, expected in (
            ({"Frontier/Parameter 2": "gravitie"}, ("'gravitie'", "did you mean 'gravity'?")),
            ({"Frontier/Parameter 2": "end force"}, ("have to be different",)),
            ({"Frontier/Maximum 1": -4}, ("the range is empty",)),
            ({"Frontier/Start value 2": 16}, ("outside of the range",)),
            ({"Frontier/Start run": "nowhere"}, ("'nowhere'", "no labelled points")),
        ):
            with self.subTest(settings=settings):
                self.refuse_settings(settings, *expected)

    def test_it_starts_from_a_bifurcation(self):
        branch = self.study("branch_euler.prm", output="branch")
        self.refuse_settings(
            {"Frontier/Start run": branch.directory, "Frontier/Start label": 1},
            "is of kind EP",
            "BP",
        )

    def test_there_is_none(self):
        run = self.study(
            COLUMN, output="none", expected_code=2, settings={"Frontier/Maximum 1": 2}
        )
        self.assertIn("no pitchfork was found between end force", run.out)


if __name__ == "__main__":
    main()
