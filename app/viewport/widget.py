"""The viewport in the window: paints the picture of a `SceneView` and turns mouse and keys into its calls."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.document import Ref, SceneChange
from app.tools import TOOLS, Pointer, Tool
from app.tools.drafting import Drafting
from app.tools.pulling import paint_pull
from app.tools.select import SelectTool
from app.units import Units
from app.viewport.navigation import PRESETS, Action, Preset
from app.viewport.reactions import ReactionArrows, channel_names
from app.viewport.scene_view import SceneView
from app.viewport.style import Style, look
from app.viewport.traces import TraceHistory
from app.viewport.velocities import VelocityArrows
from app.viewport.visuals.arrows import Arrow
from app.viewport.visuals.ghost import Ghost

HOVER_EVERY = 40  # ms between two looks at what is under the pointer
CLICK = 4  # px; a press that moves less is a click
LEAD_GAIN = 0.1  # of a new measurement
LONGEST_LEAD = 0.02  # s; what the engine is ahead of the clock allows
NOTCH = 1.15  # zoom per notch of the wheel
LEAST_SEEN = 0.03  # of the picture: a first body that takes less is fitted into it
HINT_GAP = 6  # px around the line that says what to do
HINT_FLAGS = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
DRAG_ZOOM = 1.006  # zoom per pixel
VIEW_KEYS = {
    Qt.Key.Key_0: "iso",
    Qt.Key.Key_1: "front",
    Qt.Key.Key_3: "right",
    Qt.Key.Key_7: "top",
}
OPPOSITE = {"front": "back", "right": "left", "top": "bottom", "iso": "iso"}

PREVIEW = -1  # key of the ghost that is no run


class ViewportWidget(QWidget):
    """Shows the session's scene at its playhead."""

    context_requested = Signal(QPoint, object)  # global position, Ref under it or None
    style_changed = Signal()
    tool_changed = Signal()

    def __init__(self, session: Any, parent: QWidget | None = None, *, style: Style | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("viewport")
        self.setAccessibleName("Viewport")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 150)
        self._session = session
        self._preset = PRESETS["trammel"]
        self._view: SceneView | None = SceneView((800, 600))
        style = style or Style()
        self._view.set_style(replace(style, gradient=style.gradient and not self._view.software))
        self._traces = TraceHistory(session.document.scene)
        self._reactions, self._velocities = ReactionArrows(), VelocityArrows()
        self._press: QPointF | None = None
        self._last = QPointF()
        self._action: Action | None = None
        self._dragged = self._grabbed = False
        self.drafting = Drafting(self)
        self.units = Units()  # that tools show and take
        self._tool: Tool = SelectTool(self, session)
        self._image: QImage | None = None
        self._frame = QElapsedTimer()
        self._waiting: float | None = None  # clock when the first change came that is not painted yet
        self.frame_times: list[float] = []  # ms, of the newest pictures
        self._hover_timer = QTimer(self)
        self._hover_timer.setSingleShot(True)
        self._hover_timer.setInterval(HOVER_EVERY)
        self._hover_timer.timeout.connect(self._look_under_pointer)

        session.document.changed.connect(self._scene_changed)
        session.selection.changed.connect(self._selection_changed)
        session.selection.hover_changed.connect(self._selection_changed)
        session.advanced.connect(self._advanced)
        session.runs_changed.connect(self._advanced)
        session.posed.connect(self._advanced)
        session.preview.changed.connect(self._previewed)
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

    def set_navigation(self, name: str) -> None:
        """Mouse preset by name: trammel, freecad, blender, solidworks."""
        self._preset = PRESETS.get(name, PRESETS["trammel"])

    @property
    def navigation(self) -> Preset:
        return self._preset

    @property
    def tool(self) -> Tool:
        return self._tool

    def use_tool(self, name: str | None) -> None:
        """Take a tool in hand; None brings back the one that selects."""
        self._tool.end()
        self._tool = TOOLS[name or SelectTool.id](self, self._session)
        self._tool.begin()
        self.setCursor(self._tool.cursor)
        self.tool_changed.emit()
        self.update()

    @property
    def is_open(self) -> bool:
        """Whether there is a view: not after `shutdown`."""
        return self._view is not None

    def reveal(self) -> None:
        """Show everything, if anything is outside of the picture."""
        if not self.view.frames_all():
            self.fit_all()

    def fit(self) -> None:
        """Show the selection, or everything."""
        refs = [ref for ref in self._session.selection.refs if ref.where in ("bodies", "joints", "forces")]
        self.view.fit(refs or None)
        self.update()

    def fit_all(self) -> None:
        self.view.fit()
        self.update()

    def show_view(self, name: str) -> None:
        """Standard view: iso, front, back, left, right, top, bottom."""
        self.view.view(name)
        self.update()

    def set_orthographic(self, on: bool) -> None:
        self.view.orthographic(on)
        self.update()

    def zoom(self, factor: float) -> None:
        self.view.zoom(factor)
        self.update()

    def pixel_of(self, ref: Any, point: str = "") -> QPointF:
        """Where an element is drawn, in this widget's own pixels."""
        x, y = self.view.project(self.view.position_of(ref, point))
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
        """Stop the timer, then let go of VTK; the widget paints nothing from now on."""
        self._hover_timer.stop()
        if self._view is not None:
            self._tool.end()
            for signal, slot in (
                (self._session.document.changed, self._scene_changed),
                (self._session.selection.changed, self._selection_changed),
                (self._session.selection.hover_changed, self._selection_changed),
                (self._session.advanced, self._advanced),
                (self._session.runs_changed, self._advanced),
                (self._session.posed, self._advanced),
                (self._session.preview.changed, self._previewed),
            ):
                signal.disconnect(slot)
            view, self._view, self._image = self._view, None, None
            view.close()

    # session

    def _scene_changed(self, change: SceneChange) -> None:
        touched = {ref.where for ref in (*change.added, *change.removed, *change.changed)}
        if not change.reset and touched and touched <= {"simulation", "measures", "groups"}:
            return
        if change.reset:
            self.use_tool(None)
            self._load()
            return
        folder = self._session.document.path.parent if self._session.document.path else None
        self.view.change_scene(change.after, folder)
        self._traces.change_scene(change.after)
        if change.before.space != change.after.space:
            self.view.set_scene(change.after, folder)
        elif not change.before.bodies and not self.view.frames_all(LEAST_SEEN):
            self.view.fit()
        self._selection_changed()
        self._advanced()
        self._tool.scene_changed()

    def _load(self) -> None:
        document = self._session.document
        folder = document.path.parent if document.path else None
        self.view.set_scene(document.scene, folder)
        self._traces = TraceHistory(document.scene)
        self._reactions, self._velocities = ReactionArrows(), VelocityArrows()
        self._selection_changed()
        self._advanced()

    def _advanced(self) -> None:
        if self._view is None:
            return
        if self._waiting is None:
            self._waiting = time.perf_counter()
        session = self._session
        poses = session.poses()
        if poses:
            self._view.set_poses(poses, session.t)
        if self._traces and self._view.style.traces and poses:
            run = session.current
            ready = run is not None and not run.empty
            if self._traces.follow(run, session.t, poses, run.track if ready else None):
                for ref, path in self._traces.paths().items():
                    self._view.set_trace(ref, path)
        self._show_ghosts()
        self._show_arrows()
        self.update()

    def _previewed(self) -> None:
        self._show_ghosts()
        self.update()

    def _show_ghosts(self) -> None:
        """Other runs at the same instant; a run that is over stays at its last state. And previews."""
        view, preview = self._view, self._session.preview
        if view is None:
            return
        runs = {run.id: run for run in self._session.ghosts()} if view.style.ghosts else {}
        ghosts = {key: Ghost(run.scene, run.color) for key, run in runs.items()}
        if preview.scene is not None:
            ghosts[PREVIEW] = Ghost(preview.scene, preview.color, always=True)
        if view.style.ghosts or preview.active or view.has_ghost(PREVIEW):
            view.set_ghosts(ghosts)
        for key, run in runs.items():
            view.move_ghost(key, run.poses_at(self._session.t))
        if preview.active:
            view.move_ghost(PREVIEW, preview.poses())

    def _show_arrows(self) -> None:
        """Reactions, and velocities of what is selected."""
        run, view = self._session.current, self._view
        if view is None or not (view.style.arrows or view.style.velocities) or run is None or run.empty:
            return
        moving = self._selected_here() if view.style.velocities else []
        if not moving and not view.style.arrows:
            view.set_arrows(())
            return
        segment, sample = run.sample_at(self._session.t)
        survey = segment.channels.survey(sample[None])
        arrows: list[Arrow] = []
        if view.style.arrows:
            names = channel_names(view.scene, set(segment.channels.names()))
            values = {name: float(segment.channels[name].read(survey)[0]) for name in names}
            arrows += self._reactions.arrows(view, values)
        if moving:
            arrows += self._velocities.arrows(view, moving, survey)
        view.set_arrows(arrows)

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
            if self._view.style.velocities:
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
        if isinstance(event, QKeyEvent) and self._tool.takes(event):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:  # Tab too, which would go to the next widget
                self.keyPressEvent(event)
                return True
        return super().event(event)

    def _resize_picture(self) -> None:
        if self._view is None:
            return
        ratio = self.devicePixelRatioF()
        size = (max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))
        first = self._image is None
        self._view.resize(size, ratio)
        if first:
            self._view.fit()

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
        colors = look(self._view.style)
        painter.save()
        pulled = self._session.pulled()
        if pulled is not None:
            paint_pull(painter, self, pulled)
        self._tool.paint(painter)
        painter.restore()
        painter.setPen(QColor(colors.text))
        if self._tool.hint:
            self._paint_hint(painter, QColor(colors.sky))
        if not self._session.document.scene.bodies:
            return
        painter.drawText(
            self.rect().adjusted(10, 0, -10, -8),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom,
            f"t = {self._session.t:.3f} s",
        )

    def _tell_lead(self) -> None:
        """How long a frame takes from its tick to its picture, so that the next one can show that instant."""
        if self._waiting is not None:
            taken, self._waiting = time.perf_counter() - self._waiting, None
            self._session.lead += LEAD_GAIN * (min(taken, LONGEST_LEAD) - self._session.lead)

    @property
    def hint_height(self) -> int:
        """Room that the line takes which says what to do next [px]."""
        return self._hint_area().bottom() + HINT_GAP if self._tool.hint else 0

    def _hint_area(self) -> QRect:
        room = self.rect().adjusted(20, HINT_GAP + 3, -20, 0)
        return self.fontMetrics().boundingRect(room, HINT_FLAGS, self._tool.hint)

    def _paint_hint(self, painter: QPainter, ground: QColor) -> None:
        area = self._hint_area()
        pen = painter.pen()
        ground.setAlpha(225)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(area.adjusted(-8, -3, 8, 3), 4.0, 4.0)
        painter.setPen(pen)
        painter.drawText(area, HINT_FLAGS, self._tool.hint)

    # mouse

    def device(self, position: QPointF) -> tuple[float, float]:
        """A place in the widget as the view counts it: in pixels of the screen."""
        ratio = self.devicePixelRatioF()
        return position.x() * ratio, position.y() * ratio

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press = self._last = event.position()
        self._dragged = False
        self._action = self._preset.action(event.button(), event.modifiers())
        self._grabbed = event.button() == Qt.MouseButton.LeftButton and self._tool.grab(_pointer(event))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.position()
        if self._press is None:
            self._last = position
            self._tool.hover(_pointer(event))
            if not self._hover_timer.isActive():
                self._hover_timer.start()
            return
        if (position - self._press).manhattanLength() > CLICK:
            self._dragged = True
        if not self._dragged:
            return
        step = position - self._last
        self._last = position
        if self._grabbed:
            self._tool.drag(_pointer(event))
        else:
            self._navigate(*self.device(step))
        self.update()

    def _navigate(self, dx: float, dy: float) -> None:
        if self._view is None or self._press is None:
            return
        if self._action == "orbit":
            self._view.orbit(dx, dy)
        elif self._action == "pan":
            self._view.pan(dx, dy)
        elif self._action == "zoom":
            self._view.zoom(DRAG_ZOOM ** (-dy), *self.device(self._press))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        press, self._press = self._press, None
        grabbed, self._grabbed = self._grabbed, False
        self._action = None
        if press is None or self._view is None:
            return
        if self._dragged:
            if grabbed:
                self._tool.drop(_pointer(event))
        elif event.button() == Qt.MouseButton.LeftButton:
            self._tool.click(_pointer(event))
        elif event.button() == Qt.MouseButton.RightButton and not self._tool.right_click(_pointer(event)):
            found = self.refs_at(event.position())
            self.context_requested.emit(event.globalPosition().toPoint(), found[0] if found else None)
        self.update()

    def refs_at(self, position: QPointF) -> list[Ref]:
        """Elements under a point of the widget, front to back."""
        return [_own(ref) for ref in self.view.pick(*self.device(position))]

    def places_at(self, position: QPointF) -> dict[Ref, Any]:
        """Elements under a point of the widget, front to back, and the world points that lie there."""
        return {_own(ref): place for ref, place in self.view.pick_places(*self.device(position)).items()}

    def _look_under_pointer(self) -> None:
        if self._view is None or self._press is not None or not self.underMouse():
            return
        refs = self.refs_at(self._last)
        self._session.selection.set_hover(refs[0] if refs else None)
        self.setToolTip(f"{refs[0].name}" if refs else "")

    def leaveEvent(self, event: QEvent) -> None:
        self._hover_timer.stop()
        self._session.selection.set_hover(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / 120.0
        if self._tool.wheel(notches):
            self.update()
            event.accept()
            return
        if not self._preset.wheel_up_zooms_in:
            notches = -notches
        self.view.zoom(NOTCH**notches, *self.device(event.position()))
        self.update()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self.fit_all()
        elif event.button() == Qt.MouseButton.LeftButton:
            self._tool.double_click(_pointer(event))
            self.update()
        else:
            self.mousePressEvent(event)

    # keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self._tool.key(event):
            self.update()
        elif key == Qt.Key.Key_F:
            self.fit()
        elif key == Qt.Key.Key_Home:
            self.fit_all()
        elif key in VIEW_KEYS:
            name = VIEW_KEYS[key]
            opposite = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self.show_view(OPPOSITE[name] if opposite else name)
        elif key == Qt.Key.Key_5:
            self.set_orthographic(not self.view.is_orthographic)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(NOTCH)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1.0 / NOTCH)
        elif key == Qt.Key.Key_Escape and not isinstance(self._tool, SelectTool):
            self.use_tool(None)
        elif key == Qt.Key.Key_Escape:
            self._session.selection.clear()
        else:
            super().keyPressEvent(event)


def _own(ref: Any) -> Ref:
    """The view's reference as the document's."""
    return Ref(ref.where, ref.name, ref.part)


def _pointer(event: QMouseEvent) -> Pointer:
    return Pointer(event.position(), event.modifiers())
