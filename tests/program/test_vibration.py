# SPDX-License-Identifier: LGPL-2.1-or-later
"""Frequencies that are known: the study vibration."""

import math

import numpy as np

from support import PRM, ProgramTest, main

CANTILEVER = (1.875104068711961, 4.694091132974175, 7.854757438237613, 10.995540734875467)

# Square plates with a Poisson's ratio of 0.3 (Leissa, J. Sound Vib. 31 (1973)), by
# Ritz's method with 36 functions of beams: upper bounds, up to 1 % above.
LEISSA_CLAMPED_FREE = (3.4917, 8.5246, 21.429, 27.331, 31.111)
LEISSA_FREE = (13.489, 19.789, 24.432, 35.024, 35.024)


def frequencies(run, step=0):
    return [float(row["frequency"]) for row in run.results.rows if int(row["step"]) == step]


class Cantilever(ProgramTest):
    def test_the_ruler_has_the_frequencies_of_euler_and_bernoulli(self):
        run = self.study("vibration_cantilever.prm", settings={"Vibration/Rotary inertia": "false"})
        unit = math.sqrt(200e9 * 0.001**2 / 12 / 7850) / 0.3**2 / (2 * math.pi)
        thin = [root**2 * unit for root in CANTILEVER]
        found = frequencies(run)
        for exact in [*thin[:3], 30 * thin[0]]:
            nearest = min(found, key=lambda f: abs(f - exact))
            self.assertAlmostEqual(nearest / exact, 1, delta=2e-5)

    def test_all_rods_agree(self):
        # Mesh errors of second order: discrete and super-helix rods of 100 and 40
        # pieces have some 1e-4.
        for model, settings in (
            ("discrete elastic rod", {"Discrete elastic rod/Segments": 100}),
            ("super helix", {"Super helix/Elements": 40}),
            ("super clothoid", {"Super clothoid/Elements": 20}),
        ):
            with self.subTest(model=model):
                settings = {"Model": model, "Vibration/Modes": 2, "Vibration/Frames": 0, **settings}
                run = self.study("vibration_cantilever.prm", settings=settings, output=model)
                self.assertAlmostEqual(frequencies(run)[0], 9.0599, delta=0.005)

    def test_modes_are_drawn_over_their_period(self):
        settings = {"Vibration/Modes": 2, "Vibration/Frames": 4}
        run = self.study("vibration_cantilever.prm", settings=settings, output="drawn")
        series = (run.directory / "fields" / "modes.pvd").read_text()
        self.assertEqual(series.count("<DataSet"), 8)


class Column(ProgramTest):
    def test_the_frequency_vanishes_at_the_load_of_euler(self):
        run = self.study("vibration_column.prm")
        first = [row for row in run.results.rows if row["mode"] == "1"]
        load = np.array([12 * float(row["load"]) for row in first])
        squared = np.array([float(row["squared_angular_frequency"]) for row in first])
        # A straight line w^2 = pi^4 (1 - P/pi^2): slope and place of its zero.
        slope, constant = np.polyfit(load, squared, 1)
        self.assertAlmostEqual(slope / -(math.pi**2), 1, delta=1e-5)
        self.assertAlmostEqual(-constant / slope / math.pi**2, 1, delta=1e-5)
        self.assertIn("vanishes", run.summary["answer"])


class Thick(ProgramTest):
    def test_a_thick_rod_has_the_frequencies_of_timoshenko(self):
        # By Ritz's method (benchmarks/ritz.py); mesh errors of 8 elements of degree 4
        # are below 1e-6, rotary inertia is lumped at nodes.
        run = self.study("vibration_thick.prm", settings={"Vibration/Frames": 0})
        found = frequencies(run)
        for exact in (486.5607663, 2467.1457800, 5656.248483):
            nearest = min(found, key=lambda f: abs(f - exact))
            self.assertAlmostEqual(nearest / exact, 1, delta=2e-5)

    def test_rods_that_cannot_shear_say_so(self):
        for model in ("discrete elastic rod", "super helix"):
            with self.subTest(model=model):
                self.refuse(
                    PRM / "vibration_thick.prm",
                    settings={"Model": model},
                    expected=("stay normal",),
                    output=self.directory / "run",
                )


class Response(ProgramTest):
    def receptance(self, **settings):
        run = self.study("vibration_response.prm", settings=settings)
        return np.genfromtxt(run.directory / "response.csv", delimiter=",", names=True)

    def exact(self, frequency, alpha=0.0, beta=0.0):
        """Of a cantilever's end by Euler and Bernoulli, w/F = (sin ch - cos sh)/(B k^3 (1 + cos
        ch)) with kL, for complex k: B (1 + iw beta) k^4 = m (w^2 - iw alpha)."""
        stiffness = 200e9 * 0.03 * 0.001**3 / 12
        mass = 7850 * 0.03 * 0.001
        w = 2 * math.pi * frequency
        damped = stiffness * (1 + 1j * w * beta)
        k = ((mass * (w**2 - 1j * w * alpha)) / damped) ** 0.25
        x = k * 0.3
        above = np.sin(x) * np.cosh(x) - np.cos(x) * np.sinh(x)
        return above / (damped * k**3 * (1 + np.cos(x) * np.cosh(x)))

    def test_the_end_answers_as_euler_and_bernoullis_does(self):
        thin = {"Vibration/Rotary inertia": "false", "Response/Lowest frequency": 1}
        table = self.receptance(**{**thin, "Response/Points": 100})
        exact = self.exact(table["frequency"], 1, 5e-5)
        found = table["real_part"] + 1j * table["imaginary_part"]
        self.assertLess(np.max(np.abs(found - exact) / np.abs(exact)), 2e-3)
        np.testing.assert_allclose(table["amplitude"], np.abs(found), rtol=1e-6)

    def test_what_makes_no_sense_is_refused(self):
        for settings, words in (
            ({"Response/Forcing": "end forse"}, "end force"),
            ({"Response/Measurement": "end q"}, "end z"),
            ({"Response/Measurement": ""}, "name of a measurement"),
            ({"Response/Highest frequency": 0}, "above the lowest"),
            ({"Response/Forcing": ""}, "'Forcing' names a load"),
            ({"Response/Forcing": "start displacement"}, "moves what holds the body"),
        ):
            with self.subTest(settings=settings):
                self.refuse(
                    PRM / "vibration_response.prm",
                    settings=settings,
                    expected=(words,),
                    output=self.directory / "run",
                )


class Plates(ProgramTest):
    def test_a_clamped_plate_is_just_below_leissa(self):
        run = self.study("shells/vibration_plate.prm", settings={"Vibration/Frames": 0})
        for f, upper in zip(frequencies(run), LEISSA_CLAMPED_FREE):
            self.assertLess(2 * math.pi * f, 1.001 * upper)
            self.assertGreater(2 * math.pi * f, 0.99 * upper)

    def test_a_free_plate_has_six_rigid_motions(self):
        settings = {
            "Vibration/Modes": 11,
            "Vibration/Frames": 0,
            "Edge 1/Hold": "free",
            "Surface/Cells along u": 4,
            "Surface/Cells along v": 4,
        }
        run = self.study("shells/vibration_plate.prm", settings=settings, output="free")
        found = [2 * math.pi * f for f in frequencies(run)]
        self.assertLess(max(found[:6]), 1e-2)
        for w, upper in zip(found[6:], LEISSA_FREE):
            self.assertLess(w, 1.001 * upper)
            self.assertGreater(w, 0.985 * upper)


class Panel(ProgramTest):
    def test_a_free_panel_agrees_with_ritz(self):
        # benchmarks/ritz.py: five digits.
        run = self.study("shells/vibration_panel.prm", settings={"Vibration/Frames": 0})
        for f, exact in zip(frequencies(run)[6:], (12.98379, 19.51038, 31.70519, 54.6906)):
            self.assertAlmostEqual(2 * math.pi * f / exact, 1, delta=2e-3)


class Ranks(ProgramTest):
    def test_frequencies_do_not_depend_on_the_ranks(self):
        for prm in ("vibration_cantilever.prm", "shells/vibration_plate.prm"):
            with self.subTest(prm=prm):
                settings = {"Vibration/Frames": 0, "Vibration/Modes": 4}
                alone = self.study(prm, settings=settings, output="alone")
                shared = {**settings, "Ranks per sample": 2}
                run = self.study(prm, settings=shared, ranks=2, output="shared")
                np.testing.assert_allclose(frequencies(run), frequencies(alone), rtol=1e-8)


class Wrong(ProgramTest):
    def test_a_body_without_mass(self):
        self.check("vibration_cantilever.prm", {"Rod/Density": 0}, "without mass")

    def test_a_force_without_a_potential(self):
        follows = {"Loads/End force": 1, "Loads/End force follows": "true"}
        self.check("vibration_cantilever.prm", follows, "needs loads with a potential")

    def test_more_modes_than_unknowns(self):
        settings = {"Vibration/Modes": 900, "Kirchhoff rod/Elements": 1, "Kirchhoff rod/Degree": 2}
        self.check("vibration_cantilever.prm", settings, "ways to vibrate")

    def check(self, prm, settings, *words):
        self.refuse(PRM / prm, settings=settings, expected=words, output=self.directory / "run")


if __name__ == "__main__":
    main()
