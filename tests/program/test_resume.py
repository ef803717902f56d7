# SPDX-License-Identifier: LGPL-2.1-or-later
"""A run that is killed or interrupted, and resumed, leaves what an uninterrupted
one leaves, digit by digit."""

import random
import re
import shutil
import signal
import time

import numpy as np

from resume_cases import CASES, INTERRUPTED, Stopped
from support import PRM, ProgramTest, Table, main, snapshot

# Of each study; the others are tried by benchmarks/kill_runs.
TRIED = (
    "cantilever",
    "bend twist",
    "lateral buckling protocol",
    "equilibrium of a discrete rod",
    "equilibrium of a shell",
    "branch of a discrete rod",
    "frontier",
    "vibration",
    "adaptive motion by bdf2",
    "motion of a shell",
    "motion on an obstacle",
    "equilibrium against an obstacle",
    "knot",
    "knot by imc",
    "tangle",
    "growth",
    "growth in motion",
    "growth with factors that are kept",
)


def is_number(cell):
    try:
        return bool(np.isfinite(float(cell)))
    except ValueError:
        return False


class Resume(ProgramTest):
    def check_case(self, case, signals, ranks=None):
        place = self.directory / case.replace(" ", "_")
        place.mkdir()
        stopped = Stopped(case, place, self.scratch, ranks)
        expected, _ = stopped.whole()
        seed = random.randrange(10**6)
        moments = random.Random(seed)
        total = 0
        for i, number in enumerate(signals):
            share = moments.random()
            with self.subTest(case=case, signal=number, seed=seed, share=share):
                resumed, _, found = stopped.stop_and_resume(f"run_{i}", share, number)
                total += resumed
                self.assertEqual(found, expected)
                shutil.rmtree(place / f"run_{i}")
        return total

    def test_every_study_goes_on_where_it_was_stopped(self):
        total = 0
        for i, case in enumerate(TRIED):
            signals = (signal.SIGKILL, (signal.SIGTERM, signal.SIGINT)[i % 2])
            total += self.check_case(case, signals)
        # A busy machine may finish some runs before they are stopped.
        self.assertGreaterEqual(total, len(TRIED) // 2)

    def test_on_two_ranks(self):
        self.check_case("bend twist protocol", (signal.SIGKILL,), ranks=2)

    def test_all_cases_are_of_the_program(self):
        self.assertLessEqual(set(TRIED), set(CASES))
        for prm, _ in CASES.values():
            self.assertTrue((PRM / prm).exists(), prm)


class OtherRanks(ProgramTest):
    """A run that is interrupted goes on on another number of ranks."""

    # Continuations meet the same special points, perhaps by other steps.
    CASES = {
        "cantilever": None,
        "equilibrium of a discrete rod": None,
        "equilibrium of a shell": None,
        "branch of a discrete rod": "kind",
        "frontier": "kind",
    }
    # Ranks that share a rod wait for each other in every iteration.
    SMALLER = {
        "equilibrium of a discrete rod": {"Equilibrium/Load steps": 12},
        "branch of a discrete rod": {
            "Discrete elastic rod/Segments": 20,
            "Branch/Maximum": 5,
            "Branch/Requested values": "",
        },
        "frontier": {"Kirchhoff rod/Elements": 4, "Frontier tracking/Largest step": 0.05},
    }
    # Parts of the results at which it is interrupted, on so many ranks each.
    STATIONS = ((2, 0.25), (1, 0.5), (3, 0.75), (2, 2.0))

    def table(self, stopped, output):
        """The columns of all rows, or of the special points."""
        table = Table(stopped.directory / output / "results.csv")
        kind = self.CASES[stopped.case]
        rows = [row for row in table.rows if kind is None or row[kind] != "RG"]
        # Eigenvalues have the round-off of stiff constraints, see
        # test_shared_body.py; so have distances that are told by them, bounds of
        # errors, and fourth derivatives.
        return {
            c: [row[c] for row in rows]
            for c in table.columns
            if c not in ("iterations", "label", "uncertainty", "second_distance")
            and not c.startswith("koiter")
            and "eigenvalue" not in c
        }

    def compare(self, found, expected):
        self.assertEqual(found.keys(), expected.keys())
        numbers, sizes = {}, {}
        for name in expected:
            if not is_number(expected[name][0]):
                self.assertEqual(found[name], expected[name])
                continue
            ours, theirs = (np.array(table[name], dtype=float) for table in (found, expected))
            self.assertEqual(len(ours), len(theirs), name)
            numbers[name] = np.abs(ours - theirs).max()
            # A vector's components are measured against the largest.
            vector = re.sub("_[xyz]$", "", name)
            sizes[vector] = max(sizes.get(vector, 0), np.abs(theirs).max())
        for name, difference in numbers.items():
            size = sizes[re.sub("_[xyz]$", "", name)]
            self.assertLess(difference, 1e-8 * size + 1e-12, name)

    def test_to_1e_8(self):
        n_resumed = 0
        for case in self.CASES:
            with self.subTest(case=case):
                place = self.directory / case.replace(" ", "_")
                place.mkdir()
                stopped = Stopped(case, place, self.scratch)
                stopped.settings = {**stopped.settings, **self.SMALLER.get(case, {})}
                stopped.whole()
                for i, (ranks, share) in enumerate(self.STATIONS):
                    stopped.on_ranks(ranks, share_body=case != "cantilever")
                    code, said = stopped.run_until(
                        "run", share, signal.SIGTERM, *["--resume"][:i]
                    )
                    self.assertIn(code, (0, INTERRUPTED), said)
                    n_resumed += code == INTERRUPTED
                    if code == 0:
                        break
                self.compare(self.table(stopped, "run"), self.table(stopped, "whole"))
        # A busy machine may be late for some.
        self.assertGreaterEqual(n_resumed, 2 * len(self.CASES))


class Interruption(ProgramTest):
    """SIGTERM and SIGINT end a run in order."""

    def interrupted(self, number, output="run"):
        stopped = Stopped("branch of a discrete rod", self.directory, self.scratch)
        process = stopped.start(output)
        results = self.directory / f"{output}.unfinished" / "results.csv"
        while process.poll() is None and (
            not results.exists() or results.read_text().count("\n") < 12
        ):
            time.sleep(0.002)
        process.send_signal(number)
        said, _ = process.communicate()
        return stopped, process.returncode, said

    def test_it_says_how_to_go_on_and_has_its_own_exit_code(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number):
                _, code, said = self.interrupted(number, f"run_{number}")
                self.assertEqual(code, INTERRUPTED, said)
                self.assertRegex(said.splitlines()[-1], r"to go on: slender_fem .* --resume$")
                self.assertFalse((self.directory / f"run_{number}").exists())

    def test_earlier_results_stay_until_the_end(self):
        self.study("cantilever.prm", output="kept", settings={"Cantilever/Exponent step": 1})
        earlier = snapshot(self.directory / "kept")
        stopped, code, said = self.interrupted(signal.SIGTERM, "kept")
        self.assertEqual(code, INTERRUPTED, said)
        self.assertEqual(snapshot(self.directory / "kept"), earlier)
        code, said = stopped.run("kept", "--resume")
        self.assertEqual(code, 0, said)
        self.assertNotEqual(snapshot(self.directory / "kept"), earlier)

    def test_a_changed_parameter_is_refused_with_its_line(self):
        stopped, code, said = self.interrupted(signal.SIGTERM, "changed")
        self.assertEqual(code, INTERRUPTED, said)
        stopped.settings = {**stopped.settings, "Branch/Maximum": 25}
        code, said = stopped.run("changed", "--resume")
        self.assertEqual(code, 1, said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertRegex(said, "'set Maximum += 25' instead of 'set Maximum += 30'")
        code, said = stopped.run("changed", "--resume-changed")
        self.assertEqual(code, 0, said)

    def test_there_has_to_be_something_to_resume(self):
        self.refuse(PRM / "cantilever.prm", "--resume", output="never", expected=["--resume"])


if __name__ == "__main__":
    main()
