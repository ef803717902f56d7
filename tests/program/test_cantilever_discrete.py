# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Cantilever protocol with the discrete elastic rod: cantilever_der.prm."""

from support import ProgramTest, main

SEGMENTS = "Discrete elastic rod/Segments"
GRADING = "Discrete elastic rod/Grading"


class DiscreteElasticRod(ProgramTest):
    def test_graded_segments(self):
        run = self.study("cantilever_der.prm")
        self.assertEqual(run.used_parameters[SEGMENTS], "300")
        self.assertGreater(float(run.used_parameters[GRADING]), 1)
        self.assertEqual(len(run.results), 281)
        self.assertEqual(run.summary["failed"], 0)
        self.assertEqual(run.summary["verdict"], "OK")
        # Asked for: 1e-3. A second-order method with a grading that fits the
        # boundary layer of thickness Gamma^-1/2 does better; the file says 2e-4.
        self.assertLessEqual(run.summary["max_relative_error"], 2e-4)

    def test_uniform_segments(self):
        run = self.study("cantilever_der.prm", output="uniform", settings={GRADING: 1})
        self.assertEqual(run.summary["verdict"], "OK")
        errors = run.results["relative_error"]
        # 0.75 % at Gamma = 10^4, where a boundary layer of 0.01 lengths has three
        # segments, as the file says.
        self.assertLess(max(errors), 1e-2)
        self.assertGreater(max(errors), 1e-3)
        self.assertEqual(errors.index(max(errors)), 280)
        print(f"error with uniform segments: {max(errors):.2e}")


class Refinement(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.errors = {}  # by grading and number of segments, at 10^-3, 10, …, 10^4
        for grading in (1, 30):
            for n in (75, 150, 300, 600):
                settings = {SEGMENTS: n, GRADING: grading, "Cantilever/Exponent step": 1}
                run = cls.study("cantilever_der.prm", output=f"{grading}_{n}", settings=settings)
                table = run.results
                cls.errors[grading, n] = dict(zip(table["gamma"], table["relative_error"]))

    def ratios(self, grading, gamma):
        errors = [self.errors[grading, n][gamma] for n in (75, 150, 300, 600)]
        print(f"grading {grading}, Gamma = {gamma}:", *[f"{e:.3e}" for e in errors])
        return [coarse / fine for coarse, fine in zip(errors, errors[1:])]

    def test_graded_segments_converge_with_order_two(self):
        # The next term of the error is of relative order 1/n: 4 (1 + 0.8/n).
        for gamma in (0.001, 0.1, 1, 10):
            for ratio in self.ratios(30, gamma):
                self.assertAlmostEqual(ratio, 4, delta=0.06)

    def test_the_largest_error_approaches_order_two(self):
        # The first segments have to resolve the boundary layer.
        ratios = self.ratios(30, 10000)
        self.assertEqual(ratios, sorted(ratios))
        self.assertAlmostEqual(ratios[-1], 4, delta=0.2)

    def test_uniform_segments_converge_with_order_two(self):
        # Linear theory: the relative error is 1/n^2 up to terms of order 1/n^4.
        for n in (75, 150, 300, 600):
            self.assertAlmostEqual(self.errors[1, n][0.001] * n**2, 1, delta=1e-3)
        for ratio in self.ratios(1, 0.001):
            self.assertAlmostEqual(ratio, 4, delta=0.001)


if __name__ == "__main__":
    main()
