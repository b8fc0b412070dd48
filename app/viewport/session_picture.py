"""Keeps the view of a scene at what the session shows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QSize, QTimer, Signal
from PySide6.QtGui import QPainter

from app.document.document import Ref, SceneChange, difference, find
from app.platform.units import Units
from app.session.recorded.run import Run
from app.session.session import Session
from app.viewport.annotations.centre_marks import centres
from app.viewport.annotations.family_colors import family_color
from app.viewport.annotations.measure_marks import marks
from app.viewport.annotations.number_paint import AnnotationPainter
from app.viewport.canvas.surface import Array
from app.viewport.motion.event_states import EventStates
from app.viewport.motion.ghost_framing import GhostView
from app.viewport.motion.ghost_traces import GhostTraces
from app.viewport.motion.motion_arrows import ACCELERATION, VELOCITY, MotionArrows
from app.viewport.motion.motion_framing import MotionView
from app.viewport.motion.reaction_arrows import FORCE, NEWTON, ReactionArrows, channel_names
from app.viewport.motion.recorded_reach import recorded_points
from app.viewport.motion.trace_paths import TraceHistory
from app.viewport.scene.path_lines import ColoredPath
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.bodies.ghost import Ghost
from app.viewport.visuals.marks.arrows import Arrow
from engine.model.resolve import resolve_leniently
from engine.model.scene import LISTS

LEAD_GAIN = 0.1  # of a new measurement
LONGEST_LEAD = 0.02  # s; what the engine is ahead of the clock allows
MIN_SEEN = 0.03  # of the picture: a first body that takes less is fitted into it
OUTGROWN = 4.0  # times larger than before an edit: the picture is fitted anew
PREVIEW = -1  # key of the ghost that is no run
BAND = "#D55E00"  # of lines that an answer draws


class SessionPicture(QObject):
    """The session's scene at its playhead, with traces, arrows, other runs, previews and what is selected."""

    changed = Signal()  # there is something to paint
    about_to_load = Signal()  # another document comes
    edited = Signal()  # another scene of the same document is drawn

    def __init__(self, session: Session, view: SceneView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.view = view
        self._session = session
        self._shown = session.scene
        self._traces = TraceHistory(self._shown)
        self.arrows: list[Arrow] = []  # that are drawn
        self._forget_arrow_sizes()
        self._ghost_view, self._motion_view = GhostView(), MotionView()
        self._ended = False  # a run has just come to its end, or was stopped
        self._plays = False
        self._states = EventStates()
        self._state_colors: dict[Ref, str] = {}
        self._ghost_traces = GhostTraces()
        self._waiting: float | None = None  # clock when the first change came that is not painted yet
        self._told: set[str] = set()  # why mesh files are not shown
        # after the event: whoever keeps messages forgets those of the scene before in the same one
        self._telling = QTimer(self, singleShot=True, interval=0)
        self._telling.timeout.connect(self._tell_unread)
        self._drawing = QTimer(self, singleShot=True, interval=0)
        self._drawing.timeout.connect(self._show_edited)
        self._slots: tuple[tuple[Any, Any], ...] = (  # signals of the session, and who follows them
            (session.document.changed, self._scene_changed),
            (session.selection.changed, self._selection_changed),
            (session.selection.hover_changed, self._selection_changed),
            (session.advanced, self.advance),
            (session.state_changed, self._state_changed),
            (session.runs.changed, self.advance),
            (session.shown.posed, self.advance),
            (session.preview.changed, self._previewed),
            (session.whole_motion.changed, self._swept),
            (session.answer_paths.changed, self._swept),
        )
        for signal, slot in self._slots:
            signal.connect(slot)
        view.framing.recorded = self._recorded
        self._load()

    @property
    def shows_the_past(self) -> bool:
        """Whether what is shown was computed from a scene that is no longer that of the document."""
        return self._shown is not self._session.document.scene

    @property
    def traced(self) -> tuple[Any, dict[Ref, Any]]:
        """Times [s] and the points of every trace that is drawn, shape (n, 3)."""
        return self._traces.times(), self._traces.paths()

    def painted(self) -> None:
        """Tell how long a frame takes from its tick to its picture: the next one shows that instant."""
        if self._waiting is not None:
            taken, self._waiting = time.perf_counter() - self._waiting, None
            self._session.engine.lead += LEAD_GAIN * (min(taken, LONGEST_LEAD) - self._session.engine.lead)

    def paint_numbers(self, painter: QPainter, units: Units, size: QSize, ratio: float) -> None:
        """Sizes of arrows with their scale, and measures; they follow a run and a hand that drags."""
        view = self.view
        numbers = AnnotationPainter(painter, view, units, ratio)
        if view.style.any_arrows and self.arrows:
            numbers.arrow_values(self.arrows)
            lengths = {(NEWTON, FORCE): self._reactions.length_per_unit(view)} if view.style.arrows else {}
            for motions in self._moving():
                sort = motions.quantity
                lengths[sort.unit, sort.color] = motions.length_per_unit(view)
            numbers.scales(lengths, size.height(), size.width())
        run = self._session.current
        if view.style.centres and run is not None and not run.empty and run.has_channels:
            segment, sample = run.sample_at(self._session.t)
            chosen = [ref.name for ref in self._selected_here() if ref.where == "bodies"]
            numbers.centres(centres(segment.channels.evaluation(sample[None]), chosen))
        if self._session.whole_motion.curves:
            numbers.family(
                self._session.whole_motion.curves, self._session.whole_motion.values, self._family_unit()
            )
        if view.style.ghosts:
            t = self._session.t
            numbers.legend(
                [(run.color, ghost_text(run, t)) for run in self._session.runs.ghosts()], size.width()
            )
        if view.style.measures and self._session.scene.measures:
            scene, _ = resolve_leniently(self._session.scene)
            numbers.measures(marks(scene, self._session.poses(), view.camera.per_pixel))

    def _family_unit(self) -> str:
        name = self._session.whole_motion.family
        return next((p.unit for p in self._session.document.scene.parameters if p.name == name), "")

    def stop(self) -> None:
        """Follow the session no longer; the view may be closed then."""
        self._telling.stop()
        self._drawing.stop()
        for signal, slot in self._slots:
            signal.disconnect(slot)
        self._slots = ()

    # session

    def _scene_changed(self, change: SceneChange) -> None:
        if change.reset:
            self.about_to_load.emit()
            self._load()
        elif self._show_scene():
            self.advance()

    def _show_scene(self) -> bool:
        """Draw the scene that belongs to what is shown, if it is another one; False when nothing changed."""
        before, shown = self._shown, self._session.scene
        if shown is before:
            return False
        change = difference(before, shown)
        if change.large:
            self._drawing.start()
            return False
        self._shown = shown
        touched = {ref.where for ref in (*change.added, *change.removed, *change.changed)}
        if touched and touched <= {"simulation", "measures", "groups"}:
            return False
        self._show_edit(change)
        return True

    def _show_edited(self) -> None:
        """Draw the scene after a large change, which has a turn of its own."""
        before, self._shown = self._shown, self._session.scene
        if self._shown is not before:
            self._show_edit(difference(before, self._shown))
            self.advance()

    def _show_edit(self, change: SceneChange) -> None:
        folder = self._session.document.path.parent if self._session.document.path else None
        size = self.view.stage.extent
        self.view.change_scene(change.after, folder)
        self._traces.change_scene(change.after)
        if change.before.space != change.after.space:
            self.view.set_scene(change.after, folder)
        elif not change.before.bodies:
            if not self.view.framing.frames_all(MIN_SEEN):
                self.view.framing.fit()
        elif self.view.stage.extent > OUTGROWN * size and not self.view.framing.frames_all():
            self.view.framing.fit()  # symbols have grown with the scene: one could stand around the camera
        self._telling.start()
        self._selection_changed()
        self.edited.emit()

    def _load(self) -> None:
        document = self._session.document
        folder = document.path.parent if document.path else None
        self._shown = self._session.scene
        self._drawing.stop()
        self.view.set_scene(self._shown, folder)
        self._told.clear()
        self._telling.start()
        self._traces = TraceHistory(self._shown)
        self._forget_arrow_sizes()
        self._selection_changed()
        self.advance()

    def _forget_arrow_sizes(self) -> None:
        self._reactions = ReactionArrows()
        self._motions = {"velocities": MotionArrows(VELOCITY), "accelerations": MotionArrows(ACCELERATION)}

    def _recorded(self) -> Array:
        return recorded_points(self.view, self._session.current)

    def _tell_unread(self) -> None:
        """Say once of each mesh file why a small box stands in its place."""
        for file, text in self.view.stage.unread.items():
            users = (
                Ref("bodies", body.name)
                for body in self.view.scene.bodies
                if any(getattr(shape, "file", None) == file for shape in body.shapes)
            )
            user = next(users, None)  # none: a file of the scene that was shown before
            if text not in self._told and user is not None:
                self._told.add(text)
                self._session.message.emit("error", text, user)

    def advance(self) -> None:
        """Go to the instant that the session shows now, with all that is drawn around the bodies."""
        if self._waiting is None:
            self._waiting = time.perf_counter()
        self._show_scene()
        session = self._session
        poses = session.poses()
        if poses:
            self.view.set_poses(poses, session.t)
            if session.state == "playing" or self._ended:
                self._motion_view.look(self.view, ends=self._ended)
                self._ended = False
        if self._traces and self.view.style.traces and poses:
            run = session.current
            track = None if run is None or run.empty else run.track
            if self._traces.follow(run, session.t, poses, track):
                for ref, path in self._traces.lines().items():
                    self.view.set_trace(ref, path)
        run = session.current
        happened = [] if run is None else run.happened
        self._state_colors = self._states.colors(None if run is None else run.id, happened, session.t)
        self.view.set_state_colors(self._state_colors)
        self._show_ghosts()
        self._show_arrows()
        self.changed.emit()

    def _state_changed(self, state: str) -> None:
        """A run that has come to its end, or was stopped, is seen whole; the first look is at its start.

        Between two frames of a slow machine it may have gone out of the picture.
        """
        if self._plays != (state == "playing"):
            self._ended = self._plays  # its last pose may come with the next frame
            self._motion_view.look(self.view, ends=True)
            self.changed.emit()
        self._plays = state == "playing"

    def _swept(self) -> None:
        self.view.set_travels(self._session.whole_motion.travels)
        self._show_ghosts()
        self.changed.emit()

    def _previewed(self) -> None:
        self._show_ghosts()
        preview = self._session.preview
        key = PREVIEW if preview.active else None
        self._ghost_view.follow(self.view, preview.number, key, stay=preview.stay)
        self.changed.emit()

    def _show_ghosts(self) -> None:
        """Other runs at the same instant, if they got so far, each with its own scene. And previews."""
        view, preview = self.view, self._session.preview
        t = self._session.t
        there = self._session.runs.ghosts() if view.style.ghosts else []
        runs = {run.id: run for run in there if _is_there(run, t)}
        ghosts = {key: Ghost(run.scene_at(t), run.color) for key, run in runs.items()}
        if preview.scene is not None:
            ghosts[PREVIEW] = Ghost(preview.scene, preview.color, always=True)
        if view.style.ghosts or preview.active or view.has_ghost(PREVIEW):
            view.set_ghosts(ghosts)
        for key, run in runs.items():
            view.move_ghost(key, run.poses_at(t))
        if preview.active:
            view.move_ghost(PREVIEW, preview.poses())
        self._show_paths({run.id: run for run in there})

    def _show_paths(self, runs: Mapping[int, Run]) -> None:
        """Traces of the ghosts, which stay behind the end of their runs, and the family of curves."""
        paths = self._ghost_traces.paths(runs, self._session.t) if self.view.style.traces else []
        motion = self._session.whole_motion
        paths += [
            ColoredPath(curve.points, family_color(curve.value, motion.values)) for curve in motion.curves
        ]
        paths += [ColoredPath(points, BAND) for points in self._session.answer_paths.paths]
        self.view.set_paths(paths)

    def _show_arrows(self) -> None:
        """Reactions; velocities and accelerations of what is selected, or of all bodies."""
        run, view = self._session.current, self.view
        self.arrows = []
        if not view.style.any_arrows:
            return
        if run is None or run.empty or not run.has_channels:
            view.set_arrows(())
            return
        segment, sample = run.sample_at(self._session.t)
        evaluation = segment.channels.evaluation(sample[None])
        if view.style.arrows:
            names = channel_names(view.scene, set(segment.channels.names()))
            values = {name: float(segment.channels[name].read(evaluation)[0]) for name in names}
            self.arrows += self._reactions.arrows(view, values, self._state_colors)
        chosen = self._selected_here()
        refs = chosen or [Ref("bodies", body.name) for body in view.scene.bodies]
        for motions in self._moving():
            self.arrows += motions.arrows(view, refs, evaluation, centres=not chosen)
        view.set_arrows(self.arrows)

    def _moving(self) -> list[MotionArrows]:
        """Sorts of arrows of motion that are shown."""
        return [motions for name, motions in self._motions.items() if getattr(self.view.style, name)]

    def _selected_here(self) -> list[Ref]:
        """Elements that are selected and still in the scene."""
        refs = self._session.selection.refs
        return [ref for ref in refs if ref.where in LISTS and find(self.view.scene, ref) is not None]

    def _selection_changed(self) -> None:
        self.view.set_selection(self._session.selection.refs, self._session.selection.hovers)
        if self.view.style.velocities or self.view.style.accelerations:
            self._show_arrows()
        self.changed.emit()


def _is_there(run: Run, t: float) -> bool:
    """Whether a run got to an instant, or nearly: the last step before a stop is a short one."""
    return bool(run.t_first - run.dt <= t <= run.t_last + run.dt)


def ghost_text(run: Run, t: float) -> str:
    """A ghost by its name; where it is not seen, why."""
    if _is_there(run, t):
        return run.name
    if t > run.t_last:
        return f"{run.name}: over since {run.t_last:.4g} s"
    return f"{run.name}: begins at {run.t_first:.4g} s"
