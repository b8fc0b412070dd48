"""The frequency response as runs have it: the input swings a little, a sine is fitted to the outputs.

    y ≈ c₀ + c₁ t + a sin ωt + b cos ωt,     gain (a + i b) / amplitude

over whole periods, after the transient has had time to die. A run that is not a steady oscillation then, as
nothing damps it or it is unstable, leaves too much of y over, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.analyses.base import Question
from engine.analyses.linear.inputs import added
from engine.compiled.layout import Array
from engine.errors import SceneError
from engine.model.set_value import set_value
from engine.model.value_at import at_path
from engine.results.trajectory import Trajectory

PERIODS = 4  # that are fitted
TRANSIENT = 12  # periods before
SETTLED = 20.0  # times in which the slowest deviation falls by e, before
MAX_PERIODS = 2000  # periods of one run
STEPS = 200  # of a period
WITHIN = 1e-6  # of a period: the first sample that counts may be earlier by this
NOISE = 1e-9  # of the output: a swing that is none
UNFITTED = 0.02  # of the oscillation: what a steady one may leave over


@dataclass(frozen=True)
class Probe:
    """One frequency; without gains `trouble` says why."""

    frequency: float  # Hz
    gains: Array  # complex, one per output
    trouble: str = ""


def simulated_response(
    question: Question,
    path: str,
    outputs: Sequence[str],
    frequencies: Array,
    amplitude: float,
    slowest: float,
) -> tuple[Probe, ...]:
    """A run per frequency from the scene's own start; `slowest`: the largest real part of a pole [1/s]."""
    settling = SETTLED / -slowest if slowest < 0.0 else 0.0
    probes = []
    for i, frequency in enumerate(frequencies):
        question.stage(0.3 + 0.7 * i / len(frequencies), f"simulating {frequency:.4g} Hz")
        probes.append(_probe(question, path, outputs, float(frequency), amplitude, settling))
    return tuple(probes)


def _probe(
    question: Question,
    path: str,
    outputs: Sequence[str],
    frequency: float,
    amplitude: float,
    settling: float,
) -> Probe:
    omega, period = 2.0 * np.pi * frequency, 1.0 / frequency
    before = min(MAX_PERIODS, max(TRANSIENT, int(np.ceil(settling / period))))
    none = np.full(len(outputs), np.nan, dtype=complex)
    try:
        function = added(at_path(question.scene, path), f"{amplitude!r}*sin({omega!r}*t)")
        scene = set_value(question.scene, path, function)
        step = min(period / STEPS, float(question.mechanism.scene.simulation.dt))
        scene = set_value(scene, "simulation.dt", period / np.ceil(period / step))
        scene = set_value(scene, "simulation.duration", (before + PERIODS) * period)
        swings = question.simulated(scene)
    except SceneError as error:
        return Probe(frequency, none, str(error.problems[0].message))
    if swings.status.failed:
        return Probe(frequency, none, swings.message)
    return _fitted(swings, outputs, frequency, amplitude)


def _fitted(run: Trajectory, outputs: Sequence[str], frequency: float, amplitude: float) -> Probe:
    omega = 2.0 * np.pi * frequency
    last = run.t >= run.t[-1] - (PERIODS + WITHIN) / frequency
    t = run.t[last]
    columns = np.column_stack([np.ones_like(t), t - t[0], np.sin(omega * t), np.cos(omega * t)])
    gains, worst = np.zeros(len(outputs), dtype=complex), 0.0
    for k, name in enumerate(outputs):
        y = run.expression(name)[last] if name not in run.names() else run.channel(name)[last]
        found, *_ = np.linalg.lstsq(columns, y, rcond=None)
        gains[k] = complex(found[2], found[3]) / amplitude
        swing = float(np.hypot(found[2], found[3]))
        left = float(np.sqrt(np.mean((y - columns @ found) ** 2)))
        noise = NOISE * float(np.max(np.abs(y), initial=0.0))
        worst = max(worst, left / swing if swing > noise else 0.0)
    trouble = ""
    if worst > UNFITTED:
        trouble = (
            f"no steady oscillation: {worst:.2g} of it is left over; add damping, or take a smaller amplitude"
        )
    return Probe(frequency, gains, trouble)
