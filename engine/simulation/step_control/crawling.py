"""Runs that crawl: an explicit scheme that controls its steps, on a stiff problem, where stability and not
accuracy makes them tiny, or on a motion that is itself that quick; and stops, ropes or friction that change
their state many times within a step.

Such a run comes to its end, after minutes or hours; who waits should know why, while it happens. One that
would take days is given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.compiled.layout import Array
from engine.simulation.step_control.stiff_methods import stiff_method
from engine.simulation.stops.too_fast import fastest
from engine.solvers.catalogue import Method
from engine.system.compiling.mechanism import Mechanism

STRETCH = 20_000  # steps whose mean is looked at: a violent start alone has fewer
CRAWLING = 0.01  # of the step of the grid: a mean below it is a crawl
FOLLOWED = 0.01  # rad, or lengths of the mechanism, in a mean step: the motion itself asks for such steps
CHANGES = 400  # changes of state whose mean distance is looked at
STRETCHES = 5  # of so many changes each, in which they must come no nearer to an end
SHRINKING = 0.5  # of their mean distance, from the first of these to the last: as of bounces, which end
ENDLESS = 1e6  # changes that are left: at some milliseconds each it would take hours
HOPELESS = 1e10  # steps that are left: at a microsecond each it would take hours, and none is that quick
SOFTER = "check the forces that press there, or make the contact softer, or rigid"


@dataclass
class Crawl:
    """Watches the steps of a run."""

    mechanism: Mechanism
    t: float = 0.0  # s, where it was found
    step: float = 0.0  # s, mean of the steps there; 0 while nothing was found
    _steps: int = 0
    _advanced: float = 0.0  # s
    motion: str = ""  # of the body that steps follow, where this is the reason
    element: str = ""  # that changes its state again and again, where this is the reason
    _changes: int = 0
    _since: float = 0.0  # s, when the first of them was
    _means: tuple[float, ...] = ()  # s, distance of changes in the last stretches
    _changing: dict[str, None] = field(default_factory=dict)  # elements, in the stretch that is counted
    _changed: tuple[str, ...] = ()  # those of the last one

    def watch_changes(self, elements: Sequence[str], dt: float, t: float) -> None:
        """After these elements have changed their state at t."""
        if not elements:
            return
        self._since = self._since if self._changes else t
        self._changes += 1
        self._changing |= dict.fromkeys(elements)
        if self._changes < CHANGES:
            return
        mean = (t - self._since) / self._changes
        if mean < CRAWLING * dt and not self.step:
            self.t, self.step, self.element = t, mean, elements[0]
        self._means = (*self._means, mean)[-STRETCHES:] if mean < CRAWLING * dt else ()
        self._changes, self._changed, self._changing = 0, tuple(self._changing), {}

    def endless(self, left: float) -> str:
        """What changes its state without end, so far from the end of the run, or nothing."""
        if len(self._means) < STRETCHES or self._means[-1] < SHRINKING * self._means[0]:
            return ""
        mean = max(self._means)
        if left <= ENDLESS * mean:
            return ""
        names = ", ".join(map(repr, self._changed))
        return f"{names}: states change every {mean:.2g} s, and its end is {left:.2g} s away; {SOFTER}"

    def watch(self, method: Method, dt: float, t: float, steps: int, advanced: float, v: Array) -> None:
        """After so many steps, which have advanced the run by so much, to t, and to these velocities."""
        if self.step or not method.adaptive or method.implicit:
            return
        self._steps += steps
        self._advanced += advanced
        if self._steps < STRETCH:
            return
        mean = self._advanced / self._steps
        if mean < CRAWLING * dt:
            self.t, self.step = t, mean
            rate, words = fastest(self.mechanism, v)
            self.motion = words if rate * mean > FOLLOWED else ""
        self._steps, self._advanced = 0, 0.0

    def warning(self, method: Method) -> str:
        """What the user should know of it, or nothing."""
        if not self.step:
            return ""
        if self.element:
            return (
                f"the run crawls, at t = {self.t:.6g} s force {self.element!r} changes its state every "
                f"{self.step:.2g} s: {SOFTER}."
            )
        reason = self.motion or (
            "something in the scene is much quicker than its motion, such as a stiff spring or damper"
        )
        return (
            f"{method.name} crawls, at t = {self.t:.6g} s with steps of {self.step:.2g} s: {reason}; "
            f"{self._remedy}."
        )

    def steps_left(self, left: float) -> float:
        """Steps to an end that is so many seconds away, at this pace; 0 for a run that does not crawl."""
        return left / self.step if self.step else 0.0

    @property
    def words(self) -> str:
        """The same in a few words, beside the progress."""
        remedy = SOFTER if self.element else self._remedy
        return f", crawling by steps of {self.step:.2g} s: {remedy}" if self.step else ""

    @property
    def _remedy(self) -> str:
        if self.motion:
            return "check velocities and forces, or end the run earlier"
        stiff = stiff_method(self.mechanism)
        return f"take an implicit method{f', such as {stiff}' if stiff else ''}, or larger tolerances"
