"""Body motion: a coordinate of a body follows a function of time."""

from typing import Annotated, Literal

from engine.elements.base import ZERO, Function, Kind, Vec
from engine.elements.drivers.base import MotionSpec
from engine.elements.fields import function, reference, text, vec


class BodyMotionSpec(MotionSpec, frozen=True, kw_only=True, tag="body_motion"):
    """Prescribe a world coordinate of a body point, or the angle of a body in a planar scene."""

    body: Annotated[str, reference("Body", "bodies")]
    point: Annotated[
        Vec | str, vec("Point", "m", "in the body frame, or the name of a point", frame="plane")
    ] = ZERO
    coordinate: Annotated[Literal["x", "y", "z", "angle"], text("Coordinate")]
    level: Annotated[Literal["position", "velocity"], text("Level", "what the function prescribes")] = (
        "position"
    )
    function: Annotated[Function, function("Function", "m, rad or per second")]


KIND = Kind(
    spec=BodyMotionSpec,
    title="Body motion",
    summary="A coordinate of a body point follows a function of time",
    symbol="motion",
    icon="motion-body",
)
