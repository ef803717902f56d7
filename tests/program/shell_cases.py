# SPDX-License-Identifier: LGPL-2.1-or-later
"""The standard shell benchmarks of prm/shells, with what is known of them.

Sze, Liu and Lo, "Popular benchmark problems for geometric nonlinear analysis of
shells", Finite Elements in Analysis and Design 40 (2004), 1551-1569. Its tables
for sections 3.3, 3.5, 3.7 and 3.8 are also in the tests of MBDyn, as
tests/plates/sze2004/*/*_ref.dat, from where they were checked.
"""

DEGREE = "Koiter shell/Degree"
ALONG = "Surface/Cells along u"
ACROSS = "Surface/Cells along v"


class Quantity:
    """A column of results.csv in its last row, or at the n-th limit point of a
    branch; `scale` times it is to be the reference."""

    def __init__(self, name, column, reference, scale=1.0, limit=None):
        self.name = name
        self.column = column
        self.reference = reference
        self.scale = scale
        self.limit = limit

    def measure(self, table):
        if self.limit is not None:
            return self.scale * float(table.of_kind("LP")[self.limit][self.column])
        return self.scale * table[self.column][-1]


class Benchmark:
    def __init__(self, title, prm, meshes, quantities, degree=3):
        self.title = title
        self.prm = f"shells/{prm}.prm"
        self.meshes = meshes  # cells along u and v
        self.quantities = quantities
        self.degree = degree

    def settings(self, mesh):
        return {ALONG: mesh[0], ACROSS: mesh[1], DEGREE: self.degree}

    def n_dofs(self, mesh):
        """Coordinates of nodes, those included that are held."""
        return 3 * (self.degree * mesh[0] + 1) * (self.degree * mesh[1] + 1)


def extreme(entries):
    """Of the cubic through four successive values of P/3000 in a table around a
    limit point; as a force, to five digits. The tables have four digits, so that
    this is good to about 0.1 %."""
    first = [b - a for a, b in zip(entries, entries[1:])]
    second = [b - a for a, b in zip(first, first[1:])]
    third = second[1] - second[0]
    values = []
    for i in range(3001):
        t = i / 1000
        value = entries[0] + first[0] * t + second[0] * t * (t - 1) / 2
        values.append(value + third * t * (t - 1) * (t - 2) / 6)
    middle = (entries[1] + entries[2]) / 2
    outer = (entries[0] + entries[3]) / 2
    return float(f"{3000 * (max(values) if middle > outer else min(values)):.5g}")


# A quarter of a roof carries a quarter of the force.
THICK = [(0.7246, 0.7412, 0.7421, 0.7286), (0.1940, 0.1750, 0.1729, 0.1905)]
THIN = [(0.1914, 0.1953, 0.1950, 0.1901), (-0.1247, -0.1288, -0.1271, -0.1196)]

BENCHMARKS = {
    "cantilever": Benchmark(
        "cantilever, end shear",
        "cantilever_shear",
        [(4, 1), (8, 1), (16, 1)],
        [
            Quantity("W", "tip_displacement_z", 6.698),
            Quantity("-U", "tip_displacement_x", 3.286, scale=-1),
        ],
    ),
    "annulus": Benchmark(
        "slit annular plate",
        "slit_annulus",
        [(12, 2), (16, 2), (32, 4)],
        [
            Quantity("W, outer corner", "outer_corner_displacement_z", 17.528),
            Quantity("W, inner corner", "inner_corner_displacement_z", 13.891),
        ],
    ),
    "hemisphere": Benchmark(
        "pinched hemisphere",
        "pinched_hemisphere",
        [(4, 4), (8, 8), (12, 12)],
        [Quantity("inwards", "pushed_displacement_y", 8.178, scale=-1)],
        degree=4,
    ),
    "pull-out": Benchmark(
        "pull-out of a cylinder",
        "cylinder_pull_out",
        [(8, 6), (12, 8), (16, 12)],
        [
            Quantity("W of A", "A_displacement_x", 2.768),
            Quantity("-U of B", "B_displacement_y", 4.551, scale=-1),
            Quantity("-U of C", "C_displacement_y", 3.269, scale=-1),
        ],
    ),
    "semi-cylinder": Benchmark(
        "pinched semi-cylinder",
        "pinched_semicylinder",
        [(12, 12), (16, 16), (20, 20)],
        [Quantity("W of A", "A_displacement_y", 1.71505, scale=-1)],
    ),
    "roof": Benchmark(
        "hinged roof, h = 12.7",
        "hinged_roof",
        [(2, 2), (4, 4), (6, 6)],
        [
            Quantity("upper limit load", "A_force", extreme(THICK[0]), scale=4, limit=0),
            Quantity("lower limit load", "A_force", extreme(THICK[1]), scale=4, limit=1),
        ],
    ),
    "thin roof": Benchmark(
        "hinged roof, h = 6.35",
        "hinged_roof_thin",
        [(2, 2), (4, 4), (6, 6)],
        [
            Quantity("upper limit load", "A_force", extreme(THIN[0]), scale=4, limit=0),
            Quantity("lower limit load", "A_force", extreme(THIN[1]), scale=4, limit=1),
        ],
    ),
}
