"""Collects primitives, coordinate functions, rows, laws and programs of a scene; `compile.py` lays them out
as arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from engine.compiled.layout import Array, Ints
from engine.elements.base import WORLD, Anchor, Function
from engine.elements.bodies.shapes import Shape
from engine.elements.coordinates.coordinate_functions import Combination, CoordinateFunction, Made
from engine.elements.coordinates.frames import Frame, Place
from engine.elements.joints import JOINTS
from engine.elements.joints.base import JointSpec
from engine.elements.laws import LAWS, applied, line, motor
from engine.elements.primitives import PRIMITIVES
from engine.errors import MethodError
from engine.maths.functions import Program, compile_function
from engine.maths.jets import sampled
from engine.model.groups import bodies_in
from engine.model.mass import rotation
from engine.model.scene import Scene
from engine.registry import Registry
from engine.spelling import did_you_mean
from engine.system.compiling.frames import Frames, fault
from engine.system.compiling.mechanism import Span

MAX_COORDINATES = 3  # coordinate functions that one primitive may give
MAX_ROWS = 2000  # conditional ones on one body


@dataclass
class Entry:
    """One primitive: its bodies, its geometry and the coordinate functions it gives."""

    kind: str
    a: int
    b: int
    coordinate_function: int
    count: int = 1
    integers: list[int] = field(default_factory=list)
    reals: list[float] = field(default_factory=list)
    terms: tuple[tuple[int, float], ...] = ()  # combinations: (coordinate function, factor)
    sources: tuple[int, ...] = ()  # coordinate functions that it is made of, behind the integers
    programs: tuple[int, ...] = ()  # behind them
    table: tuple[float, ...] = ()


@dataclass
class ConditionalRow:
    """A constraint row that a law switches on and off."""

    coordinate_function: int
    unit: str
    target: float
    velocity: bool  # it holds a speed, not a value


@dataclass
class Law:
    """One line of the force table."""

    kind: str
    target: int  # coordinate function or body
    quadrature: int
    integers: list[int]
    reals: list[float]
    table: tuple[float, ...] = ()  # its place is written into the last integer

    @property
    def line(self) -> Ints:
        """Of `System.forces`, before programs have their places."""
        return np.array([self.target, self.quadrature, *self.integers], np.int64)


class Builder:
    """Coordinate functions and laws between the frames of a resolved scene."""

    def __init__(self, scene: Scene, parameters: Mapping[str, float]) -> None:
        self.scene = scene
        self.planar = scene.space == "planar"
        self.frames = Frames(scene)
        self.entries: list[Entry] = []
        self.laws: list[Law] = []
        self.conditional_rows: list[ConditionalRow] = []
        self.joint_rows: Mapping[str, Span] = {}
        self.permanent_rows = 0  # those of joints and motions, which come first
        self.programs: list[Program] = []
        self.coordinates: dict[tuple[str, str], int] = {}
        self.joint_frames: dict[str, tuple[Frame, Frame]] = {}
        self._parameters = parameters
        self._joints = {joint.name: joint for joint in scene.joints}
        self._values: list[float] = []  # of the coordinate functions, at the given pose
        self.quadrature = 0  # of the element that is being built
        self.joint = self.force = ""  # that is being built: messages name it
        self._world = sum(not body.fixed for body in scene.bodies)  # its number
        self._rows_on = Counter[int]()  # conditional ones, by body

    # coordinate functions

    def joint_pair(self, joint: JointSpec) -> tuple[Frame, Frame]:
        """Frames of an anchored joint, made once."""
        if joint.name not in self.joint_frames:
            self.joint_frames[joint.name] = self.frames.of_joint(joint)
        return self.joint_frames[joint.name]

    def between(self, a: Anchor, b: Anchor, coordinate_function: CoordinateFunction) -> int:
        return self.coordinate_function(coordinate_function, *self.frames.pair(a, b))

    def coordinate(self, joint: str, coordinate: str) -> int:
        key = (joint, coordinate)
        if key not in self.coordinates:
            self.coordinates[key] = self.own_coordinate(joint, coordinate)
        return self.coordinates[key]

    def own_coordinate(self, joint: str, coordinate: str) -> int:
        """A second coordinate function of a coordinate: the first one stays free for forces and plots."""
        spec = self._joints[joint]
        known = JOINTS[str(spec.__struct_config__.tag)].coordinates_in(self.scene.space)
        if coordinate not in known:
            names = ", ".join(known) or "none"
            raise fault(
                f"joints.{joint}", coordinate, f"joint {joint!r} has no {coordinate}", f"it has: {names}"
            )
        return self.coordinate_function(known[coordinate], *self.joint_pair(spec))

    def slip(self, joint: str, name: str) -> tuple[int, ...]:
        spec = self._joints[joint]
        kind = JOINTS[str(spec.__struct_config__.tag)]
        if name in kind.coordinates_in(self.scene.space):
            return (self.own_coordinate(joint, name),)
        known = kind.rubs_in(self.scene.space)
        if name not in known:
            names = ", ".join((*kind.coordinates_in(self.scene.space), *known)) or "none"
            raise fault(f"joints.{joint}", name, f"joint {joint!r} has no {name}", f"it has: {names}")
        self.joint = joint
        return tuple(
            self.coordinate_function(component, *self.joint_pair(spec)) for component in known[name](spec)
        )

    def combination(self, coordinate_function: Combination) -> int:
        return self.coordinate_function(coordinate_function)

    def on_body(self, body: str, point: Any, coordinate_function: CoordinateFunction) -> int:
        return self.coordinate_function(
            coordinate_function, self.frames.point(WORLD, None), self.frames.point(body, point)
        )

    def at_pose(self, coordinate_function: int) -> float:
        return self._values[coordinate_function]

    def coordinate_function(
        self, coordinate_function: CoordinateFunction, a: Frame | None = None, b: Frame | None = None
    ) -> int:
        """Add a coordinate function and return its number; one that needs no frames is put on the world."""
        made = coordinate_function.made(self, a, b)  # type: ignore[arg-type]
        _check_numbers(type(coordinate_function).__name__, made.primitive, PRIMITIVES, made)
        world = self.frames.places["world"].index
        bodies = (world, world) if a is None or b is None or made.terms else (a.body, b.body)
        last = self.entries[-1] if self.entries else None
        reals, integers = list(made.reals), list(made.integers)
        if (
            made.shared is not None
            and last
            and (last.kind, last.a, last.b) == (made.primitive, *bodies)
            and last.count < MAX_COORDINATES
            and last.reals[: made.shared] == reals[: made.shared]
            and last.table == made.table
        ):
            last.count += 1
            last.reals += reals[made.shared :]
            last.integers += integers
        else:
            self.entries.append(
                Entry(
                    made.primitive,
                    *bodies,
                    self.coordinate_functions,
                    integers=integers,
                    reals=reals,
                    terms=made.terms,
                    sources=made.sources,
                    programs=made.programs,
                    table=made.table,
                )
            )
        self._values.append(made.value)
        return self.coordinate_functions - 1

    @property
    def coordinate_functions(self) -> int:
        """Number of coordinate functions so far."""
        return len(self._values)

    # geometry at the given pose

    def planar_angle(self, body: int) -> float:
        """Angle of a planar body at the given pose, whole turns kept."""
        return self._angles.get(body, 0.0)

    @cached_property
    def _angles(self) -> dict[int, float]:
        """Of the bodies that move, by their number."""
        moving = [spec for spec in self.scene.bodies if not spec.fixed]
        return {self.frames.places[spec.name].index: float(spec.angle) for spec in moving}

    def fixed_to_world(self, frame: Frame, what: str) -> None:
        if not frame.place.fixed:
            message = f"{what} needs a surface that does not move"
            remedy = "put anchor a on the world or on a fixed body"
            raise fault(f"joints.{self.joint}.a.body", what, f"joint {self.joint!r}: {message}", remedy)

    # programs and laws

    def law(
        self,
        kind: str,
        target: int,
        *,
        integers: Sequence[int] = (),
        reals: Sequence[float] = (),
        table: tuple[float, ...] = (),
    ) -> None:
        law = Law(kind, target, self.quadrature, list(integers), list(reals), table)
        _check_numbers("a force", kind, LAWS, law)
        self.laws.append(law)

    def row(self, coordinate_function: int, unit: str, target: float = 0.0, *, velocity: bool = False) -> int:
        entry = next(
            e
            for e in reversed(self.entries)
            if e.coordinate_function <= coordinate_function < e.coordinate_function + e.count
        )
        velocity |= PRIMITIVES[entry.kind].velocity_level
        self._limit_rows(entry)
        unit += "/s" if velocity and not unit.endswith("/s") else ""
        self.conditional_rows.append(ConditionalRow(coordinate_function, unit, target, velocity))
        return self.permanent_rows + len(self.conditional_rows) - 1

    def _limit_rows(self, entry: Entry) -> None:
        """Refuse a row more on a body that has many: in a full matrix each has an entry with each."""
        for body in {entry.a, entry.b} - {self._world} if not entry.terms else ():
            self._rows_on[body] += 1
            if self._rows_on[body] > MAX_ROWS:
                text = f"force {self.force!r} holds a body at more places than can be followed one by one"
                remedy = "choose an elastic law, a contact group instead of it, or fewer shapes"
                raise fault(f"forces.{self.force}", self._rows_on[body], text, remedy)

    def reaction(self, joint: str) -> tuple[int, int, int]:
        spec = self._joints[joint]
        a, b = self.joint_pair(spec)
        span, rows = self.joint_rows[joint], JOINTS[str(spec.__struct_config__.tag)].bearing_rows
        end = span.end if rows is None else span.begin + rows
        return span.begin, end, a.body if b.place.fixed else b.body

    def relation(self, joint: str) -> tuple[int, tuple[tuple[str, str, float], ...]]:
        spec, span = self._joints[joint], self.joint_rows[joint]
        rows = JOINTS[str(spec.__struct_config__.tag)].rows_in(self.scene.space, spec)
        for i, row in enumerate(rows):
            if isinstance(row.coordinate_function, Combination):
                return span.begin + i, row.coordinate_function.terms
        raise fault(
            f"joints.{joint}", joint, f"joint {joint!r} couples no coordinates", "name a gear, rack or belt"
        )

    def frames_of(self, a: Anchor, b: Anchor) -> tuple[Frame, Frame]:
        return self.frames.pair(a, b)

    def shape_axes(self, shape: Shape) -> Array:
        return rotation(shape.orientation, float(shape.angle))

    def shapes(self, body: str) -> tuple[Shape, ...]:
        return next((spec.shapes for spec in self.scene.bodies if spec.name == body), ())

    def place(self, body: str) -> Place:
        return self.frames.places[body]

    def members(self, group: str) -> tuple[str, ...]:
        return bodies_in(self.scene, group)

    def joined(self) -> frozenset[frozenset[str]]:
        pairs = ((getattr(joint, "a", None), getattr(joint, "b", None)) for joint in self.scene.joints)
        return frozenset(frozenset((a.body, b.body)) for a, b in pairs if a is not None and b is not None)

    def body(self, name: str) -> int:
        return self.frames.point(name, None).body

    def program(self, function: Function | None, variables: Sequence[str] = ("t",)) -> int:
        """Number of the program of a function; -1 when there is none or it is the constant zero."""
        if function is None or (isinstance(function, int | float) and function == 0.0):
            return -1
        self.programs.append(compile_function(function, variables=variables, parameters=self._parameters))
        return len(self.programs) - 1

    def jets(self, program: int, at: Array) -> Array:
        return sampled(self.programs[program], at)

    def line(
        self,
        coordinate_function: int,
        *,
        stiffness: Any = 0.0,
        damping: Any = 0.0,
        free: Any = 0.0,
        preload: Any = 0.0,
        function: Function = 0.0,
        sign: float = 1.0,
    ) -> None:
        numbers = [float(stiffness), float(damping), float(free), float(preload), sign]
        self.law(
            line.KIND.name,
            coordinate_function,
            integers=[self.program(function, ("t", "x", "v"))],
            reals=numbers,
        )

    def motor(
        self,
        coordinate_function: int,
        *,
        effort: Function | None,
        speed: Function | None,
        gain: Any,
        limit: Any,
    ) -> None:
        programs = [self.program(effort, ("t", "x", "v")), self.program(speed)]
        numbers = [float(gain), motor.NO_LIMIT if limit is None else float(limit)]
        self.law(motor.KIND.name, coordinate_function, integers=programs, reals=numbers)

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
        self.law(applied.KIND.name, frame.body, integers=integers, reals=reals)

    def _zero(self) -> int:
        self.programs.append(compile_function(0.0))
        return len(self.programs) - 1


def _check_numbers(owner: str, name: str, kinds: Registry[Any], given: Made | Law) -> None:
    """Raises MethodError for a kind without a line in its table, which nothing would compute, and for numbers
    that are not as many as the kind reads: it would take zeros for those that are missing."""
    if name not in kinds:
        hint = did_you_mean(name, kinds.names)
        raise MethodError(f"{owner} needs the {kinds.sort} {name!r}, which its table does not have{hint}")
    for word in ("integers", "reals"):
        wanted, count = getattr(kinds[name], word), len(getattr(given, word))
        if count != wanted:
            raise MethodError(
                f"{owner} gives {count} {word} to the {kinds.sort} {name!r}; "
                f"its KIND says that it reads {wanted}"
            )
