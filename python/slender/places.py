# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where things are: in the source tree, or where `cmake --install` has put them."""

import importlib
import os
import shutil
import sys
from pathlib import Path

from .errors import NoProgram

HERE = Path(__file__).resolve()
PROGRAM = "slender_fem"


def find_scripts():
    """The folder of the scripts that make reports, whose readers we share."""
    for folder in HERE.parents:
        for place in (folder / "scripts", folder / "share" / PROGRAM / "scripts"):
            if (place / "report_lib" / "vtk_files.py").is_file():
                return place
    raise NoProgram(f"{HERE.parent}: the scripts of {PROGRAM} are neither above it nor beside it")


def report_module(name):
    """A module of report_lib, as a part of this package: no other name is taken."""
    package = sys.modules[__package__]
    scripts = str(find_scripts())
    if scripts not in package.__path__:
        package.__path__.append(scripts)
    return importlib.import_module(f"{__package__}.report_lib.{name}")


def candidates():
    """Where the program may be: what the user says, what belongs to this module, and
    what the shell would find."""
    if named := os.environ.get("SLENDER_FEM"):
        yield Path(named)
        return
    for folder in HERE.parents:
        yield folder / "build" / PROGRAM
        yield folder / "bin" / PROGRAM
    if found := shutil.which(PROGRAM):
        yield Path(found)


def find_program():
    """The path of slender_fem: the environment's SLENDER_FEM if it is set, else the one
    of the same installation or source tree, else the first of PATH."""
    for path in candidates():
        if path.is_file() and os.access(path, os.X_OK):
            return str(path.absolute())
    named = os.environ.get("SLENDER_FEM")
    raise NoProgram(
        f"SLENDER_FEM names '{named}', which is no program"
        if named
        else f"{PROGRAM} was not found; build it with scripts/run, or set SLENDER_FEM to its path"
    )
