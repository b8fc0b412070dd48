"""Processor time of a case, but for compiling: how much that is depends on the cache and the cases before."""

import threading
import time
from collections.abc import Callable

from numba.core import event

COMPILE = "numba:compile"


class _Compiling(event.Listener):  # type: ignore[misc]  # Numba has no types
    """Sums the processor time of all threads in Numba, and calls `told` after every kernel that took some."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.told: Callable[[], object] = lambda: None
        self._own = threading.local()
        self._lock = threading.Lock()

    def on_start(self, happened: event.Event) -> None:
        depth = getattr(self._own, "depth", 0)  # kernels that a kernel calls are compiled within it
        if not depth:
            self._own.begin = time.thread_time()
        self._own.depth = depth + 1

    def on_end(self, happened: event.Event) -> None:
        self._own.depth -= 1
        if not self._own.depth:
            with self._lock:
                self.seconds += time.thread_time() - self._own.begin
            self.told()


_COMPILING = _Compiling()
event.register(COMPILE, _COMPILING)


def computed() -> float:
    """Seconds that this process has computed, on all its threads, without those in which it compiled."""
    return time.process_time() - _COMPILING.seconds


def on_compiled(tell: Callable[[], object]) -> None:
    """Call this after every kernel that was compiled or loaded."""
    _COMPILING.told = tell
