# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pictures of motions and vibrations for the documentation."""

import matplotlib.pyplot as plt
import numpy as np

from . import motions, shapes, style


def column(run):
    """Frequencies over the thrust, and the line of the squares."""
    table = run.results
    load = 12 * table["load"] / np.pi**2
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.8), constrained_layout=True)
    for number, colour in zip((1, 2, 3), style.CATEGORIES):
        rows = table["mode"] == number
        shown = {"color": colour, "marker": "o", "ms": 3, "lw": 1.1}
        left.plot(load[rows], table["frequency"][rows], label=f"mode {number}", **shown)
    left.set(xlabel=r"thrust over $\pi^2 B/L^2$", ylabel="frequency")
    left.legend()
    rows = table["mode"] == 1
    right.plot([0, 1.22], [1, -0.22], color=style.ACCENT, lw=0.9, label=r"$1 - P/P_c$")
    squared = table["squared_angular_frequency"][rows] / np.pi**4
    marks = {"mfc": "white", "mec": style.CATEGORIES[0], "ls": "", "marker": "o", "ms": 4}
    right.plot(load[rows], squared, label="mode 1", **marks)
    right.axhline(0, color=style.INK, lw=0.5)
    right.set(xlabel=r"thrust over $\pi^2 B/L^2$", ylabel=r"$\omega^2/\pi^4$")
    right.legend()
    return figure


def swing(run):
    """Shapes of a swing, coloured by time, and its energies."""
    figure, (rods, energies) = plt.subplots(1, 2, figsize=(10.2, 4.2), constrained_layout=True)
    drawn = run.shape_series.shapes(40)
    norm = style.time_norm([shape.time for shape in drawn])
    for shape in drawn:
        for points in shapes.points_of_lines(shape.picture):
            rods.plot(points[:, 0], points[:, 2], color=style.SEQUENCE(norm(shape.time)), lw=1)
    rods.set(xlabel="$x$ [m]", ylabel="$z$ [m]", aspect="equal")
    table = run.results
    for name, colour in zip(("kinetic", "potential", "dissipated"), style.CATEGORIES):
        energies.plot(table["time"], 1e3 * table[f"{name}_energy"], color=colour, lw=1.1, label=name)
    energies.set(xlabel="time [s]", ylabel="energy [mJ]")
    energies.legend()
    return figure


def response(run):
    figure, _ = motions.response(run.read_table("response.csv"))
    figure.axes[0].set_ylabel("amplitude [m/N]")
    figure.axes[1].set_xlabel("frequency [Hz]")
    return figure


def springs(runs):
    """Kinetic energies of the rotating spring: strain rates and Rayleigh's damping."""
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.6), sharey=True, constrained_layout=True)
    for (beta, pair), colour in zip(runs.items(), style.CATEGORIES):
        for panel, run in zip(axes, pair):
            table = run.results
            label = rf"$\beta$ = {beta:g}"
            panel.plot(table["time"], table["kinetic_energy"], color=colour, lw=1.0, label=label)
    axes[0].axhline(83.928676, color=style.INK, lw=0.7, ls=":")
    axes[0].set(xlabel="time", ylabel="kinetic energy", title="strain rates")
    axes[1].set(xlabel="time", title="Rayleigh")
    axes[1].legend()
    return figure


def yarns(runs):
    """Stretch and curvature of a yarn, for pairs of coefficients of stretch and bending."""
    stretches = sorted({pair[0] for pair in runs})
    bendings = sorted({pair[1] for pair in runs})
    figure, axes = plt.subplots(
        2, 2, figsize=(9.6, 5.2), sharex=True, sharey="col", constrained_layout=True
    )
    for row, stretch in zip(axes, stretches):
        for bending, colour in zip(bendings, style.CATEGORIES):
            table = runs[stretch, bending].results
            shown = {"color": colour, "lw": 1.0, "label": rf"$\beta_b$ = {bending:g} s"}
            row[0].plot(table["time"], 100 * table["largest_stretch"], **shown)
            row[1].plot(table["time"], table["largest_curvature"], **shown)
        row[0].set_ylabel(rf"stretch [%], $\beta_s$ = {stretch:g} s")
        row[1].set_ylabel("curvature [1/m]")
    for panel in axes[1]:
        panel.set_xlabel("time [s]")
    axes[0][1].legend()
    return figure


def cloths(runs):
    """Kinetic energies of a cloth that begins to hang, and of one that swings, by damping."""
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.6), constrained_layout=True)
    for (law, pair), colour in zip(runs.items(), style.CATEGORIES):
        for panel, run, unit in zip(axes, pair, (1e3, 1)):
            table = run.results
            panel.plot(table["time"], unit * table["kinetic_energy"], color=colour, lw=1.1, label=law)
    axes[0].set(xlabel="time [s]", ylabel="kinetic energy [mJ]", title="hanging", yscale="log", ylim=(1e-6, 100))
    axes[1].set(xlabel="time [s]", ylabel="kinetic energy [J]", title="swinging")
    axes[1].legend()
    return figure
