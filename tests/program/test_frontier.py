# SPDX-License-Identifier: LGPL-2.1-or-later
"""The study `frontier`: prm/frontier_column.prm, frontier_arch.prm and
frontier_twisted_column.prm."""

import cmath
import math

import numpy

from support import PRM, ProgramTest, Table, main

COLUMN = "frontier_column.prm"
ARCH = "frontier_arch.prm"
EULER = math.pi**2 / 4
GREENHILL = 2.25 * 1.866350858873895**2


def frontier(run):
    table = Table(run.directory / "frontier.csv")
    return list(zip(*[table[name] for name in table.columns]))


def twisted_column(moment, force):
    """Vanishes where a round column, clamped at both ends, buckles under a
    twisting moment and a compressive force (stiffness and length one).

    The deflection, as a complex number, solves w'''' - i M w''' + P w'' = 0:
    1, s, exp(i a s) and exp(i b s) with a, b = M/2 +- sqrt(M^2/4 + P).
    """
    root = math.sqrt(moment**2 / 4 + force)
    waves = [1j * (moment / 2 + root), 1j * (moment / 2 - root)]
    matrix = numpy.array(
        [
            [1, 0, 1, 1],
            [0, 1, *waves],
            [1, 1, *[cmath.exp(w) for w in waves]],
            [0, 1, *[w * cmath.exp(w) for w in waves]],
        ]
    )
    return (numpy.linalg.det(matrix) * cmath.exp(-0.5j * moment)).imag


def buckling_force(moment, guess):
    """The root next to a guess."""
    low, high = guess - 0.2, guess + 0.2
    sign = twisted_column(moment, low)
    assert sign * twisted_column(moment, high) < 0
    while high - low > 1e-11:
        middle = (low + high) / 2
        if twisted_column(moment, middle) * sign > 0:
            low = middle
        else:
            high = middle
    return low


class TwistedColumn(ProgramTest):
    """Two modes are critical at each point."""

    def check(self, model, error):
        run = self.study("frontier_twisted_column.prm", settings={"Model": model})
        points = frontier(run)
        self.assertGreater(len(points), 20)
        # From the turn alone to the force alone: half the turn solves tan x = x.
        self.assertAlmostEqual(points[0][0] / (2 * 4.493409457909064), 1, delta=error)
        self.assertEqual((points[0][1], points[-1][0]), (0, 0))
        self.assertAlmostEqual(points[-1][1] / (4 * math.pi**2), 1, delta=error)
        for turn, force in points[1:-1]:
            # The twisting stiffness is one.
            exact = buckling_force(turn, force)
            self.assertLess(abs(force - exact), error * 4 * math.pi**2)

    def test_a_kirchhoff_rod(self):
        self.check("kirchhoff rod", 1e-6)

    def test_a_discrete_rod(self):
        # Of second order: 200 segments.
        self.check("discrete elastic rod", 1e-3)


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

    def test_the_formulations_agree(self):
        for method in ("Moore-Spence", "minimally augmented"):
            other = self.study(
                COLUMN, output=method, settings={"Frontier tracking/Method": method}
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

    def test_several_modes_make_a_family(self):
        run = self.study(
            COLUMN,
            output="family",
            settings={
                "Kirchhoff rod/Elements": 8,
                "Frontier/Which": "1, 2, 3",
                "Frontier/Maximum 1": 70,
                "Frontier/Maximum 2": 20,
                "Frontier/Shapes": 0,
                "Frontier tracking/First step": 0.05,
                "Frontier tracking/Largest step": 0.2,
            },
        )
        table = Table(run.directory / "frontier.csv")
        for n in (1, 2, 3):
            forces = [float(r["end_force"]) for r in table.rows if r["which"] == str(n)]
            self.assertAlmostEqual(forces[0] / ((2 * n - 1) ** 2 * EULER), 1, delta=1e-6)
            self.assertEqual(forces, sorted(forces, reverse=True))
        self.assertEqual({r["which"] for r in run.results.rows}, {"1", "2", "3"})
        self.assertEqual(run.summary["answer"], "3 frontiers were tracked")

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

    def test_it_goes_on_beyond_a_cusp(self):
        run = self.study(
            ARCH,
            output="cusp",
            settings={"Frontier/Minimum 2": 0, "Frontier/Maximum 2": 0.1},
        )
        (cusp,) = run.results.of_kind("CP")
        # Back to where it began, on the other fold.
        folds = self.study("branch_arch.prm", output="branch").results.of_kind("LP")
        for end in (0, -1):
            self.assertAlmostEqual(frontier(run)[end][1], 0, delta=1e-12)
        for end, fold in ((0, folds[0]), (-1, folds[1])):
            self.assertAlmostEqual(
                frontier(run)[end][0] / float(fold["gravity"]), 1, delta=1e-6
            )
        # Where the branch itself has no folds any more.
        below, beyond = 0.0304, 0.0308
        for displacement, n_folds in ((below, 2), (beyond, 0)):
            branch = self.study(
                "branch_arch.prm", output="branch", settings={"End/Displacement": displacement}
            )
            self.assertEqual(branch.summary["folds"], n_folds)
        self.assertLess(below, float(cusp["end_displacement"]))
        self.assertLess(float(cusp["end_displacement"]), beyond)
        self.assertIn("a cusp at (gravity, end displacement)", run.out)


class Tilt(ProgramTest):
    """Folds of a column whose clamp is tilted: they meet in a cusp at Euler's load of
    the upright one."""

    def test_the_cusp_is_the_pitchfork(self):
        column = {"Kirchhoff rod/Elements": 8, "Branch/Requested values": ""}
        tilt = self.study(
            "branch_euler.prm",
            output="tilt",
            settings={
                **column,
                "Branch/Parameter": "start rotation",
                "Branch/Minimum": -0.2,
                "Branch/Maximum": 1,
                "Branch/Start value": 1,
                "Loads/End force": 4,
            },
        )
        snap = self.study(
            "branch_euler.prm",
            output="snap",
            settings={
                **column,
                "Branch/Start run": tilt.directory,
                "Branch/Start label": tilt.results.rows[-1]["label"],
                "Branch/Direction": "down",
                "Branch/Maximum": 6,
            },
        )
        run = self.study(
            COLUMN,
            output="folds",
            settings={
                "Kirchhoff rod/Elements": 8,
                "Frontier/Kind": "fold",
                "Frontier/Start run": snap.directory,
                "Frontier/Start label": snap.results.of_kind("LP")[0]["label"],
                "Frontier/Minimum 1": 2,
                "Frontier/Maximum 1": 6,
                "Frontier/Start value 1": "",
                "Frontier/Parameter 2": "start rotation",
                "Frontier/Minimum 2": -0.6,
                "Frontier/Maximum 2": 0.6,
            },
        )
        (cusp,) = run.results.of_kind("CP")
        self.assertAlmostEqual(float(cusp["end_force"]) / EULER, 1, delta=1e-6)
        self.assertAlmostEqual(float(cusp["start_rotation"]), 0, delta=1e-7)
        # Beyond it the mirror image.
        ends = [point for point in frontier(run) if abs(point[1]) == 0.6]
        self.assertEqual(len(ends), 2)
        self.assertAlmostEqual(ends[0][0], ends[1][0], delta=1e-6)


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
