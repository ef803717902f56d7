# SPDX-License-Identifier: LGPL-2.1-or-later
"""Motions whose course is known: the study motion."""

import math
import sys

import numpy as np

from support import PRM, ROOT, ProgramTest, main

SWING = "motion_swing.prm"
PLUCK = "motion_pluck.prm"
CLOTH = "shells/motion_cloth.prm"
RING = "shells/motion_ring.prm"
FEW = {"Discrete elastic rod/Segments": 12, "Time/End": 0.2}
SMALL_CLOTH = {"Surface/Cells along u": 3, "Surface/Cells along v": 3, "Koiter shell/Degree": 2}


def columns(run, *names):
    return np.column_stack([run.results[name] for name in names])


class Flight(ProgramTest):
    def test_a_thrown_ring_keeps_its_momenta(self):
        settings = {"Loads/Gravity": 0, "Time/End": 0.5}
        run = self.study(RING, settings=settings)
        for kind in ("momentum", "angular_momentum"):
            momenta = columns(run, *(f"{kind}_{c}" for c in "xyz"))
            drift = np.abs(momenta - momenta[0]).max()
            self.assertLess(drift, 1e-10 * np.abs(momenta).max())

    def test_under_gravity_its_momentum_grows_as_it_should(self):
        run = self.study(RING, settings={"Time/End": 0.2}, output="falling")
        t = np.array(run.results["time"])
        p = np.array(run.results["momentum_z"])
        mass = 1000 * 0.01 * 2 * math.pi * 0.2 * 0.08
        np.testing.assert_allclose(p, p[0] - mass * 9.81 * t, atol=2e-3 * abs(p[0]))


class Pluck(ProgramTest):
    def test_the_ruler_swings_with_its_natural_frequency(self):
        # Small, without damping: a Fourier look at the end.
        settings = {"Loads/End force": 0.02, "Damping/Bending": 0, "Time/End": 2, "Time/Step": 0.002}
        run = self.study(PLUCK, settings=settings)
        z = np.array(run.results["end_z"])[:-1]
        spectrum = np.abs(np.fft.rfft(z * np.hanning(len(z)), 16 * len(z)))
        found = np.fft.rfftfreq(16 * len(z), 0.002)[1:][np.argmax(spectrum[1:])]
        self.assertAlmostEqual(found / 9.0599, 1, delta=5e-3)

    def test_energies_balance(self):
        run = self.study(PLUCK, output="damped")
        total = run.results["potential_energy"][0]
        self.assertLess(np.abs(run.results["balance"]).max(), 0.01 * total)
        dissipated = np.array(run.results["dissipated_energy"])
        self.assertGreater(dissipated[-1], 0.5 * total)
        self.assertGreaterEqual(np.diff(dissipated).min(), 0)


class Started(ProgramTest):
    """Velocities at the start, said in three ways."""

    def test_a_formula_and_a_table_say_what_an_angular_velocity_says(self):
        spin = {**FEW, "Time/End": 0.02, "Start/Hold": "free", "Start/Fixed directions": "", "Start/Rotation": "free"}
        table = self.directory / "velocities.csv"
        rows = ["x, y, z, vx, vy, vz"]
        for x, y, z in ((0, 0, 0), (0.3, 0, 0), (0, 1, 0), (0, 0, 1), (0.1, 0.2, 0.3)):
            rows.append(f"{x}, {y}, {z}, {0.1 + 2 * z - 3 * y}, {3 * x - z}, {y - 2 * x}")
        table.write_text("\n".join(rows) + "\n")
        runs = [
            self.study(SWING, settings={**spin, **how}, output=str(number))
            for number, how in enumerate(
                (
                    {"Motion/Velocity": "0.1, 0, 0", "Motion/Angular velocity": "1, 2, 3"},
                    {"Motion/Velocity formula": "0.1+2*z-3*y; 3*x-z; y-2*x"},
                    {"Motion/Velocity table": table},
                )
            )
        ]
        self.assertGreater(runs[0].results["kinetic_energy"][0], 0)
        for run in runs[1:]:
            for name in ("end_x", "end_y", "end_z", "kinetic_energy"):
                np.testing.assert_allclose(run.results[name], runs[0].results[name], atol=1e-9)


class RotatingSpring(ProgramTest):
    def test_it_ends_on_its_circle(self):
        # Three coefficients, as in figure 2 of Sanchez-Banderas and Otaduy; the unit
        # test goes on until 1e-6.
        for beta in (0.05, 0.1, 0.2):
            settings = {"Damping/Stretch": beta, "Time/Step": 0.002, "Time/End": 10, "Time/Shapes every": 10}
            run = self.study("motion_rotating_spring.prm", settings=settings, output=f"{beta}")
            radius = math.hypot(run.results["end_x"][-1], run.results["end_y"][-1])
            self.assertAlmostEqual(radius / 3.0873780, 1, delta=3e-5)
            momentum = np.array(run.results["angular_momentum_z"])
            np.testing.assert_allclose(momentum, 40, rtol=1e-9)
        settings = {"Damping/Stretch": 0, "Damping/Rayleigh beta": 0.1, "Time/Step": 0.01, "Time/End": 16}
        run = self.study("motion_rotating_spring.prm", settings=settings, output="rayleigh")
        self.assertLess(run.results["kinetic_energy"][-1], 1)


class Slope(ProgramTest):
    """A rod on an inclined plane of 30 degrees."""

    MASS = 1000 * math.pi * 0.01**2

    def test_it_slides_where_friction_is_small(self):
        run = self.study("motion_slope.prm", settings={"Time/End": 0.2})
        wanted = 9.80665 * (0.5 - 0.3 * math.cos(math.pi / 6)) * 0.2 * self.MASS
        self.assertLess(abs(run.results["momentum_x"][-1] / wanted - 1), 1e-6)

    def test_it_stays_where_friction_is_large(self):
        settings = {"Time/End": 0.2, "Obstacle 1/Friction": 0.58}
        run = self.study("motion_slope.prm", settings=settings)
        self.assertLess(max(map(abs, run.results["momentum_x"])), 1e-12)
        self.assertLess(abs(run.results["end_x"][-1] - run.results["end_x"][0]), 1e-12)


class Yarn(ProgramTest):
    def test_it_bounces_and_swings(self):
        run = self.study("motion_yarn.prm", settings={"Time/End": 0.02})
        self.assertEqual(run.summary["failed"], 0)
        self.assertGreater(max(run.results["dissipated_energy"]), 0)
        kinetic = max(run.results["kinetic_energy"])
        self.assertLess(max(map(abs, run.results["balance"])), 1e-2 * kinetic)


class Driven(ProgramTest):
    def test_a_table_and_a_formula_are_the_same_drive(self):
        table = self.directory / "drive.csv"
        times = np.linspace(0, 0.3, 3001)
        table.write_text("t, z\n" + "".join(f"{t}, {0.01 * (1 - math.cos(40 * t))}\n" for t in times))
        settings = {**FEW, "Start/Displacement direction": "0, 0, 1"}
        drive = {"Drive 1/Parameter": "start displacement"}
        formula = {**settings, **drive, "Drive 1/Formula": "0.01*(1-cos(40*t))"}
        one = self.study(SWING, settings=formula, output="formula")
        other = self.study(SWING, settings={**settings, **drive, "Drive 1/Table": table})
        np.testing.assert_allclose(one.results["end_z"], other.results["end_z"], atol=1e-5)
        self.assertGreater(np.ptp(one.results["work"]), 1e-5)

    def test_dynamic_relaxation_ends_at_the_equilibrium(self):
        settings = {
            "Damping/Rayleigh alpha": 10,
            "Damping/Bending": 0.1,
            "Motion/Start": "rest",
            "Motion/Stop below": 1e-8,
            "Time/End": 100,
            "Time/Step": 0.02,
            "Time/Adaptive": "true",
            "Time/Tolerance": 1e-3,
            "Start/Hold": "clamped",
            "Start/Fixed directions": "",
            "Start/Rotation": "free",
            "Discrete elastic rod/Segments": 12,
        }
        run = self.study(SWING, settings=settings, output="relaxed")
        self.assertIn("at rest", run.summary["answer"])
        self.assertLess(run.results["residual"][-1], 1e-8)


class Triangles(ProgramTest):
    """Shells of flat triangles move, vibrate and are damped as the Koiter shell is."""

    MODELS = ("midedge shell", "hinge shell", "discrete shell")

    def test_a_spinning_ring_keeps_its_angular_momentum_with_strain_rates_alone(self):
        spin = {"Loads/Gravity": 0, "Motion/Velocity": "0, 0, 0", "Motion/Angular velocity": "0, 0, 20",
                "Time/End": 0.2, "Time/Step": 4e-3, "Time/Shapes every": 10}
        for model in self.MODELS:
            with self.subTest(model=model):
                left = {}
                for law, damped in (
                    ("strain rates", {"Damping/Stretch": 0.01, "Damping/Bending": 0.01}),
                    ("rayleigh", {"Damping/Rayleigh beta": 0.01}),
                ):
                    settings = {**spin, **damped, "Model": model}
                    run = self.study(RING, settings=settings, output=f"{model} {law}".replace(" ", "_"))
                    momentum = run.results["angular_momentum_z"]
                    left[law] = momentum[-1] / momentum[0]
                self.assertAlmostEqual(left["strain rates"], 1, delta=1e-11)
                self.assertLess(left["rayleigh"], 0.95)

    def test_a_cloth_falls_as_the_koiter_shell_does(self):
        def last(model, cells):
            settings = {"Surface/Cells along u": cells, "Surface/Cells along v": cells, "Time/End": 0.2,
                        "Time/Integrator": "bdf2", "Damping/Bending": 0.01, "Model": model}
            run = self.study(CLOTH, settings=settings, output=f"{model} {cells}".replace(" ", "_"))
            return run.results["kinetic_energy"][-1], run.results["largest_displacement"][-1]

        wanted = last("koiter shell", 8)
        for model in self.MODELS:
            coarse, fine = last(model, 8), last(model, 16)
            self.assertAlmostEqual(fine[0] / wanted[0], 1, delta=1e-3, msg=model)
            # Corners of triangles go too far, by an amount of first order.
            self.assertAlmostEqual((2 * fine[1] - coarse[1]) / wanted[1], 1, delta=5e-3, msg=model)

    def test_a_cloth_of_triangles_moves_the_same_way_on_two_and_three_ranks(self):
        prm = "shells/motion_cloth_triangles.prm"
        settings = {"Surface/Cells along u": 4, "Surface/Cells along v": 4, "Time/End": 0.5, "Time/Step": 0.005}
        alone = self.study(prm, settings=settings, output="alone")
        for ranks in (2, 3):
            shared = {**settings, "Ranks per sample": ranks}
            run = self.study(prm, settings=shared, ranks=ranks, output=f"{ranks}")
            self.assertEqual(len(run.results), 101)
            # All of the order of one; sums in another order make 1e-13, MUMPS on several
            # ranks was seen to make 5e-9.
            for name in ("largest_displacement", "kinetic_energy", "potential_energy"):
                np.testing.assert_allclose(
                    run.results[name], alone.results[name], rtol=0, atol=1e-8, err_msg=name
                )


class Film(ProgramTest):
    def test_shapes_become_a_film(self):
        run = self.study(SWING, settings={**FEW, "Time/Shapes every": 0.05})
        film = self.directory / "film.gif"
        animate = [sys.executable, ROOT / "scripts" / "animate", run.directory, film]
        done = self.call(animate)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(film.read_bytes()[:6], b"GIF89a")

    def test_what_is_no_film_is_refused(self):
        nowhere = [sys.executable, ROOT / "scripts" / "animate", self.directory / "nowhere"]
        done = self.call(nowhere)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)


class Ranks(ProgramTest):
    def test_a_cloth_moves_the_same_way_on_two_and_three_ranks(self):
        # 100 steps, to 1e-8 of its size.
        settings = {**SMALL_CLOTH, "Time/End": 0.5, "Time/Step": 0.005}
        alone = self.study(CLOTH, settings=settings, output="alone")
        for ranks in (2, 3):
            shared = {**settings, "Ranks per sample": ranks}
            run = self.study(CLOTH, settings=shared, ranks=ranks, output=f"{ranks}")
            self.assertEqual(len(run.results), 101)
            for name in ("largest_displacement", "kinetic_energy", "potential_energy"):
                np.testing.assert_allclose(
                    run.results[name], alone.results[name], rtol=0, atol=1e-8, err_msg=name
                )


    def test_rods_move_the_same_way_on_two_ranks(self):
        small = {"Kirchhoff rod/Elements": 4, "Discrete elastic rod/Segments": 12, "Time/End": 0.02}
        for prm in (PLUCK, SWING):
            with self.subTest(prm=prm):
                alone = self.study(prm, settings=small, output="alone")
                shared = {**small, "Ranks per sample": 2}
                run = self.study(prm, settings=shared, ranks=2, output="shared")
                for name in ("end_x", "end_z"):
                    np.testing.assert_allclose(run.results[name], alone.results[name], atol=1e-8)


class Wrong(ProgramTest):
    def check(self, prm, settings, *words):
        output = self.directory / "run"
        self.refuse(PRM / prm, settings=settings, expected=words, output=output)

    def test_steps(self):
        self.check(SWING, {"Time/Step": 0}, "above zero")
        self.check(SWING, {"Time/Step": -1}, "above zero")
        verlet = {"Time/Integrator": "verlet", "Time/Lumped mass": "true"}
        self.check(SWING, {**FEW, **verlet}, "stable only for steps up to")

    def test_a_rotation_that_begins_with_whole_turns(self):
        turned = {"Drive 1/Formula": "2*pi*(3.5 + t)"}
        self.check("plectoneme.prm", turned, "told from its remainder")

    def test_a_force_without_a_potential(self):
        follows = {"Loads/End force": 1, "Loads/End force follows": "true"}
        self.check(SWING, follows, "needs loads with a potential")

    def test_laws_that_a_body_does_not_have(self):
        self.check(SWING, {"Damping/Mu": 1}, "membranes of shells")
        self.check(CLOTH, {**SMALL_CLOTH, "Damping/Twist": 1}, "no damping of twist")

        self.check(CLOTH, {**SMALL_CLOTH, "Damping/Exponent": 0.5}, "no power law")
        self.check(PLUCK, {"Damping/Exponent": 0.5}, "'discrete elastic rod' alone")
        self.check(SWING, {"Damping/Bending": 0, "Damping/Exponent": 0.5}, "above zero")
        power = {"Damping/Exponent": 0.5, "Damping/Rayleigh beta": 1}
        self.check(SWING, power, "does not go with")

    def test_velocities(self):
        self.check(SWING, {"Motion/Velocity formula": "x; y"}, "two semicolons")
        self.check(SWING, {"Motion/Velocity formula": "x; y; q"}, "no formula in x, y and z")
        self.check(SWING, {"Motion/Velocity formula": "0; 0; 1/y"}, "finite number everywhere")
        self.check(SWING, {"Motion/Velocity table": "nowhere.csv"}, "cannot read")
        table = self.directory / "short.csv"
        table.write_text("x, y, z\n1, 2, 3\n")
        self.check(SWING, {"Motion/Velocity table": table}, "six columns")

    def test_points_that_are_free_cannot_be_moved(self):
        drive = {"Drive 1/Parameter": "end displacement", "Drive 1/Formula": "t"}
        self.check(SWING, drive, "free cannot be displaced")

    def test_drives(self):
        name = {"Drive 1/Parameter": "gravity", "Loads/Gravity": 0}
        self.check(SWING, {**name, "Drive 1/Formula": "2*+"}, "no formula in t")
        self.check(SWING, {**name, "Drive 1/Formula": "1/t"}, "not a finite number at t = 0")
        self.check(SWING, name, "either a 'Formula' or a 'Table'")
        self.check(SWING, {**name, "Drive 1/Table": "nowhere.csv"}, "cannot read")
        other = {"Drive 1/Parameter": "gravitty", "Drive 1/Formula": "t"}
        self.check(SWING, other, "gravity")


if __name__ == "__main__":
    main()
