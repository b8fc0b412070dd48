"""The viewport in the window: mouse and keys turn the picture, or go to the tool in hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QCursor,
    QImage,
    QInputEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.document.document import Ref
from app.platform.units import Units
from app.session.session import Session
from app.tools import TOOLS, Pointer, Tool
from app.tools.drag.mouse_pull import paint_pull
from app.tools.draw.drafting import Drafting
from app.tools.move.place_tool import PlaceTool
from app.tools.navigation import PRESETS, Action, Preset
from app.tools.select import SelectTool
from app.viewport.annotations.row_arrow_paint import paint_rows
from app.viewport.canvas.style import Style, look
from app.viewport.scene.scene_view import SceneView
from app.viewport.session_picture import SessionPicture
from app.viewport.view_image import ViewImage
from app.widgets.event_filter import EventFilter

HOVER_EVERY = 40  # ms between two looks at what is under the pointer
CLICK = 4  # px; a press that moves less is a click
NOTCH = 1.15  # zoom per notch of the wheel
HINT_GAP = 6  # px around the line that says what to do
HINT_LINES = 2  # that have room at least
HINT_FLAGS = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
DRAG_ZOOM = 1.006  # zoom per pixel
VIEW_KEYS = {
    Qt.Key.Key_0: "iso",
    Qt.Key.Key_1: "front",
    Qt.Key.Key_3: "right",
    Qt.Key.Key_7: "top",
}
OPPOSITE = {"front": "back", "right": "left", "top": "bottom", "iso": "iso"}


class ViewportWidget(QWidget):
    """Shows the session's scene at its playhead, and lets the user take hold of it."""

    context_requested = Signal(QPoint, object)  # global position, Ref under it or None
    tool_changed = Signal()
    style_changed = Signal()

    def __init__(
        self, session: Session, parent: QWidget | None = None, *, style: Style | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        view = SceneView((800, 600))
        style = style or Style()
        view.set_style(replace(style, gradient=style.gradient and not view.camera.software))
        self._view: SceneView | None = view
        self._image = ViewImage(view)
        self._picture = SessionPicture(session, view, self)
        self.units = Units()  # that are shown, and that tools take
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 150)
        self.setObjectName("viewport")
        self.setAccessibleName("Viewport")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._preset = PRESETS["trammel"]
        self._press: QPointF | None = None
        self._last = QPointF()
        self._action: Action | None = None
        self._dragged = self._grabbed = False
        self.drafting = Drafting(self)
        self._tool: Tool = SelectTool(self, session)
        self._hover_timer = QTimer(self)
        self._hover_timer.setSingleShot(True)
        self._hover_timer.setInterval(HOVER_EVERY)
        self._hover_timer.timeout.connect(self._look_under_pointer)
        EventFilter(self, self._take)
        self._picture.changed.connect(self.update)
        self._picture.about_to_load.connect(self._put_tool_away)
        self._picture.edited.connect(self._tell_tool)

    # the view

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
        self._picture.advance()
        self.style_changed.emit()
        self.update()

    @property
    def is_open(self) -> bool:
        """Whether there is a view: not after `shutdown`."""
        return self._view is not None

    @property
    def shows_the_past(self) -> bool:
        """Whether what is shown was computed from a scene that is no longer that of the document."""
        return self._picture.shows_the_past

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
        return self._picture.traced

    def picture(self) -> QImage:
        """A copy of the picture without what is painted over it."""
        return self._image.draw(self.devicePixelRatioF()).copy()

    # navigation and tool

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
        if name is None and self.drafting.keeping:
            self.drafting.set(keeping=False)
        self._tool = TOOLS[name or SelectTool.id](self, self._session)
        self._tool.begin()
        self.setCursor(self._tool.cursor)
        self.tool_changed.emit()
        self.update()

    def carry(self, key: object) -> None:
        """Let the selected bodies, which were just added, follow the pointer; all is one step with `key`."""
        self.use_tool(PlaceTool.id)
        assert isinstance(self._tool, PlaceTool)
        self._tool.hold(key)
        self.setFocus()
        at = QPointF(self.mapFromGlobal(QCursor.pos()))
        if self.underMouse() and self.rect().contains(at.toPoint()):
            self._tool.hover(Pointer(at))

    def fit(self) -> None:
        """Show the selection, or everything."""
        refs = [ref for ref in self._session.selection.refs if ref.where in ("bodies", "joints", "forces")]
        self.view.framing.fit(refs or None)
        self.update()

    def refs_at(self, position: QPointF) -> list[Ref]:
        """Elements under a point of the widget, front to back."""
        found = [_own(ref) for ref in self.view.queries.pick(*self.device(position))]
        return [ref for ref in found if self._in_document(ref)]

    def places_at(self, position: QPointF) -> dict[Ref, Any]:
        """Elements under a point of the widget, front to back, and the world points that lie there."""
        found = self.view.queries.pick_places(*self.device(position))
        return {_own(ref): place for ref, place in found.items() if self._in_document(_own(ref))}

    def _in_document(self, ref: Ref) -> bool:
        """False for what is only in the scene of a recorded instant: it can be seen, not edited."""
        return not self.shows_the_past or self._session.document.element(ref.element) is not None

    def shutdown(self) -> None:
        """Stop the timer, then let go of VTK; the widget paints nothing from now on."""
        self._hover_timer.stop()
        if self._view is None:
            return
        self._tool.end()
        self._picture.stop()
        view, self._view = self._view, None
        self._image.forget()
        view.close()

    # the tool in hand

    def _put_tool_away(self) -> None:
        self.use_tool(None)

    def _tell_tool(self) -> None:
        self._tool.scene_changed()

    def _take(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._resize_picture()
        if not self.is_open and isinstance(event, QInputEvent):
            return True  # still on the screen for a moment, with nothing behind it
        if isinstance(event, QKeyEvent) and self._tool.takes(event):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:  # Tab too, which would go to the next widget
                self.keyPressEvent(event)
                return True
        return False

    # painting

    def sizeHint(self) -> QSize:
        return QSize(800, 600)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._resize_picture()

    def _resize_picture(self) -> None:
        if self._view is None:
            return
        ratio = self.devicePixelRatioF()
        size = (max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))
        first = self._image.empty
        self._view.resize(size, ratio)
        if first:
            self._view.framing.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._view is None:
            painter.fillRect(self.rect(), self.palette().window())
            return
        painter.drawImage(QPointF(0.0, 0.0), self._image.draw(self.devicePixelRatioF()))
        self._picture.painted()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(look(self._view.style).text))
        painter.save()
        self._picture.paint_numbers(painter, self.units, self.size(), self.devicePixelRatioF())
        painter.restore()
        self._paint_over(painter)
        if not self._session.document.scene.bodies:
            return
        # why nothing moves yet, the first time after installing above all
        waiting = self._session.lifecycle.waiting
        past = ""
        if self.shows_the_past and not self._session.racing.watched:
            past = "the scene as it was then; edits act on the newest instant"
        painter.drawText(
            self.rect().adjusted(10, 0, -10, -8),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom,
            "  ·  ".join(filter(None, (f"t = {self._session.t:.3f} s", past, waiting))),
        )

    def _paint_over(self, painter: QPainter) -> None:
        painter.save()
        pulled = self._session.shown.pulled()
        if pulled is not None:
            paint_pull(painter, self, pulled)
        if self._session.preview.arrows:
            paint_rows(painter, self.view, self.devicePixelRatioF(), self._session.preview.arrows)
        self._tool.paint(painter)
        painter.restore()
        if self._tool.hint:
            self._paint_hint(painter, QColor(look(self.view.style).sky))

    @property
    def hint_height(self) -> int:
        """Room of the lines that say what to do next [px]: the longer ones come while the tool is in hand."""
        area = self._hint_area()
        least = area.top() + HINT_LINES * self.fontMetrics().lineSpacing()
        return max(area.bottom(), least) + HINT_GAP if self._tool.hint else 0

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

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press = self._last = event.position()
        self._dragged = False
        self._action = self._preset.action(event.button(), event.modifiers())
        left = event.button() == Qt.MouseButton.LeftButton
        self._grabbed = left and not self.shows_the_past and self._tool.grab(_pointer(event))
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
            self._view.camera.orbit(dx, dy)
        elif self._action == "pan":
            self._view.camera.pan(dx, dy)
        elif self._action == "zoom":
            self._view.camera.zoom(DRAG_ZOOM ** (-dy), *self.device(self._press))

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

    def _look_under_pointer(self) -> None:
        if self._view is None or self._press is not None or not self.underMouse():
            return
        refs = self.refs_at(self._last)
        self._session.selection.set_hover(refs[0] if refs else None)
        named = bool(refs) and self._tool.id == SelectTool.id  # other tools say what is under the pointer
        self.setToolTip(refs[0].name if named else "")

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
        self.view.camera.zoom(NOTCH**notches, *self.device(event.position()))
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
            self.set_orthographic(not self.view.camera.is_orthographic)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(NOTCH)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1.0 / NOTCH)
        elif key == Qt.Key.Key_Escape and self._session.computed.forget():
            self._session.message.emit("info", "Taken back before it was done", None)
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
