"""What single joints carry: multipliers as forces and torques at the markers, for all joints at once."""

from __future__ import annotations

import numpy as np

from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import rotations


class JointReactions:
    """Force and torque that each joint applies to body B at its marker, in W [N, N·m].

    The side whose body moves is read: the other carries the opposite. `names` are the joints that have two
    frames, one of them on a body that moves.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        system, moving = mechanism.system, len(mechanism.bodies)
        functions, block_bodies = system.coordinate_functions, system.block_bodies
        names: list[str] = []
        read: list[tuple[int, float]] = []  # the body, and the sign of what it feels
        entries: list[tuple[int, int, int]] = []  # joint, row, block of the body's gradient
        for name, span in mechanism.joint_rows.items():
            frames = mechanism.joint_frames.get(name)
            if frames is None or min(frame.body for frame in frames) >= moving:
                continue
            A, B = frames
            body, sign = (B.body, 1.0) if B.body < moving else (A.body, -1.0)
            for r in range(span.begin, span.end):
                number = system.rows[r, ROW.COORDINATE]
                begin, count = functions[number, [COORDINATE.BLOCK, COORDINATE.BLOCKS]]
                own = [k for k in range(begin, begin + count) if block_bodies[k] == body]
                entries += [(len(names), r, block) for block in own]
            names.append(name)
            read.append((body, sign))
        self.names = tuple(names)
        self._planar = mechanism.planar
        self._body = np.array([body for body, _ in read], np.int64)
        self._sign = np.array([sign for _, sign in read])
        self._entries = np.array(entries, np.int64).reshape(-1, 3)
        markers = [mechanism.joint_frames[name][1] for name in names]
        self._marked = np.array([frame.body for frame in markers], np.int64)
        self._marker = np.array([frame.point for frame in markers]).reshape(-1, 3)

    def at(self, evaluator: Evaluator, multipliers: Array) -> tuple[Array, Array]:
        """Forces and torques, shape (joints, 3) each, at the state that the evaluator was last at."""
        joint, row, block = self._entries.T
        loads = np.zeros((len(self.names), 6))
        np.add.at(loads, joint, multipliers[row, None] * evaluator.work.grad[block, :6])
        loads *= self._sign[:, None]
        pose, R = evaluator.work.pose, rotations(evaluator.work.pose)
        force, torque = np.zeros((len(loads), 3)), np.zeros((len(loads), 3))
        if self._planar:
            force[:, :2], torque[:, 2] = loads[:, :2], loads[:, 2]
        else:
            force, torque = loads[:, :3], np.einsum("kij,kj->ki", R[self._body], loads[:, 3:])
        centres = pose[:, POSE.P : POSE.P + 3]
        markers = centres[self._marked] + np.einsum("kij,kj->ki", R[self._marked], self._marker)
        # from the centre of mass to the marker
        return force, torque + np.cross(centres[self._body] - markers, force)
