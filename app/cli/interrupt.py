"""Ctrl-C as a question the simulation asks, so that what was recorded is kept."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


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
