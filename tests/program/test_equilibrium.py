# SPDX-License-Identifier: LGPL-2.1-or-later
"""A user's own rod: prm/rod_equilibrium.prm, with both models, and
prm/equilibria_column.prm."""

import math

import numpy as np

from support import PRM, ProgramTest, Table, main, read_parameters

N_SEGMENTS = 600
GIVEN = read_parameters(PRM / "rod_equilibrium.prm")
POSITION = ("end_x", "end_y", "end_z")
FORCE = ("start_force_x", "start_force_y", "start_force_z")

# What the file says of shape and material would say nothing of stiffnesses.
MATERIAL_FORGOTTEN = {
    "Rod/Width": 0.02,
    "Rod/Thickness": 0.005,
    "Rod/Young's modulus": 1e6,
    "Rod/Poisson's ratio": 0.5,
    "Rod/Density": 1000,
}


def given(path):
    return float(GIVEN[path])


def columns(run, names):
    return np.column_stack([run.results[name] for name in names])


class Strip(ProgramTest):
    """The strip of the file: clamped, heavy, with a force at its end, and
    turned by half a turn."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kirchhoff = cls.study("rod_equilibrium.prm", output="kirchhoff")
        cls.discrete = cls.study(
            "rod_equilibrium.prm",
            output="discrete",
            settings={
                "Model": "discrete elastic rod",
                "Discrete elastic rod/Segments": N_SEGMENTS,
            },
        )
        cls.runs = (cls.kirchhoff, cls.discrete)
        cls.length = given("Rod/Length")
        mass = (
            given("Rod/Density")
            * given("Rod/Width")
            * given("Rod/Thickness")
            * given("Rod/Length")
        )
        cls.load = mass * given("Loads/Gravity") + given("Loads/End force")  # N

    def test_every_step_is_a_row(self):
        for run in self.runs:
            table = run.results
            self.assertEqual(len(table), 21)
            self.assertEqual(table.columns[:2], ["step", "load"])
            self.assertEqual(table["step"], list(range(21)))
            np.testing.assert_allclose(table["load"], np.linspace(0, 1, 21), atol=1e-15)
            self.assertEqual((run.summary["samples"], run.summary["failed"]), (21, 0))
            self.assertEqual(run.summary["verdict"], "none")
            self.assertIsNone(run.summary["distance"])
            self.assertIsNone(run.summary["max_relative_error"])

    def test_the_models_agree_within_the_discretisation_error(self):
        distance = np.abs(columns(self.kirchhoff, POSITION) - columns(self.discrete, POSITION))
        print(f"end points differ by {distance.max() / self.length:.1e} lengths")
        # Second order: measured 0.083 / n^2 for n = 75, …, 1200; the finite
        # elements of degree 4 are off by 2e-13.
        self.assertLess(distance.max(), 0.1 / N_SEGMENTS**2 * self.length)
        energies = [np.array(run.results["energy"][1:]) for run in self.runs]
        # Likewise, 0.58 / n^2.
        np.testing.assert_allclose(energies[1], energies[0], rtol=0.7 / N_SEGMENTS**2)

    def test_the_clamp_carries_weight_and_force(self):
        for run in self.runs:
            expected = np.outer(run.results["load"], [0, 0, self.load])
            # Round-off of the strains, 1e-16, times the stiffness against shear,
            # 1e10, in units of EI/L^2 = 0.2 N; measured 1e-8 N.
            np.testing.assert_allclose(columns(run, FORCE), expected, rtol=0, atol=1e-6)
            free_end = columns(run, ("end_force_x", "end_force_y", "end_force_z"))
            self.assertEqual(np.abs(free_end).max(), 0)

    def test_the_strip_leaves_its_plane_and_returns(self):
        for run in self.runs:
            y = np.abs(run.results["end_y"]) / self.length
            self.assertGreater(y.max(), 0.2)
            # Turned by half a turn, a strip is as it was before.
            self.assertLess(y[-1], 1e-9)

    def test_energy_is_released_by_every_load_step(self):
        # The energy includes the loads' potential, which weighs more.
        for run in self.runs:
            for energy in run.results["energy"][1:]:
                self.assertLess(energy, 0)

    def test_the_strip_is_stable(self):
        for run in self.runs:
            table = run.results
            lowest = [table[f"eigenvalue_{i}"] for i in (1, 2, 3)]
            self.assertEqual(set(table["negative_eigenvalues"]), {0})
            for of_step in zip(*lowest):
                self.assertGreater(of_step[0], 0)
                self.assertEqual(sorted(of_step), list(of_step))

    def test_modes_are_drawn(self):
        for run in self.runs:
            fields = run.directory / "fields"
            names = {path.name for path in fields.iterdir()}
            shapes = {f"shapes_{i:04}.vtp" for i in range(21)}
            modes = {f"modes_{i:04}.vtp" for i in range(3)}
            self.assertEqual(names, shapes | modes | {"shapes.pvd", "modes.pvd"})


# The defaults: as if the file said nothing of a material, which has no say where
# stiffnesses are given.
NO_MATERIAL = {
    "Rod/Width": 0.02,
    "Rod/Thickness": 0.005,
    "Rod/Young's modulus": 1e6,
    "Rod/Poisson's ratio": 0.5,
    "Rod/Density": 1000,
}


class OtherRods(ProgramTest):
    """Cases with a solution on paper, in the units of the file."""

    def rod(self, output, model, **settings):
        base = {
            "Model": model,
            "Equilibrium/Eigenvalues": 0,
            **NO_MATERIAL,
            "Rod/Section": "stiffnesses",
            **MATERIAL_FORGOTTEN,
            "Rod/Length": 2,
            "Rod/Bending stiffness 1": 3,
            "Rod/Bending stiffness 2": 5,
            "Rod/Twisting stiffness": 7,
            "Start/Rotation angle": 0,
            "Loads/Gravity": 0,
            "Loads/End force": 0,
        }
        settings = {**base, **{name.replace("__", "/"): v for name, v in settings.items()}}
        return self.study("rod_equilibrium.prm", output=output, settings=settings)

    def last(self, run, name):
        return run.results[name][-1]

    def test_a_moment_bends_a_rod_to_a_circle(self):
        # About y, which is director 1: curvature M/B_1, and the end is at
        # (sin(kappa L), 0, cos(kappa L) - 1)/kappa up to the sign of z.
        moment = 3 * math.pi / 2 / 2  # a quarter of a circle
        # Second order in 300 segments; the finite elements' error is the stiffness
        # that stands for "does not stretch".
        for model, tolerance in (("kirchhoff rod", 1e-7), ("discrete elastic rod", 2 / 300**2)):
            with self.subTest(model=model):
                run = self.rod(
                    "circle",
                    model,
                    **{"Loads/End moment": moment, "Loads/End moment axis": "0, 1, 0"},
                )
                radius = 2 / (math.pi / 2)
                self.assertAlmostEqual(self.last(run, "end_x"), radius, delta=tolerance)
                self.assertAlmostEqual(self.last(run, "end_y"), 0, delta=tolerance)
                self.assertAlmostEqual(abs(self.last(run, "end_z")), radius, delta=tolerance)

    def test_a_twisted_rod_carries_its_twist(self):
        # Both ends clamped: the twist is the angle, the energy C angle^2 / 2L.
        for model in ("kirchhoff rod", "discrete elastic rod"):
            with self.subTest(model=model):
                run = self.rod(
                    "twist",
                    model,
                    **{
                        "Start/Rotation angle": 1,
                        "End/Hold": "clamped",
                    },
                )
                self.assertAlmostEqual(self.last(run, "total_twist"), 1, delta=1e-9)
                self.assertAlmostEqual(self.last(run, "energy"), 7 / 4, delta=1e-7)
                self.assertAlmostEqual(self.last(run, "end_x"), 2, delta=1e-9)


    def test_a_clamp_that_moves_along_a_rod_takes_it_along(self):
        # By many segments, though a clamp that had moved by one alone would be past the
        # next node of a rod that had not.
        for model in ("kirchhoff rod", "discrete elastic rod"):
            with self.subTest(model=model):
                moved = {"Start/Displacement": 0.5, "Start/Displacement direction": "1, 0, 0"}
                run = self.rod("moved", model, **moved)
                self.assertAlmostEqual(self.last(run, "end_x"), 2.5, delta=1e-8)
                self.assertAlmostEqual(self.last(run, "end_z"), 0, delta=1e-8)


class Answers(ProgramTest):
    """The sentence says what nobody would see, and what nothing moves."""

    edge = {
        "Rod/Section": "rectangular",
        "Rod/Length": 0.2,
        "Rod/Width": 0.02,
        "Rod/Thickness": 0.0001,
        "Rod/Young's modulus": 2.5e9,
        "Rod/Poisson's ratio": 0.3,
        "Rod/Density": 800,
        "Rod/Tangent": "1, 0, 0",
        "Rod/Director 1": "0, 0, 1",
    }

    def answer(self, output, **loads):
        path = self.directory / f"{output}.prm"
        path.write_text("set Study = equilibrium\nset Model = kirchhoff rod\n")
        settings = {**self.edge, **{f"Loads/{name}": value for name, value in loads.items()}}
        done = self.program(path, output=self.directory / output, settings=settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        return next(line for line in done.stdout.splitlines() if line.startswith("under its full load"))

    def test_a_strip_on_its_edge_buckles_at_half_of_its_weight(self):
        # At 5.18 m/s^2, see the first hour.
        self.assertNotIn("unstable", self.answer("light", Gravity=5))
        self.assertIn("unstable, in 1 direction:", self.answer("heavy", Gravity=9.81))
        self.assertIn("unstable, in 2 directions:", self.answer("heavier", Gravity=15))

    def test_a_file_without_loads(self):
        self.assertIn("where it was without, at (0.2, 0, 0)", self.answer("unloaded"))
        self.assertNotIn("where it was", self.answer("loaded", Gravity=1e-3))


class FindAll(ProgramTest):
    """prm/equilibria_column.prm: pressed beyond its second load."""

    def test_all_five_are_found_and_can_be_started_from(self):
        few = {"Kirchhoff rod/Elements": 8}
        run = self.study("equilibria_column.prm", output="all", settings=few)
        table = Table(run.directory / "equilibria.csv")
        energies = [float(row["energy"]) for row in table.rows]
        self.assertEqual(energies, sorted(energies))
        unstable = [int(row["negative_eigenvalues"]) for row in table.rows]
        # The second mode gives way out of its plane as well.
        self.assertEqual(unstable, [0, 0, 2, 2, 2])
        ends = [float(row["end_x"]) for row in table.rows]
        for one, other in ((0, 1), (2, 3)):
            self.assertAlmostEqual(ends[one], -ends[other], delta=1e-7)
            self.assertGreater(abs(ends[one]), 0.1)
        self.assertAlmostEqual(ends[4], 0, delta=1e-9)
        # One of them as the start of a branch.
        branch = self.study(
            "branch_euler.prm",
            output="branch",
            settings={
                **few,
                "Branch/Start run": run.directory,
                "Branch/Start label": 3,
                "Branch/Switching depth": 0,
                "Branch/Requested values": "",
            },
        )
        self.assertEqual(float(branch.results.rows[0]["end_force"]), 24)
        self.assertAlmostEqual(float(branch.results.rows[0]["end_x"]), ends[2], delta=1e-8)

    def test_settings_without_effect_are_refused(self):
        self.refuse(
            PRM / "rod_equilibrium.prm",
            settings={"Equilibrium/Directions": 3},
            output=self.directory / "wrong",
            expected=("'Directions' says something only where 'Find all' is true",),
        )


class LongRod(ProgramTest):
    """30 000 segments: round-off of the matrix is as large as its lowest
    eigenvalues, and signs of pivots say nothing."""

    ROD = {
        "Model": "discrete elastic rod",
        "Discrete elastic rod/Segments": 30000,
        "Discrete elastic rod/Constraint stiffness": 1e8,
    }

    def test_signs_at_rest_are_not_made_up(self):
        rest = {"Loads/End force": 0, "Equilibrium/Find all": "false"}
        run = self.study("equilibria_column.prm", output="rest", settings={**self.ROD, **rest})
        for row in run.results.rows:
            self.assertEqual((row["negative_eigenvalues"], row["undecided"]), ("0", "1"))
        self.assertIn("stability is undecided", run.out)


if __name__ == "__main__":
    main()
