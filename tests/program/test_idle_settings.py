# SPDX-License-Identifier: LGPL-2.1-or-later
"""Settings that can have no effect are refused, with exit code 1 and one line,
and nothing is created."""

from support import PRM, ProgramTest, main

ROD = "rod_equilibrium.prm"
BRANCH = "branch_euler.prm"
FRONTIER = "frontier_column.prm"
CYLINDER = "shells/cylinder_pull_out.prm"
PLATE = "shells/cantilever_shear.prm"

CUSTOM = {"End/Hold": "custom", "End/Fixed directions": "x"}


def varied(parameter, **others):
    return {"Branch/Parameter": parameter, "Branch/Requested values": "", **others}


# Name, file, settings, words that the line has to hold.
SECTIONS = [
    ("radius of a rectangle", ROD, {"Rod/Radius": 1}, ["'Radius'", "'circular'"]),
    (
        "width of a circle",
        ROD,
        {"Rod/Section": "circular", "Rod/Thickness": 0.005},
        ["'Width'", "'rectangular'"],
    ),
    ("modulus beside stiffnesses", BRANCH, {"Rod/Young's modulus": 2}, ["'Section'"]),
    ("density beside stiffnesses", BRANCH, {"Rod/Density": 2}, ["'Section'"]),
    ("stiffness beside a material", ROD, {"Rod/Bending stiffness 1": 2}, ["'stiffnesses'"]),
    ("mass beside a material", ROD, {"Rod/Mass per length": 2}, ["'stiffnesses'"]),
    (
        "stretching, but inextensible",
        BRANCH,
        {"Rod/Axial stiffness": 2, "Rod/Inextensible": "true"},
        ["'Inextensible'"],
    ),
]

LOADS = [
    (
        "displaced where nothing is fixed",
        ROD,
        {**CUSTOM, "End/Displacement": 0.01, "End/Displacement direction": "0, 1, 0"},
        ["along y", "nothing is fixed"],
    ),
    (
        "displaced partly where nothing is fixed",
        ROD,
        {**CUSTOM, "End/Displacement": 0.01, "End/Displacement direction": "1, 1, 0"},
        ["along y", "nothing is fixed"],
    ),
    (
        "turned end that may turn",
        ROD,
        {"End/Hold": "custom", "End/Rotation": "about x", "End/Rotation angle": 1},
        ["cannot be rotated"],
    ),
    ("force on a clamp", ROD, {"End/Hold": "clamped"}, ["end force", "fixed"]),
    ("moment on a clamp", ROD, {**CUSTOM, "End/Rotation": "fixed", "Loads/End moment": 1}, ["fixed"]),
    (
        "moment about an axis that is held",
        ROD,
        {
            "End/Hold": "custom",
            "End/Rotation": "about x",
            "Loads/End moment": 1,
            "Loads/End moment axis": "0, 1, 0",
            "Start/Rotation angle": 0,
        },
        ["'end moment' moves nothing"],
    ),
    ("gravity without mass", ROD, {"Rod/Density": 0}, ["without mass"]),
    (
        "natural twist of a planar rod",
        ROD,
        {
            "Model": "super helix",
            "Super helix/Planar": "true",
            "Rod/Natural twist": 1,
            "Start/Rotation angle": 0,
        },
        ["'natural twist' moves nothing"],
    ),
]

CONTINUATIONS = [
    ("turned free end", BRANCH, varied("end rotation"), ["cannot be rotated"]),
    ("displaced free end", BRANCH, varied("end displacement"), ["cannot be displaced"]),
    (
        "force on a clamp",
        BRANCH,
        varied("end force", **{"End/Hold": "clamped"}),
        ["end force", "fixed"],
    ),
    ("stiffness without loads", BRANCH, varied("stiffness"), ["'stiffness' moves nothing"]),
    ("load of what varies", BRANCH, {"Loads/End force": 3}, ["'end force' varies", "leave it out"]),
    ("label without a run", BRANCH, {"Branch/Start label": 3}, ["'Start label'", "'Start run'"]),
    (
        "measurement without limits",
        BRANCH,
        {"Branch/Stop measurement": "end z"},
        ["'Stop below' or 'Stop above'"],
    ),
    (
        "empty interval",
        BRANCH,
        {"Branch/Stop measurement": "end z", "Branch/Stop below": 2, "Branch/Stop above": 1},
        ["interval is empty"],
    ),
    ("frontier of a free end", FRONTIER, {"Frontier/Parameter 2": "end rotation"}, ["rotated"]),
]

SHELLS = [
    ("grading of a cylinder", CYLINDER, {"Surface/Grading along u": 3}, ["'rectangle'"]),
    ("width of a cylinder", CYLINDER, {"Surface/Width": 3}, ["'rectangle'", "'cylinder'"]),
    ("radius of a rectangle", PLATE, {"Surface/Radius": 3}, ["'Radius'", "'rectangle'"]),
    ("mesh file of a rectangle", PLATE, {"Surface/Mesh file": "x.msh"}, ["'mesh file'"]),
    ("refined rectangle", PLATE, {"Surface/Refinements": 1}, ["'mesh file'"]),
    (
        "slit of half an annulus",
        CYLINDER,
        {"Surface/Shape": "annulus", "Surface/Slit": "true", "Surface/Length": 1},
        ["whole turn"],
    ),
    (
        "apex of a pressure",
        PLATE,
        {"Loads/Pressure": 1, "Loads/Pressure apex": "1, 0, 0"},
        ["'Pressure apex'", "no meaning any more"],
    ),
    (
        "displaced across a symmetry",
        CYLINDER,
        {"Edge 1/Displacement": 1, "Edge 1/Displacement direction": "1, 0, 0"},
        ["along x"],
    ),
    ("moment on a clamp", PLATE, {"Edge 1/Moment": 1}, ["tangent plane"]),
    (
        "load on a hinge",
        PLATE,
        {"Edge 2/Hold": "custom", "Edge 2/Fixed directions": "z"},
        ["edge is fixed"],
    ),
    ("tilt without gravity", PLATE, {"Loads/Tilt": 1}, ["'gravity tilt' moves nothing"]),
    ("force on a clamped point", CYLINDER, {"Point 1/Fixed directions": "x"}, ["point is held"]),
    ("force without a point", PLATE, {"Point 1/Name": "", "Point 1/Force": 1}, ["'Name'"]),
    ("displacement of no edge", PLATE, {"Edge 3/Displacement": 1}, ["which edge", "left"]),
]

PROTOCOLS = [
    (
        "frontier while the plane is sampled",
        "bend_twist_protocol.prm",
        {"Bend twist/Largest y": 5},
        ["'Largest y'", "'Mode' is 'frontier'"],
    ),
    (
        "steps of a frontier that is not tracked",
        "bend_twist_protocol.prm",
        {"Frontier tracking/Largest step": 0.1},
        ["'Largest step'", "'Mode' is 'frontier'"],
    ),
    (
        "grid of a frontier that is tracked",
        "bend_twist.prm",
        {"Bend twist/Rows": 7},
        ["'Rows'", "'Mode' is 'protocol'"],
    ),
    (
        "angles of a plate that is not turned",
        "lateral_buckling.prm",
        {"Lateral buckling/Largest angle": 0.3},
        ["'Largest angle'", "'Mode' is 'rotation'"],
    ),
    (
        "shapes of eigenvalues",
        "lateral_buckling_eigenvalue.prm",
        {"Lateral buckling/Shapes": 3},
        ["'Shapes'", "'frontier', 'protocol' or 'rotation'"],
    ),
    (
        "method of a frontier that is not tracked",
        "lateral_buckling_rotation.prm",
        {"Frontier tracking/Method": "minimally augmented"},
        ["'Method'", "'Mode' is 'frontier'"],
    ),
]

# What looks idle and is not.
EFFECTIVE = [
    ("weight along a straight rod", ROD, {"Model": "super helix", "Loads/Gravity direction": "1, 0, 0"}),
    ("the whole rod moves", BRANCH, varied("start displacement")),
    (
        "the whole super helix moves",
        BRANCH,
        varied("start displacement", Model="super helix"),
    ),
    ("stiffness under load", BRANCH, varied("stiffness", **{"Branch/Minimum": 1, "Loads/End force": 1})),
    ("pressure", PLATE, {"Loads/Pressure": 1}),
    ("direction of a load that is zero", ROD, {"Loads/End moment axis": "1, 0, 0"}),
]


class IdleSettings(ProgramTest):
    def check_refused(self, cases):
        self.refuse_all(
            [
                (self.write_variant(name, PRM / prm, settings), expected)
                for name, prm, settings, expected in cases
            ]
        )

    def test_sections(self):
        self.check_refused(SECTIONS)

    def test_loads(self):
        self.check_refused(LOADS)

    def test_continuations(self):
        self.check_refused(CONTINUATIONS)

    def test_shells(self):
        self.check_refused(SHELLS)

    def test_other_modes_of_protocols(self):
        self.check_refused(PROTOCOLS)

    def test_what_has_an_effect_passes(self):
        files = [self.write_variant(name, PRM / prm, some) for name, prm, some in EFFECTIVE]
        process = self.program("--validate", *files)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stdout, "".join(f"{file}: valid\n" for file in files))


if __name__ == "__main__":
    main()
