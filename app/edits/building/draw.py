"""New bodies by drawing: where they lie, what they are made of, and what they are joined to, in one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from app.document.document import Edit, Ref, find
from app.edits.elements.add_remove import free_name
from app.platform.element_colors import PALETTE
from engine.elements.base import WORLD, Anchor, Number, Vec
from engine.elements.bodies.body import Body, Point
from engine.elements.bodies.shapes import Outline, Rod, Shape
from engine.elements.joints import JOINTS
from engine.errors import Problem, SceneError
from engine.maths.rotations import quaternion_of
from engine.maths.round_numbers import exact_angle, nice, tidy
from engine.model.scene import Scene

Array = NDArray[np.float64]

DENSITY = 7850.0  # kg/m³: steel
RADIUS = 0.04  # of a first bar per length: cranks come first, and longer bars are as thick
PLATE = 0.02  # thickness of a plate per size
SHORTEST = 1e-9  # m; shorter is no length at all
CORNERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Placement:
    """Where a body frame lies in the world. `angle` keeps what the user typed, in planar scenes."""

    origin: Array
    axes: Array = field(default_factory=lambda: np.eye(3))  # columns, in the world
    angle: Number | None = None

    def local(self, p: Array) -> Array:
        return np.asarray(self.axes.T @ (np.asarray(p, float) - self.origin))

    def fields(self, space: str) -> dict[str, Any]:
        """Pose of a body, or of a shape in a body."""
        if space == "planar":
            turned = float(np.arctan2(self.axes[1, 0], self.axes[0, 0]))
            return {
                "position": tuple(map(tidy, self.origin[:2])),
                "angle": exact_angle(turned) if self.angle is None else self.angle,
            }
        found: dict[str, Any] = {"position": tuple(map(tidy, self.origin))}
        if not np.allclose(self.axes, np.eye(3), atol=1e-12):
            found["orientation"] = tuple(map(tidy, quaternion_of(self.axes)))
        return found


@dataclass(frozen=True)
class Meeting:
    """Where a new body is joined: its own point, and the other body with a point of it."""

    own: str  # name of the point
    body: str = WORLD
    point: Vec | str | None = None
    axis: Vec | None = None  # in the frame of the other body
    kind: str = "revolute"


@dataclass(frozen=True)
class Drawn:
    """What was drawn, before it is a body: shapes and points in its frame."""

    stem: str  # of its name: bar, plate
    place: Placement
    shapes: tuple[Shape, ...]
    points: tuple[Point, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    mass: Number | None = None


def drawn_bar(
    place: Placement, length: Number, value: float, radius: float, meetings: Sequence[Meeting] = ()
) -> Drawn:
    """A bar from A to B along x of its frame; `value` is what the length is now."""
    if not value > SHORTEST:
        raise _refused("length", value, "a bar needs two different ends", "click another place for its end")
    rod = Rod(start=(0.0, 0.0, 0.0), end=(length, 0.0, 0.0), radius=radius, density=DENSITY)
    points = (Point(name="A", position=(0.0, 0.0, 0.0)), Point(name="B", position=(length, 0.0, 0.0)))
    return Drawn("bar", place, (rod,), points, tuple(meetings))


def drawn_plate(
    place: Placement, corners: Sequence[Array], thickness: float, meetings: Sequence[Meeting] = ()
) -> Drawn:
    """A plate with these corners, shape (n, 2), in its frame; they are its points A, B, C …"""
    check_outline(corners)
    flat = tuple((tidy(x), tidy(y)) for x, y in corners)
    plate = Outline(points=flat, thickness=thickness, density=DENSITY)
    points = tuple(Point(name=corner_name(i), position=(x, y, 0.0)) for i, (x, y) in enumerate(flat))
    return Drawn("plate", place, (plate,), points, tuple(meetings))


def corner_name(index: int) -> str:
    """A, B, … Z, A2, B2 …"""
    turn, letter = divmod(index, len(CORNERS))
    return CORNERS[letter] + (str(turn + 1) if turn else "")


def draw(scene: Scene, drawn: Drawn) -> Edit:
    """Add the body and its joints."""
    name = free_name(scene, "bodies", f"{drawn.stem} 1")
    others = [meeting.body for meeting in drawn.meetings]
    planar = scene.space == "planar"
    body = Body(
        name=name,
        color=next_color(scene),
        layer=free_layer(scene, others) if planar else 0,
        points=tuple(_flat(point) if planar else point for point in drawn.points),
        shapes=drawn.shapes,
        mass=drawn.mass,
        **drawn.place.fields(scene.space),
    )
    after = scene.add(body)
    for meeting in drawn.meetings:
        after = after.add(_joint(after, name, meeting))
    return Edit(f"Draw {name}", after)


def draw_into(scene: Scene, ref: Ref, drawn: Drawn, frame: Placement) -> Edit:
    """Add what was drawn to a body that lies at `frame`, so that it is made of several shapes."""
    body = find(scene, ref.element)
    if not isinstance(body, Body):
        raise _refused(str(ref), ref.name, f"{ref.name or 'this'} is no body", "select a body to add to")
    inner = Placement(frame.local(drawn.place.origin), frame.axes.T @ drawn.place.axes)
    pose = {**inner.fields(scene.space), "position": tuple(map(tidy, inner.origin))}
    shapes = tuple(msgspec.structs.replace(shape, **pose) for shape in drawn.shapes)
    return Edit(
        f"Add {drawn.stem} to {body.name}",
        scene.replace(msgspec.structs.replace(body, shapes=(*body.shapes, *shapes))),
    )


# defaults


def bar_radius(scene: Scene, length: float) -> float:
    """As the last bar has it, or a round number that suits the length, not the zoom: it gives the mass."""
    rods = [shape for body in scene.bodies for shape in body.shapes if isinstance(shape, Rod)]
    known = [float(rod.radius) for rod in rods if isinstance(rod.radius, int | float)]
    return known[-1] if known else nice(RADIUS * length)


def plate_thickness(size: float) -> float:
    return nice(PLATE * max(size, SHORTEST))


def next_color(scene: Scene) -> str:
    """The colour of the palette that the fewest bodies have."""
    used = Counter(body.color.upper() for body in scene.bodies)
    return min(PALETTE, key=lambda color: used[color.upper()])


def free_layer(scene: Scene, joined: Sequence[str]) -> int:
    """The lowest layer on which none of these bodies lies, so that bars pass each other."""
    taken = {body.layer for body in scene.bodies if body.name in joined}
    return next(layer for layer in range(1, len(taken) + 2) if layer not in taken)


# checks


def check_outline(corners: Sequence[Array]) -> None:
    """Raises SceneError for less than three corners, corners in a line, and sides that cross."""
    p = np.asarray(corners, float).reshape(-1, 2)
    remedy = "click at least three corners that enclose an area"
    if len(p) < 3:
        raise _refused("points", len(p), "a plate needs three corners", remedy)
    q = np.roll(p, -1, axis=0)
    if np.linalg.norm(q - p, axis=1).min() <= SHORTEST:
        raise _refused("points", len(p), "two corners lie at one place", remedy)
    area = 0.5 * float((p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]).sum())
    if abs(area) <= 1e-9 * float(np.ptp(p, axis=0).max()) ** 2:
        raise _refused("points", len(p), "the corners enclose no area", remedy)
    if crossing(p):
        raise _refused(
            "points", len(p), "two sides of the plate cross", "step back with Esc and go round the outline"
        )


def crossing(p: Array) -> bool:
    """Whether two sides of a closed polygon meet elsewhere than at a common corner."""
    n = len(p)
    for i in range(n):
        for j in range(i + 2, n):
            if (j + 1) % n != i and _meet(p[i], p[(i + 1) % n], p[j], p[(j + 1) % n]):
                return True
    return False


def _meet(a: Array, b: Array, c: Array, d: Array) -> bool:
    def side(p: Array, q: Array, r: Array) -> float:
        return float((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) * side(a, b, d) <= 0.0 and side(c, d, a) * side(c, d, b) <= 0.0


def _joint(scene: Scene, name: str, meeting: Meeting) -> Any:
    kind = JOINTS[meeting.kind]
    spec: Any = kind.spec
    return spec(
        name=free_name(scene, "joints", f"{kind.name} 1".replace("_", " ")),
        a=Anchor(body=meeting.body, point=meeting.point, axis=meeting.axis),
        b=Anchor(body=name, point=meeting.own),
    )


def _flat(point: Point) -> Point:
    return msgspec.structs.replace(point, position=point.position[:2])


def _refused(path: str, value: object, message: str, remedy: str) -> SceneError:
    return SceneError([Problem(path, value, message, remedy)])
