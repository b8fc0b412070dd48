"""What visuals build on: the resolved scene, where its bodies are, sizes and colours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from app.platform.element_colors import PALETTE
from app.viewport.canvas.single_precision import MAX_COORDINATE
from app.viewport.canvas.style import Look, Style, lively, look
from app.viewport.canvas.surface import Array, Surface
from engine.elements.base import WORLD, Anchor
from engine.elements.bodies.body import Body
from engine.elements.coordinates.frames import Frame
from engine.elements.joints.base import JointSpec
from engine.errors import Problem
from engine.maths.expressions import ExpressionError, evaluate, parse
from engine.model.mass import mass_properties, rotation
from engine.model.poses import Pose, resolved_poses
from engine.model.resolve import Resolver, resolve_leniently
from engine.model.scene import Scene
from engine.system.compiling.frames import Frames

Poses = Mapping[str, Pose]

MIN_EXTENT = 1e-4  # m; extent of a scene that has none
SYMBOL = 0.017  # of the extent: radius of a pin
THINNEST, THICKEST = 0.009, 0.03  # of the extent
OUTGROWN = 1.25  # change of the extent from which on symbols get another size
LONGEST_GUIDE = 3.0  # of the extent: what slides farther is free, and has no guide of that length
CROWD = 60  # bodies and joints from which on each is drawn more simply
MASSES = 400  # and from which on as simply as can be, and merged
UP = {
    "": (0.0, 0.0, 1.0),
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}


class Stage:
    """One scene, ready to be drawn."""

    def __init__(self, scene: Scene, style: Style, folder: Path | None = None) -> None:
        self.folder = folder
        self.style = style
        self.matrices: dict[str, vtkMatrix4x4] = {
            name: vtkMatrix4x4() for name in (*(body.name for body in scene.bodies), WORLD)
        }
        # a body whose given place cannot be drawn stands at the origin
        self.poses: dict[str, Pose] = {name: (np.zeros(3), np.eye(3)) for name in self.matrices}
        self.t = 0.0
        self.extent = 1.0
        self.tops: dict[str, float] = {}  # planar: highest z of each body
        self.heights: dict[str, float] = {}  # planar: half the thickness of each body
        self.top = 0.0
        self.surfaces: dict[Any, dict[float, list[Surface]]] = {}  # of bodies by their look, by opacity
        self.unread: dict[str, str] = {}  # mesh files that could not be drawn, and why
        self.travels: Mapping[str, tuple[float, float]] = {}  # joint → displacements it goes between [m]
        self.take(scene, *resolve_leniently(scene))
        self.planar = self.scene.space == "planar"
        self.up = np.array(UP[self.scene.up])
        if self.planar and abs(self.up[2]) > 0.0:
            self.up = np.array([0.0, 1.0, 0.0])
        self.extent = self._extent()

    def take(self, scene: Scene, resolved: Scene, problems: list[Problem], *, move: bool = True) -> None:
        """The numbers of this scene, which has the same elements; `move`: bodies go where it puts them.

        Sizes of symbols stay as they are, so that only what is edited changes.
        """
        self.scene, self.problems = resolved, problems
        self.parameters = Resolver(scene).values
        self.frames = Frames(self.scene)
        self._bodies = {body.name: body for body in self.scene.bodies}
        self._numbers = {body.name: i for i, body in enumerate(self.scene.bodies)}
        self._anchors: dict[str, list[Array]] = {}
        self._pairs: dict[str, tuple[Any, tuple[Frame, Frame]]] = {}
        if move:
            self.move(resolved_poses(self.scene))

    @property
    def outgrown(self) -> bool:
        """Whether an edited scene is so much larger or smaller that symbols need another size."""
        ratio = self._extent() / self.extent
        return not 1.0 / OUTGROWN < ratio < OUTGROWN

    @property
    def look(self) -> Look:
        return look(self.style)

    def body(self, name: str) -> Body | None:
        return self._bodies.get(name)

    # motion

    def move(self, poses: Poses) -> None:
        """Put the bodies there; unknown names, and places that cannot be drawn, are left alone."""
        for name, (origin, R) in poses.items():
            matrix = self.matrices.get(name)
            if matrix is None or name == WORLD or not max(map(abs, origin)) < MAX_COORDINATE:
                continue
            self.poses[name] = (origin, R)
            x, y, z = origin
            (a, b, c), (d, e, f), (g, h, i) = R
            matrix.DeepCopy((a, b, c, x, d, e, f, y, g, h, i, z, 0.0, 0.0, 0.0, 1.0))

    def world_point(self, frame: Frame) -> Array:
        origin, R = self.poses[frame.name]
        return np.asarray(origin + R @ frame.p_B)

    def world_axes(self, frame: Frame) -> Array:
        return np.asarray(self.poses[frame.name][1] @ frame.axes_B)

    # anchors

    def pair(self, spec: Any) -> tuple[Frame, Frame]:
        """Frames A and B of a joint or of a force between two points."""
        if spec.name in self._pairs and self._pairs[spec.name][0] is spec:
            return self._pairs[spec.name][1]
        joint = isinstance(spec, JointSpec)
        a, b = self.frames.of_joint(spec) if joint else self.frames.pair(spec.a, spec.b)
        frames = self._drawn_on(a), self._drawn_on(b)
        self._pairs[spec.name] = (spec, frames)
        return frames

    def travel(self, joint: str) -> tuple[float, float] | None:
        """Between which displacements a slider goes [m]; None when that is not known, or without end."""
        found = self.travels.get(joint)
        return found if found is not None and found[1] - found[0] < LONGEST_GUIDE * self.extent else None

    def joint_pair(self, name: str) -> tuple[Frame, Frame]:
        return self.pair(self.scene.joint(name))

    def frame(self, body: str, point: object, axes: Array | None = None) -> Frame:
        """A frame at a point of a body, with the axes of the body or these."""
        return self.frames.point(body, point, axes)

    def anchors(self, body: str) -> list[Array]:
        """Points of a body at which something is attached, without doubles."""
        if not self._anchors:
            self._anchors = self._find_anchors()
        return self._anchors[body]

    def _find_anchors(self) -> dict[str, list[Array]]:
        found: dict[str, list[Array]] = {name: [] for name in self.matrices}
        for spec in (*self.scene.joints, *self.scene.forces):
            if isinstance(getattr(spec, "a", None), Anchor) and isinstance(getattr(spec, "b", None), Anchor):
                try:
                    for frame in self.pair(spec):
                        found[frame.name].append(frame.p_B)
                except (KeyError, ValueError):
                    continue
        for body in self.scene.bodies:
            found[body.name] += [np.array(point.position, float) for point in body.points]
        tolerance = 1e-6 * max(self.extent, MIN_EXTENT)
        return {name: _distinct(points, tolerance) for name, points in found.items()}

    def com(self, body: Body) -> Array:
        return mass_properties(body, self.scene.space).com

    def _drawn_on(self, frame: Frame) -> Frame:
        """What stands on a fixed body stands on the world."""
        return self.frames.in_world(frame) if frame.place.fixed else frame

    # sizes and colours

    def symbol_size(self, *frames: Frame) -> float:
        """Radius of a pin: a little more than the bars it goes through."""
        radii = [self._bar_radius(frame) for frame in frames]
        size = 1.3 * max(radii, default=0.0) or SYMBOL * self.extent
        return float(min(max(size, THINNEST * self.extent), THICKEST * self.extent))

    def sides(self, wanted: int) -> int:
        """Facets of a round thing: fewer where there are very many things."""
        if self.crowd < CROWD:
            return wanted
        return max(8, round((0.6 if self.crowd < MASSES else 0.3) * wanted))

    @property
    def crowd(self) -> int:
        """How many things there are to draw."""
        return len(self.scene.bodies) + len(self.scene.joints)

    def color(self, element: Any, default: str) -> str:
        return lively(element.color, self.style.dark) if element.color else default

    def body_color(self, body: Body) -> str:
        if body.color:
            return lively(body.color, self.style.dark)
        if body.fixed:
            return self.look.fixed
        number = self._numbers[body.name]
        return lively(PALETTE[number % len(PALETTE)], self.style.dark)

    def on_top(self, *frames: Frame, above: float = 0.0) -> float:
        """Planar scenes: the z at which a symbol lies upon these bodies, and that much above."""
        if not self.planar:
            return 0.0
        return max((self.tops.get(frame.name, 0.0) for frame in frames), default=0.0) + above

    @property
    def behind(self) -> float:
        """Planar scenes: a z that is behind every body."""
        return -1.1 * self.top - 0.02 * self.extent if self.planar else 0.0

    def value(self, function: object, t: float) -> float:
        """A function of time; 0 where it cannot be told."""
        if isinstance(function, int | float):
            return float(function)
        points = getattr(function, "points", None)
        if points is not None:
            rows = np.array(points, float)
            return float(np.interp(t, rows[:, 0], rows[:, 1]))
        try:
            return evaluate(parse(str(function)).root, {**self.parameters, "t": t, "x": 0.0, "v": 0.0})
        except (ExpressionError, ArithmeticError, KeyError, ValueError):
            return 0.0

    def _bar_radius(self, frame: Frame) -> float:
        radius = 0.0
        body = self._bodies.get(frame.name)
        for shape in body.shapes if body else ():
            start, end = getattr(shape, "start", None), getattr(shape, "end", None)
            if start is None or end is None:
                continue
            R = rotation(shape.orientation, float(shape.angle))
            p = R.T @ (frame.p_B - np.array(shape.position, float))
            r = float(shape.radius)  # type: ignore[attr-defined]
            if _distance(p.tolist(), as_vector(start).tolist(), as_vector(end).tolist()) < 1.5 * r:
                radius = max(radius, r)
        return radius

    def _extent(self) -> float:
        points = [origin for name, (origin, _) in self.poses.items() if name != WORLD]
        for name, (origin, R) in self.poses.items():  # a body whose place cannot be worked out has none
            points += [origin + R @ p for p in self.anchors(name)]
        for body in self.scene.bodies:
            if body.name not in self.poses:  # its place could not be worked out
                continue
            origin, R = self.poses[body.name]
            for shape in body.shapes:
                centre = origin + R @ np.array(shape.position, float)
                reach = _reach(shape)
                points += [centre - reach, centre + reach]
        cloud = np.array(points).reshape(-1, 3)
        cloud = cloud[np.isfinite(cloud).all(axis=1)]
        if not len(cloud):
            return 1.0
        size = float(np.linalg.norm(np.ptp(cloud, axis=0)))
        return size if size > MIN_EXTENT else max(float(np.abs(cloud).max()), MIN_EXTENT)


def _distance(p: Sequence[float], a: Sequence[float], b: Sequence[float]) -> float:
    """Of a point from a line between two others."""
    along = [y - x for x, y in zip(a, b, strict=True)]
    length = sum(d * d for d in along)
    s = sum((z - x) * d for z, x, d in zip(p, a, along, strict=True)) / length if length else 0.0
    s = min(max(s, 0.0), 1.0)
    return math.dist(p, [x + s * d for x, d in zip(a, along, strict=True)])


def _reach(shape: Any) -> float:
    """Roughly how far a shape goes from its position."""
    if hasattr(shape, "size"):
        return 0.5 * max(float(v) for v in shape.size)
    if hasattr(shape, "length"):
        return max(float(shape.radius), 0.5 * float(shape.length))
    return float(getattr(shape, "radius", 0.0))


def _distinct(points: Iterable[Array], tolerance: float) -> list[Array]:
    found: list[Array] = []
    kept: list[list[float]] = []  # the same: distances of few points are quicker without arrays
    for p in points:
        numbers = p.tolist()
        if all(map(math.isfinite, numbers)) and all(math.dist(numbers, q) > tolerance for q in kept):
            found.append(p)
            kept.append(numbers)
    return found


def as_vector(numbers: Sequence[Any]) -> Array:
    """Two or three numbers as a vector of three."""
    return np.array([*numbers, 0.0, 0.0, 0.0][:3], float)
