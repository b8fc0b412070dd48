"""What joints have in common: structs, facts of a kind, and rows that many kinds share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec

from engine.elements.base import Anchor, Element, Kind, Number, Part
from engine.elements.fields import number, text
from engine.elements.rows import Along, Dot, Gauge, Row

Rows = tuple[Row, ...]


class JointSpec(Element, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all joints."""


class AnchoredSpec(JointSpec, frozen=True, kw_only=True):
    """A joint between frame A and frame B."""

    a: Annotated[Anchor, text("Frame A")]
    b: Annotated[Anchor, text("Frame B")]


class Start(Part, frozen=True, kw_only=True):
    """What assembly shall honour of a joint coordinate; None leaves it free."""

    value: Annotated[Number | None, number("Value", "rad or m")] = None
    speed: Annotated[Number | None, number("Speed", "rad/s or m/s")] = None


class CoordinateSpec(AnchoredSpec, frozen=True, kw_only=True):
    """An anchored joint that has coordinates."""

    start: Annotated[dict[str, Start], text("Start", "coordinate → value and speed at the start")] = (
        msgspec.field(default_factory=dict)
    )


@dataclass(frozen=True, kw_only=True)
class JointKind(Kind):
    """A joint kind: its rows and coordinates in space and in the plane, for a resolved spec.

    `planar_rows` None: not available in planar scenes. `planar_axis_is_x`: there the anchor's axis lies in
    the plane and becomes x of the joint frame, z being the world's. What anchor b leaves out is taken from a
    at the given pose, unless the kind has it from body B itself: `own_point` its origin, `own_axes` its axes.
    """

    rows: Callable[[Any], Rows]
    planar_rows: Callable[[Any], Rows] | None = None
    coordinates: Mapping[str, Gauge] = field(default_factory=dict)
    planar_coordinates: Mapping[str, Gauge] = field(default_factory=dict)
    uses_anchors: bool = True
    planar_axis_is_x: bool = False
    own_point: bool = False
    own_axes: bool = False

    def rows_in(self, space: str, spec: JointSpec) -> Rows:
        """The rows of a resolved joint in a "spatial" or "planar" scene."""
        if space != "planar":
            return self.rows(spec)
        if self.planar_rows is None:
            raise ValueError(f"joint {spec.name!r}: kind {self.name!r} does not exist in planar scenes")
        return self.planar_rows(spec)

    def coordinates_in(self, space: str) -> Mapping[str, Gauge]:
        """Coordinate name → gauge in a "spatial" or "planar" scene."""
        return self.planar_coordinates if space == "planar" else self.coordinates


# P_A and P_B coincide
POINT_ON_POINT: Rows = (
    Row(Along("x", "W"), "translation along x", "m"),
    Row(Along("y", "W"), "translation along y", "m"),
    Row(Along("z", "W"), "translation along z", "m"),
)
PLANAR_POINT_ON_POINT: Rows = POINT_ON_POINT[:2]

# P_B stays on the z axis of A
POINT_ON_AXIS: Rows = (
    Row(Along("x", "A"), "translation along x", "m"),
    Row(Along("y", "A"), "translation along y", "m"),
)

# z_B stays parallel to z_A
PARALLEL_AXES: Rows = (
    Row(Dot("z", "x"), "rotation about y", "rad"),
    Row(Dot("z", "y"), "rotation about x", "rad"),
)

# frame B keeps the orientation of frame A
SAME_ORIENTATION: Rows = (
    Row(Dot("x", "y"), "rotation about z", "rad"),
    Row(Dot("y", "z"), "rotation about x", "rad"),
    Row(Dot("z", "x"), "rotation about y", "rad"),
)


def same(rows: Rows) -> Callable[[Any], Rows]:
    """Rows that do not depend on the joint's own numbers."""
    return lambda spec: rows
