# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random parameter files, each setting allowed by its declaration: what
--validate passes the run does not refuse, and the other way round; wrong input
gives one line; no table of a run that says it finished holds a number that is
not finite."""

import math
import random
import re

from support import ProgramTest, Table, main

SEED = 20260918

# Columns of words, and of numbers that are not there at every point.
COLUMNS_OF_WORDS = ("kind", "side")
UNKNOWN = ("eigenvalue", "uncertainty", "koiter")
N_FILES = 36
SETTINGS_PER_FILE = 7

# Bodies and continuations stay small: the test is about what is said of them.
SMALL = {
    "Elements": "6",
    "Segments": "12",
    "Degree": "2",
    "Cells along u": "3",
    "Cells along v": "2",
    "Load steps": "2",
    "Maximum points": "12",
    "Maximum branches": "2",
    "Switching depth": "0",
    "Maximum iterations": "30",
    "Maximum step cuts": "2",
    "Eigenvalues": "1",
    "Requested values": "",
    "Shapes": "2",
    "Largest step": "0.2",
    "Refinements": "0",
}
# Numbers of an order that users type, and some that they do not.
NUMBERS = ["0", "1", "-1", "0.5", "2", "-0.1", "10", "1e-3", "1e3", "1e-200", "-1e200"]
WORDS = {
    "Parameter": ["end force", "gravity", "end rotation", "pressure", "no such thing"],
    "Parameter 1": ["end force", "gravity"],
    "Parameter 2": ["gravity", "end moment", "start rotation"],
    "Stop measurement": ["end z", "energy", "nothing"],
    "Name": ["left", "right", "rim", "tip", "nobody"],
    "Position": ["1, 0, 0", "0, 0.5, 0"],
}
MODELS = ["kirchhoff rod", "discrete elastic rod", "super helix", "koiter shell"]
STUDIES = ["equilibrium", "branch", "frontier"]


class Declaration:
    """A parameter as --describe prints it."""

    def __init__(self, path, default, documentation):
        self.path = path
        self.name = path.split("/")[-1]
        self.default = default
        self.allowed = documentation.partition("Allowed: ")[2].rstrip(".")

    def random_value(self, source):
        if self.name in SMALL:
            return SMALL[self.name]
        if self.name in WORDS:
            return source.choice(WORDS[self.name])
        choices = re.findall(r"'([^']*)'", self.allowed)
        if self.allowed.startswith(("'", "any of '")):
            return source.choice(choices)
        if self.allowed.startswith("a list of 3 items"):
            return ", ".join(source.choice(NUMBERS) for _ in range(3))
        if self.allowed.startswith("a number"):
            return source.choice([x for x in NUMBERS if self.is_within(float(x))])
        return self.default

    def is_within(self, x):
        number = r"(-?\d[\d.e+-]*)"
        if m := re.search(rf"from {number} to {number}", self.allowed):
            return float(m[1]) <= x <= float(m[2])
        if m := re.search(rf"at least {number}", self.allowed):
            return x >= float(m[1])
        if m := re.search(rf"greater than 0 and at most {number}", self.allowed):
            return 0 < x <= float(m[1])
        return x > 0 if "greater than 0" in self.allowed else True


def declarations(description):
    sections, comment = [], []
    for line in description.splitlines():
        keyword, _, rest = line.strip().partition(" ")
        if keyword == "#":
            comment.append(rest.strip())
            continue
        if keyword == "subsection":
            sections.append(rest)
        elif keyword == "end":
            sections.pop()
        elif keyword == "set":
            name, _, value = rest.partition("=")
            path = "/".join([*sections, name.strip()])
            yield Declaration(path, value.strip(), " ".join(comment))
        comment = []


class RandomFiles(ProgramTest):
    def declared(self, study, model):
        """All parameters of a study with a model, by path."""
        text = self.program("--describe", study).stdout
        found = {d.path: d for d in declarations(text)}
        own = {d.path: d for d in declarations(self.program("--describe", model).stdout)}
        if model == "koiter shell":
            sections = {"Rod", "Start", "End", "Loads"}
            found = {p: d for p, d in found.items() if p.split("/")[0] not in sections}
        return {**found, **own}

    def write(self, path, source):
        study, model = source.choice(STUDIES), source.choice(MODELS)
        if (study, model) not in self.known:
            self.known[study, model] = self.declared(study, model)
        declared = self.known[study, model]
        values = {p: SMALL[d.name] for p, d in declared.items() if d.name in SMALL}
        free = sorted(p for p in declared if "/" in p and declared[p].name not in SMALL)
        # Some body that can be, so that not all files are refused at once.
        if model == "koiter shell":
            values |= {"Edge 1/Name": "left", "Edge 1/Hold": "clamped"}
            values |= {"Branch/Parameter": "gravity"} if study == "branch" else {}
            values |= (
                {"Frontier/Parameter 1": "gravity", "Frontier/Parameter 2": "pressure"}
                if study == "frontier"
                else {}
            )
        for name in source.sample(free, source.randint(0, SETTINGS_PER_FILE)):
            values[name] = declared[name].random_value(source)
        lines = [f"set Study = {study}", f"set Model = {model}"]
        for name, value in values.items():
            section, _, parameter = name.partition("/")
            lines += [f"subsection {section}", f"  set {parameter} = {value}", "end"]
        path.write_text("\n".join([*lines, ""]))

    def check_wrong(self, process):
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        self.assertTrue(process.stderr.startswith("slender_fem: "), process.stderr)

    def test_validation_and_run_agree(self):
        self.known = {}
        source = random.Random(SEED)
        outcomes = {0: 0, 1: 0, 2: 0}
        paths = [self.directory / f"random_{i}.prm" for i in range(N_FILES)]
        for path in paths:
            self.write(path, source)
        checked = self.program("--validate", *paths)
        self.assertEqual(checked.returncode, 1, checked.stderr)
        said = (checked.stdout + checked.stderr.replace("slender_fem: ", "")).splitlines()
        for i, path in enumerate(paths):
            with self.subTest(path.name, text=path.read_text()):
                (line,) = [line for line in said if line.startswith(f"{path}:")]
                run = self.program(path, output=self.directory / f"run_{i}")
                outcomes[run.returncode] = outcomes.get(run.returncode, 0) + 1
                if line != f"{path}: valid":
                    self.check_wrong(run)
                    complaint = run.stderr.strip().replace("slender_fem: ", "")
                    self.assertTrue(line.endswith(complaint), f"{line}\n{complaint}")
                    continue
                self.assertIn(run.returncode, (0, 2), run.stderr)
                if run.returncode == 0:
                    table = Table(self.directory / f"run_{i}" / "results.csv")
                    self.check_finite(table)
        # The seed is a useful one: many are refused, many run.
        self.assertGreater(outcomes[0], N_FILES // 5, outcomes)
        self.assertGreater(outcomes[1], N_FILES // 5, outcomes)

    def check_finite(self, table):
        for row in table.rows:
            for column, cell in row.items():
                # What was not asked for, or is not there, is unknown.
                if column in COLUMNS_OF_WORDS or any(name in column for name in UNKNOWN):
                    continue
                self.assertTrue(math.isfinite(float(cell)), f"{column} is {cell}")


if __name__ == "__main__":
    main()
