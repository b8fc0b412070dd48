"""Python's look for rings of objects, on the window's thread only.

Python looks on whatever thread happens to make a new object, and deletes what it finds there. On a worker
that may be a widget: its destructor holds a lock of Qt while it waits for Python's, and the window's thread
may hold Python's while it waits for that of Qt, both for ever. So while threads work beside a window Python
does not look by itself; a timer does, on the thread of the window.
"""

import gc

from PySide6.QtCore import QCoreApplication, QTimer

LOOKS = 200  # ms between two looks, at what is new; at all of it after a hundred that found much new
_held: list[QTimer | None] = []  # by each that needs it; the first has the timer


def hold() -> None:
    """Look on this thread only, until `release` was called as often."""
    timer = None
    if not _held:
        gc.disable()
        if QCoreApplication.instance() is not None:
            timer = QTimer(interval=LOOKS)
            timer.timeout.connect(look)
            timer.start()
    _held.append(timer)


def release() -> None:
    """The threads of one that called `hold` have ended."""
    timer = _held.pop(0)
    if _held:
        _held[0] = timer
        return
    if timer is not None:
        timer.stop()
    gc.enable()


def look() -> None:
    """As often as Python would: at the newest objects, at those that stayed, at all."""
    (young, middle, old), limits = gc.get_count(), gc.get_threshold()
    if young > limits[0]:
        gc.collect(0 if middle < limits[1] else 1 if old < limits[2] else 2)
