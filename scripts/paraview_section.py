# SPDX-License-Identifier: LGPL-2.1-or-later
"""Gives rods their rectangular section in ParaView.

Open a series of rods, choose Filters → Programmable Filter, set Output Data Set
Type to vtkPolyData, copy this file into Script, and press Apply. `director_1` is
the direction of the width, `director_2` that of the thickness.

The arrays `width` and `thickness` of the file are taken; where it has none, the
two numbers here, in the units of the file.
"""

import vtk

WIDTH, THICKNESS = 0.01, 0.0005

# Each corner in halves of the width and of the thickness, around the section.
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def with_section(rods, width=WIDTH, thickness=THICKNESS):
    """The closed surface around the lines of poly data, with their arrays."""
    data = rods.GetPointData()
    directors = [data.GetArray(name) for name in ("director_1", "director_2")]
    if None in directors:
        raise ValueError("the file has no arrays 'director_1' and 'director_2'")

    def half(name, usual, point):
        array = data.GetArray(name)
        return (array.GetTuple1(point) if array else usual) / 2

    points, faces, arrays = vtk.vtkPoints(), vtk.vtkCellArray(), vtk.vtkPointData()
    points.SetDataTypeToDouble()
    arrays.CopyAllocate(data, 4 * rods.GetNumberOfPoints())

    def add_corners(point):
        centre = rods.GetPoint(point)
        across, through = (director.GetTuple3(point) for director in directors)
        w, t = half("width", width, point), half("thickness", thickness, point)
        found = []
        for a, b in CORNERS:
            corner = [x + a * w * p + b * t * q for x, p, q in zip(centre, across, through)]
            found.append(points.InsertNextPoint(corner))
            arrays.CopyData(data, point, found[-1])
        return found

    def add_face(*corners):
        faces.InsertNextCell(4, corners)

    for k in range(rods.GetNumberOfCells()):
        line = rods.GetCell(k)
        rings = [add_corners(line.GetPointId(i)) for i in range(line.GetNumberOfPoints())]
        for one, next_one in zip(rings, rings[1:]):
            for i in range(4):
                j = (i + 1) % 4
                add_face(one[i], one[j], next_one[j], next_one[i])
        if rings:
            add_face(*reversed(rings[0]))
            add_face(*rings[-1])

    surface = vtk.vtkPolyData()
    surface.SetPoints(points)
    surface.SetPolys(faces)
    surface.GetPointData().ShallowCopy(arrays)
    return surface


# In ParaView, `self` is the filter; elsewhere it is not there.
try:
    self.GetOutputDataObject(0).ShallowCopy(with_section(self.GetInputDataObject(0, 0)))
except NameError:
    pass
