"""The clock of the window: a tick per frame, fewer of them when the engine runs as fast as it can."""

from __future__ import annotations

import math
import time

from PySide6.QtCore import QObject, Qt, QTimer

from app.session.session import Session

FRAME = 16  # ms between two ticks
MAX_INTERVAL = 60  # ms; slower than this a motion cannot be followed
SHARE = 0.4  # of one processor that drawing may take from an engine that could use it


class FrameClock(QTimer):
    """Ticks the session. Drawing and the engine share the interpreter: at full speed drawing is rationed."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._spent = time.thread_time()  # s that this thread has worked up to the last tick
        self.setTimerType(Qt.TimerType.PreciseTimer)
        self.setInterval(FRAME)
        self.timeout.connect(self._tick)

    def _tick(self) -> None:
        spent = time.thread_time()
        cost, self._spent = max(spent - self._spent, self._session.engine.lead), spent
        self._session.tick()
        flat_out = self._session.playing and math.isinf(self._session.transport.speed)
        wanted = frame_time(cost) if flat_out else FRAME
        if wanted != self.interval():
            self.setInterval(wanted)


def frame_time(cost: float) -> int:
    """Time between two frames [ms] when each takes `cost` seconds and drawing has its share."""
    return min(max(FRAME, round(1e3 * cost / SHARE)), MAX_INTERVAL)
