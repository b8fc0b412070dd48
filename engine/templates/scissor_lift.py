"""A scissor lift of any number of stages."""

from __future__ import annotations

import math
from typing import Any

from engine.templates.base import Fact, Made, Parameter, Template, Unreachable, Values, angle, length, pace
from engine.templates.planar import Points, Sketch, turned

FLATTEST, STEEPEST = math.radians(4.0), math.radians(86.0)  # bars, at the ends of the stroke


def points(v: Values, along: Any) -> Points:
    """L and R are the feet of a stage, M is where its bars cross; `along` is the angle of the bars."""
    arm = v["arm"] * turned(along)
    wide, high = arm.real, arm.imag
    found: Points = {}
    for i in range(int(v["count"]) + 1):
        found[f"L{i}"], found[f"R{i}"] = 1j * i * high, wide + 1j * i * high
        found[f"M{i}"] = wide / 2.0 + 1j * (i + 0.5) * high
    return found


def check(v: Values) -> None:
    if not FLATTEST <= v["start"] <= v["start"] + v["stroke"] <= STEEPEST:
        raise Unreachable("the bars would lie flat or stand upright, where the lift locks")


def build(v: Values) -> Made:
    n = int(v["count"])
    sketch = Sketch(lambda along: points(v, along), v["start"], 0.0, v["arm"] / 40.0)
    for i in range(n):
        sketch.link(f"rising {i + 1}", f"L{i}", f"R{i + 1}", f"M{i}", edges=[(f"L{i}", f"R{i + 1}")])
        sketch.link(f"falling {i + 1}", f"R{i}", f"L{i + 1}", f"M{i}", edges=[(f"R{i}", f"L{i + 1}")])
        sketch.pin(f"M{i}", f"rising {i + 1}", f"falling {i + 1}", f"crossing {i + 1}")
        if i:
            sketch.pin(f"L{i}", f"falling {i}", f"rising {i + 1}", f"left {i}")
            sketch.pin(f"R{i}", f"rising {i}", f"falling {i + 1}", f"right {i}")
    sketch.link("platform", f"L{n}", f"R{n}")
    sketch.pin("L0", "world", "rising 1", "foot")
    sketch.joint("point_on_line", "guide", "R0", "world", "falling 1", axis=[1.0, 0.0])
    sketch.pin(f"L{n}", f"falling {n}", "platform", "top")
    sketch.joint("point_on_line", "slot", f"R{n}", "platform", f"rising {n}", axis=[1.0, 0.0])
    w = v["pace"]
    sketch.drive("foot", f"{v['stroke']!r}*(1 - cos({w!r}*t))/2", level="position")
    sketch.trace("path of the platform", "platform", f"R{n}")
    low, high = (n * v["arm"] * math.sin(v["start"] + share * v["stroke"]) for share in (0.0, 1.0))
    facts = (
        Fact("Height, lowest", low, "m"),
        Fact("Height, highest", high, "m"),
        # virtual work: n L cos θ δθ W = T δθ
        Fact(
            "Lift of the platform per turn of the bars, lowest", n * v["arm"] * math.cos(v["start"]), "m/rad"
        ),
    )
    edge = 0.1 * v["arm"]
    return Made(sketch.scene, 1, facts, ([-edge, -edge, 0.0], [v["arm"] + edge, high + edge, 0.0]))


TEMPLATE = Template(
    name="scissor_lift",
    title="Scissor lift",
    group="Machines",
    summary="Pairs of crossed bars on top of each other lift a platform; one drive at the foot raises all.",
    parameters=(
        Parameter(name="count", title="Stages", default=4, low=1, high=100, whole=True, help="on each other"),
        length("arm", "Length of a bar", 0.5, "all alike"),
        angle("start", "Bars, lowest", math.radians(20), FLATTEST, math.radians(70), "from the ground"),
        angle("stroke", "Stroke", math.radians(30), 0.0, math.radians(70), "by which the bars rise"),
        pace(2.0),
    ),
    build=build,
    check=check,
    picture_time=1.0,
)
