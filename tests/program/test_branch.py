# SPDX-License-Identifier: LGPL-2.1-or-later
"""The study `branch`: prm/branch_euler.prm, prm/branch_arch.prm and
prm/branch_plate.prm."""

import math

from support import PRM, ProgramTest, main

EULER = "branch_euler.prm"
ARCH = "branch_arch.prm"
PLATE = "branch_plate.prm"


def elliptic_k(k):
    """Legendre's complete integral of the first kind, by Gauss's mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


class LongSteps(ProgramTest):
    def test_an_instability_that_was_not_told_from_others_is_not_given_with_ten_digits(self):
        # Pi squared over four is a ten-thousandth of the range.
        settings = {"Branch/Maximum": 1e5, "Branch/Requested values": "", "Branch/Stop at": "instability"}
        run = self.study(EULER, settings=settings, output="long")
        (first, *_) = run.results.of_kind("BP")
        self.assertGreater(float(first["uncertainty"]), 0.01 * float(first["end_force"]))
        self.assertIn("give or take", run.summary["answer"])
        self.assertIn("steps are too long to tell instabilities apart", run.summary["answer"])


class Column(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study(EULER, output="column")

    def test_columns(self):
        self.assertEqual(
            self.run_.results.columns[:8],
            [
                "branch",
                "label",
                "kind",
                "end_force",
                "arc_length",
                "stability_index",
                "iterations",
                "end_x",
            ],
        )

    def test_the_column_buckles_twice(self):
        first, second = [
            float(row["end_force"])
            for row in self.run_.results.of_kind("BP")
            if row["branch"] == "1"
        ]
        self.assertAlmostEqual(first, math.pi**2 / 4, delta=2e-7)
        self.assertAlmostEqual(second, 9 * math.pi**2 / 4, delta=1e-5)

    def test_labels_count_the_special_points(self):
        labels = [int(row["label"]) for row in self.run_.results.rows if row["kind"] != "RG"]
        self.assertEqual(labels, list(range(1, len(labels) + 1)))
        regular = {row["label"] for row in self.run_.results.rows if row["kind"] == "RG"}
        self.assertEqual(regular, {"0"})
        saved = {path.name for path in (self.run_.directory / "states").iterdir()}
        self.assertEqual(saved, {f"label_{label}.h5" for label in labels})

    def test_requested_values_are_hit_exactly_on_every_branch(self):
        wanted = [2.6, 3, 4, 6, 10, 20]
        for branch in ("1", "2", "3"):
            hit = [
                float(row["end_force"])
                for row in self.run_.results.of_kind("UZ")
                if row["branch"] == branch
            ]
            self.assertEqual(hit, wanted)

    def test_arc_length_grows_along_every_branch(self):
        for branch in {row["branch"] for row in self.run_.results.rows}:
            lengths = [
                float(row["arc_length"])
                for row in self.run_.results.rows
                if row["branch"] == branch
            ]
            self.assertEqual(lengths, sorted(lengths))

    def test_null_vectors_and_shapes_are_drawn(self):
        fields = self.run_.directory / "fields"
        n_bifurcations = len(self.run_.results.of_kind("BP"))
        self.assertEqual(len(list(fields.glob("modes_*.vtp"))), n_bifurcations)
        self.assertGreater(len(list(fields.glob("shapes_*.vtp"))), 50)

    def test_a_run_starts_where_another_was(self):
        for model in ("kirchhoff rod", "discrete elastic rod"):
            with self.subTest(model=model):
                name = model.split()[0]
                whole = self.study(EULER, output=name, settings={"Model": model})
                bifurcation = whole.results.of_kind("BP")[0]
                again = self.study(
                    EULER,
                    output=name + "_again",
                    settings={
                        "Model": model,
                        "Branch/Start run": whole.directory,
                        "Branch/Start label": bifurcation["label"],
                        "Branch/Direction": "switch",
                    },
                )
                # Branches 2 and 3 of the first run are 1 and 2 of the second.
                for old, new in (("2", "1"), ("3", "2")):
                    before = [r for r in whole.results.of_kind("UZ") if r["branch"] == old]
                    after = [r for r in again.results.of_kind("UZ") if r["branch"] == new]
                    self.assertEqual(len(before), 6)
                    for a, b in zip(before, after):
                        for column in ("end_force", "end_x", "end_z", "energy"):
                            self.assertAlmostEqual(float(a[column]), float(b[column]), delta=1e-7)

    def test_a_run_goes_on_in_another_parameter(self):
        buckled = [r for r in self.run_.results.of_kind("UZ") if r["branch"] == "2"][1]
        self.assertEqual(float(buckled["end_force"]), 3)
        run = self.study(
            EULER,
            output="gravity",
            settings={
                "Branch/Start run": self.run_.directory,
                "Branch/Start label": buckled["label"],
                "Branch/Parameter": "gravity",
                "Branch/Maximum": "2",
                "Branch/Requested values": "",
            },
        )
        first = run.results.rows[0]
        self.assertAlmostEqual(float(first["end_x"]), float(buckled["end_x"]), delta=1e-8)
        self.assertEqual(float(run.results.rows[-1]["gravity"]), 2)
        self.assertGreater(abs(float(run.results.rows[-1]["end_x"])), abs(float(first["end_x"])))


class Arch(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study(ARCH, output="arch")

    def test_it_folds_twice(self):
        folds = self.run_.results.of_kind("LP")
        self.assertEqual(len(folds), 2)
        self.assertEqual(self.run_.summary["folds"], 2)
        indices = [int(row["stability_index"]) for row in self.run_.results.of_kind("RG")]
        self.assertEqual(sorted(set(indices)), [0, 1])
        # The loads at which it folds, about 20.4 and 0.14, do not depend on the
        # model; 200 segments are good to 1e-4 and 4e-4.
        discrete = self.study(ARCH, output="discrete", settings={"Model": "discrete elastic rod"})
        for fold, other in zip(folds, discrete.results.of_kind("LP")):
            self.assertAlmostEqual(float(fold["gravity"]), float(other["gravity"]), delta=1e-3)

    def test_ranks_do_not_matter(self):
        # One body shared by two and by three ranks; up to the first fold, as a
        # general sparse factorisation on several ranks is slow for a rod.
        short = {"Kirchhoff rod/Elements": 6, "Branch/Stop at": "fold"}
        folds = []
        for ranks in (None, 2, 3):
            run = self.study(
                ARCH,
                output=f"arch{ranks}",
                ranks=ranks,
                settings={**short, "Ranks per sample": ranks or 1},
            )
            folds.append(float(run.results.of_kind("LP")[0]["gravity"]))
        for fold in folds[1:]:
            self.assertAlmostEqual(fold, folds[0], delta=1e-8 * folds[0])

    def test_stop_conditions(self):
        run = self.study(ARCH, output="stop1", settings={"Branch/Stop at": "fold"})
        self.assertEqual(run.results.rows[-1]["kind"], "LP")
        run = self.study(ARCH, output="stop2", settings={"Branch/Stop at": "instability"})
        self.assertEqual(run.results.rows[-1]["stability_index"], "1")
        run = self.study(
            ARCH,
            output="stop3",
            settings={"Branch/Stop measurement": "energy", "Branch/Stop below": -0.5},
        )
        energies = run.results["energy"]
        self.assertLess(energies[-1], -0.5)
        self.assertGreater(energies[-2], -0.5)
        self.assertEqual(run.results.rows[-1]["kind"], "EP")

    def test_a_branch_that_cannot_go_on_is_incomplete(self):
        run = self.study(
            ARCH, output="natural", expected_code=2, settings={"Continuation/Method": "natural"}
        )
        self.assertEqual(run.results.rows[-1]["kind"], "MX")
        self.assertIn("did not converge beyond gravity = 20.3", run.out)
        self.assertEqual(run.summary["failed"], 1)


class Plate(ProgramTest):
    """The plate of the Lateral Buckling protocol beyond its pitchfork."""

    CRITICAL = 20.808  # of a thin plate, reference/lateral_buckling.csv
    COARSE = {
        "Surface/Cells along u": 6,
        "Surface/Cells along v": 2,
        "Surface/Grading along u": 4,
        "Surface/Grading along v": 1,
        "Koiter shell/Degree": 3,
    }

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study(PLATE, output="plate", settings=cls.COARSE)

    def test_the_pitchfork_is_that_of_the_master_curve(self):
        (bifurcation,) = self.run_.results.of_kind("BP")
        # 1e-4 on the mesh of the file; this one is coarser.
        self.assertAlmostEqual(float(bifurcation["gravity"]) / self.CRITICAL, 1, delta=5e-3)
        for row in self.run_.results.rows:
            if row["branch"] == "1" and row["kind"] != "BP":
                beyond = float(row["gravity"]) > float(bifurcation["gravity"])
                self.assertEqual(int(row["stability_index"]), 1 if beyond else 0)
                self.assertLess(abs(float(row["top_displacement_z"])), 1e-10)

    def test_both_sides_are_stable_and_mirror_images(self):
        one, other = (
            [r for r in self.run_.results.rows if r["branch"] == branch and r["kind"] != "RG"][1:]
            for branch in ("2", "3")
        )
        self.assertEqual([float(r["gravity"]) for r in one], [25, 30, 40])
        for a, b in zip(one, other):
            self.assertEqual((a["stability_index"], b["stability_index"]), ("0", "0"))
            for corner in ("top", "bottom"):
                for sign, axis in ((1, "x"), (1, "y"), (-1, "z")):
                    column = f"{corner}_displacement_{axis}"
                    self.assertAlmostEqual(float(a[column]), sign * float(b[column]), delta=1e-8)
        lateral = [abs(float(r["top_displacement_z"])) for r in one]
        self.assertEqual(lateral, sorted(lateral))
        self.assertGreater(lateral[-1], 0.5)
        fields = self.run_.directory / "fields"
        self.assertEqual(len(list(fields.glob("modes_*.vtu"))), 1)

    def test_a_tilt_folds_it_over(self):
        last = [r for r in self.run_.results.rows if r["branch"] == "2"][-1]
        self.assertEqual(float(last["gravity"]), 40)
        # Which of the two sides branch 2 is does not matter: one fold for each.
        run = self.study(
            PLATE,
            output="tilt",
            settings={
                **self.COARSE,
                "Branch/Start run": self.run_.directory,
                "Branch/Start label": last["label"],
                "Branch/Parameter": "gravity tilt",
                "Branch/Minimum": -0.1,
                "Branch/Maximum": 0.1,
                "Branch/Start value": 0,
                "Branch/Requested values": "",
                "Branch/Switching depth": 0,
                "Branch/Direction": "up" if float(last["top_displacement_z"]) > 0 else "down",
                # So long that the branch cannot be seen on both sides of the fold.
                "Continuation/Largest step": 0.1,
            },
        )
        first, second = [float(row["gravity_tilt"]) for row in run.results.of_kind("LP")]
        self.assertAlmostEqual(first, -second, delta=1e-8)
        # The rotation experiment snaps between 0.04 and 0.06.
        self.assertGreater(abs(first), 0.04)
        self.assertLess(abs(first), 0.06)


class Formulas(ProgramTest):
    """Points that a user describes by formulas of measurements."""

    FEW = {
        "Kirchhoff rod/Elements": 8,
        "Branch/Requested values": "",
        "Branch/Maximum": 7,
    }

    def test_zeros_are_labelled_and_the_branch_may_end_there(self):
        run = self.study(
            EULER,
            output="formulas",
            settings={
                **self.FEW,
                "Branch/Label where": "abs(end x) - 0.3; end force - 4*end z",
                "Branch/Stop where": "end z + 0.1",
            },
        )
        points = run.results.of_kind("UZ")
        sideways = [p for p in points if p["formula"] == "1"]
        self.assertEqual(sorted(p["branch"] for p in sideways), ["2", "3"])
        for point in sideways:
            self.assertAlmostEqual(abs(float(point["end_x"])), 0.3, delta=1e-9)
        # The elastica of that deflection: 2k/K(k) = 0.3, P = K(k)^2.
        low, high = 0.0, 0.5
        while high - low > 1e-14:
            k = (low + high) / 2
            low, high = (k, high) if 2 * k / elliptic_k(k) < 0.3 else (low, k)
        for point in sideways:
            self.assertAlmostEqual(float(point["end_force"]), elliptic_k(low) ** 2, delta=1e-5)
        for point in (p for p in points if p["formula"] == "2"):
            force, height = float(point["end_force"]), float(point["end_z"])
            self.assertAlmostEqual(force, 4 * height, delta=1e-8)
        for branch in ("2", "3"):
            last = [r for r in run.results.rows if r["branch"] == branch][-1]
            self.assertEqual((last["kind"], last["formula"]), ("UZ", "3"))
            self.assertAlmostEqual(float(last["end_z"]), -0.1, delta=1e-9)
        self.assertIn("where abs(end x) - 0.3 = 0", run.out)

    def test_what_is_no_formula_is_refused(self):
        cases = (
            ({"Branch/Label where": "end w - 1"}, ("'end w - 1' is no formula", "end x")),
            ({"Branch/Label where": "end x -"}, ("is no formula",)),
            ({"Branch/Stop where": "3"}, ("is a constant",)),
        )
        self.refuse_all(
            [
                (self.write_variant(f"formula_{i}", PRM / EULER, settings), expected)
                for i, (settings, expected) in enumerate(cases)
            ]
        )


class WrongUse(ProgramTest):
    """Exit code 1, one line, nothing created."""

    def refuse_settings(self, settings, *expected, ranks=None):
        options = {"settings": settings, "output": self.directory / "wrong", "ranks": ranks}
        self.refuse(PRM / EULER, expected=expected, may_have_begun=True, **options)

    def test_settings(self):
        cases = (
            ({"Branch/Parameter": "end forse"}, ("'end forse'", "did you mean 'end force'?")),
            ({"Branch/Maximum": -1}, ("the range is empty", "'Minimum'")),
            ({"Branch/Start value": 31}, ("outside of the range",)),
            ({"Branch/Start value": "much"}, ("'much' is not a number",)),
            ({"Branch/Requested values": "3, 40"}, ("outside of the range",)),
            ({"Branch/Direction": "switch"}, ("Start run",)),
            (
                {"Branch/Stop measurement": "end w", "Branch/Stop above": 1},
                ("'end w'", "did you mean", "'end x'"),
            ),
            ({"Branch/Stop measurement": "end x"}, ("'Stop below' or 'Stop above'",)),
            ({"Branch/Stop above": 1}, ("Stop measurement",)),
            ({"Branch/Start run": "nowhere"}, ("'nowhere'", "no labelled points")),
            ({"Continuation/Smallest step": 0.5}, ("'Smallest step'",)),
        )
        self.refuse_all(
            [
                (self.write_variant(f"wrong_{i}", PRM / EULER, settings), expected)
                for i, (settings, expected) in enumerate(cases)
            ]
        )
        self.refuse_settings({"Branch/Parameter": "end forse"}, "did you mean", ranks=2)

    def test_starts(self):
        run = self.study(EULER, output="earlier")
        here = {"Branch/Start run": run.directory}
        cases = (
            ({"Branch/Start label": 999}, ("no label 999",)),
            ({"Model": "discrete elastic rod"}, ("is a run with 'kirchhoff rod'",)),
            ({"Kirchhoff rod/Elements": 7}, ("another mesh",)),
            (
                {"Branch/Start label": 3, "Rod/Tangent": "1, 0, 1"},
                ("not near an equilibrium",),
            ),
            ({"Branch/Direction": "switch"}, ("EP", "not a branch point")),
            ({"Branch/Minimum": 1, "Branch/Requested values": ""}, ("outside of the range",)),
        )
        self.refuse_all(
            [
                (self.write_variant(f"start_{i}", PRM / EULER, {**here, **settings}), expected)
                for i, (settings, expected) in enumerate(cases)
            ]
        )


if __name__ == "__main__":
    main()
