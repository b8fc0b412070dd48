"""Body motion: a coordinate of a body follows a function of time."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec.structs import replace

from engine.elements.arithmetic import total
from engine.elements.base import WORLD, ZERO, Function, Vec
from engine.elements.coordinates.coordinate_functions import Along, Angle
from engine.elements.drivers.base import MotionBuilder, MotionKind, MotionSpec, Moved
from engine.elements.fields import function, reference, text, vec
from engine.elements.protocols.checking import Around
from engine.elements.protocols.moving import Mover
from engine.errors import Problem, SceneError


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


def coordinate_function(spec: BodyMotionSpec, build: MotionBuilder) -> int:
    along = Angle() if spec.coordinate == "angle" else Along(spec.coordinate, "W")
    return build.on_body(spec.body, spec.point, along)


def moved(spec: BodyMotionSpec, mover: Mover) -> BodyMotionSpec:
    placing, position = mover.placing, spec.level == "position"
    point = mover.point(spec.body, spec.point)
    if spec.coordinate == "angle":
        sign, offset = -1.0 if placing.mirrors else 1.0, placing.angle
    else:
        i = "xyz".index(spec.coordinate)
        sign, offset = float(placing.Q[i, i]), float(placing.d[i])
    if abs(sign) != 1.0:
        text = f"motion {spec.name!r} moves along an axis of the world and cannot be turned"
        raise SceneError([Problem(f"motions.{spec.name}", None, text, "leave it out")])
    changed = total((sign,), (spec.function,), offset if position else 0.0)
    return replace(spec, point=point, function=changed)


def check(spec: BodyMotionSpec, around: Around) -> Iterator[Problem]:
    if around.planar and spec.coordinate == "z":
        yield Problem("coordinate", "z", "a planar scene has no z coordinate", "use x, y or angle")
    if not around.planar and spec.coordinate == "angle":
        text = "a body has an angle in planar scenes only"
        yield Problem("coordinate", "angle", text, "use x, y or z, or a joint motion")
    if spec.body != WORLD and around.is_ground(spec.body):
        text = f"body {spec.body!r} is fixed and cannot be moved"
        yield Problem("body", spec.body, text, 'remove "fixed" from the body, or the motion')


KIND = MotionKind(
    spec=BodyMotionSpec,
    title="Body motion",
    summary="A coordinate of a body point follows a function of time",
    symbol="motion",
    icon="motion-body",
    coordinate_function=coordinate_function,
    moves=lambda spec: Moved("body", spec.body, spec.coordinate),
    moved=moved,
    check=check,
    defaults={"coordinate": "x"},
)
