# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rods whose first instability is known, as settings of the study `branch`.

All lengths are in units of the rod's length, all stiffnesses in units of its
smaller bending stiffness EI. A case names the parameter that grows, its exact
critical value, and the study's settings.
"""

import math

# Bending about director 1 = y is soft: a vertical column moves along x.
COLUMN = {
    "Rod/Section": "stiffnesses",
    "Rod/Bending stiffness 1": "1",
    "Rod/Bending stiffness 2": "100",
    "Rod/Twisting stiffness": "1",
    "Rod/Tangent": "0, 0, 1",
    "Rod/Director 1": "0, 1, 0",
    "Loads/End force direction": "0, 0, -1",
    "Loads/Gravity direction": "0, 0, -1",
    "Start/Hold": "clamped",
}

# An end that may move along the column's axis.
GUIDED_PIN = {
    "End/Hold": "custom",
    "End/Fixed directions": "x, y",
    "End/Rotation": "about y",
}
GUIDED_CLAMP = {**GUIDED_PIN, "End/Rotation": "fixed"}
PINNED_START = {
    "Start/Hold": "custom",
    "Start/Fixed directions": "x, y, z",
    "Start/Rotation": "about y",
}


class Case:
    def __init__(self, name, source, parameter, critical, settings, maximum=1.3):
        self.name = name
        self.source = source
        self.parameter = parameter
        self.critical = critical
        self.settings = {
            "Study": "branch",
            "Branch/Parameter": parameter,
            "Branch/Minimum": "0",
            "Branch/Maximum": repr(maximum * critical),
            "Branch/Stop at": "bifurcation",
            "Continuation/First step": "0.05",
            "Continuation/Largest step": "0.1",
            **settings,
        }


# The ratio of the stiff to the soft bending stiffness in Michell's and
# Prandtl's limit.
STIFF = 1e7

CASES = {
    "euler clamped-free": Case(
        "Euler, clamped-free", "pi^2/4", "end force", math.pi**2 / 4, COLUMN
    ),
    "euler pinned-pinned": Case(
        "Euler, pinned-pinned",
        "pi^2",
        "end force",
        math.pi**2,
        {**COLUMN, **PINNED_START, **GUIDED_PIN},
    ),
    "euler clamped-pinned": Case(
        "Euler, clamped-pinned",
        "x = tan x, x^2",
        "end force",
        4.493409457909064**2,
        {**COLUMN, **GUIDED_PIN},
    ),
    "euler clamped-clamped": Case(
        "Euler, clamped-clamped",
        "4 pi^2",
        "end force",
        4 * math.pi**2,
        {**COLUMN, **GUIDED_CLAMP},
    ),
    # 9/4 of the square of the first zero of the Bessel function J(-1/3).
    "greenhill": Case(
        "Greenhill, own weight",
        "J(-1/3)",
        "gravity",
        2.25 * 1.866350858873895**2,
        COLUMN,
    ),
    # 12.85376 is of seven digits. It stands for the limit of a stiff axis.
    "michell-prandtl": Case(
        "Michell-Prandtl, own weight",
        "12.85376",
        "gravity",
        12.85376,
        {
            **COLUMN,
            "Rod/Tangent": "1, 0, 0",
            "Rod/Bending stiffness 1": repr(STIFF),
            "Rod/Bending stiffness 2": "1",
        },
    ),
    # A straight rod is bent into a ring, twisted, and its ends are joined. Of
    # the ring, a quarter: the mode is symmetric with respect to half turns about
    # the two radii at its ends, along which these may move and about which they
    # may turn. As the section is round, a natural twist acts like a turn of one
    # of the ends that were joined; the whole ring is four times as long. EI = GJ.
    "zajac": Case(
        "Zajac, twisted ring",
        "2 pi sqrt 3",
        "natural twist",
        2 * math.pi * math.sqrt(3) / 4,
        {
            **COLUMN,
            "Rod/Bending stiffness 2": "1",
            "Rod/Tangent": "0, 0, 1",
            "Rod/Director 1": "0, -1, 0",
            "Rod/Initial shape": "bent",
            "Rod/Initial strain": f"0, {math.pi / 2!r}, 0",
            "Start/Position": f"{2 / math.pi!r}, 0, 0",
            "Start/Hold": "custom",
            "Start/Fixed directions": "y, z",
            "Start/Rotation": "about x",
            "End/Hold": "custom",
            "End/Fixed directions": "x, y",
            "End/Rotation": "about z",
        },
    ),
}

MESHES = {
    "kirchhoff rod": ("Kirchhoff rod/Elements", {"Kirchhoff rod/Degree": "4"}),
    "discrete elastic rod": ("Discrete elastic rod/Segments", {}),
}


def settings_of(case, model, pieces, constraint="1e8"):
    """All settings of a case with a model and a number of elements."""
    name, others = MESHES[model]
    section = name.split("/")[0]
    return {
        **case.settings,
        **others,
        "Model": model,
        name: str(pieces),
        f"{section}/Constraint stiffness": constraint,
    }


def first_bifurcation(table, parameter):
    """The parameter at the first BP of a results table (rows of words)."""
    column = parameter.replace(" ", "_")
    for row in table:
        if row["kind"] == "BP":
            return float(row[column])
    return math.nan
