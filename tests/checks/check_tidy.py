#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks sources with clang-tidy, as .clang-tidy says.

    check_tidy.py [--all | FILE.cc…]

A source that sees deal.II, Trilinos or PETSc takes clang-tidy half a minute, so
that the test looks at the light ones of a few folders only; scripts/lint looks
at all of them, or at those that are named. Commands are those of the build
directory that the program of SLENDER_FEM is in.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from check_headers import way_to_heavy
from repository import ROOT, SKIPPED, files, report

VERSION = 14
QUICK_FOLDERS = ("source/app", "source/base", "source/output")
FINDING = re.compile(r"^(.*?:\d+:\d+: (?:warning|error): .*)$", re.MULTILINE)


def find_clang_tidy():
    """Another version finds other things."""
    for name in (f"clang-tidy-{VERSION}", "clang-tidy"):
        if path := shutil.which(name):
            words = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
            if re.search(rf"version {VERSION}\.", words.stdout):
                return path
    return None


def commands(build):
    """How each source is compiled, without GCC's precompiled headers, which clang
    cannot read."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in entries:
        entry["command"] = re.sub(
            r" -Winvalid-pch| -fpch-preprocess| -include \S*cmake_pch\.hxx", "", entry["command"]
        )
    return entries


def quick_sources(root):
    """Those that see none of the large libraries."""
    return [
        path
        for path in files(root, ".cc", folders=QUICK_FOLDERS)
        if not way_to_heavy(root, path)
    ]


def check(sources, entries, clang_tidy, config=ROOT / ".clang-tidy"):
    """Complaints about sources, each named once, also if it is in a header."""
    with tempfile.TemporaryDirectory() as place:
        database = Path(place) / "compile_commands.json"
        database.write_text(json.dumps(entries), encoding="utf-8")

        def look_at(path):
            words = [clang_tidy, "--quiet", f"--config-file={config}", "-p", place, str(path)]
            process = subprocess.run(words, capture_output=True, text=True, check=False)
            found = FINDING.findall(process.stdout)
            if process.returncode != 0 and not found:
                found = [f"{path}: clang-tidy failed: {process.stderr.strip()}"]
            return found

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = [complaint for some in pool.map(look_at, sources) for complaint in some]
    return list(dict.fromkeys(complaint.replace(f"{ROOT}/", "") for complaint in found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="all sources of the program")
    parser.add_argument("sources", nargs="*", type=Path, metavar="FILE.cc")
    options = parser.parse_args()
    clang_tidy = find_clang_tidy()
    if clang_tidy is None:
        print(f"skipped: needs clang-tidy {VERSION} (Debian 12: clang-tidy)")
        return SKIPPED
    build = Path(os.environ.get("SLENDER_FEM", ROOT / "build" / "slender_fem")).parent
    sources = [path.resolve() for path in options.sources] or quick_sources(ROOT)
    if options.all:
        sources = list(files(ROOT, ".cc", folders=["source"]))
    success = f"clang-tidy finds nothing in {len(sources)} sources"
    return report(check(sources, commands(build), clang_tidy), success)


if __name__ == "__main__":
    sys.exit(main())
