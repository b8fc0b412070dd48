"""A scene in natural coordinates: a row of hinged bodies, the first and perhaps the last held to ground.

That is the sort of the pendulum and of Bricard's mechanism in [Antón 2015, chapter 5]: a point and a unit
vector per hinge, shared by its two bodies, and the angle between each two of them. Hinges must be square to
the lines between them, so that sine and cosine define the angles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.elements.joints.revolute import RevoluteSpec
from engine.errors import Problem, SceneError
from engine.natural.model import NaturalModel
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import centre, point, rotation

SQUARE = 1e-6  # cosine between a hinge and a line that still counts as none
APART = 1e-6  # of the determinant of three unit directions that span a body


@dataclass(frozen=True)
class HingeChain:
    """The model, the body of every row, the joint of every free coordinate, and the angles."""

    model: NaturalModel
    row_bodies: tuple[str, ...]
    joints: dict[str, str]  # item → joint
    angles: tuple[str, ...]
    closed: bool


def hinge_chain(mechanism: Mechanism, evaluator: Evaluator, q: Array) -> HingeChain:
    """At the assembled pose q; raises SceneError for a scene that is no such chain."""
    evaluator.at(0.0, q)
    bodies, joints = _in_order(mechanism)
    pose = evaluator.work.pose
    model = NaturalModel(gravity=np.array(mechanism.scene.gravity, float))
    points, axes = [], []
    for name in joints:
        frame = next(f for f in mechanism.joint_frames[name] if f.body < len(mechanism.bodies))
        points.append(point(pose, frame.body, frame.point))
        axes.append(rotation(pose, frame.body) @ frame.axes[:, 2])
    closed = len(joints) > len(bodies)
    if not closed:  # the free end of the last body: as far beyond its centre of mass as its hinge is before
        last = mechanism.bodies.index(bodies[-1])
        points.append(2.0 * centre(pose, last) - points[-1])
        r = points[-1] - points[-2]
        axes.append(np.cross(r, axes[-1]) / np.linalg.norm(r))
    first = points[1] - points[0]
    model.add("P0", points[0], held=True)
    model.add("u0", axes[0], held=True)
    model.add("w", first / np.linalg.norm(first), held=True)
    owners = {}
    for i in range(1, len(bodies) + 1):
        held = closed and i == len(bodies)
        model.add(f"P{i}", points[i], held=held)
        model.add(f"u{i}", axes[i], held=held)
        owners[f"P{i}"] = owners[f"u{i}"] = joints[min(i, len(joints) - 1)]
    angles = []
    for i in range(1, len(bodies) + 1):
        angles.append(f"theta{i}")
        model.add_relative(angles[-1], _angle(model, i))
        owners[angles[-1]] = joints[i - 1]
    row_bodies: list[str] = []
    for i, body in enumerate(bodies, start=1):
        _add_body(model, mechanism, evaluator, i, body)
        row_bodies += [body] * (len(model.rows) - len(row_bodies))
    return HingeChain(model, tuple(row_bodies), owners, tuple(angles), closed)


def _in_order(mechanism: Mechanism) -> tuple[list[str], list[str]]:
    """Bodies from the ground on, and the joint before each; a last joint to ground closes the chain."""
    moving = set(mechanism.bodies)
    ends: dict[str, list[str]] = {}
    for joint in mechanism.scene.joints:
        if not isinstance(joint, RevoluteSpec):
            raise _refused(joint.name, f"joint {joint.name!r} is no revolute joint")
        ends[joint.name] = [
            frame.name for frame in mechanism.joint_frames[joint.name] if frame.name in moving
        ]
    if mechanism.planar or mechanism.motion_rows:
        raise _refused(mechanism.scene.space, "the scene is planar or has motions")
    start = [name for name, touched in ends.items() if len(touched) == 1]
    if not start:
        raise _refused("joints", "no joint holds a body to the ground")
    joints, bodies = [start[0]], [ends[start[0]][0]]
    while True:
        ahead = [n for n, touched in ends.items() if bodies[-1] in touched and n not in joints]
        if len(ahead) != 1:
            break
        joints.append(ahead[0])
        others = [b for b in ends[ahead[0]] if b != bodies[-1]]
        if not others or others[0] in bodies:
            break
        bodies.append(others[0])
    if len(bodies) != len(moving) or len(joints) != len(ends):
        raise _refused("joints", "the bodies do not stand in one row")
    return bodies, joints


def _refused(value: object, reason: str) -> SceneError:
    remedy = "natural coordinates are made for bodies in space that revolute joints join in one row"
    return SceneError([Problem("options.matrix", value, f"no natural coordinates: {reason}", remedy)])


def _angle(m: NaturalModel, i: int) -> float:
    before = m["w"] if i == 1 else m[f"P{i - 1}"] - m[f"P{i - 2}"]
    r, u = m[f"P{i}"] - m[f"P{i - 1}"], m[f"u{i - 1}"]
    return float(np.arctan2(np.cross(before, r) @ u, before @ r))


def _add_body(m: NaturalModel, mechanism: Mechanism, evaluator: Evaluator, i: int, body: str) -> None:
    r, before, after = (f"P{i - 1}", f"P{i}"), (f"u{i - 1}",), (f"u{i}",)
    along = m.direction(r)
    size = float(np.linalg.norm(along))
    spanned = np.array([along / size, m[before[0]], m[after[0]]]) if size else np.zeros((3, 3))
    if abs(np.linalg.det(spanned)) < APART:
        raise _refused(body, f"the hinges of {body!r} and the line between them do not span space")
    if abs(spanned[0] @ spanned[1]) > SQUARE or (i > 1 and abs(m[before[0]] @ _before(m, i)) > SQUARE):
        raise _refused(body, f"the first hinge of {body!r} is not square to the lines that meet in it")
    m.dot(r, r)
    m.dot(r, before)
    m.dot(r, after)
    m.dot(before, after)
    m.dot(after, after)
    m.angle(("w",) if i == 1 else (f"P{i - 2}", f"P{i - 1}"), r, before, f"theta{i}")
    number = mechanism.bodies.index(body)
    block = evaluator.mass_blocks()[number]
    R = rotation(evaluator.work.pose, number)
    directions = (((f"P{i}", 1.0), (f"P{i - 1}", -1.0)), ((f"u{i - 1}", 1.0),), ((f"u{i}", 1.0),))
    m.body(
        f"P{i - 1}",
        directions,
        float(block[0, 0]),
        centre(evaluator.work.pose, number),
        R @ block[3:, 3:] @ R.T,
    )


def _before(m: NaturalModel, i: int) -> Array:
    r = m[f"P{i - 1}"] - m[f"P{i - 2}"]
    return np.asarray(r / np.linalg.norm(r))
