"""The picture of a session's scene at its playhead, as a widget: it follows the session and paints."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QElapsedTimer, QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.document.document import Ref, SceneChange, difference
from app.platform.units import Units
from app.session.session import Session
from app.viewport.annotations.measure_marks import marks
from app.viewport.annotations.paint import AnnotationPainter
from app.viewport.canvas.style import Style, look
from app.viewport.canvas.surface import Array
from app.viewport.motion.ghost_framing import GhostView
from app.viewport.motion.motion_arrows import ACCELERATION, VELOCITY, MotionArrows
from app.viewport.motion.reaction_arrows import FORCE, NEWTON, ReactionArrows, channel_names
from app.viewport.motion.recorded_reach import recorded_points
from app.viewport.motion.trace_paths import TraceHistory
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.bodies.ghost import Ghost
from app.viewport.visuals.marks.arrows import Arrow
from engine.model.resolve import resolve_leniently

LEAD_GAIN = 0.1  # of a new measurement
LONGEST_LEAD = 0.02  # s; what the engine is ahead of the clock allows
MIN_SEEN = 0.03  # of the picture: a first body that takes less is fitted into it
PREVIEW = -1  # key of the ghost that is no run


class Screen(QWidget):
    """Owns the `SceneView`; knows neither tools nor the mouse."""

    style_changed = Signal()

    def __init__(
        self, session: Session, parent: QWidget | None = None, *, style: Style | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 150)
        self._session = session
        self._view: SceneView | None = SceneView((800, 600))
        style = style or Style()
        self._view.set_style(replace(style, gradient=style.gradient and not self._view.camera.software))
        self._shown = session.scene
        self._traces = TraceHistory(self._shown)
        self.units = Units()  # that are shown, and that tools take
        self._arrows: list[Arrow] = []
        self._forget_arrow_sizes()
        self._ghost_view = GhostView()
        self._image: QImage | None = None
        self._frame = QElapsedTimer()
        self._waiting: float | None = None  # clock when the first change came that is not painted yet
        self._told: set[str] = set()  # why mesh files are not shown
        self.frame_times: list[float] = []  # ms, of the newest pictures
        self._slots: tuple[tuple[Any, Any], ...] = (  # signals of the session, and who follows them
            (session.document.changed, self._scene_changed),
            (session.selection.changed, self._selection_changed),
            (session.selection.hover_changed, self._selection_changed),
            (session.advanced, self._advanced),
            (session.runs.changed, self._advanced),
            (session.shown.posed, self._advanced),
            (session.preview.changed, self._previewed),
        )
        for signal, slot in self._slots:
            signal.connect(slot)
        self._view.framing.recorded = self._recorded
        self._load()

    # what others may call

    @property
    def view(self) -> SceneView:
        if self._view is None:
            raise RuntimeError("the viewport is closed")
        return self._view

    @property
    def view_style(self) -> Style:
        return self.view.style

    def set_view_style(self, **changes: Any) -> None:
        """Change what is shown, for instance labels=True or dark=True."""
        self.view.set_style(replace(self.view.style, **changes))
        self._advanced()
        self.style_changed.emit()
        self.update()

    @property
    def is_open(self) -> bool:
        """Whether there is a view: not after `shutdown`."""
        return self._view is not None

    @property
    def shows_the_past(self) -> bool:
        """Whether what is shown was computed from a scene that is no longer that of the document."""
        return self._shown is not self._session.document.scene

    def reveal(self) -> None:
        """Show everything, if anything is outside of the picture."""
        if not self.view.framing.frames_all():
            self.fit_all()

    def fit_all(self) -> None:
        self.view.framing.fit()
        self.update()

    def show_view(self, name: str) -> None:
        """Standard view: iso, front, back, left, right, top, bottom."""
        self.view.view(name)
        self.update()

    def set_orthographic(self, on: bool) -> None:
        self.view.camera.orthographic(on)
        self.update()

    def zoom(self, factor: float) -> None:
        self.view.camera.zoom(factor)
        self.update()

    def device(self, position: QPointF) -> tuple[float, float]:
        """A place in the widget as the view counts it: in pixels of the screen."""
        ratio = self.devicePixelRatioF()
        return position.x() * ratio, position.y() * ratio

    def pixel_of(self, ref: Any, point: str = "") -> QPointF:
        """Where an element is drawn, in this widget's own pixels."""
        x, y = self.view.camera.project(self.view.queries.position_of(ref, point))
        ratio = self.devicePixelRatioF()
        return QPointF(x / ratio, y / ratio)

    @property
    def traced(self) -> tuple[Any, dict[Ref, Any]]:
        """Times [s] and the points of every trace that is drawn, shape (n, 3)."""
        return self._traces.times(), self._traces.paths()

    def picture(self) -> QImage:
        """A copy of the picture without what is painted over it."""
        return self._render().copy()

    def shutdown(self) -> None:
        """Let go of VTK; the widget paints nothing from now on."""
        if self._view is not None:
            for signal, slot in self._slots:
                signal.disconnect(slot)
            self._slots = ()
            view, self._view, self._image = self._view, None, None
            view.close()

    # session

    def _scene_changed(self, change: SceneChange) -> None:
        if change.reset:
            self._load()
        elif self._show_scene():
            self._advanced()

    def _show_scene(self) -> bool:
        """Draw the scene that belongs to what is shown, if it is another one; False when nothing changed."""
        before, self._shown = self._shown, self._session.scene
        if self._shown is before:
            return False
        change = difference(before, self._shown)
        touched = {ref.where for ref in (*change.added, *change.removed, *change.changed)}
        if touched and touched <= {"simulation", "measures", "groups"}:
            return False
        self._show_edit(change)
        return True

    def _show_edit(self, change: SceneChange) -> None:
        folder = self._session.document.path.parent if self._session.document.path else None
        self.view.change_scene(change.after, folder)
        self._traces.change_scene(change.after)
        if change.before.space != change.after.space:
            self.view.set_scene(change.after, folder)
        elif not change.before.bodies and not self.view.framing.frames_all(MIN_SEEN):
            self.view.framing.fit()
        self._tell_unread()
        self._selection_changed()

    def _load(self) -> None:
        document = self._session.document
        folder = document.path.parent if document.path else None
        self._shown = self._session.scene
        self.view.set_scene(self._shown, folder)
        self._told.clear()
        self._tell_unread()
        self._traces = TraceHistory(self._shown)
        self._forget_arrow_sizes()
        self._selection_changed()
        self._advanced()

    def _forget_arrow_sizes(self) -> None:
        self._reactions = ReactionArrows()
        self._motions = {"velocities": MotionArrows(VELOCITY), "accelerations": MotionArrows(ACCELERATION)}

    def _recorded(self) -> Array:
        return recorded_points(self.view, self._session.current)

    def _tell_unread(self) -> None:
        """Say once of each mesh file why a small box stands in its place."""
        for text in self.view.stage.unread.values():
            if text not in self._told:
                self._told.add(text)
                self._session.message.emit("warning", text, None)

    def _advanced(self) -> None:
        if self._view is None:
            return
        if self._waiting is None:
            self._waiting = time.perf_counter()
        self._show_scene()
        session = self._session
        poses = session.poses()
        if poses:
            self._view.set_poses(poses, session.t)
        if self._traces and self._view.style.traces and poses:
            run = session.current
            track = None if run is None or run.empty else run.track
            if self._traces.follow(run, session.t, poses, track):
                for ref, path in self._traces.paths().items():
                    self._view.set_trace(ref, path)
        self._show_ghosts()
        self._show_arrows()
        self.update()

    def _previewed(self) -> None:
        self._show_ghosts()
        if self._view is not None:
            preview = self._session.preview
            key = PREVIEW if preview.active else None
            self._ghost_view.follow(self._view, preview.number, key, stay=preview.stay)
        self.update()

    def _show_ghosts(self) -> None:
        """Other runs at the same instant, if they got so far, each with its own scene. And previews."""
        view, preview = self._view, self._session.preview
        if view is None:
            return
        t = self._session.t
        there = self._session.runs.ghosts() if view.style.ghosts else []
        runs = {run.id: run for run in there if run.t_first - run.dt <= t <= run.t_last + run.dt}
        ghosts = {key: Ghost(run.scene_at(t), run.color) for key, run in runs.items()}
        if preview.scene is not None:
            ghosts[PREVIEW] = Ghost(preview.scene, preview.color, always=True)
        if view.style.ghosts or preview.active or view.has_ghost(PREVIEW):
            view.set_ghosts(ghosts)
        for key, run in runs.items():
            view.move_ghost(key, run.poses_at(t))
        if preview.active:
            view.move_ghost(PREVIEW, preview.poses())

    def _show_arrows(self) -> None:
        """Reactions; velocities and accelerations of what is selected, or of all bodies."""
        run, view = self._session.current, self._view
        self._arrows = []
        if view is None or not view.style.any_arrows:
            return
        if run is None or run.empty:
            view.set_arrows(())
            return
        segment, sample = run.sample_at(self._session.t)
        evaluation = segment.channels.evaluation(sample[None])
        if view.style.arrows:
            names = channel_names(view.scene, set(segment.channels.names()))
            values = {name: float(segment.channels[name].read(evaluation)[0]) for name in names}
            self._arrows += self._reactions.arrows(view, values)
        chosen = self._selected_here()
        refs = chosen or [Ref("bodies", body.name) for body in view.scene.bodies]
        for motions in self._moving():
            self._arrows += motions.arrows(view, refs, evaluation, centres=not chosen)
        view.set_arrows(self._arrows)

    def _moving(self) -> list[MotionArrows]:
        """Sorts of arrows of motion that are shown."""
        return [motions for name, motions in self._motions.items() if getattr(self.view.style, name)]

    def _selected_here(self) -> list[Ref]:
        """What is selected and still in the scene."""
        scene = self.view.scene
        return [
            ref
            for ref in self._session.selection.refs
            if any(item.name == ref.name for item in getattr(scene, ref.where, ()))
        ]

    def _selection_changed(self) -> None:
        if self._view is not None:
            self._view.set_selection(self._session.selection.refs, self._session.selection.hover)
            if self._view.style.velocities or self._view.style.accelerations:
                self._show_arrows()
            self.update()

    # painting

    def sizeHint(self) -> QSize:
        return QSize(800, 600)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._resize_picture()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._resize_picture()
        return super().event(event)

    def _resize_picture(self) -> None:
        if self._view is None:
            return
        ratio = self.devicePixelRatioF()
        size = (max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))
        first = self._image is None
        self._view.resize(size, ratio)
        if first:
            self._view.framing.fit()

    def _render(self) -> QImage:
        view = self.view
        if view.dirty or self._image is None:
            self._frame.start()
            picture = view.render()
            h, w = picture.shape[:2]
            # the picture owns the memory: the view keeps it until the next one
            self._image = QImage(picture.data, w, h, 4 * w, QImage.Format.Format_RGBX8888)
            self._image.setDevicePixelRatio(self.devicePixelRatioF())
            self.frame_times = [*self.frame_times[-599:], self._frame.nsecsElapsed() * 1e-6]
        return self._image

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._view is None:
            painter.fillRect(self.rect(), self.palette().window())
            return
        painter.drawImage(QPointF(0.0, 0.0), self._render())
        self._tell_lead()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(look(self._view.style).text))
        painter.save()
        self._paint_numbers(painter)
        painter.restore()
        self._paint_over(painter)
        if not self._session.document.scene.bodies:
            return
        # why nothing moves yet, the first time after installing above all
        waiting = self._session.lifecycle.waiting
        past = "the scene as it was then; edits act on the newest instant" if self.shows_the_past else ""
        painter.drawText(
            self.rect().adjusted(10, 0, -10, -8),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom,
            "  ·  ".join(filter(None, (f"t = {self._session.t:.3f} s", past, waiting))),
        )

    def _paint_numbers(self, painter: QPainter) -> None:
        """Sizes of arrows with their scale, and measures; they follow a run and a hand that drags."""
        view = self.view
        numbers = AnnotationPainter(painter, view, self.units, self.devicePixelRatioF())
        if view.style.any_arrows and self._arrows:
            numbers.arrow_values(self._arrows)
            lengths = {(NEWTON, FORCE): self._reactions.length_per_unit(view)} if view.style.arrows else {}
            for motions in self._moving():
                sort = motions.quantity
                lengths[sort.unit, sort.color] = motions.length_per_unit(view)
            numbers.scales(lengths, self.height(), self.width())
        if view.style.measures and self._session.scene.measures:
            scene, _ = resolve_leniently(self._session.scene)
            numbers.measures(marks(scene, self._session.poses(), view.camera.per_pixel))

    def _paint_over(self, painter: QPainter) -> None:
        """What is painted over the picture; the pen has the colour of texts and is given back as it was."""

    def _tell_lead(self) -> None:
        """How long a frame takes from its tick to its picture, so that the next one can show that instant."""
        if self._waiting is not None:
            taken, self._waiting = time.perf_counter() - self._waiting, None
            self._session.engine.lead += LEAD_GAIN * (min(taken, LONGEST_LEAD) - self._session.engine.lead)
