"""The file that the present run is written to while it runs. No widgets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.session.recorded.run_list import RunList
from app.session.storage.stream_writer import RunStream

FLAT = 64 << 20  # bytes that recorders keep in memory meanwhile: all is in the file, what is old goes to disk
PATIENCE = 10.0  # s that closing waits; after that the file is whole too, but for its spare room


class Streaming(QObject):
    """At most one file at a time. `look` is called once per frame."""

    changed = Signal()
    ended = Signal(str, str)  # level and text: what became of the file

    def __init__(self, runs: RunList) -> None:
        super().__init__(runs)
        self._runs = runs
        self.stream: RunStream | None = None
        self._limit = runs.budget.limit

    def start(self, path: Path, names: Sequence[str]) -> bool:
        """Write the present run to a file from its beginning on; False when there is none, or one already."""
        run = self._runs.current
        if run is None or run.empty or self.stream is not None:
            return False
        self._limit = self._runs.budget.limit
        self._runs.budget.limit = min(self._limit, FLAT)
        self.stream = RunStream(run, path, names)
        self.changed.emit()
        return True

    def stop(self) -> None:
        if self.stream is not None and not self.stream.stopping:
            self.stream.stop()
            self.changed.emit()

    def look(self) -> None:
        """Another run, or a file that cannot be written, ends it."""
        stream = self.stream
        if stream is None:
            return
        if stream.run is not self._runs.current and not stream.stopping:
            self.stop()
        if stream.done:
            self._forget()
            name, count = stream.path.name, stream.samples
            if stream.error:
                self.ended.emit("error", f"{name} could not be written on: {stream.error}")
            else:
                self.ended.emit("info", f"{name} is complete: {count} samples")
            self.changed.emit()

    def close(self) -> None:
        """Complete the file before the program ends."""
        if self.stream is not None:
            self.stream.stop()
            self.stream.wait(PATIENCE)
            self._forget()

    def _forget(self) -> None:
        self.stream = None
        self._runs.budget.limit = self._limit
