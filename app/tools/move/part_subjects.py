"""Parts that the move tool takes hold of: a point or a shape of a body, a joint on both its bodies.

They are shown as lines where they would go, until they are dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.document.document import Edit, find
from app.document.element_ref import Ref
from app.edits import set_field
from app.edits.geometry.joint_frames import anchored, axis_in_plane, frames_of
from app.edits.geometry.move_on_body import move_joint, move_shape
from app.session.session import Session
from app.viewport.visuals.bodies.shapes import shape_surface
from engine.compiled.layout import Array
from engine.elements.bodies.shapes import SHAPES, shape_kind
from engine.errors import SceneError
from engine.model.mass import rotation

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

ARM = 0.09  # of the extent: of the axes that are drawn of a joint
MAX_LINES = 3000  # of a shape


class _Carried:
    """One place with a direction, displaced from where it was."""

    title = ""
    turns = True

    def __init__(self, session: Session, centre: Array) -> None:
        self.session, self.centre, self.axes = session, np.asarray(centre, float), np.eye(3)
        self._shift, self._turn = np.zeros(3), np.eye(3)

    def move(self, shift: Array) -> None:
        self._shift, self._turn = np.asarray(shift, float), np.eye(3)

    def turn(self, R: Array) -> None:
        self._shift, self._turn = np.zeros(3), np.asarray(R, float)

    def place(self) -> Array:
        return np.asarray(self.centre + self._shift)

    def cancel(self) -> None:
        self._shift, self._turn = np.zeros(3), np.eye(3)

    @property
    def _moved(self) -> bool:
        return bool(self._shift.any() or not np.array_equal(self._turn, np.eye(3)))

    def lines(self) -> Array:
        return np.zeros((0, 2, 3))

    def _there(self, points: Array) -> Array:
        """Where world points of it would go."""
        return np.asarray(self.centre + (points - self.centre) @ self._turn.T + self._shift)


class PointSubject(_Carried):
    """A named point of a body."""

    turns = False

    def __init__(self, session: Session, ref: Ref, centre: Array) -> None:
        super().__init__(session, centre)
        self.ref, self.title = ref, f"{ref.part} of {ref.name}"
        self.axes = np.asarray(session.poses()[ref.name][1], float)

    def commit(self) -> Edit | None:
        if not self._shift.any():
            return None
        scene = self.session.document.scene
        origin, R = self.session.poses()[self.ref.name]
        p = R.T @ (self.place() - origin)
        numbers = tuple(float(x) for x in (p[:2] if scene.space == "planar" else p))
        return set_field(scene, [self.ref], "position", numbers)


class ShapeSubject(_Carried):
    """A shape of a body: it sits elsewhere in the frame of the body, which stays with its joints."""

    def __init__(self, session: Session, body: str, index: int, shape: Any, edges: Array) -> None:
        """`shape` in numbers; `edges` in the frame of the shape, shape (n, 2, 3)."""
        self._origin, self._R = (np.asarray(part, float) for part in session.poses()[body])
        p, own = np.array([*shape.position, 0.0][:3], float), rotation(shape.orientation, float(shape.angle))
        ends = shape_kind(shape).ends(shape)  # then its frame may be anywhere
        middle = np.mean([_three(point) for point in ends], axis=0) if ends is not None else np.zeros(3)
        super().__init__(session, self._origin + self._R @ (p + own @ middle))
        self.body, self.index = body, index
        self.title = f"{SHAPES[str(shape.__struct_config__.tag)].title.lower()} {index + 1} of {body}"
        self.axes = self._R @ own
        self._edges = self._origin + (p + edges @ own.T) @ self._R.T

    @classmethod
    def of(cls, viewport: ViewportWidget, session: Session, body: str, index: int) -> ShapeSubject | None:
        """None where its place cannot be told."""
        view = viewport.view
        known = next((other for other in view.stage.scene.bodies if other.name == body), None)
        if known is None or index >= len(known.shapes):
            return None
        shape = known.shapes[index]
        try:
            surface = shape_surface(shape, view.stage)
            made = cls(session, body, index, shape, surface.points[surface.lines[:MAX_LINES]])
        except (TypeError, ValueError):
            return None
        return made if np.isfinite(made.centre).all() else None

    def lines(self) -> Array:
        return self._there(self._edges)

    def commit(self) -> Edit | None:
        if not self._moved:
            return None
        R = self._R
        return move_shape(
            self.session.document.scene,
            Ref("bodies", self.body),
            self.index,
            R.T @ self._shift,
            R.T @ self._turn @ R,
            R.T @ (self.centre - self._origin),
        )


class JointSubject(_Carried):
    """A joint: it sits at another place of both its bodies, and looks another way on both."""

    def __init__(self, session: Session, ref: Ref, centre: Array, extent: float) -> None:
        super().__init__(session, centre)
        self.ref, self.title, self._arm = ref, ref.name, ARM * extent
        scene = session.document.scene
        item = anchored(scene, ref)
        self.turns = scene.space != "planar" or (item is not None and axis_in_plane(scene, item))
        try:
            frame = frames_of(scene, item)[0]
        except (SceneError, StopIteration):
            return  # with the axes of the world
        R = session.poses().get(item.a.body, (None, frame.place.R_WB))[1]
        self.axes = np.asarray(R @ frame.axes_B)

    def lines(self) -> Array:
        """Its own axes, the axis of the joint to both sides."""
        x, y, z = self._arm * self.axes.T
        p = self.centre
        along, others = (x, (y,)) if self._flat else (z, (x, y))
        return self._there(np.array([(p - along, p + along), *((p, p + other) for other in others)]))

    @property
    def _flat(self) -> bool:
        return self.session.document.scene.space == "planar"

    def commit(self) -> Edit | None:
        scene = self.session.document.scene
        if not self._moved or find(scene, self.ref) is None:
            return None
        return move_joint(scene, self.ref, self._shift, self._turn, self.centre, self.session.poses())


def _three(v: Any) -> Array:
    return np.array([*v, 0.0][:3], float)
