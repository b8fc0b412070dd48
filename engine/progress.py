"""How far long work has come, and how it is stopped: the same for runs, analyses, files and films."""

from collections.abc import Callable

Progress = Callable[[float, str], object]  # share done, from 0 to 1, and what is being done
Cancel = Callable[[], bool]  # True: stop


class Cancelled(Exception):
    """Whoever asked for it no longer wants it."""
