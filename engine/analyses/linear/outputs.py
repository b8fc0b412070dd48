"""Outputs of a linear model: channels of deviations, by central differences of two steps each.

A channel is any function of time, positions, velocities, accelerations and multipliers; all of them are known
for a unit of each state and each input, so that one pass over samples a little to both sides gives C and D.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.analyses.linear.inputs import STEP, Columns
from engine.compiled.layout import Array
from engine.errors import Problem, SceneError
from engine.results.channels import Channels
from engine.results.quantities.base import Read
from engine.results.sample_layout import SampleLayout
from engine.system.assembly.scaling import Scales
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State
from engine.system.small_motions.linearise import LinearMotion

OFFSET = 1e-3  # dimensionless: how far samples lie from the operating point; the error is its fourth power


@dataclass(frozen=True)
class Output:
    """A channel or an expression of channels."""

    name: str
    unit: str
    read: Read


def outputs_of(channels: Channels, names: Sequence[str]) -> tuple[Output, ...]:
    """Channels by name, or expressions of them; raises SceneError."""
    found, problems = [], []
    for name in names:
        try:
            if name in channels:
                found.append(Output(name, channels.unit(name), channels[name].read))
            else:
                found.append(Output(name, "", channels.expression(name, "options.outputs")))
        except SceneError as error:
            problems += [Problem("options.outputs", name, p.message, p.remedy) for p in error.problems]
    if problems:
        raise SceneError(problems)
    return tuple(found)


class Differences:
    """Derivatives of outputs by states and inputs at an operating point."""

    def __init__(
        self, evaluator: Evaluator, channels: Channels, scales: Scales, state: State, linear: LinearMotion
    ) -> None:
        self._channels, self._linear = channels, linear
        self._layout = layout = SampleLayout(evaluator.mechanism)
        # a unit of each state and input, as parts of a sample
        n, k = linear.A.shape[1], linear.B.shape[1]
        x = np.hstack([linear.x, np.zeros((len(linear.x), k))])
        w = np.hstack([linear.w, np.zeros((len(linear.w), k))])
        about = linear.balance
        sizes = [np.abs(part.T / scales.column).max(axis=1, initial=0.0) for part in (x, w, linear.b)]
        self._steps = OFFSET / np.maximum(np.max(sizes, axis=0), 1e-300)
        self._steps[np.max(sizes, axis=0) == 0.0] = OFFSET
        lines = []
        for c in range(n + k):
            for factor in (-2.0, -1.0, 1.0, 2.0):
                h = factor * self._steps[c]
                line = np.zeros(layout.width)
                line[layout.t] = state.t
                line[layout.q] = evaluator.retract(state.q, h * x[:, c])
                line[layout.v] = state.v + h * w[:, c]
                line[layout.a] = about.a + h * linear.b[:, c]
                line[layout.permanent] = about.multipliers + h * linear.multipliers[:, c]
                line[layout.angles] = state.angles
                lines.append(line)
        middle = np.zeros(layout.width)
        middle[layout.t], middle[layout.q], middle[layout.v] = state.t, state.q, state.v
        middle[layout.a], middle[layout.permanent] = about.a, about.multipliers
        middle[layout.angles] = state.angles
        self._middle = middle[None]
        self._samples = np.array(lines).reshape(-1, layout.width)

    def values(self, outputs: Sequence[Output]) -> Array:
        """What the outputs are at the operating point."""
        seen = self._channels.evaluation(self._middle)
        return np.array([float(output.read(seen)[0]) for output in outputs])

    def matrices(self, outputs: Sequence[Output]) -> tuple[Array, Array]:
        """C and D of the outputs; f' = (8 (f₁ − f₋₁) − (f₂ − f₋₂)) / 12 h."""
        n = self._linear.A.shape[1]
        both = np.zeros((len(outputs), len(self._steps)))
        if len(self._samples):
            seen = self._channels.evaluation(self._samples)
            for i, output in enumerate(outputs):
                f = np.asarray(output.read(seen)).reshape(-1, 4)
                both[i] = (8.0 * (f[:, 2] - f[:, 1]) - (f[:, 3] - f[:, 0])) / (12.0 * self._steps)
        return both[:, :n], both[:, n:]

    def at_once(self, names: Sequence[str], columns: Columns) -> Array:
        """What outputs that read a force itself get of an input with nothing moving, (outputs, inputs)."""
        out = np.zeros((len(names), len(columns.inputs)))
        for k, one in enumerate(columns.inputs):
            if one.motion:
                continue
            sides = []
            for mechanism in (one.less, one.more):
                channels = Channels(mechanism)
                seen = channels.evaluation(self._middle)
                sides.append([float(o.read(seen)[0]) for o in outputs_of(channels, names)])
            out[:, k] = (np.array(sides[1]) - np.array(sides[0])) / (2.0 * STEP)
        return out
