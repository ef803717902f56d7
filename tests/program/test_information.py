# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the program tells about itself, and the parameters that a run writes."""

import functools
import json
import re

from support import MODELS, PRM, ROOT, STUDIES, ProgramTest, main, prm, read_parameters

VERSION = re.search(r"project\(slender_fem VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


class Information(ProgramTest):
    def ask(self, *arguments):
        process = self.program(*arguments)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stderr, "")
        return process.stdout

    @classmethod
    @functools.cache
    def describe(cls, name):
        process = cls.program("--describe", name)
        if process.returncode != 0 or process.stderr:
            raise AssertionError(process.stderr)
        return process.stdout

    def test_help(self):
        text = self.ask("--help")
        for words in (
            "FILE.prm",
            "--set",
            "--output",
            "--validate",
            "--list",
            "--describe",
            "--version",
            "--help",
            "Exit codes",
        ):
            self.assertIn(words, text)
        self.assertEqual(self.ask("-h"), text)
        self.assertLess(max(map(len, text.splitlines())), 90)

    def test_version(self):
        text = self.ask("--version")
        self.assertEqual(text.splitlines()[0], f"slender_fem {VERSION}")
        for library in ("deal.II", "PETSc", "SLEPc", "Trilinos", "Eigen", "Boost", "MPI"):
            self.assertRegex(text, rf"(?m)^ *{re.escape(library)} +\d+\.\d+")

    def test_list(self):
        text = self.ask("--list")
        for name in (*MODELS, *STUDIES):
            # A name, and a line about it.
            self.assertRegex(text, rf"(?m)^  {name}  +\w.{{20,}}$")

    def test_all_that_is_listed_is_described(self):
        names = re.findall(r"(?m)^  (\S+(?: \S+)*)  +\w", self.ask("--list"))
        self.assertLessEqual({*MODELS, *STUDIES}, set(names))
        for name in names:
            self.assertRegex(self.describe(name), r"(?m)^ *set \w")

    def test_describe(self):
        for name, parameter in (
            ("cantilever", "set First exponent"),
            ("equilibrium", "set Load steps"),
            ("kirchhoff rod", "set Elements"),
            ("discrete elastic rod", "set Segments"),
        ):
            self.assertIn(parameter, self.describe(name))

    def test_values_that_are_allowed(self):
        text = self.describe("equilibrium")
        self.assertIn("# Allowed: a whole number from 1 to 1000000.", text)
        self.assertIn("# Allowed: 'circular', 'rectangular' or 'stiffnesses'.", text)
        self.assertIn("# Allowed: a number of at least 1e-12.", text)
        self.assertLess(max(map(len, text.splitlines())), 100)

    def test_zero_has_no_sign(self):
        for name in (*STUDIES, "koiter shell"):
            self.assertNotRegex(self.describe(name), r"(?m)^ *set .*[ ,]-0(,|$)")

    def test_what_can_be_varied_and_is_measured(self):
        rod = ("gravity  ", "end rotation", "end distance", "largest curvature")
        shell = ("pressure", "EDGE load", "POINT displacement x", "bending energy")
        for name, words in (
            ("kirchhoff rod", rod),
            ("koiter shell", shell),
            ("branch", rod + shell),
            ("frontier", rod + shell),
            ("equilibrium", rod + shell),
        ):
            text = self.describe(name)
            for word in words:
                # With a unit.
                self.assertRegex(text, rf"(?m)^#   {word}.*\[.*\]$")

    def test_all_that_is_measured_is_described(self):
        run = self.study("rod_equilibrium.prm", settings={"Equilibrium/Load steps": 1})
        text = self.describe("kirchhoff rod")
        for column in run.results.columns[2:]:
            if not column.startswith(("negative", "undecided", "eigenvalue", "iterations")):
                # "end x" stands for y and z as well.
                name = re.sub(r"_[yz]$", "_x", column).replace("_", " ")
                self.assertIn(f"#   {name} ", text)

    def test_edges_and_points_are_described_once(self):
        text = self.describe("koiter shell")
        self.assertEqual(re.findall(r"subsection (Edge.*|Point.*)", text), ["Edge 1", "Point 1"])
        words = " ".join(re.sub(r"(?m)^ *#", "", text).split())
        self.assertIn("any number of sections Edge 1, Edge 2, ...", words)

    def test_obstacles_are_described(self):
        """As comments: a motion need not have any."""
        text = self.describe("motion")
        self.assertNotRegex(text, r"(?m)^subsection Obstacle")
        self.assertRegex(text, r"(?m)^# subsection Obstacle 1$")
        self.assertRegex(text, r"(?m)^#   set Shape +=")
        self.assertNotIn("further sections", self.describe("cantilever"))

    def test_reference_is_all_that_is_described(self):
        """Parameters of every model and study, with their defaults and words."""
        reference = json.loads(self.ask("--reference"))
        for owner in [*reference["models"], *reference["studies"]]:
            told = {one["path"]: one for one in [*owner["parameters"], *reference["parameters"]]}
            text = " ".join(re.sub(r"(?m)^ *#", "", self.describe(owner["name"])).split())
            for path, value in prm.settings(self.describe(owner["name"])).items():
                # Of a model, --describe also prints the sections of its body.
                if path in told and path not in ("Study", "Model"):
                    self.assertEqual(told[path]["default"], value, path)
                    self.assertIn(told[path]["documentation"], text)
                else:
                    self.assertTrue(path in ("Study", "Model") or owner.get("body") == "shell", path)
        self.assertEqual({study["name"] for study in reference["studies"]} - set(STUDIES), set())
        knot = next(study for study in reference["studies"] if study["name"] == "knot")
        self.assertEqual(knot["models"], ["discrete elastic rod"])

    def test_what_is_described_is_valid(self):
        # How a shell grows, its user has to say.
        studies = [study for study in STUDIES if study != "growth"]
        described = [self.scratch / f"{study}.prm" for study in studies]
        for study, path in zip(studies, described):
            path.write_text(self.describe(study))
        said = self.ask("--validate", *described)
        self.assertEqual(said, "".join(f"{path}: valid\n" for path in described))

    def test_nothing_is_created(self):
        self.ask("--validate", PRM / "cantilever.prm")
        self.ask("--list")
        self.assertEqual([p for p in self.directory.iterdir() if p.name != "run"], [])


class UsedParameters(ProgramTest):
    """used.prm asks the same question again."""

    def check(self, prm, settings):
        first = self.study(prm, output="first", settings=settings)
        used = first.directory / "used.prm"
        self.assertEqual(self.program("--validate", used).returncode, 0)
        again = self.program(used, output=self.directory / "again")
        self.assertEqual(again.returncode, 0, again.stderr)
        results = (self.directory / "again" / "results.csv").read_bytes()
        self.assertEqual(results, first.results_bytes)
        self.assertEqual((self.directory / "again" / "used.prm").read_bytes(), used.read_bytes())

        given, written = read_parameters(PRM / prm), read_parameters(used)
        for path, value in {**given, **settings}.items():
            if path in written:  # not the section of another model
                self.assertEqual(written[path], str(value), path)

    def test_cantilever(self):
        self.check("cantilever.prm", {"Cantilever/Exponent step": 0.5})

    def test_cantilever_der(self):
        self.check("cantilever_der.prm", {"Cantilever/Exponent step": 0.5})

    def test_redundant(self):
        settings = {"Model": "discrete elastic rod", "Discrete elastic rod/Segments": 50}
        self.check("cantilever_redundant.prm", settings)

    def test_equilibrium(self):
        self.check("rod_equilibrium.prm", {"Equilibrium/Load steps": 3})


if __name__ == "__main__":
    main()
