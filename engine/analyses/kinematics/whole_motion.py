"""All poses that a mechanism of one degree of freedom passes, from its joints alone: no run, no motion.

A crank that turns brings the walk back to where it began; a rocker ends at its dead points, and the walk
goes from one to the other. Travels of sliders, coupler curves and the like are read from its points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from engine.analyses.mobility.continuation import FULL, STEP, Continuation, ContinuationPoint
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.layout import Array
from engine.system.assembly.assemble import assemble
from engine.system.assembly.scaling import scales_of
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import point

SMOOTH = 8  # points of a path between two of them


@dataclass(frozen=True, eq=False)
class WholeMotion:
    """Points in order; `closed`: the last one is the first one again."""

    evaluator: Evaluator
    points: tuple[ContinuationPoint, ...]
    closed: bool

    @property
    def mechanism(self) -> Mechanism:
        return self.evaluator.mechanism

    def path(self, body: str, p_B: Array) -> Array:
        """Places of a point of a body, given from its origin [m], in the world, shape (n, 3)."""
        b = self.mechanism.bodies.index(body)
        from_com = p_B - self.mechanism.com[b]
        places = np.array(
            [point(self.evaluator.at(0.0, here.q).work.pose, b, from_com) for here in self.points]
        )
        return self._smoothed(places)

    def travel(
        self, joint: str, coordinate: str, within: Mapping[tuple[str, str], tuple[float, float]] | None = None
    ) -> tuple[float, float]:
        """Smallest and largest value of a joint coordinate on the way [m or rad].

        `within`: only where other coordinates are in these spans, as motions keep them.
        """
        spans = within or {}
        names = ((joint, coordinate), *spans)
        numbers = [self.mechanism.coordinates[name] for name in names]
        rows = []
        for here in self.points:
            self.evaluator.at(0.0, here.q, angles=here.angles)
            rows.append(self.evaluator.work.coordinate[numbers, COORDINATE_VALUE.VALUE].copy())
        values = np.array(rows)
        passed = self._smoothed(values[:, :1])[:, 0]
        there = np.ones(len(passed), bool)
        for k, ((_, of), span) in enumerate(spans.items(), 1):
            there &= self._between(values[:, k], span, turns=of == "angle")
        passed = passed[there] if there.any() else passed
        return float(passed.min()), float(passed.max())

    def _between(self, values: Array, span: tuple[float, float], *, turns: bool) -> Array:
        """Where on the smoothed way a coordinate is in a span; of one that `turns`, up to whole turns."""
        low, high = span
        if not turns:
            fine = self._smoothed(values[:, None])[:, 0]
            near = float(np.max(np.abs(np.diff(fine)), initial=0.0))  # from one point to the next
            return np.asarray((fine >= low - near) & (fine <= high + near))
        x, y = self._smoothed(np.stack([np.cos(values), np.sin(values)], axis=1)).T
        fine = np.unwrap(np.arctan2(y, x))
        near = float(np.max(np.abs(np.diff(fine)), initial=0.0))
        return np.asarray((fine - low + near) % (2.0 * np.pi) <= high - low + 2.0 * near)

    def _smoothed(self, values: Array) -> Array:
        """Values at the points and between them, by a cubic spline over the way."""
        from scipy.interpolate import CubicSpline  # slow to import: the window would begin later

        if len(values) < 3:
            return values
        s = np.array([here.s for here in self.points])  # increases along the walk
        if self.closed:
            values = np.concatenate([values[:-1], values[:1]])
        spline = CubicSpline(s, values, bc_type="periodic" if self.closed else "not-a-knot")
        return np.asarray(spline(np.linspace(s[0], s[-1], SMOOTH * (len(s) - 1) + 1)))


def whole_motion(
    mechanism: Mechanism, *, step: float = STEP, wanted: Callable[[], bool] = lambda: True
) -> WholeMotion | None:
    """The whole motion from the start; None where the joints leave no degree of freedom, or several.

    It is given up, with None, when it is no longer `wanted`. Raises CompileError when joints do not close.
    """
    if not mechanism.rows:
        return None
    evaluator, scales = Evaluator(mechanism), scales_of(mechanism)
    start = assemble(mechanism, evaluator=evaluator)
    continuation = Continuation(evaluator, scales, 0.0)
    null = continuation.null_space(start.q, start.angles)
    if null.shape[1] != 1:
        return None
    direction = null[:, 0] / np.max(np.abs(null[:, 0]))
    begin = ContinuationPoint(start.q, start.angles, direction, 0.0)

    def told(share: float) -> None:
        if not wanted():
            raise _Overtaken

    try:
        ahead, closed = continuation.walk(begin, FULL, step, told)
        if closed:
            last = ContinuationPoint(
                begin.q, begin.angles, begin.direction, ahead[-1].s + continuation.apart(ahead[-1].q, begin.q)
            )
            return WholeMotion(evaluator, (*ahead, last), True)
        turned = ContinuationPoint(begin.q, begin.angles, -begin.direction, 0.0)
        back, _ = continuation.walk(turned, FULL, step, told)
    except _Overtaken:
        return None
    behind = [ContinuationPoint(s.q, s.angles, -s.direction, -s.s) for s in reversed(back[1:])]
    return WholeMotion(evaluator, (*behind, *ahead), False)


class _Overtaken(Exception):
    """Nobody waits for it any more."""
