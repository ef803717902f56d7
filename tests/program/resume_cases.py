# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every study, small; how it is stopped at some moment, resumed until it is
finished, and compared with a run that was not stopped.

Used by test_resume.py, which tries a few moments, and by benchmarks/kill_runs,
which tries many.
"""

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

from support import PRM, command, environment

SMALL_PLATE = {
    "Lateral buckling/Cells along": 4,
    "Lateral buckling/Cells across": 2,
    "Koiter shell/Degree": 3,
}
CASES = {
    "cantilever": (
        "cantilever_der.prm",
        {"Cantilever/Exponent step": 0.05, "Discrete elastic rod/Segments": 100},
    ),
    "redundant cantilever": ("cantilever_redundant.prm", {"Kirchhoff rod/Elements": 24}),
    "bend twist": (
        "bend_twist.prm",
        {
            "Kirchhoff rod/Elements": 10,
            "Bend twist/Largest y": 2.1,
            "Bend twist/Shapes": 5,
            "Frontier tracking/Largest step": 0.02,
        },
    ),
    "bend twist protocol": (
        "bend_twist_protocol.prm",
        {"Bend twist/Rows": 4, "Bend twist/Columns": 6, "Kirchhoff rod/Elements": 24},
    ),
    "lateral buckling": (
        "lateral_buckling.prm",
        {**SMALL_PLATE, "Lateral buckling/Shapes": 2},
    ),
    "lateral buckling eigenvalue": ("lateral_buckling_eigenvalue.prm", SMALL_PLATE),
    "lateral buckling protocol": (
        "lateral_buckling_protocol.prm",
        {**SMALL_PLATE, "Lateral buckling/Gamma step": 6, "Lateral buckling/Widths": "0.3, 0.6, 0.9"},
    ),
    "lateral buckling rotation": (
        "lateral_buckling_rotation.prm",
        {**SMALL_PLATE, "Lateral buckling/Angle step": 0.1},
    ),
    "stick slip": (
        "stick_slip.prm",
        {
            "Kirchhoff rod/Elements": 12,
            "Stick slip/Frictions": "0.1, 0.2, 0.3",
            "Stick slip/Strain step": 0.05,
            "Stick slip/Largest strain": 0.3,
        },
    ),
    "equilibrium": ("rod_equilibrium.prm", {"Equilibrium/Load steps": 200}),
    "equilibrium of a discrete rod": (
        "rod_equilibrium.prm",
        {"Model": "discrete elastic rod", "Equilibrium/Load steps": 40},
    ),
    "equilibrium of a shell": (
        "shells/pinched_hemisphere.prm",
        {"Surface/Cells along u": 6, "Surface/Cells along v": 6},
    ),
    "branch": ("branch_euler.prm", {}),
    "branch of a discrete rod": (
        "branch_euler.prm",
        {"Model": "discrete elastic rod", "Discrete elastic rod/Segments": 60},
    ),
    "branch with folds": ("branch_arch.prm", {}),
    "frontier": ("frontier_column.prm", {}),
    "frontier of folds": ("frontier_arch.prm", {}),
    "vibration": ("vibration_column.prm", {"Vibration/Load steps": 60}),
    "motion": ("motion_swing.prm", {"Discrete elastic rod/Segments": 12, "Time/End": 0.8}),
    "adaptive motion by bdf2": (
        "motion_swing.prm",
        {
            "Discrete elastic rod/Segments": 12,
            "Time/End": 0.8,
            "Time/Integrator": "bdf2",
            "Time/Adaptive": "true",
            "Time/Tolerance": 1e-5,
        },
    ),
    "knot": (
        "knot.prm",
        {
            "Contact/Method": "barrier",
            "Knot/Settling time": 0.02,
            "Knot/Shortening at end": 0.699,
            "Knot/Rows every": 0.005,
            "Knot/Shapes every": 0.05,
        },
    ),
    "knot by imc": (
        "knot.prm",
        {
            "Contact/Method": "imc",
            "Knot/Settling time": 0.02,
            "Knot/Shortening at end": 0.6999,
            "Knot/Time step": 5e-4,
            "Knot/Rows every": 0.001,
            "Knot/Shapes every": 0.01,
        },
    ),
    "tangle": (
        "tangle.prm",
        {
            "Rods/Number": 8,
            "Rods/Region sides": "0.15, 0.15, 0.1",
            "Rods/Region centre": "0, 0, 0.06",
            "Time/End": 0.15,
            "Time/Rows every": 0.005,
        },
    ),
    "motion of a shell": (
        "shells/motion_cloth.prm",
        {"Surface/Cells along u": 2, "Surface/Cells along v": 2, "Time/End": 0.5},
    ),
    "motion on an obstacle": (
        "shells/motion_cloth_on_sphere.prm",
        {"Surface/Cells along u": 6, "Surface/Cells along v": 6, "Time/End": 0.3},
    ),
    "equilibrium against an obstacle": ("rod_against_wall.prm", {"Kirchhoff rod/Elements": 8}),
    "growth": (
        "growth/paper_strip.prm",
        {"Surface/Cells along u": 5, "Surface/Cells along v": 2, "Time/Step": 0.25},
    ),
    "growth in motion": (
        "growth/drying_annulus.prm",
        {
            "Surface/Cells along u": 8,
            "Surface/Cells along v": 1,
            "Time/End": 0.02,
            "Time/Rows every": 0.001,
            "Time/Tolerance": 1e-5,
        },
    ),
    "validation": (
        "validation.prm",
        {
            "Validation/Protocols": "cantilever, bend twist",
            "Validation/Models": "kirchhoff rod, super helix",
            "Validation/Resolutions": "coarse",
            "Validation/Cantilever samples": 8,
            "Validation/Checks": "order",
        },
    ),
    "growth of triangles": (
        "growth/drying_annulus.prm",
        {
            "Model": "midedge shell",
            "Surface/Cells along u": 12,
            "Surface/Cells along v": 2,
            "Time/End": 0.02,
            "Time/Rows every": 0.001,
            "Time/Tolerance": 1e-5,
            "Damping/Stretch": 0,
            "Damping/Bending": 0,
        },
    ),
    "growth with factors that are kept": (
        "growth/drying_annulus.prm",
        {
            "Model": "midedge shell",
            "Surface/Cells along u": 12,
            "Surface/Cells along v": 2,
            "Time/End": 0.02,
            "Time/Rows every": 0.001,
            "Time/Tolerance": 1e-5,
            "Damping/Stretch": 0,
            "Damping/Bending": 0,
            "Newton/Linear solver": "lagged mumps",
        },
    ),
}
# Checkpoints come as often as they can.
OFTEN = {"Checkpoint every steps": 1}

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
INTERRUPTED = 4
STILL_THERE = ("is being written by another run", "has no unfinished run to resume")


def without_seconds(text):
    """A table, of commas or of bars, without what a processor took."""
    lines = text.splitlines()
    mark = "|" if text.startswith("|") else ", "
    names = [word.strip() for word in next((line for line in lines if not line.startswith("#")), "").split(mark)]
    if "seconds" not in names:
        return text
    at = names.index("seconds")
    cut = (line.split(mark) for line in lines)
    return "\n".join(mark.join(cells[:at] + cells[at + 1 :]) for cells in cut)


def digests(directory):
    """What a run has left, without what may differ: times, and how it went."""
    found = {}
    for path in sorted(Path(directory).rglob("*")):
        name = str(path.relative_to(directory))
        if not path.is_file() or path.name in ("log.txt", "used.prm", ".manifest"):
            continue
        if path.name == "summary.json":
            summary = json.loads(path.read_text())
            del summary["seconds"]
            found[name] = summary
        elif path.suffix in (".csv", ".md"):
            found[name] = hashlib.sha256(without_seconds(path.read_text()).encode()).hexdigest()
        else:
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def children(pid):
    """The ranks of a launcher."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Stopped:
    """Runs of one case in a directory, one of them stopped on its way."""

    def __init__(self, case, directory, scratch, ranks=None):
        self.case = case
        self.prm, self.settings = CASES[case]
        self.directory = Path(directory)
        self.scratch = scratch
        self.ranks = ranks

    def on_ranks(self, ranks, share_body):
        """The next run is on that many ranks; chains or one body go to them."""
        self.ranks = ranks
        self.settings = {**self.settings, "Ranks per sample": ranks if share_body else 1}

    def words(self, output, *options):
        return command(
            PRM / self.prm,
            *options,
            settings={**self.settings, **OFTEN},
            output=self.directory / output,
            ranks=self.ranks,
        )

    def start(self, output, *options):
        return subprocess.Popen(
            self.words(output, *options),
            cwd=self.directory,
            env=environment(self.scratch),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # a signal reaches all ranks
        )

    def run(self, output, *options):
        """Exit code and what was said."""
        process = self.start(output, *options)
        said, _ = process.communicate()
        return process.returncode, said

    def whole(self):
        """A run that is not stopped: its files, and how long it took."""
        began = time.monotonic()
        code, said = self.run("whole")
        if code != 0:
            raise AssertionError(f"exit code {code}: {said}")
        self.size = (self.directory / "whole" / "results.csv").stat().st_size
        return digests(self.directory / "whole"), time.monotonic() - began

    def send(self, process, number):
        """A queue signals all processes of a job, a terminal the launcher."""
        if number != signal.SIGINT:
            for rank in children(process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(rank, number)
        if number != signal.SIGTERM or self.ranks is None:
            process.send_signal(number)

    def wait_for(self, process, results, share):
        """Until a share of the results is there, and more than before. Time would
        not do: how fast a run is depends on what else the machine does."""
        before = results.stat().st_size if results.exists() else 0
        while process.poll() is None:
            size = results.stat().st_size if results.exists() else 0
            if size >= share * self.size and size > before:
                return
            time.sleep(0.001)

    def run_until(self, output, share, number, *options):
        """Stops a run when it has a share of its results; exit code and what was
        said."""
        process = self.start(output, *options)
        self.wait_for(process, Path(f"{self.directory / output}.unfinished/results.csv"), share)
        if process.poll() is None:
            self.send(process, number)
        said, _ = process.communicate()
        return process.returncode, said

    def stop_and_resume(self, output, share, number):
        """Stops a run when it has a share of its results, resumes it until it
        ends; how often it was resumed, and its files."""
        unfinished = Path(f"{self.directory / output}.unfinished")
        first_code, said = self.run_until(output, share, number)
        resumed = 0
        while not (self.directory / output / "summary.json").exists():
            options = ["--resume"] if unfinished.exists() else []
            code, said = self.run(output, *options)
            # Ranks whose launcher was killed take a moment to notice, or even
            # come to their end.
            if code == 1 and any(words in said for words in STILL_THERE):
                time.sleep(0.2)
                continue
            resumed += len(options)
            if code not in (0, INTERRUPTED) or resumed > 3:
                raise AssertionError(f"exit code {code} after {resumed} resumptions: {said}")
        return resumed, first_code, digests(self.directory / output)
