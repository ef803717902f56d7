#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The master curve of the Lateral Buckling protocol: Gamma* over w/L.

A thin plate of length L and width w stands on its edge, clamped at one short
side, under its own weight, which acts in its plane. It gives way to the side at
the lowest eigenvalue Gamma* = rho h g L^3/D of linear buckling analysis: the
membrane forces of the flat plate under a unit weight, their geometric stiffness,
and K x + Gamma* K_g x = 0. The program computes it in the mode 'eigenvalue' of
its study, with elements of degree 4 on meshes that are graded towards the two
corners of the clamp, where the membrane forces are singular. The difference to a
mesh with two thirds of the cells along each side is the error.

    reference/lateral_buckling.py                   write lateral_buckling.csv
    reference/lateral_buckling.py --check           recompute on coarse meshes, compare with the file
    reference/lateral_buckling.py --program FILE    another program than build/slender_fem
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "reference" / "lateral_buckling.csv"
POISSON = ("0", "0.2", "0.35", "0.5")
# Thin enough for the corrections of order (h/w)^2 to be below 2e-6, and thick enough
# for the round-off of the membrane stiffness, which grows as (L/h)^2.
THICKNESS = "1e-4"
NARROW = ("0.05", "0.075", "0.1", "0.125", "0.15")
WIDE = tuple(f"{i / 20:g}" for i in range(4, 21))
# Cells along and across.
FINE = {NARROW: (24, 6), WIDE: (24, 9)}
COARSE = {NARROW: (16, 4), WIDE: (16, 6)}
GRADING = (32, 8)
# Buckling of a narrow strip (Michell 1899): limit of Gamma* / ((1 - nu) sqrt(1 + nu)).
MICHELL = 18.17797


def eigenvalues(program, poisson, cells_of):
    """Gamma* for all widths."""
    values = []
    for widths, cells in cells_of.items():
        settings = {
            "Mode": "eigenvalue",
            "Modes": 1,
            "Poisson's ratio": poisson,
            "Thickness ratio": THICKNESS,
            "Widths": ", ".join(widths),
            "Cells along": cells[0],
            "Cells across": cells[1],
            "Grading along": GRADING[0],
            "Grading across": GRADING[1],
        }
        with tempfile.TemporaryDirectory() as directory:
            words = [program, str(ROOT / "prm" / "lateral_buckling_eigenvalue.prm")]
            words += ["--output", os.path.join(directory, "run"), "--set", "Koiter shell/Degree=4"]
            for name, value in settings.items():
                words += ["--set", f"Lateral buckling/{name}={value}"]
            environment = {**os.environ, "OMP_NUM_THREADS": "1"}
            subprocess.run(words, env=environment, check=True, capture_output=True)
            lines = Path(directory, "run", "frontier.csv").read_text().splitlines()
        rows = [line for line in lines if not line.startswith("#")][1:]
        values += [float(row.split(",")[1]) for row in rows]
        print(f"nu = {poisson}, {cells[0]} x {cells[1]} cells: {values[-len(rows):]}", flush=True)
    return values


def read_table():
    rows = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    return [[float(cell) for cell in row.split(",")] for row in rows[1:]]


def largest_difference(a, b):
    return max(abs(x / y - 1) for x, y in zip(a, b))


def write(program):
    columns, errors = [], []
    for poisson in POISSON:
        columns.append(eigenvalues(program, poisson, FINE))
        errors.append(largest_difference(eigenvalues(program, poisson, COARSE), columns[-1]))
    fine = " and ".join(f"{a} x {b}" for a, b in FINE.values())
    coarse = " and ".join(f"{a} x {b}" for a, b in COARSE.values())
    with TABLE.open("w") as out:
        out.write(
            "# Master curve of the Lateral Buckling protocol: the weight at which a thin plate on its\n"
            "# edge, clamped at one short side, gives way to the side. Gamma* = rho h g L^3/D over the\n"
            "# width [L], for four Poisson's ratios (Romero et al. 2021, ACM Trans. Graph. 40(4) 66,\n"
            "# section 4.4).\n"
            "# Linear buckling analysis: elements of degree 4, C0 interior penalty, h/L = "
            f"{THICKNESS},\n"
            f"# {fine} cells (w/L below 0.2, and above), graded by {GRADING[0]} along and "
            f"{GRADING[1]} across.\n"
            f"# Largest relative difference to {coarse} cells: "
            + ", ".join(f"{error:.1e}" for error in errors)
            + ".\n# Regenerate: reference/lateral_buckling.py    Verify: reference/lateral_buckling.py --check\n"
        )
        out.write("width, " + ", ".join(f"gamma_nu_{poisson}" for poisson in POISSON) + "\n")
        for i, width in enumerate(NARROW + WIDE):
            out.write(f"{width}, " + ", ".join(f"{column[i]:.7g}" for column in columns) + "\n")


def check(program):
    """The file against coarse meshes, and against the limit of a narrow strip."""
    table = read_table()
    failed = False
    for k, poisson in enumerate(POISSON):
        column = [row[k + 1] for row in table]
        difference = largest_difference(eigenvalues(program, poisson, COARSE), column)
        limit = extrapolated([row[0] for row in table[:4]], column[:4])
        nu = float(poisson)
        michell = MICHELL * (1 - nu) * (1 + nu) ** 0.5
        off = abs(limit / michell - 1)
        print(f"nu = {poisson}: coarse mesh {difference:.1e}, narrow strip {off:.1e} off")
        failed = failed or difference > 1e-4 or off > 5e-4
    return 1 if failed else 0


def extrapolated(x, y):
    """To x = 0, by the polynomial through all points."""
    total = 0
    for i, (a, value) in enumerate(zip(x, y)):
        for j, b in enumerate(x):
            value *= b / (b - a) if j != i else 1
        total += value
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the file")
    parser.add_argument("--program", default=str(ROOT / "build" / "slender_fem"))
    arguments = parser.parse_args()
    if arguments.check:
        return check(arguments.program)
    write(arguments.program)
    return 0


if __name__ == "__main__":
    sys.exit(main())
