#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The master curve of the Stick-Slip protocol: Q/P over the vertical strain.

An inextensible rod of length 1 and bending stiffness 1 is clamped upright and
pressed against a rough floor by epsilon. With the angle psi from the axis of the
clamp, the thrust P and the friction Q its shape obeys

    psi'' = -(P sin psi + Q cos psi),   psi(0) = 0,   psi'(1) = 0,
    x' = sin psi,   y' = cos psi,   x(1) = 0,   y(1) = 1 - epsilon,

until the tip is parallel to the floor (the triple point); the table has |Q|. Beyond it a part of
length c lies on the floor, without moment and hence without pressure; the rest
is the same elastica of length 1 - c with psi = pi/2 and psi' = 0 at its end,
which stands at x = -c, as the tip still sticks at x = 0. Pressure and friction
act where the rod leaves the floor, so that slip begins at Q/P = mu there, too.

First method: elliptic functions. Second method: Chebyshev collocation.

    reference/stick_slip.py              write stick_slip.csv
    reference/stick_slip.py --check      recompute, compare methods and file
    reference/stick_slip.py --at EPS...  values elsewhere
"""

import argparse
import os
import sys

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipeinc, ellipj, ellipk

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stick_slip.csv")
COLUMNS = "epsilon, force_ratio, thrust, friction, contact_length"
# Where tan u = u for the first time: clamped at one end, hinged at the other.
TOLERANCE = 1e-10


def root(function, low, high):
    return brentq(function, low, high, xtol=1e-15, rtol=9e-16)


BUCKLING = root(lambda u: np.sin(u) - u * np.cos(u), 4.0, 4.7)


def elastica(k, u):
    """Of the rod with the modulus k and u^2 = |F|: the slope alpha of the force,
    and the place (X, Y) of its end, by

        sin(phi/2) = k sn(u (1 - s) + K),   phi = psi + alpha,
        int cos phi = 2 (E(am(u + K)) - E(K))/u - 1,   int sin phi = -2 k cn(u + K)/u.
    """
    m = k * k
    quarter = ellipk(m)
    sn, cn, _, am = ellipj(u + quarter, m)
    alpha = 2 * np.arcsin(k * sn)
    cosine = 2 * (ellipeinc(am, m) - ellipeinc(np.pi / 2, m)) / u - 1
    sine = -2 * k * cn / u
    x = sine * np.cos(alpha) - cosine * np.sin(alpha)
    y = cosine * np.cos(alpha) + sine * np.sin(alpha)
    return alpha, x, y


def tip_on_its_place(k):
    """The rod whose end stands under its clamp."""
    quarter = ellipk(k * k)
    return root(lambda u: elastica(k, u)[1], 2.4 * quarter, 3 * quarter)


def flat_end(k):
    """The rod whose end is parallel to the floor."""
    quarter = ellipk(k * k)
    return root(
        lambda u: 2 * np.arcsin(k) - elastica(k, u)[0] - np.pi / 2, 2.2 * quarter, 3.8 * quarter
    )


def free(k):
    """(epsilon, ratio, P, Q, 0) with the tip alone on the floor."""
    u = tip_on_its_place(k)
    alpha, _, y = elastica(k, u)
    return 1 - y, -np.tan(alpha), u * u * np.cos(alpha), -u * u * np.sin(alpha), 0.0


def extended(k):
    """The same with the length c on the floor: x = -c, so that c follows."""
    u = flat_end(k)
    alpha, x, y = elastica(k, u)
    length = 1 / (1 - x)
    force = (u / length) ** 2
    return (1 - length * y, -np.tan(alpha), force * np.cos(alpha),
            -force * np.sin(alpha), 1 - length)


def triple_modulus():
    def miss(k):
        return 2 * np.arcsin(k) - elastica(k, tip_on_its_place(k))[0] - np.pi / 2

    return root(miss, 0.4, 0.62)


def by_elliptic_functions(epsilon, triple):
    """One row of the table."""
    if epsilon == 0:
        return 0.0, 0.0, BUCKLING**2, 0.0, 0.0
    at_triple = free(triple)[0]
    if abs(epsilon - at_triple) < 1e-14:
        return free(triple)
    if epsilon < at_triple:
        k = root(lambda k: free(k)[0] - epsilon, 1e-4, triple)
        return (epsilon,) + free(k)[1:]
    k = root(lambda k: extended(k)[0] - epsilon, triple, 0.9)
    return (epsilon,) + extended(k)[1:]


def chebyshev(n):
    """Points on [0, 1], the matrix of differentiation and the weights of integration."""
    t = np.pi * np.arange(n + 1) / n
    x = np.cos(t)
    c = np.ones(n + 1)
    c[[0, -1]] = 2
    c *= (-1) ** np.arange(n + 1)
    gaps = x[:, None] - x[None, :] + np.eye(n + 1)
    matrix = np.outer(c, 1 / c) / gaps
    matrix -= np.diag(matrix.sum(axis=1))
    moments = [2 / (1 - j * j) if j % 2 == 0 else 0.0 for j in range(n + 1)]
    weights = np.linalg.solve(np.cos(np.outer(np.arange(n + 1), t)), moments)
    # x runs from 1 to -1, s from 0 to 1.
    return (1 - x) / 2, -2 * matrix, weights / 2


class Collocation:
    """Newton's method for psi at Chebyshev points, P, Q and the free length."""

    def __init__(self, n=32):
        self.n = n
        self.s, self.D, self.weights = chebyshev(n)
        self.second = self.D @ self.D

    def solve(self, epsilon, guess, is_extended):
        z = guess.copy()
        n = self.n
        for _ in range(30):
            psi, (p, q, length) = z[: n + 1], z[n + 1 :]
            sine, cosine = np.sin(psi), np.cos(psi)
            residual = np.empty(n + 4)
            jacobian = np.zeros((n + 4, n + 4))
            residual[: n + 1] = self.second @ psi + length**2 * (p * sine + q * cosine)
            jacobian[: n + 1, : n + 1] = self.second + length**2 * np.diag(p * cosine - q * sine)
            jacobian[: n + 1, n + 1] = length**2 * sine
            jacobian[: n + 1, n + 2] = length**2 * cosine
            jacobian[: n + 1, n + 3] = 2 * length * (p * sine + q * cosine)
            jacobian[[0, n]] = 0
            residual[0], jacobian[0, 0] = psi[0], 1
            residual[n], jacobian[n, : n + 1] = self.D[n] @ psi, self.D[n]
            # The end stands at -(1 - length), which is 0 before the triple point.
            residual[n + 1] = length * self.weights @ sine + 1 - length
            jacobian[n + 1, : n + 1] = length * self.weights * cosine
            jacobian[n + 1, n + 3] = self.weights @ sine - 1
            residual[n + 2] = length * self.weights @ cosine - 1 + epsilon
            jacobian[n + 2, : n + 1] = -length * self.weights * sine
            jacobian[n + 2, n + 3] = self.weights @ cosine
            if is_extended:
                residual[n + 3], jacobian[n + 3, n] = psi[n] - np.pi / 2, 1
            else:
                residual[n + 3], jacobian[n + 3, n + 3] = length - 1, 1
            step = np.linalg.solve(jacobian, residual)
            z -= step
            if np.abs(step).max() < 1e-11 * BUCKLING**2:
                return z
        raise RuntimeError(f"no convergence at epsilon = {epsilon}")

    def curve(self, epsilons, triple_epsilon):
        """Rows, from the buckled mode on: psi ~ cos(u s) + u sin(u s) - 1."""
        u = BUCKLING
        mode = np.cos(u * self.s) + u * np.sin(u * self.s) - 1
        size = np.sqrt(2 * epsilons[0] / (self.weights @ mode**2))
        # The end is to point to where psi is positive.
        sign = np.sign(mode[-1])
        z = np.concatenate([sign * size * mode, [u * u, sign * size * u * u, 1]])
        rows = []
        for epsilon in epsilons:
            z = self.solve(epsilon, z, epsilon > triple_epsilon + 1e-12)
            p, q, length = z[self.n + 1 :]
            rows.append((epsilon, -q / p, p, -q, 1 - length))
        return np.array(rows)


def small_strain_factor():
    """Q/P over sqrt(epsilon) at epsilon = 0: with psi = a (cos us + u sin us - 1)
    the force has the slope Q/P = a, and epsilon = a^2/2 int (psi/a)^2 ds."""
    u = BUCKLING
    s, _, weights = chebyshev(40)
    return 1 / np.sqrt(0.5 * weights @ (np.cos(u * s) + u * np.sin(u * s) - 1) ** 2)


def compute():
    triple = triple_modulus()
    at_triple = free(triple)[0]
    grid = [i / 500 for i in range(1, 301)]
    grid = sorted(grid + [at_triple])
    table = np.array([by_elliptic_functions(e, triple) for e in [0.0] + grid])
    difference = 0.0
    for n in (34, 40):
        other = Collocation(n).curve(grid, at_triple)
        scale = np.array([1, 1, BUCKLING**2, BUCKLING**2, 1])
        difference = max(difference, (np.abs(other - table[1:]) / scale).max())
    print(f"triple point {at_triple:.15f} {free(triple)[1]:.15f}")
    print(f"largest difference of the two methods {difference:.1e}")
    factor = small_strain_factor()
    row = free(1e-3)
    print(f"Q/P -> {factor:.12f} sqrt(epsilon); at {row[0]:.1e}: {row[1] / np.sqrt(row[0]):.12f}")
    agree = difference < TOLERANCE and abs(row[1] / np.sqrt(row[0]) / factor - 1) < 1e-5
    return table, difference, agree


def write(table, difference):
    lines = [
        "# Master curve of the Stick-Slip protocol: friction over thrust, Q/P, of an",
        "# elastica that is clamped upright and pressed against a floor by epsilon; slip",
        "# begins where it reaches the coefficient of friction. Forces in EI/L^2.",
        "# Up to the triple point, the row with contact_length = 0 that is not a multiple of",
        "# 0.002, the tip alone touches; beyond it the length contact_length lies on the floor.",
        "# Values: elliptic functions. Check: Chebyshev collocation;",
        f"#   largest difference {difference:.1e} (forces in units of the buckling load).",
        "# Regenerate: reference/stick_slip.py    Verify: reference/stick_slip.py --check",
        COLUMNS,
    ]
    lines += [", ".join(repr(float(v)) for v in row) for row in table]
    with open(FILE + ".part", "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    os.replace(FILE + ".part", FILE)


def compare_with_file(table):
    with open(FILE, encoding="ascii") as stored:
        rows = [line for line in stored if not line.startswith("#")]
    if rows[0].strip() != COLUMNS or len(rows) != len(table) + 1:
        print("stick_slip.csv does not hold the expected table")
        return False
    stored = np.array([[float(cell) for cell in row.split(",")] for row in rows[1:]])
    difference = (np.abs(stored - table) / np.maximum(1, np.abs(table))).max()
    print(f"stick_slip.csv differs from this computation by at most {difference:.1e}")
    return difference < TOLERANCE


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--at", nargs="+", type=float, metavar="EPSILON")
    arguments = parser.parse_args()
    if arguments.at:
        if min(arguments.at) < 1e-6 or max(arguments.at) > 0.9:
            parser.error("epsilon must be between 1e-6 and 0.9")
        print(COLUMNS)
        triple = triple_modulus()
        for value in arguments.at:
            print(", ".join(repr(float(v)) for v in by_elliptic_functions(value, triple)))
        return 0
    table, difference, agree = compute()
    if arguments.check:
        agree = compare_with_file(table) and agree
    elif agree:
        write(table, difference)
    if not agree:
        print("DISAGREEMENT: see the figures above", file=sys.stderr)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
