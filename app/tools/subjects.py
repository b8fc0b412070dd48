"""What the move tool takes hold of: a body with its linkage, a body of the ground, a point, a joint."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
import numpy as np

from app.commands import set_field
from app.document import Edit
from app.refs import Ref
from app.session import Session
from app.tools.leading import Leading
from app.tools.snapping import Array
from engine.elements.base import WORLD
from engine.system.compile import quaternion

ARM = 300.0  # lengths
STEPS = 60  # of the position problem: a typed number is reached in one go


class Subject(Protocol):
    """One thing that is moved, from the press to the release."""

    title: str
    centre: Array  # where the handles are, at the press
    axes: Array  # its own, columns
    turns: bool

    def move(self, shift: Array) -> None:
        """Show it displaced by so much from where it was."""

    def turn(self, R: Array) -> None:
        """Show it turned about its centre."""

    def place(self) -> Array:
        """Where its centre is shown now."""

    def commit(self) -> Edit | None:
        """One step to undo; None when nothing moved. Raises SceneError."""

    def cancel(self) -> None: ...


def subject_of(viewport: Any, session: Session) -> Subject | None:
    """What is selected, if it can be moved."""
    scene = session.document.scene
    for ref in session.selection.refs:
        item = session.document.element(ref.element)
        if item is None or ref.where not in ("bodies", "joints"):
            continue
        try:
            centre = np.asarray(viewport.view.position_of(ref), float)
        except (KeyError, StopIteration, ValueError):
            continue
        if not np.isfinite(centre).all():
            continue
        if scene.space == "planar":
            centre = np.array([centre[0], centre[1], 0.0])
        if ref.where == "bodies" and ref.name in session.poses():
            if ref.part:
                return PointSubject(session, ref, centre)
            return BodySubject(session, ref.name, centre, fixed=bool(item.fixed))
        if ref.where == "joints" and hasattr(item, "a") and hasattr(item, "b"):
            return JointSubject(session, ref.name, centre)
    return None


class BodySubject:
    """A body: its linkage follows on the joints; alone, or part of the ground, it goes exactly where told."""

    turns = True

    def __init__(self, session: Session, name: str, centre: Array, *, fixed: bool) -> None:
        self.session, self.title, self.centre, self.fixed = session, name, centre, fixed
        origin, R = session.poses()[name]
        self._origin, self._R = np.asarray(origin, float), np.asarray(R, float)
        self.axes = self._R
        self._leading: Leading | None = None
        self._shown: tuple[Array, Array] | None = None

    def _begin(self, *, turning: bool) -> Leading | None:
        if self.fixed:
            return None
        if self._leading is None:
            p_B = self._R.T @ (self.centre - self._origin)
            lead = Leading(self.session, self.title, [p_B])
            if turning and not lead.alone:
                # long arms: the joints say where it turns about, the handle only by how much
                planar = self.session.document.scene.space == "planar"
                arms = ARM * lead.length * np.eye(3)[: 2 if planar else 3]
                ends = [p_B + sign * arm for arm in arms for sign in (-1.0, 1.0)]
                lead = Leading(self.session, self.title, [p_B, *ends])
            self._leading = lead
        return self._leading

    def move(self, shift: Array) -> None:
        lead = self._begin(turning=False)
        if lead is not None and not lead.alone:
            lead.follow(self.centre + shift, steps=STEPS)
        else:
            self._put(self._origin + shift, self._R)

    def turn(self, R: Array) -> None:
        lead = self._begin(turning=True)
        if lead is not None and not lead.alone:
            arms = np.array([self._R @ (p - lead.points[0]) for p in lead.points])
            lead.follow(self.centre + arms @ R.T, steps=STEPS)
        else:
            self._put(self.centre + R @ (self._origin - self.centre), R @ self._R)

    def _put(self, origin: Array, R: Array) -> None:
        self._shown = (origin, R)
        if self._leading is not None:
            self._leading.place_at(origin, R)
        else:
            self.session.pose_by_hand({self.title: (origin, R)})

    def place(self) -> Array:
        origin, R = self.session.poses()[self.title]
        return np.asarray(origin + R @ (self._R.T @ (self.centre - self._origin)))

    def commit(self) -> Edit | None:
        if self._leading is not None:
            return self._leading.commit(f"Move {self.title}")
        if self._shown is None:
            return None
        origin, R = self._shown
        scene = self.session.document.scene
        new: dict[str, Any] = {"position": tuple(map(float, origin))}
        if scene.space == "planar":
            new["angle"] = float(np.arctan2(R[1, 0], R[0, 0]))
        else:
            new["angle"], new["orientation"] = 0.0, tuple(map(float, quaternion(R)))
        bodies = tuple(
            msgspec.structs.replace(body, **new) if body.name == self.title else body for body in scene.bodies
        )
        return Edit(f"Move {self.title}", msgspec.structs.replace(scene, bodies=bodies))

    def cancel(self) -> None:
        if self.session.by_hand:
            self.session.pose_by_hand(None)


class _Place:
    """Something that is one place in the scene, shown as a mark until it is dropped."""

    turns = False
    title = ""

    def __init__(self, session: Session, centre: Array) -> None:
        self.session, self.centre, self.axes = session, centre, np.eye(3)
        self._shift = np.zeros(3)

    def move(self, shift: Array) -> None:
        self._shift = np.asarray(shift, float)

    def turn(self, R: Array) -> None:
        """A place has no direction."""

    def place(self) -> Array:
        return np.asarray(self.centre + self._shift)

    def cancel(self) -> None:
        self._shift = np.zeros(3)

    def _local(self, body: str) -> tuple[float, ...]:
        """The place in the frame of a body."""
        origin, R = (np.zeros(3), np.eye(3)) if body == WORLD else self.session.poses()[body]
        found = R.T @ (self.place() - origin)
        planar = self.session.document.scene.space == "planar"
        return tuple(float(x) for x in (found[:2] if planar else found))


class PointSubject(_Place):
    """A named point of a body."""

    def __init__(self, session: Session, ref: Ref, centre: Array) -> None:
        super().__init__(session, centre)
        self.ref, self.title = ref, f"{ref.part} of {ref.name}"
        self.axes = np.asarray(session.poses()[ref.name][1], float)

    def commit(self) -> Edit | None:
        if not self._shift.any():
            return None
        scene = self.session.document.scene
        return set_field(scene, [self.ref], "position", self._local(self.ref.name))


class JointSubject(_Place):
    """A joint: it sits at another place of both its bodies."""

    def __init__(self, session: Session, name: str, centre: Array) -> None:
        super().__init__(session, centre)
        self.title = name

    def commit(self) -> Edit | None:
        if not self._shift.any():
            return None
        scene = self.session.document.scene
        joints = []
        for joint in scene.joints:
            if joint.name == self.title:
                ends = {}
                for end in ("a", "b"):
                    anchor = getattr(joint, end)
                    known = anchor.body == WORLD or anchor.body in self.session.poses()
                    if known and not (end == "b" and anchor.point is None):
                        ends[end] = msgspec.structs.replace(anchor, point=self._local(anchor.body))
                joint = msgspec.structs.replace(joint, **ends)
            joints.append(joint)
        return Edit(f"Move {self.title}", msgspec.structs.replace(scene, joints=tuple(joints)))
