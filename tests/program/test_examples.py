# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every file of prm/ runs: with few samples, and with every model that its
study takes."""

import re

from support import PRM, ProgramTest, main, read_parameters

# A few samples of each study; an example of a study that has no few has a test of
# its own.
FEW = {
    "cantilever": {"Cantilever/Exponent step": 1, "Cantilever/Shapes": 2},
    "equilibrium": {"Equilibrium/Load steps": 5, "Discrete elastic rod/Segments": 1000},
}


class Examples(ProgramTest):
    def test_every_example_runs(self):
        examples = {prm: read_parameters(prm)["Study"] for prm in sorted(PRM.glob("*.prm"))}
        examples = {prm: study for prm, study in examples.items() if study in FEW}
        self.assertGreaterEqual(len(examples), 4)
        for prm, study in examples.items():
            with self.subTest(prm=prm.name):
                run = self.study(prm.name, settings=FEW[study])
                self.assertEqual(run.summary["study"], study)
                self.assertEqual(run.summary["failed"], 0)
                self.assertGreater(len(run.results), 1)
                self.assertNotEqual(run.summary["verdict"], "KO")

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
