"""Collects primitives, gauges, rows, laws and programs of a scene; `compile.py` lays them out as arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.elements.base import Anchor, Function
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointSpec
from engine.elements.laws import applied, line, motor
from engine.elements.rows import (
    Along,
    Angle,
    Combination,
    Distance,
    Dot,
    Gauge,
    KnifeEdge,
    RollingSlip,
    Twist,
    WheelHeight,
)
from engine.errors import CompileError, Problem, SceneEdit
from engine.maths.functions import Program, compile_function
from engine.model.scene import Scene
from engine.system.compiling.frames import Frame, Frames, fault

MOST = 3  # gauges that one primitive may give
AXES = {"x": 0, "y": 1, "z": 2}
FLAT = 1e-6  # sine of the angle between axle and normal below which a wheel lies on its side
ACROSS = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}  # right-handed: u × v = axis


@dataclass
class Entry:
    """One primitive: its bodies, its geometry and the gauges it gives."""

    kind: str
    a: int
    b: int
    gauge: int
    count: int = 1
    integers: list[int] = field(default_factory=list)
    reals: list[float] = field(default_factory=list)
    terms: tuple[tuple[int, float], ...] = ()  # combinations: (gauge, factor)


@dataclass
class Law:
    """One line of the force table."""

    kind: str
    target: int  # gauge or body
    quadrature: int
    integers: list[int]
    reals: list[float]


class Builder:
    """Gauges and laws between the frames of a resolved scene."""

    def __init__(self, scene: Scene, parameters: Mapping[str, float]) -> None:
        self.scene = scene
        self.planar = scene.space == "planar"
        self.frames = Frames(scene)
        self.entries: list[Entry] = []
        self.laws: list[Law] = []
        self.programs: list[Program] = []
        self.coordinates: dict[tuple[str, str], int] = {}
        self.joint_frames: dict[str, tuple[Frame, Frame]] = {}
        self._parameters = parameters
        self._joints = {joint.name: joint for joint in scene.joints}
        self._values: list[float] = []  # of the gauges, at the given pose
        self.quadrature = 0  # of the element that is being built
        self.joint = ""  # that is being built: messages name it

    # gauges

    def joint_pair(self, joint: JointSpec) -> tuple[Frame, Frame]:
        """Frames of an anchored joint, made once."""
        if joint.name not in self.joint_frames:
            self.joint_frames[joint.name] = self.frames.of_joint(joint)
        return self.joint_frames[joint.name]

    def between(self, a: Anchor, b: Anchor, gauge: Gauge) -> int:
        return self.gauge(gauge, *self.frames.pair(a, b))

    def coordinate(self, joint: str, coordinate: str) -> int:
        key = (joint, coordinate)
        if key not in self.coordinates:
            spec = self._joints[joint]
            known = JOINTS[str(spec.__struct_config__.tag)].coordinates_in(self.scene.space)
            if coordinate not in known:
                names = ", ".join(known) or "none"
                raise fault(
                    f"joints.{joint}", coordinate, f"joint {joint!r} has no {coordinate}", f"it has: {names}"
                )
            self.coordinates[key] = self.gauge(known[coordinate], *self.joint_pair(spec))
        return self.coordinates[key]

    def at_pose(self, gauge: int) -> float:
        return self._values[gauge]

    def gauge(self, gauge: Gauge, a: Frame | None = None, b: Frame | None = None) -> int:
        """Add a gauge and return its number."""
        if isinstance(gauge, Combination):
            return self._combination(gauge)
        assert a is not None
        assert b is not None
        make = _MAKERS[type(gauge)]
        if isinstance(gauge, Along) and gauge.of == "W":
            return self._point(a, b, AXES[gauge.axis])
        kind, reals, integers, value = make(self, gauge, a, b)
        last = self.entries[-1] if self.entries else None
        # neighbouring products with the same direction of A share the work
        if (
            kind == "dot"
            and last
            and last.kind == "dot"
            and last.count < MOST
            and (last.a, last.b, last.reals[:3]) == (a.body, b.body, reals[:3])
        ):
            last.reals += reals[3:]
            return self._extend(last, value)
        return self._add(Entry(kind, a.body, b.body, self.gauges, integers=integers, reals=reals), value)

    @property
    def gauges(self) -> int:
        """Number of gauges so far."""
        return len(self._values)

    def _add(self, entry: Entry, value: float) -> int:
        self.entries.append(entry)
        self._values.append(value)
        return entry.gauge

    def _extend(self, entry: Entry, value: float) -> int:
        """One more gauge of the entry that was made last."""
        entry.count += 1
        self._values.append(value)
        return self.gauges - 1

    def _point(self, a: Frame, b: Frame, axis: int) -> int:
        reals = [*a.point, *b.point]
        last = self.entries[-1] if self.entries else None
        value = float((self.world_point(b) - self.world_point(a))[axis])
        # neighbouring world components of one joint share the work
        if (
            last
            and last.kind == "point"
            and last.count < MOST
            and (last.a, last.b, last.reals) == (a.body, b.body, reals)
        ):
            last.integers.append(axis)
            return self._extend(last, value)
        return self._add(Entry("point", a.body, b.body, self.gauges, integers=[axis], reals=reals), value)

    def _combination(self, gauge: Combination) -> int:
        terms = tuple((self.coordinate(joint, name), factor) for joint, name, factor in gauge.terms)
        value = sum(factor * self.at_pose(g) for g, factor in terms)
        world = self.frames.places["world"].index
        return self._add(Entry("combination", world, world, self.gauges, terms=terms), value)

    # geometry at the given pose

    def world_point(self, frame: Frame) -> Array:
        place = self._place(frame.body)
        return np.asarray(place.point(frame.point + place.com))

    def world_axes(self, frame: Frame) -> Array:
        return np.asarray(self._place(frame.body).R_WB @ frame.axes)

    def _place(self, body: int) -> Any:
        world = self.frames.places["world"]
        if body == world.index:
            return world
        return next(place for place in self.frames.places.values() if place.index == body)

    def planar_angle(self, body: int) -> float:
        """Angle of a planar body at the given pose, whole turns kept."""
        for spec in self.scene.bodies:
            if not spec.fixed and self.frames.places[spec.name].index == body:
                return float(spec.angle)
        return 0.0

    def fixed_to_world(self, frame: Frame, what: str) -> None:
        if frame.body != self.frames.places["world"].index:
            message = f"{what} needs a surface that does not move"
            cure = "put anchor a on the world or on a fixed body"
            raise fault(f"joints.{self.joint}.a.body", what, f"joint {self.joint!r}: {message}", cure)

    # programs and laws

    def program(self, function: Function | None, variables: Sequence[str] = ("t",)) -> int:
        """Number of the program of a function; -1 when there is none or it is the constant zero."""
        if function is None or (isinstance(function, int | float) and function == 0.0):
            return -1
        self.programs.append(compile_function(function, variables=variables, parameters=self._parameters))
        return len(self.programs) - 1

    def line(
        self,
        gauge: int,
        *,
        stiffness: Any = 0.0,
        damping: Any = 0.0,
        free: Any = 0.0,
        preload: Any = 0.0,
        function: Function = 0.0,
        sign: float = 1.0,
    ) -> None:
        numbers = [float(stiffness), float(damping), float(free), float(preload), sign]
        self.laws.append(
            Law(line.KIND.name, gauge, self.quadrature, [self.program(function, ("t", "x", "v"))], numbers)
        )

    def motor(
        self, gauge: int, *, effort: Function | None, speed: Function | None, gain: Any, limit: Any
    ) -> None:
        programs = [self.program(effort, ("t", "x", "v")), self.program(speed)]
        numbers = [float(gain), motor.NO_LIMIT if limit is None else float(limit)]
        self.laws.append(Law(motor.KIND.name, gauge, self.quadrature, programs, numbers))

    def applied(
        self,
        body: str,
        components: tuple[Function, ...],
        *,
        in_body: bool,
        torque: bool = False,
        point: Any = None,
        application: tuple[Function, ...] | None = None,
    ) -> None:
        frame = self.frames.point(body, point)
        programs = [self.program(c) for c in components]
        moving = [self.program(c) for c in application or ()]
        if application is not None and max(moving) < 0:
            moving = [self._zero(), *moving[1:]]  # the origin is a point of application, too
        integers = [int(in_body), *programs, *(moving or [-1, -1, -1])]
        reals = [*frame.point, float(torque)]
        self.laws.append(Law(applied.KIND.name, frame.body, self.quadrature, integers, reals))

    def _zero(self) -> int:
        self.programs.append(compile_function(0.0))
        return len(self.programs) - 1


def _along(build: Builder, gauge: Any, a: Frame, b: Frame) -> tuple[str, list[float], list[int], float]:
    axis = a.axis(gauge.axis)
    d = build.world_point(b) - build.world_point(a)
    value = float(build.world_axes(a)[:, AXES[gauge.axis]] @ d)
    return "component", [*a.point, *b.point, *axis], [], value


def _dot(build: Builder, gauge: Any, a: Frame, b: Frame) -> tuple[str, list[float], list[int], float]:
    value = float(build.world_axes(a)[:, AXES[gauge.a]] @ build.world_axes(b)[:, AXES[gauge.b]])
    return "dot", [*a.axis(gauge.a), *b.axis(gauge.b)], [], value


def _distance(build: Builder, gauge: Any, a: Frame, b: Frame) -> tuple[str, list[float], list[int], float]:
    value = float(np.linalg.norm(build.world_point(b) - build.world_point(a)))
    return "distance", [*a.point, *b.point], [], value


def _angle(build: Builder, gauge: Any, a: Frame, b: Frame) -> tuple[str, list[float], list[int], float]:
    A, B = build.world_axes(a), build.world_axes(b)
    value = float(np.arctan2(A[:, 1] @ B[:, 0], A[:, 0] @ B[:, 0]))
    if build.planar:
        # θ_B + offset_B − θ_A − offset_A, the offsets being the angles of the frames on their bodies
        # within half a turn, so that a frame that B takes from A begins at zero wherever its x points
        offset = math.remainder(
            np.arctan2(b.axes[1, 0], b.axes[0, 0]) - np.arctan2(a.axes[1, 0], a.axes[0, 0]), math.tau
        )
        turn = build.planar_angle(b.body) - build.planar_angle(a.body)
        return "planar_angle", [float(offset)], [], float(offset + turn)
    return "angle", [*a.axis("x"), *a.axis("y"), *b.axis("x")], [], value


def _twist(build: Builder, gauge: Any, a: Frame, b: Frame) -> tuple[str, list[float], list[int], float]:
    u, v = ACROSS[gauge.axis]
    A, B = build.world_axes(a), build.world_axes(b)
    value = 0.5 * float(A[:, AXES[v]] @ B[:, AXES[u]] - A[:, AXES[u]] @ B[:, AXES[v]])
    return "twist", [*a.axis(u), *a.axis(v), *b.axis(u), *b.axis(v)], [], value


def _lies_flat(build: Builder, a: Frame, b: Frame) -> CompileError:
    """A wheel whose axle stands on the plane touches it with its whole side; it has no point of contact."""
    across = build.world_axes(b).T @ build.world_axes(a)[:, 0]
    axis = [float(round(x, 12)) + 0.0 for x in b.axes @ across]
    path = f"joints.{build.joint}.b.axis"
    text = f"joint {build.joint!r}: the wheel lies flat, its axle is parallel to the normal of the plane"
    cure = f"give the axle a direction along the plane: {path} = {axis}, or turn the body"
    return CompileError([Problem(path, None, text, cure, (SceneEdit(path, axis),))])


def _wheel_height(
    build: Builder, gauge: Any, a: Frame, b: Frame
) -> tuple[str, list[float], list[int], float]:
    build.fixed_to_world(a, "a rolling wheel")
    n, axle = a.axis("z"), build.world_axes(b)[:, 2]
    if np.linalg.norm(np.cross(n, axle)) < FLAT:
        raise _lies_flat(build, a, b)
    value = n @ (build.world_point(b) - a.point) - gauge.radius * np.sqrt(1.0 - (n @ axle) ** 2)
    return "wheel_height", [*a.point, *n, *b.point, *b.axis("z"), gauge.radius], [], float(value)


def _rolling(build: Builder, gauge: Any, a: Frame, b: Frame) -> tuple[str, list[float], list[int], float]:
    build.fixed_to_world(a, "a rolling wheel")
    normal = a.axis("x") if build.planar else a.axis("z")
    reals = [*normal, *b.point, *b.axis("z"), gauge.radius]
    return "rolling", reals, [int(gauge.direction == "sideways")], 0.0


def _knife_edge(build: Builder, gauge: Any, a: Frame, b: Frame) -> tuple[str, list[float], list[int], float]:
    build.fixed_to_world(a, "a knife edge")
    return "knife_edge", [*b.point, *b.axis(gauge.axis)], [], 0.0


_MAKERS: dict[type[Gauge], Any] = {
    Along: _along,
    Angle: _angle,
    Distance: _distance,
    Dot: _dot,
    KnifeEdge: _knife_edge,
    RollingSlip: _rolling,
    Twist: _twist,
    WheelHeight: _wheel_height,
}
