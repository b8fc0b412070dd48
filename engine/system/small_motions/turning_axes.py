"""Common axes in which a steady motion stands still: they turn with Ω, found from a = Ω × v."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import poses as POSE
from engine.compiled.layout import Array
from engine.maths.rotations import cross_matrix
from engine.system.assembly.scaling import Scales
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import rotation, rotations
from engine.system.small_motions.force_balance import Balance, State, balance

TURNING = 1e-9  # of the accelerations about: those that are rounding
SHORTLY = 1e-4  # of the time scale v/a: how far apart states are for the rate of accelerations


@dataclass(frozen=True)
class Axes:
    """Common axes in which the motion stands still, if it is steady."""

    P: Any  # from body axes, block diagonal and orthogonal, sparse
    omega: Array  # Ω in the world, (3,)
    unsteadiness: float


def turning_axes(evaluator: Evaluator, scales: Scales, state: State, found: Balance) -> Axes:
    """Ω from a = Ω × v. A motion that is steady for more than an instant has a' = Ω × a as well; where axes
    that stand still leave less of both than Ω does, they are taken."""
    mechanism, nb = evaluator.mechanism, len(evaluator.mechanism.bodies)
    planar = mechanism.planar
    P = to_world(evaluator)
    v, a = P @ (state.v / scales.column), P @ (found.a / scales.column)
    gravity = evaluator.system.body_reals[:nb, BODY_REAL.GRAVITY : BODY_REAL.GRAVITY + 3]
    largest = float(np.max(np.abs(a), initial=0.0))
    about = max(
        float(np.max(np.abs(gravity), initial=0.0)) / scales.length,
        float(np.max(np.abs(v), initial=0.0)) ** 2,
        largest,
    )
    still = Axes(P, np.zeros(3), largest / about if about else 0.0)
    if not np.any(v):
        return still
    jerk = _jerk(evaluator, scales, state, found, SHORTLY / np.sqrt(about))

    def axes(omega: Array) -> Axes:
        turn = cross_blocks(planar, omega, nb)
        left = float(np.max(np.abs(a - turn @ v))) / about
        return Axes(P, omega, max(left, float(np.max(np.abs(jerk - turn @ a))) / about**1.5))

    still = axes(np.zeros(3))
    if largest <= TURNING * about:
        return still
    units = np.eye(3)[2:] if planar else np.eye(3)
    columns = np.array([cross_blocks(planar, e, nb) @ v for e in units]).T
    turning = axes(units.T @ np.linalg.lstsq(columns, a, rcond=None)[0])
    return turning if turning.unsteadiness <= still.unsteadiness else still


def _jerk(evaluator: Evaluator, scales: Scales, state: State, found: Balance, tau: float) -> Array:
    """Rate of the accelerations in the world, from the states just before and just after."""
    sides = []
    for h in (-tau, tau):
        q = evaluator.retract(state.q, h * state.v + 0.5 * h * h * found.a)
        near = balance(evaluator, scales, State(state.t + h, q, state.v + h * found.a, state.angles))
        sides.append(to_world(evaluator) @ (near.a / scales.column))
    return np.asarray((sides[1] - sides[0]) / (2.0 * tau))


def to_world(evaluator: Evaluator) -> Any:
    """P: rotations from the axes of each body to those of the world; displacements are there already."""
    mechanism = evaluator.mechanism
    if mechanism.planar:
        return scipy.sparse.eye_array(mechanism.nv, format="csr")
    turned = rotations(evaluator.work.pose)[:-1]
    return _blocks(np.stack([np.broadcast_to(np.eye(3), turned.shape), turned], axis=1).reshape(-1, 3, 3))


def cross_blocks(planar: bool, omega: Array, bodies: int) -> Any:
    """Ω × for the displacement and the rotation of every body."""
    block = cross_matrix(omega)
    if planar:
        block = block * np.outer([1.0, 1.0, 0.0], [1.0, 1.0, 0.0])
    return _blocks(np.broadcast_to(block, (bodies if planar else 2 * bodies, 3, 3)))


def spins(evaluator: Evaluator) -> Any:
    """ω × for the rotation of every body, each with its own ω, in the world."""
    mechanism, pose = evaluator.mechanism, evaluator.work.pose
    if mechanism.planar:
        return scipy.sparse.csr_array((mechanism.nv, mechanism.nv))
    turning = np.zeros((2 * len(mechanism.bodies), 3, 3))
    for b in range(len(mechanism.bodies)):
        turning[2 * b + 1] = cross_matrix(rotation(pose, b) @ pose[b, POSE.W : POSE.W + 3])
    return _blocks(turning)


def _blocks(blocks: Array) -> Any:
    """Sparse matrix with these on its diagonal."""
    at, size = np.arange(len(blocks) + 1), 3 * len(blocks)
    return scipy.sparse.bsr_array((np.array(blocks), at[:-1], at), shape=(size, size)).tocsr()
