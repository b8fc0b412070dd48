"""A chain of pendulums."""

from __future__ import annotations

import math
from typing import Any

from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length
from engine.templates.planar import Points, Sketch, turned

GRAVITY = 9.81  # m/s², the scene's own


def points(v: Values, along: Any) -> Points:
    """P0 is fixed; bar i hangs at the start angle plus i times the bend, from the vertical."""
    found, at = {"P0": 0j}, 0j
    for i in range(int(v["count"])):
        at = at - 1j * v["length"] * complex(turned(v["start"] + i * v["bend"]))
        found[f"P{i + 1}"] = at
    return found


def build(v: Values) -> Made:
    count, side = int(v["count"]), v["length"]
    sketch = Sketch(lambda along: points(v, along), 0.0, 0.0, side / 20.0)
    for i in range(count):
        sketch.link(f"bar {i + 1}", f"P{i}", f"P{i + 1}")
        sketch.pin(f"P{i}", "world" if i == 0 else f"bar {i}", f"bar {i + 1}")
    sketch.trace("path of the end", f"bar {count}", f"P{count}")
    facts = [Fact("Length of the chain", count * side, "m")]
    if count == 1:
        # thin bar: I = m L²/3, so ω² = 3 g/(2 L)
        slow = 2.0 * math.pi * math.sqrt(2.0 * side / (3.0 * GRAVITY))
        facts.append(Fact("Period of small swings, of a thin bar", slow, "s"))
    else:
        facts.append(Fact("Motion", "chaotic when the chain is lifted high"))
    reach = 1.05 * count * side
    return Made(sketch.scene, count, tuple(facts), ([-reach, -reach, 0.0], [reach, 0.2 * reach, 0.0]))


TEMPLATE = Template(
    name="pendulum_chain",
    title="Pendulum chain",
    group="Chains",
    summary="Any number of equal bars hang from each other and are let go.",
    parameters=(
        Parameter(
            name="count",
            title="Bars",
            default=5,
            low=1,
            high=1000,
            whole=True,
            help="as many as degrees of freedom",
        ),
        length("length", "Length of a bar", 0.2, "all alike"),
        angle("start", "First bar", math.pi / 2, -math.pi, math.pi, "at the start, from hanging down"),
        angle("bend", "Bend at each pin", 0.0, -math.pi, math.pi, "from one bar to the next"),
    ),
    build=build,
    picture_time=0.8,
)
