# SPDX-License-Identifier: LGPL-2.1-or-later
"""scripts/setup asks for what is missing and harms nothing that is there."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from repository import ROOT

# Stand-ins: dpkg-query knows the packages of a file, apt-get notes what it is told.
STAND_INS = {
    "dpkg-query": """
if [ "$3" = '${db:Status-Status}' ]; then
  grep -qx "$4" "$SETUP_PLACE/installed" && printf installed
else
  shift 3
  for package; do
    grep -qx "$package" "$SETUP_PLACE/installed" && echo "installed $package"
  done
fi
""",
    "apt-get": 'echo "$@" >>"$SETUP_PLACE/told"\n',
    "sudo": 'shift\nexec "$@"\n',
}


class Setup(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        for name, text in STAND_INS.items():
            path = self.place / "bin" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
            path.chmod(0o755)

    def install(self, *arguments, installed=()):
        """The words of apt-get install; none if it was not called."""
        (self.place / "installed").write_text("\n".join(installed) + "\n", encoding="utf-8")
        told = self.place / "told"
        told.unlink(missing_ok=True)
        path = f"{self.place / 'bin'}{os.pathsep}{os.environ['PATH']}"
        process = subprocess.run(
            [ROOT / "scripts" / "setup", *arguments],
            env={**os.environ, "PATH": path, "SETUP_PLACE": str(self.place)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(process.returncode, 0, process.stderr)
        lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
        return [words for line in lines if "install" in (words := line.split())][:1]

    def test_running_needs_no_vtk(self):
        (words,) = self.install()
        self.assertIn("libdeal.ii-dev", words)
        self.assertNotIn("python3-vtk9", words)

    def test_a_browser_is_for_tests_only(self):
        (words,) = self.install()
        self.assertIn("libjs-three", words)
        self.assertNotIn("chromium", words)
        (words,) = self.install("--tests")
        for package in ("chromium", "chromium-driver", "python3-selenium"):
            self.assertIn(package, words)

    def test_tests_need_vtk(self):
        (words,) = self.install("--tests")
        self.assertIn("python3-vtk9", words)

    def test_the_site_needs_markdown_and_katex(self):
        (words,) = self.install("--site")
        self.assertLessEqual({"python3-markdown", "libjs-katex"}, set(words))
        self.assertNotIn("clang-tidy", words)
        # Which the tests check, too.
        (words,) = self.install("--tests")
        self.assertLessEqual({"python3-markdown", "libjs-katex", "python3-h5py"}, set(words))

    def test_the_vtk_of_paraview_will_do(self):
        (words,) = self.install("--tests", installed=["python3-paraview"])
        self.assertIn("clang-format", words)
        self.assertNotIn("python3-vtk9", words)

    def test_nothing_is_removed(self):
        for arguments in ((), ("--site",), ("--tests",)):
            (words,) = self.install(*arguments)
            self.assertIn("--no-remove", words)

    def test_nothing_is_done_when_all_is_there(self):
        for arguments in ((), ("--site",), ("--tests",)):
            (words,) = self.install(*arguments)
            packages = [word for word in words if not word.startswith("-")]
            self.assertEqual(self.install(*arguments, installed=packages), [])


if __name__ == "__main__":
    unittest.main()
