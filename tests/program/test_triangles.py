# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shells of triangles: cantilever_midedge.prm, evaluate.prm, files of triangles."""

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
