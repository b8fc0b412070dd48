"""Poses around a start at which the rows of a mechanism are compared: small ones with their full Jacobian,
large ones with its sparse factor.

From pose to pose a step is taken along the null space of the joints, at random, and closed again. A step at
random has a share of every degree of freedom, so no basis of the null space is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.maths.sparse.symbolic import Symbolic
from engine.system.assembly.position_problem import PositionProblem
from engine.system.assembly.row_factor import RowFactor
from engine.system.assembly.scaling import Scales, Subspaces, subspaces
from engine.system.equations.evaluator import Evaluator

POSES = 3  # visited beside the assembled one
STEP = 0.3  # rad or characteristic lengths, from pose to pose
TRIALS = 6  # directions tried for one pose
NOTHING_MOVES = 1e-9  # share of a random direction that the joints leave where they leave nothing
SURELY_ZERO, SURELY_NOT = 1e-10, 1e-5  # shares of the largest singular value

# gives one direction at random, of any length; None where nothing moves
Draw = Callable[[np.random.Generator], Array | None]


class Visited(Protocol):
    """The rows at one pose, without units."""

    @property
    def clear(self) -> bool:
        """Whether their rank can be told: near a singular configuration joints close to 1e-12 with errors of
        1e-6."""

    def left_by(self, chosen: Any) -> Draw:
        """Directions that the chosen rows leave."""


class FullPose:
    """The rows at one pose as a full matrix."""

    def __init__(self, J: Array) -> None:
        self._J = J

    @cached_property
    def rows(self) -> Subspaces:
        return subspaces(self._J)

    def part(self, chosen: Any) -> Subspaces:
        """Of some of the rows."""
        return subspaces(self._J[chosen])

    @cached_property
    def clear(self) -> bool:
        if 0 in self._J.shape:
            return True
        shares = np.linalg.svd(self._J, compute_uv=False)
        shares = shares / max(float(shares[0]), np.finfo(float).tiny)
        return not np.any((shares > SURELY_ZERO) & (shares < SURELY_NOT))

    def left_by(self, chosen: Any) -> Draw:
        null = self.part(chosen).null
        return lambda random: null @ random.normal(size=null.shape[1]) if null.shape[1] else None


class SparsePose:
    """The rows at one pose, with their sparse factor."""

    def __init__(self, J: Any, structure: Symbolic) -> None:
        self._J, self._structure = J, structure
        self.rows = RowFactor(J, structure)

    @property
    def clear(self) -> bool:
        return self.rows.clear

    def part(self, chosen: Any) -> RowFactor:
        """The factor of some of the rows; the others count as rows of zeros."""
        if np.all(chosen):
            return self.rows
        data = self._J.data * np.repeat(np.where(chosen, 1.0, 0.0), np.diff(self._J.indptr))
        part = scipy.sparse.csr_array((data, self._J.indices, self._J.indptr), shape=self._J.shape)
        return RowFactor(part, self._structure)

    def left_by(self, chosen: Any) -> Draw:
        factor, columns = self.part(chosen), self._J.shape[1]

        def draw(random: np.random.Generator) -> Array | None:
            if factor.rank == columns:
                return None
            given = random.normal(size=columns)
            step = factor.tangential(given)
            moves = float(np.max(np.abs(step))) > NOTHING_MOVES * float(np.max(np.abs(given)))
            return step if moves else None

        return draw


P = TypeVar("P", bound=Visited)


class PoseWalk:
    """Poses around one that satisfies the constraints at an instant."""

    def __init__(self, evaluator: Evaluator, scales: Scales, t: float, q: Array, angles: Array) -> None:
        self._evaluator, self._scales, self._t, self._q, self._angles = evaluator, scales, t, q, angles

    def full(self, poses: int, visit: Callable[[float], object] | None = None) -> list[FullPose]:
        """Of a small mechanism; `visit` is told the share that is done."""
        return self._walked(poses, visit, lambda at: FullPose(self._scales.jacobian(at.jacobian)))

    def sparse(self, poses: int, visit: Callable[[float], object] | None = None) -> list[SparsePose]:
        """Of a large mechanism."""
        structure = self._evaluator.row_structure
        return self._walked(
            poses, visit, lambda at: SparsePose(self._scales.sparse_jacobian(at.sparse_jacobian), structure)
        )

    def _walked(
        self, poses: int, visit: Callable[[float], object] | None, look: Callable[[Evaluator], P]
    ) -> list[P]:
        """The start, and poses reached from it; where its rows are clear, only those at which they are."""
        evaluator, column, t = self._evaluator, self._scales.column, self._t
        problem = PositionProblem(evaluator, self._scales, t).without_motions()
        of_joints = np.array([row.owner == "joint" for row in evaluator.mechanism.rows], dtype=bool)
        random = np.random.default_rng(0)
        q, angles = self._q, self._angles
        found = [look(evaluator.at(t, q, angles=angles))]
        for number in range(poses):
            if visit is not None:
                visit(number / poses)
            draw = found[-1].left_by(of_joints)
            for _ in range(TRIALS):
                step = draw(random)
                if step is None:
                    continue
                guess = evaluator.retract(q, step * (STEP / float(np.max(np.abs(step)))) * column)
                pose = problem.solve(guess, angles, columns=column)
                if not pose.closed or problem.turned_over(pose.q, self._q):
                    continue
                there = look(evaluator.at(t, pose.q, angles=pose.angles))
                if not there.clear and found[0].clear:
                    continue
                q, angles = pose.q, pose.angles
                found.append(there)
                break
        return found
