# SPDX-License-Identifier: LGPL-2.1-or-later
"""Bodies among obstacles: slopes, walls, floors that move, balls, broken input."""

import math

import numpy as np
from support import PRM, ProgramTest, Table, main

SLOPE = "shells/motion_strip_slope.prm"
FIRST = "Obstacle 1/"
COARSE_STRIP = {"Surface/Cells along u": 4, "Surface/Cells along v": 1, "Time/End": 0.1}

# A cube of side 2 whose upper side is the plane z = 0.
CUBE = """solid cube
{}endsolid cube
"""


def cube(inside_out=False):
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-2, 0)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    facets = ""
    for a, b, c, d in sides:
        for triangle in ((a, b, c), (a, c, d)):
            triangle = triangle[::-1] if inside_out else triangle
            facets += "facet normal 0 0 0\nouter loop\n"
            facets += "".join("vertex {} {} {}\n".format(*corners[i]) for i in triangle)
            facets += "endloop\nendfacet\n"
    return CUBE.format(facets)


def groove():
    """A block of wood with a groove of 90 degrees along y in its upper side, whose
    bottom is the line x = z = 0."""
    outline = [(-1, -1), (1, -1), (1, 1), (0, 0), (-1, 1)]
    lines = [f"v {x} {y} {z}" for y in (-1, 1) for x, z in outline]
    for triangle in ((1, 2, 4), (2, 3, 4), (1, 4, 5)):
        lines.append("f {} {} {}".format(*triangle))
        lines.append("f {} {} {}".format(*(i + 5 for i in triangle[::-1])))
    for i in range(5):
        j = (i + 1) % 5
        lines.append(f"f {j + 1} {i + 1} {i + 6} {j + 6}")
    return "\n".join([*lines, ""])


class Strip(ProgramTest):
    MASS = 0.2 * 0.05 * 0.002 * 1100
    ANGLE = math.radians(20)

    def test_it_slides_above_the_angle_of_friction_and_stays_below(self):
        run = self.study(SLOPE, settings=COARSE_STRIP)
        wanted = 9.81 * (math.sin(self.ANGLE) - 0.25 * math.cos(self.ANGLE))
        gained = run.results["momentum_x"][-1] / self.MASS / 0.1
        self.assertLess(abs(gained / wanted - 1), 1e-6)
        rough = {**COARSE_STRIP, FIRST + "Friction": 0.37}
        run = self.study(SLOPE, settings=rough, output="rough")
        self.assertLess(max(map(abs, run.results["momentum_x"])), 1e-12)
        self.assertEqual(max(run.results["slipping"]), 0)

    def test_a_surface_of_triangles_is_the_plane_that_it_looks_like(self):
        file = self.directory / "cube.stl"
        file.write_text(cube())
        plane = self.study(SLOPE, settings=COARSE_STRIP, output="plane")
        settings = {
            **COARSE_STRIP,
            FIRST + "Shape": "triangles",
            FIRST + "Direction": "0, 0, 1",
            FIRST + "File": file,
        }
        for inside_out in (False, True):
            file.write_text(cube(inside_out))
            triangles = self.study(SLOPE, settings=settings, output=f"triangles {inside_out}")
            for name in ("momentum_x", "pressure", "contacts"):
                np.testing.assert_allclose(
                    triangles.results[name], plane.results[name], rtol=1e-9, atol=1e-12
                )

    def test_a_floor_that_moves_takes_the_strip_along(self):
        settings = {
            **COARSE_STRIP,
            "Loads/Gravity direction": "0, 0, -1",
            FIRST + "Friction": 0.5,
            FIRST + "Velocity": "0.2, 0, 0",
        }
        run = self.study(SLOPE, settings=settings, output="moving")
        # It slips until friction has brought it to the floor's velocity.
        velocity = np.array(run.results["momentum_x"]) / self.MASS
        self.assertLess(abs(velocity[2] - 0.5 * 9.81 * 0.02), 1e-6)
        self.assertLess(abs(velocity[-1] - 0.2), 1e-9)
        self.assertEqual(run.results["slipping"][-1], 0)

    def test_ranks_agree(self):
        runs = [
            self.study(SLOPE, settings=COARSE_STRIP, ranks=n, output=f"ranks_{n}")
            for n in (1, 2, 3)
        ]
        for run in runs[1:]:
            for name in ("momentum_x", "pressure", "force_x"):
                np.testing.assert_allclose(
                    run.results[name], runs[0].results[name], rtol=1e-8, atol=1e-10
                )


class Ring(ProgramTest):
    def test_it_slides_and_then_rolls_with_half_of_its_velocity(self):
        run = self.study(
            "shells/motion_rolling_ring.prm",
            settings={"Time/End": 0.24, "Surface/Cells along u": 16},
        )
        momentum = run.results["momentum_x"]
        self.assertEqual(run.results["slipping"][-1], 0)
        self.assertLess(abs(momentum[-1] / momentum[0] - 0.5), 0.03)
        # Rolling: velocity is spin times radius.
        spin = -run.results["angular_momentum_z"][-1] / 0.1
        self.assertLess(abs(spin / momentum[-1] - 1), 0.1)
        # Impacts and friction only take energy. In longer steps the rule of Euler
        # adds some where the ring turns under compression, see the unit test
        # steps_only_gain_energy_that_compression_gives.
        kinetic = np.array(run.results["kinetic_energy"])
        energy = kinetic + run.results["potential_energy"]
        self.assertLess(max(np.diff(energy)), 0)


class Cloth(ProgramTest):
    def test_it_stays_on_a_rough_ball(self):
        settings = {"Surface/Cells along u": 8, "Surface/Cells along v": 8, "Time/End": 0.3}
        run = self.study("shells/motion_cloth_on_sphere.prm", settings=settings)
        self.assertEqual(run.summary["failed"], 0)
        self.assertGreater(run.results["contacts"][-1], 4)
        contacts = Table(run.directory / "contacts.csv")
        self.assertGreater(min(contacts["gap"]), -1e-8)
        self.assertGreater(min(contacts["pressure"]), 0)


class Wall(ProgramTest):
    def test_a_rod_is_pushed_against_a_wall(self):
        run = self.study("rod_against_wall.prm", settings={"Kirchhoff rod/Elements": 10})
        self.assertEqual(run.summary["failed"], 0)
        self.assertEqual(max(run.results["negative_eigenvalues"][1:]), 0)
        # It bulges rather than being squeezed.
        self.assertLess(run.results["largest_stretch"][-1], 1e-3)
        self.assertGreater(run.results["contacts"][-1], 0)
        gaps = Table(run.directory / "contacts.csv")["gap"]
        self.assertLess(max(map(abs, gaps)), 1e-9)


# Twenty is far above the weight 7.84 EI/L^2 at which a column gives way, and no
# end of a step that is halved may be the load of the step before.
COLUMN = """set Study = equilibrium
set Model = discrete elastic rod
subsection Equilibrium
  set Load steps = 10
end
subsection Rod
  set Length              = 1
  set Section             = stiffnesses
  set Bending stiffness 1 = 1
  set Bending stiffness 2 = 1.5
  set Twisting stiffness  = 1
  set Axial stiffness     = 1e5
  set Mass per length     = 1
  set Tangent             = 0, 0, 1
  set Director 1          = 0, 1, 0
end
subsection Loads
  set Gravity           = 20
  set Gravity direction = 0, 0, -1
end
subsection Obstacle 1
  {obstacle}
  set Friction = 0.3
end
subsection Discrete elastic rod
  set Segments = 20
end
"""


class Column(ProgramTest):
    """A heavy column gives way to its weight, and a motion takes over."""

    def fall(self, height, obstacle="set Shape = plane\n  set Point = 0, 0, {}"):
        file = self.directory / "column.prm"
        file.write_text(COLUMN.format(obstacle=obstacle.format(height)))
        run = self.study(file, output="column")
        self.assertEqual(run.summary["failed"], 0)
        self.assertEqual(max(run.results["moved"]), 1)
        borne = np.array(run.results["start_force_z"]) + run.results["force_z"]
        # Newton's method leaves 1e-10 of places, times an axial stiffness of 1e5.
        np.testing.assert_allclose(borne, 20 * np.array(run.results["load"]), atol=1e-4)
        return run.results

    def test_its_clamp_bears_the_weight_far_above_a_floor(self):
        self.assertEqual(max(self.fall(-10)["contacts"]), 0)

    def test_clamp_and_floor_bear_the_weight_that_falls_on_it(self):
        self.assertGreater(self.fall(-0.1)["contacts"][-1], 0)

    def test_it_falls_on_a_shelf_as_thin_as_paper_and_not_through_it(self):
        thin = "set Shape = box\n  set Sides = 9, 9, 2e-4\n  set Point = 0, 0, {}"
        self.assertGreater(self.fall(-0.1001, thin)["contacts"][-1], 0)
        contacts = Table(self.directory / "column" / "contacts.csv")
        np.testing.assert_allclose(contacts["z"], -0.1, atol=1e-9)


SLIDING = """set Study = equilibrium
set Model = discrete elastic rod
subsection Rod
  set Length          = 1
  set Section         = circular
  set Radius          = 0.01
  set Young's modulus = 1e7
  set Poisson's ratio = 0.3
  set Density         = 1000
  set Tangent         = 0, 1, 0
  set Director 1      = 1, 0, 0
end
subsection Start
  set Hold = free
end
subsection Loads
  set Gravity           = 9.81
  # Of a slope of 30 degrees.
  set Gravity direction = 0.5, 0, -0.866025403784439
end
subsection Obstacle 1
  set Shape     = plane
  set Direction = 0, 0, 1
  set Friction  = 0.3
end
subsection Discrete elastic rod
  set Segments = 20
end
"""


class Slope(ProgramTest):
    def test_what_slides_without_end_is_told_so(self):
        file = self.directory / "sliding.prm"
        file.write_text(SLIDING)
        run = self.study(file, expected_code=2)
        self.assertIn("slides or falls on", run.out + run.err)


class Rest(ProgramTest):
    def test_a_rod_that_has_landed_ends_the_motion(self):
        # It falls by a centimetre, in 0.045 s, and does not bounce.
        settings = {
            "Motion/Stop below": 1e-6,
            "Loads/Gravity direction": "0, 0, -1",
            FIRST + "Point": "0, 0, -0.01",
        }
        run = self.study("motion_slope.prm", settings=settings)
        self.assertIn("at rest until time", run.out)
        self.assertLess(run.results["time"][-1], 0.1)
        self.assertLess(run.results["residual"][-1], 1e-6)
        # In flight its weight is out of balance.
        self.assertGreater(run.results["residual"][1], 1e-3)


class Drives(ProgramTest):
    """What moves gives energy, half of which is lost."""

    MASS = math.pi * 0.01**2 * 1000

    def test_a_belt(self):
        settings = {
            "Time/End": 0.6,
            "Loads/Gravity direction": "0, 0, -1",
            FIRST + "Velocity": "1, 0, 0",
        }
        run = self.study("motion_slope.prm", settings=settings, output="belt")
        results = run.results
        energy = 0.5 * self.MASS
        self.assertLess(abs(results["kinetic_energy"][-1] / energy - 1), 1e-6)
        # Friction pushes it until it is as fast as the belt, which goes twice as
        # far meanwhile.
        self.assertLess(abs(results["work"][-1] / (2 * energy) - 1), 1e-6)
        # Friction takes the other half, but for what the rule of Euler takes:
        # half of the step's gain of velocity squared in each step, 3 % here.
        self.assertLess(abs(results["friction_energy"][-1] / energy - 1), 0.04)
        self.assertLess(max(map(abs, results["balance"])), 0.04 * energy)
        self.assertLess(max(np.diff(results["balance"])), 1e-9 * energy)

    def test_a_wall_that_hits(self):
        settings = {
            "Time/End": 0.2,
            "Loads/Gravity": 0,
            FIRST + "Point": "-0.1, 0, 0",
            FIRST + "Direction": "1, 0, 0",
            FIRST + "Velocity": "3, 0, 0",
        }
        run = self.study("motion_slope.prm", settings=settings, output="wall")
        results = run.results
        energy = 0.5 * self.MASS * 3**2
        self.assertLess(abs(results["kinetic_energy"][-1] / energy - 1), 1e-6)
        self.assertLess(abs(results["work"][-1] / (2 * energy) - 1), 1e-6)
        # A plastic impact takes the other half.
        self.assertLess(abs(results["balance"][-1] / energy + 1), 1e-6)


class Groove(ProgramTest):
    def test_a_rod_may_begin_above_the_middle_of_a_groove(self):
        # Both sides are equally near there, and the distance has a kink.
        file = self.directory / "groove.OBJ"
        file.write_text(groove())
        settings = {
            "Time/End": 0.1,
            "Start/Position": "0, -0.5, 0.1",
            "Loads/Gravity direction": "0, 0, -1",
            FIRST + "Direction": "0, 0, 1",
        }
        shapes = {
            "triangles": {FIRST + "File": file},
            "formula": {FIRST + "Formula": "min(z + x, z - x)/sqrt(2)"},
        }
        for shape, one in shapes.items():
            run = self.study(
                "motion_slope.prm",
                settings={**settings, FIRST + "Shape": shape, **one},
                output=shape,
            )
            # It falls by half of g t^2, and a hundredth more as the rule of Euler
            # does.
            fallen = 0.1 - run.results["end_z"][-1]
            self.assertLess(abs(fallen / (0.5 * 9.80665 * 0.1**2) - 1.1), 0.01)


class Sections(ProgramTest):
    def test_contacts_have_the_number_of_their_section(self):
        file = self.scratch / "numbers.prm"
        settings = {
            "Time/End": 0.02,
            "Obstacle 3/Point": "0, 0, -1",
            "Obstacle 7/Direction": "0, 0, 1",
        }
        text = (PRM / "motion_slope.prm").read_text().replace("Obstacle 1", "Obstacle 7")
        base = self.scratch / "base.prm"
        base.write_text(text)
        file = self.write_variant("numbers", base, settings)
        run = self.study(file)
        contacts = Table(run.directory / "contacts.csv")
        self.assertEqual(set(contacts.words("obstacle")), {"7"})


class Support(ProgramTest):
    """A rod, clamped at its start, that sags on a floor."""

    MODELS = ("kirchhoff rod", "discrete elastic rod", "super helix", "super clothoid")

    def test_what_the_floor_bears_the_clamp_does_not(self):
        weight = 0.02 * 0.002 * 1000
        settings = {
            "Equilibrium/Load steps": 2,
            "Kirchhoff rod/Elements": 10,
            "Super helix/Elements": 10,
            "Super clothoid/Elements": 6,
            FIRST + "Point": "0, 0, -0.01",
            FIRST + "Direction": "0, 0, 1",
            FIRST + "Velocity": "0, 0, 0",
            FIRST + "Friction": 0,
        }
        for model in self.MODELS:
            with self.subTest(model=model):
                run = self.study(
                    "rod_against_wall.prm", settings={**settings, "Model": model}, output=model
                )
                borne = run.results["force_z"][-1]
                self.assertGreater(borne, 0.2 * weight)
                # Newton's steps of 1e-10 times a bending stiffness of elements, 10^5
                # times the weight, are left out of balance.
                held = run.results["start_force_z"][-1]
                self.assertLess(abs(held + borne - weight), 1e-5 * weight)

    def test_a_clamp_bears_what_a_rod_that_falls_leaves_of_its_weight(self):
        weight = math.pi * 0.01**2 * 1000 * 10
        settings = {
            "Time/Step": 0.0025,
            "Time/End": 0.06,
            "Kirchhoff rod/Elements": 15,
            "Super clothoid/Elements": 30,
            "Start/Hold": "clamped",
            "Loads/Gravity": 10,
            "Loads/Gravity direction": "0, 0, -1",
            "Damping/Rayleigh alpha": 40,
            FIRST + "Point": "0, 0, -0.003",
            FIRST + "Friction": 0,
        }
        runs = {}
        for model in ("kirchhoff rod", "super clothoid"):
            runs[model] = self.study(
                "motion_slope.prm",
                settings={**settings, "Model": model},
                output=f"moving {model}",
            ).results
        of_rod = np.array(runs["kirchhoff rod"]["start_force_z"])
        held = np.array(runs["super clothoid"]["start_force_z"])
        floor = np.array(runs["super clothoid"]["force_z"])
        self.assertGreater(floor[-1], 0.3 * weight)
        # From the first step on: the rod that stretches has the force of the first
        # of its elements, without the inertia of what is before it, which is less
        # than a hundredth of the weight; their impacts differ by as much.
        np.testing.assert_allclose(held[1:], of_rod[1:], atol=0.01 * weight)


class Bullet(ProgramTest):
    """A rod flies at 10 m/s towards a sheet that is ten times thinner than what it
    goes in a step."""

    FLIGHT = {
        "Time/End": 0.06,
        "Motion/Velocity": "-10, 0, 0",
        "Loads/Gravity": 0,
        FIRST + "Shape": "box",
        FIRST + "Point": "-0.25, 0, 0",
        FIRST + "Direction": "0, 0, 1",
        FIRST + "Sides": "0.01, 5, 5",
    }
    MASS = math.pi * 0.01**2 * 1000

    def fly(self, settings=(), **options):
        settings = {**self.FLIGHT, **dict(settings)}
        return self.study("motion_slope.prm", settings=settings, **options)

    def test_it_does_not_pass_through_a_sheet(self):
        run = self.fly(output="sheet")
        # The impact is plastic.
        self.assertLess(abs(run.results["momentum_x"][-1]), 1e-9 * self.MASS)
        contacts = Table(run.directory / "contacts.csv")
        self.assertLess(max(abs(x + 0.245) for x in contacts["x"]), 1e-8)

    def test_nor_does_a_sheet_through_it(self):
        settings = {
            "Motion/Velocity": "0, 0, 0",
            FIRST + "Velocity": "10, 0, 0",
        }
        run = self.fly(settings, output="racket")
        # It goes along with what has hit it.
        self.assertLess(abs(run.results["momentum_x"][-1] / self.MASS - 10), 1e-8)

    def test_on_any_number_of_ranks(self):
        run = self.fly(output="ranks", ranks=2)
        self.assertLess(abs(run.results["momentum_x"][-1]), 1e-9 * self.MASS)

    def test_where_no_shorter_step_is_allowed_the_run_says_so(self):
        run = self.fly({"Time/Smallest step": 0.01}, output="coarse", expected_code=2)
        self.assertIn("a step of 0.01 fails (the body passes through Obstacle 1)", run.err + run.out)
        self.assertLess(max(run.results["time"]), 0.03)


class Refusals(ProgramTest):
    def test_settings_that_searches_with_contact_do_not_have(self):
        wall = PRM / "rod_against_wall.prm"
        settings = {"Line search": "full step", "Maximum step cuts": 3, "Residual tolerance": 1e-9}
        self.refuse_all(
            [
                (
                    self.write_variant(f"idle_{i}", wall, {f"Newton/{name}": value}),
                    (name, "no obstacles"),
                )
                for i, (name, value) in enumerate(settings.items())
            ]
        )

    def test_what_makes_no_sense(self):
        formula = {FIRST + "Shape": "formula", FIRST + "Direction": "0, 0, 1"}
        cases = [
            ({FIRST + "Friction": -0.1}, ("Friction", "-0.1")),
            ({FIRST + "Point": "0, 0, 0.01"}, ("'Obstacle 1'", "inside", "(0, -0.025, 0)")),
            (
                {**formula, FIRST + "Formula": "2*z"},
                ("no distance from 'Obstacle 1'", "grows by 2"),
            ),
            ({FIRST + "Shape": "triangles", FIRST + "Direction": "0, 0, 1"}, ("a file",)),
            ({**formula, FIRST + "Formula": "z+"}, ("no formula",)),
            ({FIRST + "Shape": "cone"}, ("Shape", "cone")),
            ({"Time/Integrator": "verlet"}, ("implicit euler",)),
        ]
        self.refuse_all(
            [
                (self.write_variant(f"wrong_{i}", PRM / SLOPE, settings), expected)
                for i, (settings, expected) in enumerate(cases)
            ]
        )


if __name__ == "__main__":
    main()
