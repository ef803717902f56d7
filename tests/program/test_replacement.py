# SPDX-License-Identifier: LGPL-2.1-or-later
"""A new run replaces an earlier one as a whole, and nothing else."""

import shutil

from support import PRM, ProgramTest, main, snapshot

SHORT = {"Cantilever/Exponent step": 1}


def run_names(directory):
    return {name for name in snapshot(directory) if "/" not in name}


class Replacement(ProgramTest):
    def test_nothing_of_the_earlier_run_is_left(self):
        many = {"Cantilever/Exponent step": 0.25, "Cantilever/Shapes": 20}
        self.study("cantilever.prm", settings=many)
        directory = self.directory / "run"
        (directory / "report.html").write_text("<html></html>")
        self.assertEqual(len(list((directory / "fields").glob("*.vtp"))), 20)

        run = self.study("cantilever_der.prm", settings={**SHORT, "Cantilever/Shapes": 3})
        self.assertEqual(run.summary["model"], "discrete elastic rod")
        fields = {path.name for path in (directory / "fields").iterdir()}
        # Named after the samples in the middle of each third of the eight.
        shapes = {f"shapes_{i:04}.vtp" for i in (1, 4, 6)}
        self.assertEqual(fields, shapes | {"shapes.pvd"})
        self.assertEqual(
            run_names(directory),
            {".manifest", "results.csv", "summary.json", "used.prm", "log.txt", "fields"},
        )
        self.assertEqual({path.name for path in self.directory.iterdir()}, {"run"})

    def test_another_study_leaves_no_trace_either(self):
        settings = {"Equilibrium/Load steps": 2}
        self.study("rod_equilibrium.prm", output="other", settings=settings)
        run = self.study("cantilever_der.prm", output="other", settings=SHORT)
        self.assertFalse((run.directory / "fields" / "modes.pvd").exists())
        self.assertEqual(len(run.results), 8)
        shutil.rmtree(run.directory)

    def test_a_run_to_which_something_was_added_is_kept(self):
        run = self.study("cantilever_der.prm", output="mine", settings=SHORT)
        for name in ("notes.txt", "fields/notes.txt"):
            (run.directory / name).write_text("remember this\n")
            before = snapshot(self.directory)
            process = self.program(PRM / "cantilever_der.prm", settings=SHORT, output=run.directory)
            self.assertEqual(process.returncode, 1)
            self.assertIn(f"'{name}'", process.stderr)
            self.assertEqual(snapshot(self.directory), before)
            (run.directory / name).unlink()
        shutil.rmtree(run.directory)


class DefaultDirectory(ProgramTest):
    def test_results_go_to_a_directory_named_after_the_file(self):
        process = self.program(PRM / "cantilever_der.prm", settings=SHORT)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stdout.splitlines()[-1], "results: output/cantilever_der")
        self.assertTrue((self.directory / "output" / "cantilever_der" / "summary.json").exists())

    def test_the_file_may_name_a_directory(self):
        settings = {**SHORT, "Output directory": "deep/in/here"}
        process = self.program(PRM / "cantilever_der.prm", settings=settings)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertTrue((self.directory / "deep/in/here/summary.json").exists())

    def test_the_command_line_wins(self):
        settings = {**SHORT, "Output directory": "not_here"}
        self.study("cantilever_der.prm", output="here", settings=settings)
        self.assertFalse((self.directory / "not_here").exists())


if __name__ == "__main__":
    main()
