"""Common axes in which a steady motion stands still: they turn with Ω, found from a = Ω × v."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analyses.force_balance import Balance, State, balance
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import poses as POSE
from engine.compiled.layout import Array
from engine.maths.rotations import cross_matrix
from engine.system.assembly.scaling import Scales
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import rotation

TURNING = 1e-9  # of the accelerations about: those that are rounding
SHORTLY = 1e-4  # of the time scale v/a: how far apart states are for the rate of accelerations


@dataclass(frozen=True)
class Axes:
    """Common axes in which the motion stands still, if it is steady."""

    P: Array  # from body axes, block diagonal and orthogonal
    omega: Array  # Ω in the world, (3,)
    unsteadiness: float


def turning_axes(evaluator: Evaluator, scales: Scales, state: State, found: Balance) -> Axes:
    """Ω from a = Ω × v. A motion that is steady for more than an instant has a' = Ω × a as well."""
    mechanism, nb = evaluator.mechanism, len(evaluator.mechanism.bodies)
    planar = mechanism.planar
    P = to_world(evaluator)
    v, a = P @ (state.v / scales.column), P @ (found.a / scales.column)
    gravity = evaluator.system.body_reals[:nb, BODY_REAL.GRAVITY : BODY_REAL.GRAVITY + 3]
    about = max(
        float(np.max(np.abs(gravity), initial=0.0)) / scales.length,
        float(np.max(np.abs(v), initial=0.0)) ** 2,
    )
    if not np.any(v):
        return Axes(P, np.zeros(3), float(np.max(np.abs(a), initial=0.0)) / about if about else 0.0)
    units = np.eye(3)[2:] if planar else np.eye(3)
    columns = np.array([cross_blocks(planar, e, nb) @ v for e in units]).T
    omega = np.zeros(3)
    if np.max(np.abs(a), initial=0.0) > TURNING * about:
        omega = units.T @ np.linalg.lstsq(columns, a, rcond=None)[0]
    turn = cross_blocks(planar, omega, nb)
    jerk = _jerk(evaluator, scales, state, found, SHORTLY / np.sqrt(about))
    left = float(np.max(np.abs(a - turn @ v))) / about
    return Axes(P, omega, max(left, float(np.max(np.abs(jerk - turn @ a))) / about**1.5))


def _jerk(evaluator: Evaluator, scales: Scales, state: State, found: Balance, tau: float) -> Array:
    """Rate of the accelerations in the world, from the states just before and just after."""
    sides = []
    for h in (-tau, tau):
        q = evaluator.retract(state.q, h * state.v + 0.5 * h * h * found.a)
        near = balance(evaluator, scales, State(state.t + h, q, state.v + h * found.a, state.angles))
        sides.append(to_world(evaluator) @ (near.a / scales.column))
    return (sides[1] - sides[0]) / (2.0 * tau)


def to_world(evaluator: Evaluator) -> Array:
    """P: rotations from the axes of each body to those of the world; displacements are there already."""
    mechanism = evaluator.mechanism
    P = np.eye(mechanism.nv)
    if not mechanism.planar:
        for b in range(len(mechanism.bodies)):
            at = slice(6 * b + 3, 6 * b + 6)
            P[at, at] = rotation(evaluator.work.pose, b)
    return P


def cross_blocks(planar: bool, omega: Array, bodies: int) -> Array:
    """Ω × for the displacement and the rotation of every body."""
    if not planar:
        return np.asarray(np.kron(np.eye(2 * bodies), cross_matrix(omega)))
    block = np.zeros((3, 3))
    block[:2, :2] = cross_matrix(omega)[:2, :2]
    return np.asarray(np.kron(np.eye(bodies), block))


def spins(evaluator: Evaluator) -> Array:
    """ω × for the rotation of every body, each with its own ω, in the world."""
    mechanism = evaluator.mechanism
    out = np.zeros((mechanism.nv, mechanism.nv))
    if not mechanism.planar:
        for b in range(len(mechanism.bodies)):
            pose = evaluator.work.pose
            w_W = rotation(pose, b) @ pose[b, POSE.W : POSE.W + 3]
            out[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = cross_matrix(w_W)
    return out
