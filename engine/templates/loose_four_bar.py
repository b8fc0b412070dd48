"""A four-bar linkage with play in one hinge: a pin that knocks about in its bore."""

from __future__ import annotations

import math

from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length, speed
from engine.templates.four_bar import grashof, points
from engine.templates.planar import CRANK_ANGLES, Sketch, path

STIFFNESS = 2e7  # N/m^1.5, of steel on steel in a small bearing
IMPACT_SPEED = 0.1  # m/s
PIN = 0.01  # m, radius of the pin


def full(v: Values) -> Values:
    """The values that the four-bar without play takes, with its coupler point at the loose hinge."""
    return {**v, "along": v["coupler"], "across": 0.0, "branch": 0}


def check(v: Values) -> None:
    points(full(v), v["start"])


def build(v: Values) -> Made:
    v = full(v)
    kind = grashof(v["ground"], v["crank"], v["coupler"], v["rocker"])
    size = max(v["ground"], v["crank"], v["coupler"], v["rocker"])
    rate = v["speed"] if kind.crank_turns else 0.0
    sketch = Sketch(lambda phi: points(v, phi), v["start"], rate, size / 45.0)
    sketch.link("crank", "A", "B")
    sketch.link("coupler", "B", "C")
    sketch.link("rocker", "D", "C")
    sketch.pin("A", "world", "crank")
    sketch.pin("B", "crank", "coupler")
    sketch.pin("D", "world", "rocker")
    sketch.turn("crank", "A", rate)
    sketch.trace("path of the bore", "coupler", "C")
    scene = sketch.scene.with_force(
        "contact",
        "loose hinge",
        a={"body": "coupler", "point": "C"},
        b={"body": "rocker", "point": "C"},
        shape_a="bore",
        radius_a=PIN + v["clearance"],
        shape_b="sphere",
        radius_b=PIN,
        law="lankarani_nikravesh",
        stiffness=STIFFNESS,
        restitution=v["restitution"],
        impact_speed=IMPACT_SPEED,
        friction=v["friction"],
        smoothing_speed=0.01,
    )
    facts = (
        Fact("Play of the hinge", v["clearance"], "m"),
        Fact("Drive", "the crank turns evenly" if rate else "released from rest"),
    )
    if not kind.crank_turns:
        return Made(scene, 3, facts)
    turn = points(v, CRANK_ANGLES)
    return Made(scene, 3, facts, sketch.box(turn), (path(turn["C"]),))


TEMPLATE = Template(
    name="loose_four_bar",
    title="Loose four-bar",
    group="Contact and friction",
    summary="A four-bar whose hinge between coupler and rocker has play: the pin knocks in its bore.",
    source="The play of a bearing as contact of pin and bore [Flores 2011].",
    parameters=(
        length("ground", "Ground AD", 0.4, "between the two fixed pins"),
        length("crank", "Crank AB", 0.12, "turns about A"),
        length("coupler", "Coupler BC", 0.35, "from crank to rocker"),
        length("rocker", "Rocker DC", 0.3, "turns about D"),
        length("clearance", "Clearance", 0.5e-3, "radius of the bore less that of the pin", 1e-5, 0.01),
        Parameter(
            name="restitution",
            title="Restitution",
            unit="",
            default=0.9,
            low=0.05,
            high=1.0,
            help="of a blow of 0.1 m/s",
        ),
        Parameter(
            name="friction", title="Friction", unit="", default=0.05, low=0.0, high=2.0, help="coefficient"
        ),
        angle("start", "Crank angle", math.pi / 3, -2.0 * math.pi, 2.0 * math.pi, "at the start, from A → D"),
        speed(12.0, help="0, or a crank that cannot turn fully: released from rest"),
    ),
    build=build,
    check=check,
    step=1e-4,
    duration=2.0,
    picture_time=0.2,
)
