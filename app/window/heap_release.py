"""Memory of a closed scene goes back to the system, instead of staying as gaps in the heap."""

import ctypes

from PySide6.QtCore import QTimer

AFTER = 300  # ms; by then the things of the old scene are deleted and those of the new one are made


def give_back_soon() -> None:
    """Return what is free in the heap, a little later: 2 ms of work; the GNU C library needs the hint."""
    QTimer.singleShot(AFTER, _give_back)


def _give_back() -> None:
    trim = getattr(_LIBRARY, "malloc_trim", None)
    if trim is not None:
        trim(0)


def _library() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):  # Windows has no library of all that is loaded
        return None


_LIBRARY = _library()
