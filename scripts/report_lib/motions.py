# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plots of motions and of vibrations."""

import matplotlib.pyplot as plt
import numpy as np

from . import style

ENERGIES = ("kinetic_energy", "potential_energy", "dissipated_energy", "work")


def motion(run):
    """Energies and their balance over time; where a point of the body is."""
    table = run.results
    time = table["time"]
    figure, (energies, balance) = plt.subplots(
        2,
        1,
        sharex=True,
        figsize=(7.2, 6.0),
        gridspec_kw={"height_ratios": [5, 2], "hspace": 0.08},
    )
    for name, colour in zip(ENERGIES, style.CATEGORIES):
        if np.any(table[name] != table[name][0]):
            energies.plot(time, table[name], color=colour, lw=1.1, label=style.label(name))
    energies.set_ylabel("energy")
    energies.legend()
    balance.plot(time, table["balance"], color=style.INK, lw=0.9)
    balance.set(xlabel="time", ylabel="balance")
    found = [(figure, "Energies over time. Their balance is what the integrator has lost or made.")]
    places = [name for name in ("end_x", "end_y", "end_z") if table.has(name)]
    places = places or [name for name in table.numeric() if name.endswith("displacement")]
    if places:
        figure, axes = plt.subplots(figsize=(7.2, 3.6), constrained_layout=True)
        for name, colour in zip(places, style.CATEGORIES):
            axes.plot(time, table[name], color=colour, lw=1.1, label=style.label(name))
        axes.set(xlabel="time")
        axes.legend()
        found.append((figure, "Where the body is over time."))
    return found


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
        axes.set(xlabel="part of the load", ylabel="frequency")
        axes.legend()
        found = [(figure, "Natural frequencies as the loads are raised.")]
    else:
        axes.bar(mode, table["frequency"], color=style.CATEGORIES[0], width=0.6)
        axes.set(xlabel="mode", ylabel="frequency")
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
    size.set_ylabel("amplitude")
    phase.plot(table["frequency"], np.degrees(table["phase"]), color=style.CATEGORIES[1], lw=1.1)
    phase.set(xlabel="frequency", ylabel="phase [deg]", yticks=(-180, -90, 0))
    return figure, "Answer to a load that oscillates with an amplitude of one: amplitude and phase."
