"""Stop conditions: expressions that cross zero, or comparisons that become true; located in time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array, StepStatus
from engine.maths.expressions import parse
from engine.results.channels import Channels
from engine.results.formula import is_logical
from engine.results.quantities.base import Read
from engine.simulation.stepping.method_driver import Driver

LOCATED = 1e-11  # of a step: how far the instant may be from the crossing
NOISE = 1e-6  # of the first change: a start nearer to zero than this counts as zero
TRUE = 0.5  # between the two values of a comparison


@dataclass(frozen=True)
class Condition:
    """A stop condition. An expression fires when it changes sign, a comparison when it becomes true."""

    text: str
    read: Read
    logical: bool

    def values(self, channels: Channels, samples: Array) -> Array:
        """The switch function, shape (n,): it fires where this passes through zero."""
        values = self.read(channels.evaluation(samples))
        return values - TRUE if self.logical else values

    def first_crossing(self, values: Array) -> int | None:
        """The first i with a crossing since i − 1; what starts at zero must leave it first."""
        before, after = values[:-1], values[1:]
        if self.logical:
            fired = (before < 0.0) & (after > 0.0)
        else:
            fired = (before * after < 0.0) | ((after == 0.0) & (before != 0.0) & np.isfinite(before))
        found = np.flatnonzero(fired)
        return int(found[0]) + 1 if len(found) else None


def conditions_of(channels: Channels) -> tuple[Condition, ...]:
    """The stop conditions of the mechanism's scene; raises SceneError for names that are no channels."""
    return tuple(
        Condition(text, channels.expression(text, f"simulation.stop_when[{i}]"), is_logical(parse(text)))
        for i, text in enumerate(channels.mechanism.scene.simulation.stop_when)
    )


class StopConditions:
    """The conditions of a run, with the numbers that hold now."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._conditions = conditions_of(channels)
        self._fresh = True  # no step yet: a condition may start at zero

    def __len__(self) -> int:
        return len(self._conditions)

    @property
    def text(self) -> str:
        return ", ".join(condition.text for condition in self._conditions)

    def first_met(self, last: Array, rows: Array) -> tuple[int, Condition] | None:
        """The first of these rows after `last` behind which a condition has fired, and the condition."""
        found = []
        if self._conditions:
            seen = np.concatenate([last[None], rows])
            for condition in self._conditions:
                values = condition.values(self._channels, seen)
                i = condition.first_crossing(quiet_start(values) if self._fresh else values)
                if i is not None:
                    found.append((i - 1, condition))
        self._fresh = False
        return min(found, key=lambda pair: pair[0], default=None)


def quiet_start(values: Array) -> Array:
    """Values whose first is zero when only rounding keeps it from being so."""
    known = len(values) > 1 and np.isfinite(values[:2]).all()
    if known and abs(values[0]) <= NOISE * abs(values[1] - values[0]):
        values = values.copy()
        values[0] = 0.0
    return values


def locate(
    driver: Driver, channels: Channels, condition: Condition, before: Array, after: Array
) -> Array | None:
    """The sample at the crossing between two samples; the driver is left there. None if a step fails."""
    from scipy.optimize import brentq  # slow to import, and most runs have no condition

    t = float(before[driver.layout.t])
    span = float(after[driver.layout.t]) - t

    class Failed(Exception):
        pass

    def at(step: float) -> Array:
        if driver.resume(before) is not StepStatus.OK or not reach(driver, t + step):
            raise Failed
        return driver.sample()

    def switch(step: float) -> float:
        return float(condition.values(channels, at(step)[None])[0])

    try:
        start, end = (float(v) for v in condition.values(channels, np.stack([before, after])))
        if end == 0.0 or start * switch(span) >= 0.0:
            return at(span)
        tolerance = max(LOCATED * span, 4.0 * float(np.spacing(t + span)))
        return at(brentq(switch, 0.0, span, xtol=tolerance))
    except Failed:
        return None


def reach(driver: Driver, t: float) -> bool:
    """Step to an instant, whatever it takes; False when that fails."""
    scratch, status = np.zeros((2, driver.width)), StepStatus.OK
    while status is StepStatus.OK:
        status, _ = driver.advance(t, scratch)
    return status is StepStatus.FINISHED
