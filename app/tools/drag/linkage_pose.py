"""Leading a body by hand while nothing runs: its linkage follows on the constraints, or it moves alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.document.document import Edit
from app.edits import move_start
from app.session.session import Session
from engine.analyses.drag.dragging import STEPS, Dragging
from engine.analyses.drag.gripped import GrippedLinkage
from engine.analyses.drag.grips import Grip
from engine.compiled.layout import Array
from engine.errors import SceneError
from engine.maths.rotations import quaternion_of
from engine.model.poses import Poses, given_pose
from engine.model.resolve import resolve
from engine.system.assembly.strategies import references
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.prepared import prepare

MET = 1e-6  # lengths: a point so near to its target is there
UNMOVED = 1e-12  # m, or of a rotation matrix
FULL_TURN = 2.0 * np.pi


class LinkagePose:
    """One drag of one body, from where it is shown; `commit` makes where it ends the start of the scene."""

    def __init__(self, session: Session, body: str, points: Sequence[Array]) -> None:
        """`points` of the body, in its own frame; the first one is what is held."""
        self.session, self.body = session, body
        self.scene = session.document.scene
        self.points = [np.asarray(p, float) for p in points]
        self.before: Poses = dict(session.poses())
        self.poses: Poses = {body: self.before[body]}
        self.mechanism: Mechanism | None = None
        self._dragging: Dragging | None = None
        self.open_joints = False  # the joints do not close: the body moves alone
        self.arrived = self.reaches = True
        try:
            self.mechanism = prepare(self.scene).mechanism
            self._dragging = self._begin(self.mechanism)
        except (SceneError, ArithmeticError, ValueError, np.linalg.LinAlgError):  # numbers of no use, too
            self.open_joints = True
        if self._dragging is not None and not self._dragging.linkage.closed:
            self._dragging, self.open_joints = None, True

    def _begin(self, mechanism: Mechanism) -> Dragging:
        q = _coordinates(mechanism, self.before)
        evaluator = Evaluator(mechanism)
        t = self.session.t
        angles = self._turns(mechanism)
        if angles is None:
            angles = references(mechanism, evaluator, t, q, ())
        b = mechanism.bodies.index(self.body)
        grips = [Grip(b, p - mechanism.com[b]) for p in self.points]
        return Dragging(GrippedLinkage(mechanism, grips, t=t, q=q, angles=angles, evaluator=evaluator))

    def _turns(self, mechanism: Mechanism) -> Array | None:
        """Angles with their whole turns, where the run that is shown knows them."""
        run = self.session.current
        if run is None or run.empty or self.session.shown.by_hand:
            return None
        segment, sample = run.sample_at(self.session.t)
        if not segment.mechanism.same_structure(mechanism):
            return None
        return np.array(sample[segment.layout.angles])

    # what is known

    @property
    def place(self) -> Array:
        """Where the held point is."""
        origin, R = self.poses[self.body]
        return np.asarray(origin + R @ self.points[0])

    @property
    def directions(self) -> Array:
        """In which it can move, the freest first."""
        if self._dragging is not None:
            return self._dragging.linkage.directions
        return np.eye(3)[: 2 if self.scene.space == "planar" else 3]

    @property
    def dof(self) -> int:
        if self._dragging is not None:
            return self._dragging.linkage.dof
        return 3 if self.scene.space == "planar" else 6

    @property
    def alone(self) -> bool:
        """Whether no other body comes along."""
        return self._dragging is None or len(self._dragging.linkage.bodies) == 1

    @property
    def released(self) -> tuple[str, ...]:
        """Motions that had to let go."""
        return self._dragging.linkage.released if self._dragging is not None else ()

    @property
    def held(self) -> tuple[str, ...]:
        """Motions that hold."""
        return self._dragging.linkage.held if self._dragging is not None else ()

    @property
    def violation(self) -> float:
        return self._dragging.linkage.violation if self._dragging is not None else 0.0

    @property
    def length(self) -> float:
        return self._dragging.linkage.length if self._dragging is not None else 1.0

    # moving

    def follow(
        self,
        targets: Array,
        sight: Array | None = None,
        *,
        steps: int = STEPS,
        seconds: float = math.inf,
    ) -> None:
        """Lead the points there, as far as they go, and show it."""
        wanted = np.asarray(targets, float).reshape(-1, 3)
        if not np.isfinite(wanted).all():
            return
        if self._dragging is not None:
            reached = self._dragging.follow(wanted, sight=sight, steps=steps, seconds=seconds)
            self.poses = self._dragging.linkage.poses()
            self.arrived = reached.arrived
            self.reaches = reached.distance <= MET * self._dragging.linkage.length
        else:
            origin, R = self.poses[self.body]
            self.poses = {self.body: (origin + wanted[0] - self.place, R)}
        self.session.shown.pose_by_hand(self.poses)

    def place_at(self, origin: Array, R: Array) -> None:
        """Put a body that is alone at a pose, and show it."""
        self.poses = {self.body: (np.asarray(origin, float), np.asarray(R, float))}
        self.session.shown.pose_by_hand(self.poses)

    def commit(self, text: str) -> Edit | None:
        """Make what is shown the start; None when nothing has moved. Raises SceneError."""
        shown: Poses = {**self.before, **self.poses}
        given = {body.name: body for body in resolve(self.scene).bodies}
        moved = {
            name: pose
            for name, pose in shown.items()
            if name in given and not given[name].fixed and _differs(pose, given_pose(given[name]))
        }
        if not moved or not _differs_any(self.before, self.poses):
            return None
        return move_start(self.scene, moved, text, before=self.mechanism)


def _differs(one: tuple[Array, Array], two: tuple[Array, Array]) -> bool:
    return bool(max(np.abs(one[0] - two[0]).max(), np.abs(one[1] - two[1]).max()) > UNMOVED)


def _differs_any(before: Poses, after: Poses) -> bool:
    return any(_differs(before[name], pose) for name, pose in after.items())


def _coordinates(mechanism: Mechanism, poses: Poses) -> Array:
    """q of these poses; bodies without one are where the scene puts them."""
    q, width = mechanism.q.copy(), 3 if mechanism.planar else 7
    for b, name in enumerate(mechanism.bodies):
        if name not in poses:
            continue
        origin, R = poses[name]
        centre, at = origin + R @ mechanism.com[b], b * width
        if mechanism.planar:
            angle = float(np.arctan2(R[1, 0], R[0, 0]))
            q[at : at + 2] = centre[:2]
            q[at + 2] = angle + FULL_TURN * round((q[at + 2] - angle) / FULL_TURN)
        else:
            q[at : at + 3], q[at + 3 : at + 7] = centre, quaternion_of(R)
    return q
