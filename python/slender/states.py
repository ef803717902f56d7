# SPDX-License-Identifier: LGPL-2.1-or-later
"""States of a run, states/label_N.h5: what another run can start from."""

import re
from pathlib import Path
from urllib.parse import unquote

from .errors import Error, NoProgram

GROUPS = ("words", "numbers", "names", "arrays")


def labels_in(directory):
    """The labels of which a run has states."""
    names = (path.name for path in Path(directory).glob("states/label_*.h5"))
    found = (re.fullmatch(r"label_(\d+)\.h5", name) for name in names)
    return sorted(int(match[1]) for match in found if match)


class State:
    """Of a file of HDF5: words (texts by name), numbers (arrays by name), names (what
    each of these numbers is, where that is known) and arrays. `parameters` are those of
    the body by name, `unknowns` are as the program orders them."""

    def __init__(self, path):
        try:
            import h5py
        except ImportError:
            raise NoProgram("states are HDF5 files: they need h5py (package python3-h5py)") from None
        self.path = Path(path)
        try:
            with h5py.File(self.path, "r") as file:
                read = {group: dict(items(file.get(group))) for group in GROUPS}
        except OSError as problem:
            raise Error(f"{self.path}: cannot be read ({problem})") from None
        self.words = {name: as_text(value) for name, value in read["words"].items()}
        self.names = {name: [as_text(one) for one in value] for name, value in read["names"].items()}
        self.numbers, self.arrays = read["numbers"], read["arrays"]

    @property
    def parameters(self):
        names = self.names.get("body/parameters", [])
        return dict(zip(names, self.numbers.get("body/parameters", []).tolist()))

    @property
    def unknowns(self):
        return self.arrays["body/unknowns"]

    def __repr__(self):
        return f"<state of {', '.join([*self.numbers, *self.arrays])}>"


def items(group):
    """Names of HDF5 have no slashes; the program writes them as the web does."""
    for name in group or ():
        yield unquote(name), group[name][()]


def as_text(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
