"""Steps beyond the limit of stability: told before a run begins, and when it comes there on its way.

A motion e^{st} about the present state may grow by no more in a step than it does by itself. Schemes that let
every oscillation grow by a little are told off only where that adds up to a factor in the rest of the run.
Bristles of friction, which are no motion of a body, count with the rate at which they follow the slip.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from engine.analyses.dynamics.step_limits import MARGIN, rounded_down
from engine.compiled.layout import Array
from engine.errors import Problem, SceneEdit
from engine.results.recorder import Recorder
from engine.results.sample_layout import SampleLayout
from engine.results.small_motions import MAX_VELOCITIES, SmallMotions
from engine.results.stepping import stepping_of
from engine.simulation.step_control.bristles import quickest_bristles
from engine.simulation.step_control.stiff_methods import stiff_method
from engine.solvers.catalogue import Method
from engine.system.assembly.scaling import scales_of
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.law_states import has_law_states

FACTOR = 2.0  # by which something must grow over the run
LOOKS = 4  # instants of a run at which it is linearised, which costs as much as 300 steps
LAST_SAMPLES = 32  # samples before an end that are looked at: bristles run away within a few steps
# of a radian that weight and speed turn anything by in a step: without other forces, no danger
HARMLESS_TURN = 0.02


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
    bristles: str = ""  # the friction whose bristles set it, where they do
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
        if self.mechanism.nv > MAX_VELOCITIES or not self.method.bears_damping or self._is_slow():
            return
        if not math.isfinite(reach.of_oscillation):
            return
        if self._motions is None:
            self._motions = SmallMotions(self.mechanism)
        exponents = self._motions.exponents(sample)
        friction, rate = self._bristles(sample)
        quickest = float(np.max(np.abs(exponents), initial=0.0))
        exponents = np.append(exponents, [-rate] if friction else [])
        limit = reach.limit(exponents)
        steps = max(1.0, (self.duration - t) / self.dt)
        if self.dt > limit and reach.excess(exponents, self.dt) * steps > math.log(FACTOR):
            self.t, self.limit = t, limit
            self.rate, self.bristles = max(rate, quickest), friction if rate > quickest else ""

    def look_back(self, recorder: Recorder) -> None:
        """Numbers are no longer finite: at the last samples, whether bristles have become too quick."""
        if not has_law_states(self.mechanism.system):
            return
        for i in range(max(0, recorder.count - LAST_SAMPLES), recorder.count):
            self._next = -math.inf
            self.look(np.array(recorder.row(i)))

    def _bristles(self, sample: Array) -> tuple[str, float]:
        """The friction with the quickest of them, and their rate."""
        if not has_law_states(self.mechanism.system):
            return "", 0.0
        t, q, v, angles, _ = SampleLayout(self.mechanism).state(sample)
        return quickest_bristles(Evaluator(self.mechanism).at(t, q, v, angles))

    def _is_slow(self) -> bool:
        """Nothing but weight and joints, and the step is short beside both: not worth the linearisation."""
        scene, scales = self.mechanism.scene, scales_of(self.mechanism)
        weight = math.sqrt(float(np.linalg.norm(np.asarray(scene.gravity, dtype=float))) / scales.length)
        speed = float(np.max(np.abs(self.mechanism.v / scales.column), initial=0.0))
        return not scene.forces and self.dt * max(weight, speed) < HARMLESS_TURN

    @property
    def proposed(self) -> float:
        """A step that is stable with a margin [s], rounded down to two digits."""
        return rounded_down(MARGIN * self.limit)

    @property
    def warning(self) -> str:
        """What the user should know of it, or nothing."""
        if not math.isfinite(self.limit):
            return ""
        return (
            f"a step of {self.dt:.3g} s is too long for {self.method.name} {self._when}: the limit of "
            f"stability is {self.limit:.3g} s, set by {self._by} {self.rate:.3g} 1/s; {self._remedy}."
        )

    @property
    def problem(self) -> Problem | None:
        """The same as the reason why numbers are no longer finite, where it was found before."""
        if not math.isfinite(self.limit):
            return None
        text = (
            f"a number is no longer finite: the step of {self.dt:.3g} s is beyond its limit of stability, "
            f"{self.limit:.3g} s {self._when}, set by {self._by} {self.rate:.3g} 1/s"
        )
        path = f"forces.{self.bristles}" if self.bristles else "simulation.dt"
        stiff = stiff_method(self.mechanism)
        edits = (SceneEdit("simulation.method", stiff),) if stiff else ()
        return Problem(path, self.dt, text, self._remedy, edits)

    @property
    def _when(self) -> str:
        return "at the start" if self.t == 0.0 else f"from t = {self.t:.4g} s on"

    @property
    def _by(self) -> str:
        if not self.bristles:
            return "a motion of"
        return f"the bristles of friction {self.bristles!r}, which follow its slip with"

    @property
    def _remedy(self) -> str:
        step = f"take {self.proposed:g} s" if self.limit > 0.0 else "take another scheme"
        softer = ", softer bristles" if self.bristles else ""
        stiff = stiff_method(self.mechanism)
        return f"{step}{softer}, or a method without a limit{f', such as {stiff}' if stiff else ''}"
