# SPDX-License-Identifier: LGPL-2.1-or-later
"""Frequencies by Ritz's method with polynomials: references for benchmarks/motions.

Products of Legendre polynomials converge so fast on beams, plates and panels that a
dozen of them in each direction give six digits and more. None of this uses the
program's own discretisations.
"""

import numpy as np
from numpy.polynomial import Polynomial, legendre
from scipy.linalg import eigh


def rule(points):
    """Gauss points and weights on [0, 1]."""
    x, weights = legendre.leggauss(points)
    return (x + 1) / 2, weights / 2


def polynomials(degree, x, power=0):
    """Values and two derivatives at the points x, of functions times derivatives times
    points: Legendre's, multiplied by a power of x, which vanish at the start."""
    factor = Polynomial([0] * power + [1])
    result = []
    for n in range(degree + 1):
        p = legendre.Legendre.basis(n, domain=[0, 1]).convert(kind=Polynomial) * factor
        result.append([p(x), p.deriv(1)(x), p.deriv(2)(x)])
    return np.array(result)


def lowest(stiffness, mass, count):
    return np.sqrt(np.maximum(eigh(stiffness, mass, eigvals_only=True)[:count], 0))


def timoshenko(count, rotary, shear, degree=14):
    """Angular frequencies of a clamped and free beam of B = L = m = 1, with a rotary
    inertia I/(A L^2) and a shear stiffness k G A L^2/B."""
    x, w = rule(degree + 4)
    f = polynomials(degree, x, 1)

    def product(i, j):
        return np.einsum("ap,bp,p->ab", f[:, i], f[:, j], w)

    # 1/2 psi'^2 + shear/2 (w' - psi)^2, and 1/2 w_t^2 + rotary/2 psi_t^2.
    k = np.block(
        [
            [shear * product(1, 1), -shear * product(1, 0)],
            [-shear * product(0, 1), product(1, 1) + shear * product(0, 0)],
        ]
    )
    zero = np.zeros_like(product(0, 0))
    m = np.block([[product(0, 0), zero], [zero, rotary * product(0, 0)]])
    return lowest(k, m, count)


def panel(count, length, arc, curvature, thickness, poisson, clamped=False, degree=11):
    """Angular frequencies of a thin cylindrical panel, a plate without curvature, by
    Koiter's theory: D = 1 and a mass of 1 per area. Its straight length is along x, its
    arc along y; if `clamped`, the edge x = 0 is."""
    x, wx = rule(degree + 4)
    along = polynomials(degree, x, 1 if clamped else 0)
    bent = polynomials(degree, x, 2 if clamped else 0)
    across = polynomials(degree, x)
    n = (degree + 1) ** 2

    def field(of_x, i, j):
        """d^i/dx^i d^j/dy^j of all products, at all points."""
        both = np.einsum("ap,bq->abpq", of_x[:, i] / length**i, across[:, j] / arc**j)
        return both.reshape(n, -1)

    none = np.zeros((n, len(x) ** 2))
    c = curvature
    # Strains of the displacements u along x, v along y and w outwards.
    membrane = [
        [field(along, 1, 0), none, none],
        [none, field(along, 0, 1), c * field(bent, 0, 0)],
        [field(along, 0, 1) / 2, field(along, 1, 0) / 2, none],
    ]
    bending = [
        [none, none, field(bent, 2, 0)],
        [none, -2 * c * field(along, 0, 1), field(bent, 0, 2) - c**2 * field(bent, 0, 0)],
        [none, -c * field(along, 1, 0), field(bent, 1, 1)],
    ]
    weights = np.outer(wx * length, wx * arc).ravel()
    law = [[1, poisson, 0], [poisson, 1, 0], [0, 0, 2 * (1 - poisson)]]
    k = np.zeros((3 * n, 3 * n))
    for strains, factor in ((membrane, 12 / thickness**2), (bending, 1.0)):
        e = [np.vstack(row) for row in strains]
        for i in range(3):
            for j in range(3):
                if law[i][j]:
                    k += factor * law[i][j] * (e[i] * weights) @ e[j].T
    m = np.zeros_like(k)
    for part, of_x in enumerate((along, along, bent)):
        values = field(of_x, 0, 0)
        at = slice(part * n, (part + 1) * n)
        m[at, at] = (values * weights) @ values.T
    return lowest(k, m, count)
