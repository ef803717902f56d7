# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rods in motion that touch each other, themselves and walls."""

import numpy as np

from support import PRM, ProgramTest, main

FEW_RODS = {
    "Rods/Number": 8,
    "Rods/Region sides": "0.15, 0.15, 0.1",
    "Rods/Region centre": "0, 0, 0.06",
    "Time/End": 0.15,
}


class Plectoneme(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study(
            "plectoneme.prm",
            settings={"Discrete elastic rod/Segments": 80, "Time/End": 6, "Time/Step": 0.004},
        )

    def test_link_is_twist_and_writhe(self):
        table = self.run_.results
        link = np.array(table["time"])
        sum_ = np.array(table["twist"]) + np.array(table["writhe"])
        self.assertLess(np.abs(link - sum_).max(), 1e-3)

    def test_it_is_straight_at_first_and_writhes_at_the_end(self):
        table = self.run_.results
        writhe = np.abs(np.array(table["writhe"]))
        time = np.array(table["time"])
        self.assertLess(writhe[time < 2].max(), 0.01)
        self.assertGreater(writhe[-1], 1)

    def test_nothing_penetrates(self):
        self.assertEqual(max(self.run_.results["contact/penetration"]), 0)


class Onset(ProgramTest):
    def test_a_rod_that_is_turned_slowly_gives_way_at_the_critical_twist(self):
        # The writhe that the weight causes grows like 1/(critical - link)^2.
        # The characteristic equation of a clamped rod of this length has 3.8335
        # turns, Greenhill's formula for a long one 3.508.
        table = self.study(
            "plectoneme.prm",
            settings={
                "Discrete elastic rod/Segments": 80,
                "Time/End": 5.9,
                "Time/Step": 0.004,
                "Drive 1/Formula": "2*pi*(min(t,3.4)+max(t-3.4,0)/10)",
            },
        ).results
        link = np.array(table["twist"]) + np.array(table["writhe"])
        slow = link > 3.56
        slope, constant = np.polyfit(link[slow], 1 / np.sqrt(np.array(table["writhe"])[slow]), 1)
        self.assertAlmostEqual(-constant / slope / 3.8335, 1, delta=0.01)


class Tangle(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.study("tangle.prm", settings=FEW_RODS)

    def test_rods_fall_and_stay_out_of_each_other_and_of_the_walls(self):
        table = self.run_.results
        self.assertEqual(self.run_.summary["failed"], 0)
        self.assertEqual(max(table["contact/penetration"]), 0)
        self.assertGreater(min(table["walls/least_gap_to_walls"]), 0)
        self.assertLess(table["mean_height"][-1], 0.5 * table["mean_height"][0])
        self.assertGreater(max(table["walls/nodes_at_walls"]), 20)

    def test_steps_take_a_few_iterations(self):
        table = self.run_.results
        self.assertLess(sum(table["iterations"]) / table["step"][-1], 12)

    def test_friction_takes_energy(self):
        table = self.run_.results
        self.assertLess(
            table["kinetic_energy"][-1] + table["potential_energy"][-1],
            table["kinetic_energy"][0] + table["potential_energy"][0],
        )


class Rope(ProgramTest):
    def test_it_lies_on_the_floor(self):
        run = self.study("coil.prm", settings={"Time/End": 0.4, "Discrete elastic rod/Segments": 75})
        table = run.results
        self.assertEqual(run.summary["failed"], 0)
        self.assertEqual(max(table["contact/penetration"]), 0)
        self.assertGreater(min(table["walls/least_gap_to_walls"]), 0)
        self.assertGreater(table["walls/nodes_at_walls"][-1], 3)


class Refused(ProgramTest):
    def file_of(self, name, rows, **settings):
        path = self.scratch / f"{name}.csv"
        path.write_text("rod, x, y, z\n" + "".join(f"{r}, {x}, {y}, {z}\n" for r, x, y, z in rows))
        region = {"Rods/Region centre": "0, 0, 0", "Rods/Region sides": "1, 1, 1"}
        return self.write_variant(
            name,
            PRM / "tangle.prm",
            {"Rods/Arrangement": "file", "Rods/File": path, **region, **settings},
        )

    def test_rods_that_overlap_or_cannot_touch(self):
        crossing = [(1, -0.06, 0, 0.05), (1, 0.06, 0, 0.05), (2, 0, -0.06, 0.051), (2, 0, 0.06, 0.051)]
        lying = [(1, -0.06, 0, 0.001), (1, 0.06, 0, 0.001)]
        variant = self.write_variant
        tangle = PRM / "tangle.prm"
        self.refuse_all(
            [
                (
                    self.file_of("crossing", crossing),
                    ("rod 1 at 0.06 of its length and rod 2 at 0.06", "by 0.002"),
                ),
                (self.file_of("lying", lying), ("rod 1 begins inside the obstacle", "0.0005 too deep")),
                (variant("coarse", tangle, {"Discrete elastic rod/Segments": 8}), ("at least 14 segments",)),
                (variant("thick", tangle, {"Rod/Radius": 0.03}), ("rods fit into the region",)),
                (variant("many", tangle, {"Rods/Number": 5000}), ("rods fit into the region",)),
                (variant("held", tangle, {"Start/Hold": "clamped"}), ("free at both ends",)),
                (variant("alone", tangle, {"Contact/Method": "none"}), ("Gap",)),
                (
                    variant("newmark", tangle, {"Time/Integrator": "newmark"}),
                    ("implicit euler",),
                ),
                (variant("sphere", tangle, {"Obstacle 1/Shape": "sphere"}), ("planes only",)),
                (variant("model", tangle, {"Model": "kirchhoff rod"}), ("discrete elastic rod",)),
                (
                    variant("knot", PRM / "knot.prm", {"Discrete elastic rod/Segments": 60}),
                    ("too few segments for a knot", "are enough"),
                ),
                (
                    variant("fat", PRM / "knot.prm", {"Rod/Radius": 0.02}),
                    ("the rod is too thick for a knot of this kind", "of its 1 m"),
                ),
                (
                    variant("long", PRM / "knot.prm", {"Rod/Radius": 5e-4}),
                    ("too few segments for a knot of this kind",),
                ),
            ]
        )


if __name__ == "__main__":
    main()
