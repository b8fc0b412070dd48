"""A block on a moving belt, held back by a spring: it sticks and slips."""

from __future__ import annotations

import math

import msgspec

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, length

SIZE = 0.1  # m, of the block


def build(v: Values) -> Made:
    mass, k, speed = v["mass"], v["stiffness"], v["speed"]
    static, kinetic = v["static"], min(v["kinetic"], v["static"])
    long = v["long"]
    centre = {"name": "centre", "position": [0.0, 0.0]}
    along = {"axis": [1, 0]}
    block = {"kind": "box", "size": [SIZE, SIZE, SIZE]}
    belt = {"kind": "box", "size": [6.0 * SIZE, 0.2 * SIZE, 1.5 * SIZE]}
    scene = (
        Scene(space="planar")
        .with_body(
            "belt",
            position=[0.0, -0.6 * SIZE],
            velocity=[speed, 0.0],
            mass=1.0,
            inertia=[0.01],
            shapes=[belt],
        )
        .with_body("block", velocity=[speed, 0.0], mass=mass, inertia=[0.01], points=[centre], shapes=[block])
        .with_joint("prismatic", "drum", a={"body": "world", **along}, b={"body": "belt", **along})
        .with_joint("prismatic", "contact", a={"body": "belt", **along}, b={"body": "block", **along})
        .with_motion(
            "joint_motion",
            "drive",
            joint="drum",
            coordinate="displacement",
            level="velocity",
            function=speed,
        )
        .with_force(
            "spring",
            "spring",
            a={"body": "world", "point": [-long, 0.0]},
            b={"body": "block", "point": [0.0, 0.0]},
            stiffness=k,
            free_length=long,
        )
        .with_force(
            "friction",
            "dry friction",
            joint="contact",
            coordinate="displacement",
            model="held",
            kinetic=kinetic,
            static=static,
            stribeck_speed=0.0,
        )
        .with_trace("path of the block", body="block", point="centre")
        .with_simulation(dt=2e-3, duration=10.0)
    )
    scene = msgspec.structs.replace(scene, gravity=(0.0, 0.0))  # friction is given as a force
    rise, omega = (static - kinetic) / k, math.sqrt(k / mass)
    facts = (
        Fact("First slip", static / k / speed, "s"),
        Fact("Sticks for", 2.0 * rise / speed, "s"),
        Fact("Slips for", 2.0 / omega * (math.pi - math.atan2(rise * omega, speed)), "s"),
    )
    return Made(scene, 2, facts, ([-1.1 * long, -0.3, 0.0], [long, 0.3, 0.0]))


TEMPLATE = Template(
    name="stick_slip",
    title="Block on a belt",
    group="Contact and friction",
    summary="Friction carries a block along until its spring pulls it loose: it sticks and slips in turn.",
    parameters=(
        length("long", "Spring length", 0.6, "when slack"),
        Parameter(name="mass", title="Mass", unit="kg", default=2.0, low=0.01, high=1e3, help="of the block"),
        Parameter(
            name="stiffness", title="Spring", unit="N/m", default=50.0, low=1.0, high=1e5, help="stiffness"
        ),
        Parameter(name="speed", title="Belt", unit="m/s", default=0.1, low=1e-3, high=10.0, help="its speed"),
        Parameter(
            name="static", title="Static friction", unit="N", default=6.0, low=0.1, high=1e4, help="holds"
        ),
        Parameter(
            name="kinetic", title="Kinetic friction", unit="N", default=4.0, low=0.0, high=1e4, help="slips"
        ),
    ),
    build=build,
    picture_time=0.3,
)
