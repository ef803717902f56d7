#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The master curve of the Bend-Twist protocol: the frontier of 2D and 3D states.

A naturally curved rod (length 1, EI = 1, GJ = 1/(1 + nu), natural curvature
phi) hangs under its weight Gamma from a clamp that points downwards. In the
plane of x = Gamma^(1/3)/phi and y = phi/(2 pi) the frontier is where its planar
equilibrium loses stability to out-of-plane perturbations: one open curve, from
y = 10 on the left branch through a nose to y = 10 on the right branch. It is
computed by collocation with continuation, and judged by multiple shooting, from
another form of the equations, with a determinant.

    reference/bend_twist.py                           write bend_twist.csv
    reference/bend_twist.py --check                   recompute a sample, compare with the file
    reference/bend_twist.py --grid                    write bend_twist_grid.csv, from bend_twist.csv
    reference/bend_twist.py --at Y ...                print x on both branches at these y
    reference/bend_twist.py --nu 0.3 --output FILE    the curve of another Poisson's ratio

The equations. theta(s) is the angle of the tangent from the downward vertical.
With a = phi s for arc length, curvatures in units of phi and the tension
w = x^3 (2 pi y - a) in units of EI phi^2, the planar equilibrium obeys

    theta' = k,   k' = w sin(theta),   theta(clamp) = 0,   k(free end) = 1.

Out of the plane the cross section turns by alpha about the tangent and by beta
about the normal in the plane. To second order the energy then changes by half of

    int C (alpha' - k beta)^2 + beta'^2 + 2 alpha beta' + k alpha^2
        + (w cos(theta) - (k - 1) k) beta^2,        C = GJ/EI = 1/(1 + nu),

and with the twisting moment p = C (alpha' - k beta) and M = beta' + alpha its
Euler-Lagrange equations are

    alpha' = k beta + p/C,   p' = M + (k - 1) alpha,
    beta' = M - alpha,       M' = -k p + (w cos(theta) - (k - 1) k) beta,
    alpha = beta = 0 at the clamp,   p = M = 0 at the free end.

The frontier is where they have a solution other than zero.
"""

import argparse
import os
import sys
import time
from collections import namedtuple

# The matrices are small: more than one thread would only get in its own way.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

try:
    import numpy as np
    from scipy.integrate import solve_ivp
    from scipy.interpolate import CubicHermiteSpline, CubicSpline
    from scipy.optimize import brentq
except ImportError:
    # Another Python may hide the one that Debian's packages extend.
    SYSTEM_PYTHON = "/usr/bin/python3"
    if sys.executable != SYSTEM_PYTHON and os.access(SYSTEM_PYTHON, os.X_OK):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON] + sys.argv)
    sys.exit("bend_twist.py: needs numpy and scipy (packages python3-numpy, python3-scipy)")

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(DIRECTORY, "bend_twist.csv")
GRID_FILE = os.path.join(DIRECTORY, "bend_twist_grid.csv")
HEADER = "x, y, gamma, phi"
NU = 0.5
Y_END = 10.0

# What the methods, or the file and a new computation, may differ by: distance
# between the curves in the plane of ln x and ln y.
TOLERANCE = 1e-9

# How far a point on the chord between two rows may be from the curve, there.
SAGITTA = 2.3e-7


# --- First method: collocation and continuation ------------------------------
#
# Gauss-Legendre collocation, of order 2 * stages at the nodes, of
# z' = F(sigma, z, lam) for z = (theta, k) or z = (theta, k, alpha, beta, p, M),
# sigma = s = 0 ... 1, and lam = (ln x, ln y). Boundary conditions,
# normalisation and arc length are linear conditions on nodal values and lam.
# Newton's method eliminates the slopes at the stages element by element; what
# is left is a system for nodal values and lam.


def planar(sigma, z, lam, _):
    """F, and its derivatives with respect to z and lam: equilibrium alone."""
    phi = 2 * np.pi * np.exp(lam[1])
    w = np.exp(3 * lam[0]) * phi * (1 - sigma)
    theta, k = z[..., 0], z[..., 1]
    f = phi * np.stack([k, w * np.sin(theta)], -1)
    jacobian = np.zeros(z.shape + (2,))
    jacobian[..., 0, 1] = phi
    jacobian[..., 1, 0] = phi * w * np.cos(theta)
    by_lam = np.zeros(z.shape + (2,))
    by_lam[..., 1, 0] = 3 * f[..., 1]
    by_lam[..., 1] = f * [1, 2]
    return f, jacobian, by_lam


def extended(sigma, z, lam, c):
    """The same with the null vector of the second variation."""
    phi = 2 * np.pi * np.exp(lam[1])
    w = np.exp(3 * lam[0]) * phi * (1 - sigma)
    theta, k, alpha, beta, p, m = np.moveaxis(z, -1, 0)
    sine, cosine = np.sin(theta), np.cos(theta)
    stiffness = w * cosine - (k - 1) * k

    f = [k, w * sine, k * beta + p / c, m - alpha, m + (k - 1) * alpha, stiffness * beta - k * p]
    f = phi * np.stack(f, -1)

    jacobian = np.zeros(z.shape + (6,))
    jacobian[..., 0, 1] = 1
    jacobian[..., 1, 0] = w * cosine
    jacobian[..., 2, 1] = beta
    jacobian[..., 2, 3] = k
    jacobian[..., 2, 4] = 1 / c
    jacobian[..., 3, 2] = -1
    jacobian[..., 3, 5] = 1
    jacobian[..., 4, 1] = alpha
    jacobian[..., 4, 2] = k - 1
    jacobian[..., 4, 5] = 1
    jacobian[..., 5, 0] = -w * sine * beta
    jacobian[..., 5, 1] = -p - (2 * k - 1) * beta
    jacobian[..., 5, 3] = stiffness
    jacobian[..., 5, 4] = -k
    jacobian *= phi

    by_load = np.zeros(z.shape)
    by_load[..., 1] = phi * w * sine
    by_load[..., 5] = phi * w * cosine * beta
    return f, jacobian, np.stack([3 * by_load, f + by_load], -1)


# Boundary conditions by the number of unknown functions: those that have a
# value at the clamp, and at the free end.
AT_CLAMP = {2: [(0, 0.0)], 6: [(0, 0.0), (2, 0.0), (3, 0.0)]}
AT_FREE_END = {2: [(1, 1.0)], 6: [(1, 1.0), (4, 0.0), (5, 0.0)]}

# A solution, and the direction of the curve of solutions that it lies on.
Point = namedtuple("Point", "nodes slopes lam nodes_dir slopes_dir lam_dir")


class Collocation:
    def __init__(self, elements=40, stages=10):
        legendre = np.polynomial.legendre
        x, w = legendre.leggauss(stages)
        primitives = legendre.legint(np.eye(stages), lbnd=-1)
        vandermonde = legendre.legvander(x, stages - 1)
        self.elements, self.stages = elements, stages
        self.ends = np.linspace(0, 1, elements + 1)
        self.h = 1 / elements
        self.a = legendre.legval(x, primitives).T / 2 @ np.linalg.inv(vandermonde)
        self.b = w / 2
        self.c = (x + 1) / 2
        self.sigma = self.ends[:-1, None] + self.h * self.c

    def at_stages(self, nodes, slopes):
        return nodes[:-1, None] + self.h * (self.a @ slopes)

    def linearise(self, rhs, nodes, slopes, lam, c):
        """Slopes and nodal values that Newton's method allows, as functions of
        the changes of the nodal value on the left, and of lam."""
        e, s, n = slopes.shape
        f, jacobian, by_lam = rhs(self.sigma, self.at_stages(nodes, slopes), lam, c)
        # Rows (i, k), columns (j, l): delta_ij delta_kl - h a_ij jacobian_ikl.
        local = -self.h * (jacobian[:, :, :, None, :] * self.a[:, None, :, None])
        local = local.reshape(e, s * n, s * n)
        local[:, np.arange(s * n), np.arange(s * n)] += 1
        right = np.concatenate([jacobian, by_lam, (f - slopes)[..., None]], -1)
        response = np.linalg.solve(local, right.reshape(e, s * n, n + 3))
        response = response.reshape(e, s, n, n + 3)

        size = n * (e + 1)
        transfer = self.h * np.tensordot(response, self.b, (1, 0))
        matrix, residual = np.zeros((size + 2, size + 2)), np.zeros(size + 2)
        defect = nodes[:-1] - nodes[1:] + self.h * (self.b @ slopes)
        residual[: n * e] = (defect + transfer[..., -1]).ravel()
        matrix[: n * e, size:] = -transfer[..., n : n + 2].reshape(n * e, 2)
        for i in range(e):
            rows = slice(n * i, n * i + n)
            matrix[rows, rows] = -np.eye(n) - transfer[i, :, :n]
            matrix[rows, n * i + n : n * i + 2 * n] = np.eye(n)
        for row, (column, _) in enumerate(AT_CLAMP[n], start=n * e):
            matrix[row, column] = 1
        for row, (column, _) in enumerate(AT_FREE_END[n], start=n * e + n // 2):
            matrix[row, n * e + column] = 1
        values = [value for _, value in AT_CLAMP[n] + AT_FREE_END[n]]
        unknowns = np.concatenate([nodes.ravel(), lam])
        residual[n * e : size] = values - matrix[n * e : size] @ unknowns
        return matrix, residual, response

    def expand(self, change, response, inhomogeneous):
        """Nodal values, slopes and lam from the solution of the reduced system."""
        n = response.shape[2]
        nodes, lam = change[:-2].reshape(-1, n), change[-2:]
        slopes = response[..., n : n + 2] @ lam + inhomogeneous * response[..., -1]
        slopes += (response[..., :n] @ nodes[:-1, None, :, None])[..., 0]
        return nodes, slopes, lam

    def solve(self, rhs, guess, conditions, c, tolerance=1e-9, iterations=7):
        """The solution near guess = (nodes, slopes, lam) with two conditions
        (row, value): row times (nodes, lam) = value. The direction along the
        curve of solutions keeps all conditions but the last."""
        nodes, slopes, lam = guess
        rows = np.array([row for row, _ in conditions])
        values = np.array([value for _, value in conditions])
        for _ in range(iterations):
            matrix, residual, response = self.linearise(rhs, nodes, slopes, lam, c)
            matrix[-2:] = rows
            residual[-2:] = values - rows @ np.concatenate([nodes.ravel(), lam])
            along = np.zeros_like(residual)
            along[-1] = 1
            changes = np.linalg.solve(matrix, np.stack([residual, along], -1))
            d_nodes, d_slopes, d_lam = self.expand(changes[:, 0], response, 1)
            size = max(np.abs(d_nodes).max() / np.abs(nodes).max(), np.abs(d_lam).max())
            if not size < 10:
                break
            nodes, slopes, lam = nodes + d_nodes, slopes + d_slopes, lam + d_lam
            if size < tolerance:
                return Point(nodes, slopes, lam, *self.expand(changes[:, 1], response, 0))
        raise ArithmeticError("Newton's method did not converge")

    def lam_row(self, n, by_ln_x, by_ln_y):
        row = np.zeros(n * (self.elements + 1) + 2)
        row[-2:] = by_ln_x, by_ln_y
        return row

    def unloaded(self, y):
        """The natural shape, as an equilibrium at x = 10^-3."""
        phi = 2 * np.pi * y
        nodes = np.stack([phi * self.ends, np.ones(self.elements + 1)], -1)
        slopes = np.zeros((self.elements, self.stages, 2))
        slopes[..., 0] = phi
        return nodes, slopes, np.log([1e-3, y])

    def equilibrium(self, guess, x, y):
        conditions = [(self.lam_row(2, 0, 1), np.log(y)), (self.lam_row(2, 1, 0), np.log(x))]
        return self.solve(planar, guess, conditions, None)


# --- Stability: the inertia of the second variations --------------------------
#
# Galerkin's method with polynomials of degree stages - 2 on the elements of the
# collocation, integrated with its stages. The numbers of negative eigenvalues
# of the interior blocks and of the Schur complement add up to that of the whole
# (Haynsworth).


def negative_eigenvalues(collocation, point, c):
    """How many the second variation has: out of the plane, and in the plane."""
    legendre = np.polynomial.legendre
    e, degree = collocation.elements, collocation.stages - 2
    extrema = legendre.legroots(legendre.legder([0] * degree + [1]))
    support = np.concatenate([[-1, 1], extrema])
    to_legendre = np.linalg.inv(legendre.legvander(support, degree))
    gauss = 2 * collocation.c - 1
    shape = legendre.legvander(gauss, degree) @ to_legendre
    slope = legendre.legval(gauss, legendre.legder(np.eye(degree + 1))).T @ to_legendre

    z = collocation.at_stages(point.nodes, point.slopes)
    theta, k = z[..., 0], z[..., 1]
    phi = 2 * np.pi * np.exp(point.lam[1])
    w = np.exp(3 * point.lam[0]) * phi * (1 - collocation.sigma)
    h = phi * collocation.h

    # Values at the stages, by element and local function.
    value = np.broadcast_to(shape, (e,) + shape.shape)
    prime = np.broadcast_to(slope * 2 / h, (e,) + shape.shape)
    zero = np.zeros_like(value)
    alpha, beta = np.concatenate([value, zero], -1), np.concatenate([zero, value], -1)
    beta_prime = np.concatenate([zero, prime], -1)
    twist = np.concatenate([prime, -k[..., None] * value], -1)

    def form(weight, f, g):
        weighted = (h * collocation.b * weight)[..., None] * g
        return np.swapaxes(f, 1, 2) @ weighted

    one = np.ones_like(k)
    mixed = form(one, alpha, beta_prime)
    outside = form(c * one, twist, twist) + form(one, beta_prime, beta_prime)
    outside += mixed + np.swapaxes(mixed, 1, 2) + form(k, alpha, alpha)
    outside += form(w * np.cos(theta) - (k - 1) * k, beta, beta)
    inside = form(one, prime, prime) + form(w * np.cos(theta), value, value)

    counts = []
    for local, fields in ((outside, 2), (inside, 1)):
        # The ends come first, then the interior of the element.
        numbers = np.arange(fields * (degree + 1)).reshape(fields, degree + 1)
        ends, interior = numbers[:, :2].T.ravel(), numbers[:, 2:].ravel()
        ee = local[:, ends][:, :, ends]
        ei = local[:, ends][:, :, interior]
        ii = local[:, interior][:, :, interior]
        count = int((np.linalg.eigvalsh(ii) < 0).sum())
        schur = ee - ei @ np.linalg.solve(ii, np.swapaxes(ei, 1, 2))
        matrix = np.zeros((fields * (e + 1), fields * (e + 1)))
        for i in range(e):
            block = slice(fields * i, fields * (i + 2))
            matrix[block, block] += schur[i]
        free = matrix[fields:, fields:]
        counts.append(count + int((np.linalg.eigvalsh((free + free.T) / 2) < 0).sum()))
    return tuple(counts)


# --- The frontier, from its nose -----------------------------------------------


class Frontier:
    def __init__(self, nu=NU, **mesh):
        self.c = 1 / (1 + nu)
        self.collocation = Collocation(**mesh)

    def solve(self, guess, direction, value, tolerance=1e-9):
        """The point of the frontier near guess with direction * lam = value."""
        nodes, slopes, lam = guess
        scale = np.linalg.norm(nodes[:, 2:])
        nodes, slopes = nodes.copy(), slopes.copy()
        nodes[:, 2:] /= scale
        slopes[..., 2:] /= scale
        normal = np.zeros(nodes.size + 2)
        normal[:-2].reshape(nodes.shape)[:, 2:] = nodes[:, 2:]
        conditions = [(normal, 1.0), (self.collocation.lam_row(6, *direction), value)]
        guess = (nodes, slopes, lam)
        point = self.collocation.solve(extended, guess, conditions, self.c, tolerance)
        length = np.hypot(*point.lam_dir)
        return point._replace(
            nodes_dir=point.nodes_dir / length,
            slopes_dir=point.slopes_dir / length,
            lam_dir=point.lam_dir / length,
        )

    def step(self, point, length, tolerance=1e-9):
        """The point at this arc length from another, to first order."""
        guess = [p + length * d for p, d in zip(point[:3], point[3:])]
        return self.solve(guess, point.lam_dir, point.lam_dir @ point.lam + length, tolerance)

    def advance(self, point, length):
        """The same, or, where that fails, half way or less."""
        while length > 1e-5:
            try:
                return self.step(point, length)
            except ArithmeticError:
                length /= 2
        x, y = np.exp(point.lam)
        raise ArithmeticError(f"the continuation stopped at x = {x:.4f}, y = {y:.4f}")

    def move_to(self, point, lam, normal_to, depth=8):
        """The point of the frontier on the line through lam with this normal."""
        length = (normal_to @ (lam - point.lam)) / (normal_to @ point.lam_dir)
        try:
            guess = [p + length * d for p, d in zip(point[:3], point[3:])]
            return self.solve(guess, normal_to, normal_to @ lam)
        except ArithmeticError:
            if depth == 0:
                raise
            nearer = self.step(point, length / 2)
            return self.move_to(nearer, lam, normal_to, depth - 1)

    def first_unstable(self, y):
        """The first planar state with an unstable direction on this line, with
        growing weight, if that direction leaves the plane."""
        guess = self.collocation.unloaded(y)
        for x in np.arange(0.02, 0.6, 0.005):
            try:
                equilibrium = self.collocation.equilibrium(guess, x, y)
            except ArithmeticError:
                return None
            outside, inside = negative_eigenvalues(self.collocation, equilibrium, self.c)
            if outside or inside:
                return equilibrium if (outside, inside) == (1, 0) else None
            guess = equilibrium[:3]
        return None

    def start(self):
        """A point on the left branch."""
        for y in (2.0, 3.0, 5.0, 8.0):
            equilibrium = self.first_unstable(y)
            if equilibrium:
                break
        else:
            raise ArithmeticError("no planar state leaves the plane before a fold, up to y = 8")

        # The null vector, nearly: that of the smallest singular value of the
        # linear part.
        e, s = self.collocation.elements, self.collocation.stages
        nodes, slopes = np.zeros((e + 1, 6)), np.zeros((e, s, 6))
        nodes[:, :2], slopes[..., :2] = equilibrium.nodes, equilibrium.slopes
        matrix, _, response = self.collocation.linearise(
            extended, nodes, slopes, equilibrium.lam, self.c
        )
        columns = np.arange(6 * (e + 1)).reshape(e + 1, 6)[:, 2:]
        rows = np.append(columns[:-1], 6 * e + np.array([1, 2, 4, 5]))
        linear = matrix[np.ix_(rows, columns.ravel())]
        nodes[:, 2:] = np.linalg.svd(linear)[2][-1].reshape(e + 1, 4)
        slopes[..., 2:] = (response[:, :, 2:, 2:6] @ nodes[:-1, None, 2:, None])[..., 0]
        return self.solve((nodes, slopes, equilibrium.lam), np.array([0.0, 1.0]), np.log(y))

    def reversed(self, point):
        return point._replace(
            nodes_dir=-point.nodes_dir, slopes_dir=-point.slopes_dir, lam_dir=-point.lam_dir
        )

    def nose(self):
        """The lowest point, with the direction of the right branch."""
        point = self.start()
        if point.lam_dir[1] > 0:
            point = self.reversed(point)
        for _ in range(1000):
            ahead = self.advance(point, 0.02)
            if ahead.lam_dir[1] > 0:
                break
            point = ahead
        else:
            raise ArithmeticError("the left branch has no nose")
        # Secant method on the slope of the direction.
        low, high, found = 0.0, np.hypot(*(ahead.lam - point.lam)), ahead
        f_low, f_high = point.lam_dir[1], ahead.lam_dir[1]
        for _ in range(20):
            length = high - f_high * (high - low) / (f_high - f_low)
            found = self.step(point, length, tolerance=1e-13 if abs(f_high) < 1e-6 else 1e-9)
            low, high, f_low, f_high = high, length, f_high, found.lam_dir[1]
            if abs(f_high) < 1e-13 or high == low:
                break
        return found if found.lam_dir[0] > 0 else self.reversed(found)

    def follow(self, nose, on_left, sagitta, largest):
        """The points from the nose, exclusive, to y = Y_END, inclusive. Steps
        bound the distance between chord and curve, and do not exceed `largest`
        in y nor in ln y."""
        points, point = [], self.reversed(nose) if on_left else nose
        length, end = 1e-3, np.log(Y_END)
        for _ in range(20000):
            try:
                ahead = self.step(point, length)
            except ArithmeticError:
                length /= 2
                if length < 1e-6:
                    break
                continue
            bend = np.hypot(*(ahead.lam_dir - point.lam_dir)) / length
            if ahead.lam[1] >= end:
                vertical = np.array([0.0, 1.0])
                # No last step that is much shorter than the others.
                if end - point.lam[1] < 0.3 * (ahead.lam[1] - point.lam[1]):
                    points.pop()
                points.append(self.move_to(point, np.array([0.0, end]), vertical))
                return points
            points.append(ahead)
            point = ahead
            allowed = largest / max(1, np.exp(point.lam[1]))
            allowed = min(allowed, np.sqrt(8 * sagitta / max(bend, 1e-9)))
            length = min(max(allowed, length / 1.2), 1.1 * length)
        x, y = np.exp(point.lam)
        raise ArithmeticError(f"the continuation stopped at x = {x:.4f}, y = {y:.4f}")

    def curve(self, sagitta=SAGITTA, largest=0.019):
        """The nose, and all points from the end of the left branch to that of
        the right branch."""
        nose = self.nose()
        left = self.follow(nose, True, sagitta, largest)
        right = self.follow(nose, False, sagitta, largest)
        return nose, [self.reversed(point) for point in left[::-1]] + [nose] + right


# --- Second method: multiple shooting, and a determinant ----------------------
#
# The linearisation of the balance of torques and of the Darboux equation
# (Romero et al. 2021, eqs. 4 and 6, with the load downwards) in the components
# of tangent and normal along the normal of the plane, u and v, in the twist t
# and in the second curvature q. From the free end to the clamp,
# zeta = Gamma^(1/3) (1 - s) and curvatures in units of Gamma^(1/3):
#
#     theta' = -k,           k' = -zeta sin(theta),
#     u' = q - k v,          v' = k u - t,
#     C t' = -q/x,           q' = -((1 - C) k - 1/x) t + zeta (u cos(theta) - v sin(theta)),
#
# with k = 1/x, t = q = 0 at the free end and theta = u = v = 0 at the clamp.
# The segments, of at most one radian of natural curvature, are integrated side
# by side with an explicit Runge-Kutta method of order 8, together with the
# sensitivities of the equilibrium and the fundamental matrix of the rest. The
# test function is the determinant of the linear system in the values at the
# ends of the segments.


class Shooting:
    def __init__(self, nu=NU, rtol=1e-12, atol=1e-13):
        self.c, self.rtol, self.atol = 1 / (1 + nu), rtol, atol

    def integrate(self, start, x, zeta):
        """theta and k at the end of each segment, and the fundamental matrices."""
        segments = len(zeta) - 1
        width = np.diff(zeta)
        initial = np.zeros((22, segments))
        initial[:2] = start[:-1].T
        initial[2:6] = np.eye(2).reshape(4, 1)
        initial[6:] = np.eye(4).reshape(16, 1)

        def rate(r, flat):
            state = flat.reshape(22, segments)
            position = zeta[:-1] + r * width
            theta, k = state[0], state[1]
            sine, cosine = np.sin(theta), np.cos(theta)
            plane = state[2:6].reshape(2, 2, segments)
            u, v, t, q = state[6:].reshape(4, 4, segments)
            out = np.empty_like(state)
            out[0] = -k
            out[1] = -position * sine
            out[2:4] = -plane[1]
            out[4:6] = -position * cosine * plane[0]
            out[6:10] = q - k * v
            out[10:14] = k * u - t
            out[14:18] = q * (-1 / (self.c * x))
            out[18:22] = position * (cosine * u - sine * v) - ((1 - self.c) * k - 1 / x) * t
            return (out * width).ravel()

        run = solve_ivp(rate, (0, 1), initial.ravel(), "DOP853", rtol=self.rtol, atol=self.atol)
        final = run.y[:, -1].reshape(22, segments)
        return final[:2].T, final[2:6].T.reshape(-1, 2, 2), final[6:].T.reshape(-1, 4, 4)

    @staticmethod
    def system(transfer, at_free_end, at_clamp):
        """Rows: next value - transfer * value = 0, and the ends."""
        segments, n = transfer.shape[:2]
        matrix = np.zeros((n * (segments + 1), n * (segments + 1)))
        for i in range(segments):
            rows = slice(n * i, n * i + n)
            matrix[rows, rows] = -transfer[i]
            matrix[rows, n * i + n : n * i + 2 * n] = np.eye(n)
        for row, column in enumerate(at_free_end + [n * segments + i for i in at_clamp]):
            matrix[n * segments + row, column] = 1
        return matrix

    def determinant(self, x, y, start):
        """Sign and logarithm; also the equilibrium, found from `start`."""
        phi = 2 * np.pi * y
        zeta = np.linspace(0, x * phi, len(start))
        for _ in range(10):
            end, plane, space = self.integrate(start, x, zeta)
            matrix = self.system(plane, [1], [0])
            residual = np.append((end - start[1:]).ravel(), [1 / x - start[0, 1], -start[-1, 0]])
            change = np.linalg.solve(matrix, residual).reshape(-1, 2)
            start = start + change
            # The fundamental matrices are those of the value before.
            if np.abs(change).max() < 1e-12 * np.abs(start).max():
                return np.linalg.slogdet(self.system(space, [2, 3], [0, 1])), start
        raise ArithmeticError("the shooting method did not converge")

    def offset(self, point, lam, normal, delta=1e-5):
        """How far beyond lam the determinant vanishes along the normal. The
        equilibrium of `point` is the first guess."""
        x, y = np.exp(lam)
        segments = int(np.ceil(2 * np.pi * y))
        sigma = np.linspace(0, 1, len(point.nodes))
        phi = 2 * np.pi * np.exp(point.lam[1])
        s = np.linspace(1, 0, segments + 1)
        theta = CubicHermiteSpline(sigma, point.nodes[:, 0], phi * point.nodes[:, 1])
        k = CubicSpline(sigma, point.nodes[:, 1])
        start = np.stack([theta(s), k(s) / x], -1)
        (sign_0, log_0), start = self.determinant(x, y, start)
        (sign_1, log_1), _ = self.determinant(*np.exp(lam + delta * normal), start)
        if sign_0 == 0:
            return 0.0
        offset = delta / (1 - sign_1 * sign_0 * np.exp(log_1 - log_0))
        if not np.isfinite(offset):
            raise ArithmeticError(f"the determinant says nothing at x = {x:.4f}, y = {y:.4f}")
        return offset


# --- Judging the curve ----------------------------------------------------------


def outward(direction):
    """The normal that leaves the 3D region, when the left branch comes first."""
    return np.array([direction[1], -direction[0]])


def is_loss_of_stability(frontier, point, distance=0.005):
    """Whether the equilibrium is stable in the plane and, at this distance, has
    no unstable direction outside and one, out of the plane, inside."""
    found = []
    for side in (1, 0, -1):
        lam = point.lam + side * distance * outward(point.lam_dir)
        guess = (point.nodes[:, :2], point.slopes[..., :2], point.lam)
        equilibrium = frontier.collocation.equilibrium(guess, *np.exp(lam))
        found.append(negative_eigenvalues(frontier.collocation, equilibrium, frontier.c))
    return found[0] == (0, 0) and found[1][1] == 0 and found[2] == (1, 0)


class Judge:
    """Collects the largest distances of both methods from stored points."""

    def __init__(self, nu, **mesh):
        self.frontier, self.shooting = Frontier(nu, **mesh), Shooting(nu)
        self.by_collocation = self.by_shooting = 0.0
        self.points = self.examined = self.failed = 0

    def compare(self, nose, table, indices, examine):
        """Walks away from the nose; `examine` says at which indices to count
        unstable directions."""
        lam = np.log(table[:, :2])
        lowest = lam[:, 1].argmin()
        forwards = sorted(i for i in indices if i >= lowest)
        backwards = sorted((i for i in indices if i < lowest), reverse=True)
        for order in (backwards, forwards):
            point = nose
            for i in order:
                along = lam[min(i + 1, len(lam) - 1)] - lam[max(i - 1, 0)]
                along /= np.hypot(*along)
                point = self.frontier.move_to(point, lam[i], along)
                normal = outward(along)
                self.points += 1
                offset = abs(normal @ (point.lam - lam[i]))
                self.by_collocation = max(self.by_collocation, offset)
                offset = abs(self.shooting.offset(point, lam[i], normal))
                self.by_shooting = max(self.by_shooting, offset)
                if i in examine:
                    self.examined += 1
                    forward = point if point.lam_dir @ along > 0 else self.frontier.reversed(point)
                    self.failed += not is_loss_of_stability(self.frontier, forward)

    def report(self):
        print(f"at {self.points} rows, distance in (ln x, ln y) from collocation on another mesh")
        print(f"  {self.by_collocation:.1e}, from shooting {self.by_shooting:.1e}")
        confirmed = self.examined - self.failed
        print(f"loss of stability confirmed at {confirmed} of {self.examined} rows")
        return max(self.by_collocation, self.by_shooting) <= TOLERANCE and self.failed == 0


def rows_of(points):
    lam = np.array([point.lam for point in points])
    x, y = np.exp(lam).T
    phi = 2 * np.pi * y
    return np.column_stack([x, y, (x * phi) ** 3, phi])


def every(step, count):
    return sorted(set(range(0, count, step)) | {count - 1})


# --- The recipe's grid ------------------------------------------------------------


def planar_states(collocation, y, xs, c, largest=0.02, theta_scale=0.3):
    """Follows the curve of planar equilibria at this y from nearly no weight up
    to the last x, through its folds. Returns, for each x, which of the states
    met there are stable, and the intervals of x in which stability changes."""
    e = collocation.elements
    size = 2 * (e + 1)
    weights = np.zeros(size + 2)
    weights[0:size:2] = theta_scale**2 / (e + 1)
    weights[-2] = 1
    fixed = (collocation.lam_row(2, 0, 1), np.log(y))
    point = collocation.equilibrium(collocation.unloaded(y), xs[0] / 2, y)
    stable, states, changes, length = True, [[] for _ in xs], [], largest

    def unknowns(p):
        return np.concatenate([p.nodes.ravel(), p.lam])

    def is_stable(p):
        return negative_eigenvalues(collocation, p, c) == (0, 0)

    for _ in range(20000):
        if point.lam[0] > np.log(xs[-1]):
            return states, changes
        direction = np.concatenate([point.nodes_dir.ravel(), point.lam_dir])
        norm = np.sqrt(weights @ direction**2)
        row = weights * direction / norm
        condition = (row, row @ unknowns(point) + length)
        guess = [p + length / norm * d for p, d in zip(point[:3], point[3:])]
        try:
            ahead = collocation.solve(planar, guess, [fixed, condition], None, iterations=5)
        except ArithmeticError:
            length /= 2
            continue
        length = min(1.2 * length, largest)
        for i, ln_x in enumerate(np.log(xs)):
            part = (ln_x - point.lam[0]) / (ahead.lam[0] - point.lam[0])
            if 0 <= part < 1:
                guess = [(1 - part) * p + part * q for p, q in zip(point[:3], ahead[:3])]
                states[i].append(is_stable(collocation.equilibrium(guess, xs[i], y)))
        before, stable = stable, is_stable(ahead)
        if stable != before:
            changes.append(tuple(np.exp([point.lam[0], ahead.lam[0]])))
        point = ahead
    raise ArithmeticError(f"the planar states at y = {y} do not end")


def crossings(table, y):
    """x on both branches, by a spline through the rows; none below the nose."""
    lam = np.log(table[:, :2])
    arc = np.append(0, np.cumsum(np.hypot(*np.diff(lam, axis=0).T)))
    spline = CubicSpline(arc, lam)
    above = lam[:, 1] - np.log(y)
    above[np.abs(above) < 1e-11] = 0
    found = [float(table[i, 0]) for i in np.nonzero(above == 0)[0]]
    for i in np.nonzero(above[:-1] * above[1:] < 0)[0]:
        at = brentq(lambda a: spline(a)[1] - np.log(y), arc[i], arc[i + 1], xtol=1e-15)
        found.append(float(np.exp(spline(at)[0])))
    return sorted(found)


def grid_of(table):
    """x, y, state and relative distance in x from the frontier at the same y."""
    rows = []
    for y in np.geomspace(0.3, 10, 23):
        ends = crossings(table, y)
        for x in np.geomspace(0.105, 0.95, 30):
            inside = len(ends) == 2 and ends[0] < x < ends[1]
            distance = min([abs(x / end - 1) for end in ends], default=np.inf)
            rows.append((x, y, "3D" if inside else "2D", distance))
    return rows


def distance_in_logs(table, x, y):
    lam = np.log(table[:, :2])
    start, chord = lam[:-1], np.diff(lam, axis=0)
    part = (((np.log([x, y]) - start) * chord).sum(1) / (chord**2).sum(1)).clip(0, 1)
    return np.hypot(*(start + part[:, None] * chord - np.log([x, y])).T).min()


def write_grid(table):
    rows = grid_of(table)
    collocation, c = Collocation(), 1 / (1 + NU)
    wrong = 0
    for start in range(0, len(rows), 30):
        row = rows[start : start + 30]
        y = row[0][1]
        ends = crossings(table, y)
        states, changes = planar_states(collocation, y, [r[0] for r in row], c)
        # A point is 2D if a planar state there is stable: the frontier was not used.
        wrong += sum(any(s) != (r[2] == "2D") or not s for s, r in zip(states, row))
        wrong += len(changes) != len(ends)
        wrong += sum(not low <= x <= high for (low, high), x in zip(changes, ends))
        print(f"y = {y:8.5f}: {sum(map(len, states))} planar states, frontier {ends}", flush=True)
    near = sum(r[3] < 0.01 for r in rows)
    near_in_logs = sum(distance_in_logs(table, r[0], r[1]) < 0.01 for r in rows)
    inside = sum(r[2] == "3D" for r in rows)
    print(f"{inside} points of {len(rows)} are 3D, {near} within 1 % of the frontier in x,")
    print(f"  {near_in_logs} within 0.01 in (ln x, ln y)")
    print(f"{wrong} contradictions from the stability of planar states")
    if wrong:
        return False
    lines = [
        "# The grid of the Bend-Twist recipe (30 x 23 points, nu = 0.5) and the frontier.",
        "# state: 3D inside, 2D outside of the master curve bend_twist.csv, confirmed by the",
        "#   inertia of the second variation of all planar equilibria that arc-length",
        "#   continuation in x meets at the point.",
        "# distance: |x/x_f - 1| to the nearest point (x_f, y) of the frontier at the same y;",
        "#   inf below the nose, where there is none.",
        f"# {inside} points are 3D; {near} points are within 1 % of the frontier.",
        "# Regenerate: reference/bend_twist.py --grid",
        "x, y, state, distance",
    ]
    lines += [f"{x:.12g}, {y:.12g}, {state}, {d:.6g}" for x, y, state, d in rows]
    save(GRID_FILE, lines)
    return True


def check_grid(table):
    with open(GRID_FILE, encoding="ascii") as stored:
        lines = [line.strip() for line in stored if not line.startswith("#")]
    expected = grid_of(table)
    wrong = abs(len(lines) - 1 - len(expected))
    for line, (x, y, state, distance) in zip(lines[1:], expected):
        cells = line.split(", ")
        numbers = np.array([float(cells[i]) for i in (0, 1, 3)])
        wrong += cells[2] != state
        wrong += not np.allclose(numbers, [x, y, distance], rtol=1e-5, atol=1e-9)
    print(f"bend_twist_grid.csv has {wrong} errors")
    return wrong == 0


# --- Command line -------------------------------------------------------------------


def save(name, lines):
    with open(name + ".part", "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    os.replace(name + ".part", name)


def read(name):
    with open(name, encoding="ascii") as table:
        lines = [line for line in table if not line.startswith("#")]
    if lines[0].strip() != HEADER:
        sys.exit(f"{name} does not hold the expected table")
    return np.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])


def generate(nu, name):
    frontier = Frontier(nu)
    nose, points = frontier.curve()
    table = rows_of(points)
    x, y = np.exp(nose.lam)
    print(f"{len(table)} points, nose at x = {x:.12f}, y = {y:.12f}")
    judge = Judge(nu, elements=56, stages=8)
    # The first guess of the judge's walk is a point on its own mesh.
    judge.compare(judge.frontier.nose(), table, every(5, len(table)), every(50, len(table)))
    if not judge.report():
        return False
    command = "reference/bend_twist.py" + ("" if nu == NU else f" --nu {nu:g} --output FILE")
    lines = [
        "# Master curve of the Bend-Twist protocol: where the planar equilibrium of a naturally",
        f"# curved hanging rod loses stability out of its plane. nu = {nu:g}, GJ/EI = 1/(1 + nu).",
        "# x = Gamma^(1/3)/phi, y = phi/(2 pi); Gamma = rho A g L^3/EI, phi = L/R.",
        "# Equilibrium: theta'' = Gamma (1 - s) sin(theta), theta(0) = 0, theta'(1) = phi.",
        "# Frontier: the second variation of the energy has a null vector (alpha, beta),",
        "#   int GJ (alpha' - theta' beta)^2 + beta'^2 + 2 phi alpha beta' + phi theta' alpha^2",
        "#   + (Gamma (1 - s) cos(theta) - (theta' - phi) theta') beta^2 ds (EI = 1)",
        "#   (Romero et al. 2021, ACM Trans. Graph. 40(4) 66, section 4.3).",
        "# Order: down the left branch from y = 10, through the nose, up the right branch.",
        f"# Nose: x = {x:.11f}, y = {y:.11f} (a row of its own).",
        "# Values: Gauss-Legendre collocation of order 20, pseudo-arclength continuation.",
        "# Check: multiple shooting from another form of the equations, determinant; largest",
        f"#   distance {judge.by_shooting:.1e} in (ln x, ln y) at {judge.points} rows;",
        f"#   collocation on another mesh: {judge.by_collocation:.1e}.",
        f"# Regenerate: {command}    Verify: {command} --check",
        HEADER,
    ]
    lines += [", ".join(f"{value:.12g}" for value in row) for row in table]
    save(name, lines)
    return True


def check(nu, name):
    table = read(name)
    x, y, gamma, phi = table.T
    lowest = y.argmin()
    sound = np.abs(gamma / (x * phi) ** 3 - 1).max() < 1e-10
    sound &= np.abs(phi / (2 * np.pi * y) - 1).max() < 1e-10
    sound &= np.abs(y[[0, -1]] - Y_END).max() < 1e-10
    sound &= (np.diff(y[: lowest + 1]) < 0).all() and (np.diff(y[lowest:]) > 0).all()
    y_range = " ... ".join(f"{value:.12g}" for value in (y[0], y[lowest], y[-1]))
    print(f"{len(table)} rows, y = {y_range}, sound: {bool(sound)}")

    judge = Judge(nu, elements=56, stages=8)
    nose = judge.frontier.nose()
    step = max(1, len(table) // 150)
    judge.compare(nose, table, every(step, len(table)), every(10 * step, len(table)))
    off = np.abs(np.exp(nose.lam) / table[lowest, :2] - 1)
    print(f"nose differs by {off[0]:.1e} in x and {off[1]:.1e} in y (relative)")
    sound &= off[0] < 1e-8 and off[1] < TOLERANCE
    return judge.report() and bool(sound)


def print_at(nu, ys):
    frontier = Frontier(nu)
    nose = frontier.nose()
    print(f"nose, {np.exp(nose.lam[0]):.12f}, {np.exp(nose.lam[1]):.12f}")
    print("y, x_left, x_right")
    for y in ys:
        if not np.exp(nose.lam[1]) < y <= Y_END:
            print(f"{y:g}, , ")
            continue
        ends = []
        for point in (frontier.reversed(nose), nose):
            while point.lam[1] <= np.log(y):
                point = frontier.advance(point, 0.02)
            target = np.array([0.0, np.log(y)])
            ends.append(np.exp(frontier.move_to(point, target, np.array([0.0, 1.0])).lam[0]))
        print(f"{y:g}, {ends[0]:.12f}, {ends[1]:.12f}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--grid", action="store_true", help="classify the points of the recipe")
    parser.add_argument("--at", nargs="+", type=float, metavar="Y")
    parser.add_argument("--nu", type=float, default=NU, help="Poisson's ratio (0.5)")
    parser.add_argument("--output", metavar="FILE", help="the table to write, or to check")
    arguments = parser.parse_args()
    if not 0 <= arguments.nu <= 1:
        # The curve of nu < -0.1 is another one: its planar states fold first.
        parser.error("nu must be between 0 and 1")
    if arguments.nu != NU and not arguments.output and not arguments.at:
        parser.error("another nu needs --output FILE")
    if arguments.grid and (arguments.nu != NU or arguments.output):
        parser.error("--grid is for the curve in the repository")

    started = time.process_time()
    name = arguments.output or FILE
    try:
        if arguments.at:
            print_at(arguments.nu, arguments.at)
            return 0
        if arguments.grid:
            agree = write_grid(read(FILE))
        elif arguments.check:
            agree = check(arguments.nu, name)
            if name == FILE:
                agree = check_grid(read(FILE)) and agree
        else:
            agree = generate(arguments.nu, name)
    except (ArithmeticError, OSError) as problem:
        sys.exit(f"bend_twist.py: {problem}")
    print(f"{time.process_time() - started:.0f} s of processor time")
    if not agree:
        print("DISAGREEMENT: see the figures above", file=sys.stderr)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
