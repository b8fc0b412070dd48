"""The page: motion, paths and curves as data inside one HTML file, with the script that draws them."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from app.exchange.interactive.curves import Curve, Plot, paths_of, plots_of
from app.exchange.interactive.curves import Path as TracedPath
from app.exchange.interactive.filmed_motion import FilmedMotion, Flexible, Section, Solid, filmed
from app.exchange.runs.extracts import trust_of
from app.platform.resources import data_folder
from app.session.recorded.run import Run
from app.viewport.canvas.style import Style, look
from app.viewport.canvas.surface import Surface
from engine.model.files.scene_file import dumps
from engine.progress import Cancel, Progress
from engine.results.files.formats.base import program
from engine.results.files.whole_file import whole

SCRIPTS = ("geometry.js", "drawing.js", "plots.js", "page.js")  # in this order
FINEST = 65535  # steps between the lowest and the highest coordinate of what bends
PROBLEM = "This browser cannot draw in three dimensions (WebGL 2); the plots below still work."


@dataclass(frozen=True)
class PagePlan:
    """What a page shows. `end` None: to the end of the run."""

    channels: tuple[str, ...] = ()
    begin: float | None = None
    end: float | None = None
    style: Style = field(default_factory=Style)
    message: str = ""

    def span(self, run: Run) -> tuple[float, float]:
        begin = run.t_first if self.begin is None else max(self.begin, run.t_first)
        end = run.t_last if self.end is None else min(self.end, run.t_last)
        return begin, max(begin, end)


def save_page(
    run: Run,
    plan: PagePlan,
    file: Path,
    *,
    folder: Path | None = None,
    progress: Progress = lambda share, words: None,
    cancel: Cancel = lambda: False,
) -> int:
    """Write the page, whole or not at all; gives the number of frames. Raises OSError and Cancelled."""
    with whole(file) as temporary:
        temporary.touch()  # a folder that cannot be written is told before anything is drawn
        begin, end = plan.span(run)
        dark = plan.style.dark
        plots = plots_of(run, plan.channels, begin, end, dark=dark)
        motion = filmed(run, begin, end, style=plan.style, folder=folder, progress=progress, cancel=cancel)
        paths = paths_of(run, begin, end, dark=dark)
        temporary.write_text(page(run, plan, motion, paths, plots), encoding="utf-8")
        return len(motion.instants)


def page(
    run: Run,
    plan: PagePlan,
    motion: FilmedMotion,
    paths: Sequence[TracedPath],
    plots: Sequence[Plot],
) -> str:
    """The whole text."""
    assets = data_folder("assets") / "interactive"
    scripts = "\n".join((assets / name).read_text(encoding="utf-8") for name in SCRIPTS)
    styles = (assets / "page.css").read_text(encoding="utf-8")
    title = escape(run.scene.title or run.name)
    scene = base64.b64encode(dumps(run.scene).encode()).decode()
    facts = " · ".join(escape(text) for text in _facts(run, plan))
    return f"""<!DOCTYPE html>
<html lang="en" class="{"dark" if plan.style.dark else "light"}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<style>{styles}</style></head><body>
<header><h1>{title}</h1><p>{escape(run.scene.description)}</p></header>
<main>
<section id="stage">
<canvas id="view" tabindex="0" aria-label="The mechanism; drag to turn, wheel to zoom"></canvas>
<p id="problem" hidden>{PROBLEM}</p>
<div id="transport"><button id="play" title="Play or pause (Space)">▶</button>
<input id="time" type="range" min="0" max="1" step="any" value="0" aria-label="Time">
<output id="clock"></output>
<select id="speed" title="Speed"></select>
<button id="fit" title="See all (F)">Fit</button></div></section>
<section id="plots"></section>
</main>
<footer><p>{facts}</p>
<p><a download="scene.json" href="data:application/json;base64,{scene}">Save the scene file</a>
· made by {escape(program())}</p></footer>
<script type="application/json" id="data">{_json(_data(run, motion, paths, plots, plan.style))}</script>
<script>
{scripts}
</script></body></html>
"""


def _facts(run: Run, plan: PagePlan) -> list[str]:
    trust = trust_of(run) if run.moved else None
    facts = [run.method, f"step {run.dt:.6g} s"]
    facts += [f"trust: {trust.words}"] if trust is not None else []
    return [*facts, *([plan.message] if plan.message else [])]


def _data(
    run: Run, motion: FilmedMotion, paths: Sequence[TracedPath], plots: Sequence[Plot], style: Style
) -> dict[str, Any]:
    colors = look(style)
    return {
        "begin": float(motion.instants[0]),
        "end": float(motion.instants[-1]),
        "frames": len(motion.instants),
        "speed": float(run.scene.simulation.speed),
        "planar": motion.planar,
        "up": motion.up.tolist(),
        "box": [corner.tolist() for corner in motion.box],
        "sky": colors.sky,
        "floor": colors.floor,
        "sections": [_section(section) for section in motion.sections],
        "paths": [
            {
                "name": path.name,
                "color": path.color,
                "length": path.length,
                "t": _packed(path.t, "<f4"),
                "points": _packed(path.points, "<f4"),
            }
            for path in paths
        ],
        "plots": [
            {"title": plot.title, "unit": plot.unit, "curves": [_curve(curve) for curve in plot.curves]}
            for plot in plots
        ],
    }


def _curve(curve: Curve) -> dict[str, Any]:
    return {
        "name": curve.name,
        "meaning": curve.meaning,
        "color": curve.color,
        "t": _packed(curve.t, "<f4"),
        "values": _packed(curve.values, "<f8"),
    }


def _section(section: Section) -> dict[str, Any]:
    return {
        "first": section.first,
        "last": section.last,
        "tracks": [
            {"rigid": track.shape[1] == 7, "numbers": _packed(track, "<f4")} for track in section.tracks
        ],
        "solids": [_solid(solid) for solid in section.solids],
        "flexibles": [_flexible(flexible) for flexible in section.flexibles],
    }


def _solid(solid: Solid) -> dict[str, Any]:
    return {
        **_surface(solid.surface, solid.opacity),
        "points": _packed(solid.surface.points, "<f4"),
        "normals": _packed(_normals(solid.surface), "i1"),
        "track": solid.track,
        **({} if solid.visible is None else {"visible": _packed(solid.visible, "u1")}),
    }


def _flexible(flexible: Flexible) -> dict[str, Any]:
    low, high = flexible.points.min(axis=(0, 1)), flexible.points.max(axis=(0, 1))
    steps = (flexible.points - low) / np.maximum(high - low, 1e-30) * FINEST
    return {
        **_surface(flexible.surface, flexible.opacity),
        "points": _packed(np.round(steps), "<u2"),
        "low": low.tolist(),
        "step": ((high - low) / FINEST).tolist(),
        **({} if flexible.visible is None else {"visible": _packed(flexible.visible, "u1")}),
    }


def _surface(surface: Surface, opacity: float) -> dict[str, Any]:
    return {
        "count": len(surface.points),
        "opacity": opacity,
        "colors": _packed(surface.colors if surface.colors is not None else [], "u1"),
        "triangles": _packed(surface.triangles, "<u4"),
        "lines": _packed(surface.lines, "<u4"),
    }


def _normals(surface: Surface) -> ArrayLike:
    return np.clip(np.round(127.0 * np.nan_to_num(surface.normals)), -127, 127)


def _packed(numbers: ArrayLike, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(np.asarray(numbers), dtype=kind).tobytes()).decode()


def _json(data: dict[str, Any]) -> str:
    """JSON that no text of the scene can end early."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
