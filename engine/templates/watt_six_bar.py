"""Watt's six-bar chain of the first kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.templates.base import Fact, Made, Template, Values, angle, length, speed
from engine.templates.planar import CRANK_ANGLES, Points, Sketch, beside, dyad, path, turned


def points(v: Values, phi: Any) -> Points:
    A, D = 0j, complex(v["ground"], 0.0)
    B = v["crank"] * turned(phi)
    C = dyad(B, D, v["coupler"], v["rocker"], 1.0, "coupler and rocker")
    E = beside(B, C, v["along"], v["across"])  # of the coupler
    F = beside(D, C, v["rocker_along"], v["rocker_across"])  # of the rocker
    G = dyad(E, F, v["arm_e"], v["arm_f"], 1.0, "the two upper links")
    return {"A": A, "B": B, "C": C, "D": D, "E": E, "F": F, "G": G}


def check(v: Values) -> None:
    points(v, CRANK_ANGLES)


def build(v: Values) -> Made:
    size = max(v["ground"], v["coupler"], v["rocker"])
    sketch = Sketch(lambda phi: points(v, phi), v["start"], v["speed"], size / 45.0)
    sketch.link("crank", "A", "B")
    sketch.link("coupler", "B", "C", "E")
    sketch.link("rocker", "D", "C", "F")
    sketch.link("upper link", "E", "G")
    sketch.link("output link", "F", "G")
    for pin, a, b in (
        ("A", "world", "crank"),
        ("B", "crank", "coupler"),
        ("C", "coupler", "rocker"),
        ("D", "world", "rocker"),
        ("E", "coupler", "upper link"),
        ("F", "rocker", "output link"),
        ("G", "upper link", "output link"),
    ):
        sketch.pin(pin, a, b)
    sketch.turn("crank", "A", v["speed"])
    sketch.trace("path of G", "output link", "G")
    turn = points(v, CRANK_ANGLES)
    facts = (
        Fact("Chain", "two ternary links share the pin C; one loop stands on the other"),
        Fact("Width of the path of G", float(np.ptp(turn["G"].real)), "m"),
        Fact("Height of the path of G", float(np.ptp(turn["G"].imag)), "m"),
    )
    return Made(sketch.scene, 1, facts, sketch.box(turn), (path(turn["G"]),))


TEMPLATE = Template(
    name="watt_six_bar",
    title="Watt six-bar",
    group="Linkages",
    summary="A four-bar whose coupler and rocker carry two more links: Watt's chain of the first kind.",
    parameters=(
        length("ground", "Ground AD", 0.4, "between the two fixed pins"),
        length("crank", "Crank AB", 0.12, "turns about A"),
        length("coupler", "Coupler BC", 0.38, "from crank to rocker"),
        length("rocker", "Rocker DC", 0.32, "turns about D"),
        length("along", "Pin E along", 0.19, "from B towards C", -2.0, 2.0),
        length("across", "Pin E across", 0.15, "to the left of B → C", -2.0, 2.0),
        length("rocker_along", "Pin F along", 0.42, "from D towards C", -2.0, 2.0),
        length("rocker_across", "Pin F across", -0.15, "to the left of D → C", -2.0, 2.0),
        length("arm_e", "Upper link EG", 0.32, "from the coupler"),
        length("arm_f", "Output link FG", 0.3, "from the rocker"),
        angle("start", "Crank angle", np.pi / 3, -6.3, 6.3, "at the start, from A → D"),
        speed(3.0),
    ),
    build=build,
    check=check,
    picture_time=1.7,
)
