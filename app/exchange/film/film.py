"""Films of a run: frame i shows the instant begin + i · speed / rate. No window, no display."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from app.exchange.film.corner import Corner
from app.exchange.film.encoder import Encoder
from app.exchange.film.film_plots import PlotStrip, sheets_of, strip_height
from app.exchange.runs.extracts import trust_of
from app.exchange.sheets.sheets import Sheet
from app.session.recorded.run import Run
from app.viewport.camera.reach import box_corners
from app.viewport.canvas.offscreen import Picture
from app.viewport.canvas.style import Style
from app.viewport.motion.reaction_arrows import ReactionArrows, channel_names
from app.viewport.motion.trace_paths import TraceHistory
from app.viewport.pictures.picture import FINER, SAVED, restore_saved, smooth_picture
from app.viewport.scene.scene_view import SceneView
from engine.progress import Cancel, Cancelled, Progress
from engine.results.assessment.trust import Trust
from engine.results.files.whole_file import whole

LOOKED = 60  # instants at which the motion is looked at, to find a camera that shows all of it
ORBIT = 12.0  # s of film for one turn of the camera


@dataclass(frozen=True)
class Plan:
    """What a film shows. `camera` is "fixed", "orbit" or "follow:BODY"."""

    size: tuple[int, int] = (1280, 720)
    rate: float = 30.0  # frames per second
    speed: float = 1.0  # simulated seconds per second of film
    begin: float | None = None
    end: float | None = None
    camera: str = "fixed"
    view: str = ""  # standard view, "saved" for the one in the scene, empty for the usual one
    orthographic: bool | None = None
    plots: tuple[str, ...] = ()  # channels
    sheets: tuple[Sheet, ...] = ()  # plots as they are shown in the window; in place of channels
    clock: bool = False
    badge: bool = False  # the verdict on the run, as a dot in its colour
    smooth: bool = True
    style: Style = field(default_factory=Style)

    def span(self, run: Run) -> tuple[float, float]:
        begin = run.t_first if self.begin is None else max(self.begin, run.t_first)
        end = run.t_last if self.end is None else min(self.end, run.t_last)
        return begin, max(begin, end)

    def instants(self, run: Run) -> np.ndarray:
        begin, end = self.span(run)
        step = self.speed / self.rate
        return begin + step * np.arange(math.floor((end - begin) / step + 1e-9) + 1)


class Studio:
    """A view of a run, its plots and its clock, that makes one picture per instant."""

    def __init__(self, run: Run, plan: Plan, folder: Path | None = None) -> None:
        self.run, self.plan = run, plan
        self.trust = trust_of(run) if run.moved else None
        scene = run.scene_at(plan.span(run)[0])
        width, height = (2 * ((pixels + 1) // 2) for pixels in plan.size)  # films have even sizes
        sheets = plan.sheets or sheets_of(run, plan.plots, plan.span(run), dark=plan.style.dark)
        strip = strip_height(len(sheets), height)
        self.size = (width, height)
        finer = FINER if plan.smooth else 1
        self.view = SceneView((width * finer, (height - strip) * finer), scale=float(finer))
        self.view.set_style(plan.style)
        self._folder = folder
        self.view.set_scene(scene, folder)
        self._shown = scene
        self._traces = TraceHistory(scene)
        self._arrows = ReactionArrows()
        self._strip: PlotStrip | None = None
        if sheets:
            self._strip = PlotStrip(sheets, (width, strip), dark=plan.style.dark)
        level = self.trust.level if self.trust is not None and plan.badge else None
        self.corner = Corner(clock=plan.clock, trust=level, dark=plan.style.dark)
        self._place_camera()

    def _place_camera(self) -> None:
        plan, view, run = self.plan, self.view, self.run
        begin, end = plan.span(run)
        if plan.orthographic is not None:
            view.camera.orthographic(plan.orthographic)
        if plan.view not in ("", SAVED):
            view.view(plan.view, fit=False)
        kind, _, body = plan.camera.partition(":")
        passed = [np.zeros((0, 3))]
        for t in [begin] if kind == "follow" else np.linspace(begin, end, LOOKED):
            self._show_scene(float(t))
            view.set_poses(run.poses_at(float(t)), float(t))
            passed += _corners(view)
        self._show_scene(begin)
        view.set_poses(run.poses_at(begin), begin)
        view.framing.fit(points=np.concatenate(passed))
        if plan.view == SAVED:
            restore_saved(view, run.scene)
        view.follow(body if kind == "follow" else "")
        if kind == "follow" and not view.followed:
            raise ValueError(f"there is no body {body!r} that the camera could follow")
        if kind not in ("fixed", "follow", "orbit"):
            raise ValueError(f"unknown camera {plan.camera!r}; use fixed, orbit or follow:BODY")
        self._home = view.camera.state()

    def picture(self, t: float) -> Picture:
        """The frame of an instant, shape (h, w, 3)."""
        run, plan, view = self.run, self.plan, self.view
        self._show_scene(t)
        poses = run.poses_at(t)
        view.set_poses(poses, t)
        if self._traces and self._traces.follow(run, t, poses, run.track):
            for ref, path in self._traces.lines().items():
                view.set_trace(ref, path)
        if plan.style.arrows:
            segment, sample = run.sample_at(t)
            evaluation = segment.channels.evaluation(sample[None])
            efforts = channel_names(view.scene, set(segment.channels.names()))
            named = {name: float(segment.channels[name].read(evaluation)[0]) for name in efforts}
            view.set_arrows(self._arrows.arrows(view, named))
        if plan.camera == "orbit":
            film = (t - plan.span(run)[0]) / plan.speed
            view.camera.restore(_turned(self._home, view.stage.up, 2.0 * math.pi * film / ORBIT))
        picture = smooth_picture(view) if plan.smooth else view.render()[..., :3]
        picture = np.ascontiguousarray(picture)
        self.corner.write(picture, t)
        return picture if self._strip is None else np.concatenate([picture, self._strip.at(t)])

    def _show_scene(self, t: float) -> None:
        """Each instant is shown with the scene that it was computed from."""
        scene = self.run.scene_at(t)
        if scene is not self._shown:
            self._shown = scene
            self.view.change_scene(scene, self._folder)
            self._traces.change_scene(scene)

    def close(self) -> None:
        self.view.close()


def trust_words(trust: Trust | None) -> str:
    """What the description of a file says of the run; nothing where there is no verdict."""
    return f"trust: {trust.words}" if trust is not None else ""


def _corners(view: SceneView) -> list[np.ndarray]:
    """Corners of boxes around all that is drawn of the bodies."""
    clouds = [
        part.world_points()
        for ref, visual in view.visuals.items()
        if ref.where == "bodies"
        for part in visual.parts
        if len(part.surface.points)
    ]
    return [box_corners(np.array([cloud.min(axis=0), cloud.max(axis=0)])) for cloud in clouds]


def _turned(camera: dict[str, Any], axis: np.ndarray, angle: float) -> dict[str, Any]:
    """A camera that has gone around what it looks at."""
    focus = np.array(camera["focus"])

    def turn(p: np.ndarray) -> np.ndarray:
        c, s = math.cos(angle), math.sin(angle)
        return np.asarray(c * p + s * np.cross(axis, p) + (1.0 - c) * float(axis @ p) * axis)

    return {
        **camera,
        "position": list(focus + turn(np.array(camera["position"]) - focus)),
        "up": list(turn(np.array(camera["up"]))),
    }


def frames(
    studio: Studio, progress: Progress | None = None, cancel: Cancel | None = None
) -> Iterator[Picture]:
    """All pictures in turn; may raise Cancelled."""
    instants = studio.plan.instants(studio.run)
    for i, t in enumerate(instants):
        if cancel is not None and cancel():
            raise Cancelled
        yield studio.picture(float(t))
        if progress is not None:
            progress((i + 1) / len(instants), "filming")


def save_film(
    run: Run,
    plan: Plan,
    file: Path,
    *,
    folder: Path | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> int:
    """Write .mp4 or .gif, whole or not at all. Gives the number of frames; raises OSError, Cancelled."""
    count = 0
    with whole(file) as temporary:
        temporary.touch()  # a folder that cannot be written is told before anything is drawn
        studio = Studio(run, plan, folder)
        try:
            with Encoder(temporary, studio.size, plan.rate, trust_words(studio.trust)) as encoder:
                for picture in frames(studio, progress, cancel):
                    encoder.write(picture)
                    count += 1
        finally:
            studio.close()
    return count
