"""Roller: a cylinder rolls without slip on a flat of a body, which may itself move.

Its axle stays parallel to the flat, so that nothing of it is left to velocities: with y the way of the centre
along the flat and φ the turn of B relative to A, y − ρ φ stays what it is. `rolling` is the wheel that leans
and steers, on a plane that is fixed.
"""

from typing import Annotated

from engine.elements.base import Directions, Number, as_float
from engine.elements.coordinates.coordinate_functions import Along, Angle, Combination
from engine.elements.coordinates.rows import Row
from engine.elements.fields import number
from engine.elements.joints.base import PARALLEL_AXES, CoordinateSpec, JointKind, Rows


class RollerSpec(CoordinateSpec, frozen=True, kw_only=True, tag="roller"):
    """Let a cylinder of body B roll along y of frame A, on the flat that x of frame A stands on."""

    radius: Annotated[Number, number("Radius", "m", gt=0.0)]


def planar_rows(spec: RollerSpec) -> Rows:
    radius = as_float(spec.radius)
    roll = Combination(((spec.name, "displacement", 1.0), (spec.name, "angle", -radius)))
    return (
        Row(Along("x", "A"), "height over the flat", "m", target=radius),
        Row(roll, "roll without slip", "m", target=None),
    )


def rows(spec: RollerSpec) -> Rows:
    return (*PARALLEL_AXES, Row(Along("z", "A"), "translation along z", "m"), *planar_rows(spec))


COORDINATES = {"angle": Angle(), "displacement": Along("y", "A")}
KIND = JointKind(
    spec=RollerSpec,
    title="Roller",
    summary="A cylinder of B rolls without slip on a flat of A, which may move",
    symbol="wheel",
    icon="joint-rolling",
    rows=rows,
    planar_rows=planar_rows,
    coordinates=COORDINATES,
    planar_coordinates=COORDINATES,
    own_point=True,
    on_wheel=True,
    defaults={"radius": 0.1},
    directions=Directions.FRAME,
)
