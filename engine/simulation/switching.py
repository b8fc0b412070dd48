"""Changes of state of laws (a stop is touched, a stop is left), located within the step that has one.

Laws hold their state within a step (`engine/elements/laws/base.py`). Where one has left it at the end of a
step, the step is taken again from its beginning with other lengths, as for stop conditions, until it ends on
the change; there the law takes the state that fits, and the method begins anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import forces as LAW
from engine.compiled.layout import Array, Ints, StepStatus
from engine.results.run_events import RunEvent
from engine.simulation.advance import LANDED
from engine.simulation.method_driver import Driver
from engine.simulation.stops.conditions import LOCATED, reach

MAX_AT_ONE_INSTANT = 20  # changes without progress; after them a step is taken without looking
SHORT = 10.0 * LANDED  # of a step: a change so near to its beginning happens there
SEPARATIONS = 40  # doublings of the tolerance in which the change must be passed


@dataclass
class Switching:
    """Changes of state of one run; counts those at one instant, so that no run hangs on them."""

    at: float = -1.0
    count: int = 0

    def take(self, driver: Driver) -> tuple[StepStatus, tuple[RunEvent, ...]]:
        """After a step from the present state in which a law has left its state: up to the change."""
        span = float(driver.clock[CLOCK.USED])
        status = driver.refresh()
        if status is not StepStatus.OK:
            return status, ()
        before, t = driver.sample(), driver.t
        self.at, self.count = t, self.count + 1 if t == self.at else 1
        held = driver.held
        with driver.holding():
            if self.count > MAX_AT_ONE_INSTANT:
                driver.held = np.zeros_like(held)
                done = _reached(driver, before, t + span)
            else:
                done = _to_the_change(driver, before, t, span)
        if not done:
            return StepStatus.NOT_SOLVED, ()
        driver.settle()
        near = driver.t - t <= SHORT * driver.clock[CLOCK.STEP]
        status = driver.resume(before if near else driver.sample())
        return status, _told(driver, held)


def _reached(driver: Driver, before: Array, t: float) -> bool:
    return driver.resume(before) is StepStatus.OK and reach(driver, t)


def _to_the_change(driver: Driver, before: Array, t: float, span: float) -> bool:
    """Leave the driver just behind the first change, or at the end of the step if there is none."""
    from scipy.optimize import brentq  # slow to import, and most runs have no stops

    class Failed(Exception):
        pass

    def margin(step: float) -> float:
        if not _reached(driver, before, t + step):
            raise Failed
        return driver.margin()

    tolerance = max(LOCATED * span, 4.0 * float(np.spacing(t + span)))
    try:
        found = 0.0
        if driver.margin() > 0.0:
            if margin(span) >= 0.0:
                return True
            found = brentq(margin, 0.0, span, xtol=tolerance)
        for k in range(SEPARATIONS):
            beyond = min(max(found + 2.0**k * tolerance, 2.0 * LANDED * span), span)
            if margin(beyond) < 0.0 or beyond == span:
                break
        return True
    except Failed:
        return False


def _told(driver: Driver, held: Ints) -> tuple[RunEvent, ...]:
    """What has happened since the laws were in these states."""
    names = {column: name for (where, name), column in driver.mechanism.quadratures.items()}
    system, events = driver.system, []
    for line, old, new in zip(driver.switching, held, driver.held, strict=True):
        if old == new:
            continue
        what = driver.law_kind(int(line)).told(system.force_reals[line], int(old), int(new))
        if what:
            events.append(RunEvent(driver.t, names[int(system.forces[line, LAW.QUADRATURE])], what))
    return tuple(events)
