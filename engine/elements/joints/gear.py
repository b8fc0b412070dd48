"""Gear: two rotations in a fixed ratio."""

from typing import Annotated

from msgspec.structs import replace

from engine.elements.base import Number, as_float
from engine.elements.coordinates.coordinate_functions import Combination
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number, reference, text
from engine.elements.joints.base import JointKind, JointSpec, Rows
from engine.elements.protocols.moving import Reversed


class GearSpec(JointSpec, frozen=True, kw_only=True, tag="gear"):
    """Couple the angles of two joints: angle_a + ratio·angle_b = const, with - when internal."""

    joint_a: Annotated[str, reference("Joint A", "joints", coordinate="angle")]
    joint_b: Annotated[str, reference("Joint B", "joints", coordinate="angle")]
    ratio: Annotated[Number, number("Ratio", "", "turns of A per turn of B", gt=0.0)]
    internal: Annotated[bool, text("Internal", "one wheel runs inside the other: both turn the same way")] = (
        False
    )


def rows(spec: GearSpec) -> Rows:
    ratio = as_float(spec.ratio) * (-1.0 if spec.internal else 1.0)
    mesh = Combination(((spec.joint_a, "angle", 1.0), (spec.joint_b, "angle", ratio)))
    return (Row(mesh, "mesh of the teeth", "rad", target=None),)


def reversed_(spec: GearSpec, is_reversed: Reversed) -> GearSpec:
    if is_reversed(spec.joint_a, "angle") == is_reversed(spec.joint_b, "angle"):
        return spec
    return replace(spec, internal=not spec.internal)


KIND = JointKind(
    spec=GearSpec,
    title="Gear pair",
    summary="Two joint angles in a fixed ratio",
    symbol="gear",
    icon="joint-gear",
    rows=rows,
    planar_rows=rows,
    uses_anchors=False,
    defaults={"ratio": 1.0},
    reversed=reversed_,
)
