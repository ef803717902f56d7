# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tables of benchmarks/knots."""

import hashlib
import json
import math
import os
from pathlib import Path

from tables import ROOT, Run, table

KEPT = Path(os.environ.get("SLENDER_KNOTS", ROOT / "output" / "knots"))
FILES = {1: "knot.prm", 2: "knot_n2.prm", 3: "knot_n3.prm", 4: "knot_n4.prm"}
MICRO = 1e6
# Steps, iterations per step, milliseconds per iteration and seconds of the
# paper's table 1.
TABLE_1 = {
    "imc": {1: (2.23, 2.24, 551), 2: (2.67, 2.20, 542), 3: (3.04, 2.18, 570), 4: (3.24, 2.12, 509)},
    "spt": {1: (8.25, 2.30, 2085), 2: (9.28, 2.26, 1931), 3: (10.25, 2.26, 1990), 4: (10.94, 2.21, 1790)},
}
# Its method and its step.
PAPER = {"Contact/Method": "imc", "Knot/Time step": 5e-4, "Contact/Adaption": 3e-3}


class Kept:
    """A run of the program, or what was kept of one with these settings."""

    def __init__(self, prm, settings):
        name = hashlib.sha1(json.dumps([prm, settings], sort_keys=True).encode()).hexdigest()[:12]
        file = KEPT / f"{Path(prm).stem}_{name}.json"
        if not file.exists():
            run = Run(prm, settings)
            data = {
                "prm": prm,
                "settings": settings,
                "seconds": run.seconds,
                "summary": run.summary,
                "columns": {name: run[name] for name in run.rows[0]},
            }
            KEPT.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(data))
        data = json.loads(file.read_text())
        self.seconds, self.summary, self.columns = data["seconds"], data["summary"], data["columns"]

    def __getitem__(self, name):
        return self.columns[name]

    def force_at(self, shortening, loosening=False, part=0.01):
        """The mean of the pull force within a part of a shortening [N]."""
        return self.mean("pull_force", "shortening", shortening, loosening, part)

    def mean(self, wanted, where, value, loosening=False, part=0.01):
        turn = min(range(len(self["shortening"])), key=lambda i: self["shortening"][i])
        rows = range(turn + 1, len(self["time"])) if loosening else range(1, turn + 1)
        near = [self[wanted][i] for i in rows if abs(self[where][i] - value) < part * value]
        return sum(near) / len(near) if near else math.nan

    @property
    def steps(self):
        return sum(self["steps"])

    @property
    def iterations(self):
        return sum(self["iterations"])

    @property
    def milliseconds(self):
        """Processor time of an iteration, of those with which it came to rest too."""
        return 1e3 * self.seconds / (self.iterations + self.summary.get("settling_iterations", 0))

    def settled(self, begins=0.97):
        """Rows behind the jerk with which a pull begins."""
        first = begins * self["shortening"][0]
        return [i for i, e in enumerate(self["shortening"]) if e < first]

    def deepest(self):
        return MICRO * max(self["penetration"][i] for i in self.settled())

    def often(self, depth=5e-6):
        """In which part of the rows something penetrates deeper [%]."""
        rows = self.settled()
        return 100 * sum(self["penetration"][i] > depth for i in rows) / len(rows)

    def hovering(self):
        """Largest distance of the nearest pair of edges."""
        return MICRO * max(self.columns.get("hovering", self["least_gap"])[i] for i in self.settled())


def words(value, form=".3g"):
    return "–" if value is None or math.isnan(value) else format(value, form)


def inversion(run):
    found = run.summary
    if not found["inverted_at"]:
        return "none"
    return f"{found['inverted_at']:.4f} m, {1e3 * found['inverted_force']:.3g} mN"


def cost(run, paper=None):
    spent = [
        f"{run.iterations / run.steps:.2f}",
        f"{run.milliseconds:.2f}",
        f"{run.seconds:.0f}",
        f"{run.seconds / run['time'][-1]:.2f}",
    ]
    return spent + ([" / ".join(str(x) for x in paper)] if paper else ["–"])


COST = ["iterations per step", "ms per iteration", "s in all", "s per simulated s", "paper: the first three"]


def paper():
    runs = {n: Kept(FILES[n], PAPER) for n in FILES}
    table(
        "The paper's setting: imc, steps of 0.5 ms, 6 mm/s, friction 0.1, 301 nodes (in parentheses: "
        "the part of the tenths of a second in which one of 200 steps is deeper than 5 µm).",
        ["n", "shortening [m]", "steps", "penetration [µm]", "hovering [µm]", "inversion", *COST],
        [
            [
                str(n),
                f"{run['shortening'][0]:.2f} → {run['shortening'][-1]:.2f}",
                f"{run.steps:.0f}",
                f"{run.deepest():.1f} ({run.often():.1f} %)",
                f"{run.hovering():.1f}",
                inversion(run),
                *cost(run, TABLE_1["imc"][n]),
            ]
            for n, run in runs.items()
        ],
    )
    places = (0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.11)
    table(
        "Pull force [mN] over shortening [m].",
        ["n", *[f"{e:.2f}" for e in places]],
        [[str(n), *[words(1e3 * run.force_at(e)) for e in places]] for n, run in runs.items()],
    )


def depth():
    rows = []
    for value in (0, 1e-3):
        run = Kept(
            FILES[3],
            {
                **PAPER,
                "Contact/Depth": value,
                "Knot/Shortening at start": 0.335,
                "Knot/Shortening at end": 0.235,
                "Knot/Settling time": 1,
                "Knot/Rows every": 0.02,
            },
        )
        rows.append(
            [
                f"{value:g}",
                f"{run.deepest():.1f} ({run.often():.1f} %)",
                f"{run.hovering():.1f}",
                inversion(run),
                f"{run.iterations / run.steps:.2f}",
                f"{run.seconds:.0f}",
            ]
        )
    table(
        "n = 3 about its inversion, shortening 0.335 → 0.235, imc, steps of 0.5 ms.",
        ["depth", "penetration [µm]", "hovering [µm]", "inversion", "iterations per step", "s in all"],
        rows,
    )


def speeds():
    places = (0.65, 0.6, 0.55, 0.5, 0.45, 0.4)
    rows = []
    for viscosity in (0.01, 5e-4):
        for speed in (3e-3, 6e-3, 9e-3):
            run = Kept(
                FILES[2],
                {
                    "Knot/Pull speed": speed,
                    "Knot/Viscosity": viscosity,
                    "Knot/Time step": 1e-2,
                    "Knot/Shortening at end": 0.39,
                },
            )
            forces = [words(1e3 * run.force_at(e)) for e in places]
            rows.append([f"{viscosity:g}", f"{1e3 * speed:.0f}", *forces])
    table(
        "n = 2: pull force [mN] over shortening [m], barrier, steps of 10 ms.",
        ["viscosity [Pa s]", "speed [mm/s]", *[f"{e:.2f}" for e in places]],
        rows,
    )


def friction():
    places = (0.65, 0.6, 0.55, 0.5, 0.45, 0.4)
    rows = []
    for value in (0.1, 0.2, 0.3):
        run = Kept(
            FILES[4],
            {"Contact/Friction": value, "Knot/Time step": 1e-2, "Knot/Shortening at end": 0.38},
        )
        rows.append([f"{value}", *[words(1e3 * run.force_at(e)) for e in places], inversion(run)])
    table(
        "n = 4: pull force [mN] over shortening [m], barrier, steps of 10 ms.",
        ["friction", *[f"{e:.2f}" for e in places], "inversion"],
        rows,
    )


def steps():
    places = (0.65, 0.6, 0.5, 0.4, 0.3, 0.2, 0.11)
    rows = []
    for name, settings in (
        ("imc, 0.5 ms", PAPER),
        ("barrier, 5 ms", {}),
        ("barrier, 20 ms", {"Knot/Time step": 2e-2}),
    ):
        run = Kept(FILES[1], settings)
        rows.append([name, *[words(1e3 * run.force_at(e), ".4g") for e in places]])
    table("n = 1: pull force [mN] over shortening [m].", ["", *[f"{e:.2f}" for e in places]], rows)


# The theory is that of a loose knot. A loop of a rod of 1 m and 1.6 mm has
# e = sqrt(h/R) > 0.1; thinner ones reach 0.07 and 0.05. They are stiffer, lest
# drag and inertia be as large as the force.
LOOSE = {
    "Rod/Radius": 6.4e-4,
    "Rod/Young's modulus": 1.8e7,
    "Discrete elastic rod/Segments": 750,
    "Knot/Shortening at start": 0.84,
    "Knot/Shortening at end": 0.17,
    "Knot/Loosen to": 0.6,
    "Knot/Settling time": 5,
    "Knot/Viscosity": 5e-4,
    "Knot/Pull speed": 9e-3,
    "Knot/Time step": 2e-2,
}
LOOSEST = {
    "Rod/Radius": 3.2e-4,
    "Rod/Young's modulus": 1.8e8,
    "Discrete elastic rod/Segments": 1500,
    "Knot/Shortening at start": 0.86,
    "Knot/Shortening at end": 0.4,
    "Knot/Settling time": 5,
    "Knot/Viscosity": 5e-4,
    "Knot/Pull speed": 9e-3,
    "Knot/Time step": 2e-2,
}
SLOW = {
    "Knot/Viscosity": 5e-4,
    "Knot/Pull speed": 3e-3,
    "Knot/Shortening at end": 0.4,
    "Knot/Loosen to": 0.69,
    "Knot/Time step": 2e-2,
}
# Tails as long for their loop as those of the thinner rods.
LONG = {
    **SLOW,
    "Rod/Length": 2,
    "Rod/Young's modulus": 1.8e7,
    "Discrete elastic rod/Segments": 600,
    "Knot/Shortening at start": 0.95,
    "Knot/Loosen to": 0.9,
    "Knot/Pull speed": 9e-3,
}
EPSILONS = (0.05, 0.06, 0.07, 0.08, 0.09, 0.10, 0.11, 0.12, 0.13, 0.14, 0.15)


def theory(epsilon, friction_):
    return 0.5 * epsilon**4 + 0.492 * friction_ * epsilon**3


def locked_at(run):
    """Where a knot that is let loose pulls no more."""
    turn = min(range(len(run["shortening"])), key=lambda i: run["shortening"][i])
    rows = range(turn + 1, len(run["time"]))
    # Means over a few rows: a knot that comes loose trembles.
    for i in rows[5:-5]:
        if sum(run["pull_force"][i - 5 : i + 6]) <= 0:
            return run["epsilon"][i]
    return math.nan


def ratios(run, friction_, loosening=False):
    def ratio(epsilon):
        expected = theory(epsilon, -friction_ if loosening else friction_)
        if abs(expected) < 2e-7:
            return math.nan
        return run.mean("dimensionless_force", "epsilon", epsilon, loosening) / expected

    return [words(ratio(epsilon)) for epsilon in EPSILONS]


def trefoil():
    header = ["rod", *[f"{epsilon:.2f}" for epsilon in EPSILONS], "locked at", "eq. 26's µ"]
    rows = []
    for name, settings in (
        ("h = 1.6 mm", SLOW),
        ("h = 1.6 mm, 2 m", LONG),
        ("h = 0.64 mm", LOOSE),
        ("h = 0.32 mm", LOOSEST),
    ):
        run = Kept(FILES[1], settings)
        rows.append([f"{name}, tightened", *ratios(run, 0.1), "", ""])
        if "Knot/Loosen to" not in settings:
            continue
        locked = locked_at(run)
        rows.append(
            [f"{name}, loosened", *ratios(run, 0.1, True), words(locked), words(locked / (2 * 0.492))]
        )
    table(
        "n = 1: force over that of eq. 25, over e = sqrt(h/R), R = shortening/2 pi (paper: "
        "locked at 0.1285, which eq. 26 takes for a friction of 0.1306).",
        header,
        rows,
    )


QUICK = {**LOOSE, "Knot/Loosen to": 0, "Knot/Shortening at end": 0.3}
CAUSES = {
    "nothing": {},
    "no friction": {"Contact/Friction": 0},
    "1 500 segments": {"Discrete elastic rod/Segments": 1500},
    "gap 0.01 h": {"Contact/Gap": 0.01},
    "no drag": {"Knot/Viscosity": 0},
    "4.5 mm/s": {"Knot/Pull speed": 4.5e-3},
    "steps of 10 ms": {"Knot/Time step": 1e-2},
    "creep 1e-5 m/s": {"Contact/Creep speed": 1e-5},
}


def causes():
    rows = []
    for name, changed in CAUSES.items():
        run = Kept(FILES[1], {**QUICK, **changed})
        rows.append([name, *ratios(run, changed.get("Contact/Friction", 0.1))[2:7]])
    table(
        "Rod of h = 0.64 mm, tightened: what moves the ratio.",
        ["changed", *[f"{epsilon:.2f}" for epsilon in EPSILONS[2:7]]],
        rows,
    )


def methods():
    ranges = {1: (0.5, 0.47), 2: (0.6, 0.57), 3: (0.7, 0.67), 4: (0.7, 0.67)}
    kinds = {
        "imc": {"Contact/Method": "imc"},
        "imc, hybrid": {"Contact/Method": "imc", "Contact/Explicit iterations": 20},
        "barrier": {},
        "spt": {"Contact/Method": "spt"},
    }
    rows = []
    for name, settings in kinds.items():
        for n, (begin, end) in ranges.items():
            run = Kept(
                FILES[n],
                {
                    **settings,
                    "Knot/Time step": 5e-4,
                    "Knot/Shortening at start": begin,
                    "Knot/Shortening at end": end,
                },
            )
            rows.append(
                [
                    name,
                    str(n),
                    f"{begin} → {end}",
                    f"{run.deepest():.1f}",
                    f"{run.hovering():.1f}",
                    words(1e3 * run.force_at(end, part=0.02)),
                    words(1e3 * jitter(run)),
                    *cost(run, TABLE_1.get(name, {}).get(n)),
                ]
            )
    table(
        "Methods, steps of 0.5 ms.",
        ["method", "n", "shortening", "penetration [µm]", "hovering [µm]", "force [mN]", "jitter [mN]", *COST],
        rows,
    )


def jitter(run):
    """Root mean square of the change of the force from row to row."""
    forces = [run["pull_force"][i] for i in run.settled()]
    changes = [b - a for a, b in zip(forces, forces[1:])]
    return math.sqrt(sum(c * c for c in changes) / len(changes))


def nodes():
    rows = []
    for segments in (300, 600, 1200, 3000):
        length = segments / 300
        run = Kept(
            FILES[1],
            {
                "Rod/Length": length,
                "Discrete elastic rod/Segments": segments,
                "Knot/Shortening at start": 0.5,
                "Knot/Shortening at end": 0.48,
            },
        )
        rows.append(
            [
                f"{segments}",
                f"{run.iterations / run.steps:.2f}",
                f"{run.milliseconds:.2f}",
                f"{1e3 * run.milliseconds / segments:.2f}",
            ]
        )
    table(
        "n = 1 in ever longer rods with the same segments, barrier, steps of 5 ms.",
        ["segments", "iterations per step", "ms per iteration", "µs per iteration and segment"],
        rows,
    )


def rods():
    rows = []
    for number in (1, 5, 50, 500):
        # As much room for each, and as high a fall.
        side = 0.15 * math.sqrt(number / 50) if number > 5 else 0.15
        half = 0.5 * side + 0.005
        walls = {
            "Obstacle 2/Point": f"{-half}, 0, 0",
            "Obstacle 3/Point": f"{half}, 0, 0",
            "Obstacle 4/Point": f"0, {-half}, 0",
            "Obstacle 5/Point": f"0, {half}, 0",
        }
        run = Kept(
            "tangle.prm",
            {
                "Rods/Number": number,
                "Rods/Region sides": f"{side}, {side}, 0.2",
                "Time/End": 0.15,
                "Time/Shapes every": 0.15,
                **walls,
            },
        )
        steps_ = run["step"][-1]
        rows.append(
            [
                f"{number}",
                f"{run.iterations / steps_:.1f}",
                f"{1e3 * run.seconds / run.iterations:.2f}",
                f"{1e3 * run.seconds / run.iterations / number:.3f}",
                f"{1e3 * run.seconds / steps_:.1f}",
                f"{run['contact/contacts'][-1]:.0f}",
                f"{MICRO * max(run['contact/penetration']):.1f}",
            ]
        )
    table(
        "Heaps of rods of 16 segments (prm/tangle.prm), 0.15 s in steps of 1 ms.",
        [
            "rods",
            "iterations per step",
            "ms per iteration",
            "... and rod",
            "ms per step",
            "contacts at the end",
            "penetration [µm]",
        ],
        rows,
    )


PARTS = (paper, depth, speeds, friction, steps, trefoil, causes, methods, nodes, rods)
