# SPDX-License-Identifier: LGPL-2.1-or-later
"""Loads that follow the body: pressures on shells whose edges are free, slide or
are held, and a thrust on the end of a rod."""

import math

from support import ProgramTest, main
from test_wrong_shells import mesh


def parameters(study, model, sections):
    """A parameter file; sections by name, with their settings."""
    lines = [f"set Study = {study}", f"set Model = {model}"]
    for name, settings in sections.items():
        lines += [f"subsection {name}", *(f"  set {k} = {v}" for k, v in settings.items()), "end"]
    return "\n".join([*lines, ""])


def shell(young, poisson, thickness):
    return {"Young's modulus": young, "Poisson's ratio": poisson, "Thickness": thickness}


ONE_STEP = {"Load steps": 1}
CYLINDER = {
    "Shell": shell(1e6, 0.3, 0.01),
    "Edge 1": {"Name": "start", "Hold": "symmetry y"},
    "Edge 2": {"Name": "end", "Hold": "symmetry x"},
    "Edge 3": {"Name": "bottom", "Hold": "symmetry z"},
    "Edge 4": {"Name": "top", "Hold": "custom", "Fixed directions": "x, y"},
    "Point 1": {"Name": "middle", "Position": "1, 0, 0"},
    "Point 2": {"Name": "upper", "Position": "1, 0, 2"},
}
QUARTER = {"Shape": "cylinder", "Radius": 1, "Length": 2, "Start angle": 0, "Angle": 90}
CANTILEVER = {
    "Equilibrium": ONE_STEP,
    "Shell": shell(1.2e7, 0, 0.01),  # D = 1
    "Surface": {"Shape": "rectangle", "Width": 0.2, "Cells along u": 8, "Cells along v": 2},
    "Edge 1": {"Name": "left", "Hold": "clamped"},
    "Point 1": {"Name": "tip", "Position": "1, 0, 0"},
    "Loads": {"Pressure": 1e-3},
}
COLUMN = {
    "Rod": {
        "Section": "stiffnesses",
        "Bending stiffness 1": 1,
        "Bending stiffness 2": 3,
        "Twisting stiffness": 1,
    },
    "Start": {"Hold": "clamped"},
    "End": {"Hold": "free"},
    "Loads": {"End force direction": "-1, 0, 0"},
    "Branch": {"Parameter": "end force", "Minimum": 0, "Maximum": 18},
}


def offset_square(n=4, size=0.5, corner=(5, 7, 3)):
    """A square of n x n cells away from the origin; lines 1 to 4: south, north,
    west, east."""
    nodes = [
        (corner[0] + size * i / n, corner[1] + size * j / n, corner[2])
        for j in range(n + 1)
        for i in range(n + 1)
    ]

    def at(i, j):
        return 1 + i + (n + 1) * j

    cells = [
        (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))
        for j in range(n)
        for i in range(n)
    ]
    lines = [(1, (at(i, 0), at(i + 1, 0))) for i in range(n)]
    lines += [(2, (at(i, n), at(i + 1, n))) for i in range(n)]
    lines += [(3, (at(0, j), at(0, j + 1))) for j in range(n)]
    lines += [(4, (at(n, j), at(n, j + 1))) for j in range(n)]
    return mesh(nodes, cells, lines)


class FollowerLoads(ProgramTest):
    def run_file(self, study, model, sections, **options):
        path = self.directory / "case.prm"
        path.write_text(parameters(study, model, sections))
        return self.study(path, **options)

    def equilibrium(self, sections, **options):
        run = self.run_file("equilibrium", "koiter shell", sections, **options)
        self.assertEqual(run.summary["failed"], 0)
        return run

    def test_cantilever(self):
        # p L^4 / (8 D), and the clamp carries all of it; on any number of ranks.
        values = []
        for ranks in (1, 2, 3):
            options = {"settings": {"Ranks per sample": ranks}, "ranks": ranks}
            run = self.equilibrium(CANTILEVER, **options)
            self.assertIn("does not exclude flutter", run.out)
            results = run.results
            self.assertAlmostEqual(results["tip_displacement_z"][-1], 1.25e-4, delta=1e-9)
            self.assertAlmostEqual(results["left_force_z"][-1], -2e-4, delta=1e-10)
            values.append(results["tip_displacement_z"][-1])
        for other in values[1:]:
            self.assertLess(abs(other / values[0] - 1), 1e-8)

    def test_cylinder_that_slides(self):
        # No axial force: away from the ends it expands by p R^2 / (E t) and
        # shortens by nu p R L / (E t), of which the ends keep a part.
        sections = {
            "Equilibrium": ONE_STEP,
            **CYLINDER,
            "Surface": {**QUARTER, "Cells along u": 4, "Cells along v": 16},
            "Loads": {"Pressure": 0.01},
        }
        run = self.equilibrium(sections)
        self.assertNotIn("flutter", run.out)
        results = run.results
        self.assertAlmostEqual(results["middle_displacement_x"][-1], 1e-6, delta=1e-9)
        self.assertAlmostEqual(results["upper_displacement_z"][-1], -5.9e-7, delta=5e-9)
        # What there is is the pressure on the ring by which the middle is wider
        # than the top; a third of p R would be 3000 times as much.
        ring = math.pi / 2 * results["middle_displacement_x"][-1]
        self.assertAlmostEqual(results["bottom_force_z"][-1], -0.01 * ring, delta=1e-3 * 0.01 * ring)

    def test_cylinder_that_buckles(self):
        # Von Mises, lateral pressure, n = 4 around: 2.408, with the theory of
        # shallow shells; ours converges to 2.404.
        sections = {
            **CYLINDER,
            "Surface": {**QUARTER, "Cells along u": 8, "Cells along v": 8},
            "Branch": {
                "Parameter": "pressure",
                "Minimum": -5,
                "Maximum": 0,
                "Start value": 0,
                "Stop at": "bifurcation",
            },
            "Continuation": {"First step": 0.1, "Largest step": 0.1},
        }
        run = self.run_file("branch", "koiter shell", sections)
        found = -float(run.results.of_kind("BP")[0]["pressure"])
        print("buckles at", found)
        self.assertLess(abs(found / 2.408 - 1), 3e-3)

    def test_plate_away_from_the_origin(self):
        # A quarter of a clamped square: 0.001265 q a^4 / D.
        (self.directory / "offset.msh").write_text(offset_square())
        sections = {
            "Equilibrium": ONE_STEP,
            "Shell": shell(1.092e7, 0.3, 0.01),
            "Surface": {"Shape": "mesh file", "Mesh file": "offset.msh"},
            "Edge 1": {"Name": 1, "Hold": "symmetry y"},
            "Edge 2": {"Name": 2, "Hold": "clamped"},
            "Edge 3": {"Name": 3, "Hold": "symmetry x"},
            "Edge 4": {"Name": 4, "Hold": "clamped"},
            "Point 1": {"Name": "centre", "Position": "5, 7, 3"},
            "Loads": {"Pressure": 1e-3},
        }
        results = self.equilibrium(sections).results
        self.assertAlmostEqual(results["centre_displacement_z"][-1], 1.2653e-6, delta=1e-9)

    def test_reactions_of_a_disk(self):
        sections = {
            "Equilibrium": ONE_STEP,
            "Shell": shell(1e6, 0.3, 0.02),
            "Surface": {"Shape": "disk", "Radius": 1, "Cells along u": 4},
            "Edge 1": {"Name": "rim", "Hold": "clamped"},
            "Loads": {"Pressure": 0.01},
        }
        results = self.equilibrium(sections).results
        self.assertAlmostEqual(results["rim_force_z"][-1], -0.01 * math.pi, delta=1e-7)

    def test_becks_column(self):
        # Under a thrust there is no bifurcation, and the program says what it
        # did not look at. Under a dead force there are those of the clamped
        # column, pi^2/4 and three times that in the other plane.
        for follows, expected in (("true", []), ("false", [1, 3])):
            loads = {**COLUMN["Loads"], "End force follows": follows}
            sections = {**COLUMN, "Loads": loads}
            run = self.run_file("branch", "kirchhoff rod", sections, output=follows)
            found = [float(row["end_force"]) for row in run.results.of_kind("BP")]
            self.assertEqual(len(found), len(expected))
            for load, multiple in zip(found, expected):
                self.assertAlmostEqual(load, multiple * math.pi**2 / 4, delta=1e-4)
            self.assertEqual("does not exclude flutter" in run.out, follows == "true")

    def test_no_frontier_without_a_potential(self):
        axes = {"Parameter 1": "pressure", "Minimum 1": 0, "Maximum 1": 1}
        axes.update({"Parameter 2": "thickness", "Minimum 2": 0.01, "Maximum 2": 0.02})
        path = self.directory / "frontier.prm"
        sections = {name: CANTILEVER[name] for name in CANTILEVER if name != "Equilibrium"}
        sections["Loads"] = {}
        path.write_text(parameters("frontier", "koiter shell", {**sections, "Frontier": axes}))
        self.refuse(path, expected=["a frontier", "potential"])

    def test_curvature_rods_refuse(self):
        path = self.directory / "refused.prm"
        loads = {**COLUMN["Loads"], "End force follows": "true"}
        path.write_text(parameters("branch", "super helix", {**COLUMN, "Loads": loads}))
        self.refuse(path, expected=["follows the end", "kirchhoff rod"])


if __name__ == "__main__":
    main()
