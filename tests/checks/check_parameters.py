#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that every parameter is documented and every example is valid.

Every parameter that --describe prints has a sentence for users; numbers have a
unit in brackets. Every file of prm/ passes --validate, begins with words about
what it shows, and says how it is run.
"""

import os
import re
import subprocess
import sys

from repository import ROOT, report

PROGRAM = os.environ.get("SLENDER_FEM", ROOT / "build" / "slender_fem")


def run(*arguments):
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [PROGRAM, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


def documented(description):
    """Triples (parameter, default value, documentation) of a description."""
    sections, comment = [], []
    for line in description.splitlines():
        keyword, _, rest = line.strip().partition(" ")
        if keyword == "#":
            comment.append(rest.strip())
            continue
        if keyword == "subsection":
            sections.append(rest)
        elif keyword == "end":
            sections.pop()
        elif keyword == "set":
            name, _, value = rest.partition("=")
            yield "/".join([*sections, name.strip()]), value.strip(), " ".join(comment)
        comment = []


def is_number(value):
    try:
        return bool([float(part) for part in value.split(",")])
    except ValueError:
        return False


def complaints_about(parameter, value, documentation):
    words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\[[^]]*\]", "", documentation))
    if len(words) < 2 or not documentation.endswith("."):
        yield f"{parameter}: has no sentence about it, but '{documentation}'"
    if is_number(value) and not re.search(r"\[[^]]+\]", documentation):
        yield f"{parameter}: has no [unit] in '{documentation}'"


def check_descriptions(descriptions):
    complaints = []
    for name, description in descriptions.items():
        parameters = list(documented(description))
        if not parameters:
            complaints.append(f"{name}: has no parameters")
        for parameter in parameters:
            complaints += [f"{name}: {text}" for text in complaints_about(*parameter)]
    return complaints


def descriptions():
    """What --describe prints for every model and study that --list names."""
    listing = run("--list")
    names = re.findall(r"(?m)^  (\S+(?: \S+)*)  +\S", listing.stdout)
    if listing.returncode != 0 or not names:
        sys.exit(f"--list failed: {listing.stderr}")
    return {name: run("--describe", name).stdout for name in names}


def check_examples(root):
    complaints = []
    examples = sorted((root / "prm").rglob("*.prm"))
    if not examples:
        return ["prm/: holds no example"]
    validation = run("--validate", *map(str, examples))
    if validation.returncode != 0:
        complaints += validation.stderr.splitlines()
    for path in examples:
        name = str(path.relative_to(root))
        text = path.read_text(encoding="utf-8")
        if not text.startswith("# "):
            complaints.append(f"{name}: does not begin with words about what it shows")
        if f"\n#   scripts/run {name}\n" not in text:
            complaints.append(f"{name}: does not say how it is run")
    return complaints


def main():
    return report(
        check_descriptions(descriptions()) + check_examples(ROOT),
        "parameters are documented, examples are valid",
    )


if __name__ == "__main__":
    sys.exit(main())
