#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that pages lead somewhere and that their commands are valid.

    check_documentation.py links | commands

Links lead to files and headings that are there. Scripts that a page calls are
there, and what it runs passes --validate with the settings of the line. Lines
that begin with a prompt are left out, as they show how a mistake is answered.
"""

import re
import shlex
import sys

from check_parameters import run
from repository import ROOT, all_files, place, report, text_of

LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")
PROGRAMS = ("slender_fem", "build/slender_fem", "scripts/run", "mpirun")
PATTERNS = ("[", "]", "FILE", "NAME", "DIR", "…")  # of usage, not of commands


def pages(root):
    return [path for path in all_files(root) if path.suffix == ".md"]


def anchors(text):
    """Of the headings, as they are made on the web."""
    found = set()
    for heading in re.findall(r"(?m)^#+ (.*)$", text):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(words.replace(" ", "-"))
    return found


def dead_links(root):
    complaints = []
    for path in pages(root):
        for number, line in enumerate(text_of(path).splitlines(), 1):
            for target in LINK.findall(line):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                other = (path.parent / name).resolve() if name else path
                where = place(root, path, number)
                if not other.exists():
                    complaints.append(f"{where}: '{name}' is not there")
                elif anchor and anchor not in anchors(text_of(other)):
                    complaints.append(f"{where}: '{name}' has no heading '#{anchor}'")
    return complaints


def commands(text):
    """Pairs (line, words) of the lines of code that run something."""
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if not re.match(r"    (build/|scripts/|slender_fem|mpirun)", line):
            continue
        while line.endswith("\\"):
            line = line[:-1] + next(lines)[1]
        try:
            words = shlex.split(line.strip(), comments=True)
        except ValueError as problem:
            words = [f"({problem})"]
        yield number, words


def settings_of(words):
    """The parameter file of a command and its settings; no file, no command."""
    if words[0] == "mpirun":
        words = words[next(k for k, word in enumerate(words) if "slender_fem" in word) :]
    files = [word for word in words[1:] if word.endswith(".prm")]
    given = [word for before, word in zip(words, words[1:]) if before == "--set"]
    return (files[0] if files else None), given


def wrong_commands(root, validate):
    """`validate` gets the words behind the program's name, and returns what the
    program complains about."""
    complaints = []
    for path in pages(root):
        # A page for developers runs models that are yet to be written.
        if path.parent.name == "developer":
            continue
        for number, words in commands(text_of(path)):
            where = place(root, path, number)
            if any(pattern in word for word in words for pattern in PATTERNS):
                continue
            if words[0].startswith("scripts/") and not (root / words[0]).is_file():
                complaints.append(f"{where}: '{words[0]}' is not there")
            if words[0] not in PROGRAMS:
                continue
            file, given = settings_of(words)
            if file is None or not file.startswith("prm/"):
                continue
            # A run to start from is there once the commands before were run.
            if any(setting.partition("=")[0].endswith("/Start run") for setting in given):
                continue
            options = [word for setting in given for word in ("--set", setting)]
            if problem := validate("--validate", file, *options):
                complaints.append(f"{where}: {problem}")
    return complaints


def complaint_of_program(*arguments):
    process = run(*arguments)
    return "" if process.returncode == 0 else process.stderr.strip()


def main():
    if sys.argv[1:] == ["links"]:
        return report(dead_links(ROOT), "links lead somewhere")
    if sys.argv[1:] == ["commands"]:
        found = wrong_commands(ROOT, complaint_of_program)
        return report(found, "commands of the documentation are valid")
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
