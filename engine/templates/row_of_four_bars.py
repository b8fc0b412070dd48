"""A row of square four-bars that share their cranks."""

from __future__ import annotations

import math
from typing import Any

from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length
from engine.templates.planar import Points, Sketch, turned


def points(v: Values, along: Any) -> Points:
    """A0, A1, … on the ground; B0, B1, … on top of cranks at this angle."""
    n, side = int(v["count"]), v["length"]
    found: Points = {}
    for i in range(n + 1):
        found[f"A{i}"] = i * side + 0j * along
        found[f"B{i}"] = i * side + side * turned(along)
    return found


def build(v: Values) -> Made:
    n, side = int(v["count"]), v["length"]
    sketch = Sketch(lambda along: points(v, along), v["start"], -v["push"] / side, side / 30.0)
    for i in range(n + 1):
        sketch.link(f"crank {i}", f"A{i}", f"B{i}")
        sketch.pin(f"A{i}", "world", f"crank {i}")
    for i in range(1, n + 1):
        sketch.link(f"coupler {i}", f"B{i - 1}", f"B{i}")
        sketch.pin(f"B{i - 1}", f"crank {i - 1}", f"coupler {i}", f"C{i}")
        sketch.pin(f"B{i}", f"coupler {i}", f"crank {i}", f"D{i}")
    sketch.trace("path of B0", "crank 0", "B0")
    facts = (
        Fact("Loops", float(n)),
        Fact("Where all bars lie in one line", f"degrees of freedom jump from 1 to {n + 1}"),
    )
    return Made(
        sketch.scene, 1, facts, ([-1.1 * side, -1.1 * side, 0.0], [(n + 1.1) * side, 1.1 * side, 0.0])
    )


TEMPLATE = Template(
    name="row_of_four_bars",
    title="Row of four-bars",
    group="Chains",
    summary="Equal cranks, each joined to the next by a coupler, fall over together from the upright.",
    source="N-four-bar [IFToMM 2015, A02].",
    parameters=(
        Parameter(name="count", title="Four-bars", default=6, low=1, high=500, whole=True, help="in the row"),
        length("length", "Length of a bar", 0.4, "of every bar, and the distance of the pivots"),
        angle("start", "Cranks", math.radians(80), math.radians(15), math.radians(165), "at the start"),
        Parameter(
            name="push",
            title="Push",
            unit="m/s",
            default=0.5,
            low=-10.0,
            high=10.0,
            help="velocity of B0 to the right at the start",
        ),
    ),
    build=build,
    picture_time=0.3,
)
