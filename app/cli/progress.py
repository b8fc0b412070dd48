"""A progress bar on standard error, for people only: a pipe gets nothing. Programs may ask for lines."""

import sys
import time
from types import TracebackType
from typing import TextIO

from app.cli.output import write_json_line

_WIDTH = 30
_PERIOD = 0.1  # s between two drawings; more often would only flicker


class ProgressBar:
    """Pass the object itself as `progress`; used as a context, it wipes its line at the end.

    `lines`: every step is told as a line of JSON on standard output as well.
    """

    def __init__(self, stream: TextIO | None = None, *, lines: bool = False) -> None:
        self._lines = lines
        self._stream = sys.stderr if stream is None else stream
        self._shown = self._stream.isatty()
        self._last = -_PERIOD
        self._kernels = 0

    def __enter__(self) -> "ProgressBar":
        # compiling on the first start takes half a minute in which no step is done
        from engine.compiled.kernel import compile_listeners

        self._write("preparing …")
        compile_listeners.append(self._compiled)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from engine.compiled.kernel import compile_listeners
        from engine.compiled.kernel_cache import unkept

        compile_listeners.remove(self._compiled)
        self._write("")
        for folder, reason in unkept.items():
            self._write(
                f"compiled code cannot be kept in {folder} ({reason}), so every start compiles it anew; "
                "make room, or name another folder in TRAMMEL_CACHE_DIR\n"
            )

    def _compiled(self, name: str) -> None:
        self._kernels += 1
        self._write(f"compiling, on the first start only: {self._kernels} kernels, {name}")

    def __call__(self, fraction: float, words: str) -> None:
        """Draw how much is done, and what is being done."""
        if self._lines:
            write_json_line({"progress": fraction})
        now = time.monotonic()
        if now - self._last < _PERIOD:
            return
        self._last = now
        done = round(_WIDTH * min(max(fraction, 0.0), 1.0))
        self._write(f"[{'#' * done}{'.' * (_WIDTH - done)}] {fraction:4.0%}  {words}")

    def _write(self, text: str) -> None:
        if self._shown:
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()
