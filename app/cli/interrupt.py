"""Ctrl-C as a question the simulation asks, so that what was recorded is kept."""

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import ExtensionFileLoader
from types import FrameType
from typing import Any

QT = "PySide6"  # makes its classes when they are imported, and loses what is raised meanwhile
IMPORTS = "<frozen importlib._bootstrap>"  # where Python's own frames of an import come from
AGAIN = 0.02  # s after which Ctrl-C comes again that fell into a call back or into the loading of a library


@contextmanager
def cancel_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Yields a function that is True after the first Ctrl-C; a second one stops at once."""
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            _stop(number, frame)
        pressed = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interrupts_arrive() -> Iterator[None]:
    """Ctrl-C that falls into a call back from compiled code, or into the loading of a library, comes again
    behind it.

    From a call back Python can raise nothing: it would write a traceback. What the call should have given is
    missing then; if the compiler of kernels fails over that before Ctrl-C comes again, Ctrl-C is the reason.
    """
    fallen: list[threading.Timer] = []

    def hook(unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            fallen.append(_come_again())
        else:
            before(unraisable)

    before, sys.unraisablehook = sys.unraisablehook, hook
    try:
        with _libraries_load_whole():
            yield
    except Exception as error:
        if fallen:
            raise KeyboardInterrupt from error
        raise
    finally:
        for again in fallen:
            again.cancel()
        sys.unraisablehook = before


@contextmanager
def _libraries_load_whole() -> Iterator[None]:
    """Ctrl-C waits until a compiled library is loaded: VTK and Qt crash over an exception, or lose it.

    Where Ctrl-C is ignored, as in the background of a shell, it stays so.
    """
    replaced = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if replaced:
        signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        if replaced and signal.getsignal(signal.SIGINT) is _stop:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _stop(number: int, frame: FrameType | None) -> None:
    if _in_library(frame):
        _come_again()
    else:
        raise KeyboardInterrupt


def _in_library(frame: FrameType | None) -> bool:
    """Whether a compiled library is being loaded, its code or Python that it calls; once Qt is there, whether
    any module is."""
    while frame is not None:
        if frame.f_code.co_filename == IMPORTS and QT in sys.modules:
            return True
        if isinstance(frame.f_locals.get("self"), ExtensionFileLoader):
            return True
        frame = frame.f_back
    return False


def _come_again() -> threading.Timer:
    again = threading.Timer(AGAIN, _press_again)
    again.daemon = True
    again.start()
    return again


def _press_again() -> None:
    """To the thread that works, so that it wakes up where it waits."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:  # on Windows it comes behind the wait
        _thread.interrupt_main()
