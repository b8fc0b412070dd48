"""What the move tool takes hold of: a body with its linkage, or several as one; a part of one; a joint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import numpy as np

from app.document.document import Edit
from app.document.element_ref import Ref
from app.document.element_words import reason
from app.edits.elements.copies import chosen
from app.edits.geometry.move_together import going
from app.session.session import Session
from app.tools.drag.linkage_pose import LinkagePose
from app.tools.move.group_subject import GroupSubject
from app.tools.move.part_subjects import JointSubject, PointSubject, ShapeSubject
from engine.compiled.layout import Array
from engine.errors import SceneError
from engine.maths.rotations import quaternion_of

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

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

    def lines(self) -> Array:
        """What is drawn of it where it would go, as pairs of world points, shape (n, 2, 3)."""


def subject_of(viewport: ViewportWidget, session: Session) -> Subject | None:
    """What is selected, if it can be moved."""
    if session.not_yet:
        return None  # `refusal` says why
    bodies = bodies_together(session)
    if bodies:
        try:
            return _group(viewport, session, bodies)
        except SceneError:
            return None  # `refusal` says why
    scene = session.document.scene
    for ref in session.selection.refs:
        item = session.document.element(ref.element)
        if item is None or ref.where not in ("bodies", "joints"):
            continue
        try:
            centre = np.asarray(viewport.view.queries.position_of(ref), float)
        except (KeyError, StopIteration, ValueError):
            continue
        if not np.isfinite(centre).all():
            continue
        if scene.space == "planar":
            centre = np.array([centre[0], centre[1], 0.0])
        if ref.where == "bodies" and ref.name in session.poses():
            piece = session.selection.piece
            if ref.part:
                return PointSubject(session, ref, centre)
            if piece is not None and piece.where == "points" and piece.index < len(item.points):
                point = Ref("bodies", ref.name, item.points[piece.index].name)
                place = np.asarray(viewport.view.queries.position_of(point), float)
                return PointSubject(session, point, place * (1.0, 1.0, scene.space != "planar"))
            if piece is not None and piece.where == "shapes" and piece.index < len(item.shapes):
                made = ShapeSubject.of(viewport, session, ref.name, piece.index)
                if made is not None:
                    return made
            return BodySubject(session, ref.name, centre, fixed=bool(item.fixed))
        if ref.where == "joints" and hasattr(item, "a") and hasattr(item, "b"):
            return JointSubject(session, ref, centre, viewport.view.stage.extent)
    return None


def bodies_together(session: Session) -> list[Ref]:
    """The selected bodies, where there are several; those of selected groups too."""
    found = [ref for ref in chosen(session.document.scene, session.selection.refs) if ref.where == "bodies"]
    here = [ref for ref in found if ref.name in session.poses()]
    return here if len(here) > 1 else []


def refusal(session: Session) -> str:
    """Why what is selected cannot be moved now; empty where it can."""
    if session.not_yet:
        return session.not_yet
    bodies = bodies_together(session)
    try:
        going(session.document.scene, bodies) if bodies else None
    except SceneError as error:
        return reason(error)
    return ""


def _group(viewport: ViewportWidget, session: Session, bodies: list[Ref]) -> Subject:
    places = [np.asarray(viewport.view.queries.position_of(ref), float) for ref in bodies]
    centre = np.mean([place for place in places if np.isfinite(place).all()] or [np.zeros(3)], axis=0)
    if session.document.scene.space == "planar":
        centre[2] = 0.0
    return GroupSubject(viewport.view, session, bodies, centre)


class BodySubject:
    """A body: its linkage follows on the joints; alone, or part of the ground, it goes exactly where told."""

    turns = True

    def __init__(self, session: Session, name: str, centre: Array, *, fixed: bool) -> None:
        self.session, self.title, self.centre, self.fixed = session, name, centre, fixed
        origin, R = session.poses()[name]
        self._origin, self._R = np.asarray(origin, float), np.asarray(R, float)
        self.axes = self._R
        self._linkage: LinkagePose | None = None
        self._shown: tuple[Array, Array] | None = None

    def _begin(self, *, turning: bool) -> LinkagePose | None:
        if self.fixed:
            return None
        if self._linkage is None:
            p_B = self._R.T @ (self.centre - self._origin)
            lead = LinkagePose(self.session, self.title, [p_B])
            if turning and not lead.alone:
                # long arms: the joints say where it turns about, the handle only by how much
                planar = self.session.document.scene.space == "planar"
                arms = ARM * lead.length * np.eye(3)[: 2 if planar else 3]
                ends = [p_B + sign * arm for arm in arms for sign in (-1.0, 1.0)]
                lead = LinkagePose(self.session, self.title, [p_B, *ends])
            self._linkage = lead
        return self._linkage

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
        if self._linkage is not None:
            self._linkage.place_at(origin, R)
        else:
            self.session.shown.pose_by_hand({self.title: (origin, R)})

    def place(self) -> Array:
        origin, R = self.session.poses()[self.title]
        return np.asarray(origin + R @ (self._R.T @ (self.centre - self._origin)))

    def commit(self) -> Edit | None:
        if self._linkage is not None:
            return self._linkage.commit(f"Move {self.title}")
        if self._shown is None:
            return None
        origin, R = self._shown
        scene = self.session.document.scene
        new: dict[str, Any] = {"position": tuple(map(float, origin))}
        if scene.space == "planar":
            new["angle"] = float(np.arctan2(R[1, 0], R[0, 0]))
        else:
            new["angle"], new["orientation"] = 0.0, tuple(map(float, quaternion_of(R)))
        bodies = tuple(
            msgspec.structs.replace(body, **new) if body.name == self.title else body for body in scene.bodies
        )
        return Edit(f"Move {self.title}", msgspec.structs.replace(scene, bodies=bodies))

    def cancel(self) -> None:
        if self.session.shown.by_hand:
            self.session.shown.pose_by_hand(None)

    def lines(self) -> Array:
        """The body itself is moved."""
        return np.zeros((0, 2, 3))
