"""Which way a constraint row acts: an arrow along which it holds a length, or about which it holds an angle.

A row with gradient g pushes body B with the wrench g: force f at the centre of mass C and torque t_C. At the
marker P of the joint that is f and t_P = t_C − (P − C) × f. Where there is a force the row holds a length
along it; where there is none, an angle about t_P.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.elements.coordinates.frames import Frame
from engine.model.scene import kind_of
from engine.system.assembly.scaling import scales_of
from engine.system.compiling.mechanism import Mechanism, RowInfo
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import centre, rotation

NO_FORCE = 1e-9  # times a length: a force that counts for less beside the torque is rounding


@dataclass(frozen=True)
class RowArrow:
    """In the frame of a body or of the world: where it begins [m], and its direction, of length one."""

    body: str
    point: tuple[float, float, float]
    direction: tuple[float, float, float]
    turns: bool


def row_arrows(mechanism: Mechanism, evaluator: Evaluator, t: float, q: Array) -> dict[RowInfo, RowArrow]:
    """One for every row that acts on a body at all."""
    gradients = evaluator.at(t, q).jacobian
    pose = np.array(evaluator.work.pose)
    length = scales_of(mechanism).length
    found = {}
    for row, gradient in zip(mechanism.rows, gradients, strict=True):
        pair = _frames(mechanism, row)
        bodies = [frame.body for frame in reversed(pair)] if pair else range(len(mechanism.bodies))
        for b in bodies:
            if b >= len(mechanism.bodies) or not _of_body(mechanism, gradient, b).any():
                continue
            com, R = centre(pose, b), rotation(pose, b)
            own = next((frame for frame in pair or () if frame.body == b), None)
            at = com if own is None else com + R @ own.point
            made = _arrow(_of_body(mechanism, gradient, b), R, at - com, length)
            if made is not None:
                carrier = b if pair is None else pair[0].body
                found[row] = _seen_from(mechanism, pose, carrier, at, *made)
            break
    return found


def _frames(mechanism: Mechanism, row: RowInfo) -> tuple[Frame, Frame] | None:
    """Of the joint that a row belongs to, or that its motion drives."""
    name = row.name
    if row.owner == "motion":
        motion = mechanism.scene.motion(name)
        moved = kind_of(motion).moves(motion)
        name = moved.name if moved.owner == "joint" else ""
    return mechanism.joint_frames.get(name)


def _of_body(mechanism: Mechanism, gradient: Array, b: int) -> Array:
    """Force in the world and torque in body axes, shape (6,)."""
    if not mechanism.planar:
        return np.asarray(gradient[6 * b : 6 * b + 6])
    x, y, turn = gradient[3 * b : 3 * b + 3]
    return np.array([x, y, 0.0, 0.0, 0.0, turn])


def _arrow(wrench: Array, R: Array, arm: Array, length: float) -> tuple[Array, bool] | None:
    """The direction in the world, and whether it is one to turn about."""
    f = wrench[:3]
    torque = R @ wrench[3:] - np.cross(arm, f)
    push, turn = float(np.linalg.norm(f)) * length, float(np.linalg.norm(torque))
    if not np.isfinite(push + turn) or push + turn == 0.0:
        return None
    if push > NO_FORCE * turn:
        return f * (length / push), False
    return torque / turn, True


def _seen_from(
    mechanism: Mechanism, pose: Array, body: int, at: Array, direction: Array, turns: bool
) -> RowArrow:
    """In the frame of the body that carries it, so that it goes along."""
    if body >= len(mechanism.bodies):
        name, point, way = WORLD, at, direction
    else:
        R = rotation(pose, body)
        name, way = mechanism.bodies[body], R.T @ direction
        point = R.T @ (at - centre(pose, body)) + mechanism.com[body]
    x, y, z = (float(value) for value in point)
    u, v, w = (float(value) for value in way)
    return RowArrow(name, (x, y, z), (u, v, w), turns)
