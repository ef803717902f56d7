# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every example runs as it is, but for its size, and with every model that its
study takes."""

import re
from pathlib import Path

from support import PRM, ROOT, ProgramTest, main, read_parameters

# A few samples of each study of rods; an example of a study that has no few has a
# test of its own.
FEW = {
    "cantilever": {"Cantilever/Exponent step": 1, "Cantilever/Shapes": 2},
    "equilibrium": {"Equilibrium/Load steps": 5, "Discrete elastic rod/Segments": 1000},
}


def cells(along_u, along_v):
    return {"Surface/Cells along u": along_u, "Surface/Cells along v": along_v}


# Meshes that show that an example runs, and no more.
COARSE = {
    "cantilever_shear": cells(4, 1),
    "cylinder_pull_out": {**cells(3, 2), "Koiter shell/Degree": 3},
    "motion_cloth": {**cells(2, 2), "Time/End": 0.1},
    "motion_cloth_triangles": {**cells(4, 4), "Time/End": 0.1},
    "motion_cloth_on_sphere": {**cells(4, 4), "Time/End": 0.05},
    "motion_hanging_cloth": {**cells(2, 2), "Time/End": 0.05},
    "motion_rolling_ring": {**cells(8, 1), "Time/End": 0.02},
    "motion_strip_slope": {**cells(2, 1), "Time/End": 0.05},
    "motion_ring": {**cells(6, 1), "Time/End": 0.1},
    "vibration_panel": {**cells(2, 2), "Vibration/Frames": 2},
    "vibration_plate": {**cells(2, 2), "Vibration/Frames": 2},
    "hinged_roof": {**cells(2, 2), "Branch/Maximum": 300},
    "hinged_roof_thin": {**cells(2, 2), "Branch/Maximum": 300},
    "pinched_hemisphere": {**cells(3, 3), "Koiter shell/Degree": 3},
    "pinched_hemisphere_mesh": {"Koiter shell/Degree": 2},
    "pinched_semicylinder": {**cells(4, 4), "Branch/Maximum": 100},
    "plate_with_hole": {"Koiter shell/Degree": 2},
    "slit_annulus": cells(6, 1),
}
# What does not pass, and has a test that says so.
OF_ITS_OWN = ("cantilever_projective.prm",)


def name_of(prm):
    return str(prm.relative_to(PRM))


class Examples(ProgramTest):
    def check_run(self, prm, settings):
        study = read_parameters(prm)["Study"]
        # Meshes are named from the root of the repository.
        run = self.study(name_of(prm), settings=settings, cwd=ROOT)
        self.assertEqual(run.summary["study"], study)
        self.assertEqual(run.summary["failed"], 0)
        self.assertGreater(len(run.results), 1)
        self.assertNotEqual(run.summary["verdict"], "KO")

    def test_every_example_of_a_rod_runs(self):
        examples = {prm: read_parameters(prm)["Study"] for prm in sorted(PRM.glob("*.prm"))}
        examples = {
            prm: study
            for prm, study in examples.items()
            if study in FEW and prm.name not in OF_ITS_OWN
        }
        self.assertGreaterEqual(len(examples), 4)
        for prm, study in examples.items():
            with self.subTest(prm=name_of(prm)):
                self.check_run(prm, FEW[study])

    def test_every_example_of_a_shell_runs(self):
        examples = sorted(PRM.glob("shells/*.prm"))
        self.assertEqual([prm.stem for prm in examples], sorted(COARSE))
        for prm in examples:
            with self.subTest(prm=name_of(prm)):
                self.check_run(prm, COARSE[prm.stem])

    def test_every_other_example_has_a_test(self):
        tests = "".join(path.read_text() for path in Path(__file__).parent.glob("*.py"))
        for prm in sorted(PRM.glob("*.prm")):
            if read_parameters(prm)["Study"] not in FEW or prm.name in OF_ITS_OWN:
                self.assertIn(f'"{prm.name}"', tests)

    def test_every_model_passes_the_cantilever(self):
        listing = self.program("--list").stdout
        models = re.findall(r"(?m)^  (\S+(?: \S+)*)  +\S", listing.split("Studies:")[0])
        self.assertGreaterEqual(len(models), 2)
        for model in models:
            with self.subTest(model=model):
                settings = {"Model": model, "Cantilever/Exponent step": 0.25}
                run = self.study("cantilever.prm", settings=settings)
                self.assertEqual(run.summary["model"], model)
                self.assertEqual(run.summary["failed"], 0)
                self.assertEqual(run.summary["verdict"], "OK")


if __name__ == "__main__":
    main()
