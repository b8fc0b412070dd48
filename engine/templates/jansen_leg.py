"""Jansen's walking leg, in the proportions of his beach animals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length, speed
from engine.templates.planar import CRANK_ANGLES, Points, Sketch, dyad, path, turned

# Theo Jansen's eleven bar lengths and the two distances a and l of the frame, by his letters
LENGTHS = dict(
    zip("abcdefghijklm", (38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15), strict=True)
)


def points(v: Values, phi: Any) -> Points:
    """O axle, P crank pin, Q fixed pin, R knee above, S behind, T below, U ankle, X foot."""
    size = {letter: value * v["crank"] / LENGTHS["m"] for letter, value in LENGTHS.items()}
    P = v["crank"] * v["longer"] * turned(phi)
    Q = complex(-size["a"], -size["l"])
    R = dyad(P, Q, size["j"], size["b"], -1.0, "the upper rod and the upper triangle")
    S = dyad(Q, R, size["d"], size["e"], 1.0, "the sides of the upper triangle")
    T = dyad(P, Q, size["k"], size["c"], 1.0, "the lower rod and the lower link")
    U = dyad(S, T, size["f"], size["g"], -1.0, "the rear link and the foot triangle")
    X = dyad(U, T, size["h"], size["i"], -1.0, "the sides of the foot triangle")
    return {"O": 0j * P, "P": P, "Q": Q, "R": R, "S": S, "T": T, "U": U, "X": X}


def check(v: Values) -> None:
    points(v, CRANK_ANGLES)


def build(v: Values) -> Made:
    sketch = Sketch(lambda phi: points(v, phi), v["start"], v["speed"], v["crank"] / 12.0)
    sketch.link("crank", "O", "P")
    sketch.link("upper rod", "P", "R")
    sketch.link("lower rod", "P", "T")
    sketch.link("upper triangle", "Q", "R", "S")
    sketch.link("lower link", "Q", "T")
    sketch.link("rear link", "S", "U")
    sketch.link("foot", "U", "T", "X")
    for name, pin, a, b in (
        ("O", "O", "world", "crank"),
        ("P1", "P", "crank", "upper rod"),
        ("P2", "P", "crank", "lower rod"),
        ("Q1", "Q", "world", "upper triangle"),
        ("Q2", "Q", "world", "lower link"),
        ("R", "R", "upper rod", "upper triangle"),
        ("S", "S", "upper triangle", "rear link"),
        ("T1", "T", "lower rod", "lower link"),
        ("T2", "T", "lower link", "foot"),
        ("U", "U", "rear link", "foot"),
    ):
        sketch.pin(pin, a, b, name)
    sketch.turn("crank", "O", v["speed"])
    sketch.trace("path of the foot", "foot", "X")
    turn = points(v, CRANK_ANGLES)
    return Made(sketch.scene, 1, facts(points(v, CRANK_ANGLES)["X"]), sketch.box(turn), (path(turn["X"]),))


def facts(foot: Any) -> tuple[Fact, ...]:
    """Of a foot path: how long and high it is, and how much of the turn it spends near the ground."""
    height = float(np.ptp(foot.imag))
    low = foot.imag < foot.imag.min() + 0.1 * height
    return (
        Fact("Step length", float(np.ptp(foot.real)), "m"),
        Fact("Step height", height, "m"),
        Fact("Share of the turn in the lowest tenth", f"{100.0 * float(np.mean(low[:-1])):.0f} %"),
    )


TEMPLATE = Template(
    name="jansen_leg",
    title="Jansen leg",
    group="Walking",
    summary="Eight links let a foot walk: flat along the ground, then up and back, at one turn of a crank.",
    source="Theo Jansen's thirteen lengths, a = 38 to m = 15 [Jansen 2007].",
    parameters=(
        length("crank", "Size: crank of the drawing", 0.15, "all other lengths follow from it", 0.01, 1.0),
        Parameter(
            name="longer",
            title="Crank, times Jansen's",
            default=1.0,
            low=0.2,
            high=1.4,
            help="1 is the published leg; a longer crank makes longer steps",
        ),
        angle("start", "Crank angle", math.pi / 2, -6.3, 6.3, "at the start"),
        speed(-3.0),
    ),
    build=build,
    check=check,
    picture_time=1.7,
)
