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

# In include/slender/; each derives from, or owns, what it includes.
ADAPTERS = {
    "slender/solvers/block_matrix.h": "a matrix of PETSc",
    "slender/solvers/bordered_solver.h": "a strategy of LOCA",
    "slender/statics/continuation_step.h": "a continuation strategy of LOCA",
    "slender/statics/loca_frontier.h": "extended groups of LOCA",
    "slender/solvers/system_group.h": "a group of LOCA",
    "slender/solvers/nox_vector.h": "a vector of NOX",
    "slender/statics/branch_requests.h": "vectors of NOX",
    "slender/statics/event_search.h": "vectors of NOX",
    "slender/statics/soft_modes.h": "vectors of NOX",
    "slender/solvers/petsc.h": "owners of PETSc's objects",
    "slender/solvers/stopping_rule.h": "a status test of NOX",
}


def way_to_heavy(root, path, seen=frozenset()):
    """The chain of headers that leads from a file to a heavy one, or nothing."""
    for _, _, included in includes(path):
        if HEAVY.match(included):
            return [included]
        header = root / "include" / included
        if included not in seen and header.is_file():
            if way := way_to_heavy(root, header, seen | {included}):
                return [included, *way]
    return []


def heavy_headers(root):
    complaints = []
    for path in files(root, ".h", folders=["include"]):
        if str(path.relative_to(root / "include")) in ADAPTERS:
            continue
        if way := way_to_heavy(root, path):
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
