# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shells that cannot be: one line that says what is wrong, exit code 1, and
nothing is created. The meshes are small files of gmsh, format 2.2."""

import shutil

from support import PRM, ProgramTest, main, snapshot

PLATE = "cantilever_shear.prm"

# Two unit squares side by side; node 5 is at (2, 0).
NODES = [(0, 0), (1, 0), (1, 1), (0, 1), (2, 0), (2, 1)]
LEFT, RIGHT = (1, 2, 3, 4), (2, 5, 6, 3)
LINES = [(1, (4, 1)), (2, (5, 6))]  # physical number, nodes


def mesh(nodes=NODES, cells=(LEFT, RIGHT), lines=LINES):
    """A file of gmsh: cells of three or four nodes, lines with numbers."""
    elements = [(1, number, corners) for number, corners in lines]
    elements += [({3: 2, 4: 3}[len(corners)], 1, corners) for corners in cells]
    text = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(nodes))]
    text += [f"{i} {x} {y} 0" for i, (x, y) in enumerate(nodes, 1)]
    text += ["$EndNodes", "$Elements", str(len(elements))]
    for i, (kind, number, corners) in enumerate(elements, 1):
        text.append(" ".join(map(str, (i, kind, 2, number, number, *corners))))
    return "\n".join([*text, "$EndElements", ""])


MESHES = {
    "good.msh": mesh(),
    "bowtie.msh": mesh(cells=[LEFT, (2, 6, 5, 3)]),
    "dent.msh": mesh(nodes=[*NODES[:4], (1.1, 0.9), NODES[5]]),
    "flat.msh": mesh(nodes=[*NODES[:4], (1, 0.5), (1, 0.7)]),
    "point.msh": mesh(nodes=[*NODES[:4], (1, 0), NODES[5]]),
    "triangles.msh": mesh(cells=[(1, 2, 3), (1, 3, 4)], lines=[(1, (4, 1))]),
    "mixed.msh": mesh(cells=[LEFT, (2, 5, 3)], lines=[(1, (4, 1))]),
    "no_ids.msh": mesh(lines=[]),
    "empty.msh": mesh(cells=[], lines=[]),
    "nothing.msh": "",
    "truncated.msh": mesh()[:120],
    "wrong_format.msh": "solid cube\nfacet normal 0 0 1\nendsolid cube\n",
    "missing_node.msh": mesh(cells=[LEFT, (2, 5, 9, 3)]),
}

ON_MESH = {
    "Surface/Shape": "mesh file",
    "Edge 1/Name": "1",
    "Edge 2/Name": "2",
    "Point 1/Name": "",
}


def on_mesh(name, *expected, **others):
    settings = {**ON_MESH, "Surface/Mesh file": name, **others}
    return (name, settings, expected)


BAD_MESHES = [
    on_mesh("bowtie.msh", "inverted or degenerate"),
    on_mesh("dent.msh", "inverted or degenerate"),
    on_mesh("flat.msh", "inverted or degenerate"),
    on_mesh("point.msh", "inverted or degenerate"),
    on_mesh("triangles.msh", "triangles", "quadrilaterals"),
    on_mesh("mixed.msh", "triangles", "quadrilaterals"),
    on_mesh("no_ids.msh", "no edge '1'"),
    on_mesh("empty.msh", "empty.msh"),
    on_mesh("nothing.msh", "cannot be read", "gmsh"),
    on_mesh("truncated.msh", "cannot be read", "gmsh"),
    on_mesh("wrong_format.msh", "cannot be read", "gmsh"),
    on_mesh("missing_node.msh", "cannot be read", "gmsh"),
    on_mesh("missing.msh", "cannot be opened"),
    on_mesh("directory", "directory", "cannot be"),
    on_mesh("", "'Mesh file'"),
]

BAD_BODIES = [
    ("zero thickness", {"Shell/Thickness": 0}, ["'Thickness'", "at least"]),
    ("negative thickness", {"Shell/Thickness": -0.1}, ["'Thickness'", "at least"]),
    ("nu of 0.6", {"Shell/Poisson's ratio": 0.6}, ["to 0.5"]),
    ("nu of -1", {"Shell/Poisson's ratio": -1}, ["from -0.99"]),
    ("no stiffness", {"Shell/Young's modulus": 0}, ["'Young's modulus'"]),
    ("no length", {"Surface/Length": 0}, ["'Length'"]),
    ("unknown edge", {"Edge 1/Name": "west"}, ["no edge 'west'", "left"]),
    ("edge of another shape", {"Surface/Shape": "disk"}, ["no edge 'left'", "rim"]),
    ("edge without name", {"Edge 1/Name": ""}, ["which edge"]),
    ("edge twice", {"Edge 2/Name": "left"}, ["two sections", "'left'"]),
    ("moved free edge", {"Edge 2/Displacement": 1}, ["free", "moved"]),
    ("no direction", {"Edge 2/Load direction": "0, 0, 0"}, ["zero"]),
    ("inner above outer", {"Surface/Shape": "annulus", "Surface/Inner radius": 2}, ["radius"]),
    ("nothing holds the shell", {"Edge 1/Hold": "free"}, ["nothing holds", "clamp"]),
    ("held in one direction", {"Edge 1/Hold": "symmetry x"}, ["shell", "clamp"]),
    ("hinged at one edge", {"Edge 1/Hold": "hinged"}, ["shell", "clamp"]),
]


class WrongShells(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shutil.copy(PRM / "shells" / PLATE, cls.directory)
        (cls.directory / "directory").mkdir()
        for name, text in MESHES.items():
            (cls.directory / name).write_text(text)

    def check(self, settings, expected):
        before = snapshot(self.directory)
        process = self.program(PLATE, settings=settings)
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)
        self.assertEqual(process.stdout, "")
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        self.assertTrue(process.stderr.startswith("slender_fem: "), process.stderr)
        for words in expected:
            self.assertIn(words, process.stderr)
        self.assertEqual(snapshot(self.directory), before, "something was created or changed")

    def test_meshes(self):
        for name, settings, expected in BAD_MESHES:
            with self.subTest(name):
                self.check(settings, expected)

    def test_bodies(self):
        for name, settings, expected in BAD_BODIES:
            with self.subTest(name):
                self.check(settings, expected)

    def test_points_off_the_mesh(self):
        # Nodes are known once the model is there; the run has said its name.
        before = snapshot(self.directory)
        process = self.program(PLATE, settings={"Point 1/Position": "3.1, 0.2, 0"})
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        for words in ("'tip'", "not a node", "nearest"):
            self.assertIn(words, process.stderr)
        self.assertEqual(snapshot(self.directory), before)

    def test_the_good_ones_run(self):
        # Otherwise the refusals above would say little.
        run = self.study(
            self.directory / PLATE, settings={**ON_MESH, "Surface/Mesh file": "good.msh"}
        )
        self.assertEqual(run.code, 0, run.err)
        self.assertEqual(run.summary["failed"], 0)


if __name__ == "__main__":
    main()
