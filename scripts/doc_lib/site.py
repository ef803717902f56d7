# SPDX-License-Identifier: LGPL-2.1-or-later
"""The pages of the documentation as a site: a folder of HTML that needs no server."""

import os
import posixpath
import re
import shutil
from html import escape
from pathlib import Path

from . import reference_pages
from .markdown_pages import Page, page_name

PICTURES = {".png", ".gif", ".svg", ".jpg"}
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
FOLDERS = ("doc", "reference", "benchmarks")
KATEX = Path("/usr/share/javascript/katex")

STYLE = """:root { color-scheme: light dark; --ink: #1b1f27; --paper: #fff; --soft: #f4f5f7;
  --line: #d9dde3; --link: #2a6f97; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e6ea; --paper: #16191e;
  --soft: #20242b; --line: #39404a; --link: #7fb8dc; } }
body { margin: 0; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17rem 1fr; }
nav { background: var(--soft); padding: 1rem 1.2rem; font-size: 0.9rem; min-height: 100vh; }
nav h2 { font-size: 0.85rem; margin: 1.2em 0 0.2em; border: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav [aria-current] { font-weight: 700; color: var(--ink); }
main { padding: 1rem 2rem 4rem; max-width: 60rem; min-width: 0; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1, h2 { line-height: 1.2; } h2 { border-bottom: 1px solid var(--line); }
img { max-width: 100%; height: auto; background: #fff; }
pre { background: var(--soft); padding: 0.7rem 1rem; overflow-x: auto; }
code { font-size: 0.88em; background: var(--soft); padding: 0.05em 0.25em; }
pre code { padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left;
  vertical-align: top; }
tr:target { background: var(--soft); outline: 2px solid var(--link); }
.math.display { display: block; overflow-x: auto; text-align: center; }
input[type=search] { width: 100%; font: inherit; padding: 0.3rem; box-sizing: border-box; }
@media (max-width: 50rem) { body { display: block; } nav { min-height: 0; }
  main { padding: 1rem; } }
"""

RENDER = """for (const place of document.querySelectorAll(".math"))
  katex.render(place.textContent, place,
    {displayMode: place.classList.contains("display"), throwOnError: false});
"""

TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} – slender_fem</title>
<link rel="stylesheet" href="{root}style.css">
{katex}</head>
<body>
<nav aria-label="pages">
{navigation}
</nav>
<main>
{body}
</main>
{script}</body>
</html>
"""


def sources(root):
    """Paths of all pages of Markdown, from the root of the repository."""
    found = [name for name in TOP if (root / name).is_file()]
    for folder in FOLDERS:
        found += [path.relative_to(root).as_posix() for path in sorted((root / folder).rglob("*.md"))]
    return found


class Site:
    def __init__(self, root, program, katex=KATEX):
        self.root, self.program = Path(root), program
        self.katex = katex if katex and (katex / "katex.min.js").is_file() else None
        self.generated = reference_pages.pages(program)
        self.pages, self.files = {}, {}
        self.sources = sources(self.root)
        for path in self.sources:
            text = (self.root / path).read_text(encoding="utf-8")
            self.pages[path] = Page(path, text, self.target_of)
        self.navigation = self.read_navigation()

    def target_of(self, path):
        """Where on the site a file or a folder of the repository is, which gets a page
        of its own if it has none."""
        place = self.root / path
        if path.endswith(".md") and path in self.sources:
            return page_name(path)
        if path == "doc/parameters":
            return reference_pages.INDEX
        if place.is_dir() and (place / "README.md").is_file():
            return posixpath.normpath(posixpath.join(path, "index.html"))
        if place.is_dir():
            self.files[path] = posixpath.join(path, "index.html")
        elif place.is_file() and place.suffix in PICTURES:
            self.files[path] = path
        elif place.is_file():
            self.files[path] = path + ".html"
        else:
            return None
        return self.files[path]

    def read_navigation(self):
        """Headings with pages: those of doc/README.md, and those that are made here."""
        groups = [("slender_fem", [("index.html", "Overview")])]
        text = (self.root / "doc/README.md").read_text(encoding="utf-8")
        for heading, part in re.findall(r"(?ms)^## (.+?)$(.*?)(?=^## |\Z)", text):
            found = []
            for title, target in re.findall(r"(?m)^\| \[([^]]+)\]\(([^)]+)\)", part):
                name = self.target_of(posixpath.normpath(posixpath.join("doc", target)))
                found += [(name, title)] if name else []
            groups.append((heading, found))
        studies = [(n, t) for n, (t, _) in self.generated.items() if "/study_" in n]
        models = [(n, t) for n, (t, _) in self.generated.items() if "/model_" in n]
        lists = [(reference_pages.INDEX, "Overview"), (reference_pages.ALL, "One list")]
        return [*groups, ("Parameters", [*lists, *studies, *models])]

    def navigation_of(self, name):
        folder = posixpath.dirname(name) or "."
        lines = []
        for heading, found in self.navigation:
            lines += [f"<h2>{escape(heading)}</h2>", "<ul>"]
            for target, title in found:
                here = ' aria-current="page"' if target == name else ""
                lines.append(
                    f'<li><a href="{posixpath.relpath(target, folder)}"{here}>{escape(title)}</a></li>'
                )
            lines.append("</ul>")
        return "\n".join(lines)

    def whole(self, name, title, body):
        root = "../" * name.count("/")
        has_formulas = self.katex and 'class="math' in body
        katex = f'<link rel="stylesheet" href="{root}katex/katex.min.css">\n' if has_formulas else ""
        script = (
            f'<script src="{root}katex/katex.min.js"></script>\n<script>\n{RENDER}</script>\n'
            if has_formulas
            else ""
        )
        return TEMPLATE.format(
            title=escape(title),
            root=root,
            katex=katex,
            navigation=self.navigation_of(name),
            body=body,
            script=script,
        )

    def body_of_file(self, path):
        """A file of text, or the names in a folder."""
        place = self.root / path
        if place.is_dir():
            names = sorted(entry.name + "/" * entry.is_dir() for entry in place.iterdir())
            names = [name for name in names if not name.startswith((".", "__pycache__"))]
            inside = "\n".join(names)
        else:
            inside = place.read_text(encoding="utf-8", errors="replace")
        return f"<h1><code>{escape(path)}</code></h1>\n<pre><code>{escape(inside)}</code></pre>"

    def write(self, target):
        """The whole site, into a folder of its own."""
        target = Path(target)

        def put(name, text):
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

        put("style.css", STYLE)
        for page in self.pages.values():
            put(page.name, self.whole(page.name, page.title, page.html))
        for name, (title, body) in self.generated.items():
            put(name, self.whole(name, title, body))
        for path, name in self.files.items():
            if name == path:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.root / path, target / name)
            else:
                put(name, self.whole(name, path, self.body_of_file(path)))
        if self.katex:
            (target / "katex" / "fonts").mkdir(parents=True, exist_ok=True)
            for name in ("katex.min.js", "katex.min.css"):
                shutil.copyfile(self.katex / name, target / "katex" / name)
            for font in self.katex.glob("fonts/*.woff2"):
                shutil.copyfile(font, target / "katex" / "fonts" / font.name)
        return len(self.pages) + len(self.generated)


def build(root, program, target):
    """Makes the site anew. What is not a site is not touched."""
    target = Path(target)
    if target.is_dir() and any(target.iterdir()) and not (target / "style.css").is_file():
        raise OSError(0, f"{target}: holds something else than a site")
    site = Site(root, program)
    part = target.with_name(target.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    count = site.write(part)
    shutil.rmtree(target, ignore_errors=True)
    os.replace(part, target)
    return site, count
