# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shells of triangles: cantilever_midedge.prm, evaluate.prm, files of triangles."""

import math

from support import PRM, ProgramTest, main

FEW = {"Cantilever/Exponent step": 1, "Cantilever/Cells along": 60, "Cantilever/Cells across": 3}
COARSE = {
    "Surface/Cells along u": 20,
    "Surface/Cells along v": 10,
    "Evaluate/Values": "0.03, 0.3",
}


class Triangles(ProgramTest):
    def test_normals_on_edges_pass_the_cantilever(self):
        run = self.study("cantilever_midedge.prm", settings=FEW)
        self.assertEqual(run.summary["failed"], 0)
        self.assertEqual(run.summary["verdict"], "OK")

    def test_ribbons_in_si_units_fall_on_one_curve_until_they_collapse(self):
        # Beyond a strain of 0.0409 by its weight there is no equilibrium; the strains of the
        # recipe's ribbons next to it are 0.0355 and 0.0568 (doc/theory/shells.md).
        layer = {"Cantilever/Cells along": 80, "Cantilever/Cells across": 2, "Cantilever/Grading": 100}
        settings = {**layer, "Cantilever/Redundant": "true", "Cantilever/Shapes": 0, "Newton/Maximum step cuts": 1}
        for softest, verdict, code in ((1e6, "OK", 0), (1e5, "KO", 2)):
            run = self.study(
                "cantilever_midedge.prm",
                output=f"softest_{softest:.0e}",
                settings={**settings, "Cantilever/Softest modulus": softest},
                expected_code=code,
            )
            self.assertEqual(run.summary["verdict"], verdict)
            table = run.results
            for error, length, young in zip(table["relative_error"], table["length"], table["young_modulus"]):
                strain = 1287 * 9.81 * length / young
                self.assertEqual(math.isnan(error), strain > 0.0409, f"strain {strain}")
        self.assertEqual(run.summary["failed"], 6)
        self.assertIn("would strain it by 6 %", (run.directory / "log.txt").read_text())

    def test_normals_on_edges_pass_lateral_buckling(self):
        settings = {"Lateral buckling/Cells along": 40, "Lateral buckling/Cells across": 12}
        run = self.study("lateral_buckling_midedge.prm", settings=settings)
        self.assertEqual((run.summary["failed"], run.summary["verdict"]), (0, "OK"))

    def test_energies_of_a_rolled_slab_are_near_the_exact_ones(self):
        # Free edges leave an error of first order, one cell of the boundary.
        for model in ("midedge shell", "hinge shell"):
            settings = {**COARSE, "Model": model}
            run = self.study("evaluate.prm", output=model.replace(" ", "_"), settings=settings)
            self.assertEqual(len(run.results), 2)
            self.assertLess(run.summary["max_relative_error"], 0.03)

    def test_energies_of_a_rolled_slab_converge_with_order_one(self):
        # Chen et al. 2018, Figure 8.
        for model in ("midedge shell", "hinge shell"):
            errors = []
            for n in (16, 32):
                settings = {"Surface/Cells along u": n, "Surface/Cells along v": n // 2}
                run = self.study(
                    "evaluate.prm",
                    output=f"{model[:5]}_{n}",
                    settings={**settings, "Evaluate/Values": 0.03, "Model": model},
                )
                errors.append(run.results["relative_error"][0])
            self.assertLess(abs(errors[0] / errors[1] - 2), 0.3)

    def test_energies_of_a_slab_that_is_held_flat_are_those_of_the_paper(self):
        # Chen et al. 2018, Table 3, three digits: "thin limit", and "our energy".
        paper = ["1.60e-06", "5.77e-05", "1.60e-04", "4.10e-04", "6.40e-04", "5.67e-03", "1.54e-02"]
        coarse = {"Surface/Cells along u": 8, "Surface/Cells along v": 4}
        for model in ("midedge shell", "hinge shell", "koiter shell"):
            output = "flat_" + model.replace(" ", "_")
            run = self.study("evaluate_slab.prm", output=output, settings={**coarse, "Model": model})
            self.assertEqual([f"{energy:.2e}" for energy in run.results["energy"]], paper)
            self.assertLess(run.summary["max_relative_error"], 1e-9)

    def test_projective_dynamics_is_fair_in_between_and_fails_the_cantilever(self):
        # Where it is thick enough for iterations to converge, it stretches if it is heavy.
        coarse = {"Cantilever/Cells along": 40, "Cantilever/Cells across": 2}
        few = {"Cantilever/First exponent": 1, "Cantilever/Exponent step": 1, "Cantilever/Shapes": 0}
        run = self.study("cantilever_projective.prm", output="projective", settings={**coarse, **few})
        self.assertEqual(run.summary["verdict"], "KO")
        errors = dict(zip(run.results["gamma"], run.results["relative_error"]))
        self.assertLess(max(errors[10], errors[100]), 0.02)
        self.assertGreater(errors[1000], 0.1)

    def test_projective_dynamics_needs_its_own_triangles(self):
        settings = {"Model": "discrete shell", "Projective shell/Bending factor": 1 / 3}
        process = self.program(PRM / "cantilever_projective.prm", settings=settings)
        self.assertEqual(process.returncode, 1)
        self.assertIn("projective shell", process.stderr)

    def test_what_is_held_cannot_be_sent_anywhere(self):
        settings = {"Edge 1/Name": "left", "Edge 1/Hold": "clamped"}
        process = self.program(PRM / "evaluate.prm", settings=settings)
        self.assertEqual(process.returncode, 1)
        self.assertIn("cannot be held", process.stderr)

    def test_a_broken_mesh_is_refused_in_one_line(self):
        mesh = self.scratch / "leaf.obj"
        mesh.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 4 3\n")
        settings = {"Surface/Shape": "mesh file", "Surface/Mesh file": mesh}
        process = self.program(PRM / "evaluate.prm", settings=settings)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(len(process.stderr.splitlines()), 1)


if __name__ == "__main__":
    main()
