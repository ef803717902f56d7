# SPDX-License-Identifier: LGPL-2.1-or-later
"""A run that is killed or interrupted, and resumed, leaves what an uninterrupted
one leaves, digit by digit."""

import random
import shutil
import signal
import time

from resume_cases import CASES, INTERRUPTED, Stopped
from support import PRM, ProgramTest, main, snapshot

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
)


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
