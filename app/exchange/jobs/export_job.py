"""Something is being written on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable

from app.session.background.jobs.job import Job
from engine.progress import Cancel, Cancelled, Progress

Work = Callable[[Progress, Cancel], object]


class ExportJob(Job):
    """Begins at once; `progress` goes from 0 to 1."""

    noun = "export"

    def __init__(self, work: Work) -> None:
        super().__init__()
        self.progress = 0.0
        self._write = work
        self._start("export")

    def _tell(self, share: float, words: str) -> None:
        self.progress = share

    def _work(self) -> None:
        self._write(self._tell, self._cancelled.is_set)

    def _explain(self, error: Exception) -> str | None:
        if isinstance(error, Cancelled):
            self._cancelled.set()
            return ""
        if isinstance(error, OSError):
            return f"{error.strerror or error}\n{error.filename or ''}".strip()
        return str(error) if isinstance(error, ValueError | KeyError) else None
