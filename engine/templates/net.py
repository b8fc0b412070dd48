"""A net of rods that hangs from a ceiling: rows of parallelograms below each other."""

from __future__ import annotations

import math
from typing import Any

from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length
from engine.templates.planar import Points, Sketch, turned


def points(v: Values, along: Any) -> Points:
    """Knot i-j is the j-th of row i; row 0 is the ceiling. Rods of one row hang at the same angle."""
    n, side, found, down = int(v["count"]), v["length"], {}, 0j
    for i in range(n + 1):
        found.update({f"K{i}-{j}": down + j * side for j in range(n + 1)})
        down = down - 1j * side * complex(turned(v["start"] + i * v["bend"]))
    return found


def build(v: Values) -> Made:
    n, side = int(v["count"]), v["length"]
    sketch = Sketch(lambda along: points(v, along), 0.0, 0.0, side / 25.0)
    for i in range(n):
        for j in range(n + 1):
            above = "world" if i == 0 else f"rod {i - 1}-{j}"
            sketch.link(f"rod {i}-{j}", f"K{i}-{j}", f"K{i + 1}-{j}")
            sketch.pin(f"K{i}-{j}", above, f"rod {i}-{j}", f"knot {i}-{j}")
        for j in range(n):
            left, right = f"K{i + 1}-{j}", f"K{i + 1}-{j + 1}"
            sketch.link(f"bar {i}-{j}", left, right)
            sketch.pin(left, f"rod {i}-{j}", f"bar {i}-{j}", f"left {i}-{j}")
            sketch.pin(right, f"rod {i}-{j + 1}", f"bar {i}-{j}", f"right {i}-{j}")
    sketch.trace("path of a corner", f"rod {n - 1}-{n}", f"K{n}-{n}")
    bodies = len(sketch.scene.bodies)
    facts = (Fact("Rods", float(bodies)), Fact("Loops", float(n * n)), Fact("Side of the net", n * side, "m"))
    wide = 1.05 * n * side
    return Made(sketch.scene, n, facts, ([-wide, -wide, 0.0], [2.0 * wide, 0.1 * wide, 0.0]))


TEMPLATE = Template(
    name="net",
    title="Net of rods",
    group="Chains",
    summary="A square net of equal rods hangs from the ceiling and is let go: every row is a row of "
    "parallelograms, so there are as many degrees of freedom as rows.",
    notes="A mesh of n × n loops: what its equations cost shows what an ordering is worth.",
    parameters=(
        Parameter(
            name="count", title="Meshes", default=4, low=1, high=22, whole=True, help="along each side"
        ),
        length("length", "Length of a rod", 0.2, "all alike"),
        angle("start", "First row", math.radians(35), -1.2, 1.2, "at the start, from hanging down"),
        angle("bend", "Bend at each row", math.radians(-6), -0.2, 0.2, "from one row to the next"),
    ),
    build=build,
    picture_time=math.pi / 8.0,
)
