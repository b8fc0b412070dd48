"""An explicit scheme that controls its steps, on a stiff problem: stability, not accuracy, makes them tiny.

It comes to its end, after minutes or hours; who waits should know why, while it happens.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.solvers.catalogue import Method

STRETCH = 20_000  # steps whose mean is looked at: a violent start alone has fewer
CRAWLING = 0.01  # of the step of the grid: a mean below it is a crawl
REMEDY = "take an implicit method, such as hht, or larger tolerances"


@dataclass
class Crawl:
    """Watches the steps of a run."""

    t: float = 0.0  # s, where it was found
    step: float = 0.0  # s, mean of the steps there; 0 while nothing was found
    _steps: int = 0
    _advanced: float = 0.0  # s

    def watch(self, method: Method, dt: float, t: float, steps: int, advanced: float) -> None:
        """After so many steps, which have advanced the run by so much, to t."""
        if self.step or not method.adaptive or method.implicit:
            return
        self._steps += steps
        self._advanced += advanced
        if self._steps < STRETCH:
            return
        mean = self._advanced / self._steps
        if mean < CRAWLING * dt:
            self.t, self.step = t, mean
        self._steps, self._advanced = 0, 0.0

    def warning(self, method: Method) -> str:
        """What the user should know of it, or nothing."""
        if not self.step:
            return ""
        return (
            f"{method.name} crawls, at t = {self.t:.6g} s with steps of {self.step:.2g} s: something in the "
            f"scene is much quicker than its motion, such as a stiff spring or damper; {REMEDY}."
        )

    @property
    def words(self) -> str:
        """The same in a few words, beside the progress."""
        return f", crawling by steps of {self.step:.2g} s: {REMEDY}" if self.step else ""
