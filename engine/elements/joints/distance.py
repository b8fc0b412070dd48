"""Distance: a massless rod with balls at both ends."""

from typing import Annotated

from engine.elements.base import Directions, Number
from engine.elements.coordinates.coordinate_functions import Distance
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number
from engine.elements.joints.base import AnchoredSpec, JointKind, Rows
from engine.elements.protocols.checking import rod_without_length


class DistanceSpec(AnchoredSpec, frozen=True, kw_only=True, tag="distance"):
    """Keep a point of body A at a fixed distance from a point of body B."""

    length: Annotated[Number | None, number("Rod length", "m", "null: from the given pose", gt=0.0)] = None


def rows(spec: DistanceSpec) -> Rows:
    return (Row(Distance(), "length of the rod", "m", target=spec.length),)


KIND = JointKind(
    spec=DistanceSpec,
    title="Distance rod",
    summary="Massless rod with ball joints at both ends",
    symbol="rod",
    icon="joint-distance",
    rows=rows,
    planar_rows=rows,
    check=rod_without_length,
    directions=Directions.NONE,
)
