# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pictures of bodies among obstacles."""

import matplotlib.pyplot as plt
import numpy as np

from .growth_pictures import draw_surface

BALL = (np.array([0.25, 0.0, -0.152]), 0.15)


def draw_ball(axes):
    centre, radius = BALL
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 30), np.linspace(0, np.pi, 16))
    axes.plot_surface(
        centre[0] + radius * np.cos(u) * np.sin(v),
        centre[1] + radius * np.sin(u) * np.sin(v),
        centre[2] + radius * np.cos(v),
        color="0.7",
        alpha=0.5,
        linewidth=0,
    )


def cloth_and_ring(cloth, ring):
    """The cloth at three moments, and the velocity of the ring."""
    figure = plt.figure(figsize=(11, 6.4))
    shapes = cloth.shape_series.shapes(1000)
    for i, k in enumerate((1, 3, len(shapes) - 1)):
        axes = figure.add_subplot(2, 3, i + 1, projection="3d")
        draw_ball(axes)
        draw_surface(axes, shapes[k].picture, view=(12, -60))
        axes.set_title(f"t = {shapes[k].time:.1f} s", fontsize=10)
    axes = figure.add_subplot(2, 1, 2)
    table = ring.results
    momentum = np.array(table["momentum_x"])
    axes.plot(table["time"], momentum / momentum[0], label="velocity")
    spin = -np.array(table["angular_momentum_z"]) / 0.1 / momentum[0]
    axes.plot(table["time"], spin, label="spin times radius")
    axes.axhline(0.5, color="0.6", linewidth=0.8)
    axes.set_xlim(0, 0.94)  # then there is a wall
    axes.set_ylim(-0.05, 1.05)
    axes.set_xlabel("time [s]")
    axes.set_ylabel("of the velocity at first")
    axes.set_title("a ring that is thrown: it slides, and rolls", fontsize=10)
    axes.legend()
    return figure
