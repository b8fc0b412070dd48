"""Rack and pinion: a rotation drives a translation."""

from typing import Annotated

from msgspec.structs import replace

from engine.elements.arithmetic import negated
from engine.elements.base import Number, as_float
from engine.elements.coordinates.coordinate_functions import Combination
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number, reference
from engine.elements.joints.base import JointKind, JointSpec, Rows
from engine.elements.protocols.moving import Reversed


class RackPinionSpec(JointSpec, frozen=True, kw_only=True, tag="rack_pinion"):
    """Couple a displacement to an angle: displacement - radius·angle = const."""

    pinion: Annotated[str, reference("Pinion", "joints", coordinate="angle")]
    rack: Annotated[str, reference("Rack", "joints", coordinate="displacement")]
    radius: Annotated[Number, number("Radius", "m", "negative when the rack runs the other way")]


def rows(spec: RackPinionSpec) -> Rows:
    mesh = Combination(((spec.rack, "displacement", 1.0), (spec.pinion, "angle", -as_float(spec.radius))))
    return (Row(mesh, "mesh of the teeth", "m", target=None),)


def reversed_(spec: RackPinionSpec, is_reversed: Reversed) -> RackPinionSpec:
    if is_reversed(spec.pinion, "angle") == is_reversed(spec.rack, "displacement"):
        return spec
    return replace(spec, radius=negated(spec.radius))


KIND = JointKind(
    spec=RackPinionSpec,
    title="Rack and pinion",
    summary="A joint angle drives a joint displacement",
    symbol="rack",
    icon="joint-rack-pinion",
    rows=rows,
    planar_rows=rows,
    uses_anchors=False,
    defaults={"radius": 0.1},
    reversed=reversed_,
)
