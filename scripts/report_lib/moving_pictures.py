# SPDX-License-Identifier: LGPL-2.1-or-later
"""Moving pictures for the documentation: rods as tubes with light on them."""

import os
import shutil
import subprocess
import tempfile

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb

from . import style
from .errors import ReportError

LIGHT = np.array([-0.35, 0.75, 0.56])  # in the picture: to the right, up, to the eye


def tube(points, radius, sides=14):
    """Quadrilaterals (count, 4, 3) around a line, and the outward normal of each. The
    ring of sides is carried along the line without turning about it."""
    tangents = np.gradient(points, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1)[:, None]
    across = np.cross(tangents[0], np.eye(3)[np.argmin(np.abs(tangents[0]))])
    rings, normals = [], []
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    for point, tangent in zip(points, tangents):
        across = across - tangent * (across @ tangent)
        across /= np.linalg.norm(across)
        other = np.cross(tangent, across)
        ring = np.outer(np.cos(angles), across) + np.outer(np.sin(angles), other)
        normals.append(ring)
        rings.append(point + radius * ring)
    rings, normals = np.array(rings), np.array(normals)
    turned = np.roll(rings, -1, axis=1)
    faces = np.stack([rings[:-1], rings[1:], turned[1:], turned[:-1]], axis=2)
    middles = normals + np.roll(normals, -1, axis=1)
    middles = middles[:-1] + middles[1:]
    middles /= np.linalg.norm(middles, axis=2)[..., None]
    return faces.reshape(-1, 4, 3), middles.reshape(-1, 3)


def lit(normals, colour):
    """Colours of faces: diffuse light and a highlight."""
    light = LIGHT / np.linalg.norm(LIGHT)
    diffuse = np.clip(normals @ light, 0, 1)
    halfway = light + [0, 0, 1]
    highlight = np.clip(normals @ halfway / np.linalg.norm(halfway), 0, 1) ** 30
    shade = np.array(to_rgb(colour))[None] * (0.35 + 0.65 * diffuse[:, None]) + 0.35 * highlight[:, None]
    return np.clip(shade, 0, 1)


def draw_tube(axes, points, radius, view, colour):
    """From far away along view[2], the farther faces first."""
    faces, normals = tube(points, radius)
    faces, normals = faces @ view.T, normals @ view.T
    seen = normals[:, 2] > -0.05
    faces, normals = faces[seen], normals[seen]
    order = np.argsort(faces[:, :, 2].mean(1))
    colours = lit(normals[order], colour)
    axes.add_collection(
        PolyCollection(faces[order][:, :, :2], facecolors=colours, edgecolors=colours, linewidths=0.4)
    )


def write_gif(frames, path, per_second):
    """Pictures of equal size as one animated GIF, with a palette of their own."""
    if not shutil.which("ffmpeg"):
        raise ReportError(f"{path}: needs ffmpeg (package ffmpeg)")
    with tempfile.TemporaryDirectory() as scratch:
        for number, figure in enumerate(frames):
            # All pictures alike: none is cut to what is on it.
            with plt.rc_context({"savefig.bbox": "standard"}):
                figure.savefig(os.path.join(scratch, f"{number:04}.png"), dpi=100)
            plt.close(figure)
        palette = "split[a][b];[a]palettegen=max_colors=64:stats_mode=diff[p];[b][p]paletteuse=dither=none"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-framerate", str(per_second)]
            + ["-i", os.path.join(scratch, "%04d.png"), "-vf", palette, "-loop", "0", path],
            check=True,
        )


def knot_being_pulled(run):
    """Frames of the study `knot`: the cord, and the force over the shortening."""
    table, series = run.results, run.shape_series
    shapes = series.shapes(len(series))
    radius = float(np.max(shapes[0].picture.fields["radius"]))
    # The cord is pulled along its longest direction, which is across the picture.
    ends = shapes[-1].picture.points
    along = ends[-1] - ends[0]
    along /= np.linalg.norm(along)
    spread = np.concatenate([shape.picture.points for shape in shapes[:3]])
    spread = spread - spread.mean(0)
    spread -= np.outer(spread @ along, along)
    _, _, main = np.linalg.svd(spread, full_matrices=False)
    up = main[0] - along * (main[0] @ along)
    up /= np.linalg.norm(up)
    tilt = np.radians(20)
    depth = np.cross(along, up)
    view = np.array([along, np.cos(tilt) * up + np.sin(tilt) * depth, np.cos(tilt) * depth - np.sin(tilt) * up])
    all_points = np.concatenate([shape.picture.points for shape in shapes]) @ view.T
    centre = 0.5 * (all_points[:, 0].min() + all_points[:, 0].max())
    low, high = all_points[:, 1].min() - 4 * radius, all_points[:, 1].max() + 4 * radius
    for shape in [*shapes, *shapes[-1:] * 8]:
        figure = plt.figure(figsize=(7.2, 3.0))
        axes = figure.add_axes((0, 0, 0.68, 1))
        draw_tube(axes, shape.picture.points, radius, view, style.CATEGORIES[1])
        half = (high - low) * 0.68 * 7.2 / 3.0 / 2
        axes.set(xlim=(centre - half, centre + half), ylim=(low, high), aspect="equal")
        axes.axis("off")
        plot = figure.add_axes((0.745, 0.19, 0.24, 0.74))
        shown = table["time"] <= shape.time * (1 + 1e-9)
        plot.plot(1e3 * table["shortening"], 1e3 * table["pull_force"], color="#d9dde3", lw=1)
        plot.plot(1e3 * table["shortening"][shown], 1e3 * table["pull_force"][shown], color=style.CATEGORIES[0], lw=1.6)
        plot.set(yscale="log", xlabel="shortening [mm]", ylabel="force [mN]")
        plot.invert_xaxis()
        yield figure
