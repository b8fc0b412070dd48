"""The four-bar linkage by its link lengths, with Grashof's class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length, speed
from engine.templates.planar import CRANK_ANGLES, Points, Sketch, beside, dyad, path, turned

EQUAL = 1e-9  # share of the longest link: sums that differ by less are equal


@dataclass(frozen=True)
class Grashof:
    """What the lengths of a four-bar allow."""

    title: str
    shortest_and_longest: float  # m
    others: float  # m
    crank_turns: bool  # without meeting a dead point or a change point


def grashof(ground: float, crank: float, coupler: float, rocker: float) -> Grashof:
    """Class of a four-bar: s + l against p + q, and which link is the shortest."""
    lengths = sorted((ground, crank, coupler, rocker))
    outer, inner = lengths[0] + lengths[3], lengths[1] + lengths[2]
    if abs(outer - inner) <= EQUAL * lengths[3]:
        return Grashof("change point", outer, inner, False)
    if outer > inner:
        return Grashof("triple rocker (not Grashof)", outer, inner, False)
    shortest = lengths[0]
    if shortest == crank:
        return Grashof("crank-rocker", outer, inner, True)
    if shortest == ground:
        return Grashof("double crank (drag link)", outer, inner, True)
    title = "double rocker" if shortest == coupler else "rocker-crank (the rocker can turn)"
    return Grashof(title, outer, inner, False)


def points(v: Values, phi: Any) -> Points:
    side = -1.0 if v["branch"] else 1.0
    A, D = 0j, complex(v["ground"], 0.0)
    B = v["crank"] * turned(phi)
    C = dyad(B, D, v["coupler"], v["rocker"], side, "coupler and rocker")
    return {"A": A, "B": B, "C": C, "D": D, "P": beside(B, C, v["along"], v["across"])}


def check(v: Values) -> None:
    points(v, v["start"])


def build(v: Values) -> Made:
    kind = grashof(v["ground"], v["crank"], v["coupler"], v["rocker"])
    size = max(v["ground"], v["crank"], v["coupler"], v["rocker"])
    driven = kind.crank_turns and v["speed"] != 0.0
    sketch = Sketch(lambda phi: points(v, phi), v["start"], v["speed"] if driven else 0.0, size / 45.0)
    plain = v["across"] == 0.0 and 0.0 <= v["along"] <= v["coupler"]
    sketch.link("crank", "A", "B")
    sketch.link("coupler", "B", "C", "P", edges=[("B", "C")] if plain else None)
    sketch.link("rocker", "D", "C")
    sketch.pin("A", "world", "crank")
    sketch.pin("B", "crank", "coupler")
    sketch.pin("C", "coupler", "rocker")
    sketch.pin("D", "world", "rocker")
    sketch.turn("crank", "A", v["speed"] if driven else 0.0)
    sketch.trace("coupler curve", "coupler", "P")
    if not kind.crank_turns:
        return Made(sketch.scene, 1, facts(v, kind, driven))
    turn = points(v, CRANK_ANGLES)
    return Made(sketch.scene, 1, facts(v, kind, driven), sketch.box(turn), (path(turn["P"]),))


def facts(v: Values, kind: Grashof, driven: bool) -> tuple[Fact, ...]:
    sign = "<" if kind.shortest_and_longest < kind.others else ">"
    sign = "=" if kind.title == "change point" else sign
    sums = f"{kind.shortest_and_longest:.4g} {sign} {kind.others:.4g} m"
    found = [Fact("Grashof class", kind.title), Fact("Shortest + longest against the other two", sums)]
    if kind.crank_turns:
        low, high = transmission(v)
        found += [Fact("Transmission angle from", low, "rad"), Fact("Transmission angle to", high, "rad")]
    if kind.title == "crank-rocker":
        found.append(Fact("Swing of the rocker", swing(v), "rad"))
    found.append(Fact("Drive", "the crank turns evenly" if driven else "released from rest"))
    return tuple(found)


def transmission(v: Values) -> tuple[float, float]:
    """Smallest and largest angle between coupler and rocker: with the crank in line with the ground."""
    b, c = v["coupler"], v["rocker"]
    cosines = [(b * b + c * c - (v["ground"] + s * v["crank"]) ** 2) / (2.0 * b * c) for s in (-1.0, 1.0)]
    low, high = (math.acos(min(1.0, max(-1.0, cosine))) for cosine in cosines)
    return low, high


def swing(v: Values) -> float:
    """Angle of the rocker between its two ends, where crank and coupler are in line."""
    ends = [
        math.acos((v["ground"] ** 2 + v["rocker"] ** 2 - r * r) / (2.0 * v["ground"] * v["rocker"]))
        for r in (v["coupler"] + v["crank"], v["coupler"] - v["crank"])
    ]
    return ends[0] - ends[1]


BRANCH = Parameter(
    name="branch",
    title="Assembly",
    default=0,
    low=0,
    high=1,
    whole=True,
    choices=("open", "crossed"),
    help="which of the two ways coupler and rocker meet",
)
TEMPLATE = Template(
    name="four_bar",
    title="Four-bar linkage",
    group="Linkages",
    summary="Crank, coupler and rocker by their lengths, with Grashof's class and a coupler curve.",
    source="Grashof's rule: s + l < p + q lets the shortest link turn fully against its neighbours.",
    parameters=(
        length("ground", "Ground AD", 0.4, "between the two fixed pins"),
        length("crank", "Crank AB", 0.12, "turns about A"),
        length("coupler", "Coupler BC", 0.35, "from crank to rocker"),
        length("rocker", "Rocker DC", 0.3, "turns about D"),
        length("along", "Point P along", 0.25, "from B towards C", -2.0, 2.0),
        length("across", "Point P across", 0.15, "to the left of B → C", -2.0, 2.0),
        angle("start", "Crank angle", math.pi / 3, -2.0 * math.pi, 2.0 * math.pi, "at the start, from A → D"),
        BRANCH,
        speed(3.0, help="0, or a crank that cannot turn fully: released from rest"),
    ),
    build=build,
    check=check,
    picture_time=1.6,
)
