# SPDX-License-Identifier: LGPL-2.1-or-later
"""Orders, energies, momenta, damping and time per step of motions."""

import math

from tables import Run, number, table

IMPLICIT = ("implicit euler", "newmark", "generalised alpha", "bdf2", "implicit midpoint")

SWING = {
    "Discrete elastic rod/Segments": 8,
    "Rod/Young's modulus": 2e5,
    "Rod/Thickness": 0.008,
    "Damping/Bending": 0,
    "Time/Shapes every": 1e9,
    "Time/Lumped mass": "true",
}


def swing(integrator, step, end, **settings):
    return Run(
        "motion_swing.prm",
        {**SWING, "Time/Integrator": integrator, "Time/Step": step, "Time/End": end, **settings},
    )


def orders():
    rows = []
    for integrator in (*IMPLICIT, "verlet"):
        steps = [2e-4 / 2**k if integrator == "verlet" else 2e-3 / 2**k for k in range(5)]
        ends = []
        for step in steps:
            run = swing(integrator, step, 0.2, **{"Time/Rows every": 0.2})
            ends.append((run["end_x"][-1], run["end_z"][-1]))
        gaps = [math.dist(a, b) for a, b in zip(ends, ends[1:])]
        found = [math.log2(a / b) for a, b in zip(gaps, gaps[1:])]
        rows.append([integrator, f"{steps[0]:.0e}", *(number(g) for g in gaps),
                     *(f"{order:.2f}" for order in found)])
    table("Orders on a large swing: differences of the end between h and h/2, and orders.",
          ["integrator", "h", "h", "h/2", "h/4", "h/8", "order", "order", "order"], rows)


def energy():
    rows = []
    for integrator in (*IMPLICIT, "verlet"):
        step = 1e-4 if integrator == "verlet" else 1e-3
        run = swing(integrator, step, 10_000 * step, **{"Time/Rows every": 20 * step})
        largest = max(run["kinetic_energy"])
        balance = run["balance"]
        rows.append([integrator, f"{step:.0e}", number(balance[-1] / largest),
                     number(max(map(abs, balance)) / largest), f"{run.seconds:.1f}"])
    table("Energy after 10 000 steps of a swing without damping, over the largest kinetic energy.",
          ["integrator", "step", "drift", "largest departure", "s"], rows)


def drifts(run):
    """The largest change of momenta in one step, and over all, over their size."""
    result = []
    for kind in ("momentum", "angular_momentum"):
        values = list(zip(*(run[f"{kind}_{c}"] for c in "xyz")))
        size = max(math.hypot(*v) for v in values)
        result.append(max(math.dist(a, b) for a, b in zip(values, values[1:])) / size)
        result.append(max(math.dist(v, values[0]) for v in values) / size)
    return result


# Bodies that nothing holds; the strip is thrown while it is bent by its own spin.
FREE_ROD = {"Start/Hold": "free", "Start/Fixed directions": "", "Start/Rotation": "free",
            "Loads/Gravity": 0, "Damping/Bending": 0, "Time/Shapes every": 1e9,
            "Time/Lumped mass": "true", "Time/Rotary inertia": "false"}
THROWN = {"Motion/Velocity": "1, 0, 2", "Motion/Angular velocity": "6, 1, 3"}
BENT = {"Motion/Velocity formula": "0; 0; 20*(x-0.15)^2"}


def momenta():
    rows = []
    kirchhoff = {"Model": "kirchhoff rod", "Kirchhoff rod/Elements": 4, "Kirchhoff rod/Degree": 3}
    discrete = {"Discrete elastic rod/Segments": 20}
    ring = {"Loads/Gravity": 0, "Time/Lumped mass": "true", "Time/Shapes every": 1e9}
    for body, prm, settings in (
        ("discrete rod", "motion_swing.prm", {**FREE_ROD, **THROWN, **BENT, **discrete}),
        ("Kirchhoff rod", "motion_swing.prm", {**FREE_ROD, **THROWN, **BENT, **kirchhoff}),
        ("ring (Koiter shell)", "shells/motion_ring.prm", {**ring, **THROWN}),
        ("ring (mid-edge shell, average)", "shells/motion_ring.prm",
         {**ring, **THROWN, "Model": "midedge shell", "Midedge shell/Normals": "average"}),
        ("ring (hinge shell)", "shells/motion_ring.prm", {**ring, **THROWN, "Model": "hinge shell"}),
        ("ring (discrete shell)", "shells/motion_ring.prm", {**ring, **THROWN, "Model": "discrete shell"}),
    ):
        for integrator in ("implicit midpoint", "verlet", "newmark", "generalised alpha"):
            if integrator == "verlet" and "ring" not in body:
                continue  # frames of rods without rotary inertia have no mass
            step = 1e-5 if integrator == "verlet" else 1e-3
            run = Run(prm, {**settings, "Time/Integrator": integrator, "Time/Step": step,
                            "Time/End": 200 * step})
            rows.append([body, integrator, *(number(d) for d in drifts(run))])
    table("Free flight, spinning and deformed, 200 steps: change of linear and angular momentum in a "
          "step and in all, relative.",
          ["body", "integrator", "linear, step", "all", "angular, step", "all"], rows)


def damping():
    """Bodies that spin under their own centrifugal tension."""
    rows = []
    spin = {"Motion/Angular velocity": "0, 0, 20", "Time/Integrator": "implicit midpoint",
            "Time/Lumped mass": "true", "Time/Step": 2e-3, "Time/End": 1, "Time/Rows every": 0.1,
            "Time/Shapes every": 10}
    rod = {**FREE_ROD, "Start/Position": "-0.15, 0, 0"}
    kirchhoff = {"Model": "kirchhoff rod", "Kirchhoff rod/Elements": 4, "Kirchhoff rod/Degree": 3}
    ring = {"Loads/Gravity": 0, "Motion/Velocity": "0, 0, 0"}
    panel = {**ring, "Surface/Angle": 120, "Surface/Cells along u": 6}
    plate = {"Loads/Gravity": 0, "Edge 1/Hold": "free", "Damping/Stretch": 0, "Damping/Bending": 0,
             "Surface/Cells along u": 3, "Surface/Cells along v": 3, "Time/Step": 5e-4,
             "Motion/Angular velocity": "0, 0, 5"}
    for body, prm, settings in (
        ("discrete rod", "motion_swing.prm", {**rod, "Discrete elastic rod/Segments": 20}),
        ("Kirchhoff rod", "motion_swing.prm", {**rod, **kirchhoff}),
        ("ring (Koiter shell)", "shells/motion_ring.prm", ring),
        ("panel (Koiter shell)", "shells/motion_ring.prm", panel),
        ("cloth (Koiter shell)", "shells/motion_cloth.prm", plate),
        *((f"ring (mid-edge shell, {rule})", "shells/motion_ring.prm",
           {**ring, "Model": "midedge shell", "Midedge shell/Normals": rule})
          for rule in ("average", "sine", "tangent")),
        ("ring (hinge shell)", "shells/motion_ring.prm", {**ring, "Model": "hinge shell"}),
        ("ring (discrete shell)", "shells/motion_ring.prm", {**ring, "Model": "discrete shell"}),
    ):
        for law, damped in (
            ("none", {}),
            ("strain rates, 0.01", {"Damping/Stretch": 0.01, "Damping/Bending": 0.01}),
            ("Rayleigh β = 0.01", {"Damping/Rayleigh beta": 0.01}),
        ):
            run = Run(prm, {**spin, **settings, **damped})
            values = list(zip(*(run[f"angular_momentum_{c}"] for c in "xyz")))
            lost = math.dist(values[-1], values[0]) / math.hypot(*values[0])
            t = run["kinetic_energy"]
            rows.append([body, law, number(lost), f"{t[-1] / t[0]:.6f}"])
    # Rods of curvatures are clamped, and turned by their clamp.
    for model in ("super helix", "super clothoid", "stretchable ribbon"):
        section = model.capitalize()
        run = Run(
            "motion_swing.prm",
            {"Model": model, "Start/Hold": "clamped", "Start/Fixed directions": "",
             "Start/Rotation": "free", "Start/Rotation axis": "0, 0, 1", f"{section}/Elements": 6,
             "Drive 1/Parameter": "start rotation", "Drive 1/Formula": "20*t",
             "Motion/Angular velocity": "0, 0, 20", "Loads/Gravity": 0, "Damping/Bending": 0.05,
             "Time/End": 3, "Time/Step": 2e-3, "Time/Rows every": 0.1, "Time/Shapes every": 10},
        )
        spent = run["dissipated_energy"]
        turning = run["kinetic_energy"][-1]
        rows.append([f"{model}, turned by its clamp", "strain rates, 0.05",
                     f"takes {number((spent[-1] - spent[-2]) / turning)} in 0.1 s", ""])
    table("Spinning freely for one second: change of angular momentum, relative, and what is left of "
          "the kinetic energy.", ["body", "damping", "angular momentum", "kinetic energy"], rows)


def spring():
    """The rotating spring of Sanchez-Banderas and Otaduy, figure 2."""
    k, length, l = 100, 2, 40
    low, high = 2.0, 10.0
    for _ in range(100):
        r = 0.5 * (low + high)
        low, high = (r, high) if l * l / r**3 > k * (r / length - 1) else (low, r)
    energy_ = 0.5 * l * l / r**2
    rows = []
    for beta in (0.05, 0.1, 0.2):
        quiet = {"Time/Shapes every": 1e9}
        run = Run("motion_rotating_spring.prm", {**quiet, "Damping/Stretch": beta})
        found = math.hypot(run["end_x"][-1], run["end_y"][-1])
        stops = Run("motion_rotating_spring.prm",
                    {**quiet, "Damping/Stretch": 0, "Damping/Rayleigh beta": beta})
        l_now = run["angular_momentum_z"][-1]
        rows.append([str(beta), f"{found:.7f}", number(found / r - 1),
                     number(run["kinetic_energy"][-1] / energy_ - 1), number(l_now / l - 1),
                     number(stops["kinetic_energy"][-1] / energy_)])
    table(f"Rotating spring after 16 s: radius ({r:.7f}) and kinetic energy ({energy_:.6f}) of the circle, "
          "errors; kinetic energy left with Rayleigh's damping.",
          ["β", "radius", "error", "error of the energy", "of the angular momentum", "left"], rows)


def decay(signal, time):
    """Rate at which the peaks of an oscillation about its mean fall."""
    mean = signal[-1]
    x = [s - mean for s in signal]
    tops = [(time[i], abs(x[i])) for i in range(1, len(x) - 1)
            if x[i] > 0 and x[i] >= x[i - 1] and x[i] > x[i + 1]]
    tops = [(t, a) for t, a in tops if a > 1e-3 * tops[0][1]]
    n = len(tops)
    if n < 3:
        return float("nan")
    mean_t = sum(t for t, _ in tops) / n
    mean_a = sum(math.log(a) for _, a in tops) / n
    above = sum((t - mean_t) * (math.log(a) - mean_a) for t, a in tops)
    return -above / sum((t - mean_t) ** 2 for t, _ in tops)


def separation():
    """A yarn that hangs and flaps: which damping takes the energy of what."""
    rows = []
    for stretch in (5e-4, 2e-3):
        for bending in (5e-3, 2e-2):
            found = []
            for formula, column, end, step in (
                ("0; 0; -0.05*sin(pi*z/0.6)", "end_z", 0.4, 1e-4),
                ("0.05*(z/0.3)^2; 0; 0", "end_x", 4, 1e-3),
            ):
                run = Run("motion_yarn.prm",
                          {"Damping/Stretch": stretch, "Damping/Bending": bending,
                           "Motion/Velocity formula": formula, "Time/End": end, "Time/Step": step,
                           "Time/Rows every": 0, "Time/Shapes every": 1e9})
                found.append(decay(run[column], run["time"]))
            rows.append([number(stretch), number(bending), *(number(rate) for rate in found)])
    table("A yarn that hangs: rates [1/s] at which its bounce (along) and its swing (across) decay.",
          ["β of stretch", "β of bending", "bounce", "swing"], rows)


def cloth():
    """A cloth of 1089 nodes that begins to hang, and one that falls and flaps."""
    rows = []
    quiet = {"Time/Shapes every": 1e9}
    for law, damped in (
        ("none", {"Damping/Stretch": 0}),
        ("strain rates, 0.15", {}),
        ("Rayleigh β = 0.15", {"Damping/Stretch": 0, "Damping/Rayleigh beta": 0.15}),
    ):
        run = Run("shells/motion_hanging_cloth.prm", {**quiet, **damped})
        t = run["kinetic_energy"]
        late = t[len(t) // 2 :]
        swing_ = Run(
            "shells/motion_cloth.prm",
            {**quiet, "Time/Integrator": "bdf2", "Time/End": 0.6, "Damping/Bending": 0,
             "Surface/Cells along u": 16, "Surface/Cells along v": 16, "Damping/Stretch": 0.15, **damped},
        )
        rows.append([law, number(1e3 * max(t)), number(1e3 * sum(late) / len(late)),
                     number(max(swing_["kinetic_energy"])), number(swing_["dissipated_energy"][-1])])
    table("A cloth: hanging (1089 nodes), largest kinetic energy and its mean in the second half [mJ]; "
          "falling and flapping (1089 nodes), largest kinetic and dissipated energy [J].",
          ["damping", "hanging: peak", "mean", "flapping: peak", "dissipated"], rows)


def speed():
    rows = []
    quiet = {"Time/Rows every": 1e9, "Time/Shapes every": 1e9}
    rod = {"Discrete elastic rod/Segments": 300, "Time/Integrator": "implicit euler",
           "Time/Step": 2e-3, "Time/End": 2, "Damping/Bending": 0, "Time/Lumped mass": "true", **quiet}
    cloth_ = {"Time/Integrator": "implicit euler", "Damping/Bending": 0, "Damping/Stretch": 0, **quiet}

    def cells(n):
        return {"Surface/Cells along u": n, "Surface/Cells along v": n}

    cases = [("rod, 300 segments, 1200 unknowns", "motion_swing.prm", rod, 1000)]
    for n, unknowns, step, steps in ((12, 1875, 5e-3, 40), (40, 19683, 5e-3, 8), (51, 31827, 1.6e-3, 8)):
        settings = {**cloth_, **cells(n), "Time/Step": step, "Time/End": steps * step}
        name = f"cloth of {n} x {n} cells, {unknowns} unknowns"
        cases.append((name, "shells/motion_cloth.prm", settings, steps))
        if n > 12:
            lagged = {**settings, "Newton/Linear solver": "lagged mumps"}
            cases.append((f"{name}, lagged mumps", "shells/motion_cloth.prm", lagged, steps))
    for name, prm, settings, steps in cases:
        times = {}
        for law, damped in (
            ("none", {}),
            ("Rayleigh", {"Damping/Rayleigh beta": 0.002}),
            ("strain rates", {"Damping/Stretch": 0.002, "Damping/Bending": 0.002}),
        ):
            # What it takes to begin, from a run of two steps; the best of three.
            first = {**settings, **damped, "Time/End": 2 * settings["Time/Step"]}
            seconds, iterations = math.inf, 0
            for _ in range(3 if steps > 100 else 1):
                run, begun = Run(prm, {**settings, **damped}), Run(prm, first)
                seconds = min(seconds, run.seconds - begun.seconds)
                iterations = run.summary["newton_iterations"] - begun.summary["newton_iterations"]
            times[law] = seconds / iterations
            more = f"{100 * (times[law] / times['Rayleigh'] - 1):.0f} %" if law == "strain rates" else ""
            rows.append([name, law, number(1e3 * seconds / (steps - 2)),
                         f"{iterations / (steps - 2):.1f}", number(1e3 * times[law]), more])
    table("Implicit Euler: processor time per step and per iteration of Newton's method, and how much "
          "more an iteration takes than with Rayleigh's damping.",
          ["body", "damping", "ms per step", "iterations", "ms per iteration", "more"], rows)
