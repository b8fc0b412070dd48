"""Balance of forces at one state: accelerations, multipliers, and what single joints carry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.system.assembly.scaling import Scales, Subspaces, subspaces
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import centre, point, rotation


@dataclass(frozen=True)
class State:
    """Where the mechanism is, and the references of its tracked angles."""

    t: float
    q: Array
    v: Array
    angles: Array


@dataclass(frozen=True)
class Balance:
    """What a state does by itself."""

    a: Array
    multipliers: Array  # of least norm where rows repeat each other
    space: Subspaces  # of the dimensionless J


def balance(evaluator: Evaluator, scales: Scales, state: State) -> Balance:
    """Accelerations and multipliers in the null space, whatever the rank of J:

    a = a_p + N s,   J a_p = γ,   NᵀMN s = Nᵀ(Q − M a_p),   Jᵀλ = M a − Q
    """
    evaluator.at(state.t, state.q, state.v, state.angles)
    column = scales.column
    space = subspaces(scales.jacobian(evaluator.jacobian))
    mass = evaluator.mass_matrix() * np.outer(column, column)
    load = evaluator.forces() * column
    x = space.solve(evaluator.gamma / scales.row)
    if space.null.shape[1]:
        free = space.null
        x = x + free @ np.linalg.solve(free.T @ mass @ free, free.T @ (load - mass @ x))
    return Balance(x * column, multipliers_for(space, scales, mass @ x - load), space)


def multipliers_for(space: Subspaces, scales: Scales, load: Array) -> Array:
    """λ of least norm with Jᵀλ = load; the load is dimensionless, as columns of J are."""
    return (space.solve_transposed(load).T / scales.row).T


def reactions(evaluator: Evaluator, multipliers: Array) -> dict[str, tuple[Array, Array]]:
    """Force and torque that each joint applies to body B at its marker, in W [N, N·m].

    At the state that the evaluator was last at. The side whose body moves is read: the other carries the
    opposite.
    """
    mechanism, J = evaluator.mechanism, evaluator.jacobian
    moving, pose = len(mechanism.bodies), evaluator.work.pose
    found = {}
    for name, span in mechanism.joint_rows.items():
        frames = mechanism.joint_frames.get(name)
        if frames is None:
            continue
        A, B = frames
        body, sign = (B.body, 1.0) if B.body < moving else (A.body, -1.0)
        if body >= moving:
            continue
        load = sign * (multipliers[span.begin : span.end] @ J[span.begin : span.end])
        f_W, t_W = np.zeros(3), np.zeros(3)
        if mechanism.planar:
            f_W[:2], t_W[2] = load[3 * body : 3 * body + 2], load[3 * body + 2]
        else:
            f_W = load[6 * body : 6 * body + 3]
            t_W = rotation(pose, body) @ load[6 * body + 3 : 6 * body + 6]
        marker = point(pose, B.body, B.point)
        # from the centre of mass to the marker
        found[name] = (f_W, t_W + np.cross(centre(pose, body) - marker, f_W))
    return found
