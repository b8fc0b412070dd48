"""Steps beyond the limit of stability: told before a run begins, and when it comes there on its way.

A motion e^{st} about the present state may grow by no more in a step than it does by itself. Schemes that let
every oscillation grow by a little are told off only where that adds up to a factor in the rest of the run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from engine.analyses.dynamics.step_limits import MARGIN, rounded_down
from engine.compiled.layout import Array
from engine.results.small_motions import LARGEST, SmallMotions
from engine.results.stepping import stepping_of
from engine.solvers.catalogue import Method
from engine.system.assembly.scaling import scales_of
from engine.system.compiling.mechanism import Mechanism

FACTOR = 2.0  # by which something must grow over the run
LOOKS = 4  # instants of a run at which it is linearised, which costs as much as 300 steps
SLOW = 0.02  # of a radian that weight and speed turn anything by in a step: without other forces, no danger


@dataclass
class StepWatch:
    """Watches the states of a run by equal steps."""

    mechanism: Mechanism
    method: Method
    dt: float  # s
    duration: float  # s, of the run as far as it is known
    t: float = 0.0  # s, where the step was found too long
    limit: float = math.inf  # s, of the step; infinite while nothing was found
    rate: float = 0.0  # 1/s, |s| of the motion that sets it
    _next: float = -math.inf
    _motions: SmallMotions | None = field(default=None, repr=False)

    def follow(self, samples: Array) -> None:
        """At those of new samples, in the order of time, at which it is time to look again."""
        i = int(np.searchsorted(samples[:, 0], self._next))
        while i < len(samples):
            self.look(samples[i])
            i = max(i + 1, int(np.searchsorted(samples[:, 0], self._next)))

    def look(self, sample: Array) -> None:
        """At one sample, if it is time to."""
        t, reach = float(sample[0]), stepping_of(self.mechanism).reach
        if reach is None or math.isfinite(self.limit) or t < self._next:
            return
        self._next = t + self.duration / LOOKS
        if self.mechanism.nv > LARGEST or not self.method.bears_damping or self._is_slow():
            return
        if not math.isfinite(reach.of_oscillation):
            return
        if self._motions is None:
            self._motions = SmallMotions(self.mechanism)
        exponents = self._motions.exponents(sample)
        limit = reach.limit(exponents)
        steps = max(1.0, (self.duration - t) / self.dt)
        if self.dt > limit and reach.excess(exponents, self.dt) * steps > math.log(FACTOR):
            self.t, self.limit = t, limit
            self.rate = float(np.max(np.abs(exponents)))

    def _is_slow(self) -> bool:
        """Nothing but weight and joints, and the step is short beside both: not worth the linearisation."""
        scene, scales = self.mechanism.scene, scales_of(self.mechanism)
        weight = math.sqrt(float(np.linalg.norm(np.asarray(scene.gravity, dtype=float))) / scales.length)
        speed = float(np.max(np.abs(self.mechanism.v / scales.column), initial=0.0))
        return not scene.forces and self.dt * max(weight, speed) < SLOW

    @property
    def proposed(self) -> float:
        """A step that is stable with a margin [s], rounded down to two digits."""
        return rounded_down(MARGIN * self.limit)

    @property
    def warning(self) -> str:
        """What the user should know of it, or nothing."""
        if not math.isfinite(self.limit):
            return ""
        when = "at the start" if self.t == 0.0 else f"from t = {self.t:.4g} s on"
        remedy = f"take {self.proposed:g} s" if self.limit > 0.0 else "take another scheme"
        return (
            f"a step of {self.dt:.3g} s is too long for {self.method.name} {when}: the limit of stability is "
            f"{self.limit:.3g} s, set by a motion of {self.rate:.3g} 1/s; {remedy}, or a method without a "
            "limit, such as hht."
        )
