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


def cube():
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-2, 0)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    facets = ""
    for a, b, c, d in sides:
        for triangle in ((a, b, c), (a, c, d)):
            facets += "facet normal 0 0 0\nouter loop\n"
            facets += "".join("vertex {} {} {}\n".format(*corners[i]) for i in triangle)
            facets += "endloop\nendfacet\n"
    return CUBE.format(facets)


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
        triangles = self.study(SLOPE, settings=settings, output="triangles")
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
  set Shape    = plane
  set Point    = 0, 0, {height}
  set Friction = 0.3
end
subsection Discrete elastic rod
  set Segments = 20
end
"""


class Column(ProgramTest):
    """A heavy column gives way to its weight, and a motion takes over."""

    def fall(self, height):
        file = self.directory / "column.prm"
        file.write_text(COLUMN.format(height=height))
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
            ({FIRST + "Point": "0, 0, 0.01"}, ("inside", "(0, -0.025, 0)")),
            ({**formula, FIRST + "Formula": "2*z"}, ("no distance", "grows by 2")),
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
