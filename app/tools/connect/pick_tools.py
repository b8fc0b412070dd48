"""Tools that pick what is there: a spot on bodies, a joint, or two points one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.document.document import Edit, Ref, refs_of
from app.session.session import Session
from app.tools.base import Pointer
from app.tools.draw.draft_paint import Ink
from app.tools.draw.draw_tool import DrawTool
from app.tools.draw.return_to_start import to_start
from app.tools.draw.typed_numbers import EntryField, Typed
from app.tools.snap_targets import local, point_on_body
from app.tools.snapping import Array, Snapped
from engine.elements.base import WORLD
from engine.errors import SceneError
from engine.system.prepared import prepare

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget


@dataclass(frozen=True)
class Spot:
    """A point of a body, or of the ground."""

    body: str
    point: Any  # name, or coordinates in the frame of the body
    place: Array  # in the world


class PickTool(DrawTool):
    """Nothing is typed; a click picks."""

    cursor = Qt.CursorShape.PointingHandCursor
    on_grid = False  # what is picked lies where the bodies are

    def fields(self) -> Sequence[EntryField]:
        return ()

    def aim(self, at: Pointer) -> Snapped | None:
        """In space a body is hit where it is seen; else as when drawing."""
        found = super().aim(at)
        if found is not None and (found.kind == "point" or self.viewport.view.stage.planar):
            return found
        for ref, place in self.viewport.view.queries.pick_places(*self.viewport.device(at.position)).items():
            if ref.where == "bodies":
                return Snapped(place, "free", f"on {ref.name}")
        return found

    def bodies_at(self, place: Snapped) -> list[str]:
        """Bodies at a place, that of its point first, then front to back."""
        found: list[str] = []
        target = place.target
        scene = self.session.document.scene
        if target is not None and target.where == "bodies":
            found.append(target.name)
        if target is not None and target.where == "joints":
            joint: Any = scene.joint(target.name)
            found += [name for name in (joint.b.body, joint.a.body) if name != WORLD]
        if self._pointer is not None:
            refs = self.viewport.refs_at(self._pointer.position)
            found += [ref.name for ref in refs if ref.where == "bodies"]
        return list(dict.fromkeys(found))

    def spot(self, place: Snapped, *, ground: bool = False) -> Spot:
        """The point of a body at a place; the ground where there is none and it may be; raises ValueError."""
        bodies, target = self.bodies_at(place), place.target
        if not bodies and not ground:
            raise ValueError("there is no body here: click on one")
        body = bodies[0] if bodies else WORLD
        view = self.viewport.view
        point = local(view, body, place.point) if target is None else point_on_body(view, body, target)
        return Spot(body, point, place.point)

    def joint_at(self, place: Snapped) -> str:
        """The joint at a place; raises ValueError."""
        if place.target is not None and place.target.where == "joints":
            return place.target.name
        if self._pointer is not None:
            for ref in self.viewport.refs_at(self._pointer.position):
                if ref.where == "joints":
                    return ref.name
        raise ValueError("there is no joint here: click on a pin or a slider")

    def insert(self, edit: Edit) -> None:
        """Apply an edit that adds one element, and select it; raises SceneError for one that is not sound.

        The tool is put away then, unless it is kept or Shift is held: the next click makes another one.
        """
        document = self.session.document
        apply_sound(document, edit, self.session)
        self.forget()
        held = bool(QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not held and not self.viewport.drafting.keeping:
            self.viewport.use_tool(None)


def apply_sound(document: Any, edit: Edit, session: Session) -> None:
    """Apply an edit unless it brings problems into the scene; what it added is selected."""
    before = set(refs_of(document.scene))
    known = {(problem.path, problem.message) for problem in prepare(document.scene).problems}
    found = prepare(edit.after).problems
    new = [problem for problem in found if (problem.path, problem.message) not in known]
    if new:
        raise SceneError(new)
    document.apply(edit)
    added = [ref for ref in refs_of(document.scene) if ref not in before]
    if added:
        session.selection.set(added[-1:])


class JointPickTool(PickTool):
    """One click on a joint; `make` gives the edit."""

    make: Callable[..., Edit]
    words: ClassVar[str] = ""

    def instruct(self) -> str:
        return self.words

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        to_start(self.session)
        self.insert(type(self).make(self.session.document.scene, self.joint_at(place)))


class PointPickTool(PickTool):
    """One click on a point of a body."""

    make: Callable[..., Edit]
    words: ClassVar[str] = ""

    def instruct(self) -> str:
        return self.words

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        found = self.spot(place)
        self.insert(type(self).make(self.session.document.scene, found.body, found.point))


class TwoPointTool(PickTool):
    """Two points of different bodies; empty places belong to the ground."""

    make: Callable[..., Edit]
    words: ClassVar[str] = ""

    def instruct(self) -> str:
        if not self.placed:
            return f"{self.words}: click its first point, on a body or on the ground."
        return "Click the second point, on another body or on the ground. Esc: step back."

    def __init__(self, viewport: ViewportWidget, session: Session) -> None:
        super().__init__(viewport, session)
        self._first: Spot | None = None

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        found = self.spot(place, ground=True)
        if not self.placed or self._first is None:
            self.placed, self.pinned, self._first = [place], [found.body == WORLD], found
            return
        first = self._first
        if found.body == first.body:
            other = self._other(place, first.body)
            if other is None:
                raise ValueError(f"both points are on {found.body}: click on another body")
            found = other
        if np.linalg.norm(found.place - first.place) < 1e-9:
            raise ValueError("both points are at one place: click another one")
        self.insert(type(self).make(self.session.document.scene, first, found))

    def _other(self, place: Snapped, taken: str) -> Spot | None:
        """The same place on another body that lies there too."""
        body = next((name for name in self.bodies_at(place) if name != taken), None)
        if body is None:
            return None
        return Spot(body, local(self.viewport.view, body, place.point), place.point)

    def preview(self, ink: Ink, place: Snapped, typed: Mapping[str, Typed]) -> None:
        if self.placed:
            ink.line([self.placed[0].point, place.point], dashed=True)


class JointsPickTool(PickTool):
    """Some joints, clicked one after the other."""

    make: Callable[..., Edit]
    words: ClassVar[str] = ""
    count: ClassVar[int] = 2

    def __init__(self, viewport: ViewportWidget, session: Session) -> None:
        super().__init__(viewport, session)
        self._joints: list[str] = []

    def instruct(self) -> str:
        nth = ("first", "second", "third")[min(len(self.placed), 2)]
        return f"{self.words}: click its {nth} joint. Esc: step back."

    def confirm(self, place: Snapped, typed: Mapping[str, Typed], *, pin: bool) -> None:
        joint = self.joint_at(place)
        self._joints = [*self._joints[: len(self.placed)], joint]
        if len(set(self._joints)) < len(self._joints):
            raise ValueError(f"{joint} is chosen already: click another joint")
        self.placed.append(place)
        self.pinned.append(False)
        if len(self._joints) >= self.count:
            chosen, self._joints = tuple(self._joints), []
            self.placed, self.pinned = [], []
            self.insert(type(self).make(self.session.document.scene, chosen))

    def preview(self, ink: Ink, place: Snapped, typed: Mapping[str, Typed]) -> None:
        if self.placed:
            ink.line([*(other.point for other in self.placed), place.point], dashed=True)


def selected(session: Session, where: str) -> list[str]:
    """Names of the selected elements of a list, in the order of choosing."""
    refs: tuple[Ref, ...] = session.selection.refs
    return list(dict.fromkeys(ref.name for ref in refs if ref.where == where))
