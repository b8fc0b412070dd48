"""The slider-crank, in line or offset."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.templates.base import Fact, Made, Template, Unreachable, Values, angle, length, speed
from engine.templates.planar import CRANK_ANGLES, Points, Sketch, path, turned


def points(v: Values, phi: Any) -> Points:
    B = v["crank"] * turned(phi)
    height = v["offset"] - B.imag
    x = B.real + np.sqrt(v["rod"] ** 2 - height**2)
    return {"A": 0j * B, "B": B, "C": x + 1j * v["offset"]}


def check(v: Values) -> None:
    if v["rod"] <= (v["crank"] + abs(v["offset"])) * (1.0 + 1e-6):
        raise Unreachable("the crank turns fully only if the rod is longer than crank and offset together")


def build(v: Values) -> Made:
    r, rod, e = v["crank"], v["rod"], v["offset"]
    sketch = Sketch(lambda phi: points(v, phi), v["start"], v["speed"], rod / 30.0)
    sketch.link("crank", "A", "B")
    sketch.link("rod", "B", "C")
    sketch.slider("piston", "C", (0.5 * r + rod / 10.0, 0.3 * r + rod / 12.0))
    sketch.pin("A", "world", "crank")
    sketch.pin("B", "crank", "rod")
    sketch.pin("C", "rod", "piston")
    # its frame stands at the crank's pivot, so that no length moves it but the offset
    sketch.joint("prismatic", "guide", "C", "world", "piston", axis=[1.0, 0.0], point=[0.0, e])
    sketch.turn("crank", "A", v["speed"])
    sketch.trace("crank circle", "crank", "B")
    far, near = math.sqrt((rod + r) ** 2 - e * e), math.sqrt((rod - r) ** 2 - e * e)
    # the crank stands in line with the rod at both ends: the strokes take π ± shift
    shift = math.asin(e / (rod - r)) - math.asin(e / (rod + r))
    facts = (
        Fact("Stroke", far - near, "m"),
        Fact("Crank to rod", r / rod),
        Fact("Slow stroke to quick stroke, in time", (math.pi + abs(shift)) / (math.pi - abs(shift))),
        Fact("Steepest rod", math.asin((r + abs(e)) / rod), "rad"),
    )
    turn = points(v, CRANK_ANGLES)
    return Made(sketch.scene, 1, facts, sketch.box(turn), (path(turn["B"]),))


TEMPLATE = Template(
    name="slider_crank",
    title="Slider-crank",
    group="Linkages",
    summary="A crank drives a piston to and fro through a rod; an offset makes one stroke the quicker.",
    parameters=(
        length("crank", "Crank AB", 0.1, "half the stroke, without an offset"),
        length("rod", "Rod BC", 0.3, "longer than crank and offset together", 0.02, 5.0),
        length("offset", "Offset", 0.0, "of the guide above the crank's axle", -1.0, 1.0),
        angle("start", "Crank angle", math.pi / 4, -2.0 * math.pi, 2.0 * math.pi, "at the start"),
        speed(6.0),
    ),
    build=build,
    check=check,
    picture_time=0.2,
)
