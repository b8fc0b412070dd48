"""Klann's walking leg, in the proportions of his patent."""

from __future__ import annotations

import math
from typing import Any

from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length, speed
from engine.templates.jansen_leg import facts
from engine.templates.planar import CRANK_ANGLES, Points, Sketch, beside, dyad, path, turned

# US patent 6,260,862: coordinates of the pins with the leg stretched out
UPPER, LOWER, AXLE = 1.366 + 1.366j, 1.009 + 0.574j, 1.599 + 0.75j
CRANK_PIN, ELBOW, KNEE, HIP, FOOT = 1.331 + 0.75j, 0.741 + 0.75j, 0.232 + 0.866j, 0.866 + 1.5j, 0j
CRANK = abs(CRANK_PIN - AXLE)
KNEE_ON_ROD = (KNEE - CRANK_PIN) / (ELBOW - CRANK_PIN) * abs(ELBOW - CRANK_PIN)
FOOT_ON_LEG = (FOOT - KNEE) / (HIP - KNEE) * abs(HIP - KNEE)


def points(v: Values, phi: Any) -> Points:
    """O axle, P crank pin, E elbow, K knee, H hip, X foot; L and U are the fixed pins of the rockers."""
    u = v["crank"] / CRANK
    P = v["crank"] * v["longer"] * turned(phi)
    L, U = (LOWER - AXLE) * u, (UPPER - AXLE) * u
    rod, lower = abs(ELBOW - CRANK_PIN) * u, abs(ELBOW - LOWER) * u
    E = dyad(P, L, rod, lower, -1.0, "connecting rod and lower rocker")
    K = beside(P, E, KNEE_ON_ROD.real * u, KNEE_ON_ROD.imag * u)
    H = dyad(K, U, abs(HIP - KNEE) * u, abs(HIP - UPPER) * u, 1.0, "leg and upper rocker")
    X = beside(K, H, FOOT_ON_LEG.real * u, FOOT_ON_LEG.imag * u)
    return {"O": 0j * P, "P": P, "L": L, "U": U, "E": E, "K": K, "H": H, "X": X}


def check(v: Values) -> None:
    points(v, CRANK_ANGLES)


def build(v: Values) -> Made:
    sketch = Sketch(lambda phi: points(v, phi), v["start"], v["speed"], v["crank"] / 12.0)
    sketch.link("crank", "O", "P")
    sketch.link("connecting rod", "P", "E", "K", edges=[("P", "E"), ("E", "K")])
    sketch.link("lower rocker", "L", "E")
    sketch.link("leg", "K", "H", "X", edges=[("H", "K"), ("K", "X")])
    sketch.link("upper rocker", "U", "H")
    for pin, a, b in (
        ("O", "world", "crank"),
        ("P", "crank", "connecting rod"),
        ("E", "connecting rod", "lower rocker"),
        ("L", "world", "lower rocker"),
        ("K", "connecting rod", "leg"),
        ("H", "leg", "upper rocker"),
        ("U", "world", "upper rocker"),
    ):
        sketch.pin(pin, a, b)
    sketch.turn("crank", "O", v["speed"])
    sketch.trace("path of the foot", "leg", "X")
    chain = Fact("Chain", "a six-bar: two rockers on the frame")
    turn = points(v, CRANK_ANGLES)
    return Made(
        sketch.scene, 1, (*facts(points(v, CRANK_ANGLES)["X"]), chain), sketch.box(turn), (path(turn["X"]),)
    )


TEMPLATE = Template(
    name="klann_leg",
    title="Klann leg",
    group="Walking",
    summary="A six-bar leg that steps like a spider's: half a turn along the ground, half a turn above it.",
    source="Joseph Klann's patent [Klann 2001]: coordinates of the example leg.",
    parameters=(
        length("crank", "Size: crank of the drawing", 0.15, "all other lengths follow from it", 0.01, 1.0),
        Parameter(
            name="longer",
            title="Crank, times Klann's",
            default=1.0,
            low=0.2,
            high=1.2,
            help="1 is the leg of the patent",
        ),
        angle("start", "Crank angle", math.pi, -6.3, 6.3, "at the start; 180° is the leg stretched out"),
        speed(-3.0),
    ),
    build=build,
    check=check,
    picture_time=1.7,
)
