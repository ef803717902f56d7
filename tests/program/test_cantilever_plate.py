# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Cantilever protocol with a ribbon: cantilever_plate.prm."""

from support import PRM, ProgramTest, main

FEW = {"Cantilever/Exponent step": 0.5}


class Ribbon(ProgramTest):
    def test_without_poisson_effect_it_is_the_elastica(self):
        run = self.study("cantilever_plate.prm", settings=FEW)
        self.assertEqual(len(run.results), 15)
        self.assertEqual(run.summary["failed"], 0)
        self.assertEqual(run.summary["verdict"], "OK")
        # What is left is that it stretches, in the end by 5/4 of Gamma h^2/12
        # (doc/theory/shells.md, "A ribbon that hangs").
        stretch = 1.25 * 1e4 * 1e-6 / 12
        self.assertLess(abs(run.results["relative_error"][-1] - stretch), 1e-4)
        self.assertLess(max(run.results["relative_error"][:-1]), 0.4 * stretch)

    def test_edges_that_curl_make_it_softer(self):
        nu = 0.35
        settings = {**FEW, "Cantilever/Poisson's ratio": nu}
        run = self.study("cantilever_plate.prm", output="nu", settings=settings)
        self.assertEqual(run.summary["failed"], 0)
        ratio = run.results["aspect_ratio"][0] / run.results["reference"][0]
        # Between a ribbon that cannot curl and a narrow beam; the clamp keeps it
        # from curling over about a width, a tenth of the length.
        self.assertGreater(ratio, 1.05)
        self.assertLess(ratio, 1 / (1 - nu**2))

    def test_soft_ribbons_of_the_redundant_protocol_stretch(self):
        # The elastica does not stretch, these ribbons do: the heaviest ones by half of
        # their length, under which they fail, and KO is right. Where the strain at the
        # clamp, rho g L/E, is small and gamma large, H is larger by a half of it and W
        # smaller by three quarters (doc/theory/shells.md, "A ribbon that hangs").
        run = self.study(
            "cantilever_plate.prm",
            settings={"Cantilever/Redundant": "true", "Newton/Maximum step cuts": 1},
            expected_code=2,
        )
        self.assertEqual(run.summary["verdict"], "KO")
        table = run.results
        stretched = 0
        for gamma, error, length, young in zip(
            table["gamma"], table["relative_error"], table["length"], table["young_modulus"]
        ):
            strain = 1287 * 9.81 * length / young
            if gamma <= 10:
                self.assertLess(error, 1e-4)
            # Corrections are of the orders of the layer's length, 1/sqrt(gamma), and of
            # the strain. Beyond 15 000 searches begin to fail, and say so.
            elif 1000 <= gamma <= 15000 and strain < 5e-3:
                stretched += 1
                near = 4 / gamma**0.5 + 5 * strain
                self.assertLess(abs(error / strain - 1.25), near, f"at gamma = {gamma}")
        self.assertGreater(stretched, 10)


if __name__ == "__main__":
    main()
