# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pages of Markdown, as GitHub reads it, to HTML: formulas for KaTeX, links to pages
and files of the site."""

import posixpath
import re
from html import escape

import markdown

CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(?!\s)([^$\n]+?)(?<!\s)\$", re.DOTALL)
PLACE = "zformula{}z"
LINK = re.compile(r'(<(?:a|img)\b[^>]*?\b(?:href|src)=")([^"]+)(")')


def slug(text, _separator="-"):
    """Anchors of headings, as they are made on the web."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def page_name(path):
    """Of a file of the repository: where its page is on the site."""
    if posixpath.basename(path) == "README.md":
        return posixpath.join(posixpath.dirname(path), "index.html")
    return re.sub(r"\.md$", "", path) + ".html"


class Page:
    """A page of Markdown: its title, its HTML, its formulas, and the files of the
    repository that it links to."""

    def __init__(self, path, text, target_of):
        """`target_of` says where on the site the file with this path is; None if it is
        nowhere."""
        self.path, self.target_of = path, target_of
        self.formulas, self.linked = [], set()
        self.name = page_name(path)
        title = re.search(r"(?m)^# (.+)$", text)
        self.title = title[1].strip() if title else path
        converter = markdown.Markdown(
            extensions=["tables", "fenced_code", "sane_lists", "toc", "attr_list"],
            extension_configs={"toc": {"slugify": slug}},
        )
        html = converter.convert(self.without_formulas(text))
        self.html = self.with_formulas(LINK.sub(self.relinked, html))

    def without_formulas(self, text):
        """Formulas give way to words in which Markdown finds nothing to do."""

        def replaced(match):
            self.formulas.append((match[1] or match[2], match[1] is not None))
            return PLACE.format(len(self.formulas) - 1)

        parts = CODE.split(text)
        parts[::2] = [self.outside_of_blocks(part, replaced) for part in parts[::2]]
        return "".join(parts)

    @staticmethod
    def outside_of_blocks(text, replaced):
        """Lines that are indented are code."""
        parts = re.split(r"(?m)((?:^ {4,}.*\n?)+)", text)
        parts[::2] = [FORMULA.sub(replaced, part) for part in parts[::2]]
        return "".join(parts)

    def with_formulas(self, html):
        for number, (formula, is_display) in enumerate(self.formulas):
            kind = "math display" if is_display else "math"
            shown = f'<span class="{kind}">{escape(formula.strip(), quote=False)}</span>'
            html = html.replace(PLACE.format(number), shown, 1)
        return html

    def relinked(self, match):
        before, target, after = match.groups()
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match[0]
        name, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.path), name))
        found = self.target_of(path)
        if found is None:
            return match[0]
        self.linked.add(path)
        reached = posixpath.relpath(found, posixpath.dirname(self.name) or ".")
        return before + reached + (f"#{anchor}" if anchor else "") + after
