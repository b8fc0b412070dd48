"""Idle spins: bodies that can turn about the line through their joints without moving anything else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.elements.coordinates.frames import Frame
from engine.system.assembly.scaling import Scales, subspaces
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

ON_AXIS = 1e-6  # m/s per m/s: how still a point on the axis of a spin is


@dataclass(frozen=True)
class PassiveRotation:
    """A body, the joints on its axis, and its spin as a velocity of the body, without units, shape (6,)."""

    body: str
    joints: tuple[str, ...]
    motion: Array

    def __str__(self) -> str:
        return f"{self.words}: one degree of freedom moves nothing else; {REMEDY}"

    @property
    def words(self) -> str:
        return f"{self.body} spins idly about the line through {' and '.join(self.joints)}"


REMEDY = "a universal joint in place of one ball would stop it"


def passive_rotations(
    mechanism: Mechanism,
    evaluator: Evaluator,
    J: Any,
    scales: Scales,
    joints: Iterable[str] | None = None,
) -> list[PassiveRotation]:
    """At the pose of the last evaluation, for the dimensionless J of some joints (all, unless given).

    J may be dense or sparse.
    """
    if mechanism.planar:
        return []
    known = mechanism.joint_frames
    frames = known if joints is None else {name: known[name] for name in joints if name in known}
    turning = {joint for joint, coordinate in mechanism.coordinates if coordinate == "angle"}
    at_body: list[list[tuple[str, Frame]]] = [[] for _ in range(len(mechanism.bodies) + 1)]  # the world last
    for joint, pair in frames.items():
        for frame in pair:
            at_body[frame.body].append((joint, frame))
    columns = scipy.sparse.csc_array(J)
    found = []
    for b, body in enumerate(mechanism.bodies):
        here = at_body[b]
        points = np.array([frame.point for _, frame in here]).reshape(-1, 3)
        apart = (
            len(points) > 1 and np.max(np.linalg.norm(points - points[0], axis=1)) > ON_AXIS * scales.length
        )
        if not apart or any(joint in turning for joint, _ in here):
            continue
        alone = subspaces(_rows_that_touch(columns, b)).null
        if alone.shape[1] != 1:
            continue
        motion = alone[:, 0] * scales.column[:6]
        pose = evaluator.work.pose[b]
        velocity, spin = pose[:9].reshape(3, 3).T @ motion[:3], motion[3:]
        still = np.linalg.norm(velocity + np.cross(spin, points), axis=1) <= ON_AXIS * scales.length
        if np.linalg.norm(spin) > ON_AXIS and still.all():
            found.append(PassiveRotation(body, tuple(dict.fromkeys(joint for joint, _ in here)), alone[:, 0]))
    return found


def _rows_that_touch(columns: Any, body: int) -> Array:
    """The columns of a body, without the rows that have nothing there."""
    own = columns[:, 6 * body : 6 * body + 6].tocsr()
    return np.asarray(own[np.flatnonzero(np.diff(own.indptr))].toarray())
