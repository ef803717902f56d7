# SPDX-License-Identifier: LGPL-2.1-or-later
"""What can go wrong. Each error says it in one line, mostly the program's own."""


class Error(Exception):
    """Any of these. `run` is what is there of the run, None if nothing is."""

    def __init__(self, line, run=None):
        super().__init__(line)
        self.run = run


class NoProgram(Error):
    """The program, or something else that was asked for, is not on this machine."""


class InputError(Error):
    """The input is wrong; nothing was computed (exit code 1)."""


class Incomplete(Error):
    """Some samples failed; `run` has the others (exit code 2)."""


class JudgedKO(Error):
    """The verdict is KO, and the file says that this is a failure (exit code 3)."""


class Interrupted(Error):
    """It was asked to end; resume=True goes on with it (exit code 4)."""


BY_EXIT_CODE = {1: InputError, 2: Incomplete, 3: JudgedKO, 4: Interrupted}
