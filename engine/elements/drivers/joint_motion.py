"""Joint motion: a joint coordinate follows a function of time."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec.structs import replace

from engine.elements.arithmetic import negated
from engine.elements.base import Function
from engine.elements.drivers.base import STEADY, SWING, MotionKind, MotionSpec, Moved
from engine.elements.fields import function, reference, text
from engine.elements.protocols.checking import Around
from engine.elements.protocols.moving import Reversed
from engine.errors import Problem


class JointMotionSpec(MotionSpec, frozen=True, kw_only=True, tag="joint_motion"):
    """Prescribe a joint coordinate or its rate."""

    joint: Annotated[str, reference("Joint", "joints")]
    coordinate: Annotated[Literal["angle", "displacement"], text("Coordinate")] = "angle"
    level: Annotated[Literal["position", "velocity"], text("Level", "what the function prescribes")] = (
        "position"
    )
    function: Annotated[Function, function("Function", "m, rad or per second")]


def moves(spec: JointMotionSpec) -> Moved:
    return Moved("joint", spec.joint, spec.coordinate)


def reversed_(spec: JointMotionSpec, is_reversed: Reversed) -> JointMotionSpec:
    if not is_reversed(spec.joint, spec.coordinate):
        return spec
    return replace(spec, function=negated(spec.function))


def check(spec: JointMotionSpec, around: Around) -> Iterator[Problem]:
    for other in around.elements("motions"):
        if other is spec:
            return
        if isinstance(other, JointMotionSpec) and moves(other) == moves(spec):
            text = f"{spec.coordinate} of joint {spec.joint!r} is already driven by {other.name!r}"
            yield Problem("joint", spec.joint, text, "remove one of the two motions")
            return


KIND = MotionKind(
    spec=JointMotionSpec,
    title="Joint motion",
    summary="A joint coordinate follows a function of time",
    symbol="motion",
    icon="motion-joint",
    coordinate_function=lambda spec, build: build.own_coordinate(spec.joint, spec.coordinate),
    moves=moves,
    noun="motor",
    first=lambda spec: STEADY if spec.coordinate == "angle" else SWING,
    reversed=reversed_,
    check=check,
)
