# SPDX-License-Identifier: LGPL-2.1-or-later
"""Knots that are pulled tight."""

import numpy as np

from support import PRM, ProgramTest, main

FILES = ("knot.prm", "knot_n2.prm", "knot_n3.prm", "knot_n4.prm")
SHORT = {"Knot/Shortening at end": 0.68}


class Trefoil(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study("knot.prm", settings=SHORT)

    def test_it_is_a_loose_loop_without_coils(self):
        # Of a circle as long as the knot 1/R = 9 per metre.
        self.assertLess(max(self.run_.results["largest_curvature"]), 20)

    def test_nothing_passes_through(self):
        table = self.run_.results
        self.assertEqual(max(table["penetration"]), 0)
        self.assertGreater(min(table["least_gap"]), 0)

    def test_the_force_is_of_the_size_of_the_theory(self):
        # Of a loose knot with thin strands; this one is neither.
        table = self.run_.results
        ratio = np.divide(table["dimensionless_force"], table["theory"])
        late = np.array(table["time"]) > 0.5
        self.assertGreater(ratio[late].min(), 1)
        self.assertLess(ratio[late].max(), 2.2)


class ImplicitContact(ProgramTest):
    def test_it_penetrates_and_hovers_by_micrometres(self):
        # The paper's method and step. The jerk with which a pull begins is over
        # after half a second; a row tells of the tenth of a second before it.
        settings = {
            "Contact/Method": "imc",
            "Knot/Time step": 5e-4,
            "Knot/Shortening at end": 0.685,
        }
        table = self.study("knot.prm", settings=settings).results
        late = np.array(table["time"]) > 0.55
        self.assertLess(np.array(table["penetration"])[late].max(), 5e-6)
        self.assertLess(np.array(table["hovering"])[late].max(), 20e-6)
        self.assertLess(sum(table["iterations"]) / sum(table["steps"]), 2.5)


class Files(ProgramTest):
    def test_all_are_valid(self):
        for name in FILES:
            with self.subTest(prm=name):
                self.assertEqual(self.program("--validate", PRM / name).returncode, 0)


if __name__ == "__main__":
    main()
