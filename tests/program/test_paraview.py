# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the documentation says about ParaView, done with VTK itself."""

import sys
import textwrap

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from support import ROOT, ProgramTest, main, read_parameters

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))

from report_lib.series import Series  # noqa: E402

SCRIPT = ROOT / "scripts" / "paraview_section.py"


def measured(surface):
    """Area and volume of a surface."""
    triangles = vtk.vtkTriangleFilter()
    triangles.SetInputData(surface)
    triangles.Update()
    mass = vtk.vtkMassProperties()
    mass.SetInputData(triangles.GetOutput())
    return mass.GetSurfaceArea(), mass.GetVolume()


class Filter:
    """As much of ParaView's Programmable Filter as a script sees."""

    def __init__(self, line):
        self.line, self.surface = line, vtk.vtkPolyData()

    def GetInputDataObject(self, _, __):
        return self.line

    def GetOutputDataObject(self, _):
        return self.surface


class Strip(ProgramTest):
    """prm/rod_equilibrium.prm at full load, bent and twisted."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run = cls.study("rod_equilibrium.prm")
        parameters = read_parameters(run.directory / "used.prm")
        cls.length, cls.width, cls.thickness = (
            float(parameters[f"Rod/{name}"]) for name in ("Length", "Width", "Thickness")
        )
        pvd = run.directory / "fields" / "shapes.pvd"
        series = Series(str(pvd), pvd.read_text(), run.results)
        reader = vtk.vtkXMLGenericDataObjectReader()
        reader.SetFileName(series.entries[-1][1])
        reader.Update()
        cls.line = reader.GetOutput()

    def test_a_ribbon_has_the_area_of_the_strip(self):
        line = vtk.vtkPolyData()
        line.ShallowCopy(self.line)
        line.GetPointData().SetActiveNormals("director_2")
        ribbon = vtk.vtkRibbonFilter()
        ribbon.SetInputData(line)
        ribbon.SetWidth(self.width / 2)
        ribbon.Update()
        area, _ = measured(ribbon.GetOutput())
        # Chords instead of arcs: second order in the distance of the points.
        self.assertAlmostEqual(area / (self.length * self.width), 1, delta=1e-3)

    def test_a_tube_has_the_volume_of_the_strip(self):
        """The radius is that of a circle of the same area."""
        line = vtk.vtkPolyData()
        line.ShallowCopy(self.line)
        line.GetPointData().SetActiveScalars("radius")
        tube = vtk.vtkTubeFilter()
        tube.SetInputData(line)
        tube.SetVaryRadiusToVaryRadiusByAbsoluteScalar()
        tube.SetNumberOfSides(48)
        tube.CappingOn()
        tube.Update()
        _, volume = measured(tube.GetOutput())
        # A polygon of 48 sides has 0.3 % less area than its circle.
        exact = self.length * self.width * self.thickness
        self.assertAlmostEqual(volume / exact, 1, delta=4e-3)

    def check_section(self, surface):
        area, volume = measured(surface)
        w, t = self.width, self.thickness
        self.assertAlmostEqual(volume / (self.length * w * t), 1, delta=1e-3)
        self.assertAlmostEqual(area / (2 * (w + t) * self.length + 2 * w * t), 1, delta=1e-2)
        edges = vtk.vtkFeatureEdges()
        edges.SetInputData(surface)
        edges.FeatureEdgesOff()
        edges.ManifoldEdgesOff()
        edges.Update()
        self.assertEqual(edges.GetOutput().GetNumberOfCells(), 0, "the surface is not closed")
        energy = vtk_to_numpy(surface.GetPointData().GetArray("energy_density"))
        self.assertTrue(np.isfinite(energy).all())

    def test_the_script_gives_the_strip_its_section(self):
        text = SCRIPT.read_text(encoding="utf-8")
        # As a module, and as the body of a function: versions of ParaView differ.
        as_function = f"def request(self):\n{textwrap.indent(text, '  ')}\nrequest(it)\n"
        for script, name in ((text, "self"), (as_function, "it")):
            one = Filter(self.line)
            exec(compile(script, str(SCRIPT), "exec"), {name: one})  # pylint: disable=exec-used
            self.check_section(one.surface)


if __name__ == "__main__":
    main()
