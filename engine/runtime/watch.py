"""Watches the energy of a run while it goes on: whoever looks at it should not have to wait for its end."""

from __future__ import annotations

import numpy as np

from engine.runtime.channels import Channels
from engine.runtime.quantities.totals import KINETIC, energy_error
from engine.runtime.recorder import Recorder
from engine.runtime.verdict import GOOD, energy_doubt

MOST = 256  # samples of one look; more are thinned out
# Samples before the first word: from rest the kinetic energy begins at nothing, and the error of a first
# order scheme over it falls like one over the number of steps.
ENOUGH = int(1.0 / GOOD)


class EnergyWatch:
    """Largest error of the balance since a segment began, and largest kinetic energy."""

    def __init__(self, channels: Channels, recorder: Recorder) -> None:
        self._channels, self._recorder = channels, recorder
        self._seen = 0
        self._base = 0.0  # error at the beginning of the segment: other segments answer for it
        self._error = self._scale = 0.0

    def look(self, *, over: bool = False) -> str:
        """Why not to believe what was recorded since the last look, or nothing; `over`: no more will come."""
        end = self._recorder.count
        if end > self._seen:
            self._read(self._seen, end)
            self._seen = end
        if not (over or end >= ENOUGH) or not self._scale > 0.0:
            return ""
        return energy_doubt(self._error, self._error / self._scale)

    def _read(self, begin: int, end: int) -> None:
        step = -(-(end - begin) // MOST)
        rows = np.array(self._recorder.rows(begin, end)[::-step][::-1])  # the newest one is among them
        survey = self._channels.survey(rows)
        error = energy_error(survey)
        if begin == 0:
            first = np.array(self._recorder.rows(0, 1))
            self._base = float(energy_error(self._channels.survey(first))[0])
        self._error = max(self._error, float(np.nanmax(np.abs(error - self._base), initial=0.0)))
        kinetic = survey.tables.energies[:, KINETIC]
        self._scale = max(self._scale, float(np.nanmax(kinetic, initial=0.0)))
