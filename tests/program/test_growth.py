# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shells that grow: their parameters, and the study growth."""

import math

import numpy as np

from support import PRM, ROOT, ProgramTest, main

SQUARE = "growth/square_to_sphere.prm"
STRIP = "growth/paper_strip.prm"
ANNULUS = "growth/drying_annulus.prm"
DISK = "growth/disk_to_sphere.prm"


def cells(along_u, along_v, degree=3):
    return {
        "Surface/Cells along u": along_u,
        "Surface/Cells along v": along_v,
        "Koiter shell/Degree": degree,
    }


SMALL_STRIP = {**cells(5, 2), "Time/Step": 0.5, "Diffusion/Source top": "t < 1.01 ? 2 : 0"}
SMALL_ANNULUS = {**cells(8, 1), "Time/End": 0.02, "Time/Rows every": 0.005, "Time/Tolerance": 1e-4}

# Coarse, short and as easy as possible: that an example runs, and no more.
COARSE = {
    "square_to_sphere": cells(2, 2),
    "disk_to_sphere": {"Surface/Cells along u": 2, "Growth/Amount": 0.005, "Time/Step": 0.5},
    "paper_strip": SMALL_STRIP,
    "drying_annulus": SMALL_ANNULUS,
    "punctured_disk": {**cells(8, 2), "Time/Step": 0.25, "Growth/Expansion": -0.05},
    "pasta": {**cells(4, 5), "Time/Step": 0.5, "Growth/Amount": 0.1},
    "melting_sphere": {**cells(8, 4), "Time/End": 0.01, "Time/Rows every": 0.005},
    "melting_torus": {"Time/End": 0.004, "Time/Rows every": 0.002},
    "inverse_strip": cells(8, 2),
    "lens": {"Surface/Cells along u": 2, "Branch/Maximum": 0.3},
    "disk_threshold": {"Frontier/Maximum 2": 0.021, "Frontier/Minimum 2": 0.019},
    "leaf_edge": {**cells(4, 1), "Branch/Maximum": 0.01},
}


class Examples(ProgramTest):
    def test_every_example_runs(self):
        examples = sorted(PRM.glob("growth/*.prm"))
        self.assertEqual({prm.stem for prm in examples}, set(COARSE))
        for prm in examples:
            with self.subTest(prm=prm.stem):
                run = self.study(f"growth/{prm.name}", settings=COARSE[prm.stem], cwd=ROOT)
                self.assertEqual(run.summary["failed"], 0)
                self.assertGreater(len(run.results), 1)


class Prescribed(ProgramTest):
    def test_a_square_becomes_a_piece_of_a_sphere(self):
        run = self.study(SQUARE, settings=cells(4, 4))
        # Two corners of the square in the plane are still a unit apart.
        self.assertAlmostEqual(run.results["b_x"][-1], 1, delta=1e-4)
        # So is the third from the first.
        rise = run.results["c_y"][-1] + 0.5
        self.assertAlmostEqual(rise, 1, delta=1e-4)
        self.assertLess(run.results["energy"][-1], 0.1 * max(run.results["energy"]))


class Paper(ProgramTest):
    def test_a_strip_that_is_painted_curls_and_flattens(self):
        run = self.study(STRIP, settings=SMALL_STRIP)
        z = np.array(run.results["end_z"])
        time = np.array(run.results["time"])
        peak = time[np.argmin(z)]
        self.assertLess(z.min(), -2e-3)
        self.assertTrue(0.5 <= peak <= 3)
        self.assertLess(abs(z[-1]), 0.1 * abs(z.min()))
        # All that was painted on is still there: 2 percent above, none below.
        content = np.array(run.results["moisture_content"])
        volume = 0.08 * 0.02 * 1e-4
        self.assertAlmostEqual(content[-1] / volume, 1.0, delta=1e-9)

    def test_the_curvature_is_that_of_the_moisture(self):
        # Evenly wet above, with nothing that spreads: b = -mu m/h along the strip.
        settings = {
            **cells(6, 2),
            "Shell/Poisson's ratio": 0,
            "Growth/Expansion": "0, 0.001",
            "Growth/Moisture top": 1,
            "Diffusion/Coefficients": 0,
            "Diffusion/Source top": 0,
            "Time/End": 1,
            "Time/Step": 0.5,
        }
        run = self.study(STRIP, settings=settings)
        stretch = (1.001**2 + 1) / 2
        curvature = (1.001**2 - 1) / 2e-4 / stretch
        length = 0.08 * math.sqrt(stretch)
        expected = (math.cos(curvature * length) - 1) / curvature
        self.assertAlmostEqual(run.results["end_z"][-1] / expected, 1, delta=1e-3)


class Inverse(ProgramTest):
    def test_moisture_that_was_computed_from_a_shape_gives_that_shape(self):
        # At full growth: stretch sqrt(a), curvature b/a of a curve of length 1.
        run = self.study("growth/inverse_strip.prm")
        x = (np.arange(20000) + 0.5) / 20000
        wanted = 8 * np.sin(2 * np.pi * x)
        metric = 1 - 2 / 3 * 0.01 * wanted
        angle = np.cumsum(wanted / np.sqrt(metric)) / 20000
        angle -= wanted / np.sqrt(metric) / 40000
        for name, way in (("end_x", np.cos(angle)), ("end_z", np.sin(angle))):
            expected = np.mean(np.sqrt(metric) * way)
            self.assertAlmostEqual(run.results[name][-1], expected, delta=1.5e-3)


class Ranks(ProgramTest):
    def test_several_ranks_find_what_one_finds(self):
        for prm, settings, column in ((STRIP, SMALL_STRIP, "end_z"), (ANNULUS, SMALL_ANNULUS, "energy")):
            alone = self.study(prm, settings=settings, output="alone")
            for ranks in (2, 3):
                run = self.study(
                    prm,
                    settings={**settings, "Ranks per sample": ranks},
                    ranks=ranks,
                    output=f"on_{ranks}",
                )
                ours, theirs = (np.array(r.results[column]) for r in (run, alone))
                self.assertEqual(len(ours), len(theirs))
                self.assertLess(np.abs(ours - theirs).max(), 1e-8 * np.abs(theirs).max())


class Wrong(ProgramTest):
    def test_what_cannot_grow_is_refused(self):
        for prm, settings, words in (
            (SQUARE, {"Growth/Metric 12": "3"}, ("not positive definite", "at (")),
            (SQUARE, {"Growth/Metric 11": "1 +* x"}, ("is no formula",)),
            (SQUARE, {"Growth/Metric 11": "1/(x-x)"}, ("not a finite number",)),
            (SQUARE, {"Growth/Thickness factor": "-1"}, ("below zero",)),
            (SQUARE, {"Growth/Law": "swelling"}, ("says something only where", "prescribed")),
            (STRIP, {"Growth/Law": "none", "Growth/Expansion": "0"}, ("nothing grows",)),
            (STRIP, {"Diffusion/Coefficients": "-1"}, ("Coefficients",)),
            (STRIP, {"Diffusion/Coefficients": "1, 2"}, ("one number or three",)),
            (STRIP, {"Diffusion/Source top": "q"}, ("is no formula",)),
            (STRIP, {"Diffusion/Surroundings top": "1"}, ("Exchange top",)),
            (STRIP, {"Diffusion/Exchange top": "-1"}, ("below zero",)),
            (STRIP, {"Damping/Bending": "1"}, ("'Way' is 'motion'",)),
            (STRIP, {"Process/Perturbation": "1"}, ("'Way' is 'motion'",)),
            (STRIP, {"Growth/Amount": "2"}, ("Amount",)),
            (STRIP, {"Edge 1/Hold": "free"}, ()),
            (STRIP, {"Model": "kirchhoff rod"}, ()),
        ):
            with self.subTest(settings=settings):
                self.refuse(PRM / prm, settings=settings, expected=words)


if __name__ == "__main__":
    main()
