#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that C++ is formatted as .clang-format says, with clang-format 14.

Other versions format some lines differently; without that one, the check is
skipped.
"""

import re
import shutil
import subprocess
import sys

from repository import ROOT, SKIPPED, files, report

VERSION = 14


def find_clang_format():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if path := shutil.which(name):
            words = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
            if re.search(rf"version {VERSION}\.", words.stdout):
                return path
    return None


def check(root, clang_format):
    sources = [str(path.relative_to(root)) for path in files(root, ".h", ".cc")]
    style = f"-style=file:{ROOT / '.clang-format'}"
    command = [clang_format, style, "--dry-run", "-Werror", *sources]
    process = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    found = re.findall(r"^(.*?):(\d+):\d+: error: code should be", process.stderr, re.MULTILINE)
    complaints = {}
    for path, line in found:
        complaints.setdefault(path, line)
    if process.returncode != 0 and not complaints:
        return process.stderr.splitlines()
    return [
        f"{path}:{line}: is not formatted from here on; clang-format -i {path}"
        for path, line in complaints.items()
    ]


def main():
    clang_format = find_clang_format()
    if clang_format is None:
        print(f"skipped: needs clang-format {VERSION} (Debian 12: clang-format)")
        return SKIPPED
    return report(check(ROOT, clang_format), "sources are formatted")


if __name__ == "__main__":
    sys.exit(main())
