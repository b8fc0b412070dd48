"""Judges a run on a thread: first what its samples tell, then its error, by a second run at another step."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from app.session.background.jobs.job import Job
from app.session.recorded.run import Run
from engine.benchmarks.error_estimate import estimated_error, shadow_of
from engine.benchmarks.racing.starter import Starter
from engine.benchmarks.racing.track import Track
from engine.compiled.layout import Array
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.results.assessment.trust import Trust, judge, thinned
from engine.solvers.catalogue import find_method
from engine.system.compiling.mechanism import Mechanism

LOOK = 0.05  # s between two looks at the second run
PATIENCE = 2.0  # s for its process to end
TRAVELLED = 1e-9  # s: a run that begins later was not begun at the start of its scene


@dataclass(frozen=True)
class Whole:
    """A run with one method and one set of numbers from the start of its scene: it can be run again."""

    scene: Scene
    mechanism: Mechanism
    method: str
    dt: float
    samples: Array


class TrustJob(Job):
    """`trust` is there as soon as the samples are judged, and again with the error; `progress` is of that."""

    noun = "judgement of the run"

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.trust: Trust | None = None
        self.progress = 0.0
        self.why_not = ""  # the error cannot be estimated
        self._parts = [
            (segment.channels, np.array(segment.recorder.samples()), segment.recorded.edits)
            for segment in run.readers()
            if segment.recorder.count
        ]
        self._whole, self.why_not = whole_of(run)
        self._start("trust")

    def _work(self) -> None:
        self.trust = judge(self._parts)
        if self._whole is None or self.cancelled:
            return
        error = self._error(self._whole)
        if error is not None:
            self.trust = judge(self._parts, error)

    def _error(self, whole: Whole) -> float | None:
        """Estimated error of the positions [m]; None after a cancel."""
        end = float(whole.samples[-1, 0])
        shadow = shadow_of(whole.scene, whole.method, whole.dt, end)
        starter = Starter(lambda: [shadow], reference=False, clock=math.inf)
        try:
            while not starter.over:
                if self.cancelled:
                    return None
                if starter.tracks:
                    self.progress = starter.tracks[0].t / end
                time.sleep(LOOK)
            return self._compared(whole, starter.tracks[0]) if starter.tracks else math.inf
        finally:
            starter.stop(PATIENCE)

    def _compared(self, whole: Whole, shadow: Track) -> float:
        recorder = shadow.segment.recorder
        return estimated_error(
            whole.method,
            whole.mechanism,
            thinned(whole.samples),
            shadow.segment.mechanism,
            np.array(recorder.rows(0, recorder.count)),
        )

    def _explain(self, error: Exception) -> str | None:
        return str(error) if isinstance(error, SceneError) else None


def whole_of(run: Run) -> tuple[Whole | None, str]:
    """What is to be run again, or why that cannot be."""
    computed = run.computed
    if len(computed) != 1:
        return None, "it was edited while it ran: go back to the start and run it again"
    segment = computed[0]
    if run.parent is not None or not segment.recorder.count or segment.recorder.t_first > TRAVELLED:
        return None, "it does not begin at the start of the scene"
    if segment.pulls.times:
        return None, "it was pulled by hand: go back to the start and run it again"
    try:
        find_method(segment.method)
    except SceneError:
        return None, "it was not simulated"
    samples = np.array(segment.recorder.samples())
    if len(samples) < 2:
        return None, "nothing has moved yet"
    return Whole(segment.scene, segment.mechanism, segment.method, segment.dt, samples), ""
