"""Poses around a start at which the rows of a large mechanism are compared, each with its sparse factor.

From pose to pose a step is taken along the null space of the joints, at random, and closed again. A step at
random has a share of every degree of freedom, so no basis of the null space is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.maths.sparse.symbolic import Symbolic
from engine.system.assembly.position_problem import PositionProblem
from engine.system.assembly.row_factor import RowFactor
from engine.system.assembly.scaling import Scales
from engine.system.equations.evaluator import Evaluator

POSES = 3  # visited beside the assembled one
STEP = 0.3  # rad or characteristic lengths, from pose to pose
TRIALS = 6  # directions tried for one pose
NOTHING_MOVES = 1e-9  # share of a random direction that the joints leave where they leave nothing


class VisitedPose:
    """The rows at one pose, without units, and their factor."""

    def __init__(self, J: Any, structure: Symbolic) -> None:
        self._J, self._structure = J, structure
        self.rows = RowFactor(J, structure)

    def part(self, chosen: Any) -> RowFactor:
        """The factor of some of the rows; the others count as rows of zeros."""
        if np.all(chosen):
            return self.rows
        data = self._J.data * np.repeat(np.where(chosen, 1.0, 0.0), np.diff(self._J.indptr))
        part = scipy.sparse.csr_array((data, self._J.indices, self._J.indptr), shape=self._J.shape)
        return RowFactor(part, self._structure)


def visit_poses(
    evaluator: Evaluator,
    scales: Scales,
    q: Array,
    angles: Array,
    poses: int,
    visit: Callable[[float], object] | None,
    t: float,
) -> list[VisitedPose]:
    """The start, and poses reached from it; where its rows are clear, only those at which they are."""
    problem = PositionProblem(evaluator, scales, t).without_motions()
    of_joints = np.array([row.owner == "joint" for row in evaluator.mechanism.rows], dtype=bool)
    random = np.random.default_rng(0)

    def visited(q: Array, angles: Array) -> VisitedPose:
        J = scales.sparse_jacobian(evaluator.at(t, q, angles=angles).sparse_jacobian)
        return VisitedPose(J, evaluator.row_structure)

    begin = q
    found = [visited(q, angles)]
    for number in range(poses):
        if visit is not None:
            visit(number / poses)
        joints = found[-1].part(of_joints)
        for _ in range(TRIALS if joints.rank < evaluator.mechanism.nv else 0):
            given = random.normal(size=evaluator.mechanism.nv)
            step = joints.tangential(given)
            largest = float(np.max(np.abs(step)))
            if largest <= NOTHING_MOVES * float(np.max(np.abs(given))):
                continue
            guess = evaluator.retract(q, step * (STEP / largest) * scales.column)
            pose = problem.solve(guess, angles, columns=scales.column)
            if not pose.closed or problem.turned_over(pose.q, begin):
                continue
            there = visited(pose.q, pose.angles)
            if not there.rows.clear and found[0].rows.clear:
                continue
            q, angles = pose.q, pose.angles
            found.append(there)
            break
    return found
