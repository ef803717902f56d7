# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shells that grow: their parameters, and the study growth."""

import math
from pathlib import Path

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

EVENLY_WET = {
    "Shell/Poisson's ratio": 0,
    "Growth/Expansion": "0, 0.001",
    "Growth/Moisture top": 1,
    "Diffusion/Coefficients": 0,
    "Diffusion/Source top": 0,
    "Time/End": 1,
    "Time/Step": 0.5,
}


def wet_end():
    """Where the end of a strip goes down to that is evenly wet above."""
    stretch = (1.001**2 + 1) / 2
    curvature = (1.001**2 - 1) / 2e-4 / stretch
    length = 0.08 * math.sqrt(stretch)
    return (math.cos(curvature * length) - 1) / curvature


# Coarse, short and as easy as possible: that an example runs, and no more.
COARSE = {
    "square_to_sphere": cells(2, 2),
    "slab": {**cells(4, 2), "Time/End": 0.02, "Time/Step": 0.01},
    "melting_lumps": {"Time/End": 0.004, "Time/Rows every": 0.002},
    "disk_to_sphere": {"Surface/Cells along u": 2, "Growth/Amount": 0.005, "Time/Step": 0.5},
    "paper_strip": SMALL_STRIP,
    "drying_annulus": SMALL_ANNULUS,
    "drying_annulus_fibres": SMALL_ANNULUS,
    "punctured_disk": {**cells(8, 2), "Time/Step": 0.25, "Growth/Expansion": -0.05},
    "pasta": {**cells(4, 5), "Time/Step": 0.5, "Growth/Amount": 0.1},
    "melting_sphere": {**cells(8, 4), "Time/End": 0.01, "Time/Rows every": 0.005},
    "melting_torus": {"Time/End": 0.004, "Time/Rows every": 0.002},
    "inverse_strip": cells(8, 2),
    "lens": {"Surface/Cells along u": 2, "Branch/Maximum": 0.3},
    "disk_threshold": {"Frontier/Maximum 2": 0.021, "Frontier/Minimum 2": 0.019},
    "leaf_edge": {**cells(4, 1), "Branch/Maximum": 0.001, "Branch/Switching depth": 0},
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
    def test_a_thin_square_becomes_a_piece_of_a_sphere(self):
        # Of a thickness of 1e-4. Corners of the square in the plane are still a unit
        # apart, and there is no stress, but for what the cells make of a sphere: cubics
        # have curvatures to the second order, energies and places to the fourth, of
        # which halved cells of this size show 13.5 and 14.3 of 16.
        energies, errors = [], []
        for n in (4, 8):
            results = self.study(SQUARE, settings=cells(n, n), output=f"square_{n}").results
            energies.append(results["energy"][-1])
            errors.append(max(abs(results["b_x"][-1] - 1), abs(results["c_y"][-1] - 0.5)))
        self.assertLess(energies[1], energies[0] / 12)
        self.assertLess(errors[1], errors[0] / 12)
        self.assertLess(errors[1], 2.5e-6)


class Triangles(ProgramTest):
    """The same on flat triangles."""

    def test_thin_squares_become_what_their_forms_say(self):
        # Errors of the order of the square of the triangles' size.
        for name, expected in (("square_to_sphere", {"b_x": 1, "c_y": 0.5}),):
            errors = []
            for n in (4, 8):
                settings = {"Model": "midedge shell", **cells(n, n), "Midedge shell/Triangles": "alternating"}
                del settings["Koiter shell/Degree"]
                run = self.study(f"growth/{name}.prm", settings=settings, output=f"{name}_{n}")
                self.assertEqual(run.summary["failed"], 0)
                errors.append(max(abs(run.results[key][-1] - value) for key, value in expected.items()))
            self.assertLess(errors[1], 5e-3)
            self.assertLess(errors[1], 0.5 * errors[0])

    def test_paper_curls_as_the_moisture_says(self):
        # As for the Koiter shell below, with an error of the second order in cells.
        errors = []
        for n in (8, 16):
            settings = {**EVENLY_WET, "Model": "midedge shell", **cells(n, 2)}
            del settings["Koiter shell/Degree"]
            run = self.study(STRIP, settings=settings, output=f"wet_{n}")
            errors.append(abs(run.results["end_z"][-1] / wet_end() - 1))
        self.assertLess(errors[1], 0.02)
        self.assertLess(errors[1], 0.6 * errors[0])

    def test_painted_paper_keeps_its_water_and_flattens(self):
        settings = {"Model": "midedge shell", **SMALL_STRIP, **cells(10, 2)}
        del settings["Koiter shell/Degree"]
        run = self.study(STRIP, settings=settings)
        z = np.array(run.results["end_z"])
        self.assertLess(z.min(), -2e-3)
        self.assertLess(abs(z[-1]), 0.1 * abs(z.min()))
        content = run.results["moisture_content"][-1] / (0.08 * 0.02 * 1e-4)
        self.assertAlmostEqual(content, 1.0, delta=1e-9)

    def test_several_ranks_find_what_one_finds(self):
        # Whatever rough solutions do on the way: to the end of the search.
        settings = {"Time/End": 0.004, "Time/Rows every": 0.002, "Newton/Step tolerance": 1e-10}
        alone = self.study("growth/melting_lumps.prm", settings=settings, cwd=ROOT, output="alone")
        for ranks in (2, 3):
            run = self.study(
                "growth/melting_lumps.prm",
                settings={**settings, "Ranks per sample": ranks},
                ranks=ranks,
                cwd=ROOT,
                output=f"on_{ranks}",
            )
            for column in ("energy", "moisture_content", "largest_displacement"):
                ours, theirs = (np.array(r.results[column]) for r in (run, alone))
                self.assertEqual(len(ours), len(theirs))
                self.assertLess(np.abs(ours - theirs).max(), 1e-8 * np.abs(theirs).max())


class Files(ProgramTest):
    """Forms of cells from a file: those of the unit sphere at their middles."""

    HEADER = "a11, a22, a12, b11, b22, b12\n"

    def write(self, name, rows):
        path = Path(self.scratch, name)
        path.write_text(self.HEADER + "".join(rows))
        return path

    def settings(self, path, **more):
        formulas = {f"Growth/Metric {c}": v for c, v in zip(("11", "22", "12"), (1, 1, 0))}
        formulas.update({f"Growth/Curvature {c}": "" for c in ("11", "22", "12")})
        return {**formulas, **cells(4, 4), "Growth/Forms file": path, **more}

    def test_forms_of_cells(self):
        # All the same, as by formulas.
        row = "1.44, 0.81, 0, 0.3, 0, 0\n"
        path = self.write("forms.csv", [row] * 16)
        of_file = self.study(SQUARE, settings=self.settings(path), output="of_file")
        given = {"Metric 11": 1.44, "Metric 22": 0.81, "Curvature 11": 0.3, "Curvature 22": 0, "Curvature 12": 0}
        settings = self.settings("", **{f"Growth/{name}": value for name, value in given.items()})
        by_formula = self.study(SQUARE, settings=settings, output="by_formula")
        for column in ("b_x", "c_y", "energy"):
            self.assertAlmostEqual(of_file.results[column][-1], by_formula.results[column][-1], delta=1e-9)

    def test_files_that_do_not_fit_are_refused(self):
        row = "1, 1, 0, 0, 0, 0\n"
        short = self.write("short.csv", [row] * 15)
        flat = self.write("flat.csv", [row] * 7 + ["1, 1, 1.5, 0, 0, 0\n"] + [row] * 8)
        words = self.write("words.csv", [row] * 7 + ["1, 1, x, 0, 0, 0\n"] + [row] * 8)
        other = Path(self.scratch, "other.csv")
        other.write_text("a, b\n1, 2\n")
        for path, expected in (
            (short, ("15 cells", "16")),
            (flat, ("row 8", "not positive definite")),
            (words, ("row 8",)),
            (other, ("a11, a22, a12",)),
            (Path(self.scratch, "none.csv"), ("cannot read",)),
        ):
            with self.subTest(path=path):
                self.refuse(PRM / SQUARE, settings=self.settings(path), expected=expected)
        triangles = self.settings(short, **{"Model": "midedge shell"})
        del triangles["Koiter shell/Degree"]
        self.refuse(PRM / SQUARE, settings=triangles, expected=("15 cells", "32"))
        both = {**cells(4, 4), "Growth/Forms file": short}
        self.refuse(PRM / SQUARE, settings=both, expected=("by formulas and by a file",))


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
        run = self.study(STRIP, settings={**EVENLY_WET, **cells(6, 2)})
        self.assertAlmostEqual(run.results["end_z"][-1] / wet_end(), 1, delta=1e-3)


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
            # Twelve cells of degree 4; the error falls with the order 6.
            self.assertAlmostEqual(run.results[name][-1], expected, delta=1e-5)


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
            (STRIP, {"Process/Rise": "0.5"}, ("nothing spreads",)),
            (SQUARE, {"Process/Rise": "0"}, ("some time",)),
            (SQUARE, {"Process/Thickness factor": "1 - t"}, ("has to be positive",)),
            (SQUARE, {"Process/Thickness factor": "1 -* t"}, ("is no formula",)),
            (SQUARE, {"Model": "midedge shell", "Growth/Metric 12": "3"}, ("not positive definite", "at (")),
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
