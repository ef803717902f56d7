# SPDX-License-Identifier: LGPL-2.1-or-later
"""The frontier of the Bend-Twist protocol, tracked as a bifurcation."""

import numpy as np

from support import ProgramTest, Table, main

# The lower part of the frontier with the nose, on small meshes.
PART = {
    "Bend twist/Largest y": 2.1,
    "Bend twist/Shapes": 2,
    "Frontier tracking/Largest step": 0.03,
    "Kirchhoff rod/Elements": 16,
    "Discrete elastic rod/Segments": 100,
    "Super helix/Elements": 30,
    "Super helix/Grading": 1,
    "Super clothoid/Elements": 16,
    "Super clothoid/Grading": 1,
}

# A general sparse factorisation on several ranks is slow for a rod.
FEW_STEPS = {
    "Kirchhoff rod/Elements": 8,
    "Frontier tracking/First step": 0.03,
    "Frontier tracking/Largest step": 0.1,
}

# Largest distance in x from the master curve. The errors of these meshes (elements
# of degree 4 and 1/Constraint stiffness; second, second and fourth order) are 5e-9,
# 4.9e-4, 6.5e-4 and 2.5e-5; half as much again is allowed.
BOUNDS = {
    "kirchhoff rod": 1e-8,
    "discrete elastic rod": 7.3e-4,
    "super helix": 1e-3,
    "super clothoid": 4e-5,
}

# Poisson's ratio 0.5, from reference/README.md.
NOSE = (0.462980523746, 0.883727122717)
LEFT_AT_2, RIGHT_AT_2 = 0.260513190610, 0.620687838940
# reference/bend_twist.py --at 2.1
RIGHT_AT_2_1 = 0.620688325717


class Frontier(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = {
            model: cls.study(
                "bend_twist.prm",
                output=model.replace(" ", "_"),
                settings={**PART, "Model": model},
            )
            for model in BOUNDS
        }

    def test_every_model_finds_the_frontier(self):
        for model, bound in BOUNDS.items():
            with self.subTest(model=model):
                run = self.runs[model]
                self.assertEqual((run.summary["verdict"], run.summary["failed"]), ("OK", 0))
                self.assertLess(run.summary["max_distance_in_x"], bound)
                # In order: from the left branch through the nose to the right one.
                table = Table(run.directory / "frontier.csv")
                x, y = table["x"], table["y"]
                self.assertEqual((y[0], y[-1]), (2.1, 2.1))
                self.assertLess(x[0], 0.27)
                self.assertGreater(x[-1], 0.61)
                self.assertGreater(min(np.diff(x)), -1e-3)
                lowest = int(np.argmin(y))
                # Between two points 0.05 apart the nose rises by 2e-3 at most.
                self.assertLess(abs(y[lowest] - NOSE[1]), 3e-3)
                self.assertLess(max(np.abs(run.results["slack"])), 1e-6)

    def test_known_values(self):
        table = Table(self.runs["kirchhoff rod"].directory / "frontier.csv")
        x, y = np.array(table["x"]), np.array(table["y"])
        lowest = int(np.argmin(y))
        left, right = slice(lowest, None, -1), slice(lowest, None)
        for branch, expected in ((left, LEFT_AT_2), (right, RIGHT_AT_2)):
            # The points are 0.05 apart in y: linear interpolation.
            self.assertAlmostEqual(np.interp(2.0, y[branch], x[branch]), expected, delta=5e-4)

    def test_a_rod_that_stretches_is_a_little_off(self):
        # The recipe's radius: EA L^2/EI = 1.6e7. What counts is the strain at the
        # hook, Gamma/phi over that: doc/tutorials/bend_twist.md. The relative
        # shift of the right branch is -1.89 times as much from y = 2 on.
        settings = {**PART, "Bend twist/Extensible": "true"}
        run = self.study("bend_twist.prm", settings=settings)
        frontier = Table(run.directory / "frontier.csv")
        x, y = frontier["x"][-1], frontier["y"][-1]
        phi = 2 * np.pi * y
        strain = (x * phi) ** 3 / phi / 1.6e7
        shift = x / RIGHT_AT_2_1 - 1
        self.assertAlmostEqual(shift / strain, -1.89, delta=0.03)
        self.assertLess(run.summary["max_distance_in_x"], 1e-5)

    def test_a_rod_on_several_ranks(self):
        # Another order of sums and another factorisation, hence perhaps another
        # number of iterations and other steps along the same curve; but it ends
        # on the edge of the box, after some thirty steps that build on each other.
        for model, ranks in (("kirchhoff rod", 3), ("super clothoid", 2)):
            settings = {**PART, **FEW_STEPS, "Model": model}
            with self.subTest(model=model, ranks=ranks):
                alone = self.study("bend_twist.prm", output="alone", settings=settings)
                settings["Ranks per sample"] = ranks
                run = self.study("bend_twist.prm", ranks=ranks, settings=settings)
                self.assertEqual(run.summary["failed"], 0)
                ours, theirs = (Table(r.directory / "frontier.csv") for r in (run, alone))
                for end in (0, -1):
                    self.assertEqual(ours["y"][end], theirs["y"][end])
                    self.assertAlmostEqual(ours["x"][end], theirs["x"][end], delta=1e-8)

    def test_another_poissons_ratio_has_another_frontier(self):
        settings = {**PART, "Bend twist/Poisson's ratio": 0.3}
        run = self.study("bend_twist.prm", settings=settings)
        self.assertEqual((run.summary["verdict"], run.summary["failed"]), ("none", 0))
        self.assertAlmostEqual(min(run.results["y"]), 0.931652, delta=3e-3)
        self.assertAlmostEqual(max(run.results["x"]), 0.580823, delta=1e-3)


if __name__ == "__main__":
    main()
