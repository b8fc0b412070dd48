"""Peaucellier's cell: an exact straight line from hinges alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.templates.base import Fact, Made, Template, Unreachable, Values, angle, length, pace
from engine.templates.planar import Points, Sketch, dyad, path, turned


def points(v: Values, theta: Any) -> Points:
    """O and C fixed; P runs on the circle about C through O, Q on a line: OP·OQ = OA² - AP²."""
    r, arm, side = v["crank"], v["arm"], v["side"]
    C = complex(r, 0.0)
    P = r + r * turned(theta)
    A = dyad(0j * P, P, arm, side, 1.0, "arms and rhombus")
    B = dyad(0j * P, P, arm, side, -1.0, "arms and rhombus")
    return {"O": 0j * P, "C": C, "P": P, "A": A, "B": B, "Q": A + B - P}


def check(v: Values) -> None:
    if v["arm"] <= v["side"]:
        raise Unreachable("the arms must be longer than the sides of the rhombus")
    points(v, np.linspace(-v["swing"], v["swing"], 31))


def build(v: Values) -> Made:
    sketch = Sketch(lambda theta: points(v, theta), 0.0, v["swing"] * v["pace"], v["arm"] / 45.0)
    for name, a, b in (
        ("crank", "C", "P"),
        ("arm A", "O", "A"),
        ("arm B", "O", "B"),
        ("AP", "A", "P"),
        ("BP", "B", "P"),
        ("AQ", "A", "Q"),
        ("BQ", "B", "Q"),
    ):
        sketch.link(name, a, b)
    for name, pin, a, b in (
        ("C", "C", "world", "crank"),
        ("O1", "O", "world", "arm A"),
        ("O2", "O", "world", "arm B"),
        ("A1", "A", "arm A", "AP"),
        ("A2", "A", "arm A", "AQ"),
        ("B1", "B", "arm B", "BP"),
        ("B2", "B", "arm B", "BQ"),
        ("P1", "P", "crank", "AP"),
        ("P2", "P", "crank", "BP"),
        ("Q", "Q", "AQ", "BQ"),
    ):
        sketch.pin(pin, a, b, name)
    sketch.drive("C", f"{v['swing']!r}*sin({v['pace']!r}*t)", level="position")
    sketch.trace("straight line", "AQ", "Q")
    sketch.trace("circle", "crank", "P", "#CC79A7")
    power = v["arm"] ** 2 - v["side"] ** 2
    facts = (
        Fact("Line at", power / (2.0 * v["crank"]), "m"),
        Fact("OP times OQ", power, "m²"),
        Fact("Length of the drawn line", power / v["crank"] * math.tan(v["swing"] / 2.0), "m"),
    )
    swing = points(v, np.linspace(-v["swing"], v["swing"], 61))
    return Made(sketch.scene, 1, facts, sketch.box(swing), (path(swing["Q"]), path(swing["P"])))


TEMPLATE = Template(
    name="peaucellier",
    title="Peaucellier cell",
    group="Drawing",
    summary="Seven bars and hinges turn a circle into an exact straight line, by inversion about O.",
    source="Charles-Nicolas Peaucellier [Peaucellier 1864]; Yom Tov Lipman Lipkin [Lipkin 1871].",
    parameters=(
        length("crank", "Crank CP", 0.12, "also the distance OC: P's circle passes through O"),
        length("arm", "Arms OA, OB", 0.4, "longer than the sides"),
        length("side", "Sides of the rhombus", 0.2, "AP, BP, AQ and BQ"),
        angle("swing", "Swing", math.radians(45), 0.01, 3.0, "of the crank to either side"),
        pace(3.0),
    ),
    build=build,
    check=check,
    picture_time=1.5,
)
