"""Revolute-revolute: a massless rod hinged to both bodies about parallel axes."""

from typing import Annotated

from engine.elements.base import Number
from engine.elements.coordinates.coordinate_functions import Along, Distance
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number
from engine.elements.joints.base import PARALLEL_AXES, AnchoredSpec, JointKind, Rows, Weaker
from engine.elements.protocols.checking import rod_without_length


class RevoluteRevoluteSpec(AnchoredSpec, frozen=True, kw_only=True, tag="revolute_revolute"):
    """Join two bodies by a massless rod with a hinge at each end, the axes parallel."""

    length: Annotated[Number | None, number("Rod length", "m", "null: from the given pose", gt=0.0)] = None


def planar_rows(spec: RevoluteRevoluteSpec) -> Rows:
    return (Row(Distance(), "length of the rod", "m", target=spec.length),)


def rows(spec: RevoluteRevoluteSpec) -> Rows:
    return (*PARALLEL_AXES, Row(Along("z", "A"), "translation along z", "m"), *planar_rows(spec))


KIND = JointKind(
    spec=RevoluteRevoluteSpec,
    title="Revolute–revolute rod",
    summary="Massless rod hinged at both ends about parallel axes",
    symbol="rod",
    icon="joint-revolute-revolute",
    rows=rows,
    planar_rows=planar_rows,
    check=rod_without_length,
    weaker=(Weaker("revolute_spherical"), Weaker("distance")),
)
