"""Ctrl-C as a question the simulation asks, so that what was recorded is kept."""

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

AGAIN = 0.02  # s after which Ctrl-C comes again that fell into a call back


@contextmanager
def cancel_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Yields a function that is True after the first Ctrl-C; a second one stops at once."""
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interrupts_arrive() -> Iterator[None]:
    """Ctrl-C that falls into a call back from compiled code comes again behind it.

    Python can raise nothing there: it would write a traceback. What the call should have given is missing
    then; if the compiler of kernels fails over that before Ctrl-C comes again, Ctrl-C is the reason.
    """
    fallen: list[threading.Timer] = []

    def hook(unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            again = threading.Timer(AGAIN, _press_again)
            again.daemon = True
            fallen.append(again)
            again.start()
        else:
            before(unraisable)

    before, sys.unraisablehook = sys.unraisablehook, hook
    try:
        yield
    except Exception as error:
        if fallen:
            raise KeyboardInterrupt from error
        raise
    finally:
        for again in fallen:
            again.cancel()
        sys.unraisablehook = before


def _press_again() -> None:
    """To the thread that works, so that it wakes up where it waits."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:  # on Windows it comes behind the wait
        _thread.interrupt_main()
