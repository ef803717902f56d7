# SPDX-License-Identifier: LGPL-2.1-or-later
"""scripts/site: all pages are there, links lead somewhere, every parameter is listed,
and formulas can be typeset."""

import json
import os
import re
import shutil
import subprocess
import sys
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from support import PRM, PROGRAM, ROOT, ProgramTest, main, read_parameters

KATEX = Path("/usr/share/javascript/katex/katex.js")
# Of sections of which a file may have any number, the first is described.
NUMBERED = re.compile(r"^(Edge|Point|Obstacle|Rod|Drive) .*?(?=/)")


class Links(HTMLParser):
    """Targets, anchors and formulas of a page."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors, self.formulas = [], set(), []
        self.in_formula = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.targets += [given[name] for name in ("href", "src") if name in given]
        self.anchors |= {given["id"]} if "id" in given else set()
        if "math" in given.get("class", "").split():
            self.in_formula = ["", "display" in given["class"]]

    def handle_data(self, data):
        if self.in_formula:
            self.in_formula[0] += data

    def handle_endtag(self, tag):
        if tag == "span" and self.in_formula:
            self.formulas.append(self.in_formula)
            self.in_formula = None


class Site(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.site = cls.directory / "site"
        words = [sys.executable, ROOT / "scripts" / "doc_lib" / "make_site.py", PROGRAM, cls.site]
        cls.said = cls.call(words)
        if cls.said.returncode != 0:
            raise AssertionError(cls.said.stderr)
        cls.pages = {path: Links(path.read_text()) for path in cls.site.rglob("*.html")}

    def page(self, name):
        return self.site / name

    def test_every_page_of_the_documentation_is_there(self):
        sources = [*ROOT.glob("doc/**/*.md"), ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md"]
        self.assertGreater(len(sources), 25)
        for source in sources:
            name = source.relative_to(ROOT).with_suffix(".html")
            name = name.with_name("index.html") if source.name == "README.md" else name
            self.assertIn(self.page(name), self.pages)
        self.assertIn(self.page("index.html"), self.pages)

    def test_no_link_is_broken(self):
        count = 0
        for path, page in self.pages.items():
            for target in page.targets:
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = unquote(target).partition("#")
                other = (path.parent / name).resolve() if name else path
                where = f"{path.relative_to(self.site)}: {target}"
                self.assertTrue(other.is_file(), where)
                if anchor:
                    self.assertIn(anchor, self.pages[other].anchors, where)
                count += 1
        self.assertGreater(count, 1000)

    def test_every_page_can_be_reached(self):
        reached, new = set(), [self.page("index.html")]
        while new:
            path = new.pop()
            reached.add(path)
            for target in self.pages[path].targets:
                other = (path.parent / unquote(target).partition("#")[0]).resolve()
                if other in self.pages and other not in reached:
                    new.append(other)
        self.assertEqual(set(self.pages) - reached, set())

    def test_every_parameter_of_every_study_and_model_is_listed(self):
        """That --reference tells what --describe does is another test's."""
        every = self.page("doc/parameters/all.html").read_text()
        reference = json.loads(self.program("--reference").stdout)
        for kind, owners in (("study", reference["studies"]), ("model", reference["models"])):
            self.assertGreater(len(owners), 10)
            for owner in owners:
                page = self.page(f"doc/parameters/{kind}_{owner['name'].replace(' ', '_')}.html")
                text = page.read_text()
                for one in owner["parameters"]:
                    path = one["path"].replace("'", "&#x27;")
                    self.assertIn(f"<td><code>{path}</code></td>", every)
                    anchor = re.sub(r"[^\w]+", "-", one["path"].lower()).strip("-")
                    self.assertIn(anchor, self.pages[page].anchors, one["path"])
                    self.assertIn(escape(one["documentation"]), text)

    def test_every_setting_of_the_examples_is_listed(self):
        """Those of shells too, which no description of a study shows."""
        every = self.page("doc/parameters/all.html").read_text()
        for prm in sorted(PRM.rglob("*.prm")):
            for path in read_parameters(prm):
                path = NUMBERED.sub(r"\1 1", path).replace("'", "&#x27;")
                self.assertIn(f"<code>{path}</code>", every, prm)

    def test_defaults_and_allowed_values_are_shown(self):
        text = self.page("doc/parameters/model_kirchhoff_rod.html").read_text()
        row = re.search(r'<tr id="kirchhoff-rod-degree">(.*)</tr>', text)[1]
        default, allowed = re.search(
            r"set Degree *= (\S+)", self.program("--describe", "kirchhoff rod").stdout
        )[1], "a whole number from 1 to"
        self.assertIn(f"<code>{default}</code>", row)
        self.assertIn(allowed, row)

    def test_formulas_can_be_typeset(self):
        found = [formula for page in self.pages.values() for formula in page.formulas]
        self.assertGreater(len(found), 300)
        for text, _ in found:
            self.assertNotIn("<", text.replace("\\le", "").replace(" < ", ""), text)
        if not shutil.which("node") or not KATEX.is_file():
            self.skipTest("needs node and libjs-katex")
        script = (
            f"const katex = require({json.dumps(str(KATEX))});"
            "for (const [text, displayMode] of JSON.parse(require('fs').readFileSync(0)))"
            " try { katex.renderToString(text, {displayMode, strict: 'ignore'}); }"
            " catch (problem) { console.log(text + ': ' + problem.message); }"
        )
        done = subprocess.run(
            ["node", "-e", script], input=json.dumps(found), capture_output=True, text=True, check=True
        )
        self.assertEqual(done.stdout, "")

    def test_dollars_of_commands_are_no_formulas(self):
        text = self.page("index.html").read_text()
        self.assertIn("$HOME/.local", text)

    def test_what_is_no_site_is_not_replaced(self):
        other = self.directory / "other"
        other.mkdir()
        (other / "mine.txt").write_text("mine")
        make = ROOT / "scripts" / "doc_lib" / "make_site.py"
        process = self.call([sys.executable, make, PROGRAM, other])
        self.assertEqual(process.returncode, 1)
        self.assertIn("something else than a site", process.stderr)
        self.assertEqual(os.listdir(other), ["mine.txt"])


if __name__ == "__main__":
    main()
