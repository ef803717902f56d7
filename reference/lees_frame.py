#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Limit loads of Lee's frame, by integrating its two rods from end to end.

A column and a beam of length 120 meet at a right angle that stays one, are
hinged at their far ends, and carry a force on the beam at 24 from the corner;
EI = 1440, EA = 4320. With the force F in a section, its angle theta and moment
M, the plane rod (which stretches and does not shear) is

    x' = (1 + N/EA) cos(theta), z' = (1 + N/EA) sin(theta),
    theta' = M/EI, M' = -(x' F_z - z' F_x), N = F_x cos(theta) + F_z sin(theta).

The angle at the lower hinge, the force there and the load are found such that
the other hinge is where it is and bears no moment; the path is followed by its
arc length, and the extrema of the load along it are printed. The test
unit/structures compares with them.
"""

import sys

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve, minimize_scalar

BENDING, AXIAL, LENGTH, LOAD_AT = 1440.0, 4320.0, 120.0, 24.0
LIMIT_LOADS = (1.8556728, -0.9414432)  # what it printed; the test's figures


def member(state, force, length):
    """Position, angle and moment at the end of a piece of rod."""

    def rates(_, y):
        c, s = np.cos(y[2]), np.sin(y[2])
        stretch = 1 + (force[0] * c + force[1] * s) / AXIAL
        x, z = stretch * c, stretch * s
        return [x, z, y[3] / BENDING, -(x * force[1] - z * force[0])]

    found = solve_ivp(rates, [0, length], state, rtol=1e-11, atol=1e-11, method="DOP853")
    return found.y[:, -1]


def misfit(unknowns):
    angle, across, along, load = unknowns
    state = member([0, 0, np.pi / 2 + angle, 0], (across, along), LENGTH)
    state[2] -= np.pi / 2
    state = member(state, (across, along), LOAD_AT)
    state = member(state, (across, along + load), LENGTH - LOAD_AT)
    return np.array([state[0] - LENGTH, state[1] - LENGTH, state[3]]) / LENGTH


def at_distance(base, tangent, distance):
    """The point of the path in the plane across its tangent."""
    guess = base + distance * tangent
    equations = lambda u: [*misfit(u), tangent @ (u - base) - distance]
    return fsolve(equations, guess, xtol=1e-13)


def extremum(base, tangent, distance, sign):
    load = lambda ds: sign * at_distance(base, tangent, ds)[3]
    best = minimize_scalar(load, bounds=(-distance, distance), method="bounded",
                           options={"xatol": 1e-7})
    return sign * best.fun


def limit_loads(count):
    """The first extrema of the load along the path."""
    step, points = 0.02, [np.zeros(4)]
    tangent = np.array([1.0, 0, 0, 0.3])
    found = []
    while len(found) < count:
        tangent = tangent / np.linalg.norm(tangent)
        points.append(at_distance(points[-1], tangent, step))
        tangent = points[-1] - points[-2]
        if len(points) > 3:
            a, b, c = (p[3] for p in points[-3:])
            if (b - a) * (c - b) < 0:
                along = (points[-1] - points[-3]) / np.linalg.norm(points[-1] - points[-3])
                found.append(extremum(points[-2], along, step, -1 if b > a else 1))
    return found


def main():
    if "--check" in sys.argv[1:]:
        # The second one takes a minute.
        (found,) = limit_loads(1)
        if abs(found - LIMIT_LOADS[0]) > 2e-7:
            sys.exit(f"limit load {found:.7f}, not {LIMIT_LOADS[0]:.7f}")
        return
    for load in limit_loads(2):
        print(f"limit load {load:.7f}")


if __name__ == "__main__":
    main()
