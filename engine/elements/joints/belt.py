"""Belt: two pulleys with a belt that does not slip."""

from typing import Annotated

from msgspec.structs import replace

from engine.elements.base import Number, as_float
from engine.elements.coordinates.coordinate_functions import Combination
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number, reference, text
from engine.elements.joints.base import JointKind, JointSpec, Rows
from engine.elements.protocols.moving import Reversed


class BeltSpec(JointSpec, frozen=True, kw_only=True, tag="belt"):
    """Couple two angles by a belt: radius_a·angle_a - radius_b·angle_b = const, with + when crossed."""

    joint_a: Annotated[str, reference("Joint A", "joints", coordinate="angle")]
    joint_b: Annotated[str, reference("Joint B", "joints", coordinate="angle")]
    radius_a: Annotated[Number, number("Radius A", "m", gt=0.0)]
    radius_b: Annotated[Number, number("Radius B", "m", gt=0.0)]
    crossed: Annotated[bool, text("Crossed", "the pulleys turn opposite ways")] = False


def rows(spec: BeltSpec) -> Rows:
    radius_b = as_float(spec.radius_b) * (1.0 if spec.crossed else -1.0)
    run = Combination(((spec.joint_a, "angle", as_float(spec.radius_a)), (spec.joint_b, "angle", radius_b)))
    return (Row(run, "run of the belt", "m", target=None),)


def reversed_(spec: BeltSpec, is_reversed: Reversed) -> BeltSpec:
    if is_reversed(spec.joint_a, "angle") == is_reversed(spec.joint_b, "angle"):
        return spec
    return replace(spec, crossed=not spec.crossed)


KIND = JointKind(
    spec=BeltSpec,
    title="Belt",
    summary="Two joint angles joined by a belt that does not slip",
    symbol="belt",
    icon="joint-belt",
    rows=rows,
    planar_rows=rows,
    uses_anchors=False,
    defaults={"radius_a": 0.1, "radius_b": 0.1},
    reversed=reversed_,
)
