# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shells that cannot be: one line that says what is wrong, exit code 1, and
nothing is created. The meshes are small files of gmsh, format 2.2."""

import math
import shutil

from support import PRM, ProgramTest, main

PLATE = "cantilever_shear.prm"

# Two unit squares side by side; node 5 is at (2, 0).
NODES = [(0, 0), (1, 0), (1, 1), (0, 1), (2, 0), (2, 1)]
LEFT, RIGHT = (1, 2, 3, 4), (2, 5, 6, 3)
LINES = [(1, (4, 1)), (2, (5, 6))]  # physical number, nodes


# The left square with nodes on its sides and one inside, as gmsh orders them.
CURVED_NODES = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5), (0.5, 0.5)]
CURVED = tuple(range(1, 10))

# Numbers of gmsh's kinds of elements, by their nodes.
KINDS = {3: 2, 4: 3, 8: 5, 9: 10}


def mesh(nodes=NODES, cells=(LEFT, RIGHT), lines=LINES, names=()):
    """A file of gmsh: lines with numbers and perhaps names, cells by their nodes."""
    elements = [(1, number, corners) for number, corners in lines]
    elements += [(KINDS[len(corners)], 1, corners) for corners in cells]
    text = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat"]
    if names:
        text += ["$PhysicalNames", str(len(names))]
        text += [f'1 {number} "{name}"' for number, name in names]
        text += ["$EndPhysicalNames"]
    text += ["$Nodes", str(len(nodes))]
    text += [" ".join(map(str, (i, *x, *[0] * (3 - len(x))))) for i, x in enumerate(nodes, 1)]
    text += ["$EndNodes", "$Elements", str(len(elements))]
    for i, (kind, number, corners) in enumerate(elements, 1):
        text.append(" ".join(map(str, (i, kind, 2, number, number, *corners))))
    return "\n".join([*text, "$EndElements", ""])


def moebius(n=6):
    """A closed strip of n cells with half a turn."""
    nodes = []
    for i in range(n):
        t = 2 * math.pi * i / n
        for s in (-0.3, 0.3):
            r = 1 + s * math.cos(t / 2)
            nodes.append((r * math.cos(t), r * math.sin(t), s * math.sin(t / 2)))
    cells = [(2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2) for i in range(n - 1)]
    return mesh(nodes, [*cells, (2 * n - 1, 2, 1, 2 * n)], [(1, (1, 2))])


MESHES = {
    "good.msh": mesh(),
    "named.msh": mesh(names=[(1, "wall"), (2, "tip")]),
    "curved.msh": mesh(CURVED_NODES, [CURVED], [(1, (4, 1)), (2, (2, 3))]),
    "two_kinds.msh": mesh([*CURVED_NODES, (2, 0), (2, 1)], [CURVED, (2, 10, 11, 3)]),
    "inside_out.msh": mesh([*CURVED_NODES[:8], (1.3, 0.5)], [CURVED]),
    "cusp.msh": mesh([*CURVED_NODES[:5], (0.2, 0.5), *CURVED_NODES[6:]], [CURVED]),
    "branch.msh": mesh([*NODES, (1, 0, 1), (1, 1, 1)], [LEFT, RIGHT, (2, 7, 8, 3)]),
    "moebius.msh": moebius(),
    "solid.msh": mesh([*NODES, (0, 0, 1), (1, 0, 1)], [(1, 2, 3, 4, 7, 8, 6, 5)]),
    "two_lines.msh": mesh(lines=[*LINES, (3, (4, 1))]),
    "name_of_another.msh": mesh(names=[(1, "2")]),
    "bowtie.msh": mesh(cells=[LEFT, (2, 6, 5, 3)]),
    "dent.msh": mesh(nodes=[*NODES[:4], (1.1, 0.9), NODES[5]]),
    "flat.msh": mesh(nodes=[*NODES[:4], (1, 0.5), (1, 0.7)]),
    "point.msh": mesh(nodes=[*NODES[:4], (1, 0), NODES[5]]),
    "triangles.msh": mesh(cells=[(1, 2, 3), (1, 3, 4)], lines=[(1, (4, 1)), (2, (2, 3))]),
    "mixed.msh": mesh(cells=[LEFT, (2, 5, 3)], lines=[(1, (4, 1))]),
    "no_ids.msh": mesh(lines=[]),
    "empty.msh": mesh(cells=[], lines=[]),
    "nothing.msh": "",
    "truncated.msh": mesh()[:120],
    "wrong_format.msh": "solid cube\nfacet normal 0 0 1\nendsolid cube\n",
    "missing_node.msh": mesh(cells=[LEFT, (2, 5, 9, 3)]),
    "negative_node.msh": mesh(cells=[LEFT, (2, 5, -1, 3)]),
    "announced.msh": mesh().replace("$Nodes\n6\n", "$Nodes\n1000000000\n"),
    "not_a_number.msh": mesh([("nan", 0), *NODES[1:]]),
    "apart.msh": mesh([*NODES, (1, 0), (1, 1)], [LEFT, (7, 5, 6, 8)]),
    "hanging.msh": mesh([*NODES, (1, 0.5), (2, 0.5)], [LEFT, (2, 5, 8, 7), (7, 8, 6, 3)]),
    "two_parts.msh": mesh([*NODES[:4], (3, 0), (4, 0), (4, 1), (3, 1)], [LEFT, (5, 6, 7, 8)], LINES[:1]),
}

RECTANGLE_FORGOTTEN = {
    "Surface/Length": 1,
    "Surface/Width": 1,
    "Surface/Cells along u": 8,
    "Surface/Cells along v": 8,
}

ON_MESH = {
    "Surface/Shape": "mesh file",
    "Edge 1/Name": "1",
    "Edge 2/Name": "2",
    "Point 1/Name": "",
    # What the file says of a rectangle would say nothing of a mesh.
    **RECTANGLE_FORGOTTEN,
}


NO_EDGE_2 = {"Edge 2/Name": "", "Edge 2/Load": 0}


def on_mesh(name, *expected, **others):
    settings = {**ON_MESH, "Surface/Mesh file": name, **others}
    return (name, settings, expected)


BAD_MESHES = [
    on_mesh("bowtie.msh", "inverted or degenerate"),
    on_mesh("dent.msh", "inverted or degenerate"),
    on_mesh("flat.msh", "inverted or degenerate"),
    on_mesh("point.msh", "inverted or degenerate"),
    on_mesh("triangles.msh", "triangles", "quadrilaterals", "Recombine"),
    on_mesh("mixed.msh", "triangles", "quadrilaterals"),
    on_mesh("two_kinds.msh", "several kinds", "same degree"),
    on_mesh("inside_out.msh", "inverted or degenerate"),
    on_mesh("cusp.msh", "node 6", "(0.2, 0.5, 0)", "far off the side"),
    on_mesh("branch.msh", "more than two cells"),
    on_mesh("moebius.msh", "only one side"),
    on_mesh("solid.msh", "volume", "quadrilaterals"),
    on_mesh("two_lines.msh", "two physical lines", "1 and 3"),
    on_mesh("name_of_another.msh", "name '2'"),
    on_mesh("named.msh", "two sections", "'wall'", **{"Edge 2/Name": "wall"}),
    on_mesh("no_ids.msh", "no edge '1'", "Physical Curve"),
    on_mesh("empty.msh", "no cells", "Physical Surface"),
    on_mesh("nothing.msh", "cannot be read", "gmsh"),
    on_mesh("truncated.msh", "cannot be read", "line "),
    on_mesh("wrong_format.msh", "cannot be read", "gmsh"),
    on_mesh("missing_node.msh", "line 18", "no node 9"),
    on_mesh("negative_node.msh", "line 18", "not negative"),
    on_mesh("announced.msh", "line 5", "1000000000 nodes"),
    on_mesh("not_a_number.msh", "line 6", "finite"),
    on_mesh("apart.msh", "nodes 2 and 7", "(1, 0, 0)", "Coherence"),
    on_mesh("hanging.msh", "node 7", "(1, 0.5, 0)", "inside a side"),
    on_mesh("two_parts.msh", "part near (3.5, 0.5, 0)", "nothing holds", **NO_EDGE_2),
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
    (
        "edge of another shape",
        {"Surface/Shape": "disk", **RECTANGLE_FORGOTTEN},
        ["no edge 'left'", "rim"],
    ),
    ("edge without name", {"Edge 1/Name": ""}, ["which edge"]),
    ("edge twice", {"Edge 2/Name": "left"}, ["two sections", "'left'"]),
    ("moved free edge", {"Edge 2/Displacement": 1}, ["free", "moved"]),
    ("no direction", {"Edge 2/Load direction": "0, 0, 0"}, ["zero"]),
    (
        "inner above outer",
        {**RECTANGLE_FORGOTTEN, "Surface/Shape": "annulus", "Surface/Inner radius": 2},
        ["radius"],
    ),
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

    def check(self, cases):
        self.refuse_all(
            [
                (self.write_variant(f"{i}", PRM / "shells" / PLATE, settings), expected)
                for i, (_, settings, expected) in enumerate(cases)
            ]
        )

    def test_meshes(self):
        self.check(BAD_MESHES)

    def test_bodies(self):
        self.check(BAD_BODIES)

    def test_points_off_the_mesh(self):
        settings = {"Point 1/Position": "3.1, 0.2, 0"}
        self.refuse(PLATE, settings=settings, expected=["'tip'", "not a node", "nearest"])

    def test_a_script_beside_a_mesh_is_not_obeyed(self):
        # gmsh itself merges the options beside a mesh, commands included.
        shutil.copy(self.directory / "good.msh", self.directory / "from_elsewhere.msh")
        options = self.directory / "from_elsewhere.msh.opt"
        options.write_text('SystemCall "touch obeyed";\n')
        settings = {**ON_MESH, "Surface/Mesh file": "from_elsewhere.msh"}
        run = self.study(self.directory / PLATE, settings=settings)
        self.assertEqual(run.code, 0, run.err)
        self.assertFalse((self.directory / "obeyed").exists())

    def test_the_good_ones_run(self):
        # Otherwise the refusals above would say little.
        named = {"Edge 1/Name": "wall", "Edge 2/Name": "tip"}
        for name, others in (("good.msh", {}), ("named.msh", named), ("curved.msh", {})):
            with self.subTest(name):
                settings = {**ON_MESH, "Surface/Mesh file": name, **others}
                run = self.study(self.directory / PLATE, settings=settings)
                self.assertEqual(run.code, 0, run.err)
                self.assertEqual(run.summary["failed"], 0)


if __name__ == "__main__":
    main()
