"""Stephenson's six-bar chain of the third kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.templates.base import Fact, Made, Template, Values, angle, length, speed
from engine.templates.planar import CRANK_ANGLES, Points, Sketch, beside, dyad, path, turned


def points(v: Values, phi: Any) -> Points:
    A, D, G = 0j, complex(v["ground"], 0.0), complex(v["pivot_x"], v["pivot_y"])
    B = v["crank"] * turned(phi)
    C = dyad(B, D, v["coupler"], v["rocker"], 1.0, "coupler and rocker")
    E = beside(B, C, v["along"], v["across"])
    F = dyad(E, G, v["link"], v["output"], 1.0, "link and output rocker")
    return {"A": A, "B": B, "C": C, "D": D, "E": E, "F": F, "G": G}


def check(v: Values) -> None:
    points(v, CRANK_ANGLES)


def build(v: Values) -> Made:
    size = max(v["ground"], v["coupler"], v["rocker"])
    sketch = Sketch(lambda phi: points(v, phi), v["start"], v["speed"], size / 45.0)
    sketch.link("crank", "A", "B")
    sketch.link("coupler", "B", "C", "E")
    sketch.link("rocker", "D", "C")
    sketch.link("link", "E", "F")
    sketch.link("output rocker", "G", "F")
    for pin, a, b in (
        ("A", "world", "crank"),
        ("B", "crank", "coupler"),
        ("C", "coupler", "rocker"),
        ("D", "world", "rocker"),
        ("E", "coupler", "link"),
        ("F", "link", "output rocker"),
        ("G", "world", "output rocker"),
    ):
        sketch.pin(pin, a, b)
    sketch.turn("crank", "A", v["speed"])
    sketch.trace("coupler curve", "coupler", "E")
    sketch.trace("path of F", "output rocker", "F", "#CC79A7")
    arm = points(v, CRANK_ANGLES)
    swing = np.unwrap(np.angle(arm["F"] - arm["G"]))
    facts = (
        Fact("Chain", "the coupler point E leads a dyad to a third fixed pin"),
        Fact("Swing of the output rocker", float(np.ptp(swing)), "rad"),
    )
    turn = points(v, CRANK_ANGLES)
    return Made(sketch.scene, 1, facts, sketch.box(turn), (path(turn["E"]),))


TEMPLATE = Template(
    name="stephenson_six_bar",
    title="Stephenson six-bar",
    group="Linkages",
    summary="The coupler point of a four-bar swings a second rocker: Stephenson's chain of the third kind.",
    parameters=(
        length("ground", "Ground AD", 0.4, "between two fixed pins"),
        length("crank", "Crank AB", 0.12, "turns about A"),
        length("coupler", "Coupler BC", 0.35, "from crank to rocker"),
        length("rocker", "Rocker DC", 0.3, "turns about D"),
        length("along", "Pin E along", 0.25, "from B towards C", -2.0, 2.0),
        length("across", "Pin E across", 0.15, "to the left of B → C", -2.0, 2.0),
        length("pivot_x", "Third pin, x", 0.5, "from A", -2.0, 2.0),
        length("pivot_y", "Third pin, y", 0.1, "from A", -2.0, 2.0),
        length("link", "Link EF", 0.4, "from the coupler point"),
        length("output", "Output rocker GF", 0.25, "turns about the third pin"),
        angle("start", "Crank angle", np.pi / 3, -6.3, 6.3, "at the start, from A → D"),
        speed(3.0),
    ),
    build=build,
    check=check,
    picture_time=1.7,
)
