"""Many Stewart platforms beside each other, as a simulator hall or a row of machine tools has them."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from engine.model.scene import Scene
from engine.templates import stewart_platform
from engine.templates.base import Fact, Made, Parameter, Template, Values, length


def build(v: Values) -> Made:
    n, gap = int(v["count"]), v["gap"]
    across = math.ceil(math.sqrt(n))
    one = stewart_platform.TEMPLATE.defaults
    scene = Scene()
    for k in range(n):
        # each goes a little slower than the one before: all begin at rest, and soon they are out of step
        made = stewart_platform.build({**one, "pace": v["pace"] / (1.0 + 0.1 * k)})
        scene = _with_copy(scene, made.scene, k + 1, [gap * (k % across), gap * (k // across), 0.0])
    traces = [
        msgspec.structs.replace(trace, name=f"{trace.name} {n}", body=f"{trace.body} {n}")
        for trace in made.scene.traces
    ]
    scene = msgspec.structs.replace(scene, traces=tuple(traces))
    wide = 1.1 * one["base"]
    rows = math.ceil(n / across)
    facts = (
        Fact("Bodies that move", float(13 * n)),
        Fact("Legs", float(6 * n)),
        Fact("Loops", float(5 * n)),
    )
    top = one["height"] + one["heave"] + one["tilt"]
    box = ([-wide, -wide, -0.1], [gap * (across - 1) + wide, gap * (rows - 1) + wide, top])
    return Made(scene, 6 * n, facts, box)


def _with_copy(scene: Scene, one: Scene, number: int, shift: list[float]) -> Scene:
    """The scene and another one, its elements numbered, in another place."""

    def placed(anchor: Any) -> Any:
        if anchor.body == "world":
            return msgspec.structs.replace(anchor, point=_shifted(anchor.point, shift))
        return msgspec.structs.replace(anchor, body=f"{anchor.body} {number}")

    replace = msgspec.structs.replace
    bodies = [
        replace(body, name=f"{body.name} {number}", position=_shifted(body.position, shift))
        for body in one.bodies
    ]
    joints: list[Any] = list(one.joints)
    joints = [replace(j, name=f"{j.name} {number}", a=placed(j.a), b=placed(j.b)) for j in joints]
    motions: list[Any] = list(one.motions)
    motions = [replace(m, name=f"{m.name} {number}", joint=f"{m.joint} {number}") for m in motions]
    return replace(
        scene,
        bodies=(*scene.bodies, *bodies),
        joints=(*scene.joints, *joints),
        motions=(*scene.motions, *motions),
    )


def _shifted(point: Any, shift: list[float]) -> tuple[float, ...]:
    return tuple(float(a) + b for a, b in zip(point, shift, strict=True))


TEMPLATE = Template(
    name="stewart_farm",
    title="Farm of Stewart platforms",
    group="Spatial",
    summary="Many platforms on six driven legs each stand beside each other and move out of step.",
    source="V. E. Gough [Gough 1956]; D. Stewart [Stewart 1965].",
    notes="The platforms do not touch each other: their equations cost as much as one of them, times their "
    "number.",
    parameters=(
        Parameter(name="count", title="Platforms", default=4, low=1, high=80, whole=True, help="in a square"),
        length("gap", "Distance", 2.6, "from one to the next", 2.3, 20.0),
        Parameter(
            name="pace",
            title="Pace of the drive",
            unit="rad/s",
            default=1.5,
            low=0.01,
            high=20.0,
            help="of the first platform; the others are slower",
        ),
    ),
    build=build,
    picture_time=2.0,
)
