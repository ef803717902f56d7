# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wrong input: exit code 1, one line that helps, and nothing is created."""

import os
import shutil
import unittest
from dataclasses import dataclass, field

from support import PRM, ProgramTest, main

CANTILEVER = "cantilever.prm"
ROD = "rod_equilibrium.prm"


@dataclass
class Case:
    """A wrong command line and words that its one line has to hold."""

    name: str
    arguments: list
    expected: list
    ranks: tuple = (None,)
    settings: dict = field(default_factory=dict)


def setting(name, prm, settings, *expected, **options):
    return Case(name, [prm], list(expected), settings=settings, **options)


BOTH = (None, 2)

# Files that are wrong by themselves.
FILES = {
    "misspelt_parameter.prm": "set Study = cantilever\nsubsection Cantilever\nset Radus = 1\nend\n"
    "set Model = kirchhoff rod\n",
    "open_section.prm": "set Study = cantilever\n\nsubsection Cantilever\n  set Radius = 0.1\n",
    "open_end.prm": "set Study = cantilever\nend\n",
    "no_equals.prm": "set Study cantilever\n",
    "no_keyword.prm": "Study = cantilever\n",
    "nameless_section.prm": "subsection\nend\n",
    "includes_nothing.prm": "include nowhere.prm\n",
    "includes_itself.prm": "include includes_itself.prm\n",
    "includes_other.prm": "include other.prm\n",
    "other.prm": "include includes_other.prm\n",
    "includes_directory.prm": "include directory\n",
    "includes_zeros.prm": "include /dev/zero\n",
    "empty.prm": "",
    "no_study.prm": "set Model = kirchhoff rod\n",
    "no_model.prm": "set Study = cantilever\n",
    "empty_study.prm": "set Study =\nset Model = kirchhoff rod\n",
    "twice.prm": "set Study = cantilever\nset Model = kirchhoff rod\nset Study = equilibrium\n",
    "escape.prm": "set Study = \x1b[31mcantilever\n",
    "escape_8_bit.prm": "set Study = \u009b31mcantilever\n",
    **{f"doubles_{i}.prm": f"include doubles_{i + 1}.prm\n" * 2 for i in range(20)},
    "doubles_20.prm": "set Study = cantilever\n",
}

COMMAND_LINES = [
    Case("no arguments", [], ["no parameter file", "--help"], ranks=BOTH),
    Case("unknown option", ["--frobnicate", CANTILEVER], ["--frobnicate", "--help"]),
    Case("misspelt option", [CANTILEVER, "--outptu", "x"], ["did you mean '--output'?"]),
    Case("two files", [CANTILEVER, ROD], ["one parameter file", CANTILEVER, ROD]),
    Case("two actions", ["--list", "--version"], ["one thing at a time"]),
    Case("a file to list", ["--list", CANTILEVER], ["takes no parameter file"]),
    Case("--output without a name", [CANTILEVER, "--output"], ["--output needs a directory"]),
    Case("--output with an empty name", [CANTILEVER, "--output", ""], ["--output needs"]),
    Case("--set without a setting", [CANTILEVER, "--set"], ["Section/Name=value"]),
    Case("--set without '='", [CANTILEVER, "--set", "Study"], ["Section/Name=value"]),
    Case("--set without a name", [CANTILEVER, "--set", "=3"], ["Section/Name=value"]),
    Case("--describe without a name", ["--describe"], ["--describe needs"]),
    Case("--describe of a misspelt name", ["--describe", "kirchof rod"], ["'kirchhoff rod'"]),
    Case("--describe of an unknown name", ["--describe", "spoon"], ["--list"], ranks=BOTH),
    Case("--validate without a file", ["--validate"], ["--validate needs a parameter file"]),
    Case(
        "--validate of a wrong file",
        ["--validate", "misspelt_parameter.prm"],
        ["misspelt_parameter.prm:3:", "'Radus'", "did you mean 'Radius'?"],
        ranks=BOTH,
    ),
    Case("no such file", ["nowhere.prm"], ["nowhere.prm", "no such file"], ranks=BOTH),
    Case("a directory", ["directory"], ["directory", "a .prm file is expected"]),
    Case("a binary file", ["binary.prm"], ["binary.prm", "a text file is expected"]),
    Case("not UTF-8", ["latin1.prm"], ["latin1.prm:1:", "UTF-8"]),
    Case("control character in --set", [CANTILEVER, "--set", "Study=\x1b[2J"], ["plain text"]),
    Case("control character as a file", ["\x1b[31mx.prm"], ["no such file"]),
]

BROKEN_FILES = [
    Case("misspelt parameter", ["misspelt_parameter.prm"], [":3:", "did you mean 'Radius'?"]),
    Case("section that is not closed", ["open_section.prm"], [":3:", "'Cantilever'", "'end'"]),
    Case("'end' too many", ["open_end.prm"], [":2:", "'subsection' is expected"]),
    Case("no '='", ["no_equals.prm"], [":1:", "'set name = value' is expected"]),
    Case("no keyword", ["no_keyword.prm"], [":1:", "'set name = value'"]),
    Case("section without a name", ["nameless_section.prm"], [":1:", "'subsection name'"]),
    Case("included file is missing", ["includes_nothing.prm"], [":1:", "nowhere.prm"]),
    Case("file includes itself", ["includes_itself.prm"], [":1:", "without end"]),
    Case("files include each other", ["includes_other.prm"], ["other.prm:1:", "without end"]),
    Case("includes without measure", ["doubles_0.prm"], ["more than 1000 files"]),
    Case("directory is included", ["includes_directory.prm"], [":1:", "directory"]),
    Case("device is included", ["includes_zeros.prm"], [":1:", "not an ordinary file"]),
    Case("device", ["/dev/zero"], ["/dev/zero", "not an ordinary file"]),
    Case("pipe", ["pipe"], ["pipe", "not an ordinary file"]),
    Case("empty file", ["empty.prm"], ["empty.prm", "which Study", "--list"], ranks=BOTH),
    Case("no study", ["no_study.prm"], ["which Study", "--list"]),
    Case("no model", ["no_model.prm"], ["which Model", "--list"]),
    Case("empty study", ["empty_study.prm"], ["empty_study.prm:1:", "which Study", "--list"]),
    Case("set twice", ["twice.prm"], ["twice.prm:3:", "'Study' is set in line 1 already"]),
    Case("control character", ["escape.prm"], ["escape.prm:1:", "control character"]),
    Case("control character of 8 bits", ["escape_8_bit.prm"], [":1:", "control character"]),
]

NAMES = [
    setting("misspelt study", CANTILEVER, {"Study": "cantilver"}, "did you mean 'cantilever'?"),
    setting("unknown study", CANTILEVER, {"Study": "bridge"}, "'bridge'", "--list"),
    setting("misspelt model", CANTILEVER, {"Model": "kirchoff rod"}, "'kirchhoff rod'?"),
    setting("unknown model", CANTILEVER, {"Model": "rope"}, "'rope'", "--list", ranks=BOTH),
    setting("misspelt section", CANTILEVER, {"Cantilver/Radius": 1}, "'Cantilever'?"),
    setting("unknown section", CANTILEVER, {"Bridge/Radius": 1}, "'Cantilever'", "'Newton'"),
    setting("section of another study", CANTILEVER, {"Rod/Length": 1}, "no section 'Rod'"),
    setting("misspelt parameter", CANTILEVER, {"Cantilever/Shape": 1}, "'Shapes'?"),
    setting("wrong section", CANTILEVER, {"Radius": 1}, "belongs to section 'Cantilever'"),
    setting("section as parameter", CANTILEVER, {"Newton": 1}, "'Newton' is a section"),
    setting(
        "misspelt parameter of the other model",
        CANTILEVER,
        {"Discrete elastic rod/Segment": 7},
        "did you mean 'Segments'?",
    ),
]

VALUES = [
    setting("no number", CANTILEVER, {"Cantilever/Radius": "thick"}, "'thick'", "a number from"),
    setting("no whole number", CANTILEVER, {"Cantilever/Shapes": 1.5}, "a whole number from 0"),
    setting("not a number", ROD, {"Loads/Gravity": "nan"}, "'Gravity'", "a number is expected"),
    setting("infinite", ROD, {"Rod/Density": "inf"}, "'Density'", "a number of at least 0"),
    setting("too large for a number", ROD, {"Loads/Gravity": "1e400"}, "a number is expected"),
    setting("decimal comma", ROD, {"Rod/Length": "0,3"}, "'0,3'", "a number of at least"),
    setting("empty", ROD, {"Rod/Length": ""}, "may not be empty"),
    setting("below the range", CANTILEVER, {"Kirchhoff rod/Elements": 0}, "from 1 to 1000000"),
    setting("above the range", ROD, {"Rod/Poisson's ratio": 0.6}, "from -0.999 to 0.5"),
    setting("negative length", ROD, {"Rod/Length": -1}, "at least 1e-12"),
    setting("misspelt choice", CANTILEVER, {"Newton/Line search": "backtrak"}, "'backtrack'?"),
    setting("unknown choice", ROD, {"Rod/Section": "star"}, "'circular', 'rectangular'"),
    setting("neither true nor false", CANTILEVER, {"Fail on KO": "maybe"}, "'true' or 'false'"),
    setting("two numbers for a vector", ROD, {"Rod/Tangent": "1, 0"}, "a list of 3 items"),
    setting(
        "range of the other model",
        CANTILEVER,
        {"Discrete elastic rod/Segments": 0},
        "from 1 to 10000000",
    ),
]

CONTRADICTIONS = [
    setting(
        "empty sweep",
        CANTILEVER,
        {"Cantilever/Last exponent": -4},
        "the sweep is empty",
        "'First exponent'",
        ranks=BOTH,
    ),
    setting(
        "nothing holds the rod",
        ROD,
        {"Start/Hold": "free", "Start/Rotation angle": 0},
        "nothing holds the rod",
        "clamp, pin or fix",
    ),
    setting(
        "nothing stops the rod from spinning",
        ROD,
        {"Start/Hold": "pinned", "End/Hold": "pinned", "Start/Rotation angle": 0},
        "spinning",
        "clamp one of its ends",
        "set Rotation = about y",
    ),
    setting("director along the tangent", ROD, {"Rod/Director 1": "2, 0, 0"}, "parallel"),
    setting("no direction of gravity", ROD, {"Loads/Gravity direction": "0, 0, 0"}, "zero"),
    setting("no axis", ROD, {"Start/Rotation axis": "0, 0, 0"}, "direction may not be zero"),
    setting("directions without custom", ROD, {"End/Fixed directions": "x"}, "'custom'"),
    setting("rotation without custom", ROD, {"End/Rotation": "about x"}, "'custom'"),
    setting(
        "unknown direction",
        ROD,
        {"End/Hold": "custom", "End/Fixed directions": "x, w"},
        "any of 'x', 'y' and 'z'",
    ),
    setting("displaced free end", ROD, {"End/Displacement": 0.1}, "free cannot be displaced"),
    setting("turned free end", ROD, {"End/Rotation angle": 0.1}, "cannot be rotated"),
    setting("place of a free end", ROD, {"End/Position": "1, 0, 0"}, "position is free"),
    setting(
        "no position",
        ROD,
        {"End/Hold": "pinned", "End/Position": "here"},
        "'here' is not a position",
        "'x, y, z'",
    ),
]

# Valid on other numbers of ranks.
RANKS = [
    setting(
        "ranks that cannot be split",
        CANTILEVER,
        {"Ranks per sample": 3},
        "'Ranks per sample' is 3",
        "does not divide",
        ranks=BOTH,
    ),
]

OUTPUTS = [
    Case("foreign files", [CANTILEVER, "--output", "mine"], ["'thesis.tex'", "--output"], BOTH),
    Case("a file", [CANTILEVER, "--output", CANTILEVER], ["is a file", "--output"]),
    Case("below a file", [CANTILEVER, "--output", f"{ROD}/x"], ["cannot be written"], BOTH),
    Case("the working directory", [CANTILEVER, "--output", "."], ["working directory"]),
    Case("no place for it", [CANTILEVER, "--output", "/proc/none"], ["cannot be written"]),
    setting(
        "foreign files by parameter",
        CANTILEVER,
        {"Output directory": "mine"},
        "'thesis.tex'",
    ),
]


class WrongInput:
    """How cases are checked, among files of which most are wrong."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in (CANTILEVER, ROD):
            shutil.copy(PRM / name, cls.directory)
        for name, text in FILES.items():
            (cls.directory / name).write_text(text)
        (cls.directory / "directory").mkdir()
        os.mkfifo(cls.directory / "pipe")
        (cls.directory / "binary.prm").write_bytes(b"set Study\0= cantilever\n")
        (cls.directory / "latin1.prm").write_bytes(b"set Study = ma\xdf\n")
        (cls.directory / "mine").mkdir()
        (cls.directory / "mine" / "thesis.tex").write_text("years of work\n")

    def check_all(self, cases):
        for case in cases:
            for ranks in case.ranks:
                with self.subTest(case.name, ranks=ranks):
                    options = {"settings": case.settings, "ranks": ranks}
                    self.refuse(*case.arguments, expected=case.expected, **options)


    def check_files(self, cases):
        """The cases that are a file, or settings in one, and their text."""
        self.refuse_all(
            [
                (
                    self.write_variant(case.name, self.directory / case.arguments[0], case.settings)
                    if case.settings
                    else case.arguments[0],
                    case.expected,
                )
                for case in cases
            ]
        )
        for case in cases:
            if 2 in case.ranks:
                with self.subTest(case.name):
                    options = {"settings": case.settings, "ranks": 2}
                    self.refuse(*case.arguments, expected=case.expected, **options)


class WrongFiles(WrongInput, ProgramTest):
    def test_command_lines(self):
        self.check_all(COMMAND_LINES)

    def test_broken_files(self):
        self.check_files(BROKEN_FILES)

    def test_outputs(self):
        self.check_all(OUTPUTS)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_directory_without_permission(self):
        closed = self.directory / "closed"
        closed.mkdir(mode=0o555)
        case = Case("no permission", [CANTILEVER, "--output", "closed/x"], ["cannot be written"])
        self.refuse(*case.arguments, settings=case.settings, expected=case.expected)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_file_without_permission(self):
        secret = self.directory / "secret.prm"
        secret.write_text("set Study = cantilever\n")
        secret.chmod(0)
        try:
            process = self.program("secret.prm")
        finally:
            secret.unlink()
        self.assertEqual(process.returncode, 1)
        self.assertIn("cannot be opened", process.stderr)


class WrongSettings(WrongInput, ProgramTest):
    def test_names(self):
        self.check_files(NAMES)

    def test_values(self):
        self.check_files(VALUES)

    def test_contradictions(self):
        self.check_files(CONTRADICTIONS)

    def test_ranks(self):
        self.check_all(RANKS)


if __name__ == "__main__":
    main()
