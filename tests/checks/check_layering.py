#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that layers include one way only, and that source/ mirrors include/.

    app → studies → { statics, dynamics → contact → solvers; models } → systems → base
                    { validation, output } → base

MAY_USE says it layer by layer; a folder that is not there has no place yet.
"""

import re
import sys

from repository import ROOT, files, place, report, text_of

BELOW_STUDIES = {"base", "systems", "models", "contact", "solvers", "statics",
                 "dynamics", "validation", "output"}
MAY_USE = {
    "base": set(),
    "systems": {"base"},
    "models": {"base", "systems"},
    "solvers": {"base", "systems"},
    "statics": {"base", "systems", "solvers"},
    "dynamics": {"base", "systems", "solvers", "contact"},
    "contact": {"base", "systems", "solvers"},
    "validation": {"base"},
    "output": {"base"},
    "studies": BELOW_STUDIES,
    "app": BELOW_STUDIES | {"studies"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(root, path):
    """The folder below include/slender/ or source/."""
    parts = path.relative_to(root).parts
    below = parts[2:] if parts[0] == "include" else parts[1:]
    return below[0] if len(below) > 1 else None


def includes(path):
    """Triples (line, opening character, what is included)."""
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found[1], found[2]


def layering(root):
    complaints = []
    for path in files(root, ".h", ".cc", folders=("include", "source")):
        layer = layer_of(root, path)
        if layer not in MAY_USE:
            known = ", ".join(sorted(MAY_USE))
            complaints.append(f"{place(root, path)}: is in none of the layers {known}")
            continue
        for line, opening, included in includes(path):
            where = place(root, path, line)
            if opening == '"':
                complaints.append(f'{where}: "{included}"; write <slender/LAYER/FILE.h>')
                continue
            parts = included.split("/")
            if parts[0] != "slender":
                continue
            other = parts[1]
            if other not in MAY_USE:
                complaints.append(f"{where}: <{included}> is in no layer")
            elif other != layer and other not in MAY_USE[layer]:
                complaints.append(f"{where}: '{layer}' may not know '{other}' (<{included}>)")
    return complaints


def mirror(root):
    """Every .cc has a header of the same name in the same place, or is a part
    of one that it includes: kirchhoff_rod_mesh.cc of kirchhoff_rod.h."""
    complaints = []
    for path in files(root, ".cc", folders=("source",)):
        relative = path.relative_to(root / "source")
        if str(relative) == "app/main.cc":
            continue
        folder = "slender" / relative.parent
        included = {name for _, _, name in includes(path)}
        stem = relative.stem
        headers = [
            header.stem
            for header in sorted((root / "include" / folder).glob("*.h"))
            if stem == header.stem
            or stem.startswith(f"{header.stem}_")
            or stem.endswith(f"_{header.stem}")
        ]
        if not any(f"{folder}/{header}.h" in included for header in headers):
            wanted = f"include/{folder}/{stem}.h"
            complaints.append(f"{place(root, path)}: includes no header of its own ({wanted})")
    return complaints


def check(root):
    return layering(root) + mirror(root)


if __name__ == "__main__":
    sys.exit(report(check(ROOT), "layers include one way only"))
