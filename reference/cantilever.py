#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The master curve of the Cantilever protocol: H/W as a function of Gamma.

The heavy planar elastica of unit length, clamped horizontally at s = 0 and
free at s = 1 (Romero et al. 2021, eq. 3),

    theta'' + Gamma (1 - s) cos(theta) = 0,   theta(0) = 0,   theta'(1) = 0,

is solved twice, by methods that share neither a formulation nor code. The
values of the first are written, those of the second judge them.

    reference/cantilever.py                  write cantilever.csv
    reference/cantilever.py --check          recompute, compare all with the file
    reference/cantilever.py --at GAMMA ...   print H/W at other values of Gamma
"""

import argparse
import os
import sys

try:
    import numpy as np
except ImportError:
    # Another Python may hide the one that Debian's packages extend.
    SYSTEM_PYTHON = "/usr/bin/python3"
    if sys.executable != SYSTEM_PYTHON and os.access(SYSTEM_PYTHON, os.X_OK):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON] + sys.argv)
    sys.exit("cantilever.py: needs numpy (package python3-numpy)")

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cantilever.csv")

# What the two methods, or the file and a new computation, may differ by,
# relatively. The second method rounds to double precision, and at Gamma = 10^4
# its linear systems have a condition number of some 10^3.
TOLERANCE = 1e-12


def gammas():
    """10^i, i = -3 ... 4 in steps of 0.025 (recipe, Algorithm 1)."""
    return np.array([10.0 ** (k / 40) for k in range(-120, 161)])


# --- First method: shooting from the free end, with Taylor series -----------
#
# With v = Gamma^(1/3) (1 - s) the equation no longer holds Gamma, only the
# length of the interval does. Gudermann's variable y, where sin(theta) =
# tanh(y) and cos(theta) = sech(y), turns it into
#
#     y'' = -v + y'^2 tanh(y),    y(0) = mu,    y'(0) = 0,
#
# and mu is sought such that y = 0 at the clamp, v = Gamma^(1/3). In this
# direction perturbations decay (y' tends to -sqrt(v) for large y), y is merely
# 66 where pi/2 - theta is e^-66, and y at the clamp depends on mu with a slope
# between 1 and 1.5: neither small nor large Gamma costs digits. The
# initial-value problems of all Gamma advance together.


def integrate_from_free_end(mu, end, steps, order):
    """y at v = end, and the integrals of tanh(y) and of sech(y) up to there."""
    h = end / steps
    y, p, height, width = mu.copy(), 0 * mu, 0 * mu, 0 * mu

    # Coefficients in powers of (v - v_n) / h: p = h y', t = tanh y,
    # c = sech y, and the products a = c p, b = t p. Then t' = c a, c' = -t a.
    p_, t_, c_, a_, b_ = (np.zeros((order + 1, len(mu)), mu.dtype) for _ in range(5))
    integral = 1 / np.arange(1, order + 2, dtype=mu.dtype)[:, None]

    def product(f, g, k):
        return (f[: k + 1] * g[k::-1]).sum(axis=0)

    for step in range(steps):
        e = np.exp(-np.abs(y))
        c_[0] = 2 * e / (1 + e * e)
        t_[0] = -np.sign(y) * np.expm1(-2 * np.abs(y)) / (1 + e * e)
        p_[0] = p
        for k in range(order):
            a_[k] = product(c_, p_, k)
            b_[k] = product(t_, p_, k)
            load = h**3 * (step if k == 0 else 1 if k == 1 else 0)
            p_[k + 1] = (product(p_, b_, k) - load) / (k + 1)
            t_[k + 1] = product(c_, a_, k) / (k + 1)
            c_[k + 1] = -product(t_, a_, k) / (k + 1)
        y = y + (p_ * integral).sum(axis=0)
        p = p_.sum(axis=0)
        height += h * (t_ * integral).sum(axis=0)
        width += h * (c_ * integral).sum(axis=0)
    return y, height, width


def by_shooting(gamma, steps_per_length=3.0, order=32):
    """H/W, in extended precision, from the secant method on y(clamp) = 0."""
    gamma = np.asarray(gamma, np.longdouble)
    end = np.cbrt(gamma)
    # The nearest pole of tanh(y) is pi / (2 sqrt(v)) away from the real axis,
    # so that each order gains a factor of pi / 2 * steps_per_length.
    steps = max(20, int(np.ceil(steps_per_length * np.sqrt(gamma.max()))))
    # From linear bending, and from the Airy function that hanging ends follow.
    mu = np.minimum(gamma / 6, 2 / 3 * np.sqrt(gamma) + 0.7)
    slope = np.full_like(mu, 1.4)
    miss, height, width = integrate_from_free_end(mu, end, steps, order)
    for _ in range(20):
        change = -miss / slope
        mu = mu + change
        before = miss
        miss, height, width = integrate_from_free_end(mu, end, steps, order)
        moved = np.abs(change) > 1e-11 * mu
        if not moved.any():
            return height / width
        slope = np.where(moved, (miss - before) / np.where(moved, change, 1), slope)
    raise ArithmeticError("the shooting method did not converge")


def by_shooting_in_groups(gamma, group=20):
    """The same, but a small Gamma does not pay for the steps of a large one."""
    groups = [gamma[i : i + group] for i in range(0, len(gamma), group)]
    return np.concatenate([by_shooting(values) for values in groups])


# --- Second method: multi-element Gauss-Legendre collocation -----------------
#
# The boundary-value problem in the arc length s, as the paper states it. The
# unknown is f = theta'' at the Gauss points of elements that grow from the
# clamp, where the boundary layer is 1 / sqrt(Gamma) thick. Integrating the
# interpolating polynomials twice, from the free end and then from the clamp,
# gives theta = A f with both boundary conditions built in, and Newton's method
# solves f + Gamma (1 - s) cos(A f) = 0: an equation of the second kind, whose
# condition does not suffer from the order. Double precision throughout.


class Collocation:
    def __init__(self, elements=36, points=10, grading=5.0):
        ends = np.expm1(grading * np.linspace(0, 1, elements + 1)) / np.expm1(grading)
        h = np.diff(ends)
        x, w = np.polynomial.legendre.leggauss(points)
        self.s = (ends[:-1, None] + np.outer(h, (x + 1) / 2)).ravel()
        self.weights = np.outer(h, w / 2).ravel()

        # Integrals of the Lagrange polynomials from the left end to each node.
        legendre = np.polynomial.legendre
        primitives = legendre.legint(np.eye(points), lbnd=-1)
        inner = legendre.legval(x, primitives).T / 2
        inner = inner @ np.linalg.inv(legendre.legvander(x, points - 1))
        from_left = np.tril(np.ones((elements, elements)), -1).repeat(points, axis=0)
        from_left = from_left.repeat(points, axis=1) * self.weights
        from_left += np.kron(np.diag(h), inner)
        from_right = self.weights - from_left
        self.angle_of = -from_left @ from_right
        self.f = np.zeros_like(self.s)

    def aspect_ratio(self, gamma):
        """H/W; keeps the solution as the start of the next call."""
        load = gamma * (1 - self.s)
        for _ in range(50):
            theta = self.angle_of @ self.f
            residual = self.f + load * np.cos(theta)
            tangent = -(load * np.sin(theta))[:, None] * self.angle_of
            tangent.flat[:: len(load) + 1] += 1
            change = np.linalg.solve(tangent, residual)
            self.f -= change
            if np.abs(change).max() < 1e-12 * np.abs(self.f).max():
                theta = self.angle_of @ self.f
                return self.weights @ np.sin(theta) / (self.weights @ np.cos(theta))
        raise ArithmeticError("the collocation did not converge")


def by_collocation(gamma, **mesh):
    """H/W for increasing values of Gamma, each started from the one before."""
    collocation = Collocation(**mesh)
    return np.array([collocation.aspect_ratio(value) for value in gamma])


# --- What is known in closed form ---------------------------------------------


def limit_defects(gamma, ratio):
    """How far the ends of the curve are from their two-term expansions.

    Expanding theta in powers of Gamma gives
        H/W = Gamma/8 (1 - Gamma^2/280 + O(Gamma^4)).
    Matching the pendulum-like layer at the clamp to the hanging rest, with the
    exact relations theta'(0)^2 = 2 Gamma H and
    theta'(0) = Gamma int (1 - s) cos(theta) ds, gives
        H/W = sqrt(Gamma/2) (1 - c/sqrt(Gamma) + O(1/Gamma)),
        c = 1 - 1/sqrt(2) + pi/(2 sqrt(2)) = 1.40361.
    The second defect is given in units of 1/Gamma, where it is of order one.
    """
    first, last = gamma[0], gamma[-1]
    small = ratio[0] / (first / 8) - (1 - first**2 / 280)
    c = 1 - 1 / np.sqrt(2) + np.pi / (2 * np.sqrt(2))
    large = ratio[-1] / np.sqrt(last / 2) - (1 - c / np.sqrt(last))
    return float(small), float(large * last)


# --- Command line --------------------------------------------------------------


def compute():
    """The curve, and the largest relative difference of the two methods."""
    gamma = gammas()
    ratio = by_shooting_in_groups(gamma)
    difference = np.abs(by_collocation(gamma) / ratio - 1).max()
    small, large = limit_defects(gamma, ratio)
    print(f"shooting and collocation differ by at most {difference:.1e} (relative)")
    print(f"defect of Gamma/8 (1 - Gamma^2/280) at Gamma = 10^-3: {small:.1e}")
    print(f"defect of sqrt(Gamma/2) (1 - 1.40361/sqrt(Gamma)) at Gamma = 10^4: {large:.2f}/Gamma")
    agree = difference <= TOLERANCE and abs(small) <= 1e-15 and abs(large) <= 2
    return gamma, ratio.astype(float), difference, agree


def write(gamma, ratio, difference):
    lines = [
        "# Master curve of the Cantilever protocol: aspect ratio H/W of a heavy",
        "# inextensible elastica, clamped horizontally, as a function of Gamma.",
        "# Equation: theta'' + Gamma (1 - s) cos(theta) = 0, theta(0) = 0, theta'(1) = 0;",
        "#   H = int sin(theta) ds, W = int cos(theta) ds, s = 0 ... 1",
        "#   (Romero et al. 2021, ACM Trans. Graph. 40(4) 66, eq. 3).",
        "# Values: shooting from the free end, Taylor series, extended precision.",
        "# Check: Gauss-Legendre collocation of the boundary-value problem;",
        f"#   largest relative difference {difference:.1e}.",
        "# Regenerate: reference/cantilever.py    Verify: reference/cantilever.py --check",
        "gamma, aspect_ratio",
    ]
    # repr() gives the digits that read back as the very same number.
    lines += [f"{float(g)!r}, {float(r)!r}" for g, r in zip(gamma, ratio)]
    with open(FILE + ".part", "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    os.replace(FILE + ".part", FILE)


def compare_with_file(gamma, ratio):
    with open(FILE, encoding="ascii") as table:
        rows = [line for line in table if not line.startswith("#")]
    if rows[0].strip() != "gamma, aspect_ratio" or len(rows) != len(gamma) + 1:
        print("cantilever.csv does not hold the expected table")
        return False
    stored = np.array([[float(cell) for cell in row.split(",")] for row in rows[1:]])
    difference = np.abs(stored / np.column_stack([gamma, ratio]) - 1).max()
    print(f"cantilever.csv differs from this computation by at most {difference:.1e}")
    return difference <= TOLERANCE


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--at", nargs="+", type=float, metavar="GAMMA")
    arguments = parser.parse_args()

    if arguments.at:
        if min(arguments.at) <= 0:
            parser.error("Gamma must be positive")
        print("gamma, aspect_ratio")
        for value in arguments.at:
            print(f"{value!r}, {float(by_shooting([value])[0])!r}")
        return 0

    gamma, ratio, difference, agree = compute()
    if arguments.check:
        agree = compare_with_file(gamma, ratio) and agree
    elif agree:
        write(gamma, ratio, difference)
    if not agree:
        print("DISAGREEMENT: see the figures above", file=sys.stderr)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
