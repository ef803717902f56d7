# SPDX-License-Identifier: LGPL-2.1-or-later
"""What scripts/report makes of the files of a run, whatever wrote them."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
from support import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

import matplotlib.pyplot as plt  # noqa: E402
from report_lib import branches, page, phase_diagram, style, telling, viewer  # noqa: E402
from report_lib.errors import ReportError  # noqa: E402
from report_lib.run_files import Run, Table  # noqa: E402
from report_lib.vtk_files import read_picture  # noqa: E402

BRANCH = """set Study = branch
set Model = kirchhoff rod
subsection Branch
  set Parameter = end force # N
end
"""

# Columns stand in an order of their own, and codes are none that we know.
POINTS = """# kind XX = fold: it turns back
end_x, kind, label, stability_index, branch, end_force, arc_length
0, ZZ, 1, 0, 1, 0, 0
0.25, QQ, 0, 0, 1, 1, 0.5
# a remark between the rows
# kind ZZ = end: a start, or the end
1, XX, 2, 0, 1, 2, 1
2, ZZ, 3, 1, 1, 1.5, 2
"""

PIECE = """<Piece NumberOfPoints="{points}" {counts}><Points><DataArray type="Float64"
NumberOfComponents="3" format="ascii">{coordinates}</DataArray></Points>{cells}<PointData>
<DataArray type="Float64" Name="radius" format="ascii">{radius}</DataArray></PointData></Piece>"""
LINES = """<Lines><DataArray type="Int64" Name="connectivity" format="ascii">{numbers}</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">{count}</DataArray></Lines>"""


def vtk_file(kind, text):
    return f'<VTKFile type="{kind}" header_type="UInt64"><{kind}>{text}</{kind}></VTKFile>'


def line(*heights):
    """A piece of poly data: one line above the x axis."""
    return PIECE.format(
        points=len(heights),
        counts='NumberOfLines="1"',
        coordinates=" ".join(f"{x} 0 {z}" for x, z in enumerate(heights)),
        cells=LINES.format(numbers=" ".join(map(str, range(len(heights)))), count=len(heights)),
        radius=" ".join("0.1" for _ in heights),
    )


def report(scripts, directory):
    words = [sys.executable, scripts / "report", directory]
    return subprocess.run(words, capture_output=True, text=True, check=False)


class FabricatedRun(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = Path(place.name)
        self.directory = self.root / "run"

    def write(self, name, text):
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def write_run(self, parameters=BRANCH, results=POINTS, **summary):
        self.write("used.prm", parameters)
        self.write("log.txt", "what was printed\n")
        if results is not None:
            self.write("results.csv", results)
        if summary:
            summary = {"study": "branch", "model": "a rod", "verdict": "none", **summary}
            self.write("summary.json", json.dumps(summary))

    def page(self):
        return page.make(Run(self.directory))


class Tables(FabricatedRun):
    def test_remarks_may_stand_anywhere(self):
        table = Table(self.write("t.csv", "# a\nx, y\n1, 2\n# b\n3, 4\n# c\n"))
        self.assertEqual(table.remarks, ["a", "b", "c"])
        self.assertEqual(list(table["y"]), [2, 4])

    def test_a_short_row_is_named_by_its_line(self):
        path = self.write("t.csv", "x, y\n# a\n1, 2\n3\n")
        with self.assertRaisesRegex(ReportError, r"t\.csv:4: 1 cells, but 2 columns"):
            Table(path)

    def test_a_row_that_is_being_written_is_left_out(self):
        table = Table(self.write("t.csv", "x, y\n1, 2\n3, 4"), may_be_cut=True)
        self.assertEqual(list(table["y"]), [2])


class Branches(FabricatedRun):
    def test_columns_are_found_by_name(self):
        self.write_run(failed=0)
        run = Run(self.directory)
        self.assertEqual(run.varied_columns(), ["end_force"])
        self.assertEqual(branches.telling(run.results, "end_force"), ["end_x"])
        self.assertIn("<td>2</td><td>XX</td><td>1</td><td>2</td>", self.page())

    def test_the_run_explains_its_codes(self):
        self.write_run(failed=0)
        kinds = Run(self.directory).kinds
        self.assertTrue(kinds.is_fold("XX"))
        self.assertTrue(kinds.is_end("ZZ"))
        self.assertLess(kinds.importance("XX"), kinds.importance("ZZ"))
        self.assertIn("<p>XX: it turns back; ZZ: a start, or the end.</p>", self.page())

    def test_codes_without_explanation_are_shown(self):
        self.write_run(results=POINTS.replace("# kind", "#"), failed=0)
        self.assertIn("<td>XX</td>", self.page())

    def test_explanations_are_no_remarks(self):
        self.write_run(failed=0)
        self.assertIn("<ul><li>a remark between the rows</li></ul>", self.page())


class MasterCurves(FabricatedRun):
    """The curve that a run was judged by is in the run."""

    PARAMETERS = "set Study = bend twist\nset Model = a rod\n"
    SAMPLES = "x, y, state, expected\n0.3, 1, 3D, 3D\n0.5, 1, 2D, 3D\n"

    def test_it_is_read_from_the_run(self):
        self.write_run(self.PARAMETERS, self.SAMPLES, study="bend twist", verdict="OK")
        self.write("frontier.csv", "x, y\n0.4, 1\n0.4, 2\n")
        self.assertIsNone(phase_diagram.master_curve(Run(self.directory), "x", "y"))
        self.assertIn("<svg", self.page())
        self.write("master.csv", "y, x\n1, 0.6\n2, 0.7\n")
        curve = phase_diagram.master_curve(Run(self.directory), "x", "y")
        self.assertEqual(curve.tolist(), [[0.6, 1], [0.7, 2]])
        self.assertIn("<svg", self.page())

    def test_nothing_else_of_the_repository_is_read(self):
        self.write_run(self.PARAMETERS, self.SAMPLES, study="bend twist", verdict="OK")
        self.write("frontier.csv", "x, y\n0.4, 1\n0.4, 2\n")
        alone = self.root / "alone"
        shutil.copytree(ROOT / "scripts", alone)
        pages = []
        for scripts in (ROOT / "scripts", alone):
            process = report(scripts, self.directory)
            self.assertEqual(process.returncode, 0, process.stderr)
            pages.append((self.directory / "report.html").read_text(encoding="utf-8"))
        self.assertEqual(*pages)


class TopOfThePage(FabricatedRun):
    def test_the_answer_comes_first(self):
        self.write_run(answer="snaps at 20.4 < 21", failed=0)
        text = self.page()
        self.assertIn('<p class="answer">snaps at 20.4 &lt; 21</p>', text)
        self.assertLess(text.index("snaps at"), text.index("Key numbers"))
        self.assertNotIn("<th>answer</th>", text)

    def test_only_protocols_can_lack_a_verdict(self):
        for study, failed, words in (
            ("cantilever", 0, "no verdict"),
            ("branch", 0, None),
            ("branch", 2, "incomplete</span> 2 failed"),
        ):
            self.write_run(study=study, failed=failed)
            text = self.page()
            with self.subTest(study=study, failed=failed):
                self.assertEqual('class="badge' in text, words is not None)
                self.assertIn(words or "Key numbers", text)

    def test_a_run_without_an_answer(self):
        self.write_run(failed=0)
        self.assertNotIn('class="answer"', self.page())


class Unfinished(FabricatedRun):
    def test_a_page_of_what_is_there(self):
        self.directory = self.root / "run.unfinished"
        self.write_run(results=POINTS + "9, ZZ, 4")
        process = report(ROOT / "scripts", self.directory)
        self.assertEqual(process.returncode, 0, process.stderr)
        text = (self.directory / "report.html").read_text(encoding="utf-8")
        self.assertIn('<span class="badge none">unfinished</span> 4 rows so far', text)
        self.assertIn("Branch <small>kirchhoff rod</small>", text)
        self.assertIn("Special points: 3", text)

    def test_before_the_first_row(self):
        self.write_run(results=None)
        self.assertIn("unfinished</span> no row yet", self.page())
        self.write("results.csv", "end_x, ki")
        self.assertIn("unfinished</span> no row yet", self.page())

    def test_the_name_of_the_run_leads_to_it(self):
        self.directory = self.root / "run.unfinished"
        self.write_run()
        process = report(ROOT / "scripts", self.root / "run")
        self.assertEqual(process.returncode, 1)
        self.assertIn("the run has not ended, see", process.stderr)
        self.assertIn("run.unfinished", process.stderr)


class SeriesOfShapes(FabricatedRun):
    SERIES = """<?xml version="1.0"?>
<!-- time: {} -->
<VTKFile type="Collection"><Collection>
<DataSet timestep="1.5" file="a.vtp"/><DataSet timestep="2" file="b.vtp"/>
</Collection></VTKFile>
"""

    def series(self, time):
        self.write_run(failed=0)
        for name in "ab":
            self.write(f"fields/{name}.vtp", vtk_file("PolyData", line(0, 1)))
        self.write("fields/shapes.pvd", self.SERIES.format(time))
        return Run(self.directory).shape_series

    def test_time_is_what_the_series_says(self):
        for time, rows in (
            ("end force", [3, 2]),
            ("End force [N]", [3, 2]),
            ("label", [None, 2]),
            ("number of the row", [1, 1]),
            ("number of the point", [2, 2]),
            ("hour", [None, None]),
        ):
            with self.subTest(time=time):
                series = self.series(time)
                self.assertEqual(series.time_label(), time)
                self.assertEqual([shape.row for shape in series.shapes(10)], rows)
                self.assertIn("Shapes: 2 of the 2 in fields/", self.page())


class ShapesToTurn(SeriesOfShapes):
    """What viewer.js is given."""

    def packed(self):
        run = Run(self.directory)
        played, left_out = viewer.collect(run)
        return json.loads(viewer.packed(run, played)), left_out

    def test_points_come_back_as_they_were(self):
        self.series("end force")
        self.write("fields/b.vtp", vtk_file("PolyData", line(0, 1, 0.25)))
        data, left_out = self.packed()
        self.assertEqual(left_out, [])
        (series,) = data["series"]
        self.assertEqual(series["title"], "Branch 1")
        frame = series["frames"][1]
        numbers = base64.b64decode(data["numbers"])
        whole = np.frombuffer(numbers, np.uint16, 9, frame["at"]).reshape(-1, 3)
        points = np.array(series["low"]) + series["step"] * whole
        expected = [[0, 0, 0], [1, 0, 1], [2, 0, 0.25]]
        np.testing.assert_allclose(points, expected, atol=series["step"])
        self.assertEqual(frame["radius"], 0.1)
        self.assertEqual(frame["words"], "end force 2, XX 2, stable")

    def test_what_is_left_out_is_said(self):
        self.series("end force")
        with mock.patch.object(viewer, "MOST_SHAPES", 1):
            data, left_out = self.packed()
        self.assertEqual(len(data["series"][0]["frames"]), 1)
        self.assertEqual(left_out, ["1 of the 2 shapes in fields/shapes.pvd can be turned here."])

    def test_a_page_without_three(self):
        self.series("end force")
        self.assertIn('id="viewer"', self.page())
        with mock.patch.dict(os.environ, {"SLENDER_THREE_JS": str(self.root / "none.js")}):
            text = self.page()
        for words in ("<script", 'id="viewer"', "<figure data-points"):
            self.assertFalse(words in text, words)
        self.assertIn("Shapes: 2 of the 2 in fields/", text)

    def test_round_off_is_nothing_to_colour_by(self):
        self.series("end force")
        fields = ' Name="radius" format="ascii">0.1 0.1</DataArray>'
        curved = fields + '<DataArray type="Float64" Name="{}" format="ascii">{}</DataArray>'
        for name, values, expected in (
            ("twist", "1e-15 -1e-15", []),
            ("twist", "1 -0.5", ["twist"]),
            ("stretch", "0.25 0.25", []),
        ):
            text = vtk_file("PolyData", line(0, 1)).replace(fields, curved.format(name, values))
            for file in "ab":
                self.write(f"fields/{file}.vtp", text)
            found = [colour["name"] for colour in self.packed()[0]["colours"]]
            self.assertEqual(found, expected)


class Diagrams(FabricatedRun):
    def test_points_to_click_are_where_marks_are_drawn(self):
        figure, panels = plt.subplots(2, 1)
        x, y = np.array([0.1, 1, 30]), np.array([3, np.nan, 0.2])
        for axes in panels:
            axes.set(xscale="log")
            axes.plot(x, y, "o")
            style.link(axes, x, y)
        svg, points = style.to_svg(figure)
        drawn = re.findall(r'<use xlink:href="#m\w+" x="([\d.]+)" y="([\d.]+)" style="fill', svg)
        drawn = {(round(float(a)), round(float(b))) for a, b in drawn}
        self.assertEqual([point[3] for point in points], [0, 2, 0, 2], "nan has no place")
        for across, upwards, series, _ in points:
            near = [abs(across - a) + abs(upwards - b) for a, b in drawn]
            self.assertLess(min(near), 1.5)
            self.assertEqual(series, "shapes")

    def test_named_points_come_first_and_round_off_not_at_all(self):
        rows = "energy, end_x, end_y, tip_x, tip_displacement_x, steady, iterations, load\n"
        rows += "".join(f"{k}, {1 - k}, {k * 1e-17}, {k}, {k}, 7, {k}, {k}\n" for k in (0, 0.5, 1))
        table = Table(self.write("t.csv", rows))
        self.assertEqual(telling.shown(table, "load", 1.0), ["end_x", "tip_x", "energy"])


class Pictures(FabricatedRun):
    def check_two_pieces(self, picture):
        self.assertEqual(picture.points[:, 2].tolist(), [0, 1, 5, 6, 7])
        self.assertEqual([numbers.tolist() for numbers in picture.lines()], [[0, 1], [2, 3, 4]])
        self.assertEqual(len(picture.fields["radius"]), 5)

    def test_poly_data(self):
        path = self.write("a.vtp", vtk_file("PolyData", line(0, 1) + line(5, 6, 7)))
        self.check_two_pieces(read_picture(path))

    def test_poly_data_of_several_ranks(self):
        self.write("a_0.vtp", vtk_file("PolyData", line(0, 1)))
        self.write("a_1.vtp", vtk_file("PolyData", line(5, 6, 7)))
        pieces = '<Piece Source="a_0.vtp"/><Piece Source="a_1.vtp"/>'
        path = self.write("a.pvtp", vtk_file("PPolyData", pieces))
        self.check_two_pieces(read_picture(path))

    def test_grids_of_several_ranks(self):
        types = '<DataArray type="UInt8" Name="types" format="ascii">4</DataArray></Cells>'
        for k, heights in enumerate(((0, 1), (5, 6, 7))):
            grid = line(*heights).replace("Lines>", "Cells>").replace("</Cells>", types)
            self.write(f"a_{k}.vtu", vtk_file("UnstructuredGrid", grid))
        pieces = '<Piece Source="a_0.vtu"/><Piece Source="a_1.vtu"/>'
        path = self.write("a.pvtu", vtk_file("PUnstructuredGrid", pieces))
        self.check_two_pieces(read_picture(path))

    def test_a_file_that_names_itself_is_refused(self):
        path = self.write("a.pvtu", vtk_file("PUnstructuredGrid", '<Piece Source="a.pvtu"/>'))
        with self.assertRaisesRegex(ReportError, "a piece of it is in pieces itself"):
            read_picture(path)


if __name__ == "__main__":
    unittest.main()
