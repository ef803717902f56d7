#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks what every file must and must not hold: the licence; no tabs, no
white space at the end of a line; nothing that is true on one machine alone.
"""

import re
import sys

from repository import ROOT, all_files, place, report, text_of

LICENCE = "SPDX-License-Identifier: LGPL-2.1-or-later"
SOURCES = {".h", ".cc", ".in", ".py", ".cmake", ".supp"}

PLACES = "work|home|root|Users|mnt|opt|srv|tmp|scratch"
MACHINE_PATH = re.compile(rf"(?<![\w.~}}$-])/(?:{PLACES})/")
ADDRESS = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
LINK = re.compile(r"\b[a-z]+://([\w.-]+)")
PUBLIC_HOSTS = {
    "arxiv.org",
    "doi.org",
    "github.com",
    "keepachangelog.com",
    "semver.org",
    "spdx.org",
    "www.dealii.org",
    "www.gnu.org",
    "www.w3.org",
}


def needs_licence(path, text):
    if not text.strip():
        return False
    return path.suffix in SOURCES or path.name == "CMakeLists.txt" or text.startswith("#!")


def complaints_about_line(line):
    if "\t" in line:
        yield "a tab"
    if line != line.rstrip():
        yield "white space at the end of the line"
    if MACHINE_PATH.search(line):
        yield "a path of one machine"
    if ADDRESS.search(line):
        yield "a network address"
    for host in LINK.findall(line):
        if host not in PUBLIC_HOSTS:
            yield f"a link to '{host}', which is not on the list of public hosts"


def check(root):
    complaints = []
    for path in all_files(root):
        if path.name == "LICENSE":
            continue
        text = text_of(path)
        if needs_licence(path, text) and LICENCE not in text[:400]:
            complaints.append(f"{place(root, path)}: does not say '{LICENCE}'")
        for number, line in enumerate(text.splitlines(), 1):
            for complaint in complaints_about_line(line):
                complaints.append(f"{place(root, path, number)}: {complaint}")
    return complaints


if __name__ == "__main__":
    sys.exit(report(check(ROOT), "files are in order"))
