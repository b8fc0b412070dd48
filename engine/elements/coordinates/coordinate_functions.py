"""Coordinate functions: scalar functions of the configuration between two frames, that rows hold and forces
act along.

Each states the primitive that computes it and how its geometry is laid out there, for `primitives/` to read.
A coordinate function that only one joint needs may stand in the file of that joint.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from engine.compiled import composite_forms as FORM
from engine.elements.base import Function
from engine.elements.coordinates.frames import Frame
from engine.errors import CompileError, Problem, SceneEdit

if TYPE_CHECKING:
    from engine.compiled.layout import Array

Axis: TypeAlias = Literal["x", "y", "z"]
AXES = {"x": 0, "y": 1, "z": 2}
MIN_TILT = 1e-6  # sine of the angle between axle and normal below which a wheel lies on its side
ACROSS: dict[str, tuple[str, str]] = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}  # right-handed


class CoordinateFunctionBuilder(Protocol):
    """What the compiler tells a coordinate function: geometry at the given pose, and other coordinate
    functions."""

    planar: bool
    joint: str  # that is being built: messages name it

    def planar_angle(self, body: int) -> float:
        """Angle of a planar body, whole turns kept [rad]."""

    def fixed_to_world(self, frame: Frame, what: str) -> None:
        """Refuse a frame on a body that moves."""

    def coordinate(self, joint: str, coordinate: str) -> int:
        """The coordinate function of a joint coordinate."""

    def coordinate_function(self, coordinate_function: "CoordinateFunction", a: Frame, b: Frame) -> int:
        """Make a coordinate function that another one is made of."""

    def at_pose(self, coordinate_function: int) -> float:
        """Value of a coordinate function that was made before."""

    def program(self, function: Function | None, variables: Sequence[str]) -> int:
        """Number of the program of a function; -1 when there is none or it is the constant zero."""

    def jets(self, program: int, at: "Array") -> "Array":
        """Values of a function of one variable and its first two derivatives, shape (n, 3)."""


@dataclass(frozen=True)
class Made:
    """A line for the table of a primitive.

    Neighbours whose first `shared` reals and whose bodies agree become one line, with the rest of their
    reals and their integers one after the other; None: each has a line of its own.
    """

    primitive: str
    reals: tuple[float, ...] = ()
    integers: tuple[int, ...] = ()
    value: float = 0.0  # at the given pose; of no meaning for a velocity
    shared: int | None = None
    # (coordinate function, factor) of a combination, which has no bodies of its own
    terms: tuple[tuple[int, float], ...] = ()
    # coordinate functions of the same bodies, and programs: behind its integers
    sources: tuple[int, ...] = ()
    programs: tuple[int, ...] = ()
    table: tuple[float, ...] = ()  # as many numbers as it takes; its last integer says where they are


@dataclass(frozen=True)
class CoordinateFunction:
    """A scalar function of the configuration."""

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        """Its primitive and what that needs to know, between two frames."""
        raise NotImplementedError(f"{type(self).__name__} does not say which primitive computes it")


@dataclass(frozen=True)
class Along(CoordinateFunction):
    """axis · (P_B - P_A), the axis being one of frame A or of the world W [m]."""

    axis: Axis
    of: Literal["A", "W"]

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        i = AXES[self.axis]
        d = b.p_W - a.p_W
        if self.of == "W":  # neighbouring world components of one joint share the work
            return Made("point", (*a.point, *b.point), (i,), float(d[i]), shared=6)
        value = float(a.axes_W[:, i] @ d)
        return Made("component", (*a.point, *b.point, *a.axis(self.axis)), value=value)


@dataclass(frozen=True)
class Dot(CoordinateFunction):
    """Direction a of frame A · direction b of frame B."""

    a: Axis
    b: Axis

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        value = float(a.axes_W[:, AXES[self.a]] @ b.axes_W[:, AXES[self.b]])
        # neighbouring products with the same direction of A share the work
        return Made("dot", (*a.axis(self.a), *b.axis(self.b)), value=value, shared=3)


@dataclass(frozen=True)
class Distance(CoordinateFunction):
    """|P_B - P_A| [m]."""

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        d = b.p_W - a.p_W
        return Made("distance", (*a.point, *b.point), value=math.sqrt(d @ d))


@dataclass(frozen=True)
class Angle(CoordinateFunction):
    """Rotation about z from x_A to x_B, unwrapped [rad]."""

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        if build.planar:
            # θ_B + offset_B − θ_A − offset_A, the offsets being the angles of the frames on their bodies,
            # within half a turn; a frame that B takes from A begins at zero however far they turned
            turn = b.place.angle - a.place.angle
            of_a, of_b = (math.atan2(frame.axes_B[1, 0], frame.axes_B[0, 0]) for frame in (a, b))
            offset = -turn if b.taken else math.remainder(of_b - of_a, math.tau)
            # compiled code finds what is fixed at zero
            still = sum(sign * end.place.angle for sign, end in ((1, b), (-1, a)) if end.place.fixed)
            return Made("planar_angle", (offset + still,), value=offset + turn)
        A, B = a.axes_W, b.axes_W
        value = math.atan2(A[:, 1] @ B[:, 0], A[:, 0] @ B[:, 0])
        return Made("angle", (*a.axis("x"), *a.axis("y"), *b.axis("x")), value=value)


@dataclass(frozen=True)
class Twist(CoordinateFunction):
    """Axial part of the relative rotation; for z: (y_A·x_B - x_A·y_B)/2."""

    axis: Axis

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        u, v = ACROSS[self.axis]  # u × v = axis
        A, B = a.axes_W, b.axes_W
        value = 0.5 * float(A[:, AXES[v]] @ B[:, AXES[u]] - A[:, AXES[u]] @ B[:, AXES[v]])
        return Made("twist", (*a.axis(u), *a.axis(v), *b.axis(u), *b.axis(v)), value=value)


@dataclass(frozen=True)
class WheelHeight(CoordinateFunction):
    """n·(P_B - P_A) - radius·√(1 - (n·axle)²), n = z_A, axle = z_B [m]."""

    radius: float

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        n, cosine = a.axes_W[:, 2], float(a.axes_W[:, 2] @ b.axes_W[:, 2])
        sine = math.sqrt(max(1.0 - cosine**2, 0.0))
        if sine < MIN_TILT:
            raise _lies_flat(build, a, b)
        value = float(n @ (b.p_W - a.p_W)) - self.radius * sine
        if not a.place.fixed:
            return composite(
                build, a, b, FORM.WHEEL_HEIGHT, self.radius, Along("z", "A"), Dot("z", "z"), value=value
            )
        return Made("wheel_height", (*a.point, *n, *b.point, *b.axis("z"), self.radius), value=value)


def _lies_flat(build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> CompileError:
    """A wheel whose axle stands on the plane touches it with its whole side; it has no point of contact."""
    across = b.axes_W.T @ a.axes_W[:, 0]
    axis = [float(round(x, 12)) + 0.0 for x in b.axes @ across]
    path = f"joints.{build.joint}.b.axis"
    text = f"joint {build.joint!r}: the wheel lies flat, its axle is parallel to the normal of the plane"
    remedy = f"give the axle a direction along the plane: {path} = {axis}, or turn the body"
    return CompileError([Problem(path, None, text, remedy, (SceneEdit(path, axis),))])


@dataclass(frozen=True)
class RollingSlip(CoordinateFunction):
    """Velocity of the wheel's contact point in the plane, along its heading or across it [m/s].

    Times the sine of the angle between axle and normal, unless the `true` speed is asked for.
    """

    direction: Literal["forward", "sideways"]
    radius: float
    true: bool = False

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        if not a.place.fixed and build.planar:
            return composite(build, a, b, FORM.PLANAR_FORWARD, self.radius, Along("y", "A"), Spin("z"))
        if not a.place.fixed:
            centre, axle = (Along("x", "A"), Along("y", "A")), (Dot("x", "z"), Dot("y", "z"))
            if self.direction == "forward":
                form, last = FORM.TRUE_FORWARD if self.true else FORM.FORWARD, Spin("z", "B")
                return composite(build, a, b, form, self.radius, *centre, *axle, last)
            form = FORM.TRUE_SIDEWAYS if self.true else FORM.SIDEWAYS
            return composite(build, a, b, form, self.radius, *centre, *axle, Dot("z", "z"))
        normal = a.axis("x") if build.planar else a.axis("z")
        reals = (*normal, *b.point, *b.axis("z"), self.radius)
        return Made("rolling", reals, (int(self.direction == "sideways"), int(self.true)))


@dataclass(frozen=True)
class Spin(CoordinateFunction):
    """Angular velocity of B relative to A along an axis of the world W or of B [rad/s]."""

    axis: Axis
    of: Literal["B", "W"] = "W"

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        if self.of == "B":
            return Made("spin", tuple(b.axis(self.axis)), (1,))
        return Made("spin", tuple(float(i == AXES[self.axis]) for i in range(3)), (0,))


@dataclass(frozen=True)
class KnifeEdge(CoordinateFunction):
    """Velocity of P_B relative to A along an axis of frame B [m/s]."""

    axis: Axis = "z"

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        build.fixed_to_world(a, "a knife edge")
        return Made("knife_edge", (*b.point, *b.axis(self.axis)))


@dataclass(frozen=True)
class Combination(CoordinateFunction):
    """Σ factor · coordinate over terms (joint, coordinate, factor)."""

    terms: tuple[tuple[str, str, float], ...]

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        terms = tuple((build.coordinate(joint, name), factor) for joint, name, factor in self.terms)
        return Made("combination", value=sum(f * build.at_pose(g) for g, f in terms), terms=terms)


def composite(
    build: CoordinateFunctionBuilder,
    a: Frame,
    b: Frame,
    form: int,
    radius: float,
    *made_of: CoordinateFunction,
    programs: tuple[int, ...] = (),
    value: float = 0.0,
) -> Made:
    """A form of `primitives/composite.py`, of other coordinate functions between the same two frames."""
    sources = tuple(build.coordinate_function(function, a, b) for function in made_of)
    primitive = "composite" if form in FORM.VALUES else "composite_row"
    return Made(primitive, (radius,), (form,), value, sources=sources, programs=programs)
