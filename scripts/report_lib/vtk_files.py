# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads VTK's XML files, as far as our program writes them: lines and surfaces
(.vtp), grids (.vtu), and either in pieces (.pvtp, .pvtu).

Arrays are ascii or inline base64, the latter plain or in blocks compressed by
zlib. A small reader of our own keeps the report free of VTK.
"""

import base64
import binascii
import os
import re
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np

from .errors import ReportError

NUMPY_TYPES = {
    "Float32": "f4",
    "Float64": "f8",
    **{f"Int{8 * n}": f"i{n}" for n in (1, 2, 4, 8)},
    **{f"UInt{8 * n}": f"u{n}" for n in (1, 2, 4, 8)},
}

POLY_LINE, POLYGON, QUADRILATERAL = 4, 7, 9  # VTK's numbers of kinds of cells
LINES = (3, POLY_LINE)

UNREADABLE = (
    AttributeError,
    KeyError,
    ValueError,
    ElementTree.ParseError,
    binascii.Error,
    zlib.error,
)


class Picture:
    """Points, cells as arrays of point numbers, values at points (those of cells as
    means), and values and words of the whole."""

    def __init__(self, points, cells, cell_types, fields, global_values):
        self.points = points
        self.cells = cells
        self.cell_types = cell_types
        self.fields = fields
        self.global_values = global_values

    def rods(self):
        """The point numbers of each line."""
        return [c for c, kind in zip(self.cells, self.cell_types) if kind in LINES]

    def triangles(self):
        """The point numbers of each triangle of its surfaces; other faces are cut into
        triangles."""
        faces = [c for c, kind in zip(self.cells, self.cell_types) if kind not in LINES]
        cut = [(c[0], c[k], c[k + 1]) for c in faces for k in range(1, len(c) - 1)]
        return np.array(cut, dtype=int).reshape(-1, 3)

    def lines(self):
        """The point numbers of each line of the picture; of a surface, those of the
        outline of each of its patches, which share no points."""
        if lines := self.rods():
            return lines
        quads = [c for c, kind in zip(self.cells, self.cell_types) if kind == QUADRILATERAL]
        return outlines(np.array(quads)) if quads else []


def joined(pictures):
    """The pieces of a picture as one. Pieces without points may lack fields."""
    first = pictures[0]
    if len(pictures) == 1:
        return first
    begins = np.cumsum([0] + [len(picture.points) for picture in pictures])
    filled = [picture for picture in pictures if len(picture.points)] or pictures[:1]
    return Picture(
        np.concatenate([picture.points for picture in pictures]),
        [cell + begin for picture, begin in zip(pictures, begins) for cell in picture.cells],
        np.concatenate([picture.cell_types for picture in pictures]),
        {
            name: np.concatenate([picture.fields[name] for picture in filled])
            for name in filled[0].fields
            if all(name in picture.fields for picture in filled)
        },
        first.global_values,
    )


def outlines(quads):
    """The closed lines that bound patches of quadrilaterals: edges that belong to
    one of them only, one after the other."""
    edges = np.concatenate([np.roll(quads, -k, axis=1)[:, :2] for k in range(4)])
    _, number, count = np.unique(
        np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    follower = dict(edges[count[number] == 1].tolist())
    found = []
    while follower:
        first, point = follower.popitem()
        line = [first, point]
        while point in follower:
            point = follower.pop(point)
            line.append(point)
        found.append(np.array(line))
    return found


def at_points(cells, values, count):
    """The mean of the values of the cells around each point."""
    numbers = np.concatenate(cells)
    repeated = np.repeat(values, [len(cell) for cell in cells])
    total = np.bincount(numbers, repeated, count)
    return total / np.maximum(np.bincount(numbers, minlength=count), 1)


def decode_base64(text):
    """Bytes of one or more base64 texts in a row, each with its own padding."""
    pieces = re.findall(r"[^=]+={0,2}", "".join(text.split()))
    return b"".join(base64.b64decode(piece, validate=True) for piece in pieces)


def decode_binary(text, header_type, compressed):
    data = decode_base64(text)
    word = header_type.itemsize
    if not compressed:
        size = int(np.frombuffer(data, header_type, 1)[0])
        return data[word : word + size]
    blocks = int(np.frombuffer(data, header_type, 1)[0])
    sizes = np.frombuffer(data, header_type, blocks, 3 * word) if blocks else []
    position, pieces = (3 + blocks) * word, []
    for size in sizes:
        pieces.append(zlib.decompress(data[position : position + int(size)]))
        position += int(size)
    return b"".join(pieces)


class ArrayReader:
    """Decodes the arrays of one file."""

    def __init__(self, root):
        self.order = "<" if root.get("byte_order", "LittleEndian")[0] == "L" else ">"
        header = NUMPY_TYPES[root.get("header_type", "UInt32")]
        self.header_type = np.dtype(self.order + header)
        compressor = root.get("compressor")
        if compressor not in (None, "vtkZLibDataCompressor"):
            raise ValueError(f"compressor {compressor} is not supported")
        self.compressed = compressor is not None

    def values(self, element, kind):
        text, form = element.text or "", element.get("format", "ascii")
        if form == "ascii":
            return np.array(text.split(), dtype=kind)
        if form == "binary":
            return np.frombuffer(decode_binary(text, self.header_type, self.compressed), kind)
        raise ValueError(f"array format '{form}' is not supported")

    def __call__(self, element):
        if element.attrib["type"] == "String":
            # Bytes, each string with a zero behind it.
            return bytes(self.values(element, np.uint8)).split(b"\0")[0].decode("utf-8", "replace")
        values = self.values(element, np.dtype(self.order + NUMPY_TYPES[element.attrib["type"]]))
        components = int(element.get("NumberOfComponents", 1))
        return values.reshape(-1, components) if components > 1 else values

    def named(self, parent):
        elements = [] if parent is None else [e for e in parent if e.tag in ("DataArray", "Array")]
        return {element.get("Name", ""): self(element) for element in elements}

    def cells(self, arrays, types=None):
        """Point numbers of each cell, and the cells' types."""
        if not len(arrays.get("offsets", ())):
            return [], []
        found = np.split(arrays["connectivity"], arrays["offsets"])[:-1]
        return found, [types] * len(found) if isinstance(types, int) else list(arrays["types"])

    def piece(self, element, global_values):
        points = self(element.find("Points/DataArray")).reshape(-1, 3)
        if element.find("Cells") is not None:
            cells, types = self.cells(self.named(element.find("Cells")))
        else:
            cells, types = self.cells(self.named(element.find("Lines")), POLY_LINE)
            faces, _ = self.cells(self.named(element.find("Polys")), POLYGON)
            cells += faces
            types += [QUADRILATERAL if len(face) == 4 else POLYGON for face in faces]
        if any(np.any(cell >= len(points)) for cell in cells):
            raise ValueError("its cells name points that it does not have")
        fields = self.named(element.find("PointData"))
        for name, values in self.named(element.find("CellData")).items():
            if len(values) == len(cells) > 0 and values.ndim == 1:
                fields.setdefault(name, at_points(cells, values, len(points)))
        return Picture(points, cells, np.array(types, dtype=int), fields, global_values)


def read_picture(path):
    """The file at `path`, and the pieces that it names, as one Picture."""
    try:
        root = ElementTree.parse(path).getroot()
        read, data = ArrayReader(root), root[0]
        pieces = data.findall("Piece")
        if not pieces:
            raise ValueError("it has no piece")
        if data.tag in ("PUnstructuredGrid", "PPolyData"):
            names = [piece.attrib["Source"] for piece in pieces]
            if any(name.endswith((".pvtu", ".pvtp")) for name in names):
                raise ValueError("a piece of it is in pieces itself")
            return joined([read_picture(os.path.join(os.path.dirname(path), n)) for n in names])
        global_values = read.named(data.find("FieldData"))
        return joined([read.piece(piece, global_values) for piece in pieces])
    except OSError as problem:
        raise ReportError(f"{path}: {problem.strerror}") from None
    except (IndexError, *UNREADABLE) as problem:
        raise ReportError(f"{path}: cannot be read as a file of VTK ({problem})") from None
