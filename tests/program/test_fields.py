# SPDX-License-Identifier: LGPL-2.1-or-later
"""What ParaView opens: read with VTK itself, and compared with the results."""

import sys

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from support import MODELS, PRM, ROOT, ProgramTest, main

ARRAYS = (
    "radius",
    "arc_length",
    "tangent",
    "director_1",
    "director_2",
    "twist",
    "curvature_1",
    "curvature_2",
    "stretch",
    "energy_density",
)
SHELL_ARRAYS = (
    "displacement",
    "normal",
    "membrane_force_1",
    "membrane_force_2",
    "moment_1",
    "moment_2",
    "curvature_1",
    "curvature_2",
    "membrane_energy",
    "bending_energy",
    "thickness",
)
READER = ROOT / "tests" / "checks" / "read_fields.py"


def read_data(path):
    """A curve is poly data, a surface an unstructured grid."""
    is_curve = path.suffix == ".vtp"
    reader = vtk.vtkXMLPolyDataReader() if is_curve else vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def read(path):
    """Points, and point arrays by name."""
    curve = read_data(path)
    data = curve.GetPointData()
    arrays = {name: vtk_to_numpy(data.GetArray(name)) for name in ARRAYS}
    return vtk_to_numpy(curve.GetPoints().GetData()), arrays


class Fields(ProgramTest):
    def check_series(self, pvd, n_files, cell_type="poly_line", arrays=ARRAYS):
        process = self.call(
            [
                sys.executable,
                READER,
                pvd,
                "--cell-type",
                cell_type,
                "--arrays",
                ",".join(arrays),
            ]
        )
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertTrue(process.stdout.startswith(f"{n_files} files, "), process.stdout)

    def test_cantilever(self):
        for model in MODELS:
            with self.subTest(model=model):
                settings = {"Model": model, "Cantilever/Exponent step": 0.5}
                run = self.study("cantilever.prm", settings=settings)
                self.check_series(run.directory / "fields" / "shapes.pvd", 15)
                self.check_last_shape(run)

    def check_last_shape(self, run):
        points, arrays = read(run.directory / "fields" / "shapes_0014.vtp")
        aspect_ratio = -points[-1, 2] / points[-1, 0]
        # Fields have the precision of the table.
        self.assertAlmostEqual(aspect_ratio / run.results["aspect_ratio"][-1], 1, delta=1e-6)
        np.testing.assert_array_equal(points[0], [0, 0, 0])
        np.testing.assert_allclose(arrays["tangent"][0], [1, 0, 0], atol=1e-6)
        arc_length = arrays["arc_length"]
        self.assertTrue((np.diff(arc_length) > 0).all())
        self.assertEqual((arc_length[0], arc_length[-1]), (0, 1))
        # The rod does not stretch: neighbours are at most as far from each
        # other as along the rod.
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        self.assertTrue((steps <= np.diff(arc_length) + 1e-6).all())
        # Bent about director 1 = y alone.
        np.testing.assert_allclose(arrays["twist"], 0, atol=1e-6)
        np.testing.assert_allclose(arrays["curvature_2"], 0, atol=1e-6)
        self.assertGreater(np.abs(arrays["curvature_1"][0]), 10)
        self.assertTrue((arrays["energy_density"] >= 0).all())

    def test_equilibrium(self):
        for model in MODELS:
            with self.subTest(model=model):
                run = self.study("rod_equilibrium.prm", settings={"Model": model})
                self.check_series(run.directory / "fields" / "shapes.pvd", 21)
                self.check_series(run.directory / "fields" / "modes.pvd", 3)

    def check_shell(self, prm, degree, cells, area, tolerance):
        """At rest the cells, cut into degree^2 pieces, cover the surface once."""
        settings = {"Equilibrium/Load steps": 2, "Koiter shell/Degree": degree}
        settings.update({"Surface/Cells along u": cells[0], "Surface/Cells along v": cells[1]})
        run = self.study(PRM / "shells" / prm, settings=settings)
        fields = run.directory / "fields"
        self.check_series(fields / "shapes.pvd", 3, "quad", SHELL_ARRAYS)
        grid = read_data(fields / "shapes_0000.vtu")
        n_cells = cells[0] * cells[1]
        self.assertEqual(grid.GetNumberOfCells(), n_cells * degree**2)
        self.assertEqual(grid.GetNumberOfPoints(), n_cells * (degree + 1) ** 2)
        sizes = vtk.vtkCellSizeFilter()
        sizes.SetInputData(grid)
        sizes.Update()
        areas = vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray("Area"))
        self.assertGreater(areas.min(), 0)
        self.assertAlmostEqual(areas.sum() / area, 1, delta=tolerance)
        # As far from rest as the table says.
        last = read_data(fields / "shapes_0002.vtu").GetPointData()
        moved = np.linalg.norm(vtk_to_numpy(last.GetArray("displacement")), axis=1)
        largest = run.results["largest_displacement"][-1]
        self.assertAlmostEqual(moved.max() / largest, 1, delta=1e-6)

    def test_plate(self):
        # 10 x 1, to the precision of the file.
        self.check_shell("cantilever_shear.prm", 3, (8, 1), 10, 1e-6)

    def test_hemisphere(self):
        # The pieces are flat and 0.1 wide, in radians: a fraction of the square
        # of that is missing.
        area = 100 * np.pi / 2 * np.sin(0.4 * np.pi)
        self.check_shell("pinched_hemisphere.prm", 4, (4, 4), area, 2.5e-3)

    def test_a_run_without_shapes_has_no_fields(self):
        settings = {"Cantilever/Shapes": 0, "Cantilever/Exponent step": 1}
        run = self.study("cantilever.prm", settings=settings)
        self.assertFalse((run.directory / "fields").exists())


if __name__ == "__main__":
    main()
