# SPDX-License-Identifier: LGPL-2.1-or-later
"""A run that is killed or finds no room leaves the earlier results as they were,
no half-written file, and nothing in the way of the next run. What there is stays
beside them, so that it can be resumed."""

import json
import random
import resource
import shutil
import subprocess
import time
import xml.etree.ElementTree

from resume_cases import Stopped, children
from support import PRM, ProgramTest, Table, command, environment, main, snapshot

# Some seconds of work and hundreds of files to write.
LONG = {
    "Cantilever/Exponent step": 0.01,
    "Cantilever/Shapes": 400,
    "Discrete elastic rod/Segments": 100,
}
SHORT = {"Cantilever/Exponent step": 1}

# Something appears in the directory under construction …
SIGNS = (".lock", "log.txt", "results.csv", "fields/shapes.pvd", "fields/shapes_0004.vtp")


class KilledRun(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.output = cls.directory / "run"
        cls.unfinished = cls.directory / "run.unfinished"

    def setUp(self):
        self.study("cantilever_der.prm", settings=SHORT)
        self.earlier = snapshot(self.output)

    def start(self, stderr=subprocess.DEVNULL, **options):
        process = subprocess.Popen(
            command(PRM / "cantilever_der.prm", settings=LONG, output=self.output),
            cwd=self.directory,
            env=environment(self.scratch),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            text=True,
            **options,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, sign, process):
        while process.poll() is None and not (self.unfinished / sign).exists():
            time.sleep(0.0005)

    def check_complete(self, path):
        """Tables and the log end with a whole line; any other file is under its
        name only when all of it is there."""
        if path.name.startswith(".") or path.parent.name == "journal":
            return
        if path.suffix in (".csv", ".txt"):
            # Killed as it began, the run may have left it empty.
            self.assertRegex(path.read_text()[-1:], r"^\n?$", path.name)
            if path.suffix == ".csv" and path.stat().st_size > 0:
                Table(path)
        elif path.suffix in (".vtp", ".pvd"):
            # A file that is cut off is not well-formed.
            xml.etree.ElementTree.parse(path)
        elif path.suffix == ".json":
            json.loads(path.read_text())
        else:
            self.assertEqual(path.name, "used.prm")
            text = path.read_text()
            self.assertEqual(text.count("subsection "), text.count("\nend"))

    def kill_and_check(self, process):
        process.kill()
        was_running = process.wait() != 0
        if snapshot(self.output) != self.earlier:
            # It had changed places with the earlier one.
            summary = json.loads((self.output / "summary.json").read_text())
            self.assertEqual(summary["samples"], 701)
            was_running = False
        found = sorted(path for path in self.unfinished.rglob("*") if path.is_file())
        for path in found:
            self.check_complete(path)
        others = {path.name for path in self.directory.iterdir()}
        self.assertLessEqual(others, {"run", "run.unfinished"})
        return was_running, len(found)

    def check_next_run(self):
        is_there = self.unfinished.exists()
        # Before it has written its parameters there is nothing to resume, and
        # what has a summary has come to its end.
        left = {path.name for path in self.unfinished.iterdir()} if is_there else set()
        is_resumable = "used.prm" in left and "summary.json" not in left
        run = self.study("cantilever_der.prm", settings=SHORT)
        is_discarded = "was discarded; --resume would" in run.out
        self.assertTrue(is_resumable <= is_discarded <= is_there, run.out)
        self.assertEqual(len(run.results), 8)
        self.assertEqual({path.name for path in self.directory.iterdir()}, {"run"})
        self.assertNotIn(".lock", snapshot(self.output))

    def test_killed_while_it_writes(self):
        reached = 0
        for sign in SIGNS:
            with self.subTest(sign=sign):
                process = self.start()
                self.wait_for(sign, process)
                was_running, _ = self.kill_and_check(process)
                reached += was_running
                self.check_next_run()
                self.earlier = snapshot(self.output)
        # All signs appear soon, and the run goes on for long; but a busy
        # machine may miss one.
        self.assertGreaterEqual(reached, len(SIGNS) - 1)

    def test_killed_at_any_time(self):
        process = self.start()
        began = time.monotonic()
        process.wait()
        duration = time.monotonic() - began
        self.earlier = snapshot(self.output)
        seed = random.randrange(10**6)
        moments = random.Random(seed)
        for _ in range(5):
            delay = moments.uniform(0, duration)
            with self.subTest(seed=seed, delay=delay):
                process = self.start()
                time.sleep(delay)
                self.kill_and_check(process)
                self.earlier = snapshot(self.output)
        self.check_next_run()

    def fill_disk(self, sign, size):
        """What the last line says of a run that finds no room from some moment."""
        # A limit on the size of files comes as near to it as a test can.
        process = self.start(stderr=subprocess.PIPE)
        self.wait_for(sign, process)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, size))
        _, said = process.communicate()
        self.assertEqual(process.returncode, 2, said)
        last_line = said.splitlines()[-1]
        self.assertIn("cannot write", last_line)
        self.assertIn("File too large", last_line)
        self.assertEqual(snapshot(self.output), self.earlier)
        return last_line

    def test_no_room_to_begin(self):
        self.fill_disk(".lock", 100)
        self.check_next_run()

    def test_a_disk_that_fills_up(self):
        # The table needs several times as much, a shape less.
        last_line = self.fill_disk("fields/shapes_0004.vtp", 30000)
        self.assertIn("what is complete is in", last_line)
        self.assertIn("--resume", last_line)
        for path in self.unfinished.rglob("*"):
            if path.is_file():
                self.check_complete(path)
        self.assertGreater(len(Table(self.unfinished / "results.csv")), 100)

        run = self.study("cantilever_der.prm", settings=LONG, output="whole")
        resumed = self.program(
            PRM / "cantilever_der.prm", "--resume", settings=LONG, output=self.output
        )
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertEqual((self.output / "results.csv").read_bytes(), run.results_bytes)
        shutil.rmtree(run.directory)
        self.check_next_run()

    def test_a_disk_that_fills_up_under_a_body_of_two_ranks(self):
        # The first rank alone writes rows; the other must not wait for it for ever.
        stopped = Stopped("branch of a discrete rod", self.directory, self.scratch)
        stopped.on_ranks(2, share_body=True)
        stopped.whole()
        process = stopped.start("shared")
        self.addCleanup(process.kill)
        results = self.directory / "shared.unfinished" / "results.csv"
        stopped.wait_for(process, results, 0.3)
        size = results.stat().st_size + 1000
        for rank in children(process.pid):
            resource.prlimit(rank, resource.RLIMIT_FSIZE, (size, size))
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, said)
        self.assertIn("cannot write", said)
        self.assertIn("--resume", said)
        code, said = stopped.run("shared", "--resume")
        self.assertEqual(code, 0, said)
        found, expected = (Table(self.directory / name / "results.csv") for name in ("shared", "whole"))
        self.assertEqual(len(found), len(expected))
        for name in ("shared", "whole"):
            shutil.rmtree(self.directory / name)

    def test_no_second_run_meanwhile(self):
        process = self.start()
        self.wait_for(".lock", process)
        second = self.program(PRM / "cantilever.prm", output=self.output)
        still_running = process.poll() is None
        process.kill()
        process.wait()
        self.assertTrue(still_running, "the first run was too short for this test")
        self.assertEqual(second.returncode, 1)
        self.assertEqual(len(second.stderr.splitlines()), 1, second.stderr)
        self.assertIn("is being written by another run", second.stderr)
        self.assertEqual(snapshot(self.output), self.earlier)
        self.check_next_run()


if __name__ == "__main__":
    main()
