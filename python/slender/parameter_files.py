# SPDX-License-Identifier: LGPL-2.1-or-later
"""Parameter files from dictionaries."""

import numbers
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .errors import InputError


def value_text(value, path):
    """A value as a parameter file writes it, with all its digits."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return ", ".join(value_text(item, path) for item in value)
    if not isinstance(value, (str, Path)):
        raise InputError(f"{path}: a {type(value).__name__} is no value of a parameter")
    text = str(value)
    # What stands behind '#' would be a remark; a backslash would join two lines.
    if "\n" in text or "#" in text or text.rstrip().endswith("\\"):
        raise InputError(f"{path}: '{text}' cannot stand in a parameter file")
    return text


def flatten(settings, prefix=""):
    """Values by "Section/Name", as text. Sections may be dictionaries or stand in
    the names, or both."""
    found = {}
    for name, value in (settings or {}).items():
        path = f"{prefix}{name}"
        if isinstance(value, Mapping):
            inner = flatten(value, f"{path}/")
        else:
            inner = {path: value_text(value, path)}
        if twice := found.keys() & inner.keys():
            raise InputError(f"{min(twice)}: was given twice")
        found.update(inner)
    return found


def nested(flat):
    """Parameters and sections of a section, in the order in which they came."""
    tree = {}
    for path, value in flat.items():
        *sections, name = path.split("/")
        place = tree
        for section in sections:
            place = place.setdefault(section, {})
        place[name] = value
    return tree


def lines_of(tree, indent=""):
    for name, value in tree.items():
        if not isinstance(value, dict):
            yield f"{indent}set {name} = {value}"
    for name, value in tree.items():
        if isinstance(value, dict):
            yield f"{indent}subsection {name}"
            yield from lines_of(value, indent + "  ")
            yield f"{indent}end"


def parameter_text(study, model=None, settings=None):
    """The text of a parameter file. Only the study 'validation' needs no model."""
    general = {"Study": study, **({"Model": model} if model else {})}
    for name in general:
        if name in (settings or {}):
            raise InputError(f"{name}: was given twice")
    flat = flatten({**general, **(settings or {})})
    return "\n".join([*lines_of(nested(flat)), ""])


def write_prm(path, study, model=None, settings=None):
    """Writes a parameter file and returns its path."""
    text = parameter_text(study, model, settings)
    Path(path).write_text(text, encoding="utf-8")
    return str(path)
