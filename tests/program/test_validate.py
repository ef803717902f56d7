# SPDX-License-Identifier: LGPL-2.1-or-later
"""--validate refuses all that a run would refuse before it computes, says what
there is to choose from, and does not need the memory that is missing."""

import shutil
import time

from support import PRM, ProgramTest, main

BRANCH = "branch_euler.prm"
FRONTIER = "frontier_column.prm"
ROD = "rod_equilibrium.prm"
PLATE = "shells/cantilever_shear.prm"
MESH = "shells/pinched_hemisphere_mesh.prm"
FINE = 99999

WRONG = [
    (
        BRANCH,
        {"Branch/Parameter": "gravty"},
        ["'gravty'", "did you mean 'gravity'?", "'end rotation'"],
    ),
    (
        BRANCH,
        {"Branch/Stop measurement": "ende z", "Branch/Stop above": 1},
        ["'ende z' is not measured", "did you mean 'end z'?", "'largest curvature'"],
    ),
    (FRONTIER, {"Frontier/Parameter 2": "weight"}, ["'weight'", "'gravity'"]),
    (PLATE, {"Point 1/Position": "3.1, 0.2, 0"}, ["'tip'", "not a node", "nearest"]),
    (PLATE, {"Point 1/Edge": "west"}, ["no edge 'west'", "left"]),
    (PLATE, {"Surface/Cells along u": FINE, "Surface/Cells along v": FINE}, ["GB", "available"]),
    (PLATE, {"Surface/Cells along u": 20000, "Surface/Cells along v": 10001}, ["cells"]),
    (
        "cantilever_plate.prm",
        {"Cantilever/Cells along": FINE, "Cantilever/Cells across": FINE},
        ["unknowns"],
    ),
    (
        "lateral_buckling.prm",
        {"Lateral buckling/Cells along": 10000, "Lateral buckling/Cells across": 10000},
        ["cells"],
    ),
    (
        ROD,
        {
            "Model": "super helix",
            "Start/Hold": "pinned",
            "Start/Rotation angle": 0,
            "End/Hold": "clamped",
            "Loads/End force": 0,
        },
        ["super helix", "must be clamped"],
    ),
]


class Validate(ProgramTest):
    def test_what_a_run_refuses(self):
        begin = time.monotonic()
        self.refuse_all(
            [
                (self.write_variant(f"wrong_{i}", PRM / prm, settings), expected)
                for i, (prm, settings, expected) in enumerate(WRONG)
            ]
        )
        # No time to fill gigabytes.
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_label_of_an_earlier_run(self):
        settings = {"Branch/Maximum": 5, "Branch/Requested values": 3, "Branch/Switching depth": 0}
        self.study(BRANCH, output="first", settings=settings)
        again = {**settings, "Branch/Start run": "first", "Branch/Start label": 2}
        cases = (
            ({"Branch/Start label": 99}, ["no label 99"]),
            ({"Branch/Direction": "switch", "Branch/Start label": 1}, ["not a branch point"]),
            ({"Branch/Minimum": 4.5, "Branch/Requested values": ""}, ["outside of the range"]),
            ({"Kirchhoff rod/Elements": 8}, ["another mesh"]),
            ({"Model": "discrete elastic rod"}, ["not with"]),
            ({"Loads/Gravity": 7}, ["'gravity' is 7 here, but 0 at label"]),
        )
        self.refuse_all(
            [
                (self.write_variant(f"again_{i}", PRM / BRANCH, {**again, **changes}), expected)
                for i, (changes, expected) in enumerate(cases)
            ]
        )
        process = self.program("--validate", PRM / BRANCH, settings=again)
        self.assertEqual(process.returncode, 0, process.stderr)

    def test_many_edges_and_points(self):
        settings = {}
        for old, new in (("Edge 1", "Edge 37"), ("Point 1", "Point 1000")):
            settings[f"{old}/Name"] = ""
            settings[f"{new}/Name"] = {"Edge 1": "left", "Point 1": "far"}[old]
        settings["Edge 1/Hold"] = "free"
        settings["Edge 37/Hold"] = "clamped"
        settings["Point 1000/Position"] = "10, 0.5, 0"
        run = self.study(PLATE, settings={**settings, "Equilibrium/Load steps": 1})
        self.assertIn("far_z", run.results.columns)
        self.assertEqual(run.used_parameters["Edge 37/Hold"], "clamped")
        self.refuse_all(
            [
                (
                    self.write_variant(section, PRM / PLATE, {f"{section}/Name": "x"}),
                    [f"no section '{section}'"],
                )
                for section in ("Edge 0", "Edge 01", "Edge one", "Edge -1", "Point 1e3")
            ]
        )

    def test_directions_of_any_length(self):
        # 1e200 squared is infinite, 1e-200 squared is zero.
        reference = self.study(ROD, settings={"Equilibrium/Load steps": 1})
        for i, length in enumerate(("1e200", "1e-200", "1e-300")):
            settings = {"Equilibrium/Load steps": 1}
            for name in ("Gravity direction", "End force direction"):
                settings[f"Loads/{name}"] = f"0, 0, -{length}"
            settings["Start/Rotation axis"] = f"{length}, 0, 0"
            settings["Rod/Tangent"] = f"{length}, 0, 0"
            settings["Rod/Director 1"] = f"0, {length}, 0"
            run = self.study(ROD, output=f"long{i}", settings=settings)
            self.assertEqual(run.results["end_z"], reference.results["end_z"])
        plate = self.study(PLATE, output="plate", settings={"Equilibrium/Load steps": 1})
        settings = {"Equilibrium/Load steps": 1, "Edge 2/Load direction": "0, 0, 1e200"}
        run = self.study(PLATE, output="long_plate", settings=settings)
        self.assertEqual(run.results["tip_z"], plate.results["tip_z"])


STRIP = """set Study = equilibrium
set Model = kirchhoff rod
subsection Rod
  set Section = rectangular
  set Length = 0.2
  set Width = 0.02
  set Thickness = 0.0001
  set Young's modulus = 2.5e9
  set Poisson's ratio = 0.3
  set Density = 800
end
subsection Loads
  set Gravity = 9.81
end
"""


class Doubts(ProgramTest):
    """What is allowed, but may not have been meant: a warning, and the run goes on."""

    def said(self, text, **options):
        path = self.directory / "strip.prm"
        path.write_text(text)
        process = self.program("--validate", path, **options)
        self.assertEqual(process.returncode, 0, process.stderr)
        return process.stderr

    def without(self, *names):
        return "".join(line for line in STRIP.splitlines(True) if not any(name in line for name in names))

    def test_all_is_said(self):
        self.assertEqual(self.said(STRIP), "")

    def test_sizes_and_material_by_default(self):
        line = self.said(self.without("Young's", "Thickness", "Density"))
        self.assertRegex(line, r"^slender_fem: warning: .*strip.prm: section 'Rod' leaves to defaults: [^\n]*\n$")
        for words in ("Thickness = 0.005", "Young's modulus = 1e+06", "Density = 1000"):
            self.assertIn(words, line)
        self.assertNotIn("Length", line)
        # Nothing asks for a mass without gravity.
        self.assertEqual(self.said(self.without("Density", "Gravity")), "")
        # Given stiffnesses ask for none of these.
        units = "set Study = equilibrium\nset Model = kirchhoff rod\nsubsection Rod\nset Section = stiffnesses\nend\n"
        self.assertEqual(self.said(units), "")

    def test_a_varying_gravity_asks_for_a_density(self):
        text = self.without("Density", "Gravity").replace("= equilibrium", "= branch")
        text += "subsection Branch\nset Parameter = gravity\nend\n"
        self.assertIn("Density = 1000", self.said(text))

    def test_a_body_that_is_not_slender(self):
        # Millimetres among metres.
        self.assertIn("is not slender", self.said(STRIP.replace("0.0001", "0.1")))
        thick = {"Rod/Shear deformation": "true", "Rod/Thickness": 0.1}
        self.assertEqual(self.said(STRIP, settings=thick), "")
        shell = self.program("--validate", PRM / PLATE, settings={"Shell/Thickness": 5})
        self.assertIn("is not slender", shell.stderr)

    def test_a_typed_setting_of_another_model(self):
        line = self.said(STRIP, settings={"Discrete elastic rod/Segments": 7})
        self.assertIn("Segments=7\" has no effect: the model is 'kirchhoff rod'", line)
        # In a file it may wait for its model.
        other = "subsection Discrete elastic rod\nset Segments = 7\nend\n"
        self.assertEqual(self.said(STRIP + other), "")


class NamedFiles(ProgramTest):
    """Files that a parameter file names are found beside it, and in the working
    directory."""

    def test_a_mesh(self):
        mesh = PRM.parent / "meshes"
        text = (PRM / MESH).read_text()
        name = next(line.split("=")[1].strip() for line in text.splitlines() if "Mesh file" in line)
        home = self.directory / "home"
        home.mkdir()
        (home / "a.prm").write_text(text.replace(name, "a.msh"))
        shutil.copy(mesh / name.split("/")[-1], home / "a.msh")
        beside = self.program("--validate", "home/a.prm")
        self.assertEqual(beside.returncode, 0, beside.stderr)
        self.assertEqual(beside.stderr, "")

        # A second file of that name: the one beside the parameter file counts.
        (self.directory / "a.msh").write_text("no mesh\n")
        both = self.program("--validate", "home/a.prm")
        self.assertEqual(both.returncode, 0, both.stderr)
        self.assertRegex(both.stderr, r"^slender_fem: warning: .*'a.msh' is both .*\n$")
        self.assertIn("'home/a.msh'", both.stderr)

        (home / "a.msh").rename(self.directory / "a.msh")
        elsewhere = self.program("--validate", "home/a.prm")
        self.assertEqual(elsewhere.returncode, 0, elsewhere.stderr)
        self.assertEqual(elsewhere.stderr, "")

        # On the command line the working directory comes first.
        (home / "b.msh").write_text("no mesh\n")
        (self.directory / "a.msh").rename(self.directory / "b.msh")
        typed = self.program("--validate", "home/a.prm", settings={"Surface/Mesh file": "b.msh"})
        self.assertEqual(typed.returncode, 0, typed.stderr)
        self.assertIn("warning", typed.stderr)

    def test_an_included_file(self):
        away = self.directory / "away"
        away.mkdir()
        (self.directory / "common.prm").write_text((PRM / ROD).read_text())
        (away / "uses.prm").write_text("include common.prm\n")
        process = self.program("--validate", "away/uses.prm")
        self.assertEqual(process.returncode, 0, process.stderr)


if __name__ == "__main__":
    main()
