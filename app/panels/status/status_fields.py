"""Fields of the status bar: time, real-time factor, load, degree of freedom, redundancy, method, step."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel, QStatusBar

from app.platform.appearance import Look, restyle
from app.session.session import Session
from engine.errors import shorten

if TYPE_CHECKING:
    from engine.analyses.mobility.mobility import Mobility

FIELDS = (
    ("state", "What the simulation does"),
    ("time", "Time of what is shown"),
    ("factor", "Real-time factor: simulated seconds per second, against the speed asked for"),
    ("load", "Part of the time in which the engine computes"),
    ("dof", "Degrees of freedom at the start pose, and those that motions drive; a click shows them move"),
    ("redundant", "Constraint rows that others already imply; a click asks the doctor"),
    ("method", "Numerical method"),
    ("step", "Step of the method"),
)
ASKS = {"dof": "wiggle", "redundant": "redundancy"}  # field → what a click asks the doctor


class Field(QLabel):
    """A field that can be clicked."""

    clicked = Signal()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()


class StatusFields:
    """Labels on the right of the status bar; `ask` is told what a click on one of them wants to know."""

    def __init__(
        self,
        session: Session,
        look: Look,
        bar: QStatusBar,
        ask: Callable[[str], object] = lambda question: None,
    ) -> None:
        self._session, self._look = session, look
        self.labels: dict[str, QLabel] = {}
        bar.setObjectName("status")
        bar.setSizeGripEnabled(False)
        for name, tip in FIELDS:
            made = Field("")
            made.setTextFormat(Qt.TextFormat.PlainText)
            made.setObjectName(f"status.{name}")
            made.setToolTip(tip)
            if name in ASKS:
                made.setCursor(Qt.CursorShape.PointingHandCursor)
                made.clicked.connect(lambda question=ASKS[name]: ask(question))
            made.setContentsMargins(6, 0, 6, 0)
            bar.addPermanentWidget(made)
            self.labels[name] = made
        session.advanced.connect(self.refresh)
        session.state_changed.connect(self.refresh)
        session.document.changed.connect(self.refresh)
        session.lifecycle.checked.connect(self.refresh)
        self.refresh()

    def refresh(self, *_: Any) -> None:
        session = self._session
        run, report = session.current, session.lifecycle.check
        going = session.engine.status if session.state == "playing" and session.playhead.live else None
        factor = float(going.real_time_factor) if going is not None else math.nan
        behind = math.isfinite(session.transport.speed) and factor < 0.95 * session.transport.speed
        self._set("state", self._words())
        self._set("time", f"t = {session.t:.3f} s" if run is not None else "t = – s")
        self._set(
            "factor", f"{factor:.2f}× real time" if math.isfinite(factor) else "", "wrong" if behind else ""
        )
        load = float(going.load) if going is not None else math.nan
        self._set("load", f"load {load:.0%}" if math.isfinite(load) else "")
        self._set("dof", dof_words(report.mobility) if report is not None else "DOF –")
        redundant = report.mobility.redundant if report is not None else None
        self._set("redundant", f"{redundant} redundant" if redundant is not None else "")
        settings = session.document.scene.simulation
        part = run.segments[run.segment_at(session.t)].recorded if run is not None and run.segments else None
        self._set("method", shorten(part.method if part is not None else settings.method))
        self._set("step", f"step {_step(part.dt if part is not None else settings.dt, self._look)}")

    def _words(self) -> str:
        session = self._session
        words = {
            "empty": "no moving bodies yet",
            "playing": "playing" if session.playhead.live else "playing the record",
            "detached": "looking back",
            "failed": "stopped by a problem",
            "compiling": session.lifecycle.waiting,
        }
        found = words.get(session.state, session.state)
        run, compiles = session.current, bool(session.lifecycle.progress)
        if compiles and session.state != "compiling" and run is not None and not run.has_channels:
            found = f"{found} · {session.lifecycle.waiting_words}"
        if session.computed.words:
            found = f"{found} · {session.computed.words} follows, Esc takes it back"
        return found

    def _set(self, name: str, text: str, role: str = "") -> None:
        made = self.labels[name]
        if made.text() != text:
            made.setText(text)
            made.setVisible(bool(text))
        if (made.property("role") or "") != role:
            made.setProperty("role", role)
            restyle(made)


def dof_words(found: Mobility) -> str:
    """Degrees of freedom as textbooks count them: a motion leads one of them, it takes none away."""
    driven = found.mobility - found.dof
    words = "" if driven <= 0 else ", driven" if found.dof == 0 else f", {driven} driven"
    return f"DOF {found.mobility if driven > 0 else found.dof}{words}"


def _step(value: Any, look: Look) -> str:
    return str(value) if isinstance(value, str) else look.units.full_text(float(value), "s", 6)
