# SPDX-License-Identifier: LGPL-2.1-or-later
"""Frequencies that are known, from the study vibration and from motions."""

import math

import numpy as np
import ritz
from tables import Run, nearest, number, table

CANTILEVER = (1.875104068711961, 4.694091132974175, 7.854757438237613,
              10.995540734875467, 14.137168391046471)
LEISSA = {
    "clamped": (3.4917, 8.5246, 21.429, 27.331, 31.111),
    "free": (13.489, 19.789, 24.432, 35.024, 35.024),
}
# Thin, so that nothing but the mesh and the plate's theory counts.
THIN = {"Shell/Thickness": 0.001, "Shell/Young's modulus": 1.092e10, "Shell/Density": 1000,
        "Vibration/Frames": 0}


def beam(model, mesh, **settings):
    """A rod with B = 1, L = 1 and mass 1; across it is far stiffer."""
    return Run(
        "vibration_column.prm",
        {
            "Model": model,
            "Loads/End force": 0,
            "Rod/Bending stiffness 2": 1e4,
            "Rod/Twisting stiffness": 1e4,
            "Start/Hold": "clamped",
            "Start/Fixed directions": "",
            "Start/Rotation": "free",
            "End/Hold": "free",
            "End/Fixed directions": "",
            "End/Rotation": "free",
            "Vibration/Modes": 5,
            "Vibration/Frames": 0,
            **mesh,
            **settings,
        },
    ).frequencies()


def frequencies():
    rows = []
    for model, name, meshes in (
        ("kirchhoff rod", "Kirchhoff rod/Elements", (4, 8, 16)),
        ("discrete elastic rod", "Discrete elastic rod/Segments", (50, 100, 200)),
        ("super helix", "Super helix/Elements", (10, 20, 40)),
        ("super clothoid", "Super clothoid/Elements", (5, 10, 20)),
    ):
        before = None
        for mesh in meshes:
            extra = {"Kirchhoff rod/Degree": 3} if model == "kirchhoff rod" else {}
            found = beam(model, {name: mesh, **extra})
            errors = [2 * math.pi * f / x**2 - 1 for f, x in zip(found, CANTILEVER)]
            order = math.log2(abs(before / errors[4])) if before else None
            before = errors[4]
            cells = [number(e) for e in errors]
            rows.append([model, str(mesh), *cells, f"{order:.1f}" if order else ""])
    table(
        "Cantilever: relative errors of the first five frequencies (Euler and Bernoulli), and the "
        "order of the fifth.",
        ["model", "pieces", "1", "2", "3", "4", "5", "order"],
        rows,
    )

    rows = []
    # w^2 = n^2 pi^2 T/(m L^2) + n^4 pi^4 B/(m L^4) for hinged ends.
    for tension in (100, 10000):
        found = Run(
            "vibration_column.prm",
            {"Loads/End force": -tension, "Vibration/Load steps": 2, "Vibration/Modes": 6,
             "Rod/Bending stiffness 2": 1e6, "Vibration/Frames": 0, "Kirchhoff rod/Elements": 24},
        ).frequencies()
        for n in (1, 2, 3):
            exact = math.sqrt((n * math.pi) ** 2 * tension + (n * math.pi) ** 4) / (2 * math.pi)
            rows.append([str(tension), str(n), f"{exact:.6g}", number(nearest(found, exact) / exact - 1)])
    table("A stiff string under tension (B = L = m = 1).", ["tension", "mode", "exact", "error"], rows)

    rows = []
    # In its plane: w^2 = n^2 (n^2 - 1)^2/(n^2 + 1) B/(m R^4) (Love); nu = 0, a narrow tube.
    for cells in (8, 16, 32):
        found = Run(
            "shells/vibration_plate.prm",
            {"Shell/Poisson's ratio": 0, "Shell/Young's modulus": 1.2e7, "Shell/Thickness": 0.01,
             "Surface/Shape": "cylinder", "Surface/Radius": 1, "Surface/Length": 0.05,
             "Surface/Width": 1, "Surface/Angle": 360, "Surface/Cells along u": cells,
             "Surface/Cells along v": 1, "Edge 1/Name": "bottom", "Edge 1/Hold": "free",
             "Vibration/Modes": 30, "Vibration/Frames": 0},
        ).frequencies()
        for n in (2, 3, 4):
            exact = math.sqrt(n**2 * (n**2 - 1) ** 2 / (n**2 + 1)) / (2 * math.pi)
            rows.append([str(cells), str(n), f"{exact:.6g}", number(nearest(found, exact) / exact - 1)])
    table("A ring in its plane, as a narrow Koiter shell.", ["cells", "n", "exact", "error"], rows)

    plates()
    panels()
    thick_rods()

    run = Run("vibration_column.prm", {})
    first = [row for row in run.rows if row["mode"] == "1"]
    below = [row for row in first if float(row["squared_angular_frequency"]) > 0][-1]
    above = [row for row in first if float(row["squared_angular_frequency"]) < 0][0]
    p0, p1 = (12 * float(row["load"]) for row in (below, above))
    w0, w1 = (float(row["squared_angular_frequency"]) for row in (below, above))
    slope = (w1 - w0) / (p1 - p0)
    print(f"\nColumn: w^2 vanishes at P = {p0 - w0 / slope:.7f} (pi^2 = {math.pi**2:.7f}), "
          f"slope {slope:.7f} (-pi^2).")


def order(errors):
    """Of the last of the modes, between the two finest meshes."""
    return f"{math.log2(abs(errors[-2] / errors[-1])):.1f}"


def shells(title, prm, settings, first, exact, source=()):
    """Errors of shells of 2, 4 and 8 cells in each direction against Ritz's method."""
    rows = []
    errors = []
    for cells in (2, 4, 8):
        mesh = {"Surface/Cells along u": cells, "Surface/Cells along v": cells}
        count = first + len(exact)
        run = Run(prm, {**settings, **mesh, "Vibration/Modes": count})
        found = [2 * math.pi * f for f in run.frequencies()[first:]]
        errors.append([w / e - 1 for w, e in zip(found, exact)])
        rows.append([f"{cells} x {cells}", *(number(e) for e in errors[-1])])
    rows.append(["order", *(order(column) for column in zip(*errors))])
    rows.append(["Ritz", *(f"{w:.5g}" for w in exact)])
    if source:
        rows.append(["Leissa 1973", *(str(w) for w in source)])
    table(title, ["cells", *(str(i + 1) for i in range(len(exact)))], rows)


def plates():
    for hold, first in (("clamped", 0), ("free", 6)):
        exact = ritz.panel(first + 5, 1, 1, 0, 0.001, 0.3, hold == "clamped", degree=13)[first:]
        shells(f"Square plates, {'one edge clamped' if hold == 'clamped' else 'free'}, degree 3, "
               "h = a/1000: relative errors of w.",
               "shells/vibration_plate.prm", {**THIN, "Edge 1/Hold": hold}, first, exact,
               LEISSA[hold])


def panels():
    exact = ritz.panel(11, 1, math.pi / 3, 1, 0.01, 0.3, degree=13)[6:]
    shells("A free cylindrical panel of 60 degrees, R = L = 1, h = R/100, degree 3: relative errors.",
           "shells/vibration_panel.prm", {"Vibration/Frames": 0}, 6, exact)


def thick_rods():
    rows = []
    poisson, length = 0.3, 0.4
    for thickness in (0.02, 0.1):
        # B = L = m = 1: angular frequencies are in units of sqrt(E I/(rho A))/L^2.
        rotary = thickness**2 / 12 / length**2
        coefficient = 10 * (1 + poisson) / (12 + 11 * poisson)
        exact = ritz.timoshenko(5, rotary, coefficient / (2 * (1 + poisson)) / rotary, degree=16)
        unit = math.sqrt(200e9 * thickness**2 / 12 / 7850) / length**2 / (2 * math.pi)
        for elements in (2, 4, 8):
            found = Run(
                "vibration_thick.prm",
                {"Rod/Width": thickness, "Rod/Thickness": thickness, "Vibration/Modes": 20,
                 "Vibration/Frames": 0, "Kirchhoff rod/Elements": elements},
            ).frequencies()
            errors = [nearest(found, unit * e) / (unit * e) - 1 for e in exact]
            rows.append([f"L/{length / thickness:.0f}", str(elements), *(number(e) for e in errors)])
        plain = [x**2 / e - 1 for x, e in zip(CANTILEVER, exact)]
        rows.append([f"L/{length / thickness:.0f}", "Euler and Bernoulli", *(number(e) for e in plain)])
    table("Thick cantilever that shears, degree 4: relative errors against Timoshenko.",
          ["thickness", "elements", "1", "2", "3", "4", "5"], rows)


# ----------------------------------------------------------------- Fourier ---


def peaks(signal, step, expected):
    """Where the spectrum of a signal peaks near frequencies that are expected."""
    # A free body drifts: what is straight is none of its vibrations.
    time = np.arange(len(signal))
    signal = np.asarray(signal) - np.polyval(np.polyfit(time, signal, 1), time)
    padded = 32 * len(signal)
    spectrum = np.abs(np.fft.rfft(signal * np.hanning(len(signal)), padded))
    f = np.fft.rfftfreq(padded, step)
    found = []
    for wanted in expected:
        near = np.flatnonzero(np.abs(f / wanted - 1) < 0.08)
        top = near[np.argmax(spectrum[near])]
        # The top of a parabola through three logarithms.
        a, b, c = np.log(spectrum[top - 1 : top + 2])
        found.append(f[top] + 0.5 * (a - c) / (a - 2 * b + c) * (f[1] - f[0]))
    return found


def ring_velocity(n):
    """A mode of a ring of radius one that does not stretch it: cos n theta outwards."""
    powers = {1: ("x", "y"), 2: ("x^2-y^2", "2*x*y"), 3: ("x^3-3*x*y^2", "3*x^2*y-y^3"),
              4: ("x^4-6*x^2*y^2+y^4", "4*x^3*y-4*x*y^3"),
              5: ("x^5-10*x^3*y^2+5*x*y^4", "5*x^4*y-10*x^2*y^3+y^5")}
    inner, outer = powers[n - 1], powers[n + 1]
    a, b = 0.5 * (1 + 1 / n), 0.5 * (1 - 1 / n)
    return f"1e-4*({a}*({inner[0]})+{b}*({outer[0]})); 1e-4*(-{a}*({inner[1]})+{b}*({outer[1]})); 0"


RING = {"Shell/Poisson's ratio": 0, "Shell/Young's modulus": 1.2e7, "Shell/Thickness": 0.01,
        "Surface/Shape": "cylinder", "Surface/Radius": 1, "Surface/Length": 0.05, "Surface/Width": 1,
        "Surface/Angle": 360, "Surface/Cells along u": 16, "Surface/Cells along v": 1,
        "Edge 1/Name": "bottom", "Edge 1/Hold": "free"}


def fourier():
    """What is heard of a motion, against the frequencies of the study vibration."""
    rows = []

    def compare(name, prm, settings, step, end, column, exact, first=1, times=1):
        """The column repeats itself `times` in a period, as energies do twice."""
        quiet = {"Time/Shapes every": 1e9, "Time/Integrator": "newmark", "Time/Step": step,
                 "Time/End": end, "Time/Rows every": 0}
        run = Run(prm, {**quiet, **settings}, moves="vibration" in prm)
        found = peaks(run[column][:-1], step, [times * e for e in exact])
        # Newmark's average acceleration lowers w by (w h)^2/12 of it.
        for number_, (f, e) in enumerate(zip(found, exact), first):
            late = (2 * math.pi * e * step) ** 2 / 12
            rows.append([name, str(number_), f"{e:.6g}", f"{f / times:.6g}", number(f / times / e - 1),
                         number(-late)])

    ruler = {"Vibration/Frames": 0, "Vibration/Rotary inertia": "false"}
    exact = Run("vibration_cantilever.prm", ruler).frequencies()[:3]
    pluck = {"Damping/Bending": 0, "Time/Rotary inertia": "false", "Loads/End force": 0,
             "Drive 1/Parameter": "", "Drive 1/Formula": "", "Motion/Start": "rest",
             "Kirchhoff rod/Elements": 8, "Kirchhoff rod/Degree": 4,
             "Motion/Velocity formula": "0; 0; 1e-3*(x/0.3)^4"}
    compare("cantilever", "motion_pluck.prm", pluck, 2.5e-4, 2, "end_z", exact)

    string = {"Loads/End force": -100, "Rod/Bending stiffness 2": 1e6}
    found = Run("vibration_column.prm", {**string, "Vibration/Load steps": 2, "Vibration/Modes": 6,
                                         "Vibration/Frames": 0}).frequencies()
    for n in (1, 2, 3):
        exact = math.sqrt((n * math.pi) ** 2 * 100 + (n * math.pi) ** 4) / (2 * math.pi)
        exact = nearest(found, exact)
        # Small, so that it is no longer than at rest; its kinetic energy beats twice in a period.
        compare("string under tension", "vibration_column.prm",
                {**string, "Motion/Start": "equilibrium", "Time/Rotary inertia": "false",
                 "Motion/Velocity formula": f"0; 0; 1e-3*sin({n}*pi*x)"},
                1 / exact / 100, 20 / exact, "kinetic_energy", [exact], n, 2)

    found = Run("shells/vibration_plate.prm",
                {**RING, "Vibration/Modes": 30, "Vibration/Frames": 0}).frequencies()
    for n in (2, 3, 4):
        exact = math.sqrt(n**2 * (n**2 - 1) ** 2 / (n**2 + 1)) / (2 * math.pi)
        exact = nearest(found, exact)
        compare("ring in its plane", "shells/vibration_plate.prm",
                {**RING, "Motion/Velocity formula": ring_velocity(n)},
                1 / exact / 100, 10 / exact, "kinetic_energy", [exact], n, 2)

    plate = {"Surface/Cells along u": 3, "Surface/Cells along v": 3}
    tip = {"Point 1/Name": "tip", "Point 1/Position": "1, 0.5, 0"}
    exact = Run("shells/vibration_plate.prm", {**plate, "Vibration/Frames": 0}).frequencies()
    compare("plate, one edge clamped", "shells/vibration_plate.prm",
            {**plate, **tip, "Motion/Velocity formula": "0; 0; 1e-4*x^2*(1+y)"},
            0.01, 16, "tip_displacement_z", exact[:3])
    free = {**plate, "Edge 1/Hold": "free", "Surface/Cells along u": 4, "Surface/Cells along v": 4}
    # Where no mode has a nodal line.
    corner = {"Point 1/Name": "tip", "Point 1/Position": "1, 0.25, 0"}
    exact = Run("shells/vibration_plate.prm",
                {**free, "Vibration/Modes": 9, "Vibration/Frames": 0}).frequencies()[6:]
    compare("plate, free", "shells/vibration_plate.prm",
            {**free, **corner, "Motion/Velocity formula": "0; 0; 1e-4*((x-0.5)*y+(x-0.5)^2-y^2+x^2*y^2)"},
            0.005, 8, "tip_displacement_z", exact)

    panel = {"Surface/Cells along u": 4, "Surface/Cells along v": 4}
    exact = Run("shells/vibration_panel.prm", {**panel, "Vibration/Frames": 0}).frequencies()[6:9]
    compare("panel, free", "shells/vibration_panel.prm",
            {**panel, "Point 1/Name": "tip", "Point 1/Position": "1, 0, 0",
             "Motion/Velocity formula": "1e-4*(y*z+y^2+z^3); 1e-4*x*z; 0"},
            0.004, 8, "tip_displacement_x", exact)
    table("Peaks in the spectrum of a motion, against frequencies of the study vibration with the "
          "same mesh; the last column is what the steps of Newmark's method explain.",
          ["body", "mode", "vibration", "motion", "difference", "of the steps"], rows)
