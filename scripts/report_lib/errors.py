# SPDX-License-Identifier: LGPL-2.1-or-later
"""What can go wrong with the files of a run."""


class ReportError(Exception):
    """One line for the user: the file, and what is wrong with it."""
