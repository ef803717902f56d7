# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads VTK's XML unstructured grids (.vtu), as far as our program writes them.

Arrays are ascii or inline base64, the latter plain or in blocks compressed by
zlib. A small reader of our own keeps the report free of VTK.
"""

import base64
import binascii
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

LINE_CELLS = (3, 4)  # VTK_LINE, VTK_POLY_LINE
QUADRILATERAL = 9  # VTK_QUAD


class Picture:
    """Points, cells as arrays of point numbers, values at points, globals."""

    def __init__(self, points, cells, cell_types, fields, global_values):
        self.points = points
        self.cells = cells
        self.cell_types = cell_types
        self.fields = fields
        self.global_values = global_values

    def lines(self):
        """The point numbers of each line of the picture; of a surface, those of the
        outline of each of its patches, which share no points."""
        lines = [c for c, kind in zip(self.cells, self.cell_types) if kind in LINE_CELLS]
        if lines:
            return lines
        quads = [c for c, kind in zip(self.cells, self.cell_types) if kind == QUADRILATERAL]
        return outlines(np.array(quads)) if quads else []


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
    """Decodes the DataArray elements of one file."""

    def __init__(self, root):
        self.order = "<" if root.get("byte_order", "LittleEndian")[0] == "L" else ">"
        header = NUMPY_TYPES[root.get("header_type", "UInt32")]
        self.header_type = np.dtype(self.order + header)
        compressor = root.get("compressor")
        if compressor not in (None, "vtkZLibDataCompressor"):
            raise ValueError(f"compressor {compressor} is not supported")
        self.compressed = compressor is not None

    def __call__(self, element):
        kind = np.dtype(self.order + NUMPY_TYPES[element.attrib["type"]])
        text, form = element.text or "", element.get("format", "ascii")
        if form == "ascii":
            values = np.array(text.split(), dtype=kind)
        elif form == "binary":
            values = np.frombuffer(
                decode_binary(text, self.header_type, self.compressed), kind
            )
        else:
            raise ValueError(f"array format '{form}' is not supported")
        components = int(element.get("NumberOfComponents", 1))
        return values.reshape(-1, components) if components > 1 else values

    def named(self, parent):
        elements = [] if parent is None else parent.findall("DataArray")
        return {element.get("Name", ""): self(element) for element in elements}


def read_vtu(path):
    """The only piece of the file at `path` as a Picture."""
    try:
        root = ElementTree.parse(path).getroot()
        read = ArrayReader(root)
        grid = root.find("UnstructuredGrid")
        piece = grid.find("Piece")
        points = read(piece.find("Points/DataArray"))
        cells = read.named(piece.find("Cells"))
        if points.ndim != 2 or np.any(cells["connectivity"] >= len(points)):
            raise ValueError("its cells name points that it does not have")
        return Picture(
            points,
            np.split(cells["connectivity"], cells["offsets"])[:-1],
            cells["types"],
            read.named(piece.find("PointData")),
            read.named(grid.find("FieldData")),
        )
    except OSError as problem:
        raise ReportError(f"{path}: {problem.strerror}") from None
    except (
        AttributeError,
        KeyError,
        ValueError,
        ElementTree.ParseError,
        binascii.Error,
        zlib.error,
    ) as problem:
        raise ReportError(f"{path}: cannot be read as a .vtu file ({problem})") from None
