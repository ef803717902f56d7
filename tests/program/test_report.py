# SPDX-License-Identifier: LGPL-2.1-or-later
"""scripts/report makes one page that needs nothing else."""

import html.parser
import re
import sys

from support import ROOT, ProgramTest, main

NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


class Page(html.parser.HTMLParser):
    """What a page refers to, what it shows, what it says."""

    def __init__(self, text):
        super().__init__()
        self.references, self.tags, self.words = [], [], []
        self.alternatives, self.is_script = [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.is_script = tag in ("script", "style")
        if tag == "svg":
            self.alternatives.append(dict(attributes).get("aria-label", ""))
        for name, value in attributes:
            if name in ("src", "href", "xlink:href", "data", "action", "srcset", "poster"):
                self.references.append(value)

    def handle_endtag(self, tag):
        self.is_script = False

    def handle_data(self, data):
        if not self.is_script:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


class Report(ProgramTest):
    def report(self, directory):
        return self.call([sys.executable, ROOT / "scripts" / "report", directory])

    def page_of(self, run):
        process = self.report(run.directory)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stderr, "")
        self.assertIn(str(run.directory / "report.html"), process.stdout)
        return (run.directory / "report.html").read_text(encoding="utf-8")

    def check_self_contained(self, text):
        page = Page(text)
        for reference in page.references:
            self.assertRegex(reference, r"^(#|data:)", "refers to something outside")
        # three.js names a paper in a comment; the browser test shows that it asks for nothing.
        own = re.sub(r"<script>/\* three\.js.*?</script>", "", text, flags=re.DOTALL)
        addresses = set(re.findall(r"""(?:https?|file|ftp)://[^\s"'<>)]*""", own))
        self.assertLessEqual(addresses, NAMESPACES)
        for target in re.findall(r"url\(([^)]*)\)", own):
            self.assertRegex(target.strip("\"'"), r"^(#|data:)")
        self.assertNotIn("@import", own)
        self.assertFalse({"link", "iframe", "object"} & set(page.tags))
        for words in page.alternatives:
            self.assertGreater(len(words), 20, "every picture is said in words, too")
        self.assertLess(len(text), 4e6)
        return page

    def test_cantilever(self):
        run = self.study("cantilever.prm")
        page = self.check_self_contained(self.page_of(run))
        # Curve and error in one picture, shapes in another.
        self.assertGreaterEqual(page.tags.count("svg"), 2)
        self.assertIn("OK", page.text)
        for words in ("Cantilever", "kirchhoff rod", "largest relative error"):
            self.assertIn(words, page.text)
        for words in ("Constraint stiffness", "1e11", "subsection Newton"):
            self.assertIn(words, page.text, "all parameters are shown")
        self.assertIn("slender_fem", page.text, "the log is shown")

    def test_equilibrium(self):
        run = self.study("rod_equilibrium.prm", output="equilibrium")
        page = self.check_self_contained(self.page_of(run))
        self.assertGreaterEqual(page.tags.count("svg"), 2)
        self.assertNotIn("no verdict", page.text, "there is none to be had")

    def test_branch(self):
        run = self.study("branch_euler.prm", output="branch")
        page = self.check_self_contained(self.page_of(run))
        # Diagram, modes, shapes.
        self.assertEqual(page.tags.count("svg"), 3)
        self.assertIn("Special points: 32", page.text)
        for words in ("stable", "BP: another branch crosses", "2.4674", "Modes: 4 of 4"):
            self.assertIn(words, page.text)
        # A tip that moves sideways tells most of a column that buckles.
        header = page.text[page.text.index("Special points") :]
        self.assertIn("koiter b end x end z largest curvature", header)
        self.assertNotIn("nan", header)

    def test_branch_of_a_shell(self):
        coarse = {"Surface/Cells along u": 2, "Surface/Cells along v": 2}
        run = self.study("shells/hinged_roof_thin.prm", output="roof", settings=coarse)
        page = self.check_self_contained(self.page_of(run))
        # Diagram, modes, shapes: outlines of the cells.
        self.assertEqual(page.tags.count("svg"), 3)
        for words in ("LP: the parameter turns back", "Modes: 2 of 2", "Shapes: 8"):
            self.assertIn(words, page.text)

    def test_rotation(self):
        coarse = {
            "Lateral buckling/Gammas": "10, 15, 18, 24",
            "Lateral buckling/Largest angle": 0.05,
            "Lateral buckling/Angle step": 0.05,
            "Lateral buckling/Cells along": 3,
            "Lateral buckling/Cells across": 1,
        }
        run = self.study("lateral_buckling_rotation.prm", output="rotation", settings=coarse)
        page = self.check_self_contained(self.page_of(run))
        # The diagram, and some of the plates.
        self.assertEqual(page.tags.count("svg"), 2)
        for words in ("over the angle by which the clamp is tilted", "snaps over", "no verdict"):
            self.assertIn(words, page.text)

    def test_frontier(self):
        run = self.study("frontier_column.prm", output="frontier")
        page = self.check_self_contained(self.page_of(run))
        self.assertEqual(page.tags.count("svg"), 3)
        self.assertIn("Frontier in the plane of its two parameters", page.text)
        for words in ("label kind end force gravity slack", "2.4674011", "EP: a branch or a frontier begins or ends there"):
            self.assertIn(words, page.text)

    def test_bend_twist(self):
        coarse = {
            "Model": "super clothoid",
            "Bend twist/Rows": 3,
            "Bend twist/Columns": 8,
            "Bend twist/Shapes": 4,
        }
        run = self.study("bend_twist_protocol.prm", output="bend_twist", settings=coarse)
        page = self.check_self_contained(self.page_of(run))
        self.assertGreaterEqual(page.tags.count("svg"), 2)
        for words in ("Phase diagram", "misclassified away"):
            self.assertIn(words, page.text)

    def test_failed_samples_and_a_bad_verdict(self):
        run = self.study(
            "cantilever_der.prm",
            output="failed",
            expected_code=2,
            settings={
                "Cantilever/Exponent step": 0.5,
                "Newton/Maximum iterations": 1,
                "Newton/Maximum step cuts": 0,
            },
        )
        page = self.check_self_contained(self.page_of(run))
        self.assertIn("KO", page.text)
        self.assertIn("Failed samples: 15", page.text)
        self.assertIn("no convergence", page.text)

    def test_a_directory_that_is_no_run(self):
        process = self.report(self.directory)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
        self.assertIn("summary.json", process.stderr)
        self.assertFalse((self.directory / "report.html").exists())


if __name__ == "__main__":
    main()
