"""Joint motion: a joint coordinate follows a function of time."""

from typing import Annotated, Literal

from msgspec.structs import replace

from engine.elements.arithmetic import negated
from engine.elements.base import Function, Kind
from engine.elements.drivers.base import MotionSpec
from engine.elements.fields import function, reference, text
from engine.elements.moving import Reversed


class JointMotionSpec(MotionSpec, frozen=True, kw_only=True, tag="joint_motion"):
    """Prescribe a joint coordinate or its rate."""

    joint: Annotated[str, reference("Joint", "joints")]
    coordinate: Annotated[Literal["angle", "displacement"], text("Coordinate")] = "angle"
    level: Annotated[Literal["position", "velocity"], text("Level", "what the function prescribes")] = (
        "position"
    )
    function: Annotated[Function, function("Function", "m, rad or per second")]


def reversed_(spec: JointMotionSpec, is_reversed: Reversed) -> JointMotionSpec:
    if not is_reversed(spec.joint, spec.coordinate):
        return spec
    return replace(spec, function=negated(spec.function))


KIND = Kind(
    spec=JointMotionSpec,
    title="Joint motion",
    summary="A joint coordinate follows a function of time",
    symbol="motion",
    icon="motion-joint",
    reversed=reversed_,
)
