"""Lock: a point keeps some of its coordinates, a planar body its angle."""

from collections.abc import Iterator
from math import atan2
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from engine.elements.arithmetic import negated, total
from engine.elements.base import WORLD, Anchor, Directions, Number
from engine.elements.coordinates.coordinate_functions import Along, Angle
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number, text
from engine.elements.joints.base import JointKind, JointSpec, Rows
from engine.elements.protocols.checking import Around
from engine.elements.protocols.moving import Mover
from engine.errors import Problem, SceneError

if TYPE_CHECKING:
    from engine.compiled.layout import Array


class LockSpec(JointSpec, frozen=True, kw_only=True, tag="lock"):
    """Hold world coordinates of a point of body B, counted from the point of A; in the plane its angle."""

    a: Annotated[Anchor, text("Frame A", "left out: the world's origin")] = Anchor(body="world")
    b: Annotated[Anchor, text("Frame B")]
    coordinates: Annotated[
        tuple[Literal["x", "y", "z", "angle"], ...], Meta(min_length=1, max_length=3), text("Coordinates")
    ]
    values: Annotated[
        tuple[Number, ...] | None, number("Values", "m", "of x, y and z; null: from the given pose")
    ] = None
    angle: Annotated[
        Number | None, number("Angle", "rad", "of B against A, when locked; null: from the given pose")
    ] = None

    @property
    def directions(self) -> tuple[str, ...]:
        """The locked coordinates that are lengths, in the order of `values`."""
        return tuple(name for name in self.coordinates if name != "angle")


def rows(spec: LockSpec) -> Rows:
    values = spec.values if spec.values is not None else (None,) * len(spec.directions)
    found: Rows = tuple(
        Row(Along(axis, "W"), f"translation along {axis}", "m", target=value)  # type: ignore[arg-type]
        for axis, value in zip(spec.directions, values, strict=True)
    )
    if "angle" in spec.coordinates:
        found += (Row(Angle(), "rotation about z", "rad", target=spec.angle),)
    return found


def moved(spec: LockSpec, mover: Mover) -> LockSpec:
    placing = mover.placing
    Q, at = placing.Q, ["xyz".index(name) for name in spec.directions]
    if any(abs(Q[i, i]) != 1.0 for i in at):
        text = f"joint {spec.name!r} holds coordinates of the world and cannot be turned"
        raise SceneError([Problem(f"joints.{spec.name}", None, text, "leave it out")])
    turned = spec.a.reference
    if turned is not None and placing.mirrors and Q[0, 0] < 0.0:
        # the angle counts to the x axis of B, which a mirror across x turns over
        turned = tuple(negated(x) for x in turned)
        spec = replace(spec, a=replace(spec.a, reference=turned))
    if spec.angle is not None and spec.a.body == WORLD and turned is None:  # counts from the world's x axis
        spec = replace(spec, angle=placing.turned(spec.angle))
    elif spec.angle is not None and placing.mirrors:
        spec = replace(spec, angle=negated(spec.angle))
    if spec.values is None:
        return spec
    # the point of A goes along, so the distances from it only change their sign
    values = tuple(total((Q[i, i],), (v,)) for i, v in zip(at, spec.values, strict=True))
    return replace(spec, values=values)


def swapped(spec: LockSpec, axes_A: "Array") -> LockSpec:
    """The angle counted from x of frame A to the own x axis of B; now it counts from that to A's own."""
    values = None if spec.values is None else tuple(negated(value) for value in spec.values)
    from_x = atan2(axes_A[1, 0], axes_A[0, 0])
    angle = None if spec.angle is None else total((-1.0,), (spec.angle,), -from_x)
    return replace(spec, values=values, angle=angle)


def reduced(spec: LockSpec) -> Iterator[tuple[LockSpec, str]]:
    """One coordinate less."""
    if len(spec.coordinates) < 2:
        return
    for coordinate in spec.coordinates:
        kept = tuple(name for name in spec.coordinates if name != coordinate)
        values = spec.values
        if values is not None:
            pairs = zip(spec.directions, values, strict=False)
            values = tuple(value for name, value in pairs if name != coordinate)
        angle = None if coordinate == "angle" else spec.angle
        yield replace(spec, coordinates=kept, values=values, angle=angle), f"no longer lock {coordinate}"


def check(spec: LockSpec, around: Around) -> Iterator[Problem]:
    if around.planar and "z" in spec.coordinates:
        text = "a planar scene has no z coordinate"
        yield Problem("coordinates", spec.coordinates, text, "use x, y and angle")
    if not around.planar and "angle" in spec.coordinates:
        text = "a body has an angle in planar scenes only"
        remedy = "use x, y or z, or a joint that holds the orientation, such as prismatic or fixed"
        yield Problem("coordinates", spec.coordinates, text, remedy)
    if len(set(spec.coordinates)) != len(spec.coordinates):
        text = "a coordinate is locked twice"
        yield Problem("coordinates", spec.coordinates, text, "name each coordinate once")
    if spec.values is not None and len(spec.values) != len(spec.directions):
        text = f"{len(spec.values)} values for {len(spec.directions)} coordinates"
        remedy = 'write one value per coordinate, or null; that of the angle is "angle"'
        yield Problem("values", spec.values, text, remedy)
    if spec.angle is not None and "angle" not in spec.coordinates:
        text = 'an angle is given, but "angle" is not among the locked coordinates'
        yield Problem("angle", spec.angle, text, 'add "angle" to coordinates, or leave it out')


KIND = JointKind(
    spec=LockSpec,
    title="Coordinate lock",
    summary="A point keeps chosen world coordinates, a planar body its angle",
    symbol="pin",
    icon="joint-lock",
    rows=rows,
    planar_rows=rows,
    own_axes=True,
    directions=Directions.NONE,
    defaults={"coordinates": ("x", "y")},
    moved=moved,
    swapped=swapped,
    reduced=reduced,
    check=check,
)
