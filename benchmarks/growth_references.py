# SPDX-License-Identifier: LGPL-2.1-or-later
"""What benchmarks/growth compares with, by methods of its own: energies of one
coordinate, minimised."""

import numpy as np

GAUSS = np.polynomial.legendre.leggauss(6)


def bisect(f, low, high):
    """Where f, positive at low, becomes negative."""
    while high - low > 1e-13 * abs(high):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return 0.5 * (low + high)


def disk_eigenvalue(growth, h, nu=0.3, n=60):
    """The lowest eigenvalue of the flat disk with the metric exp(-0.2 growth r^2)
    against axisymmetric bending, in Koiter's theory without further approximation:
    quadratic elements for the radius r(s) and for the slope w'(s)."""
    size = 2 * n + 1
    r = np.linspace(0, 1, size)
    stiffness = 12 / h**2
    law = np.array([[1, nu], [nu, 1]])
    points = []
    for e in range(n):
        for xi, weight in zip(*GAUSS):
            shape = np.array([xi * (xi - 1) / 2, 1 - xi * xi, xi * (xi + 1) / 2])
            slope = np.array([xi - 0.5, -2 * xi, xi + 0.5]) * 2 * n
            s = (e + 0.5 * (xi + 1)) / n
            metric = np.exp(-0.2 * growth * s * s)
            points.append(([2 * e, 2 * e + 1, 2 * e + 2], shape, slope, s, metric, 0.5 * weight / n * s / metric))

    def forces(index, shape, slope, s, metric, weight):
        at, rate = r[index] @ shape, r[index] @ slope
        strain = np.array([rate**2 - metric, (at / s) ** 2 - metric])
        return at, rate, stiffness / 4 * weight * law @ strain

    for _ in range(30):
        g, hessian = np.zeros(size), np.zeros((size, size))
        for index, shape, slope, s, metric, weight in points:
            at, rate, force = forces(index, shape, slope, s, metric, weight)
            b = np.array([2 * rate * slope, 2 * at / s**2 * shape])
            g[index] += force @ b
            hessian[np.ix_(index, index)] += (b.T @ law @ b * stiffness / 4 * weight
                                              + 2 * force[0] * np.outer(slope, slope)
                                              + 2 * force[1] / s**2 * np.outer(shape, shape))
        step = np.linalg.solve(hessian[1:, 1:], -g[1:])
        r[1:] += step
        if np.abs(step).max() < 1e-13:
            break
    bending = np.zeros((size, size))
    for index, shape, slope, s, metric, weight in points:
        at, rate, force = forces(index, shape, slope, s, metric, weight)
        second = r[index] @ (np.array([1, -2, 1]) * 4 * n * n)
        b = np.array([slope - second / rate * shape, at / rate / s**2 * shape])
        bending[np.ix_(index, index)] += b.T @ law @ b * weight + 2 * force[0] * np.outer(shape, shape)
    return np.linalg.eigvalsh(bending[1:, 1:])[0]


def disk_threshold(h):
    """The growth at which the flat disk of radius 1 and thickness h buckles."""
    thin = 14.4014 / 0.4 * h * h
    return bisect(lambda growth: disk_eigenvalue(growth, h), 0.9 * thin, 1.1 * thin)


def rolled_slab(growth, nu=0.3):
    """A wide slab of thickness 1 with the rest metric (1 + growth z)^2 in its plane, as a
    solid of St. Venant and Kirchhoff that is rolled up to a part of a hollow cylinder:
    its angle for each length along it, the radius of its middle and the stretch across.
    Unknown are the stretch along it as a polynomial of z, that across, and the angle."""
    lame, shear = nu / ((1 + nu) * (1 - 2 * nu)), 0.5 / (1 + nu)
    z, weights = (0.5 * part for part in np.polynomial.legendre.leggauss(12))
    powers, n = np.arange(7), 7
    values, slopes = z[:, None] ** powers, powers * z[:, None] ** np.maximum(powers - 1, 0)
    grown = 1 + growth * z

    def gradient(x):
        along, rate, angle, across = values @ x[:n], slopes @ x[:n], x[n], x[n + 1]
        stretch = [along / grown, across / grown, rate / angle]
        strain = [(t**2 - 1) / 2 for t in stretch]
        force = [weights * grown**2 * (lame * sum(strain) + 2 * shear * e) * t
                 for e, t in zip(strain, stretch)]
        return np.concatenate([(force[0] / grown) @ values + (force[2] / angle) @ slopes,
                               [-(force[2] * rate).sum() / angle**2, (force[1] / grown).sum()]])

    # From the curvature of a plate, the limit of little growth.
    x = np.zeros(n + 2)
    x[n] = x[1] = (1 + nu) * growth
    x[0] = x[n + 1] = 1.0
    for _ in range(100):
        g = gradient(x)
        steps = 1e-6 * np.maximum(np.abs(x), 0.1 * growth)
        hessian = np.column_stack([(gradient(x + d) - gradient(x - d)) / (2 * h)
                                   for h, d in zip(steps, np.diag(steps))])
        step = np.linalg.solve(hessian, -g)
        x += step
        if np.max(np.abs(step)) < 1e-12:
            return x[n], x[0] / x[n], x[n + 1]
    raise RuntimeError("the rolled slab was not found")
