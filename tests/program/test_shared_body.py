# SPDX-License-Identifier: LGPL-2.1-or-later
"""A body goes to several ranks: sums in another order, another factorisation,
the same results to 1e-8."""

import numpy as np

from support import MODELS, PRM, ROOT, ProgramTest, main

# Small bodies and few samples: a general sparse factorisation on several ranks
# is slow for a rod.
SMALL = {"Kirchhoff rod/Elements": 12, "Discrete elastic rod/Segments": 100}
SWEEP = {
    **SMALL,
    "Cantilever/First exponent": 0,
    "Cantilever/Last exponent": 3,
    "Cantilever/Exponent step": 1,
    "Cantilever/Chains": 2,
}
ROD = {**SMALL, "Equilibrium/Load steps": 4}

LENGTH = 0.3  # of the rod in rod_equilibrium.prm


class Sweep(ProgramTest):
    def compare(self, prm, *layouts):
        alone = self.study(prm, output="alone", settings=SWEEP)
        for ranks, per_sample in layouts:
            with self.subTest(ranks=ranks, per_sample=per_sample):
                settings = {**SWEEP, "Ranks per sample": per_sample}
                run = self.study(prm, ranks=ranks, settings=settings)
                self.assertEqual((run.summary["samples"], run.summary["failed"]), (4, 0))
                for column in ("gamma", "aspect_ratio", "reference"):
                    np.testing.assert_allclose(
                        run.results[column], alone.results[column], rtol=1e-8, atol=0
                    )

    def test_kirchhoff_rod(self):
        self.compare("cantilever.prm", (2, 2), (3, 3))

    def test_discrete_elastic_rod(self):
        self.compare("cantilever_der.prm", (2, 2), (3, 3))

    def test_two_groups_of_two_ranks(self):
        self.compare("cantilever_der.prm", (4, 2))


class Equilibrium(ProgramTest):
    def test_ranks_without_a_body_wait(self):
        alone = self.study("rod_equilibrium.prm", output="alone", settings=ROD)
        run = self.study("rod_equilibrium.prm", ranks=2, settings=ROD)
        self.assertEqual(run.results_bytes, alone.results_bytes)

    def test_a_rod_on_two_ranks(self):
        for model in MODELS:
            with self.subTest(model=model):
                self.compare({**ROD, "Model": model})

    def compare(self, settings):
        alone = self.study("rod_equilibrium.prm", output="alone", settings=settings)
        settings["Ranks per sample"] = 2
        run = self.study("rod_equilibrium.prm", ranks=2, settings=settings)
        self.assertEqual(len(run.results), 5)
        for column in ("end_x", "end_y", "end_z", "end_distance"):
            np.testing.assert_allclose(
                run.results[column], alone.results[column], rtol=0, atol=1e-8 * LENGTH
            )
        for i in (1, 2, 3):
            # Round-off of the strains, 1e-14, times the stiffness of 1e10 that
            # stands for "does not shear" is in the stresses and thereby here.
            np.testing.assert_allclose(
                run.results[f"eigenvalue_{i}"],
                alone.results[f"eigenvalue_{i}"],
                rtol=0,
                atol=3e-4,
            )


class Shell(ProgramTest):
    def test_a_mesh_of_gmsh_on_two_and_three_ranks(self):
        # Every rank reads the file.
        prm = "shells/pinched_hemisphere_mesh.prm"
        settings = {"Surface/Mesh file": ROOT / "meshes" / "hemisphere.msh"}
        settings.update({"Koiter shell/Degree": 2, "Equilibrium/Load steps": 2})
        alone = self.study(prm, output="alone", settings=settings)
        for ranks in (2, 3):
            with self.subTest(ranks=ranks):
                settings["Ranks per sample"] = ranks
                run = self.study(prm, ranks=ranks, settings=settings)
                for column in ("pulled_displacement_x", "pushed_displacement_y"):
                    np.testing.assert_allclose(
                        run.results[column], alone.results[column], rtol=1e-8, atol=1e-12
                    )

    def test_as_many_ranks_as_pay_share_a_shell(self):
        # 3 (3 n + 1) 3 m unknowns: one rank for 5 000 of them.
        prm = "shells/cantilever_shear.prm"
        small = {"Surface/Cells along u": 8, "Surface/Cells along v": 1}
        large = {"Surface/Cells along u": 40, "Surface/Cells along v": 16}
        for settings in (small, large):
            settings.update({"Equilibrium/Load steps": 1, "Edge 2/Load": 0.4})
        alone = self.study(prm, output="alone", settings=large)
        shared = self.study(prm, ranks=2, settings=large)
        self.assertIn("2 ranks share a body", shared.out)
        np.testing.assert_allclose(
            shared.results["tip_displacement_z"], alone.results["tip_displacement_z"], rtol=1e-8
        )
        unshared = self.study(prm, ranks=2, settings=small)
        self.assertNotIn("share", unshared.out)
        self.assertIn("1 of 2 ranks have nothing to do", unshared.out)

    def test_a_wrong_mesh_is_refused_once(self):
        settings = {"Surface/Mesh file": ROOT / "meshes" / "hemisphere.geo"}
        prm = PRM / "shells" / "pinched_hemisphere_mesh.prm"
        process = self.program(prm, ranks=2, settings=settings)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr.count("cannot be read"), 1, process.stderr)


if __name__ == "__main__":
    main()
