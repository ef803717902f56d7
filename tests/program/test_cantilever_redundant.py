# SPDX-License-Identifier: LGPL-2.1-or-later
"""The redundant Cantilever: rods of all sizes and stiffnesses fall on one curve."""

import itertools
import math

from support import PRM, ROOT, ProgramTest, Table, main, read_parameters

LENGTHS = (0.5, 0.8)  # m
THICKNESSES = (1e-3, 2.5e-3)  # m
DENSITY = 1287  # kg/m^3
GRAVITY = 9.81  # m/s^2


def gravito_bending(length, thickness, modulus):
    area = math.pi * thickness**2 / 4
    second_moment = math.pi * thickness**4 / 64
    return DENSITY * area * GRAVITY * length**3 / (modulus * second_moment)


class RedundantSweep:
    """What holds for both models; `bound` is on the largest deviation."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study("cantilever_redundant.prm", settings={"Model": cls.model})

    def test_no_sample_fails(self):
        summary = self.run_.summary
        self.assertEqual((summary["samples"], summary["failed"]), (100, 0))
        self.assertEqual(len(self.run_.results), 100)

    def test_all_samples_collapse_on_the_curve(self):
        summary = self.run_.summary
        self.assertEqual(summary["verdict"], "OK")
        self.assertLess(summary["distance"], 1e-3)
        self.assertLess(summary["max_relative_error"], self.bound)
        print(f"{self.model}: largest deviation {summary['max_relative_error']:.2e}")

    def test_the_samples_are_those_of_the_recipe(self):
        table = self.run_.results
        expected = [
            (length, thickness, 10 ** (10 - 0.25 * i))
            for length, thickness, i in itertools.product(LENGTHS, THICKNESSES, range(25))
        ]
        # In the order in which they are computed: the softer, the farther along.
        found = list(zip(table["length"], table["thickness"], table["young_modulus"]))
        self.assertEqual(len(found), len(expected))
        for sample, wanted in zip(found, expected):
            for a, b in zip(sample, wanted):
                self.assertTrue(math.isclose(a, b, rel_tol=1e-12), (sample, wanted))

    def test_gamma_follows_from_size_and_material(self):
        table = self.run_.results
        samples = zip(table["length"], table["thickness"], table["young_modulus"])
        for gamma, sample in zip(table["gamma"], samples):
            self.assertTrue(math.isclose(gamma, gravito_bending(*sample), rel_tol=1e-12))


class KirchhoffRod(RedundantSweep, ProgramTest):
    model = "kirchhoff rod"
    # 0.5 Gamma over the constraint stiffness: 5e-6 at Gamma = 10^7.
    bound = 1e-5

    def test_the_deviation_is_that_of_the_constraint_stiffness(self):
        settings = read_parameters(PRM / "cantilever_redundant.prm")
        stiffness = float(settings["Kirchhoff rod/Constraint stiffness"])
        table = self.run_.results
        for gamma, error in zip(table["gamma"], table["relative_error"]):
            self.assertLess(error, 0.6 * gamma / stiffness + 1e-7, f"Gamma = {gamma}")

    def test_the_reference_joins_the_master_curve_smoothly(self):
        # Values between those of the table and beyond it are computed: within
        # it, they have to lie between their neighbours; far beyond, on the
        # asymptote sqrt(Gamma/2) (1 - c Gamma^-1/2), whose next term is of
        # order 1/Gamma.
        master = Table(ROOT / "reference" / "cantilever.csv")
        known = list(zip(master["gamma"], master["aspect_ratio"]))
        slope = 1 - 1 / math.sqrt(2) + math.pi / (2 * math.sqrt(2))
        for gamma, value in zip(self.run_.results["gamma"], self.run_.results["reference"]):
            if gamma > 1e4:
                asymptote = math.sqrt(gamma / 2) * (1 - slope / math.sqrt(gamma))
                self.assertLess(abs(value / asymptote - 1), 2 / gamma)
            elif gamma > 1e-3:
                below = max(y for x, y in known if x <= gamma)
                above = min(y for x, y in known if x >= gamma)
                self.assertTrue(below <= value <= above, f"Gamma = {gamma}")


class DiscreteElasticRod(RedundantSweep, ProgramTest):
    model = "discrete elastic rod"
    # Second order in segments that grow by a factor of 1000: 6e-4 with 300.
    bound = 1e-3


if __name__ == "__main__":
    main()
