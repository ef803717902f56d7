# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the checks of the repository share.

A check is a function that takes the root of a source tree and returns a list of
complaints, "path:line: what is wrong".
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FOLDERS = (
    ".ci",
    "benchmarks",
    "cmake",
    "doc",
    "include",
    "meshes",
    "prm",
    "python",
    "reference",
    "scripts",
    "source",
    "tests",
)
SKIPPED = 77  # the exit code that CTest shows as "skipped"


def files(root, *suffixes, folders=FOLDERS):
    """All files of some folders, with one of the suffixes if any are given."""
    for folder in folders:
        for path in sorted((Path(root) / folder).rglob("*")):
            if "__pycache__" in path.parts or not path.is_file():
                continue
            if not suffixes or path.suffix in suffixes:
                yield path


def all_files(root):
    """Those of all folders, and those at the top that are ours."""
    yield from files(root)
    for pattern in ("CMake*", "Containerfile", "*.md", "*.cff", ".clang*", ".gitignore"):
        yield from sorted(Path(root).glob(pattern))


def text_of(path):
    """The text of a file; nothing for a picture or other binary data."""
    content = path.read_bytes()
    return "" if b"\0" in content else content.decode("utf-8", errors="replace")


def place(root, path, line=None):
    name = str(path.relative_to(root))
    return name if line is None else f"{name}:{line}"


def report(complaints, success):
    """Prints what was found and returns the exit code."""
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if not complaints:
        print(success)
    return 1 if complaints else 0
