"""What listens while the window is measured: when pictures are on the screen, and how long events wait."""

import math
import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QPaintEvent

from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget

PROBE = 0.01  # s between two posted events


class TimedViewport(ViewportWidget):
    """Notes when each picture was on the screen, and which instant it showed."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.frames: list[tuple[float, float, float]] = []  # end [s], ms of painting, t shown [s]

    def paintEvent(self, event: QPaintEvent) -> None:
        begin, t = time.perf_counter(), self.session.t
        super().paintEvent(event)
        end = time.perf_counter()
        self.frames.append((end, 1e3 * (end - begin), t))


class _Posted(QEvent):
    KIND = QEvent.Type(QEvent.registerEventType())

    def __init__(self, clock: float, busy: float) -> None:
        super().__init__(self.KIND)
        self.clock, self.busy = clock, busy


def busy_clock() -> Callable[[], float]:
    """Processor time of the thread that asks for this clock [s], to be read on any thread."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return lambda: math.nan
    clock = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(clock)


class EventProbe(QObject):
    """Posts events from another thread, as the system does, and notes how long each waited.

    `busy` is the processor time that the window's thread has spent meanwhile, if the system tells: what the
    wait would be if nobody else wanted the processor.
    """

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []  # ms
        self.busy: list[float] = []  # ms
        self._clock = busy_clock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._post, name="trammel-probe", daemon=True)

    def _post(self) -> None:
        while not self._ended.wait(PROBE):
            QCoreApplication.postEvent(self, _Posted(time.perf_counter(), self._clock()))

    def customEvent(self, event: QEvent) -> None:
        if isinstance(event, _Posted):
            self.waits.append(1e3 * (time.perf_counter() - event.clock))
            self.busy.append(1e3 * (self._clock() - event.busy))

    def __enter__(self) -> "EventProbe":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        QCoreApplication.removePostedEvents(self)
