# SPDX-License-Identifier: LGPL-2.1-or-later
"""Branches of shells that jump, close or are many at once; each takes a minute."""

from support import ProgramTest, main
from test_follower_loads import parameters, shell

# A shallow arch of spring steel between two clamps, with a force on its crown.
ARCH = {
    "Branch": {
        "Parameter": "crown force",
        "Minimum": -20,
        "Maximum": 40,
        "Start value": 0,
        "Switching depth": 1,
    },
    "Shell": {**shell(200e9, 0.3, 0.0005), "Density": 7850},
    "Surface": {
        "Shape": "cylinder",
        "Radius": 0.26,
        "Length": 0.01,
        "Start angle": 67.3801,
        "Angle": 45.2397,
        "Cells along u": 16,
        "Cells along v": 2,
    },
    "Edge 1": {"Name": "start", "Hold": "clamped"},
    "Edge 2": {"Name": "end", "Hold": "clamped"},
    "Point 1": {
        "Name": "crown",
        "Position": "0, 0.26, 0.005",
        "Force direction": "0, -1, 0",
    },
}

# Half a sphere under pressure, whose modes are nearly critical together.
SPHERE = {
    "Branch": {
        "Parameter": "pressure",
        "Minimum": -8,
        "Maximum": 0,
        "Start value": -3,
        "Direction": "down",
        "Stop at": "instability",
    },
    "Continuation": {"First step": 0.05, "Largest step": 0.1},
    "Shell": shell(1e4, 0.3, 0.02),
    "Surface": {"Shape": "cap", "Radius": 1, "Bottom latitude": 0, "Cells along u": 6},
    "Koiter shell": {"Degree": 3},
    "Edge 1": {"Name": "rim", "Hold": "symmetry z"},
    "Point 1": {"Name": "pole", "Position": "0, 0, 1", "Fixed directions": "x, y"},
    "Point 2": {"Name": "side", "Position": "1, 0, 0", "Fixed directions": "y"},
}


class LongBranches(ProgramTest):
    def follow(self, sections, output):
        path = self.directory / f"{output}.prm"
        path.write_text(parameters("branch", "koiter shell", sections))
        return self.study(path, output=output)

    def test_the_sway_of_an_arch_is_one_closed_branch(self):
        run = self.follow(ARCH, "arch")
        # Once each: the other branch is not retraced.
        first = [row for row in run.results.rows if row["branch"] == "1"]
        loads = {
            kind: [round(float(r["crown_force"]), 2) for r in first if r["kind"] == kind]
            for kind in ("LP", "BP")
        }
        self.assertEqual(loads["LP"], [11.76, 4.19])
        self.assertEqual(loads["BP"], [10.66, 5.23])
        folds = [r for r in run.results.of_kind("LP") if r["branch"] != "1"]
        self.assertEqual(folds, [])
        self.assertRegex(run.out, "it closed|passes through the bifurcation")

    def test_a_sphere_buckles_at_the_classical_pressure(self):
        run = self.follow(SPHERE, "sphere")
        classical = 2 * 1e4 * 0.02**2 / (3 * (1 - 0.3**2)) ** 0.5
        load = [r for r in run.results.rows if r["kind"] == "BP"][0]
        # On a mesh of six cells.
        self.assertAlmostEqual(-float(load["pressure"]) / classical, 1, delta=0.02)
        self.assertGreaterEqual(int(load["critical_eigenvalues"]), 1)


if __name__ == "__main__":
    main()
