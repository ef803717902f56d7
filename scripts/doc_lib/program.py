# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the program says about itself: the one source of reference, manual page and
completion."""

import json
import os
import re
import subprocess


class ProgramError(Exception):
    """One line: what is wrong."""


def ask(program, *arguments):
    """What it prints."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            [program, *arguments], env=environment, capture_output=True, text=True, check=False
        )
    except OSError as problem:
        raise ProgramError(f"{program}: {problem.strerror}") from None
    if done.returncode != 0:
        said = done.stderr.strip() or f"ended with exit code {done.returncode}"
        raise ProgramError(f"{program} {' '.join(arguments)}: {said}")
    return done.stdout


class Usage:
    """--help taken apart: a sentence on top, ways to call it, and what follows."""

    def __init__(self, text):
        blocks = [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]
        calls = [k for k, block in enumerate(blocks) if block.startswith("  slender_fem ")]
        if not calls:
            raise ProgramError("--help shows no way to call the program")
        self.sentence = " ".join(blocks[0].split()).partition(": ")[2]
        self.calls = [call for k in calls for call in calls_of(blocks[k])]
        self.notes = [" ".join(block.split()) for k, block in enumerate(blocks[1:], 1) if k not in calls]
        self.options = sorted(set(re.findall(r"--[a-z][a-z-]*", text)))

    def note(self, begin):
        """What follows after these words at the beginning of a note."""
        for note in self.notes:
            if note.startswith(begin):
                return note[len(begin) :].strip()
        raise ProgramError(f"--help has no note that begins with '{begin}'")


def calls_of(block):
    """Pairs: how to call it, and what that does."""
    found = []
    for line in block.splitlines():
        if line.startswith("  slender_fem "):
            words, _, meaning = line.strip().partition("   ")
            found.append([words, meaning.strip()])
        else:
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return [tuple(pair) for pair in found]


class Program:
    """Its options, models, studies and parameters."""

    def __init__(self, path):
        self.usage = Usage(ask(path, "--help"))
        self.reference = json.loads(ask(path, "--reference"))
        self.version = self.reference["version"]
        self.models, self.studies = self.reference["models"], self.reference["studies"]
        self.general = self.reference["parameters"]

    def users_of_parameters(self):
        """For each parameter its choices, and the names of the studies and models that
        have it; none for those that every file has."""
        found = {one["path"]: (one["choices"], set()) for one in self.general}
        for owner in [*self.studies, *self.models]:
            for one in owner["parameters"]:
                found.setdefault(one["path"], (one["choices"], set()))[1].add(owner["name"])
        return found
