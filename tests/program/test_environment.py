# SPDX-License-Identifier: LGPL-2.1-or-later
"""The program's surroundings: without a working directory, a place for
temporary files or an environment it answers what needs none of them, and says
one line otherwise; option files of libraries are not obeyed."""

import subprocess

from support import PRM, PROGRAM, ProgramTest, environment, main

QUESTIONS = (["--list"], ["--help"], ["--version"], ["--describe", "branch"])
RUN = ["--validate", str(PRM / "cantilever.prm")]


class Surroundings(ProgramTest):
    def ask(self, arguments, env, cwd=None, prefix=()):
        return subprocess.run(
            [*prefix, PROGRAM, *arguments],
            env=env,
            cwd=cwd or self.directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    def check_answers(self, env, prefix=()):
        for arguments in QUESTIONS:
            process = self.ask(arguments, env, prefix=prefix)
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertEqual(process.stderr, "")
            self.assertGreater(process.stdout.count("\n"), 5)

    def check_one_line(self, process, *expected):
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stdout, "")
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        for words in expected:
            self.assertIn(words, process.stderr)

    def test_no_place_for_temporary_files(self):
        for name in ("TMPDIR", "TEMP"):
            env = {**environment(self.scratch), name: "/proc/none"}
            if name == "TEMP":
                del env["TMPDIR"]
            self.check_answers(env)
            self.check_one_line(self.ask(RUN, env), "temporary files", "/proc/none", "TMPDIR")

    def test_no_working_directory(self):
        # The shell enters it and takes it away.
        prefix = ["/bin/sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh"]
        env = environment(self.scratch)
        self.check_answers(env, prefix)
        self.check_one_line(self.ask(RUN, env, prefix=prefix), "working directory")

    def test_empty_environment(self):
        self.check_answers({})
        # Not even a PATH, with which MPI would look for its daemon.
        process = self.ask(RUN, {})
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stderr, "")

    def test_only_the_first_process_answers(self):
        for arguments in (["--list"], ["--describe", "branch"]):
            alone = self.program(*arguments)
            together = self.program(*arguments, ranks=2)
            self.assertEqual(together.returncode, 0, together.stderr)
            self.assertEqual(together.stdout, alone.stdout)

    def test_files_of_petsc_are_not_obeyed(self):
        # '-version' prints PETSc's and ends the process; '-info' talks a lot.
        for place in ("cwd", "home"):
            directory = self.directory / place
            directory.mkdir()
            (directory / ".petscrc").write_text("-version\n-info\n")
        (self.directory / "cwd" / "petscrc").write_text("-version\n-info\n")
        env = {**environment(self.scratch), "HOME": str(self.directory / "home")}
        process = self.ask(RUN, env, cwd=self.directory / "cwd")
        self.assertEqual(process.returncode, 0)
        self.assertEqual(process.stderr, "")
        self.assertEqual(process.stdout, f"{RUN[1]}: valid\n")


if __name__ == "__main__":
    main()
