"""A ball on a guide that bounces on a rigid floor until it rests."""

from __future__ import annotations

import math

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, length

GRAVITY = 9.81  # m/s², as scenes have it
STEEL = 7800.0  # kg/m³


def build(v: Values) -> Made:
    height, e = v["height"], v["restitution"]
    radius = 0.08 * height
    ball = {"kind": "sphere", "radius": radius, "density": STEEL}
    floor = {"kind": "box", "size": [height, 0.04 * height, 4.0 * radius]}
    centre = {"name": "centre", "position": [0.0, 0.0]}
    upright = {"axis": [0, 1]}
    scene = (
        Scene(space="planar")
        .with_body("floor", fixed=True, position=[0.0, -radius - 0.02 * height], shapes=[floor])
        .with_body("ball", position=[0.0, height], points=[centre], shapes=[ball])
        .with_joint(
            "prismatic",
            "guide",
            a={"body": "world", "point": [0, 0], **upright},
            b={"body": "ball", "point": [0, 0], **upright},
        )
        .with_force(
            "stop",
            "floor contact",
            joint="guide",
            coordinate="displacement",
            lower=0.0,
            law="rigid",
            restitution=e,
        )
        .with_trace("path of the ball", body="ball", point="centre")
        .with_simulation(dt=2e-3, duration=5.0)
    )
    fall = math.sqrt(2.0 * height / GRAVITY)
    facts = [Fact("First impact", fall, "s")]
    if e < 1.0:
        facts.append(Fact("At rest from", fall * (1.0 + 2.0 * e / (1.0 - e)), "s"))
    reach = 0.6 * height
    return Made(scene, 1, tuple(facts), ([-reach, -0.2 * height, 0.0], [reach, 1.2 * height, 0.0]))


TEMPLATE = Template(
    name="bouncing_ball",
    title="Bouncing ball",
    group="Contact and friction",
    summary="A ball falls on a rigid floor, bounces ever lower, and rests after a finite time.",
    parameters=(
        length("height", "Height", 1.0, "of the fall"),
        Parameter(
            name="restitution",
            title="Restitution",
            unit="",
            default=0.8,
            low=0.0,
            high=1.0,
            help="share of the speed that comes back",
        ),
    ),
    build=build,
    picture_time=0.3,
)
