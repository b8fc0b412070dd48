"""Which bodies the joints leave free to move, motions not counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analyses.mobility.continuation import joint_rows
from engine.system.assembly.assemble import assemble
from engine.system.assembly.scaling import scales_of, subspaces
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

MOVES = 1e-6  # rad or characteristic lengths per unit of the null space


@dataclass(frozen=True)
class JointMobility:
    """How much the joints leave free at the start: degrees of freedom, and the bodies that take part."""

    dof: int
    moving: frozenset[str]


def joint_mobility(mechanism: Mechanism) -> JointMobility:
    """From the null space of the joints' J. Raises CompileError when the joints do not close."""
    if not mechanism.rows:
        return JointMobility(mechanism.nv, frozenset(mechanism.bodies))
    evaluator, scales = Evaluator(mechanism), scales_of(mechanism)
    start = assemble(mechanism, evaluator=evaluator)
    J = scales.jacobian(evaluator.at(0.0, start.q, angles=start.angles).jacobian)
    null = subspaces(J[joint_rows(mechanism.rows)]).null
    share = np.linalg.norm(null, axis=1).reshape(len(mechanism.bodies), -1).max(axis=1)
    moving = (name for name, moves in zip(mechanism.bodies, share, strict=True) if moves > MOVES)
    return JointMobility(null.shape[1], frozenset(moving))
