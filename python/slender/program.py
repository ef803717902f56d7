# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs of the program."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path

from . import places
from .errors import BY_EXIT_CODE, Error, InputError, NoProgram
from .parameter_files import flatten, write_prm
from .runs import Run

PREFIX = "slender_fem: "


def environment():
    """One thread per process, unless the user wants it otherwise; Open MPI agrees to be
    run by root and with more processes than cores. As scripts/run has it."""
    ours = {
        "OMP_NUM_THREADS": "1",
        "DEAL_II_NUM_THREADS": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        ours.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return {**ours, **os.environ}


def launcher(ranks):
    if ranks is None:
        return []
    if isinstance(ranks, bool) or not isinstance(ranks, int) or ranks < 1:
        raise InputError(f"ranks: a whole number of at least 1 is expected, not {ranks!r}")
    mpirun = os.environ.get("SLENDER_MPIEXEC") or shutil.which("mpirun")
    if not mpirun:
        raise NoProgram("mpirun was not found (package openmpi-bin)")
    return [mpirun, "--quiet", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]


def line_of(text, fallback):
    """The program's last line about what went wrong."""
    lines = [line for line in text.splitlines() if line.strip()]
    ours = [line[len(PREFIX) :] for line in lines if line.startswith(PREFIX)]
    ours = [line for line in ours if not line.startswith("warning: ")] or lines
    return ours[-1].strip() if ours else fallback


def call(words):
    """What the program prints at once."""
    done = subprocess.run(
        [places.find_program(), *words], env=environment(), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        kind = BY_EXIT_CODE.get(done.returncode, Error)
        raise kind(line_of(done.stderr, f"ended with exit code {done.returncode}"))
    return done.stdout


def version():
    return call(["--version"]).split()[1]


def reference():
    """All models, studies and parameters, as the program declares them."""
    return json.loads(call(["--reference"]))


def models():
    """What is there to compute with: lines by name."""
    return {model["name"]: model["description"] for model in reference()["models"]}


def studies():
    """What can be asked: lines by name."""
    return {study["name"]: study["description"] for study in reference()["studies"]}


def describe(name):
    """The parameters of a study or a model, as a parameter file with words about each."""
    return call(["--describe", name])


class Scratch:
    """A directory that vanishes with this object, at the latest when Python ends."""

    def __init__(self):
        self.name = tempfile.mkdtemp(prefix="slender_")
        self.cleanup = weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)


class Question:
    """A parameter file, and settings that go before what stands in it."""

    def __init__(self, file, settings, study, model, scratch):
        if file is None:
            # That study alone brings its models.
            if study is None or (model is None and study != "validation"):
                raise InputError("a parameter file is needed, or both study and model")
            self.file = write_prm(Path(scratch) / "question.prm", study, model, settings)
            self.options = []
            return
        self.file = os.fspath(file)
        if not os.path.exists(self.file):
            raise InputError(f"{self.file}: no such file")
        given = {**flatten(settings), **flatten({"Study": study} if study else {})}
        given.update({"Model": model} if model else {})
        self.options = [word for item in given.items() for word in ("--set", "=".join(item))]


def validate(file=None, settings=None, *, study=None, model=None):
    """All that a run does before it computes. Raises InputError with the program's line."""
    with tempfile.TemporaryDirectory(prefix="slender_") as scratch:
        question = Question(file, settings, study, model, scratch)
        call(["--validate", question.file, *question.options])


def wait_for(process, verbose):
    """What it has said on both streams. If the user interrupts us the program is told,
    which saves where it is and ends in order."""
    out = []
    try:
        for line in process.stdout:
            out.append(line)
            if verbose:
                print(line, end="", flush=True)
        process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        out += process.stdout.readlines()
        process.wait()
    return "".join(out)


def run(
    file=None,
    settings=None,
    *,
    study=None,
    model=None,
    ranks=None,
    output=None,
    resume=False,
    check=True,
    verbose=False,
):
    """Runs a question and returns the Run.

    file      a parameter file; without one, study and model say what is asked
    settings  values by "Section/Name", or dictionaries of sections; numbers, booleans,
              texts, and lists for vectors
    ranks     number of MPI processes; None for one without mpirun
    output    a directory; without one the results vanish with the Run
    resume    goes on with a run into `output` that was interrupted
    check     whether what fails raises an Error; if not, run.process.returncode says
    verbose   prints what the program prints
    """
    if resume and output is None:
        raise InputError("resume: only a run with an output directory can be resumed")
    keeper = Scratch()
    directory = Path(output) if output is not None else Path(keeper.name) / "run"
    question = Question(file, settings, study, model, keeper.name)
    words = [*launcher(ranks), places.find_program(), question.file, *question.options]
    words += ["--output", str(directory), *(["--resume"] if resume else [])]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints:
        with subprocess.Popen(
            words,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            errors="replace",
        ) as process:
            out = wait_for(process, verbose)
        complaints.seek(0)
        process.output, process.complaints = out, complaints.read()
    unfinished = directory.with_name(directory.name + ".unfinished")
    left = directory if process.returncode in (0, 2, 3) else unfinished
    found = None
    if process.returncode != 1 and (left / "used.prm").is_file():
        found = Run(left, process, None if output is not None else keeper)
    if check and process.returncode != 0:
        code = process.returncode
        line = line_of(process.complaints, f"ended with exit code {code}")
        if code == 2 and found and found.is_finished:
            line = found.answer or line
        raise BY_EXIT_CODE.get(code, Error)(line, found)
    if found is None:
        raise InputError(line_of(process.complaints, "nothing was computed"))
    return found


def make_report(directory):
    """Runs scripts/report, with this Python."""
    script = places.find_scripts() / "report"
    done = subprocess.run(
        [sys.executable, str(script), str(directory)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Error(line_of(done.stderr, "report: failed").removeprefix("report: "))
    return Path(directory) / "report.html"
