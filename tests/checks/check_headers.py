#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that headers are cheap to include and guarded by their own name.

The headers of deal.II, Trilinos and PETSc take seconds to compile. Only the
classes that adapt a model to them may show them; no other header may reach
them, not even through an adapter.
"""

import re
import sys

from check_layering import includes
from repository import ROOT, files, place, report, text_of

HEAVY = re.compile(r"(deal\.II/|NOX|LOCA|Teuchos|Epetra|petsc|slepc|boost/|nlohmann/)")

# In include/slender/statics; each derives from, or owns, what it includes.
ADAPTERS = {
    "slender/statics/block_matrix.h": "a matrix of PETSc",
    "slender/statics/bordered_solver.h": "a strategy of LOCA",
    "slender/statics/continuation_step.h": "a continuation strategy of LOCA",
    "slender/statics/frontier_system.h": "extended groups of LOCA",
    "slender/statics/model_group.h": "a group of LOCA",
    "slender/statics/nox_vector.h": "a vector of NOX",
    "slender/statics/soft_modes.h": "vectors of NOX",
    "slender/statics/petsc.h": "owners of PETSc's objects",
    "slender/statics/stopping_rule.h": "a status test of NOX",
}


def heavy_headers(root):
    include = root / "include"
    paths = files(root, ".h", folders=["include"])
    headers = {str(path.relative_to(include)): path for path in paths}

    def way_to_heavy(name, seen):
        """The chain of headers that leads to a heavy one, or nothing."""
        for _, _, included in includes(headers[name]):
            if HEAVY.match(included):
                return [included]
            if included in headers and included not in seen:
                way = way_to_heavy(included, seen | {included})
                if way:
                    return [included, *way]
        return []

    complaints = []
    for name, path in headers.items():
        if name in ADAPTERS:
            continue
        if way := way_to_heavy(name, {name}):
            complaints.append(f"{place(root, path)}: includes {' → '.join(way)}")
    return complaints


def guards(root):
    complaints = []
    for path in files(root, ".h", folders=["include"]):
        name = re.sub(r"\W", "_", str(path.relative_to(root / "include")))
        if f"#ifndef {name}\n#define {name}\n" not in text_of(path):
            complaints.append(f"{place(root, path)}: is not guarded by '{name}'")
    return complaints


def check(root):
    return heavy_headers(root) + guards(root)


if __name__ == "__main__":
    sys.exit(report(check(ROOT), "headers are light and guarded"))
