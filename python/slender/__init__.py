# SPDX-License-Identifier: LGPL-2.1-or-later
"""slender_fem from Python: write a parameter file, run it, read what it left.

    import slender

    run = slender.run("prm/cantilever.prm", {"Kirchhoff rod/Elements": 16})
    print(run.answer)
    gamma, aspect = run.results["gamma"], run.results["aspect_ratio"]

    run = slender.run(
        study="equilibrium",
        model="kirchhoff rod",
        settings={"Rod": {"Length": 0.3, "Young's modulus": 2e6}, "Loads/Gravity": 9.81},
    )
    points = run.shapes[-1].points  # of the last shape, one row per point

The module does nothing that the program does not: it needs numpy, and h5py where
states are read. The page doc/python.md tells more.
"""

from .errors import Error, Incomplete, InputError, Interrupted, JudgedKO, NoProgram
from .parameter_files import parameter_text, write_prm
from .places import find_program
from .program import describe, models, reference, run, studies, validate, version
from .runs import Run, Series, Shape, Table
from .states import State

__all__ = [
    "Error",
    "Incomplete",
    "InputError",
    "Interrupted",
    "JudgedKO",
    "NoProgram",
    "Run",
    "Series",
    "Shape",
    "State",
    "Table",
    "describe",
    "find_program",
    "models",
    "parameter_text",
    "reference",
    "run",
    "studies",
    "validate",
    "version",
    "write_prm",
]
