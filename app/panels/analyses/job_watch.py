"""Looks now and then how far an analysis is, and tells; ends the threads when the window closes."""

from __future__ import annotations

import time
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from app.session.background.jobs.analysis_job import AnalysisJob
from engine.analyses.base import Analysis
from engine.model.scene import Scene
from engine.simulation.live.live_simulation import StateTransfer

LOOK_EVERY = 50  # ms between two looks at a job
PATIENCE = 1.5  # s for a job to end when the window closes


class JobWatch(QObject):
    """At most one job at a time; one that is stopped may go on unseen until it notices."""

    progressed = Signal(float, str)
    finished = Signal(object)  # AnalysisJob
    changed = Signal()  # a job began or was stopped

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: AnalysisJob | None = None
        self._ending: list[AnalysisJob] = []
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look)

    @property
    def busy(self) -> bool:
        return self._job is not None

    def start(
        self, kind: Analysis, scene: Scene, options: Struct, state: StateTransfer | None, budget: Any
    ) -> None:
        """Begin; one that still runs is stopped."""
        self.cancel()
        self._job = AnalysisJob(kind, scene, options, state, budget)
        self._timer.start()
        self.changed.emit()

    def cancel(self) -> None:
        if self._job is None:
            return
        self._job.cancel()
        self._ending = [*(job for job in self._ending if not job.done), self._job]
        self._job = None
        self._timer.stop()
        self.changed.emit()

    def shutdown(self) -> bool:
        """End the threads; False when one did not end in time."""
        self.cancel()
        deadline = time.monotonic() + PATIENCE
        ended = [job.wait(max(0.0, deadline - time.monotonic())) for job in self._ending]  # each of them
        return all(ended)

    def _look(self) -> None:
        job = self._job
        if job is None:
            return
        self.progressed.emit(*job.progress)
        if job.done:
            self._timer.stop()
            self._job = None
            self.changed.emit()
            self.finished.emit(job)
