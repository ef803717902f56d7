# SPDX-License-Identifier: LGPL-2.1-or-later
"""The checks of the repository find what they are for."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import check_documentation
import check_formatting
import check_headers
import check_layering
import check_parameters
import check_sources
import check_tidy
from repository import ROOT

SPDX = "// SPDX-License-Identifier: LGPL-2.1-or-later\n"


def header(name, *included):
    guard = f"slender_{name}_h".replace("/", "_")
    lines = "".join(f"#include <{other}>\n" for other in included)
    return f"{SPDX}#ifndef {guard}\n#define {guard}\n\n{lines}\n#endif\n"


class FabricatedTree(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = Path(place.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def expect(self, check, *complaints):
        found = check(self.root)
        self.assertEqual(len(found), len(complaints), found)
        for text, words in zip(found, complaints):
            self.assertIn(words, text)


class Layering(FabricatedTree):
    def test_downwards_is_allowed(self):
        self.write("include/slender/base/a.h", header("base/a"))
        self.write("include/slender/models/rods/b.h", header("models/rods/b", "slender/base/a.h"))
        self.write("source/models/rods/b.cc", "#include <slender/models/rods/b.h>\n")
        self.write("source/studies/c.cc", "#include <slender/models/rods/b.h>\n")
        self.expect(check_layering.layering)

    def test_upwards_is_found(self):
        self.write("include/slender/base/a.h", header("base/a", "slender/models/b.h"))
        self.expect(check_layering.layering, "include/slender/base/a.h:5: 'base' may not know")

    def test_upwards_is_found_in_sources(self):
        self.write("source/models/b.cc", "\n  #  include <slender/statics/c.h>\n")
        self.expect(check_layering.layering, "models/b.cc:2: 'models' may not know 'statics'")

    def test_a_neighbour_is_found(self):
        self.write("source/statics/c.cc", "#include <slender/output/d.h>\n")
        self.expect(check_layering.layering, "'statics' may not know 'output'")

    def test_a_way_around_is_found(self):
        self.write("source/statics/c.cc", '#include "../studies/d.h"\n')
        self.expect(check_layering.layering, "write <slender/LAYER/FILE.h>")

    def test_an_unknown_layer_is_found(self):
        self.write("source/misc/c.cc", "")
        self.expect(check_layering.layering, "is in none of the layers")

    def test_a_source_without_a_header_is_found(self):
        self.write("include/slender/base/table.h", header("base/table"))
        self.write("source/base/table.cc", "#include <slender/base/table.h>\n")
        self.write("source/base/table_reader.cc", "#include <slender/base/table.h>\n")
        self.write("source/base/stray.cc", "#include <slender/base/table.h>\n")
        self.write("source/base/table_writer.cc", "#include <string>\n")
        self.expect(check_layering.mirror, "source/base/stray.cc", "source/base/table_writer.cc")


class Headers(FabricatedTree):
    def test_heavy_headers_are_found_through_others(self):
        self.write("include/slender/solvers/petsc.h", header("statics/petsc", "petscksp.h"))
        self.write("include/slender/statics/a.h", header("statics/a", "slender/solvers/petsc.h"))
        self.write("include/slender/studies/b.h", header("studies/b", "slender/statics/a.h"))
        self.write("include/slender/base/c.h", header("base/c", "deal.II/base/mpi.h"))
        self.write("include/slender/base/d.h", header("base/d", "string", "mpi.h"))
        self.expect(
            check_headers.heavy_headers,
            "base/c.h: includes deal.II/base/mpi.h",
            "statics/a.h: includes slender/solvers/petsc.h → petscksp.h",
            "studies/b.h: includes slender/statics/a.h",
        )

    def test_a_wrong_guard_is_found(self):
        self.write("include/slender/base/a.h", header("base/b"))
        self.expect(check_headers.guards, "is not guarded by 'slender_base_a_h'")


class Sources(FabricatedTree):
    def check_line(self, line, *complaints):
        self.write("source/base/a.cc", f"{SPDX}{line}\n")
        self.expect(check_sources.check, *complaints)

    def test_a_missing_licence_is_found(self):
        self.write("source/base/a.cc", "int a;\n")
        self.write("scripts/tool", "#!/usr/bin/env bash\n")
        self.write("CMakeLists.txt", "project(a)\n")
        self.write("scripts/library/__init__.py", "")
        self.write("prm/a.prm", "set Study = cantilever\n")
        self.expect(check_sources.check, "scripts/tool", "source/base/a.cc", "CMakeLists.txt")

    def test_a_tab_is_found(self):
        self.check_line("int\ta;", "source/base/a.cc:2: a tab")

    def test_white_space_at_the_end_is_found(self):
        self.check_line("int a; ", "white space")

    def test_a_path_of_a_machine_is_found(self):
        for folder in ("home/me", "work/main", "tmp/build", "root/x"):
            self.check_line(f'"/{folder}/file"', "a path of one machine")

    def test_other_paths_are_allowed(self):
        for path in ("/usr/bin/python3", "doc/home/x", "../work/x", "${root}/tmp/x", "~/work/x"):
            self.check_line(f"// {path}")

    def test_an_address_is_found(self):
        self.check_line("// " + ".".join(["10", "0", "0", "1"]), "a network address")
        self.check_line("// version 1.2.3")

    def test_a_private_host_is_found(self):
        self.check_line("// https" + "://registry.example/x", "a link to 'registry.example'")
        self.check_line("// https://doi.org/10.1145/3450626.3459931")


class Formatting(FabricatedTree):
    def test_an_unformatted_file_is_found(self):
        clang_format = check_formatting.find_clang_format()
        if clang_format is None:
            self.skipTest("no clang-format 14")
        self.write("source/base/good.cc", f"{SPDX}int a;\n")
        self.write("source/base/bad.cc", f"{SPDX}int  a  ;\n")
        self.expect(
            lambda root: check_formatting.check(root, clang_format),
            "source/base/bad.cc:2: is not formatted",
        )


class Documentation(FabricatedTree):
    def test_dead_links_are_found(self):
        self.write("doc/a.md", "# What it is, and how\n[a](b.md) [b](#what-it-is-and-how)\n")
        self.write("README.md", "[a](doc/a.md#what-it-is-and-how) [b](doc/a.md#where)\n")
        self.write("doc/c.md", "[a](https://doi.org/1) [b](../README.md)\n")
        self.expect(
            check_documentation.dead_links,
            "doc/a.md:2: 'b.md' is not there",
            "README.md:1: 'doc/a.md' has no heading '#where'",
        )

    def test_commands_are_checked(self):
        lines = (
            "    build/slender_fem prm/a.prm --set A/B=1 \\",
            '      --set "A/C D=2" --output output/x   # words',
            "    mpirun -n 2 build/slender_fem prm/b.prm",
            "    scripts/none",
            "    $ build/slender_fem prm/a.prm --set A/E=1",
            "    slender_fem FILE.prm [--output DIR]",
            '    build/slender_fem prm/a.prm --set "A/Start run=output/x"',
        )
        self.write("README.md", "\n".join(lines))
        asked = []

        def validate(*words):
            asked.append(" ".join(words))
            return "wrong" if "prm/b.prm" in words else ""

        self.expect(
            lambda root: check_documentation.wrong_commands(root, validate),
            "README.md:3: wrong",
            "README.md:4: 'scripts/none' is not there",
        )
        self.assertEqual(
            asked, ["--validate prm/a.prm --set A/B=1 --set A/C D=2", "--validate prm/b.prm"]
        )


class Tidy(FabricatedTree):
    def setUp(self):
        super().setUp()
        self.clang_tidy = check_tidy.find_clang_tidy()
        if self.clang_tidy is None:
            self.skipTest("no clang-tidy 14")

    def look_at(self, text):
        self.write("source/base/a.cc", f"{SPDX}{text}")
        path = self.root / "source" / "base" / "a.cc"
        entry = {"directory": str(self.root), "command": f"c++ -c {path}", "file": str(path)}
        return check_tidy.check([path], [entry], self.clang_tidy)

    def test_a_defect_is_found(self):
        (complaint,) = self.look_at("int f(const int b)\n{\n  int a;\n  a = b;\n  return a;\n}\n")
        self.assertRegex(complaint, r"a\.cc:4:.*'a' is not initialized")

    def test_what_is_in_order_passes(self):
        self.assertEqual(self.look_at("int f(const int a)\n{\n  return a;\n}\n"), [])

    def test_what_does_not_compile_is_found(self):
        self.assertEqual(len(self.look_at("#include <no_such_file.h>\n")), 1)

    def test_light_sources_are_chosen(self):
        self.write("include/slender/base/a.h", header("base/a", "deal.II/base/mpi.h"))
        self.write("source/base/a.cc", "#include <slender/base/a.h>\n")
        self.write("source/base/b.cc", "#include <string>\n")
        self.write("source/studies/c.cc", "#include <string>\n")
        names = [path.name for path in check_tidy.quick_sources(self.root)]
        self.assertEqual(names, ["b.cc"])


class Parameters(unittest.TestCase):
    def check(self, *lines):
        return check_parameters.check_descriptions({"cantilever": "\n".join(lines)})

    def test_a_documented_number(self):
        good = ("subsection A", "  # How long it is", "  # [length].", "  set B = 1", "end")
        self.assertEqual(self.check(*good), [])

    def test_a_missing_sentence_is_found(self):
        found = self.check("subsection A", "  set B = true", "end")
        self.assertEqual(len(found), 1)
        self.assertIn("cantilever: A/B: has no sentence", found[0])

    def test_a_unit_is_no_sentence(self):
        self.assertIn("has no sentence", self.check("# [mass/length].", "set B = 1")[0])

    def test_a_missing_unit_is_found(self):
        for value in ("1", "1e-3", "0, 0, 1"):
            found = self.check("# How long it is.", f"set B = {value}")
            self.assertEqual(len(found), 1)
            self.assertIn("has no [unit]", found[0])

    def test_words_need_no_unit(self):
        self.assertEqual(self.check("# What it is.", "set B = clamped"), [])

    def test_nothing_at_all_is_found(self):
        self.assertEqual(len(self.check("")), 1)


class ReadFields(FabricatedTree):
    """tests/checks/read_fields.py refuses what VTK cannot read."""

    def read(self, text):
        self.write("a.pvd", text)
        script = ROOT / "tests" / "checks" / "read_fields.py"
        return subprocess.run(
            [sys.executable, script, self.root / "a.pvd"],
            capture_output=True,
            text=True,
            check=False,
        )

    def test_defects_are_found(self):
        series = '<VTKFile type="Collection"><Collection>{}</Collection></VTKFile>'
        entry = '<DataSet timestep="0" file="none.vtu"/>'
        for text, words in (
            ("<VTKFile", "not well-formed"),
            (series.format(""), "names no files"),
            (series.format(entry), "no such file"),
        ):
            process = self.read(text)
            self.assertEqual(process.returncode, 1)
            self.assertIn(words, process.stderr)


if __name__ == "__main__":
    unittest.main()
