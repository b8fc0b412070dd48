"""How far to trust the run that is watched: worked out when it stands, forgotten when it goes on."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal

from app.session.background.jobs.trust_job import TrustJob
from app.session.recorded.run import Run
from app.session.recorded.run_list import RunList
from engine.results.assessment.trust import Trust

REST = 0.7  # s that a run stands before it is judged by itself
PATIENCE = 2.5  # s for the thread and the process of a judgement to end


class Trusting(QObject):
    """`look` is called once per frame. A judgement belongs to a run and the number of its samples."""

    changed = Signal()

    def __init__(self, runs: RunList, parent: QObject) -> None:
        super().__init__(parent)
        self.automatic = False  # judge by itself whatever stands
        self._runs = runs
        self._job: TrustJob | None = None
        self._judged: tuple[int, int] | None = None  # run and samples of the job
        self._ending: list[TrustJob] = []
        self._standing: tuple[tuple[int, int] | None, float] = (None, 0.0)  # what, and since when
        self._seen: tuple[object, ...] = ()

    # what is asked

    @property
    def trust(self) -> Trust | None:
        """What is thought of the run as it is now, if there is one."""
        run = self._runs.current
        return self.of(run) if run is not None else None

    def of(self, run: Run) -> Trust | None:
        return run.judged[1] if run.judged is not None and run.judged[0] == run.count else None

    @property
    def busy(self) -> bool:
        return self._job is not None

    @property
    def progress(self) -> float:
        """Of the second run."""
        return self._job.progress if self._job is not None else 0.0

    @property
    def why_not(self) -> str:
        """Why the error of the newest judgement is not estimated."""
        return self._why_not

    _why_not = ""

    # what is done

    def judge(self) -> None:
        """Judge the run that is watched, now."""
        run = self._runs.current
        if run is None or run.empty or not run.moved:
            return
        self.cancel()
        self._judged = _key(run)
        self._job = TrustJob(run)
        self.changed.emit()

    def cancel(self) -> None:
        """What is known so far stays."""
        if self._job is None:
            return
        self._take(self._job)
        self._job.cancel()
        self._ending = [*(job for job in self._ending if not job.done), self._job]
        self._job = None
        self.changed.emit()

    def close(self) -> bool:
        self.cancel()
        ended = [job.wait(PATIENCE) for job in self._ending]  # each of them
        return all(ended)

    # every frame

    def look(self, *, standing: bool) -> None:
        """`standing`: the engine and the replay stand."""
        run = self._runs.current
        key = _key(run) if run is not None and run.moved and run.held_at is None else None
        if self._job is not None:
            self._follow(key)
        if not standing or key is None:
            self._standing = (None, 0.0)
            return
        if self._standing[0] != key:
            self._standing = (key, time.monotonic())
        waited = time.monotonic() - self._standing[1] > REST
        if self.automatic and waited and self._job is None and self.trust is None:
            self.judge()

    def _follow(self, key: tuple[int, int] | None) -> None:
        job = self._job
        assert job is not None
        if self._judged != key:  # another run, or it went on
            self.cancel()
            return
        self._take(job)
        if job.done:
            if job.error:
                self._why_not = job.error
            self._job = None
        seen = (job.done, job.trust, round(job.progress, 2))
        if seen != self._seen:
            self._seen = seen
            self.changed.emit()

    def _take(self, job: TrustJob) -> None:
        self._why_not = job.why_not
        judged = self._judged
        run = next((run for run in self._runs if judged is not None and run.id == judged[0]), None)
        if job.trust is not None and judged is not None and run is not None:
            run.judged = (judged[1], job.trust)


def _key(run: Run) -> tuple[int, int]:
    return run.id, run.count
