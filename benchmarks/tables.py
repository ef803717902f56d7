# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs of the program, and tables in Markdown, for benchmarks/motions."""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PRM = ROOT / "prm"
PROGRAM = os.environ.get("SLENDER_FEM", str(ROOT / "build" / "slender_fem"))


def in_motion(text):
    """A file of the study vibration as one of the study motion."""
    text = text.replace("set Study = vibration", "set Study = motion")
    return re.sub(r"subsection Vibration\n.*?\nend\n", "", text, flags=re.DOTALL)


class Run:
    def __init__(self, prm, settings, moves=False):
        with tempfile.TemporaryDirectory() as directory:
            file = PRM / prm
            if moves:
                file = Path(directory, "motion.prm")
                file.write_text(in_motion((PRM / prm).read_text()))
            command = [PROGRAM, str(file), "--output", os.path.join(directory, "run")]
            for path, value in settings.items():
                command += ["--set", f"{path}={value}"]
            environment = {
                **os.environ,
                "OMP_NUM_THREADS": "1",
                "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            }
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            # Processor time, which other programs disturb less.
            self.seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            if done.returncode != 0:
                sys.exit(f"motions: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
            place = Path(directory, "run")
            lines = (place / "results.csv").read_text().splitlines()
            self.summary = json.loads((place / "summary.json").read_text())
        header, *rows = [line.split(", ") for line in lines if not line.startswith("#")]
        self.rows = [dict(zip(header, row)) for row in rows]

    def __getitem__(self, name):
        return [float(row[name]) for row in self.rows]

    def frequencies(self):
        return [float(row["frequency"]) for row in self.rows if row["step"] == self.rows[-1]["step"]]


def table(title, header, rows):
    print(f"\n{title}\n\n| {' | '.join(header)} |\n|{' --- |' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def number(value, digits=2):
    return f"{value:.{digits}e}" if value and abs(value) < 1e-2 else f"{value:.{digits + 2}g}"


def nearest(found, exact):
    return min(found, key=lambda f: abs(f - exact))
