# SPDX-License-Identifier: LGPL-2.1-or-later
"""Dimensions of columns. Units are the user's, so that an axis says [length], not [m].
Columns of protocols are dimensionless and not asked for here."""

import re

from . import style

DIMENSIONS = (
    (r".*energy|work|balance|.*_energy_error", "force length"),
    (r"gravity", "length/time²"),
    (r"frequency.*", "1/time"),
    (r"time", "time"),
    (r".*pressure.*", "force/length²"),
    (r".*moment(_[xyz])?", "force length"),
    (r".*force(_[xyz])?", "force"),
    (r"largest_curvature|natural_.*", "1/length"),
    (r".*rotation|.*angle|total_twist", "rad"),
    (r".*displacement(_[xyz])?|.*distance|.*gap|shortening|thickness|amplitude", "length"),
    (r"(?!momentum).*_[xyz]", "length"),
)


def dimension(name):
    """Of a column; empty where it has none."""
    return next((words for pattern, words in DIMENSIONS if re.fullmatch(pattern, name)), "")


def axis(name):
    """The label of an axis: the column, and its dimension where it has one."""
    return style.label(name) + (f" [{dimension(name)}]" if dimension(name) else "")
