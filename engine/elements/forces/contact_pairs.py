"""The gaps of a contact element: shapes of its two sides, and coordinate functions between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.elements.base import Anchor
from engine.elements.coordinates.coordinate_functions import (
    CoordinateFunction,
    CoordinateFunctionBuilder,
    Made,
)
from engine.elements.coordinates.frames import Frame
from engine.elements.gaps import features, nearest
from engine.elements.gaps.cores import (
    NO_DEPTH,
    Core,
    Crossing,
    Meeting,
    Part,
    bent_core,
    compiled_direction,
    compiled_point,
    core_of,
    meetings,
)
from engine.elements.gaps.shape_table import GroupShape
from engine.elements.gaps.uses import HELD
from engine.elements.primitives.contact import ALL_AROUND, REALS

if TYPE_CHECKING:
    from engine.elements.forces.base import ForceBuilder

NEVER = 1e300  # m
NEAR_SHARE = 0.25  # of the smaller shape: what is farther apart is not looked at in a run
Directions = tuple[int, ...]  # of the frame of contact: NORMAL, FIRST, SECOND


@dataclass(frozen=True)
class ContactFunction(CoordinateFunction):
    """The gap between a corner of B and a shape of A, or a speed of slip there."""

    shape: Core | Crossing
    corner: tuple[float, ...]
    centre: tuple[float, ...]
    radius: float
    which: int
    use: int
    extent: float
    around: float
    part: Part | None
    sides: tuple[tuple[float, ...], ...]

    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        point, centre = (compiled_point(b.place, np.array(p)) for p in (self.corner, self.centre))
        reals = (
            *map(float, point),
            self.shape.reach,
            self.radius,
            float(self.shape.sort),
            float(self.use),
        )
        reals += tuple(map(float, centre))
        corners = np.array([compiled_point(a.place, p) for p in self.shape.hull])
        reals += (*map(float, corners.min(axis=0)), *map(float, corners.max(axis=0)), self.around)
        # a hole is about its pin wherever that is
        reals += (-NEVER if self.shape.reach < 0.0 else -NEAR_SHARE * self.extent,)
        part = self.part
        held_end = self.use == HELD and part is not None and part.deepest == NO_DEPTH
        if part is None or held_end:  # rows hold ends wherever they touch
            part = Part(np.zeros(3), ALL_AROUND, NO_DEPTH)
        towards, within, deepest = part
        reals += (*map(float, compiled_direction(b.place, towards)[:2]), within, deepest)
        sides = [compiled_direction(b.place, np.array(side)) for side in self.sides]
        flat = sides if build.planar and sides else [np.zeros(3)] * 2
        reals += tuple(float(x) for side in flat for x in side[:2])
        kind = "contact" if self.which == features.NORMAL else "slip"
        shape = self.shape
        table = shape.table(a.place, b.place) if isinstance(shape, Crossing) else shape.table(a.place)
        if shape.sort == nearest.HULL:
            table += (float(len(sides)), *(float(x) for side in sides for x in side))
        return Made(kind, reals, (self.which,), shared=REALS, table=table)


def cores_of_side(spec: Any, side: str, build: ForceBuilder) -> list[Core]:
    """Shapes of one side of a contact, in the frame of its body."""
    anchor, name = getattr(spec, side), getattr(spec, f"shape_{side}")
    if name == "shapes":
        shapes = build.shapes(anchor.body)
        found = (core_of(shape, build.planar, build.shape_axes(shape)) for shape in shapes)
        return [core for core in found if core is not None]
    frame = build.frames_of(spec.a, spec.b)["ab".index(side)]
    p, radius = np.array(frame.p_B, dtype=float), float(getattr(spec, f"radius_{side}"))
    axis = frame.axes_B[:, 0 if build.planar else 2]
    if name == "plane":
        return [Core(nearest.PLANE, np.array([p]), direction=tuple(map(float, axis)))]
    if name == "capsule":
        half = 0.5 * float(getattr(spec, f"length_{side}")) * axis
        if not half.any():
            return [Core(nearest.POINT, np.array([p]), radius)]
        return [Core(nearest.SEGMENT, np.array([p - half, p + half]), radius)]
    if name in ("arc", "slot"):
        length, bend = (float(getattr(spec, f"{field}_{side}")) for field in ("length", "bend"))
        return [bent_core(name == "slot", p, axis, length, bend, radius)]
    if name == "bore":
        return [Core(nearest.BORE, np.array([p]), radius)]
    return [Core(nearest.POINT, np.array([p]), radius if name == "sphere" else 0.0)]


@dataclass(frozen=True)
class Gap:
    """A place where two shapes may touch; makes its coordinate functions."""

    build: ForceBuilder
    bodies: tuple[str, str]
    meeting: Meeting

    @property
    def is_sharp(self) -> bool:
        """Whether what a row holds goes on where the law no longer sees a contact."""
        return self.meeting.is_sharp

    def functions(self, directions: Directions, use: int) -> tuple[int, ...]:
        """New ones along directions."""
        # frames at the origins of the bodies
        a, b = (Anchor(body=name, point=(0.0, 0.0, 0.0)) for name in self.bodies)
        of, sides = self.meeting, tuple(tuple(map(float, side)) for side in self.meeting.sides)
        corner, centre = (tuple(map(float, p)) for p in (of.corner, of.centre))
        bounds = of.extent, of.around, of.part, sides
        return tuple(
            self.build.between(
                a, b, ContactFunction(of.shape, corner, centre, of.radius, which, use, *bounds)
            )
            for which in directions
        )


def gaps_between(spec: Any, a: list[Core], b: list[Core], build: ForceBuilder) -> Iterator[Gap]:
    """Each place where the two sides may touch."""
    return gaps_of_bodies((spec.a.body, spec.b.body), a, b, build)


def gaps_of_bodies(
    bodies: tuple[str, str], a: list[Core], b: list[Core], build: ForceBuilder
) -> Iterator[Gap]:
    """The same for the bodies that have the shapes."""
    for own in a:
        for other in b:
            for meeting in meetings(own, other, build.planar):
                yield Gap(build, bodies[::-1] if meeting.swapped else bodies, meeting)


def group_shapes(group: str, other: str, build: ForceBuilder) -> list[GroupShape]:
    """Shapes of the bodies of a group and of those that they may touch."""
    ours = set(build.members(group))
    theirs = set(build.members(other)) if other else ours
    return [
        GroupShape(body, core, build.place(body), int(body in ours) + 2 * int(body in theirs))
        for body in build.members("")
        if body in ours or body in theirs
        for shape in build.shapes(body)
        if (core := core_of(shape, build.planar, build.shape_axes(shape))) is not None
    ]
