"""Walking along the degrees of freedom of a mechanism: poses on the constraints, one small step after the
other.

A step goes along a direction x of the null space of the joints' J and is closed again:

    q ← close(q ⊕ D x h),   x ← N Nᵀ x / max|N Nᵀ x|

so the walk goes straight on where it can, also through poses at which motions cross, and keeps its branch.
Motions of the scene do not count: they only say how fast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.system.assembly.position_problem import PositionProblem, Target
from engine.system.assembly.scaling import Scales, subspaces
from engine.system.compiling.mechanism import RowInfo
from engine.system.equations.evaluator import Evaluator

STEP = 0.12  # rad or characteristic lengths of what moves most
HALVINGS = 4  # of a step that does not close nearby
ARRIVED = 1e-9  # of the same: less than this is left of the way
ASTRAY = 0.5  # of a step: a pose farther from the predicted one lies on another branch
TURNED = 0.2  # share of a direction that must be left in the next null space
FULL = 4.0 * np.pi  # the longest walk
STRAIGHT = 0.5  # cosine between directions with which a walk comes home


@dataclass(frozen=True)
class ContinuationPoint:
    """A pose on the way and the direction in which the walk goes on, without units."""

    q: Array
    angles: Array
    direction: Array
    s: float  # way from the beginning, rad or lengths of what moves most


class Continuation:
    """Walks on the position rows of the joints at one instant; `held` coordinates keep their values."""

    def __init__(self, evaluator: Evaluator, scales: Scales, t: float, held: Sequence[Target] = ()) -> None:
        self.evaluator, self.scales, self.t = evaluator, scales, t
        self._held = tuple(held)
        self._problem = PositionProblem(evaluator, scales, t).without_motions()
        self.of_joints = joint_rows(evaluator.mechanism.rows)

    def jacobian(self, q: Array, angles: Array) -> Array:
        """J of all rows without units."""
        return self.scales.jacobian(self.evaluator.at(self.t, q, angles=angles).jacobian)

    def null_space(self, q: Array, angles: Array) -> Array:
        """Null space of the joints, columns without units."""
        J = self.jacobian(q, angles)[self.of_joints]
        if self._held:
            gradients = self.evaluator.coordinate_gradients * self.scales.column
            J = np.vstack(
                [J, *(gradients[target.coordinate_function] / target.size for target in self._held)]
            )
        return subspaces(J).null

    def step(self, at: ContinuationPoint, size: float) -> ContinuationPoint | None:
        """The pose that far along, negative: back; None when it cannot be closed nearby."""
        column = self.scales.column
        guess = self.evaluator.retract(at.q, at.direction * size * column)
        pose = self._problem.solve(guess, at.angles, targets=self._held, columns=column)
        if not pose.closed or self._problem.turned_over(pose.q, at.q):
            return None
        if np.max(np.abs(self.evaluator.difference(guess, pose.q) / column), initial=0.0) > ASTRAY * abs(
            size
        ):
            return None
        null = self.null_space(pose.q, pose.angles)
        along = null @ (null.T @ at.direction)
        largest = float(np.max(np.abs(along), initial=0.0))
        if largest < TURNED:
            return None
        return ContinuationPoint(pose.q, pose.angles, along / largest, at.s + size)

    def walk(
        self,
        begin: ContinuationPoint,
        length: float = FULL,
        step: float = STEP,
        told: Callable[[float], object] = lambda share: None,
    ) -> tuple[list[ContinuationPoint], bool]:
        """Points from the first one on, and whether the walk came home; it ends where nothing closes."""
        way, here = [begin], begin
        while here.s - begin.s < length - ARRIVED:
            told((here.s - begin.s) / length)
            size = min(step, length - (here.s - begin.s))
            found = None
            for _ in range(HALVINGS + 1):
                found = self.step(here, size)
                if found is not None:
                    break
                size /= 2.0
            if found is None:
                return way, False
            here = found
            if len(way) > 2 and self._home(begin, here, step):
                return way, True
            way.append(here)
        return way, False

    def _home(self, begin: ContinuationPoint, here: ContinuationPoint, step: float) -> bool:
        a, b = begin.direction, here.direction
        same_way = float(a @ b) > STRAIGHT * float(np.linalg.norm(a) * np.linalg.norm(b))
        return same_way and self.apart(begin.q, here.q) < 0.6 * step

    def apart(self, q: Array, other: Array) -> float:
        """How far two poses are from each other, rad or lengths of what differs most; whole turns of a body
        are none."""
        step = self.evaluator.difference(q, other) / self.scales.column
        if self.evaluator.mechanism.planar:
            step[2::3] = np.arctan2(np.sin(step[2::3]), np.cos(step[2::3]))
        return float(np.max(np.abs(step), initial=0.0))

    def both_ways(
        self,
        begin: ContinuationPoint,
        length: float = FULL,
        step: float = STEP,
        told: Callable[[float], object] = lambda share: None,
    ) -> list[ContinuationPoint]:
        """Points in order, from the farthest one back to the farthest one ahead."""
        ahead, closed = self.walk(begin, length, step, lambda share: told(share / 2.0))
        if closed:
            return ahead
        turned = ContinuationPoint(begin.q, begin.angles, -begin.direction, 0.0)
        back, _ = self.walk(turned, length, step, lambda share: told(0.5 + share / 2.0))
        return [ContinuationPoint(s.q, s.angles, -s.direction, -s.s) for s in reversed(back[1:])] + ahead


def joint_rows(rows: tuple[RowInfo, ...]) -> Array:
    """Which rows belong to joints, not to motions."""
    return np.array([row.owner == "joint" for row in rows], dtype=bool)


def directions(null: Array, most: int) -> list[Array]:
    """Directions to walk in, largest part 1: each degree of freedom where there are few, else mixtures of
    all."""
    if null.shape[1] <= 1:
        mixed = null
    else:
        mixed = null @ np.random.default_rng(3).normal(size=(null.shape[1], min(most, null.shape[1] + 1)))
    return [column / np.max(np.abs(column)) for column in mixed.T if np.any(column)]
