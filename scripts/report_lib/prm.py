# SPDX-License-Identifier: LGPL-2.1-or-later
"""The settings of a parameter file."""


def settings(text):
    """Values by "Section/Name", as words."""
    sections, found = [], {}
    for line in text.splitlines():
        keyword, _, rest = line.split("#")[0].strip().partition(" ")
        if keyword == "subsection":
            sections.append(rest.strip())
        elif keyword == "end" and sections:
            sections.pop()
        elif keyword == "set":
            name, _, value = rest.partition("=")
            found["/".join([*sections, name.strip()])] = value.strip()
    return found
