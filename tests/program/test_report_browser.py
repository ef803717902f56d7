# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of a run in a real browser: shapes turn, diagrams can be clicked, branches
play, by mouse and by keyboard, on dark and on narrow screens."""

import json
import os
import sys
import time
import unittest

from support import ROOT, ProgramTest

sys.path.insert(0, str(ROOT / "scripts"))

from report_lib import browser  # noqa: E402

# Of the canvas: what is neither transparent nor grey.
COLOURED_PART = """const canvas = document.querySelector("canvas");
const copy = document.createElement("canvas");
[copy.width, copy.height] = [canvas.width, canvas.height];
const pen = copy.getContext("2d");
pen.drawImage(canvas, 0, 0);
const all = pen.getImageData(0, 0, copy.width, copy.height).data;
let count = 0;
for (let k = 0; k < all.length; k += 4) {
  const colour = [all[k], all[k + 1], all[k + 2]];
  if (all[k + 3] > 200 && Math.max(...colour) - Math.min(...colour) > 30) ++count;
}
return 4 * count / all.length;"""
LONGEST = 10  # s that a page may take to do what it is asked
RUNS = {
    "branch": ("branch_euler.prm", {}),
    "shell": ("evaluate.prm", {}),
    "plane": (
        "bend_twist_protocol.prm",
        {
            "Model": "super clothoid",
            "Bend twist/Rows": 3,
            "Bend twist/Columns": 6,
            "Bend twist/Shapes": 6,
        },
    ),
}


class Pages(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pages = {}
        for name, (prm, settings) in RUNS.items():
            run = cls.study(prm, output=name, settings=settings)
            process = cls.call([sys.executable, ROOT / "scripts" / "report", run.directory])
            assert process.returncode == 0, process.stderr
            cls.pages[name] = (run.directory / "report.html").as_uri()
        cls.driver = browser.start()
        cls.addClassCleanup(cls.driver.quit)

    def open(self, name, width=1000, height=900, is_dark=False):
        browser.view(self.driver, width, height, is_dark)
        self.driver.get(self.pages[name])
        self.wait_for("return document.querySelector('#said').textContent")

    def ask(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, script):
        """Until a script returns something that is true, which is returned."""
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            if found := self.ask(script):
                return found
            time.sleep(0.05)
        self.fail(f"in vain: {script}")

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def picture(self):
        return self.ask("return document.querySelector('canvas').toDataURL()")

    def said(self):
        return self.find("#said").text

    def actions(self):
        from selenium.webdriver.common.action_chains import ActionChains

        return ActionChains(self.driver, duration=20)

    def press(self, key):
        from selenium.webdriver.common.keys import Keys

        self.actions().send_keys(getattr(Keys, key, key)).perform()

    def click_at(self, point):
        """A click on a place of the first diagram, in its own units."""
        x, y = self.ask(
            """const svg = document.querySelector("figure[data-points] svg");
            svg.scrollIntoView({block: "center"});
            const place = new DOMPoint(...arguments).matrixTransform(svg.getScreenCTM());
            return [Math.round(place.x), Math.round(place.y)];""",
            *point,
        )
        from selenium.webdriver.common.actions.action_builder import ActionBuilder

        builder = ActionBuilder(self.driver)
        builder.pointer_action.move_to_location(x, y).click()
        builder.perform()

    # --- Statements -----------------------------------------------------------

    def test_pages_draw_a_shape_without_errors_on_wide_and_narrow_screens(self):
        for name in self.pages:
            with self.subTest(page=name):
                self.open(name)
                self.assertEqual(browser.complaints(self.driver), [])
                asked_for = self.ask("return performance.getEntriesByType('resource')")
                self.assertEqual(asked_for, [], "the page holds all that it needs")
                self.assertGreater(self.ask(COLOURED_PART), 1e-4, "a shape is drawn")
                browser.view(self.driver, 360, 740)
                width = self.ask("return document.documentElement.scrollWidth")
                self.assertLessEqual(width, 360, "nothing sticks out")
                stage = self.find("canvas").size
                self.assertGreater(stage["width"], 300)
                self.assertGreater(stage["height"], 200)
                self.assertEqual(browser.complaints(self.driver), [])

    def test_dragging_turns_a_shape(self):
        for name in ("branch", "shell"):
            self.open(name)
            before = self.picture()
            self.actions().drag_and_drop_by_offset(self.find("canvas"), 80, 30).perform()
            self.assertNotEqual(self.picture(), before, name)
            self.press("HOME")
            self.assertEqual(self.picture(), before, f"{name}: Home turns it back")

    def test_a_click_on_a_point_shows_its_shape(self):
        for name in ("branch", "plane"):
            self.open(name)
            points = json.loads(self.find("figure[data-points]").get_attribute("data-points"))
            at_first = self.ask("return document.querySelector('#frame').value")
            point = next(p for p in reversed(points) if str(p[3]) != at_first)
            before, words = self.picture(), self.said()
            # A little beside it: the nearest counts.
            self.click_at((point[0] + 1, point[1] - 1))
            self.assertNotEqual(self.said(), words, name)
            self.assertNotEqual(self.picture(), before, name)
            # One in each of the diagrams of the figure.
            rings = self.driver.find_elements("css selector", "figure[data-points] .rings circle")
            places = [[float(ring.get_attribute(c)) for c in ("cx", "cy")] for ring in rings]
            self.assertIn(list(point[:2]), places)

    def test_the_shape_is_the_one_of_the_row(self):
        """The words of a clicked bifurcation are those of the table of results."""
        self.open("branch")
        cell = self.ask(
            """const cells = [...document.querySelectorAll("td[data-frame]")];
            const cell = cells.find((c) => c.nextSibling.textContent === "BP");
            cell.querySelector("button").click();
            return cell.textContent;"""
        )
        self.assertIn(f"end force 2.467, BP {cell}", self.said())

    def test_a_branch_is_played(self):
        self.open("branch")
        self.ask("document.querySelector('#series').value = 1;"
                 "document.querySelector('#series').dispatchEvent(new Event('change'))")
        self.assertEqual(self.find("#frame").get_attribute("value"), "0")
        self.assertTrue(self.said().startswith("Branch 2"))
        self.find("#play").click()
        self.assertEqual(self.find("#play").get_attribute("aria-pressed"), "true")
        self.wait_for("return Number(document.querySelector('#frame').value) > 2")
        self.find("#play").click()
        stopped = self.find("#frame").get_attribute("value")
        time.sleep(0.4)
        self.assertEqual(self.find("#frame").get_attribute("value"), stopped, "it has paused")

    def test_another_colour(self):
        self.open("shell")
        before = self.picture()
        bar = self.find("#bar").text
        self.ask("const choice = document.querySelector('#colour'); choice.value = 1;"
                 "choice.dispatchEvent(new Event('change'))")
        self.assertNotEqual(self.picture(), before)
        self.assertNotEqual(self.find("#bar").text, bar)

    def test_all_by_keyboard(self):
        self.open("branch")
        reached = []
        for _ in range(8):
            self.press("TAB")
            reached.append(self.ask("const e = document.activeElement; return e.id || e.localName"))
        self.assertEqual(reached[:5], ["canvas", "play", "frame", "series", "colour"])
        self.ask("document.querySelector('canvas').focus()")
        for key in ("ARROW_LEFT", "ARROW_UP", "+"):
            before = self.picture()
            self.press(key)
            self.assertNotEqual(self.picture(), before, key)
        self.ask("document.querySelector('#frame').focus()")
        before, words = self.find("#frame").get_attribute("value"), self.said()
        self.press("ARROW_LEFT")
        self.assertEqual(int(self.find("#frame").get_attribute("value")), int(before) - 1)
        self.assertNotEqual(self.said(), words)
        self.assertIn(self.find("#frame").get_attribute("aria-valuetext"), self.said())

    def test_dark_screens(self):
        self.open("branch", is_dark=True)
        colours = """const of = (e, name) => getComputedStyle(e)[name].match(/\\d+/g).slice(0, 3)
              .reduce((sum, part) => sum + Number(part) / 3, 0);
            const svg = document.querySelector("figure svg");
            const ink = svg.querySelector('[style*="--ink"]');
            return [of(document.querySelector("main"), "backgroundColor"), of(document.body, "color"),
                    of(ink, ink.style.fill.includes("var") ? "fill" : "stroke")];"""
        paper, text, ink = self.ask(colours)
        self.assertLess(paper, 60)
        self.assertGreater(text, 190)
        self.assertGreater(ink, 190, "the diagram is light on dark, too")
        browser.view(self.driver, 1000, 900)
        paper, text, ink = self.ask(colours)
        self.assertGreater(paper, 240)
        self.assertLess(max(text, ink), 60)

    def test_without_scripts_there_are_pictures(self):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.driver.get(self.pages["branch"])
            self.assertFalse(self.find("#viewer").is_displayed())
            shown = self.driver.find_elements("css selector", "figure svg")
            self.assertEqual(len([svg for svg in shown if svg.is_displayed()]), 3)
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


if __name__ == "__main__":
    if not browser.is_there():
        print("needs chromium, chromium-driver and python3-selenium (scripts/setup --tests)")
        # Only where nobody promised them.
        sys.exit(1 if os.environ.get("CI") == "true" else 77)
    unittest.main()
