# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tables of benchmarks/friction."""

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from tables import PRM, PROGRAM, ROOT, number

SECTION = "Stick slip/"
TRIPLE_POINT = (0.330285434, 0.356370020)
RECIPE = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35)
# In motion, where a step is to be cheap.
PIECES_IN_MOTION = {"rod": 20, "discrete": 40, "helix": 10, "strip": 16}

# Name, settings, and what refines it with how many pieces.
MODELS = {
    "rod": ("kirchhoff rod", {}, "Kirchhoff rod/Elements", 40),
    "discrete": ("discrete elastic rod", {}, "Discrete elastic rod/Segments", 40),
    "helix": ("super helix", {"Super helix/Planar": "true"}, "Super helix/Elements", 20),
    "strip": (
        "koiter shell",
        {SECTION + "Cells across": 1, "Koiter shell/Degree": 2},
        SECTION + "Cells along",
        16,
    ),
}


class Table:
    """Printed row by row, as runs come to their end."""

    def __init__(self, title, *header):
        print(f"\n{title}\n\n| {' | '.join(header)} |\n|{' --- |' * len(header)}", flush=True)

    def row(self, *cells):
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


class Run:
    """One run of the program: its tables as lists of dictionaries."""

    def __init__(self, prm, settings, files=("results.csv",)):
        with tempfile.TemporaryDirectory() as directory:
            place = Path(directory, "run")
            command = [PROGRAM, str(PRM / prm), "--output", str(place)]
            for path, value in settings.items():
                command += ["--set", f"{path}={value}"]
            environment = {
                **os.environ,
                "OMP_NUM_THREADS": "1",
                "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            }
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            self.seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            # Some samples that fail are told in the table.
            if done.returncode not in (0, 2, 3):
                sys.exit(f"friction: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
            self.summary = json.loads((place / "summary.json").read_text())
            self.tables = {
                name: self.read(place / name) for name in files if (place / name).exists()
            }

    @staticmethod
    def read(path):
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        header, *rows = [line.split(", ") for line in lines]
        return [dict(zip(header, row)) for row in rows]

    def column(self, name, file="results.csv"):
        return np.array([float(row[name]) for row in self.tables[file]])


def model_settings(name, pieces=None):
    model, settings, refines, usual = MODELS[name]
    if model == "koiter shell" and pieces is None:
        pieces = usual
    result = {"Model": model, **settings}
    if pieces or name != "rod":
        result[refines] = pieces or usual
    return result


def static(*names):
    table = Table(
        "Stick-Slip protocol, quasi-static",
        "model", "slip told by", "error in ε", "misclassified", "verdict", "time",
    )
    for name in names or MODELS:
        for criterion in ("displacement", "force"):
            run = Run(
                "stick_slip.prm",
                {**model_settings(name), SECTION + "Criterion": criterion, SECTION + "Shapes": 0},
            )
            table.row(
                MODELS[name][0],
                criterion,
                number(run.summary["largest_error_in_epsilon"]),
                f"{run.summary['misclassified']} of {run.summary['samples']}",
                run.summary.get("verdict", "-"),
                f"{run.seconds:.1f} s",
            )


def orders(*names):
    table = Table("Orders, μ = 0.1, 0.2, 0.3", "model", "pieces", "largest error in ε", "order")
    for name in names or MODELS:
        pieces = MODELS[name][3] // 2
        errors = []
        for n in (pieces, 2 * pieces):
            settings = {
                **model_settings(name, n),
                SECTION + "Frictions": "0.1, 0.2, 0.3",
                SECTION + "Largest strain": 0.3,
                SECTION + "Bracket": 1e-11,
                SECTION + "Shapes": 0,
            }
            if name == "rod":
                settings["Kirchhoff rod/Degree"] = 2
            run = Run("stick_slip.prm", settings)
            errors.append(run.summary["largest_error_in_epsilon"])
        table.row(
            MODELS[name][0] + (", degree 2" if name == "rod" else ""),
            f"{pieces}, {2 * pieces}",
            ", ".join(map(number, errors)),
            f"{math.log2(errors[0] / errors[1]):.2f}",
        )


def triple():
    table = Table("Triple point, Kirchhoff rod", "error in ε", "error in μ", "verdict", "time")
    run = Run("stick_slip_frontier.prm", {})
    errors = [
        number(abs(run.summary[name] - exact))
        for name, exact in zip(("triple_epsilon", "triple_mu"), TRIPLE_POINT)
    ]
    table.row(*errors, run.summary["verdict"], f"{run.seconds:.1f} s")


def in_motion(mu, settings):
    """Threshold, its error, steps, time."""
    run = Run(
        "stick_slip_dynamic.prm",
        {
            SECTION + "Frictions": mu,
            SECTION + "Largest strain": 0.35,
            SECTION + "End with slip": "true",
            SECTION + "Shapes": 0,
            **settings,
        },
        ("results.csv", "frontier.csv"),
    )
    frontier = run.tables.get("frontier.csv")
    if not frontier:
        return math.nan, math.nan, run
    return float(frontier[0]["epsilon"]), float(frontier[0]["error"]), run


def dynamic(name, *frictions):
    table = Table(
        f"Dynamic, {MODELS[name][0]}, {PIECES_IN_MOTION[name]} pieces, dt = 0.5 ms",
        "μ", "ε", "error", "of the plot", "verdict", "steps", "time",
    )
    for mu in frictions or RECIPE:
        found, error, run = in_motion(mu, model_settings(name, PIECES_IN_MOTION[name]))
        # Along ε in the normalised plot, which no distance to the curve exceeds.
        part = abs(error) / TRIPLE_POINT[0]
        table.row(
            mu,
            f"{found:.5f}",
            f"{error:+.1e}",
            f"{100 * part:.2f} %",
            "OK" if part < 0.05 else "KO",
            f"{(found - 1e-3) / 0.01 / 5e-4:.0f}",
            f"{run.seconds:.0f} s",
        )


def steps(mu="0.2"):
    table = Table(f"Dynamic, discrete elastic rod, μ = {mu}", "step", "ε", "error", "time")
    tolerance = "Newton/Step tolerance"
    for what, settings in (
        ("4 ms", {SECTION + "Time step": 4e-3}),
        ("2 ms", {SECTION + "Time step": 2e-3}),
        ("1 ms", {SECTION + "Time step": 1e-3}),
        ("0.5 ms", {}),
        ("0.25 ms", {SECTION + "Time step": 2.5e-4}),
        ("0.5 ms, tolerance 1e-4", {tolerance: 1e-4}),
        ("0.5 ms, tolerance 1e-6", {tolerance: 1e-6}),
        ("0.5 ms, tolerance 1e-8", {tolerance: 1e-8}),
        ("0.5 ms, half of the speed", {SECTION + "Speed": 0.005}),
        ("0.5 ms, quarter of the speed", {SECTION + "Speed": 0.0025}),
    ):
        found, error, run = in_motion(mu, {**model_settings("discrete"), **settings})
        table.row(what, f"{found:.6f}", f"{error:+.2e}", f"{run.seconds:.1f} s")


def laws(*names):
    table = Table(
        "Laws of friction",
        "law", "step", "tolerance", "error in ε", "distance", "verdict", "Romero et al.", "time",
    )
    for name in names or ("coulomb", "viscous", "bridson-harmon", "penalty", "projective"):
        run = Run("stick_slip_laws.prm", {SECTION + "Laws": name}, ("laws.csv",))
        for row in run.tables["laws.csv"]:
            table.row(
                row["law"],
                row["time_step"],
                row["tolerance"],
                f"{float(row['largest_error_in_epsilon']):.1e}",
                f"{100 * float(row['distance']):.1f} %",
                row["verdict"],
                row["published"],
                f"{run.seconds:.0f} s for all four",
            )


def stiffness(*stiffnesses):
    """How far 50 and 200 projections, and more, lead where edges are stiff."""
    table = Table(
        "Projections and stiffness",
        "EA L²/EI", "step", "projections", "μ", "ε", "error", "time",
    )
    for axial in stiffnesses or ("1e5", "1e6", "1e7"):
        for step, turns in ((5e-4, 200), (5e-4, 500), (1e-4, 500)):
            for mu in (0.15, 0.3):
                found, error, run = in_motion(
                    mu,
                    {
                        **model_settings("discrete", 20),
                        SECTION + "Law": "projective",
                        SECTION + "Axial stiffness": axial,
                        SECTION + "Projections": turns,
                        SECTION + "Time step": step,
                    },
                )
                table.row(axial, f"{step:g}", turns, mu, *told(found, error, run))


def told(found, error, run):
    if math.isnan(found):
        return "never slips", "-", f"{run.seconds:.0f} s"
    return f"{found:.5f}", f"{error:+.1e}", f"{run.seconds:.0f} s"


def filtered(*stiffnesses):
    table = Table(
        "Velocity filter, stiffness and step", "EA L²/EI", "step", "μ", "ε", "error", "time"
    )
    for axial in stiffnesses or ("1e5", "1e6", "1e7"):
        for step in (1e-3, 5e-4, 1e-4):
            for mu in (0.15, 0.3):
                found, error, run = in_motion(
                    mu,
                    {
                        **model_settings("discrete", 20),
                        SECTION + "Law": "bridson-harmon",
                        SECTION + "Axial stiffness": axial,
                        SECTION + "Time step": step,
                    },
                )
                table.row(axial, f"{step:g}", mu, *told(found, error, run))


def explicit(*frictions):
    """The commercial code's step, with nearly as many nodes as its 40 quadratic beams."""
    table = Table("Explicit steps of 9.2 µs", "μ", "ε", "error", "time")
    for mu in frictions or ("0.1", "0.2", "0.3"):
        found, error, run = in_motion(
            mu,
            {
                **model_settings("discrete", 72),
                SECTION + "Law": "penalty",
                SECTION + "Axial stiffness": 5e5,
                SECTION + "Time step": 9.223e-6,
            },
        )
        table.row(mu, *told(found, error, run))


SLOPES = {
    "rod": ("motion_slope.prm", math.radians(30), 9.80665, 0.3, math.pi * 1e-4 * 1000),
    "shell": ("shells/motion_strip_slope.prm", math.radians(20), 9.81, 0.25, 0.2 * 0.05 * 0.002 * 1100),
}


def slope(*names):
    table = Table(
        "A slope above and 0.1 % below the angle of friction",
        "body", "acceleration off by", "moved in 10⁴ steps [m]", "largest speed [m/s]", "time",
    )
    for name in names or SLOPES:
        prm, angle, g, mu, mass = SLOPES[name]
        run = Run(prm, {})
        gained = run.column("momentum_x")[-1] / mass / run.column("time")[-1]
        wanted = g * (math.sin(angle) - mu * math.cos(angle))
        below = math.tan(angle) * (1 + 1e-3)
        step = 0.01
        run = Run(
            prm,
            {
                "Obstacle 1/Friction": below,
                "Time/End": 1e4 * step,
                "Time/Rows every": 100 * step,
                "Time/Shapes every": 1e4 * step,
            },
            ("results.csv", "contacts.csv"),
        )
        x = run.column("x", "contacts.csv")
        n = int(run.column("contacts")[-1])
        table.row(
            name,
            f"{abs(gained / wanted - 1):.1e}",
            f"{np.max(np.abs(x[-n:] - x[:n])):.1e}",
            f"{np.max(np.abs(run.column('momentum_x'))) / mass:.1e}",
            f"{run.seconds:.0f} s",
        )


def ring():
    table = Table(
        "Energy of a ring that slides and rolls [of the kinetic energy at first]",
        "step", "tolerance", "steps that gain", "most", "all", "velocity at the end", "time",
    )
    for step in (4e-3, 2e-3, 1e-3, 5e-4):
        for tolerance in (1e-8, 1e-12):
            run = Run(
                "shells/motion_rolling_ring.prm",
                {
                    "Time/End": 0.3,
                    "Time/Step": step,
                    "Surface/Cells along u": 16,
                    "Newton/Step tolerance": tolerance,
                    "Time/Shapes every": 1,
                },
            )
            kinetic = run.column("kinetic_energy")
            gained = np.diff(kinetic + run.column("potential_energy")) / kinetic[0]
            momentum = run.column("momentum_x")
            table.row(
                f"{step:g}",
                f"{tolerance:g}",
                f"{np.sum(gained > 0)} of {len(gained)}",
                f"{max(0, np.max(gained)):.1e}",
                f"{np.sum(gained[gained > 0]):.1e}",
                f"{momentum[-1] / momentum[0]:.4f}",
                f"{run.seconds:.0f} s",
            )


def cloth(cells="44", side="0.25"):
    run = Run(
        "shells/motion_cloth_on_sphere.prm",
        {
            # Folds of this cloth are as wide as 14 mm; cells resolve them.
            "Surface/Length": side,
            "Surface/Width": side,
            "Surface/Cells along u": cells,
            "Surface/Cells along v": cells,
            "Obstacle 1/Point": f"{float(side) / 2}, 0, {-0.3 * float(side) - 0.002}",
            "Obstacle 1/Radius": 0.3 * float(side),
            "Time/End": 3,
            "Time/Step": 0.005,
            "Time/Rows every": 0.1,
            "Time/Shapes every": 3,
        },
        ("results.csv", "contacts.csv"),
    )
    steps = run.column("step")
    mass = float(side) ** 2 * 0.001 * 300
    for what, value in (
        ("nodes", f"{(int(cells) + 1) ** 2}"),
        ("steps", f"{steps[-1]:.0f}"),
        ("time", f"{run.seconds:.0f} s"),
        ("contacts at the end", f"{run.column('contacts')[-1]:.0f}"),
        ("slipping at the end", f"{run.column('slipping')[-1]:.0f}"),
        ("smallest gap", f"{np.min(run.column('gap', 'contacts.csv')):.1e} m"),
        ("root mean square speed at the end", f"{math.sqrt(2 * run.column('kinetic_energy')[-1] / mass):.1e} m/s"),
        ("speed of the centre at the end", f"{np.linalg.norm([run.column('momentum_' + c)[-1] for c in 'xyz']) / mass:.1e} m/s"),
        ("failed", str(run.summary["failed"])),
    ):
        print(f"{what}: {value}")


def costs():
    program = ROOT / "build" / "benchmarks" / "friction_costs"
    sys.exit(subprocess.run([str(program)], check=False).returncode)
