"""The transport bar: play, step, speed, the timeline to scrub, method and step."""

import math
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QToolTip, QWidget

from app.document.element_words import reason
from app.panels.transport.method_button import MethodButton
from app.panels.transport.step_offers import StepOffers
from app.panels.transport.trust_badge import TrustBadge
from app.platform.appearance import Look, ToolButton, label, tool_button
from app.platform.settings.recent_methods import RecentMethods
from app.platform.units import UnitError
from app.session.session import Session
from app.widgets.editors.parts.text_line import LineEdit
from app.widgets.event_filter import EventFilter
from engine.errors import SceneError

SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
FASTEST = "max"
_CLOSE = 6  # px within which the mouse means an event


def speed_text(speed: float) -> str:
    return FASTEST if math.isinf(speed) else f"{speed:g}×"


def read_speed(text: str) -> float:
    """`0.5`, `0,5×`, `max`; raises ValueError."""
    text = text.strip().lower().rstrip("×x ").replace(",", ".")
    if text in (FASTEST, "inf", "∞"):
        return math.inf
    speed = float(text)
    if not 0.01 <= speed <= 100.0:
        raise ValueError("the speed is between 0.01 and 100, or max")
    return speed


class Timeline(QWidget):
    """What is recorded, where the playhead is, and what happened; drag to scrub."""

    sought = Signal(float)

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("transport.timeline")
        self.setToolTip("Drag to look at another instant")
        self.setMinimumWidth(112)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self._session, self._look = session, look
        EventFilter(self, self._tell)

    def sizeHint(self) -> QSize:
        return QSize(300, 30)

    @property
    def span(self) -> tuple[float, float]:
        """Begin and end of the whole line [s]."""
        run = self._session.current
        end = self._session.transport.t_end
        if run is None:
            return 0.0, end if math.isfinite(end) and end > 0.0 else 1.0
        if not math.isfinite(end):
            end = max(1.0, 1.25 * float(run.t_last))
        return float(run.t_first), max(float(run.t_last), end, float(run.t_first) + 1e-9)

    def x_of(self, t: float) -> float:
        begin, end = self.span
        return 6.0 + (self.width() - 12.0) * (t - begin) / (end - begin)

    def t_of(self, x: float) -> float:
        begin, end = self.span
        return begin + (end - begin) * min(max((x - 6.0) / max(self.width() - 12.0, 1.0), 0.0), 1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, run = self._look.theme, self._session.current
        middle = self.height() / 2.0
        track = QRectF(6.0, middle - 3.0, self.width() - 12.0, 6.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(track, 3.0, 3.0)
        if run is None:
            return
        painter.setBrush(theme.color("ghost"))
        recorded = QRectF(track.left(), track.top(), self.x_of(float(run.t_last)) - track.left(), 6.0)
        painter.drawRoundedRect(recorded, 3.0, 3.0)
        painter.setBrush(theme.color("accent"))
        done = QRectF(track.left(), track.top(), self.x_of(float(self._session.t)) - track.left(), 6.0)
        painter.drawRoundedRect(done, 3.0, 3.0)
        painter.setPen(QPen(theme.color("warning"), 2.0))
        for t, _ in run.events:
            x = self.x_of(float(t))
            painter.drawLine(QPointF(x, middle - 9.0), QPointF(x, middle + 9.0))
        for mark in self._session.racing.marks():
            x = self.x_of(mark.t)
            painter.setPen(QPen(QColor(mark.color), 2.5))
            painter.drawLine(QPointF(x, middle - 11.0), QPointF(x, middle + 11.0))
        painter.setPen(QPen(theme.color("base"), 1.5))
        painter.setBrush(theme.color("accent"))
        painter.drawEllipse(QPointF(self.x_of(float(self._session.t)), middle), 6.5, 6.5)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.sought.emit(self.t_of(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.sought.emit(self.t_of(event.position().x()))

    def _tell(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._session.current is not None:
            x = event.pos().x()
            told = [(float(t), text) for t, text in self._session.current.events]
            told += [(mark.t, f"{mark.text} at {mark.t:.4g} s") for mark in self._session.racing.marks()]
            near = [text for t, text in told if abs(self.x_of(t) - x) < _CLOSE]
            QToolTip.showText(event.globalPos(), "\n".join(near) or f"t = {self.t_of(x):.4g} s", self)
            return True
        return False


class TransportPanel(QWidget):
    """One bar: buttons, the timeline, and what the run is set to."""

    def __init__(
        self, session: Session, look: Look, actions: dict[str, QAction], recent: RecentMethods | None = None
    ) -> None:
        super().__init__()
        self.setObjectName("transport")
        self._session, self._look = session, look
        self.play_button = _ActionButton(look, "transport.play", "play", actions["run.toggle"])
        self.play_button.setIconSize(QSize(22, 22))
        buttons = [
            _ActionButton(look, "transport.start", "to-start", actions["run.reset"]),
            _ActionButton(look, "transport.step_back", "step-back", actions["run.step_back"]),
            self.play_button,
            _ActionButton(look, "transport.step", "step", actions["run.step"]),
        ]
        self._live = _ActionButton(look, "transport.live", "live", actions["run.live"])
        self._loop = _ActionButton(look, "transport.loop", "loop", actions["run.loop"])
        self._endless = tool_button(
            look,
            "transport.endless",
            "whole",
            "Go on for ever instead of ending after the duration",
            checkable=True,
        )
        self.timeline = Timeline(session, look)
        self._time = label("", name="transport.time")
        self._time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._time.setMinimumWidth(QFontMetrics(self._time.font()).horizontalAdvance("0000.000 / 0000.000 s"))
        self.speed = QComboBox()
        self.speed.setObjectName("transport.speed")
        self._typed = QLineEdit()
        self._typed.setObjectName("transport.speed.text")
        self.speed.setLineEdit(self._typed)
        self.speed.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.speed.setToolTip("Speed: simulated seconds per second, 0.01 to 100, or max")
        self.speed.setMinimumContentsLength(5)
        for value in SPEEDS:
            self.speed.addItem(speed_text(value), value)
        self.speed.addItem(FASTEST, math.inf)
        self.method = MethodButton(look, recent or RecentMethods(), "transport.method", session.compiled)
        self.step = LineEdit(self._read_step)
        self.step.setObjectName("transport.dt")
        self.step.setToolTip("Step of the method, for instance 1 ms or 0.001")
        self.step.setFixedWidth(QFontMetrics(self.step.font()).horizontalAdvance("0.000000 ms") + 14)

        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 2, 0)
        row.setSpacing(2)
        for button in buttons:
            row.addWidget(button)
        row.addWidget(self.timeline, 1)
        row.addWidget(self._time)
        self.trust = TrustBadge(session, look)
        row.addWidget(self.trust)
        row.addWidget(self._live)
        row.addWidget(self._loop)
        row.addWidget(self._endless)
        for text, widget in (("Speed", self.speed), ("Method", self.method), ("Step", self.step)):
            row.addSpacing(6)
            row.addWidget(label(text, "muted", f"transport.{text.lower()}.title"))
            row.addWidget(widget)
        self.offers = StepOffers(session, look)
        row.addWidget(self.offers)

        self.timeline.sought.connect(session.transport.seek)
        self._endless.toggled.connect(session.transport.set_endless)
        self.speed.activated.connect(lambda index: self._set_speed(self.speed.itemText(index)))
        self._typed.editingFinished.connect(lambda: self._set_speed(self.speed.currentText()))
        self.method.chosen.connect(self._set_method)
        self.step.finished.connect(self._set_step)
        self.offers.chosen.connect(self._set_step)
        session.advanced.connect(self.refresh)
        session.state_changed.connect(self.refresh)
        session.document.changed.connect(self.show_settings)
        look.changed.connect(self.refresh)
        self.show_settings()
        self.refresh()

    # what is shown

    def refresh(self, *_: Any) -> None:
        session = self._session
        run, state = session.current, session.state
        playing = state == "playing"
        self.play_button.set_image("pause" if playing else "play")
        self.play_button.setToolTip("Pause (Space)" if playing else "Play (Space)")
        _begin, end = self.timeline.span
        self._time.setText(f"{session.t:.3f} / {end:.3f} s" if run is not None else "– s")
        self._live.setEnabled(not session.playhead.live)
        self._loop.setChecked(bool(session.transport.loop))
        if not self._typed.hasFocus():
            with QSignalBlocker(self.speed):
                self.speed.setCurrentText(speed_text(session.transport.speed))
        self.timeline.update()

    def show_settings(self, *_: Any) -> None:
        settings = self._session.document.scene.simulation
        self.method.show_name(str(settings.method))
        if not (self.step.hasFocus() and self.step.dirty):
            value = settings.dt
            text, exact = (
                (value, value)
                if isinstance(value, str)
                else (self._look.units.full_text(float(value), "s", digits) for digits in (5, 12))
            )
            self.step.show_text(text)
            self.step.setToolTip(f"Step of the method: {exact}; give it as 1 ms or 0.001")

    # what is set

    def _set_speed(self, text: str) -> None:
        try:
            self._session.transport.set_speed(read_speed(text))
        except ValueError as error:
            self._session.message.emit("warning", f"speed {text!r}: {error}", None)
        self.refresh()

    def _set_method(self, name: str) -> None:
        try:
            self._session.set_method(name)
        except SceneError as error:
            self._session.message.emit("error", reason(error), None)
        self.show_settings()

    def _read_step(self, text: str) -> float | str:
        value = self._look.units.parse(text, "s")
        if not isinstance(value, str) and value <= 0.0:
            raise UnitError("the step must be greater than 0")
        return value

    def _set_step(self, value: float | str) -> None:
        try:
            self._session.set_method(None, None, value)
        except SceneError as error:
            self.step.complain(reason(error))
            return
        self.show_settings()


class _ActionButton(ToolButton):
    """A button of an action of the table; the icon is drawn by the button, so that it may change."""

    def __init__(self, look: Look, name: str, image: str, action: QAction) -> None:
        super().__init__(look, image)
        self.setObjectName(name)
        self.setToolTip(action.toolTip())
        self.setAccessibleName(action.text())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCheckable(action.isCheckable())
        self.clicked.connect(action.trigger)
        action.enabledChanged.connect(self.setEnabled)
        action.toggled.connect(self.setChecked)
        self.setEnabled(action.isEnabled())
