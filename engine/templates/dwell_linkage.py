"""A six-bar whose output turns and rests: hinges in place of a Geneva drive."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from engine.templates.base import Fact, Made, Template, Unreachable, Values, angle, length, speed
from engine.templates.planar import CRANK_ANGLES, Points, Sketch, beside, dyad, path, turned

SAMPLES = 61  # of the crank angle, along the arc


def coupler_point(v: Values, phi: Any) -> Points:
    B = v["crank"] * turned(phi)
    D = complex(v["ground"], 0.0)
    C = dyad(B, D, v["coupler"], v["rocker"], 1.0, "coupler and rocker")
    return {"A": 0j * B, "B": B, "C": C, "D": D, "E": beside(B, C, v["along"], v["across"])}


@lru_cache(maxsize=8)
def _arc(*values: float) -> tuple[complex, float]:
    """Centre and radius of the circle nearest to the coupler curve while the output rests: least squares of
    |E|² = 2 E·M + (R² - |M|²)."""
    names = ("ground", "crank", "coupler", "rocker", "along", "across")
    v = dict(zip(names, values, strict=False))
    E = coupler_point(v, np.linspace(values[6], values[6] + values[7], SAMPLES))["E"]
    table = np.column_stack([2.0 * E.real, 2.0 * E.imag, np.ones(SAMPLES)])
    x, y, rest = np.linalg.lstsq(table, np.abs(E) ** 2, rcond=None)[0]
    return complex(x, y), math.sqrt(rest + x * x + y * y)


def arc(v: Values) -> tuple[complex, float]:
    names = ("ground", "crank", "coupler", "rocker", "along", "across", "begin", "rest")
    return _arc(*(v[name] for name in names))


def points(v: Values, phi: Any) -> Points:
    """F stands at the centre of the arc while E runs along it; G is the axle of the output."""
    found = coupler_point(v, phi)
    centre, radius = arc(v)
    G = centre - v["output"] * complex(turned(v["direction"]))
    F = dyad(found["E"], G, radius, v["output"], 1.0, "link and output")
    return {**found, "F": F, "G": G}


def rest(v: Values) -> float:
    """How far the output moves while it should rest, to either side [rad]."""
    at = points(v, np.linspace(v["begin"], v["begin"] + v["rest"], 4 * SAMPLES))
    return float(np.ptp(np.unwrap(np.angle(at["F"] - at["G"])))) / 2.0


def check(v: Values) -> None:
    points(v, CRANK_ANGLES)
    if rest(v) > 0.2:
        raise Unreachable("the coupler curve is no arc there, so that the output does not rest")


def build(v: Values) -> Made:
    size = max(v["coupler"], v["rocker"])
    sketch = Sketch(lambda phi: points(v, phi), v["start"], v["speed"], size / 45.0)
    sketch.link("crank", "A", "B")
    sketch.link("coupler", "B", "C", "E")
    sketch.link("rocker", "D", "C")
    sketch.link("link", "E", "F")
    sketch.link("output", "G", "F")
    for pin, a, b in (
        ("A", "world", "crank"),
        ("B", "crank", "coupler"),
        ("C", "coupler", "rocker"),
        ("D", "world", "rocker"),
        ("E", "coupler", "link"),
        ("F", "link", "output"),
        ("G", "world", "output"),
    ):
        sketch.pin(pin, a, b)
    sketch.turn("crank", "A", v["speed"])
    sketch.trace("coupler curve", "coupler", "E")
    sketch.trace("path of F", "output", "F", "#CC79A7")
    at = points(v, CRANK_ANGLES)
    turn = np.unwrap(np.angle(at["F"] - at["G"]))
    turns = abs(round(float(turn[-1] - turn[0]) / (2.0 * math.pi)))
    motion = "turns once per turn of the crank" if turns else "swings to and fro"
    facts = (
        Fact("Output", motion),
        Fact("Range of the output", float(np.ptp(turn)), "rad"),
        Fact("Rests within ±", rest(v), "rad"),
        Fact("Radius of the arc", arc(v)[1], "m"),
    )
    return Made(sketch.scene, 1, facts, sketch.box(at), (path(at["E"]), path(at["F"])))


TEMPLATE = Template(
    name="dwell_linkage",
    title="Dwell linkage (Geneva-like)",
    group="Drives",
    summary="Six links with hinges only: the output turns once per turn of the crank, resting for a third.",
    notes="A Geneva drive needs contact between pin and wheel, which joints do not give. Here the coupler "
    "point E runs along a nearly circular arc, and the link EF turns about its centre meanwhile: the output "
    "rests nearly, not exactly. The arc is fitted to the curve: the link's length follows from the rest.",
    parameters=(
        length("ground", "Ground AD", 0.1513, "between two fixed pins"),
        length("crank", "Crank AB", 0.1, "turns about A"),
        length("coupler", "Coupler BC", 0.3847, "from crank to rocker"),
        length("rocker", "Rocker DC", 0.3715, "turns about D"),
        length("along", "Pin E along", 0.2675, "from B towards C", -2.0, 2.0),
        length("across", "Pin E across", -0.2555, "to the left of B → C", -2.0, 2.0),
        angle("begin", "Rest begins", math.radians(168), 0.0, 2.0 * math.pi, "at this angle of the crank"),
        angle("rest", "Rest lasts", math.radians(120), 0.2, math.pi, "for this angle of the crank"),
        length("output", "Output GF", 0.1, "turns about G"),
        angle("direction", "Output rests at", math.radians(110), -6.3, 6.3, "direction of G → F"),
        angle("start", "Crank angle", math.radians(60), -6.3, 6.3, "at the start, from A → D"),
        speed(3.0),
    ),
    build=build,
    check=check,
    picture_time=1.7,
)
