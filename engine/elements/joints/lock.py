"""Lock: a point keeps some of its coordinates, a planar body its angle."""

from typing import Annotated, Literal

from msgspec import Meta

from engine.elements.base import Anchor, Number
from engine.elements.fields import number, text
from engine.elements.joints.base import JointKind, JointSpec, Rows
from engine.elements.rows import Along, Angle, Row


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


KIND = JointKind(
    spec=LockSpec,
    title="Coordinate lock",
    summary="A point keeps chosen world coordinates, a planar body its angle",
    symbol="pin",
    icon="joint-lock",
    rows=rows,
    planar_rows=rows,
    own_axes=True,
)
