# SPDX-License-Identifier: LGPL-2.1-or-later
"""The manual page slender_fem(1)."""

import re

from .program import ProgramError

EXIT_CODE = re.compile(r"(\d) (.+?)(?:; (?=\d )|\.$)")

FILES = (
    ("output/NAME/", "what a run of NAME.prm leaves, unless --output says otherwise"),
    ("output/NAME.unfinished/", "the same while the run goes on, and what --resume continues"),
    ("results.csv, frontier.csv, master.csv", "tables; lines that begin with # are remarks"),
    ("summary.json", "the answer in a sentence, verdict, errors, counts, time"),
    ("fields/*.pvd", "shapes and modes for ParaView"),
    ("states/label_N.h5", "states from which another run can start"),
    ("used.prm", "every parameter with its value; running it repeats the run"),
)
ENVIRONMENT = (
    ("OMP_NUM_THREADS, DEAL_II_NUM_THREADS", "threads of each process; 1 is best"),
    ("OMPI_*, PMIX_*", "how MPI starts processes, see mpirun(1)"),
)


def escaped(text):
    """Text in which nothing is a request or an escape of troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    text = text.replace("'", "\\(aq").replace('"', "\\(dq")
    return re.sub(r"(?m)^\.", r"\\&.", text)


def ascii_only(text):
    """Characters beyond ASCII by their numbers, which every troff knows."""
    return "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)


def listed(pairs):
    lines = []
    for name, meaning in pairs:
        lines += [".TP", f".B {escaped(name)}", escaped(meaning) or "\\&"]
    return lines


def exit_codes(usage):
    found = EXIT_CODE.findall(usage.note("Exit codes:"))
    if [code for code, _ in found] != ["0", "1", "2", "3", "4"]:
        raise ProgramError("the exit codes of --help cannot be read")
    return found


def manual_page(program):
    """Its text, in the man macros."""
    usage = program.usage
    of_all = [(one["path"], one["documentation"]) for one in program.general]
    lines = [
        '.\\" Made by scripts/manual from what the program says of itself.',
        f'.TH SLENDER_FEM 1 "" "slender_fem {program.version}" "User Commands"',
        ".SH NAME",
        "slender_fem \\- statics, stability, motion and validation of slender elastic bodies",
        ".SH SYNOPSIS",
    ]
    for number, (call, _) in enumerate(usage.calls):
        lines += [".br"] if number else []
        lines += [f".B {escaped(call)}"]
    lines += [".SH DESCRIPTION", escaped(usage.sentence[0].upper() + usage.sentence[1:])]
    lines += ["The question is a parameter file; it says which study and which model are meant."]
    lines += listed(usage.calls)
    for note in usage.notes:
        if not note.startswith("Exit codes"):
            lines += [".PP", escaped(note)]
    lines += [".SH STUDIES", *listed((s["name"], s["description"]) for s in program.studies)]
    lines += [".SH MODELS", *listed((m["name"], m["description"]) for m in program.models)]
    lines += [".SH PARAMETERS OF EVERY FILE", *listed(of_all)]
    lines += [".PP", "All others:", ".B slender_fem \\-\\-describe", ".IR NAME ."]
    lines += [".SH FILES", *listed(FILES)]
    lines += [".SH ENVIRONMENT", *listed(ENVIRONMENT)]
    lines += [".SH EXIT STATUS", *listed(exit_codes(usage))]
    lines += [".SH SEE ALSO", ".BR mpirun (1),", ".BR paraview (1)"]
    return ascii_only("\n".join([*lines, ""]))
