# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Stick-Slip protocol: thresholds, states, the triple point, motion."""

import math

from support import PRM, ProgramTest, Table, main

SECTION = "Stick slip/"
# Of the elastica, by reference/stick_slip.py.
TRIPLE_POINT = (0.330285434, 0.356370020)

FEW = {
    "Kirchhoff rod/Elements": 20,
    SECTION + "Frictions": "0.1, 0.3",
    SECTION + "Strain step": 0.1,
    SECTION + "Largest strain": 0.3,
    SECTION + "Shapes": 2,
}

DISCRETE = """set Study = stick slip
set Model = discrete elastic rod
subsection Discrete elastic rod
  set Segments = 20
end
"""


class Protocol(ProgramTest):
    def test_tips_stick_and_slip(self):
        run = self.study("stick_slip.prm", settings=FEW)
        self.assertEqual((run.summary["verdict"], run.summary["failed"]), ("OK", 0))
        self.assertEqual(run.summary["misclassified"], 0)
        # What is demanded of a hundred elements, of twenty.
        self.assertLess(run.summary["largest_error_in_epsilon"], 1e-4)
        places = zip(run.results["mu"], (round(e, 6) for e in run.results["epsilon"]))
        states = dict(zip(places, run.results.words("state")))
        self.assertEqual(states[0.1, 0.1], "SLIP")
        self.assertEqual(states[0.3, 0.1], "STICK")
        self.assertEqual(states[0.3, 0.3], "SLIP")
        columns = ["mu", "epsilon", "tip_displacement", "force_ratio", "state"]
        self.assertEqual(run.results.columns[:5], columns)
        frontier = Table(run.directory / "frontier.csv")
        self.assertEqual(frontier.columns[:2], ["epsilon", "mu"])
        self.assertEqual(list(frontier["mu"]), [0.1, 0.3])

    def test_force_and_displacement_agree(self):
        settings = {**FEW, SECTION + "Frictions": "0.2", SECTION + "Criterion": "force"}
        by_force = self.study("stick_slip.prm", settings=settings)
        self.assertEqual(by_force.results.words("state")[-1], "SLIP")

    def test_a_strip_that_has_slipped_is_pressed_to_the_end(self):
        """A long part of it lies on the floor there, and it has snapped before."""
        settings = {SECTION + "Frictions": "0.3", SECTION + "Shapes": 0}
        summary = self.study("stick_slip.prm", settings=settings).summary
        self.assertEqual((summary["failed"], summary["samples"]), (0, 36))

    def test_what_has_slipped_is_stable(self):
        """There is a second mode that the tip could slip to, which no motion ends at."""
        settings = {
            SECTION + "Frictions": "0.2, 0.25",
            SECTION + "Largest strain": 0.26,
            SECTION + "Shapes": 0,
        }
        file = self.scratch / "discrete.prm"
        file.write_text(DISCRETE)
        run = self.study(file, settings=settings, output="discrete")
        self.assertEqual((run.summary["failed"], run.summary["misclassified"]), (0, 0))
        states = run.results.words("state")
        slipped = [t for t, state in zip(run.results["thrust"], states) if state == "SLIP"]
        self.assertEqual(len(slipped), 9)
        # Above this a strip whose tip slides buckles in its second mode; a motion
        # ends below 4.
        self.assertLess(max(slipped), (1.5 * math.pi) ** 2)

    def test_a_rough_floor_holds_the_tip_far_beyond_the_triple_point(self):
        """More and more lies on the floor there and slides by little; the tip stays."""
        settings = {
            "Discrete elastic rod/Segments": 40,
            SECTION + "Frictions": "0.5",
            SECTION + "Shapes": 0,
        }
        file = self.scratch / "rough.prm"
        file.write_text(DISCRETE)
        run = self.study(file, settings=settings, output="rough")
        self.assertEqual((run.summary["failed"], run.summary["misclassified"]), (0, 0))
        self.assertEqual(run.results.words("state")[-1], "EXTENDED")
        # Slip is what is left of steps that converge to 1e-11.
        self.assertLess(max(run.results["tip_displacement"]), 1e-6)

    def test_a_strip_far_beyond_the_triple_point_comes_to_an_end(self):
        """Steps of a billionth of a strain converge there, and longer ones do not."""
        settings = {
            "Kirchhoff rod/Elements": 20,
            "Kirchhoff rod/Degree": 2,
            SECTION + "Frictions": "0.5",
            SECTION + "Shapes": 0,
        }
        run = self.study("stick_slip.prm", settings=settings, output="far")
        self.assertEqual((run.summary["failed"], run.summary["samples"]), (0, 36))

    def test_the_triple_point(self):
        settings = {"Kirchhoff rod/Elements": 12, SECTION + "Strain step": 0.02}
        summary = self.study("stick_slip_frontier.prm", settings=settings).summary
        for name, value in zip(("triple_epsilon", "triple_mu"), TRIPLE_POINT):
            self.assertLess(abs(summary[name] - value), 1e-3)
        self.assertEqual(summary["verdict"], "OK")


class Dynamic(ProgramTest):
    def test_a_tip_slips_in_motion_where_it_does_at_rest(self):
        settings = {
            SECTION + "Frictions": "0.1",
            SECTION + "Time step": 5e-3,
            SECTION + "Strain step": 0.02,
            SECTION + "Largest strain": 0.08,
        }
        run = self.study("stick_slip_dynamic.prm", settings=settings)
        self.assertEqual(run.summary["failed"], 0)
        # One step at this speed is a strain of 5e-5; slip is seen some later.
        self.assertLess(run.summary["largest_error_in_epsilon"], 2e-3)


class Laws(ProgramTest):
    def test_all_laws_in_one_table(self):
        settings = {
            "Discrete elastic rod/Segments": 10,
            SECTION + "Frictions": "0.05, 0.1",
            SECTION + "Largest strain": 0.08,
            SECTION + "Time step": 4e-3,
            SECTION + "Explicit time step": 2e-4,
        }
        run = self.study("stick_slip_laws.prm", settings=settings)
        laws = Table(run.directory / "laws.csv")
        names = ["coulomb", "viscous", "bridson-harmon", "penalty", "projective"]
        self.assertEqual(laws.words("law"), [name for name in names for _ in range(4)])
        verdicts = dict(zip(laws.words("law"), laws.words("verdict")))
        self.assertEqual(verdicts["coulomb"], "OK")
        self.assertEqual(verdicts["viscous"], "KO")
        self.assertEqual(len(run.results), 5 * 4 * 2)


class Refusals(ProgramTest):
    def test_settings_without_meaning(self):
        mistakes = (
            ("Frictions", "-0.1"),
            ("Frictions", "0.2, 0.1"),
            ("Speed", "0.02"),
            ("Width", "0.2"),
            ("Criterion", "sliding"),
            ("Law", "sticky"),
            ("Law", "viscous"),
        )
        in_motion = self.write_variant(
            "in_motion", PRM / "stick_slip_dynamic.prm", {SECTION + "Criterion": "force"}
        )
        self.refuse_all(
            [(in_motion, ("Criterion", "quasi-static"))]
            + [
                (
                    self.write_variant(
                        f"mistake_{i}", PRM / "stick_slip.prm", {SECTION + name: value}
                    ),
                    ("riction",) if name == "Frictions" else (name,),
                )
                for i, (name, value) in enumerate(mistakes)
            ]
        )


if __name__ == "__main__":
    main()
