"""Joints: click where two bodies lie over each other, look at what is proposed, and take it with Enter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from PySide6.QtCore import QPoint, Qt

from app.document.document import Edit, Ref
from app.edits.building.connect import insert_joint
from app.session.session import Session
from app.tools.base import Pointer
from app.tools.connect.axis_guess import Axis, axes_at
from app.tools.connect.joint_card import JointCard
from app.tools.connect.pick_tools import PickTool, selected
from app.tools.connect.slider_guide import (
    guide_axes,
    guided_block,
    is_joined,
    locked,
    mobilities,
    takes_block,
)
from app.tools.draw.draft_paint import Ink
from app.tools.draw.return_to_start import to_start
from app.tools.draw.typed_numbers import Typed
from app.tools.snap_targets import local, point_on_body, turned
from app.tools.snapping import Array, Snapped
from engine.elements.base import WORLD, Anchor, Directions
from engine.elements.bodies.shapes import Cylinder
from engine.elements.joints import JOINTS
from engine.errors import SceneError
from engine.maths.round_numbers import tidy
from engine.model.mass import rotation

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

LIES_FLAT = 1e-3  # sine of the angle between the axle of a wheel and the normal of its plane
ARM = 0.18  # of the extent: length of the axis that is drawn
SAME_PLACE = 1e-9  # of the extent: nearer than this, two points give no direction
AXES = (Directions.AXIS, Directions.OF_B, Directions.TWO_AXES)  # a direction says something


@dataclass(frozen=True)
class Proposal:
    """A joint that is not there yet."""

    kind: str
    a: str
    b: str
    place: Snapped
    axis: Axis | None = None
    block: bool | None = None  # a new block slides, pinned to B if there is one; None: as it suits B


def needs_axis(kind: str, planar: bool) -> bool:
    """Whether a direction must be chosen."""
    return JOINTS[kind].directions in AXES and (not planar or JOINTS[kind].planar_axis_is_x)


class JointTool(PickTool):
    """One kind of joint; the kind, the bodies and the axis can be changed before it is made."""

    kind: ClassVar[str] = "revolute"

    def __init__(self, viewport: ViewportWidget, session: Session) -> None:
        super().__init__(viewport, session)
        self.proposal: Proposal | None = None
        self._card: JointCard | None = None
        self._ends: list[Array] | None = None  # of the axis, while its two points are being clicked

    def instruct(self) -> str:
        title = JOINTS[self.kind].title
        if self._ends is not None:
            nth = "second" if self._ends else "first"
            return f"Axis through two points: click the {nth} one. Esc: back to the joint."
        if self.proposal is not None:
            return "Enter makes the joint (Shift: the tool stays), Esc drops it; click elsewhere to move it."
        if len(selected(self.session, "bodies")) == 2:
            one, two = selected(self.session, "bodies")
            return f"{title}: click where {one} and {two} are joined."
        if takes_block(self.kind):
            return f"{title}: click the end of a rod, two bodies that overlap, or an empty place for a block."
        return f"{title}: click where two bodies overlap, or Shift+click both first; one alone: ground."

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        if self._ends is not None:
            self._confirm_end(place)
            return
        to_start(self.session)
        chosen = selected(self.session, "bodies")
        known = {body.name for body in self.session.document.scene.bodies}
        chosen = [name for name in chosen if name in known]
        bodies = chosen if len(chosen) == 2 else self.bodies_at(place)
        if not bodies and not takes_block(self.kind):
            raise ValueError("there is no body here: click on one")
        a, b = (bodies[1], bodies[0]) if len(bodies) > 1 and not pin else (WORLD, bodies[0] if bodies else "")
        own = self.proposal.axis if self.proposal is not None else None
        axis = own if own is not None and own.given else None
        self.propose(Proposal(self.kind, a, b, place, axis))

    def propose(self, proposal: Proposal) -> None:
        """Show a joint before it is made."""
        self._ends = None
        proposal = replace(proposal, block=self._as_block(proposal))
        axes = self.axes(proposal)
        if proposal.axis is None or not needs_axis(proposal.kind, self.viewport.view.stage.planar):
            proposal = replace(proposal, axis=axes[0] if axes else None)
        self.proposal = proposal
        if self._card is None:
            self._card = JointCard(self.viewport, self)
        self._card.show_proposal(proposal, axes, self._warning(proposal))
        self._card.move_near(self._pixel(proposal.place.point))
        self._refresh()

    def _as_block(self, proposal: Proposal) -> bool:
        """Whether a block slides: a body that other joints hold would be kept from turning with them."""
        if not takes_block(proposal.kind) or not proposal.b:
            return not proposal.b
        if proposal.block is None:
            return is_joined(self.session.document.scene, proposal.b)
        return proposal.block

    def set_axis(self, axis: Axis | None) -> None:
        """Show another axis; None while what is typed is none."""
        if self.proposal is not None:
            self.proposal = replace(self.proposal, axis=axis)
            self._refresh()

    def pick_axis(self) -> None:
        """The next two clicks say the direction of the axis."""
        if self.proposal is not None:
            self._ends = []
            if self._card is not None:
                self._card.hide()
            self.viewport.setFocus()
            self._refresh()

    def _confirm_end(self, place: Snapped) -> None:
        assert self._ends is not None
        if not self._ends:
            self._ends.append(place.point)
            return
        way = place.point - self._ends[0]
        size = float(np.linalg.norm(way))
        if not size > SAME_PLACE * self.viewport.view.stage.extent:
            raise ValueError("both points are at one place: click another one")
        proposal, self._ends = self.proposal, None
        if proposal is not None:
            self.propose(replace(proposal, axis=Axis("through two points", way / size, given=True)))

    def axes(self, proposal: Proposal) -> list[Axis]:
        view = self.viewport.view
        if not needs_axis(proposal.kind, view.stage.planar):
            return []
        if proposal.block:
            return guide_axes(view, proposal.a, proposal.b, proposal.place.point, self.normal)
        slides = "displacement" in JOINTS[proposal.kind].coordinates_in(
            "planar" if view.stage.planar else "spatial"
        )
        bodies = [name for name in (proposal.b, proposal.a) if name != WORLD]
        found = axes_at(view, bodies, along=slides, normal=self.normal)
        extra = self._from_rim(proposal) if JOINTS[proposal.kind].on_wheel else None
        return [extra, *found] if extra is not None else found

    def _from_rim(self, proposal: Proposal) -> Axis | None:
        """A wheel rolls on a plane that its spoke to the spot is across."""
        centre = self._wheel(proposal.b)
        if centre is None:
            return None
        way = centre[0] - proposal.place.point
        if not np.linalg.norm(way) > 0.0:
            return None
        if self._turns_about_axis(proposal.kind):
            return Axis("along the axle", self.viewport.view.stage.poses[proposal.b][1] @ centre[2])
        return Axis("towards the centre", way / np.linalg.norm(way))

    def _turns_about_axis(self, kind: str) -> bool:
        """The axis of a wheel's joint is its axle, and the flat that it rolls on is across the reference."""
        return JOINTS[kind].on_wheel and JOINTS[kind].directions is Directions.FRAME

    def _wheel(self, body: str) -> tuple[Array, float, Array] | None:
        """Centre in the world, radius, and axle in body axes of the first cylinder of a body."""
        view = self.viewport.view
        known = next((other for other in view.stage.scene.bodies if other.name == body), None)
        for shape in known.shapes if known is not None else ():
            pose = view.stage.poses.get(body)
            if isinstance(shape, Cylinder) and pose is not None:
                origin, R = pose
                centre = origin + R @ np.array([*shape.position, 0.0][:3], float)
                return centre, float(shape.radius), rotation(shape.orientation, float(shape.angle))[:, 2]
        return None

    def _warning(self, proposal: Proposal) -> str:
        """What should be known before the joint is made: these bodies are joined, or it locks some."""
        scene = self.session.document.scene
        pair = {proposal.a, proposal.b}
        for joint in scene.joints if not proposal.block else ():
            a, b = getattr(joint, "a", None), getattr(joint, "b", None)
            if a is not None and b is not None and {a.body, b.body} == pair:
                return f"joined by {joint.name} already"
        if self.session.not_yet:
            return ""
        try:
            stuck = locked(mobilities(scene, self._edit(proposal).after))
        except (SceneError, KeyError, ValueError):
            return ""  # the form says so when it is to be made
        if not stuck:
            return ""
        remedy = "take another axis, or another kind"
        if takes_block(proposal.kind) and not proposal.block:
            remedy = f"take a block that is pinned to {proposal.b} instead"
        return f"this locks {', '.join(stuck)}: {remedy}"

    def accept(self) -> None:
        """Make the joint that is shown, and say what that did; raises SceneError."""
        proposal = self.proposal
        if proposal is None:
            return
        before, edit, told = self.session.document.scene, self._edit(proposal), not self.session.not_yet
        self.insert(edit)
        self.viewport.setFocus()
        found = mobilities(before, edit.after) if told else None
        if found is None:
            return
        stuck, dof = locked(found), found[1].dof
        left = f"{dof} degree{'' if dof == 1 else 's'} of freedom"
        if stuck:
            text = f"{edit.text}: {', '.join(stuck)} cannot move any more, {left} without motions"
            self.session.message.emit("warning", f"{text}; undo (Ctrl+Z) takes it back", None)
        elif proposal.block:
            self.session.message.emit("info", f"{edit.text}: {left} without motions", None)

    def _edit(self, proposal: Proposal) -> Edit:
        """The edit that makes the joint; raises SceneError."""
        view, scene = self.viewport.view, self.session.document.scene
        p = proposal.place.point
        axis = proposal.axis.direction if proposal.axis is not None else None
        if proposal.block and axis is not None:
            own = self._point(proposal.b, proposal.place, p) if proposal.b else None
            return guided_block(view, scene, proposal.kind, proposal.a, proposal.b, (p, own), axis)
        fields: dict[str, Any] = {}
        p_B, axle, normal = p, None, None
        if JOINTS[proposal.kind].on_wheel:
            wheel = self._wheel(proposal.b)
            if wheel is not None:
                p_B, fields["radius"], axle = wheel
                normal = p_B - p if self._turns_about_axis(proposal.kind) else None
        if view.stage.planar and not needs_axis(proposal.kind, True):
            axis = None
        pose = view.stage.poses.get(proposal.a)
        direction = None if pose is None else turned(pose, axis)
        a = Anchor(
            body=proposal.a,
            point=self._point(proposal.a, proposal.place, p),
            axis=direction[:2] if direction is not None and view.stage.planar else direction,
            reference=self._towards(proposal.a, normal),
        )
        b = Anchor(
            body=proposal.b,
            point=self._point(proposal.b, proposal.place, p_B),
            axis=None if view.stage.planar or normal is not None else self._across(proposal.b, axle, axis),
        )
        return insert_joint(scene, proposal.kind, a, b, **fields)

    def _towards(self, body: str, normal: Array | None) -> tuple[float, ...] | None:
        """A direction of the world in axes of a body, as an anchor has it."""
        pose = self.viewport.view.stage.poses.get(body)
        if pose is None or normal is None or not np.linalg.norm(normal) > 0.0:
            return None
        found = turned(pose, normal / np.linalg.norm(normal))
        return found[:2] if found is not None and self.viewport.view.stage.planar else found

    def _across(self, body: str, axle: Array | None, normal: Array | None) -> tuple[float, ...] | None:
        """The axle as it is written, unless it is along the normal, on which no wheel can roll."""
        pose = self.viewport.view.stage.poses.get(body)
        if axle is None or normal is None or pose is None:
            return None
        lies = np.linalg.norm(np.cross(pose[1] @ axle, normal)) < LIES_FLAT
        return None if lies else tuple(map(tidy, axle))

    def _point(self, body: str, place: Snapped, p: Array) -> Any:
        if place.target is not None and p is place.point:
            return point_on_body(self.viewport.view, body, place.target)
        return local(self.viewport.view, body, p)

    def click(self, at: Pointer) -> None:
        """With Shift, bodies are chosen first: body, body, then the point."""
        if self._ends is not None or not at.modifiers & Qt.KeyboardModifier.ShiftModifier:
            super().click(at)
            return
        self.hover(at)
        bodies = [] if self.aimed is None else self.bodies_at(self.aimed)
        if bodies:
            self.session.selection.toggle(Ref("bodies", bodies[0]))
        else:
            self.note = "there is no body here: click on one"
        self._refresh()

    def _title(self, place: Snapped) -> str:
        """Nothing beside the form, which says it all."""
        return "" if self.proposal is not None and self._ends is None else super()._title(place)

    def double_click(self, at: Pointer) -> None:
        """The first click proposed the joint, the second one takes it."""
        if self._ends is not None:
            self.click(at)
        elif self._card is not None and self.proposal is not None:
            self._card.accept()

    def forget(self) -> None:
        self._drop()
        super().forget()

    def end(self) -> None:
        super().end()
        if self._card is not None:
            self._card.setParent(None)
            self._card.deleteLater()
            self._card = None

    def scene_changed(self) -> None:
        if self.proposal is not None:
            known = {body.name for body in self.session.document.scene.bodies} | {WORLD, ""}
            if not {self.proposal.a, self.proposal.b} <= known:
                self.forget()

    def step_back(self) -> bool:
        if self.proposal is None:
            return False
        if self._ends is not None:  # back to the form
            self.propose(self.proposal)
            return True
        self._drop()
        return True

    def _drop(self) -> None:
        self.proposal = self._ends = None
        if self._card is not None:
            self._card.hide()

    def _pixel(self, p: Array) -> QPoint:
        x, y = self.viewport.view.camera.project(p)
        ratio = self.viewport.devicePixelRatioF()
        return QPoint(round(x / ratio), round(y / ratio))

    def paint(self, painter: Any) -> None:
        super().paint(painter)
        if self.proposal is not None:
            ink, p = Ink(painter, self.viewport), self.proposal.place.point
            if self.proposal.axis is not None:
                arm = ARM * self.viewport.view.stage.extent * self.proposal.axis.direction
                ink.line([p - arm, p + arm], width=1.6, dashed=True)
                ink.head(p, p + arm)
            ink.dot(p, grounded=WORLD in (self.proposal.a, self.proposal.b))
            if self._ends and self.aimed is not None:
                ink.line([self._ends[0], self.aimed.point], width=1.6)
                ink.dot(self._ends[0])
