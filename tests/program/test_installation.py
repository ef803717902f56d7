# SPDX-License-Identifier: LGPL-2.1-or-later
"""What `cmake --install` puts under a prefix works there, without the source tree; the
container has the packages for it; examples of pages are valid."""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from support import PROGRAM, ROOT, ProgramTest, environment, main

BUILD = Path(PROGRAM).parent
PRM_BLOCK = re.compile(r"```prm\n(.*?)```", re.DOTALL)
BASH_BLOCK = re.compile(r"```bash\n(.*?)```", re.DOTALL)


@unittest.skipUnless((BUILD / "cmake_install.cmake").is_file(), "the program is not in its build directory")
class Installation(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.directory / "prefix"
        done = cls.call(["cmake", "--install", str(BUILD), "--prefix", str(cls.prefix)])
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.share = cls.prefix / "share" / "slender_fem"

    def ours(self):
        """An environment that knows nothing of the source tree."""
        own = environment(self.scratch)
        own.pop("SLENDER_FEM", None)
        own["PATH"] = f"{self.prefix / 'bin'}{os.pathsep}{own['PATH']}"
        (own["PYTHONPATH"],) = map(str, self.prefix.glob("lib/python3*/*-packages"))
        return own

    def do(self, *words):
        done = subprocess.run(
            list(map(str, words)), env=self.ours(), cwd=self.directory, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_program_report_and_film(self):
        few = ("--set", "Time/End=0.2")
        self.do("slender_fem", self.share / "prm" / "motion_swing.prm", *few, "--output", "swing")
        self.do(sys.executable, self.share / "scripts" / "report", "swing")
        page = (self.directory / "swing" / "report.html").read_text()
        self.assertIn("<svg", page, "the report has no pictures")
        self.do(sys.executable, self.share / "scripts" / "animate", "swing", "film.gif")
        self.assertGreater((self.directory / "film.gif").stat().st_size, 1000)

    def test_every_example_with_its_files_is_valid(self):
        examples = sorted(self.share.glob("prm/**/*.prm"))
        self.assertEqual(len(examples), len(list(ROOT.glob("prm/**/*.prm"))))
        with_files = [p for p in examples if re.search(r"(?m)^ *set .*file *= *\S", p.read_text())]
        self.assertTrue(with_files)
        for prm in [*with_files, *examples[:2]]:
            done = subprocess.run(
                ["slender_fem", "--validate", prm], env=self.ours(), cwd=self.share, capture_output=True, text=True
            )
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_python_module_is_found_and_finds_the_program(self):
        code = (
            "import slender; print(slender.__file__); print(slender.find_program())\n"
            "run = slender.run(study='equilibrium', model='kirchhoff rod', settings={'Loads/Gravity': 1})\n"
            "print(run.shapes[-1].points.shape[1])"
        )
        module, program, columns = self.do(sys.executable, "-B", "-c", code).split()
        self.assertTrue(module.startswith(str(self.prefix)))
        self.assertEqual(program, str(self.prefix / "bin" / "slender_fem"))
        self.assertEqual(columns, "3")

    def test_pictures_of_the_pages_are_there(self):
        documents = self.prefix / "share" / "doc" / "slender_fem"
        pages = [documents / "README.md", *documents.glob("doc/**/*.md")]
        self.assertGreater(len(pages), 25)
        count = 0
        for page in pages:
            text = page.read_text()
            for target in [*re.findall(r"!\[[^]]*\]\(([^)]+)\)", text), *re.findall(r'<img src="([^"]+)"', text)]:
                self.assertTrue((page.parent / target).is_file(), f"{page.name}: {target}")
                count += 1
        self.assertGreater(count, 20)

    def test_manual_page_and_completion_are_there(self):
        for name in ("man/man1/slender_fem.1", "bash-completion/completions/slender_fem"):
            self.assertIn("Made by scripts/manual", (self.prefix / "share" / name).read_text())

    def test_nothing_of_python_was_compiled_or_left(self):
        self.assertEqual(list(self.prefix.rglob("*.pyc")), [])


def packages_of(text, name):
    """Those of a list of scripts/setup."""
    inside = re.search(rf"(?ms)^{name}=\((.*?)\)", text)[1]
    return set(re.sub(r"#.*", "", inside).split())


class Container(unittest.TestCase):
    """No image is built here: its text is compared with what is known of the packages."""

    def setUp(self):
        self.text = (ROOT / "Containerfile").read_text()
        build, run = self.text.split("\nFROM ")[1:]
        self.build = build
        self.installed = set(re.search(r"--no-install-recommends((?: \\?\n?[^&]*)*)&&", run)[1].replace("\\", "").split())

    def test_it_is_built_with_the_packages_of_setup(self):
        """It calls the script instead of naming them again."""
        self.assertIn("RUN scripts/setup &&", self.build)
        copied = re.search(r"COPY (.*) scripts/\n", self.build)[1].split()
        self.assertEqual(copied, ["scripts/common", "scripts/setup"])

    def test_the_tools_of_setup_are_there_when_it_runs(self):
        wanted = packages_of((ROOT / "scripts" / "setup").read_text(), "packages")
        tools = {name for name in wanted if name.startswith("python3-") or name in ("ffmpeg", "openmpi-bin")}
        self.assertEqual(tools - self.installed, set())

    @unittest.skipUnless(shutil.which("readelf") and shutil.which("dpkg-query"), "needs readelf and dpkg")
    def test_every_library_that_the_program_links_is_there(self):
        said = subprocess.run(["readelf", "-d", PROGRAM], capture_output=True, text=True, check=True).stdout
        found = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
        places = dict(re.findall(r"(\S+) => (/\S+)", found))
        for library in re.findall(r"NEEDED.*\[(.+)\]", said):
            if re.match(r"lib(c|m|gcc_s|stdc\+\+|asan|ubsan)\.so|ld-", library):
                continue
            path = os.path.realpath(places[library])
            # Debian's own list knows files of /usr by their names of before the merge.
            for name in (path, path.removeprefix("/usr")):
                owner = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
                if owner.returncode == 0:
                    self.assertIn(owner.stdout.partition(":")[0], self.installed, library)
                    break


class Pages(ProgramTest):
    def test_files_of_the_first_hour_are_valid(self):
        text = (ROOT / "doc" / "tutorials" / "first_hour.md").read_text()
        files = []
        for number, block in enumerate(PRM_BLOCK.findall(text)):
            files.append(self.scratch / f"{number}.prm")
            files[-1].write_text(block)
        self.assertEqual(len(files), 5)
        done = self.program("--validate", *files)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        # The quick ones say what the page says they do.
        for file in files[:4]:
            done = self.program(file, output=self.directory / file.stem)
            answer = next(line for line in done.stdout.splitlines() if line.startswith(("under", "it buckles")))
            (number,) = re.findall(r"-?\d+\.\d+(?=\D*$)", answer)
            close = [x for x in re.findall(r"> .*?(-?\d+\.\d+)\)?$", text, re.MULTILINE)]
            self.assertTrue(any(abs(float(x) / float(number) - 1) < 1e-4 for x in close), answer)

    def test_scripts_for_the_cluster_are_bash(self):
        blocks = BASH_BLOCK.findall((ROOT / "doc" / "cluster.md").read_text())
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            subprocess.run(["bash", "-n"], input=block, text=True, check=True)


if __name__ == "__main__":
    main()
