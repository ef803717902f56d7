# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which measurements tell most about branches."""

import numpy as np

from .vtk_files import read_picture

# What a label says about itself: how sure it is, and how the branch that crosses begins.
OF_LABELS = (
    "undecided",
    "critical_eigenvalues",
    "eigenvalue_left",
    "uncertainty",
    "koiter_a",
    "koiter_b",
    "formula",
)
OF_FRONTIERS = ("slack", "second_eigenvalue", "second_distance", "unstable", "which")
NOT_MEASURED = (
    *("branch", "label", "arc_length", "stability_index", "iterations"),
    *OF_FRONTIERS,
    *OF_LABELS,
)
NO_PLACES = ("force", "moment", "momentum", "velocity")  # vectors of another kind
WITHOUT_UNIT = ("total_twist", "largest_stretch")
NOISE = 1e-6  # of the body's size, of the vector's length or of the largest energy
BOOKKEEPING = ("step", "step_length", "iterations", "newton_iterations", "seconds")
BINS = 40  # of the parameter, in which branches are told apart


def family(name):
    """Components of one vector share their scale."""
    return name[:-2] if name[-2:] in ("_x", "_y", "_z") else name


def is_place(name):
    """Whether it is where a named point is, or by how much it has moved."""
    words = family(name).split("_")
    return family(name) != name and words[-1] not in NO_PLACES


def telling(table, across, size=None, count=3):
    """The measurements that tell branches apart best. Places and displacements of
    named points come first; then those whose values differ most, relative to
    their scale, at the same parameter. A component's scale is that of its
    vector, a place's at least the body's size, so that round-off is never
    shown. Left out are those that follow from the parameter or from one that
    was taken already."""
    candidates = [
        name
        for name in table.numeric()
        if name not in (*NOT_MEASURED, across) and not name.startswith("eigenvalue_")
    ]
    largest = {}
    for name in candidates:
        value = np.nanmax(np.abs(table[name]), initial=0.0)
        largest[family(name)] = max(value, largest.get(family(name), 0.0))
    found = {}
    for name in candidates:
        scale = largest[family(name)]
        if size and is_place(name):
            scale = max(scale, size)
        is_noise = name in WITHOUT_UNIT and scale < NOISE
        if scale > 0 and not is_noise and np.ptp(finite(table[name])) > NOISE * scale:
            found[name] = score(table[across], table[name]) / scale
    taken = []
    for name in sorted(found, key=lambda n: (*rank(n), -round(found[n], 3))):
        if len(taken) == count:
            break
        known = [across, *taken]
        if not any(follows(table[other], table[name]) for other in known):
            taken.append(name)
    return sorted(taken, key=lambda name: (*rank(name), table.names.index(name)))


def rank(name):
    """Named points come first, energies last."""
    return not is_place(name), "energy" in name


def shown(table, across, size=None, skip=()):
    """Columns that are worth a plot of their own, named points first, energies last:
    no constants, no round-off, no displacement of a point whose place is shown, and
    nothing of how the numbers were found."""
    scales = {}
    for name in table.numeric():
        value = np.nanmax(np.abs(table[name]), initial=0.0)
        kind = "energy" if "energy" in name else family(name)
        scales[kind] = max(value, scales.get(kind, size if size and is_place(name) else 0.0))
    found = []
    for name in table.numeric():
        if name in (*BOOKKEEPING, across, *skip):
            continue
        moved = name.replace("_displacement", "")
        if moved != name and moved in table:
            continue
        scale = scales["energy" if "energy" in name else family(name)]
        values = finite(table[name])
        if len(values) and np.ptp(values) > NOISE * scale:
            found.append(name)
    return sorted(found, key=rank)


def size_of(run):
    """Of the body at the first shape that was drawn; None if there is none."""
    for _, file in run.shape_series.entries[:1]:
        points = read_picture(file).points
        return float(np.ptp(points, axis=0).max()) if len(points) else None
    return None


def finite(values):
    return values[np.isfinite(values)]


def score(x, y):
    """How far apart values are where the parameter is the same, and a little for how
    far they go at all."""
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) == 0 or np.ptp(x) == 0:
        return float(np.ptp(y)) if len(y) else 0.0
    bins = np.minimum(((x - x.min()) / np.ptp(x) * BINS).astype(int), BINS - 1)
    apart = [np.ptp(y[bins == k]) for k in np.unique(bins)]
    return float(np.mean(apart) + 0.2 * np.ptp(y))


def follows(x, y):
    """Whether y is a linear function of x, to the eye."""
    both = np.isfinite(x) & np.isfinite(y)
    if np.count_nonzero(both) < 3 or np.ptp(x[both]) == 0:
        return False
    line = np.polyfit(x[both], y[both], 1)
    return np.abs(np.polyval(line, x[both]) - y[both]).max() < 1e-3 * np.ptp(y[both])
