# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pages of reference: every study, model and parameter, as the program declares it."""

import re
from html import escape

FOLDER = "doc/parameters"
INDEX = f"{FOLDER}/index.html"
ALL = f"{FOLDER}/all.html"
MANY = re.compile(r" 1(?=/|$)")  # of "Edge 1": there may be any number

FILTER = """<p><input type="search" id="filter" placeholder="filter, for example: curvature"
aria-label="filter the list of parameters"></p>
<script>
document.getElementById("filter").addEventListener("input", event => {
  const words = event.target.value.toLowerCase().split(/\\s+/);
  for (const row of document.querySelectorAll("#all tbody tr"))
    row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
});
</script>
"""


def page_of(kind, name):
    return f"{FOLDER}/{kind}_{name.replace(' ', '_')}.html"


def anchor(path):
    return re.sub(r"[^\w]+", "-", path.lower()).strip("-")


def link(kind, name):
    page = page_of(kind, name).rpartition("/")[2]
    return f'<a href="{page}">{escape(name)}</a>'


def sentence(words):
    return escape(words[:1].upper() + words[1:].rstrip(".") + ".")


def only_for(one, bodies):
    """Words about bodies, where a parameter is not there for all of the study's."""
    own = one.get("bodies", bodies)
    return f" <em>({', '.join(f'{body}s' for body in own)})</em>" if own != bodies else ""


def parameter_table(parameters, bodies=()):
    rows = []
    for one in parameters:
        name = one["path"].rpartition("/")[2]
        default = f"<code>{escape(one['default'])}</code>" if one["default"] else "<em>empty</em>"
        allowed = "" if one["allowed"] == "any text" else escape(one["allowed"])
        rows.append(
            f'<tr id="{anchor(one["path"])}"><td><code>{escape(name)}</code></td><td>{default}</td>'
            f"<td>{escape(one['documentation'])}{only_for(one, list(bodies))}</td><td>{allowed}</td></tr>"
        )
    head = "<tr><th>parameter</th><th>default</th><th>meaning</th><th>allowed</th></tr>"
    return f"<table><thead>{head}</thead><tbody>\n" + "\n".join(rows) + "\n</tbody></table>"


def sections(parameters, bodies=()):
    """Tables of parameters with the headings of their sections."""
    by_section = {}
    for one in parameters:
        by_section.setdefault(one["path"].rpartition("/")[0], []).append(one)
    parts = []
    for section, inside in by_section.items():
        if section:
            many = " (and so on: any number)" if MANY.search(section) else ""
            words = " → ".join(f"subsection {name}" for name in section.split("/"))
            parts.append(f'<h2 id="{anchor(section)}">{escape(words)}{many}</h2>')
        parts.append(parameter_table(inside, bodies))
    return "\n".join(parts)


def quantities(title, found):
    if not found:
        return ""
    rows = "\n".join(
        f"<tr><td><code>{escape(one['name'])}</code></td><td>{escape(one['description'])}</td></tr>"
        for one in found
    )
    return f"<h2>{title}</h2>\n<table><tbody>\n{rows}\n</tbody></table>"


def study_page(study):
    models = ", ".join(link("model", name) for name in study["models"])
    return f"""<h1>Study <code>{escape(study['name'])}</code></h1>
<p>{sentence(study['description'])}</p>
<p>Models: {models}. Each has a section of its own in the file. Parameters of
<a href="index.html#general">every file</a> come on top.</p>
{sections(study['parameters'], study['bodies'])}"""


def model_page(model, studies):
    takers = ", ".join(link("study", s["name"]) for s in studies if model["name"] in s["models"])
    return f"""<h1>Model <code>{escape(model['name'])}</code></h1>
<p>{sentence(model['description'])} A {model['body']}. Studies: {takers}.</p>
{sections(model['parameters'])}
{quantities("What <code>branch</code> and <code>frontier</code> can vary", model['varied'])}
{quantities("What is measured", model['measured'])}"""


def index_page(program):
    def listed(kind, found):
        rows = "\n".join(
            f"<tr><td>{link(kind, one['name'])}</td><td>{escape(one['description'])}</td></tr>"
            for one in found
        )
        return f"<table><tbody>\n{rows}\n</tbody></table>"

    return f"""<h1>All parameters</h1>
<p>Made from the declarations of slender_fem {escape(program.version)}. The program tells the
same: <code>slender_fem --describe NAME</code>. One list of <a href="all.html">all parameters</a>
can be filtered by words.</p>
<h2>Studies</h2>
{listed("study", program.studies)}
<h2>Models</h2>
{listed("model", program.models)}
<h2 id="general">Parameters of every file</h2>
{parameter_table(program.general)}"""


def all_page(program):
    """One row for each parameter, with those who have it."""
    owners, documented = {}, {}
    for kind, found in (("study", program.studies), ("model", program.models)):
        for owner in found:
            for one in owner["parameters"]:
                page = page_of(kind, owner["name"]).rpartition("/")[2]
                name = escape(owner["name"])
                reached = f'<a href="{page}#{anchor(one["path"])}">{name}</a>'
                words = owners.setdefault(one["path"], [])
                words += [reached] if reached not in words else []
                documented.setdefault(one["path"], one["documentation"])
    for one in program.general:
        owners[one["path"]] = ['<a href="index.html#general">every file</a>']
        documented[one["path"]] = one["documentation"]
    rows = "\n".join(
        f"<tr><td><code>{escape(path)}</code></td><td>{escape(documented[path])}</td>"
        f"<td>{', '.join(owners[path])}</td></tr>"
        for path in sorted(owners, key=str.lower)
    )
    head = "<tr><th>parameter</th><th>meaning</th><th>where</th></tr>"
    return f"""<h1>{len(owners)} parameters</h1>
{FILTER}<table id="all"><thead>{head}</thead><tbody>
{rows}
</tbody></table>"""


def pages(program):
    """Bodies of pages by their paths, with their titles."""
    found = {
        INDEX: ("All parameters", index_page(program)),
        ALL: ("List of all parameters", all_page(program)),
    }
    for study in program.studies:
        found[page_of("study", study["name"])] = (f"Study {study['name']}", study_page(study))
    for model in program.models:
        title = f"Model {model['name']}"
        found[page_of("model", model["name"])] = (title, model_page(model, program.studies))
    return found
