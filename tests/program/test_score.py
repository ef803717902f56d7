# SPDX-License-Identifier: LGPL-2.1-or-later
"""--score and --fit: somebody's samples against the master curves."""

import math
import random
import re
import xml.dom.minidom

from support import ROOT, ProgramTest, Table, main

OK, WRONG, TOO_LITTLE, KO = 0, 1, 2, 3
MASTER = [
    tuple(map(float, line.split(",")))
    for line in (ROOT / "reference" / "cantilever.csv").read_text().splitlines()
    if line[0].isdigit()
]


def on_master(gamma):
    (a, ya), (b, yb) = next((p, q) for p, q in zip(MASTER, MASTER[1:]) if p[0] <= gamma < q[0])
    return ya * (yb / ya) ** (math.log(gamma / a) / math.log(b / a))


class ScoreTest(ProgramTest):
    def write(self, name, text):
        path = self.directory / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        return path

    def rows(self, name, header, rows):
        return self.write(name, "\n".join([header, *(", ".join(map(repr, row)) for row in rows)]) + "\n")

    def score(self, protocol, *files, expected=OK, output="score"):
        process = self.program("--score", protocol, *files, output=self.directory / output)
        self.assertEqual(process.returncode, expected, process.stdout + process.stderr)
        return process.stdout


class Templates(ScoreTest):
    def test_a_template_scores_as_the_master_curve(self):
        for protocol, most in (
            ("cantilever", 1e-9),
            ("bend-twist", 0.02),
            ("lateral_buckling", 0.03),
            ("stick slip", 0.03),
        ):
            with self.subTest(protocol):
                path = self.directory / f"{protocol}.csv"
                process = self.program("--score", "--template", protocol, output=path)
                self.assertEqual(process.returncode, OK, process.stderr)
                self.score(protocol, path, output=f"score {protocol}")
                table = Table(self.directory / f"score {protocol}" / "score.csv")
                self.assertLessEqual(table["distance"][0], most)
                self.assertEqual(table["misclassified"], [0])
                for name in ("overlay.svg", "badge.svg"):
                    picture = xml.dom.minidom.parse(str(self.directory / f"score {protocol}" / name))
                    self.assertIn("OK", picture.getElementsByTagName("title")[0].firstChild.data)

    def test_a_template_replaces_no_file(self):
        path = self.write("mine.csv", "mine")
        process = self.program("--score", "--template", "cantilever", output=path)
        self.assertEqual(process.returncode, WRONG)
        self.assertEqual(path.read_text(), "mine")

    def test_words_of_a_protocol_may_stand_apart(self):
        text = self.program("--score", "--template", "stick", "slip").stdout
        self.assertIn("mu, epsilon, state", text)


class OurOwnResults(ScoreTest):
    """What a study says of itself is what the score says of its tables."""

    def compare(self, protocol, prm, table, settings, places=9):
        run = self.study(prm, output=f"{protocol} {table}", settings=settings)
        verdict = run.summary["verdict"]
        self.score(protocol, run.directory / table, expected=OK if verdict == "OK" else KO)
        scored = Table(self.directory / "score" / "score.csv")
        self.assertEqual(scored.words("verdict"), [verdict])
        self.assertAlmostEqual(scored["distance"][0], run.summary["distance"], places=places)
        return run, scored

    def test_cantilever(self):
        for elements, verdict in ((12, "KO"), (50, "OK")):
            run, scored = self.compare(
                "cantilever",
                "cantilever_super_helix.prm",
                "results.csv",
                {
                    "Super helix/Elements": elements,
                    "Super helix/Grading": 1,
                    "Cantilever/Exponent step": 0.1,
                },
            )
            self.assertEqual(run.summary["verdict"], verdict)
            self.assertAlmostEqual(scored["largest_error"][0], run.summary["max_relative_error"], places=6)

    def test_a_wrong_factor(self):
        self.compare(
            "cantilever",
            "cantilever_midedge.prm",
            "results.csv",
            {
                "Model": "discrete shell",
                "Discrete shell/Bending": "bridson",
                "Cantilever/Cells along": 30,
                "Cantilever/Cells across": 2,
                "Cantilever/Exponent step": 0.5,
            },
        )
        self.assertRegex(self.score("cantilever", self.directory / "cantilever results.csv" / "results.csv", expected=KO), "Bridson")

    def test_frontiers(self):
        self.compare(
            "lateral buckling",
            "lateral_buckling.prm",
            "frontier.csv",
            {
                "Lateral buckling/Cells along": 4,
                "Lateral buckling/Cells across": 2,
                "Lateral buckling/Smallest width": 0.1,
                "Koiter shell/Degree": 3,
                "Lateral buckling/Shapes": 0,
            },
        )
        self.compare(
            "bend twist",
            "bend_twist.prm",
            "frontier.csv",
            {"Kirchhoff rod/Elements": 12, "Bend twist/Largest y": 3.5, "Bend twist/Shapes": 0},
            places=3,  # the last point is a little beyond y = 3.5
        )

    def test_samples(self):
        self.compare(
            "bend twist",
            "bend_twist_protocol.prm",
            "results.csv",
            {"Bend twist/Rows": 6, "Bend twist/Columns": 9, "Kirchhoff rod/Elements": 24, "Bend twist/Shapes": 0},
        )

    def test_stick_slip(self):
        self.compare(
            "stick slip",
            "stick_slip.prm",
            "frontier.csv",
            {
                "Kirchhoff rod/Elements": 12,
                "Stick slip/Frictions": "0.05, 0.1, 0.2, 0.3",
                "Stick slip/Strain step": 0.05,
                "Stick slip/Largest strain": 0.3,
            },
        )


class WrongSimulators(ScoreTest):
    """Five mistakes; each is KO, and named."""

    def test_they_are_recognised(self):
        chance = random.Random(1)

        def at(gamma):
            # H/W of the nearest point, moved along its power law.
            nearest = min(MASTER, key=lambda p: abs(math.log(p[0] / gamma)))
            power = 1 if gamma < 1 else 0.5
            return nearest[1] * (gamma / nearest[0]) ** power

        cases = {
            "factor": ([(g, at(g / 4)) for g, _ in MASTER], "stiffness 4 times"),
            "shift": ([(g, 3 * a) for g, a in MASTER], "H and W are not measured from the clamp"),
            "coarse": ([(g, a / (1 + g / 400)) for g, a in MASTER], "too few elements at the clamp"),
            "noisy": ([(g, a * math.exp(chance.gauss(0, 0.6))) for g, a in MASTER], "jump from sample to sample"),
            "units": ([(g, at(g / 1e3)) for g, _ in MASTER if g > 1], "units"),
        }
        for name, (rows, words) in cases.items():
            with self.subTest(name):
                path = self.rows(f"{name}.csv", "gamma, aspect_ratio", rows)
                self.assertIn(words, self.score("cantilever", path, expected=KO))

    def test_the_same_in_units_of_millimetres(self):
        # Gamma = m g L^3 / EI with m g = EI: nine powers of ten too many.
        rows = [(1000 * g ** (1 / 3), a, 0.981, 0.1) for g, a in MASTER]
        path = self.rows("mm.csv", "L, aspect_ratio, EI, mass_per_length", rows)
        process = self.program("--score", "cantilever", path)
        self.assertEqual(process.returncode, WRONG)
        self.assertIn("the units are wrong", process.stderr)


class Refinement(ScoreTest):
    def runs(self, *factors):
        rows = []
        for number, factor in enumerate(factors):
            rows += [(f"n{number}", g, a * factor) for g, a in MASTER]
        return "\n".join(["run, gamma, aspect_ratio", *(f"{r}, {g!r}, {a!r}" for r, g, a in rows)])

    def test_a_run_that_agrees_by_accident(self):
        path = self.write("accident.csv", self.runs(1, 3))
        self.assertIn("run 'n0' agrees by accident", self.score("cantilever", path, expected=KO))

    def test_a_run_from_which_on_all_agree(self):
        path = self.write("converges.csv", self.runs(3, 1.1, 1))
        self.assertIn("passes from run 'n1' on", self.score("cantilever", path))

    def test_several_files(self):
        coarse = self.rows("coarse.csv", "gamma, aspect_ratio", [(g, 3 * a) for g, a in MASTER])
        fine = self.rows("fine.csv", "gamma, aspect_ratio", MASTER)
        self.assertIn("which is the finest", self.score("cantilever", coarse, fine))
        self.score("cantilever", fine, coarse, expected=KO)


HEAD = "gamma, aspect_ratio\n"
GOOD = "0.001, 0.000125\n1, 0.124\n10000, 69.7\n"
GRID = "x, y, state\n0.2, 0.5, 2D\n0.5, 0.5, 2D\n0.2, 5, 2D\n0.5, 5, 3D\n"
BROKEN = {
    "empty": ("cantilever", "", "the table is empty"),
    "header only": ("cantilever", HEAD, "no samples"),
    "no such column": ("cantilever", "gama, aspect_ratio\n1, 2\n", "is it 'gama'"),
    "no aspect ratio": ("cantilever", "gamma, H\n1, 2\n", "no column 'W'"),
    "word": ("cantilever", HEAD + "1, abc\n" + GOOD, "sample 1: 'aspect_ratio' is 'abc'"),
    "decimal commas": ("cantilever", HEAD + '"1,5", "2,5"\n', "not a comma"),
    "semicolons": ("cantilever", "gamma; aspect_ratio\n1; 2\n", "separated by ';'"),
    "tabs": ("cantilever", "# mine\ngamma\taspect_ratio\n1\t2\n", "separated by tabs"),
    "no names": ("cantilever", GOOD, "names of the columns are expected"),
    "millimetres": ("cantilever", "L [mm], aspect_ratio, EI [N m^2], mass_per_length [kg/m]\n1, 2, 3, 4\n", "not in 'mm'"),
    "per cent": ("stick slip", "mu, epsilon [%]\n0.1, 0.5\n", "not in '%'"),
    "capitals": ("cantilever", "gamma, aspect_ratio, Run\n1, 0.1, a\n", "column 'Run' would be ignored; is 'run' meant?"),
    "nan": ("cantilever", HEAD + GOOD + "3, nan\n", "not a finite number"),
    "infinite": ("cantilever", HEAD + GOOD + "inf, 3\n", "not a finite number"),
    "negative": ("cantilever", HEAD + GOOD + "3, -1\n", "a positive number is expected"),
    "zero": ("cantilever", HEAD + GOOD + "0, 1\n", "a positive number is expected"),
    "too few samples": ("cantilever", HEAD + "1, 0.1\n2, 0.2\n", "fewer than three"),
    "too many cells": ("cantilever", HEAD + "1, 2, 3\n", "has 3 cells"),
    "open quote": ("cantilever", 'gamma, aspect_ratio\n"1, 2\n', "never closed"),
    "two columns": ("cantilever", "gamma, gamma\n1, 2\n", "two columns 'gamma'"),
    "both": ("cantilever", "gamma, aspect_ratio, EI\n1, 2, 3\n", "both 'gamma' and 'EI'"),
    "no stiffness": ("cantilever", "L, aspect_ratio\n1, 2\n", "no column 'E', nor 'EI'"),
    "no poisson": ("cantilever", "L, aspect_ratio, E, density, thickness\n1, 1, 1, 1, 1\n", "no column 'poisson'"),
    "absurd": ("cantilever", HEAD + "1e-30, 1e-31\n1, 0.1\n1e30, 1e15\n", "the units are wrong"),
    "binary": ("cantilever", b"gamma\0aspect_ratio\n", "not plain text"),
    "state": ("bend twist", GRID.replace("3D", "maybe"), "'state' is 'maybe'; '2D' or '3D'"),
    "hole in the grid": ("bend twist", GRID.replace("0.5, 0.5, 2D\n", ""), "there is none at (0.5, 0.5)"),
    "twice": ("bend twist", GRID + "0.5, 5, 3D\n", "two samples at (0.5, 5)"),
    "other poisson": ("lateral buckling", "width, gamma_critical, poisson\n0.1, 15, 0.4\n", "0, 0.2, 0.35 or 0.5"),
    "two poissons": ("lateral buckling", "width, gamma_critical, poisson\n0.1, 15, 0.35\n0.2, 15, 0.2\n", "changes within a run"),
    "no state": ("lateral buckling", "width, gamma\n0.1, 15\n", "no column 'lateral_displacement', nor 'state'"),
    "wide plates": ("lateral buckling", "width, gamma_critical\n2, 15\n3, 15\n4, 20\n", "no width is between"),
    "strain": ("stick slip", "mu, epsilon\n0.1, 5\n", "between 0 and 1"),
    "friction": ("stick slip", "mu, epsilon\n-0.1, 0.1\n", "'mu' is negative"),
    "few frictions": ("stick slip", "mu, epsilon\n0.1, 0.05\n0.2, 0.1\n", "fewer than three frictions"),
}


class BrokenFiles(ScoreTest):
    def refuse(self, words, *arguments):
        process = self.program(*arguments)
        self.assertEqual(process.returncode, WRONG, process.stdout)
        self.assertEqual(process.stdout, "")
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
        self.assertIn(words, process.stderr)

    def test_one_line_each(self):
        for name, (protocol, text, words) in BROKEN.items():
            with self.subTest(name):
                path = self.write("broken.csv", text)
                self.refuse(words, "--score", protocol, path)
                self.assertFalse((self.directory / "output").exists())

    def test_no_file(self):
        self.refuse("there is no such file", "--score", "cantilever", "nowhere.csv")
        self.refuse("no ordinary file", "--score", "cantilever", self.directory)
        self.refuse("needs a .csv file", "--score", "cantilever")
        self.refuse("needs the name of a protocol", "--score")
        self.refuse("did you mean 'cantilever'", "--score", "cantilevr", "x.csv")
        self.refuse("one thing at a time", "--score", "cantilever", "x.csv", "--list")
        self.refuse("--template is for --score", "--list", "--template")
        self.refuse("--fit is for the cantilever", "--fit", "stick-slip", "x.csv")
        self.refuse("between 0 and 1", "--fit", "cantilever", "x.csv", "--noise", "2")

    def test_a_directory_that_cannot_be_written(self):
        path = self.rows("good.csv", HEAD.strip(), MASTER)
        blocked = self.write("blocked", "a file")
        process = self.program("--score", "cantilever", path, output=blocked)
        self.assertEqual(process.returncode, WRONG)
        self.assertIn("cannot be written", process.stderr)


class Units(ScoreTest):
    def test_other_names_of_the_same(self):
        names = self.rows("names.csv", "Gamma, H/W", MASTER)
        self.assertIn("verdict: OK", self.score("cantilever", names))

    def test_rods_and_strips_in_si_units(self):
        length, density, young, g = 0.4, 1200.0, 2e7, 9.81
        radius, thickness, nu = 1e-3, 1e-3, 0.3
        rod, strip, plain = [], [], []
        for gamma, aspect in MASTER[::4]:
            plain.append((gamma, aspect))
            rod.append((length, aspect, young * 4 * density * g * length**3 / (young * radius**2) / gamma, density, radius))
            factor = 12 * (1 - nu**2) * density * g * length**3 / thickness**2
            strip.append((length, aspect, factor / gamma, density, thickness, nu))
        files = (
            self.rows("plain.csv", HEAD.strip(), plain),
            self.rows("rod.csv", "L [m], aspect_ratio, E [Pa], density [kg/m^3], radius [m]", rod),
            self.rows("strip.csv", "L, aspect_ratio, E, density, thickness, poisson", strip),
        )
        self.score("cantilever", *files)
        for value in Table(self.directory / "score" / "score.csv")["largest_error"]:
            self.assertLess(value, 1e-6)

    def test_columns_that_are_not_understood_are_named(self):
        path = self.rows("more.csv", "gamma, aspect_ratio, colour", [(*row, 1) for row in MASTER])
        self.assertIn("not used: 'colour'", self.score("cantilever", path))

    def test_a_part_of_the_range_has_no_verdict(self):
        path = self.rows("part.csv", HEAD.strip(), MASTER[:100])
        self.assertIn("no verdict", self.score("cantilever", path, expected=TOO_LITTLE))


class Hints(ScoreTest):
    """A simulator with a mistake and a mesh that is coarse at the clamp."""

    def coarse(self, stiffness):
        """Too soft beyond Gamma = 100, more so the heavier it is."""
        rows = []
        for gamma, _ in MASTER:
            if 1e-3 < gamma / stiffness < 1e4:
                rows.append((gamma, on_master(gamma / stiffness) * max(1, gamma / 100) ** 0.3))
        return rows

    def test_a_factor_is_told_from_the_mesh(self):
        text = self.score("cantilever", self.rows("quarter.csv", HEAD.strip(), self.coarse(0.25)), expected=KO)
        self.assertRegex(text, r"up to Gamma = 10 .* 0.25 times .*Bridson")
        self.assertIn("too soft at large Gamma only", text)
        text = self.score("cantilever", self.rows("right.csv", HEAD.strip(), self.coarse(1)), expected=KO)
        self.assertNotIn("times the right one", text)
        self.assertIn("too soft at large Gamma only", text)

    def test_the_inverse(self):
        rows = [(gamma, 1 / aspect) for gamma, aspect in MASTER]
        text = self.score("cantilever", self.rows("inverse.csv", HEAD.strip(), rows), expected=KO)
        self.assertIn("these are values of W/H", text)


class Fit(ScoreTest):
    """Droops of a strip of 30 x 0.5 mm, E = 3 GPa, 40 g/m, with 1 % of noise."""

    stiffness = 3e9 * 0.03 * 0.0005**3 / 12
    mass = 0.04

    def measured(self, noise, extra=""):
        chance = random.Random(7)
        lines = ["L [m], aspect_ratio, mass_per_length, width, thickness, poisson"]
        for i in range(16):
            length = 0.06 + 0.02 * i
            gamma = self.mass * 9.81 * length**3 / self.stiffness
            lines.append(f"{length}, {on_master(gamma) * math.exp(chance.gauss(0, noise))}, {self.mass}, 0.03, 0.0005, 0.3")
        return self.write("strip.csv", "\n".join(lines) + "\n")

    def test_bending_stiffness_in_si_units(self):
        process = self.program("--fit", "cantilever", self.measured(0.01))
        self.assertEqual(process.returncode, OK, process.stderr)
        value, low, high = map(
            float, re.search(r"EI +(\S+) N m\^2, from (\S+) to (\S+) with 95 %", process.stdout).groups()
        )
        self.assertTrue(low < self.stiffness < high, process.stdout)
        self.assertLess(abs(value / self.stiffness - 1), 0.03)
        self.assertLess(high / low - 1, 0.06)
        plate, modulus = (
            float(re.search(rf"{name} +(\S+) GPa", process.stdout)[1]) for name in (r"E/\(1 - nu\^2\)", "modulus E")
        )
        self.assertAlmostEqual(plate, value / self.stiffness * 3, places=3)
        self.assertAlmostEqual(modulus, plate * (1 - 0.3**2), places=3)

    def test_noise_that_is_told(self):
        text = self.program("--fit", "cantilever", self.measured(0.01), "--noise", "0.001").stdout
        self.assertIn("scatter more than twice as much", text)

    def test_the_scale_of_a_simulator(self):
        # Three times too stiff, as Projective Dynamics with the weight D.
        rows = [(g * 3, a) for g, a in MASTER]
        text = self.program("--fit", "cantilever", self.rows("pd.csv", HEAD.strip(), rows)).stdout
        self.assertRegex(text, r"stiffness factor +3,")
        self.assertRegex(text, r"scale of Gamma +0.33333,")

    def test_units_and_columns_that_are_hardly_meant(self):
        rows = [tuple(map(float, line.split(","))) for line in self.measured(0.01).read_text().splitlines()[1:]]
        header = "L, aspect_ratio, mass_per_length, width, thickness, poisson"

        def fitted(change):
            return self.program("--fit", "cantilever", self.rows("changed.csv", header, [change(*r) for r in rows])).stdout

        self.assertNotIn("note:", fitted(lambda *r: r))
        self.assertIn("as its 'Young's modulus'", fitted(lambda *r: r))
        in_mm = fitted(lambda length, a, m, w, h, nu: (1e3 * length, a, m, 1e3 * w, 1e3 * h, nu))
        self.assertIn("note: a strip of 360 m", in_mm)
        in_g = fitted(lambda length, a, m, w, h, nu: (length, a, 1e3 * m, w, h, nu))
        self.assertIn("note: no material is like that", in_g)
        self.assertIn("note: the samples do not follow", fitted(lambda length, a, *r: (length, 1 / a, *r)))

    def test_wrong_measurements(self):
        for header, row, words in (
            ("L, aspect_ratio", "1, 2", "no column 'mass'"),
            ("L, H, W, mass_per_length", "0.1, 0.2, 0.1, 1", "'H' is larger than 'L'"),
            ("L, H, W, mass_per_length", "0.1, 0.08, 0.08, 1", "farther from the clamp than 'L'"),
            ("L, H, W, mass_per_length", "0.1, 0.01, 0.1, 1", "at least two samples"),
        ):
            process = self.program("--fit", "cantilever", self.write("wrong.csv", f"{header}\n{row}\n"))
            self.assertEqual(process.returncode, WRONG)
            self.assertIn(words, process.stderr)


if __name__ == "__main__":
    main()
