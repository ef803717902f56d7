# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shapes that can be turned and played in the page, by viewer.js.

Coordinates are sixteen bits in the box of their series, values to colour by eight bits:
finer than a screen, and a tenth of what the files hold. All numbers stand in one piece of
base64, shape after shape.
"""

import base64
import json
import os
from collections import namedtuple
from html import escape

import numpy as np

from . import colouring, style
from .shapes import projection

MOST_BYTES = 1_500_000  # of all shapes, before base64 adds a third
MOST_SHAPES = 300  # of a series
MOST_LINE_POINTS = 160  # of a rod: more cannot be seen
THINNEST = 0.004  # of the size: a thinner rod is drawn thicker than it is
STEPS = 65535
THREE = ("/usr/share/javascript/three/three.min.js", "/usr/share/nodejs/three/build/three.min.js")
LICENCE = "/* three.js, copyright 2010-2019 three.js authors, MIT licence */"
SERIES = {"shapes": "Shapes", "buckled": "Buckled", "modes": "Modes", "equilibria": "Equilibria"}

# What is played at a time: a title, shapes, words for each, the file's series.
Played = namedtuple("Played", "title shapes words series")


def beside(name):
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), name)) as stream:
        return stream.read()


def library():
    """The text of three.js, of Debian's package libjs-three or where SLENDER_THREE_JS says;
    None where it is not installed."""
    elsewhere = os.environ.get("SLENDER_THREE_JS")
    for path in [elsewhere] if elsewhere else THREE:
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as stream:
                return LICENCE + stream.read()
    return None


# --- Which shapes -------------------------------------------------------------


def collect(run):
    """All that can be played, as far as there is room; and what was left out, in words."""
    labelled = set()
    if "label" in run.results:
        labelled = set(np.flatnonzero(run.results["label"] > 0).tolist())
    found, left_out, room = [], [], MOST_BYTES
    for name, title in SERIES.items():
        series = run.shape_series if name == "shapes" else run.series(name)
        if not len(series):
            continue
        weight = max(1, weight_of(series.shapes(1)[0].picture))
        share = room if name == "shapes" and len(series) * weight <= room else 0.7 * room
        count = min(MOST_SHAPES, int(share // weight), len(series))
        if count < len(series):
            shown = f"{count} of the {len(series)} shapes in fields/{name}.pvd can be turned here"
            left_out.append(shown + ("; each is too large for a page." if not count else "."))
        shapes = [s for s in series.shapes(count, labelled) if can_be_turned(s.picture)]
        room -= count * weight
        found += parts(run, series, name, title, shapes)
    return found, left_out


def weight_of(picture):
    """Bytes of one shape, about."""
    return 10 * len(Body(picture).kept)


def can_be_turned(picture):
    return len(picture.points) > 0 and bool(np.isfinite(picture.points).all())


def parts(run, series, name, title, shapes):
    """Branches one by one, modes of vibration one by one, other series as a whole."""
    def part(shape):
        if name == "shapes" and "branch" in run.results and shape.row is not None:
            return f"Branch {int(run.results['branch'][shape.row])}"
        if name == "modes" and run.summary["study"] == "vibration":
            return f"Mode {int(shape.time + 1e-9)}"
        return title

    titles = list(dict.fromkeys(map(part, shapes)))
    for one in titles:
        chosen = [shape for shape in shapes if part(shape) == one]
        yield Played(one, chosen, [words(run, series, shape) for shape in chosen], name)


def words(run, series, shape):
    """What is known of a shape, in a line."""
    table, row, found = run.results, shape.row, []
    if row is None or series.time_column():
        nothing = (None, "", "-", "1", series.time_name.lower())
        unit = "" if series.time_unit in nothing else f" [{series.time_unit}]"
        found.append(f"{style.plain(series.time_name)} {shape.time:.4g}{unit}")
    if row is not None:
        columns = run.varied_columns() or [n for n in ("x", "y", "width", "gamma", "epsilon", "mu")
                                           if n in table][:2]
        columns = [name for name in columns if name != series.time_column()]
        found += [f"{style.plain(name)} {table[name][row]:.4g}" for name in columns]
        if "label" in table and table["label"][row] > 0:
            found.append(f"{table.words('kind')[row]} {int(table['label'][row])}")
        if "stability_index" in table:
            found.append("unstable" if table["stability_index"][row] > 0 else "stable")
        if "state" in table.names:
            found.append(table.words("state")[row])
    return ", ".join(found) or f"number {shape.time:.4g}"


# --- Numbers ------------------------------------------------------------------


class Body:
    """Which points of a picture are kept, and how they hang together."""

    def __init__(self, picture):
        self.kept, self.lines, self.triangles = np.empty(0, int), [], None
        if rods := picture.rods():
            most = max(12, 8 * MOST_LINE_POINTS // max(8, len(rods)))
            kept = [np.asarray(rod)[spread(len(rod), most)] for rod in rods]
            self.kept, self.lines = np.concatenate(kept), [len(numbers) for numbers in kept]
            return
        triangles = picture.triangles()
        if len(triangles):
            # Patches that share no points are sewn together where they did at rest.
            rest = picture.points - picture.fields.get("displacement", 0)
            size = np.ptp(rest, axis=0).max() or 1
            _, self.kept, number = np.unique(
                np.round(rest / (1e-6 * size)), axis=0, return_index=True, return_inverse=True
            )
            self.triangles = number.ravel()[triangles]

    @staticmethod
    def key(picture):
        """The same for pictures that hang together in the same way."""
        cells = picture.cells
        numbers = np.concatenate(cells).tobytes() if len(cells) else b""
        return len(picture.points), len(cells), numbers


def spread(count, most):
    return np.unique(np.linspace(0, count - 1, min(count, most)).round()).astype(int)


class Pack:
    """Numbers one after the other, each array at a multiple of four bytes."""

    def __init__(self):
        self.pieces, self.size = [], 0

    def add(self, array):
        data = np.ascontiguousarray(array).tobytes()
        data += bytes(-len(data) % 4)
        position, self.size = self.size, self.size + len(data)
        self.pieces.append(data)
        return position


def packed(run, played):
    """All that viewer.js needs, as JSON."""
    pack, bodies, known = Pack(), [], {}
    pictures = [shape.picture for one in played for shape in one.shapes]
    points = np.concatenate([picture.points for picture in pictures])
    size = float(np.ptp(points, axis=0).max()) or 1.0
    colours = colouring.colourings(pictures, size)
    series = []
    for one in played:
        # Branches in one box: they can be compared.
        alike = [other for other in played if other.series == one.series]
        every = np.concatenate([s.picture.points for other in alike for s in other.shapes])
        low, extent = every.min(axis=0), np.ptp(every, axis=0)
        step = (extent.max() or 1.0) / STEPS
        frames = []
        for shape, said in zip(one.shapes, one.words):
            picture = shape.picture
            key = Body.key(picture)
            if key not in known:
                body = Body(picture)
                known[key] = (len(bodies), body)
                bodies.append(described(body, pack))
            number, body = known[key]
            place = np.round((picture.points[body.kept] - low) / step).astype(np.uint16)
            frame = {"body": number, "words": said, "at": pack.add(place)}
            frame.update(section(picture, body, size, pack))
            frame["colours"] = [
                pack.add(colouring.to_bytes(colouring.values_of(picture, c.name)[body.kept], c))
                for c in colours
            ]
            frames.append(frame)
        series.append({
            "title": one.title, "frames": frames, "low": low.tolist(), "step": step,
            "extent": extent.tolist(),
        })
    return json.dumps({
        "up": up(run), "eye": eye(points, up(run)), "start": start(played, shows_last=run.summary["study"] == "equilibrium"),
        "series": series, "bodies": bodies,
        "colours": [colour._asdict() for colour in colours],
        "numbers": base64.b64encode(b"".join(pack.pieces)).decode("ascii"),
    }, separators=(",", ":"))


def described(body, pack):
    if body.triangles is None:
        return {"lines": body.lines, "points": len(body.kept)}
    return {
        "triangles": pack.add(body.triangles.astype(np.uint32)),
        "count": body.triangles.size,
        "points": len(body.kept),
    }


def section(picture, body, size, pack):
    """Of a rod: its radius, or width, thickness and the direction of the width."""
    if body.triangles is not None:
        return {}
    fields = picture.fields
    first = {name: float(np.ravel(fields[name])[0]) for name in ("radius", "width", "thickness")
             if name in fields}
    if first.get("width", 0) > 0 and "director_1" in fields:
        across = np.round(127 * fields["director_1"][body.kept]).astype(np.int8)
        thickness = max(first.get("thickness", 0), 0.5 * THINNEST * size)
        return {"width": max(first["width"], THINNEST * size), "thickness": thickness,
                "across": pack.add(across)}
    return {"radius": max(first.get("radius", 0), THINNEST * size)}


def up(run):
    """Against gravity."""
    if run.summary["study"] == "lateral buckling":
        return [0, 1, 0]
    return [0, 0, 1]


def eye(points, upwards):
    """From where one looks first: at a plane from its front, a little from the side."""
    upwards = np.array(upwards, float)
    plane = projection(points)
    front = np.array([0.45, -1, 0.5]) if upwards[2] else np.array([0.6, 0.45, 1])
    if plane is not None:
        normal = np.cross(*plane[0])
        if abs(normal @ upwards) < 0.9:
            front = normal + 0.22 * np.cross(normal, upwards) + 0.12 * upwards
    return (front / np.linalg.norm(front)).tolist()


def start(played, shows_last=False):
    """Which shape is shown first: one that is far from the first of its series, but not
    the farthest, which may be straight again. A body with a single shape shows a mode.
    Where the answer is about the last shape, it is that one."""
    if shows_last and len(played[0].shapes) > 1:
        return 0, len(played[0].shapes) - 1
    series = played[0].series if len(played[0].shapes) > 1 else played[-1].series
    parts = [k for k, one in enumerate(played) if one.series == series]
    first = played[parts[0]].shapes[0].picture.points
    away = {
        (k, i): np.abs(shape.picture.points - first).max()
        for k in parts
        for i, shape in enumerate(played[k].shapes)
        if shape.picture.points.shape == first.shape
    }
    wanted = 0.7 * max(away.values())
    if wanted == 0:  # all are alike
        return max(away)
    return min(away, key=lambda place: abs(away[place] - wanted))


def is_drawn_thicker(played):
    for one in played:
        for shape in one.shapes:
            size = np.ptp(shape.picture.points, axis=0).max()
            radius = np.max(shape.picture.fields.get("radius", 1), initial=0)
            if shape.picture.rods() and radius < THINNEST * size:
                return True
    return False


# --- HTML ---------------------------------------------------------------------

MARKUP = """<section id="viewer" aria-label="Shapes in space" hidden>
<h2>Shapes to turn</h2>
<div class="stage"><canvas tabindex="0" role="application" aria-label="Shape in space. Arrow keys
turn it, plus and minus change its size, Home turns it back." aria-describedby="said"></canvas>
<div class="axes" aria-hidden="true"><b>x</b><b>y</b><b>z</b></div></div>
<div class="controls"><button type="button" id="play" aria-pressed="false">▶ Play</button>
<input type="range" id="frame" min="0" step="1" value="0" aria-label="Which shape">
<label>show <select id="series"></select></label>
<label>colour <select id="colour"></select></label></div>
<div id="bar"><span></span><i></i><span></span></div>
<p id="said" role="status"></p>
<p class="hint">Drag or use the arrow keys to turn, the wheel or + and − for the size.
A click on a diagram shows the shape of the nearest point there.{notes}</p>
</section>"""


def markup(played, left_out):
    notes = " Rods are drawn thicker than they are." if is_drawn_thicker(played) else ""
    notes += "".join(" " + text for text in left_out)
    return MARKUP.format(notes=escape(notes))


def scripts(text):
    """What makes the section live; `text` is that of packed()."""
    return (
        f'<script type="application/json" id="shapes">{text.replace("<", chr(92) + "u003c")}</script>\n'
        f"<script>{library()}</script>\n<script>{beside('viewer.js')}</script>"
    )
