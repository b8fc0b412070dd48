"""Judges a run while it goes on: whoever looks at it should not have to wait for its end."""

from __future__ import annotations

import numpy as np

from engine.results.assessment.assess import GOOD, Assessment
from engine.results.channels import Channels
from engine.results.recorder import Recorder

MAX_SAMPLES = 256  # samples of one look whose energy is computed; more are thinned out
# Samples before the first word: from rest the kinetic energy begins at nothing, and the error of a first
# order scheme over it falls like one over the number of steps.
MIN_STEPS = int(1.0 / GOOD)


class Watch:
    """The judgement of the segment that is being recorded."""

    def __init__(self, channels: Channels, recorder: Recorder) -> None:
        self._channels, self._recorder = channels, recorder
        self._assessment = Assessment(channels.mechanism)
        self._seen = 0

    def look(self, *, over: bool = False) -> str:
        """Why not to believe what was recorded so far, or nothing; `over`: no more will come."""
        end = self._recorder.count
        if end > self._seen:
            self._read(self._seen, end)
            self._seen = end
        return "; ".join(self._assessment.accuracy_warnings()) if over or end >= MIN_STEPS else ""

    def _read(self, begin: int, end: int) -> None:
        rows = np.array(self._recorder.rows(begin, end))
        self._assessment.follow(rows)
        step = -(-len(rows) // MAX_SAMPLES)
        some = rows[::-step][::-1]  # the newest one is among them
        first = rows[:1] if begin == 0 else rows[:0]
        self._assessment.weigh(self._channels.evaluation(np.concatenate([first, some])))
