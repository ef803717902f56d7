# SPDX-License-Identifier: LGPL-2.1-or-later
"""Instabilities with a value on paper, found by the study `branch`."""

import math

from instability_cases import CASES, first_bifurcation, settings_of
from support import ProgramTest, main


class Instabilities(ProgramTest):
    def critical(self, case, model, pieces):
        prm = self.directory / "case.prm"
        prm.write_text("set Study = branch\n")
        run = self.study(prm, settings=settings_of(case, model, pieces))
        return first_bifurcation(run.results.rows, case.parameter)

    def test_finite_elements(self):
        for name, case in CASES.items():
            with self.subTest(case=name):
                value = self.critical(case, "kirchhoff rod", 8)
                print(f"{name}: {value:.9f}, {value / case.critical - 1:.1e}")
                self.assertLess(abs(value / case.critical - 1), 1e-6)

    def test_the_discrete_rod_is_of_second_order(self):
        for name, case in CASES.items():
            with self.subTest(case=name):
                errors = [
                    abs(self.critical(case, "discrete elastic rod", n) / case.critical - 1)
                    for n in (30, 60)
                ]
                order = math.log2(errors[0] / errors[1])
                print(f"{name}: {errors[1]:.1e}, order {order:.2f}")
                self.assertLess(errors[1], 1.2e-3)
                self.assertGreater(order, 1.9)
                self.assertLess(order, 2.1)


if __name__ == "__main__":
    main()
