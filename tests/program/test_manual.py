# SPDX-License-Identifier: LGPL-2.1-or-later
"""The manual page and the completion of command lines say what the program says."""

import re
import shutil
import subprocess

from support import PRM, PROGRAM, ROOT, STUDIES, ProgramTest, main

OPTIONS = ("--set", "--output", "--resume", "--validate", "--list", "--describe", "--version", "--help")


class Manual(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = cls.call([ROOT / "scripts" / "manual", PROGRAM, cls.directory])
        if made.returncode != 0:
            raise AssertionError(made.stderr)
        cls.page = cls.directory / "slender_fem.1"
        cls.completion = cls.directory / "slender_fem.bash"

    def formatted(self):
        for words in (["mandoc", "-Tascii"], ["groff", "-man", "-Tascii"]):
            if shutil.which(words[0]):
                text = subprocess.run([*words, self.page], capture_output=True, text=True, check=True).stdout
                return re.sub(".\b", "", text)
        self.skipTest("needs mandoc or groff")

    def test_the_page_has_no_mistakes(self):
        if not shutil.which("mandoc"):
            self.skipTest("needs mandoc")
        done = subprocess.run(
            ["mandoc", "-T", "lint", "-W", "warning", self.page], capture_output=True, text=True
        )
        complaints = [line for line in done.stdout.splitlines() if "missing date" not in line]
        self.assertEqual(complaints, [])

    def test_the_page_tells_all(self):
        text = " ".join(self.formatted().split())
        listing = self.program("--list").stdout
        names = re.findall(r"(?m)^  (\S+(?: \S+)*)  +\S", listing)
        for words in (*names, *OPTIONS, *STUDIES, "EXIT STATUS", "4 it was interrupted", "used.prm"):
            self.assertIn(words, text)

    def complete(self, *words):
        """What bash offers for the last word."""
        script = (
            'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()\n'
            '_slender_fem; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        process = self.call(
            ["bash", "-c", script, "bash", str(self.completion), "slender_fem", *map(str, words)], cwd=ROOT
        )
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return process.stdout.split("\n")[:-1]

    def test_the_completion_has_no_mistakes(self):
        if not shutil.which("shellcheck"):
            self.skipTest("needs shellcheck")
        done = subprocess.run(["shellcheck", self.completion], capture_output=True, text=True)
        self.assertEqual(done.stdout, "")

    def test_options(self):
        self.assertLessEqual(set(OPTIONS), set(self.complete("--")))
        self.assertEqual(self.complete("--des"), ["--describe"])

    def test_studies_and_models(self):
        offered = self.complete("--describe", "")
        self.assertLessEqual({*STUDIES, "koiter shell"}, set(offered))
        self.assertEqual(self.complete("--describe", '"koi'), ["koiter shell"])
        offered = self.complete(PRM / "cantilever.prm", "--set", '"Model=super')
        self.assertEqual(offered, ["Model=super helix", "Model=super clothoid", "Model=super ribbon"])

    def test_settings_of_the_files_study_and_model(self):
        offered = self.complete(PRM / "cantilever.prm", "--set", "")
        self.assertLessEqual({"Model=", "Cantilever/", "Kirchhoff rod/"}, set(offered))
        self.assertFalse({"Branch/", "Knot/", "Koiter shell/"} & set(offered))
        # Another model on the command line counts.
        with_shell = ("--set", "Model=koiter shell", "--set", "Ko")
        self.assertEqual(self.complete(PRM / "cantilever.prm", *with_shell), ["Koiter shell/"])
        # Without a file all are offered.
        self.assertLessEqual({"Branch/", "Knot/", "Koiter shell/"}, set(self.complete("--set", "")))

    def test_names_and_values(self):
        prm = PRM / "cantilever.prm"
        self.assertEqual(self.complete(prm, "--set", '"Kirchhoff rod/El'), ["Kirchhoff rod/Elements="])
        self.assertEqual(self.complete(prm, "--set", '"Kirchhoff rod/"El'), ["Kirchhoff rod/Elements="])
        self.assertEqual(self.complete(prm, "--set", "Kirchhoff\\ rod/El"), ["Kirchhoff rod/Elements="])
        self.assertEqual(self.complete(prm, "--set", "Cantilever/Extensible", "=", "t"), ["true"])
        self.assertEqual(self.complete(prm, "--set", '"Cantilever/Extensible=f'), ["Cantilever/Extensible=false"])
        self.assertIn("Rod/Young's modulus=", self.complete(PRM / "branch_euler.prm", "--set", '"Rod/'))

    def test_files(self):
        self.assertEqual(self.complete("prm/cantilever_d"), ["prm/cantilever_der.prm"])
        self.assertNotIn("README.md", self.complete(""))
        self.assertIn("prm", self.complete("--output", "pr"))

    def test_a_program_that_says_nothing_is_an_error_of_one_line(self):
        process = self.call([ROOT / "scripts" / "manual", "/bin/false", self.directory / "none"])
        self.assertEqual(process.returncode, 1)
        self.assertEqual(len(process.stderr.splitlines()), 1)
        self.assertFalse((self.directory / "none").exists())


if __name__ == "__main__":
    main()
