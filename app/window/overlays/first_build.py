"""The guided first build: a four-bar with a motor and a coupler curve, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from app.platform.appearance import Look, label, restyle, tool_button
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.window.overlays.placing import lay_over
from engine.elements.base import WORLD
from engine.model.scene import Scene

WIDTH = 262  # px


@dataclass(frozen=True)
class Step:
    """What to do, and how it is told that it was done: from the scene, the tool in hand and the session."""

    text: str
    done: Callable[[Scene, str, Session], bool]


def _ground_pins(scene: Scene) -> int:
    pairs = [(getattr(joint, "a", None), getattr(joint, "b", None)) for joint in scene.joints]
    return sum(any(end is not None and end.body == WORLD for end in pair) for pair in pairs)


STEPS = (
    Step(
        "Take the <b>Bar</b> tool (Insert panel, or Ctrl+B).",
        lambda scene, tool, session: tool == "bar" or len(scene.bodies) > 0,
    ),
    Step(
        "Crank: click near the middle. Then type <b>0.1</b>, Tab, <b>90</b>, Enter: length and angle.",
        lambda scene, tool, session: len(scene.bodies) > 0,
    ),
    Step(
        "Coupler: the next bar goes on from there. Type <b>0.4</b>, Tab, <b>20</b>, Enter.",
        lambda scene, tool, session: len(scene.bodies) > 1,
    ),
    Step(
        "Rocker: hold <b>Ctrl</b> and click level with the first pin, four cells (0.4 m) to its right. Ctrl "
        "pins it to the ground.",
        lambda scene, tool, session: len(scene.bodies) > 2 and _ground_pins(scene) > 1,
    ),
    Step(
        "<b>Motor</b> (Insert panel): click the first ground pin.",
        lambda scene, tool, session: bool(scene.motions),
    ),
    Step(
        "<b>Trace</b>: click the middle of the coupler; its path will be drawn.",
        lambda scene, tool, session: bool(scene.traces),
    ),
    Step(
        "Press <b>Play</b> (Space).",
        lambda scene, tool, session: bool(scene.motions) and (session.playing or session.t > 0.0),
    ),
)


def ticks(scene: Scene, tool: str, session: Session) -> list[bool]:
    """Which steps are done; a step counts once all before it do, but a later one never goes back."""
    found = [step.done(scene, tool, session) for step in STEPS]
    done, so_far = [], True
    for one in found:
        so_far = so_far and one
        done.append(so_far)
    return done


class FirstBuild(QFrame):
    """A small panel at the left border of the viewport; it can be left at any time."""

    toggled = Signal()  # it was begun or left

    def __init__(self, viewport: ViewportWidget, session: Session, look: Look) -> None:
        super().__init__(viewport)
        self.setObjectName("first_build")
        self.setProperty("role", "card")
        self._viewport, self._session, self._look = viewport, session, look
        self.setFixedWidth(WIDTH)
        head = QHBoxLayout()
        head.addWidget(label("A first four-bar", "section", "first_build.title"))
        head.addStretch(1)
        close = tool_button(look, "first_build.close", "close", "Leave the guided build")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(self.leave)
        head.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 6, 8)
        column.setSpacing(4)
        column.addLayout(head)
        self.rows: list[tuple[QLabel, QLabel]] = []
        for i, step in enumerate(STEPS):
            mark, words = (
                label("", "", f"first_build.mark.{i}"),
                label(step.text, "", f"first_build.step.{i}"),
            )
            mark.setFixedWidth(18)
            mark.setAlignment(Qt.AlignmentFlag.AlignTop)
            words.setTextFormat(Qt.TextFormat.RichText)
            words.setWordWrap(True)
            words.setAlignment(Qt.AlignmentFlag.AlignTop)
            row = QHBoxLayout()
            row.addWidget(mark)
            row.addWidget(words, 1)
            column.addLayout(row)
            self.rows.append((mark, words))
        self.end = label("", "muted", "first_build.end")
        self.end.setWordWrap(True)
        column.addWidget(self.end)
        viewport.installEventFilter(self)
        viewport.tool_changed.connect(self.refresh)
        session.document.changed.connect(self.refresh)
        session.state_changed.connect(self.refresh)
        self.hide()

    def begin(self) -> None:
        self.show()
        self.refresh()
        self.toggled.emit()

    def leave(self) -> None:
        self.hide()
        self.toggled.emit()

    def done(self) -> list[bool]:
        tool = self._viewport.tool.id if self._viewport.is_open else ""
        return ticks(self._session.document.scene, tool, self._session)

    def refresh(self, *_: object) -> None:
        if self.isHidden() or not self._viewport.is_open:
            return
        done = self.done()
        now = done.index(False) if False in done else len(done)
        for i, (mark, words) in enumerate(self.rows):
            image, role = ("check", "good") if done[i] else ("play", "accent" if i == now else "ghost")
            mark.setPixmap(self._look.icon(image, role).pixmap(14, 14))
            role = "" if done[i] or i == now else "muted"
            if (words.property("role") or "") != role:
                words.setProperty("role", role)
                restyle(words)
        over = now == len(done)
        self.end.setText("Done: this is its coupler curve. Drag the crank, or edit numbers in the inspector.")
        self.end.setVisible(over)
        lay_over(self, "left")  # the four-bar grows to the right
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.refresh()
        return super().eventFilter(watched, event)
