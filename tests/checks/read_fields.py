#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads a series of fields (.pvd) with VTK itself, as ParaView would.

    read_fields.py FILE.pvd [--cell-type poly_line] [--arrays radius,tangent]

Checks that every file of the series opens without a complaint and holds what a
drawing of a body must hold. Prints one line and exits with 0, or says in one
line what is wrong and exits with 1.
"""

import argparse
import math
import os
import re
import sys
import xml.etree.ElementTree

try:
    import numpy
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    # VTK's module belongs to the system's Python; another one may come first
    # in the path.
    system_python = "/usr/bin/python3"
    if sys.executable == system_python or not os.path.exists(system_python):
        sys.exit("read_fields: Python cannot import numpy and vtk (Debian: python3-vtk9)")
    os.execv(system_python, [system_python] + sys.argv)

CELL_TYPES = {"poly_line": 4, "triangle": 5, "quad": 9, "lagrange_quad": 70}
FRAME = ("tangent", "director_1", "director_2")
FRAME_TOLERANCE = 1e-6  # of frames that a body keeps orthonormal by itself


class Defect(Exception):
    """A sentence that says what is wrong with a file."""


def require(condition, message):
    if not condition:
        raise Defect(message)


def read_series(path):
    """The (time, file) pairs of a .pvd file; files are relative to it."""
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except OSError as error:
        raise Defect(error.strerror.lower()) from error
    except xml.etree.ElementTree.ParseError as error:
        raise Defect(f"not well-formed XML: {error}") from error
    require(root.tag == "VTKFile" and root.get("type") == "Collection",
            "not a VTK collection")

    series = []
    for data_set in root.findall("Collection/DataSet"):
        time, file = data_set.get("timestep"), data_set.get("file")
        require(time is not None and file, "a DataSet without timestep or file")
        try:
            series.append((float(time), file))
        except ValueError as error:
            raise Defect(f"timestep '{time}' is not a number") from error
    require(series, "names no files")

    times = [time for time, _ in series]
    require(all(math.isfinite(time) for time in times), "a time is not finite")
    for before, after in zip(times, times[1:]):
        require(before < after, f"time {after} follows {before}")
    return series


def read_grid(path):
    require(os.path.isfile(path), "no such file")
    complaints = []

    def note(_, event, text=""):
        # Without the place in VTK's sources.
        sentence = re.sub(r"^.*?\(0x[0-9a-f]+\): ", "", text, flags=re.DOTALL)
        complaints.append(" ".join(sentence.split()) or event)

    note.CallDataType = vtk.VTK_STRING
    # Poly data and grids, whole or in pieces: the file says which.
    reader = vtk.vtkXMLGenericDataObjectReader()
    # The reader's parts complain to VTK's window, not to the reader's observer.
    window = vtk.vtkStringOutputWindow()
    vtk.vtkOutputWindow.SetInstance(window)
    vtk.vtkLogger.SetStderrVerbosity(vtk.vtkLogger.VERBOSITY_OFF)
    for source in (reader, window):
        for event in ("ErrorEvent", "WarningEvent"):
            source.AddObserver(event, note)
    reader.SetFileName(path)
    reader.Update()
    require(not complaints, f"VTK says: {complaints[0] if complaints else ''}")
    grid = reader.GetOutput()
    require(grid is not None and grid.IsA("vtkPointSet"), "holds no points")
    return grid


def arrays_of(attributes):
    """The arrays of point, cell or field data, by name; not those of words."""
    return {attributes.GetArrayName(i): vtk_to_numpy(attributes.GetArray(i))
            for i in range(attributes.GetNumberOfArrays())
            if attributes.GetArray(i)}


def check_cells(grid, cell_type):
    cells = ([grid.GetLines(), grid.GetPolys()] if grid.IsA("vtkPolyData")
             else [grid.GetCells()])
    connectivity = numpy.concatenate(
        [vtk_to_numpy(some.GetConnectivityArray()) for some in cells])
    require(connectivity.size > 0
            and connectivity.min() >= 0
            and connectivity.max() < grid.GetNumberOfPoints(),
            "a cell refers to a point that does not exist")
    if cell_type:
        found = {grid.GetCellType(i) for i in range(grid.GetNumberOfCells())}
        require(found == {CELL_TYPES[cell_type]},
                f"cells are of VTK's types {sorted(found)}, "
                f"not {cell_type} ({CELL_TYPES[cell_type]})")


def check_frames(arrays):
    if not all(name in arrays for name in FRAME):
        return
    for name in FRAME:
        require(arrays[name].ndim == 2 and arrays[name].shape[1] == 3,
                f"'{name}' is not a vector")
    frames = numpy.stack([arrays[name] for name in FRAME], axis=1)
    products = numpy.einsum("nik,njk->nij", frames, frames)
    defect = numpy.abs(products - numpy.eye(3)).max()
    require(defect <= FRAME_TOLERANCE,
            f"frames are orthonormal to {defect:.1e} only")


def check_grid(grid, cell_type, expected_arrays):
    n_points, n_cells = grid.GetNumberOfPoints(), grid.GetNumberOfCells()
    require(n_points > 0, "has no points")
    require(n_cells > 0, "has no cells")
    require(numpy.isfinite(vtk_to_numpy(grid.GetPoints().GetData())).all(),
            "a point is not finite")
    check_cells(grid, cell_type)

    point_arrays = arrays_of(grid.GetPointData())
    cell_arrays = arrays_of(grid.GetCellData())
    for arrays, n_tuples in ((point_arrays, n_points), (cell_arrays, n_cells),
                             (arrays_of(grid.GetFieldData()), None)):
        for name, values in arrays.items():
            require(n_tuples is None or len(values) == n_tuples,
                    f"array '{name}' has {len(values)} tuples, not {n_tuples}")
            require(numpy.isfinite(values).all(),
                    f"a value of array '{name}' is not finite")
    for name in expected_arrays:
        require(name in point_arrays or name in cell_arrays,
                f"array '{name}' is missing")
    check_frames(point_arrays)
    check_frames(cell_arrays)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pvd", help="the series to read")
    parser.add_argument("--cell-type", choices=sorted(CELL_TYPES),
                        help="the type that all cells must have")
    parser.add_argument("--arrays", default="", metavar="NAME,NAME",
                        help="arrays that every file must hold")
    options = parser.parse_args()
    expected_arrays = [name for name in options.arrays.split(",") if name]

    n_points = 0
    place = options.pvd
    try:
        series = read_series(options.pvd)
        for _, file in series:
            place = os.path.join(os.path.dirname(options.pvd), file)
            grid = read_grid(place)
            check_grid(grid, options.cell_type, expected_arrays)
            n_points += grid.GetNumberOfPoints()
    except Defect as defect:
        sys.exit(f"read_fields: {place}: {defect}")
    print(f"{len(series)} files, {n_points} points: fields are readable")


if __name__ == "__main__":
    main()
