# SPDX-License-Identifier: LGPL-2.1-or-later
"""Samples go to ranks: the same bytes, however many ranks there are."""

from support import ProgramTest, main, snapshot

SHORT_SWEEP = {"Cantilever/Exponent step": 0.25, "Cantilever/Shapes": 3}


class SharedSamples(ProgramTest):
    def compare(self, prm, all_ranks, settings=None):
        alone = self.study(prm, output="alone", settings=settings)
        for ranks in all_ranks:
            with self.subTest(prm=prm, ranks=ranks):
                run = self.study(prm, output=f"on_{ranks}", ranks=ranks, settings=settings)
                self.assertEqual(run.summary["ranks"], ranks)
                self.assertEqual(run.results_bytes, alone.results_bytes)
                ours, theirs = (snapshot(r.directory / "fields") for r in (run, alone))
                self.assertIn("shapes.pvd", theirs)
                self.assertEqual(ours, theirs)

    def test_the_whole_protocol(self):
        self.compare("cantilever.prm", (1, 2))

    def test_discrete_elastic_rod(self):
        self.compare("cantilever_der.prm", (2, 3), SHORT_SWEEP)

    def test_redundant_sweep(self):
        settings = {"Model": "discrete elastic rod", "Discrete elastic rod/Segments": 100}
        self.compare("cantilever_redundant.prm", (3,), settings)

    def test_more_ranks_than_chains(self):
        self.compare("cantilever_der.prm", (3,), {**SHORT_SWEEP, "Cantilever/Chains": 2})


if __name__ == "__main__":
    main()
