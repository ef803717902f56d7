#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: meshes/make_bodies.py torus AROUND ACROSS FILE
       meshes/make_bodies.py lumps N FILE

Closed surfaces: a torus of radii 0.1 and 0.04, or a smooth lumpy body of size one from
the six faces of a cube, N x N cells each. A FILE.msh gets curved quadrilaterals with
nine nodes (gmsh, format 2.2), a FILE.obj eight flat triangles between these nodes; with
N = 46 these are 101 568 with 50 786 vertices.
"""

import math
import sys

# Where gmsh's nine nodes stand in a block of 3 x 3, corners first.
ORDER = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1), (1, 1)]


class Mesh:
    def __init__(self):
        self.numbers, self.nodes, self.cells = {}, [], []

    def node(self, x):
        key = tuple(round(c * 1e9) for c in x)
        if key not in self.numbers:
            self.nodes.append(x)
            self.numbers[key] = len(self.nodes)
        return self.numbers[key]

    def add_patch(self, position, along, across):
        """Cells of a patch whose point (i/2, j/2) is position(i, j)."""
        for j in range(across):
            for i in range(along):
                cell = [self.node(position(2 * i + di, 2 * j + dj)) for di, dj in ORDER]
                self.cells.append(cell)

    def write(self, path):
        if path.endswith(".obj"):
            self.write_triangles(path)
        else:
            self.write_cells(path)

    def write_triangles(self, path):
        """Each quarter of a cell in two, along its shorter diagonal."""
        at = {place: i for i, place in enumerate(ORDER)}
        with open(path, "w", encoding="ascii") as file:
            for x in self.nodes:
                file.write(f"v {x[0]:.12g} {x[1]:.12g} {x[2]:.12g}\n")
            for cell in self.cells:
                for i, j in ((0, 0), (1, 0), (0, 1), (1, 1)):
                    a, b, c, d = (cell[at[i + k, j + l]] for k, l in ((0, 0), (1, 0), (1, 1), (0, 1)))

                    def apart(n, m):
                        return math.dist(self.nodes[n - 1], self.nodes[m - 1])

                    pair = ((a, b, c), (a, c, d))
                    if apart(b, d) < 0.999 * apart(a, c):
                        pair = ((a, b, d), (b, c, d))
                    for triangle in pair:
                        file.write(f"f {triangle[0]} {triangle[1]} {triangle[2]}\n")

    def write_cells(self, path):
        with open(path, "w", encoding="ascii") as file:
            file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n")
            file.write(f"{len(self.nodes)}\n")
            for number, x in enumerate(self.nodes, 1):
                file.write(f"{number} {x[0]:.12g} {x[1]:.12g} {x[2]:.12g}\n")
            file.write(f"$EndNodes\n$Elements\n{len(self.cells)}\n")
            for number, cell in enumerate(self.cells, 1):
                file.write(f"{number} 10 2 1 1 {' '.join(map(str, cell))}\n")
            file.write("$EndElements\n")


def torus(around, across):
    def position(i, j):
        u, v = math.pi * i / around, math.pi * j / across
        r = 0.1 + 0.04 * math.cos(v)
        return (r * math.cos(u), r * math.sin(u), 0.04 * math.sin(v))

    mesh = Mesh()
    mesh.add_patch(position, around, across)
    return mesh


def lumps(n):
    """A sphere with bumps; the faces of the cube are cut at equal angles."""
    frames = [(0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1), (1, 0, 2, -1), (2, 1, 0, -1), (0, 2, 1, -1)]
    mesh = Mesh()
    for a, b, c, sign in frames:

        def position(i, j, a=a, b=b, c=c, sign=sign):
            x = [0.0, 0.0, 0.0]
            x[a] = math.tan(math.pi / 4 * (i / n - 1))
            x[b] = math.tan(math.pi / 4 * (j / n - 1))
            x[c] = sign
            length = math.sqrt(sum(t * t for t in x))
            x = [t / length for t in x]
            bump = 0.18 * math.sin(3 * x[0] + 1) * math.cos(2 * x[1]) + 0.12 * x[2] * math.sin(4 * x[1])
            return tuple(0.5 * (1 + bump) * t for t in x)

        mesh.add_patch(position, n, n)
    return mesh


def main():
    words = sys.argv[1:]
    if len(words) == 4 and words[0] == "torus":
        torus(int(words[1]), int(words[2])).write(words[3])
    elif len(words) == 3 and words[0] == "lumps":
        lumps(int(words[1])).write(words[2])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
