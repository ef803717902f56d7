# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plots of motions and of vibrations."""

import matplotlib.pyplot as plt
import numpy as np

from . import style
from .telling import NOISE, is_place, shown, size_of
from .units import axis, dimension

MOST_PLACES = 6
ENERGIES = ("kinetic_energy", "potential_energy", "dissipated_energy", "work")


def motion(run):
    """Where points of the body are over time; then energies and their balance."""
    table = run.results
    time = table["time"]
    names = shown(table, "time", size_of(run), skip=(*ENERGIES, "balance"))
    places = [name for name in names if is_place(name)][:MOST_PLACES]
    figures = []
    if places:
        figure, axes = plt.subplots(figsize=(7.2, 3.6), constrained_layout=True)
        for name, colour in zip(places, style.CATEGORIES):
            axes.plot(time, table[name], color=colour, lw=1.1, label=style.label(name))
            style.link(axes, time, table[name])
        axes.set(xlabel=axis("time"), ylabel=f"place [{dimension(places[0])}]")
        axes.legend()
        figures.append((figure, "Where named points of the body are over time."))
    return [*figures, energies(table)]


def energies(table):
    time, balance = table["time"], table["balance"]
    scale = max(np.nanmax(np.abs(table[name]), initial=0.0) for name in ENERGIES)
    is_kept = np.nanmax(np.abs(balance), initial=0.0) <= NOISE * scale
    figure, panels = plt.subplots(
        1 if is_kept else 2,
        1,
        sharex=True,
        squeeze=False,
        figsize=(7.2, 4.4 if is_kept else 6.0),
        gridspec_kw={"height_ratios": [5] if is_kept else [5, 2], "hspace": 0.08},
    )
    panels = panels.ravel()
    for name, colour in zip(ENERGIES, style.CATEGORIES):
        if np.ptp(table[name]) > NOISE * scale:
            panels[0].plot(time, table[name], color=colour, lw=1.1, label=style.label(name))
            style.link(panels[0], time, table[name])
    panels[0].set_ylabel(axis("energy"))
    if panels[0].lines:
        panels[0].legend()
    caption = "Energies over time."
    if is_kept:
        caption += f" Their balance is kept to {NOISE:g} of the largest."
    else:
        panels[1].plot(time, balance, color=style.INK, lw=0.9)
        panels[1].set_ylabel("balance")
        caption += " Their balance is what the integrator has lost or made."
    panels[-1].set_xlabel(axis("time"))
    return figure, caption


def vibration(run):
    """Frequencies over the load, or of each mode."""
    table = run.results
    mode, load = table["mode"], table["load"]
    figure, axes = plt.subplots(figsize=(7.2, 4.2), constrained_layout=True)
    if np.ptp(load) > 0:
        for number in np.unique(mode):
            rows = mode == number
            colour = style.CATEGORIES[int(number - 1) % len(style.CATEGORIES)]
            label = f"mode {int(number)}"
            axes.plot(load[rows], table["frequency"][rows], "o-", ms=3, color=colour, label=label)
        axes.set(xlabel="part of the load", ylabel=axis("frequency"))
        style.link(axes, load, table["frequency"])
        axes.legend()
        found = [(figure, "Natural frequencies as the loads are raised.")]
    else:
        axes.bar(mode, table["frequency"], color=style.CATEGORIES[0], width=0.6)
        axes.set(xlabel="mode", ylabel=axis("frequency"))
        # The first moment of the period of each.
        style.link(axes, mode, table["frequency"], mode, "modes")
        found = [(figure, "Natural frequencies.")]
    if run.has("response.csv"):
        found.append(response(run.read_table("response.csv")))
    return found


def response(table):
    """Amplitude and phase over the frequency of a load."""
    figure, (size, phase) = plt.subplots(
        2,
        1,
        sharex=True,
        figsize=(7.2, 5.4),
        gridspec_kw={"height_ratios": [3, 2], "hspace": 0.08},
    )
    size.semilogy(table["frequency"], table["amplitude"], color=style.CATEGORIES[0], lw=1.1)
    size.set_ylabel(axis("amplitude"))
    phase.plot(table["frequency"], np.degrees(table["phase"]), color=style.CATEGORIES[1], lw=1.1)
    phase.set(xlabel=axis("frequency"), ylabel="phase [deg]", yticks=(-180, -90, 0))
    return figure, "Answer to a load that oscillates with an amplitude of one: amplitude and phase."
