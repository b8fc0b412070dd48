"""Revolute-spherical: a massless rod with a hinge at A and a ball at B."""

from typing import Annotated

from engine.elements.base import Number
from engine.elements.coordinates.coordinate_functions import Along, Distance
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number
from engine.elements.joints.base import AnchoredSpec, JointKind, Rows, Weaker
from engine.elements.protocols.checking import rod_without_length


class RevoluteSphericalSpec(AnchoredSpec, frozen=True, kw_only=True, tag="revolute_spherical"):
    """Join two bodies by a massless rod hinged to A about its axis, with a ball joint at B."""

    length: Annotated[Number | None, number("Rod length", "m", "null: from the given pose", gt=0.0)] = None


def planar_rows(spec: RevoluteSphericalSpec) -> Rows:
    return (Row(Distance(), "length of the rod", "m", target=spec.length),)


def rows(spec: RevoluteSphericalSpec) -> Rows:
    return (Row(Along("z", "A"), "translation along z", "m"), *planar_rows(spec))


KIND = JointKind(
    spec=RevoluteSphericalSpec,
    title="Revolute–spherical rod",
    summary="Massless rod hinged to A, with a ball joint at B",
    symbol="rod",
    icon="joint-revolute-spherical",
    rows=rows,
    planar_rows=planar_rows,
    check=rod_without_length,
    weaker=(Weaker("distance"),),
)
