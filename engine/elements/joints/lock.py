"""Lock: a point keeps some of its coordinates."""

from typing import Annotated, Literal

from msgspec import Meta

from engine.elements.base import Anchor, Number
from engine.elements.fields import number, text
from engine.elements.joints.base import JointKind, JointSpec, Rows
from engine.elements.rows import Along, Row


class LockSpec(JointSpec, frozen=True, kw_only=True, tag="lock"):
    """Hold chosen world coordinates of a point of body B, counted from the point of A."""

    a: Annotated[Anchor, text("Frame A", "left out: the world's origin")] = Anchor(body="world")
    b: Annotated[Anchor, text("Frame B")]
    coordinates: Annotated[
        tuple[Literal["x", "y", "z"], ...], Meta(min_length=1, max_length=3), text("Coordinates")
    ]
    values: Annotated[tuple[Number, ...] | None, number("Values", "m", "null: from the given pose")] = None


def rows(spec: LockSpec) -> Rows:
    values = spec.values if spec.values is not None else (None,) * len(spec.coordinates)
    return tuple(
        Row(Along(axis, "W"), f"translation along {axis}", "m", target=value)
        for axis, value in zip(spec.coordinates, values, strict=True)
    )


KIND = JointKind(
    spec=LockSpec,
    title="Coordinate lock",
    summary="A point keeps chosen world coordinates",
    symbol="pin",
    icon="joint-lock",
    rows=rows,
    planar_rows=rows,
)
