"""The pantograph: a drawing in another size."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.templates.base import Fact, Made, Parameter, Template, Values, length, pace
from engine.templates.planar import CRANK_ANGLES, Points, Sketch, dyad, path, turned

CURL = 0.35  # share of the loops in the figure that is traced


def points(v: Values, phase: Any) -> Points:
    """O fixed, P led along the figure, Q the pen: OQ = ratio · OP."""
    arm, k, w = v["arm"], v["ratio"], np.asarray(phase)
    P = complex(v["x"], v["y"]) + v["figure"] * (turned(w) + CURL * turned(-4.0 * w))
    Q = k * P
    E = dyad(0j * P, Q, arm, arm, 1.0, "the two long bars")
    return {"O": 0j * P, "P": P, "Q": Q, "E": E, "C": E / k, "F": E + (Q - E) / k}


def check(v: Values) -> None:
    points(v, CRANK_ANGLES)


def build(v: Values) -> Made:
    sketch = Sketch(lambda phase: points(v, phase), 0.0, v["pace"], v["arm"] / 50.0)
    sketch.link("arm OE", "O", "E", "C", edges=[("O", "E")])
    sketch.link("arm EQ", "E", "Q", "F", edges=[("E", "Q")])
    sketch.link("bar CP", "C", "P")
    sketch.link("bar PF", "P", "F")
    for pin, a, b in (
        ("O", "world", "arm OE"),
        ("E", "arm OE", "arm EQ"),
        ("C", "arm OE", "bar CP"),
        ("P", "bar CP", "bar PF"),
        ("F", "bar PF", "arm EQ"),
    ):
        sketch.pin(pin, a, b)
    w, size = v["pace"], v["figure"]
    for axis, function in (
        ("x", f"{v['x']!r} + {size!r}*(cos({w!r}*t) + {CURL}*cos(4*{w!r}*t))"),
        ("y", f"{v['y']!r} + {size!r}*(sin({w!r}*t) - {CURL}*sin(4*{w!r}*t))"),
    ):
        sketch.scene = sketch.scene.with_motion(
            "body_motion", f"tracer {axis}", body="bar CP", point="P", coordinate=axis, function=function
        )
    sketch.trace("figure", "bar CP", "P", "#3C4043")
    sketch.trace("drawing", "arm EQ", "Q")
    far = float(np.max(np.abs(points(v, CRANK_ANGLES)["Q"])))
    facts = (
        Fact("Drawing to figure", v["ratio"]),
        Fact("Farthest reach of the pen", far, "m"),
        Fact("Reach of the bars", 2.0 * v["arm"], "m"),
    )
    turn = points(v, CRANK_ANGLES)
    return Made(sketch.scene, 2, facts, sketch.box(turn), (path(turn["P"]), path(turn["Q"])))


TEMPLATE = Template(
    name="pantograph",
    title="Pantograph",
    group="Drawing",
    summary="The tracer P is led along a figure and the pen Q draws it larger, in an exact ratio.",
    source="Christoph Scheiner's drawing instrument of 1603 [Scheiner 1631].",
    parameters=(
        length("arm", "Long bars OE, EQ", 0.6, "the two short ones follow from the ratio"),
        Parameter(
            name="ratio",
            title="Ratio",
            default=2.0,
            low=1.05,
            high=10.0,
            help="size of the drawing to the figure",
        ),
        length("x", "Figure, x", 0.26, "of its centre, from O", -2.0, 2.0),
        length("y", "Figure, y", 0.2, "of its centre, from O", -2.0, 2.0),
        length("figure", "Figure, size", 0.08, "radius of its main circle", 0.001, 1.0),
        pace(3.0),
    ),
    build=build,
    check=check,
    picture_time=1.5,
)
