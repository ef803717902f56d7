# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the shapes of a page are coloured by."""

from collections import namedtuple

import matplotlib
import numpy as np

from . import style

# In the order of what one wants to see first.
SHOWN = (
    "curvature",
    "bending_energy",
    "moisture_top",
    "natural_stretch",
    "twist",
    "curvature_1",
    "curvature_2",
    "membrane_energy",
    "stretch",
    "contact_force",
    "energy_density",
)
MOST = 4
NOISE = 1e-6  # of what counts: values below are round-off
HIGHEST = 97  # percentile of the values that gets the last colour
PALETTE = 9  # colours

# Of a colouring: the name of the field, words for the reader, the values that get the first
# and the last colour, whether some lie beyond, and the colours.
Colouring = namedtuple("Colouring", "name label low high is_cut palette")


def values_of(picture, name):
    """Of a field at the points; None where there is none."""
    fields = picture.fields
    if name == "curvature":  # of a rod: about both directors
        if not picture.rods() or "curvature_1" not in fields or "curvature_2" not in fields:
            return None
        return np.hypot(fields["curvature_1"], fields["curvature_2"])
    if name in ("curvature_1", "curvature_2") and picture.rods():
        return None
    values = fields.get(name)
    if values is not None and np.ndim(values) > 1:
        values = np.linalg.norm(values, axis=1)
    return values


def colourings(pictures, size):
    """Those fields that all the pictures have and that are more than round-off."""
    found = []
    for name in SHOWN:
        values = [values_of(picture, name) for picture in pictures]
        if len(found) == MOST or not values or any(v is None or len(v) == 0 for v in values):
            continue
        values = np.concatenate(values)
        values = values[np.isfinite(values)]
        if len(values) == 0 or np.abs(values).max() * unit(name, pictures, size) <= NOISE:
            continue
        if name == "energy_density" and not found:
            continue  # no strain is more than round-off
        low, high = np.percentile(values, [100 - HIGHEST, HIGHEST])
        if values.min() >= 0 and low < 0.5 * high:
            low = 0.0
        if high - low <= NOISE * max(abs(low), abs(high)):
            continue
        is_signed = low < 0 < high
        if is_signed:
            low, high = -max(-low, high), max(-low, high)
        is_cut = bool(values.min() < low or values.max() > high)
        found.append(Colouring(name, style.plain(name), low, high, is_cut, palette(is_signed)))
    return found


def unit(name, pictures, size):
    """What makes a value comparable with one."""
    if name.startswith("curvature") or name == "twist":
        return size
    if "energy" in name:
        names = ("bending_energy", "membrane_energy", "energy_density")
        both = [p.fields[n] for p in pictures for n in names if n in p.fields]
        largest = max((np.abs(v).max() for v in both if len(v)), default=0)
        return 1 / largest if largest > 0 else 0
    return 1


def palette(is_signed):
    # The dark end of viridis cannot be seen on a dark screen.
    colours = matplotlib.colormaps["coolwarm" if is_signed else "viridis"]
    parts = np.linspace(0 if is_signed else 0.2, 1, PALETTE)
    return [matplotlib.colors.to_hex(colour) for colour in colours(parts)]


def to_bytes(values, colouring):
    """As parts of 255 between the first and the last colour."""
    part = (values - colouring.low) / (colouring.high - colouring.low)
    return np.round(255 * np.clip(np.nan_to_num(part), 0, 1)).astype(np.uint8)
