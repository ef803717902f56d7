# SPDX-License-Identifier: LGPL-2.1-or-later
"""make_site.py PROGRAM DIR: what scripts/site runs."""

import os
import sys

sys.dont_write_bytecode = True
SCRIPTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, SCRIPTS)

try:
    import markdown  # noqa: F401
except ImportError:
    # Another Python may hide the one that Debian's packages extend.
    SYSTEM_PYTHON = "/usr/bin/python3"
    if sys.executable != SYSTEM_PYTHON and os.access(SYSTEM_PYTHON, os.X_OK):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON] + sys.argv)
    sys.exit("site: needs Markdown for Python (package python3-markdown)")

from doc_lib.program import Program, ProgramError  # noqa: E402
from doc_lib.site import build  # noqa: E402


def main():
    program, target = sys.argv[1:]
    try:
        site, count = build(os.path.dirname(SCRIPTS), Program(program), target)
    except (ProgramError, OSError) as problem:
        said = problem.strerror if isinstance(problem, OSError) and problem.strerror else problem
        print(f"site: {said}", file=sys.stderr)
        return 1
    if not site.katex:
        print("site: formulas are shown as TeX, without KaTeX (package libjs-katex)", file=sys.stderr)
    print(f"site: {os.path.join(target, 'index.html')}, {count} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
