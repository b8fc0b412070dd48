"""Events of methods that step over impacts, read off the samples of a run.

A limit that carries an impulse in a step and did not in the one before was hit within it; one that goes on to
carry rests, and one that does not any more is left. The instant is the middle of the step, known to half of
it; the impulse is that of the step, the loss what its element has lost in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.columns import forces as LAW
from engine.compiled.layout import Array
from engine.elements.laws import limit
from engine.results.run_events import EventKind, RunEvent
from engine.simulation.step_control.switching import of_elements
from engine.simulation.stepping.method_driver import Driver


class SteppedEvents:
    """Of the rigid limits of one run."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        stepping = driver.method.time_stepping
        lines = range(len(driver.system.forces) if stepping else 0)
        self.lines = np.array([i for i in lines if driver.law_kind(i) is limit.KIND], np.int64)
        self._closed = np.zeros(len(self.lines), dtype=bool)
        self._resting = np.zeros(len(self.lines), dtype=bool)

    def look(self, before: Array, rows: Array) -> tuple[RunEvent, ...]:
        """What has happened in the steps that end with these samples; `before` is the one before them."""
        if not len(self.lines) or not len(rows):
            return ()
        driver, system, layout = self._driver, self._driver.system, self._driver.layout
        samples = np.concatenate([before[None], rows])
        pushes = np.abs(samples[:, layout.multipliers][:, system.forces[self.lines, limit.ROW]])
        works = samples[:, layout.works][:, system.forces[self.lines, LAW.QUADRATURE]]
        t = samples[:, layout.t]
        events: list[RunEvent] = []
        for k in range(1, len(samples)):
            carries = pushes[k] > 0.0
            if (carries == self._resting).all() and (carries == self._closed).all():
                continue
            changes: tuple[tuple[str, EventKind, Any], ...] = (
                ("hits", "impact", carries & ~self._closed),
                ("rests on", "touch", carries & self._closed & ~self._resting),
                ("leaves", "leave", ~carries & self._resting),
            )
            self._resting = carries & (self._closed | self._resting)
            self._closed = carries
            step, told = float(t[k] - t[k - 1]), []
            for words, kind, which in changes:
                known = set()
                for n in np.flatnonzero(which):
                    line, impulse, loss = int(self.lines[n]), 0.0, 0.0
                    side = "upper" if system.force_reals[line, limit.SIDE] > 0.0 else "lower"
                    name = driver.law_name(line)
                    if kind == "impact":
                        impulse = float(pushes[k, n]) * step
                        # several places of one element share its loss
                        loss = 0.0 if name in known else float(works[k - 1, n] - works[k, n])
                        known.add(name)
                    what = f"{words} its {side} limit"
                    told.append(RunEvent(float(t[k]) - 0.5 * step, name, what, kind, impulse, loss))
            events += of_elements(driver, tuple(told))
        return tuple(events)
