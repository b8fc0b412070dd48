"""A Geneva wheel: a pin on a turning crank takes a slotted wheel along, a part of a turn at a time."""

from __future__ import annotations

import math
from typing import Any

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, length, speed
from engine.templates.look import BLUE, DARK, DENSITY, ORANGE

RIM = 6  # corners of the rim between two slots
THICK = 0.01  # m


def build(v: Values) -> Made:
    n, centres, play = round(v["slots"]), v["centres"], v["play"]
    half = math.pi / n
    crank, radius = centres * math.sin(half), centres * math.cos(half)
    pin = 0.04 * centres
    wheel = _wheel(n, radius, centres - crank - 1.5 * pin, pin + play)
    hub = {"kind": "cylinder", "radius": 0.6 * pin, "length": 3.0 * THICK}
    arm = {"kind": "rod", "start": [0, 0, 2 * THICK], "end": [crank, 0, 2 * THICK], "radius": 0.8 * pin}
    peg = {"kind": "cylinder", "radius": pin, "length": 2.0 * THICK, "position": [crank, 0, THICK]}
    scene = (
        Scene(space="planar")
        .with_body(
            "crank",
            angle=math.pi,
            angular_velocity=[0.0, 0.0, v["speed"]],
            mass=0.2,
            inertia=[1e-3],
            color=ORANGE,
            shapes=[arm, peg, hub],
            points=[{"name": "pin", "position": [crank, 0.0]}],
            layer=1,
        )
        .with_body(
            "wheel",
            position=[centres, 0.0],
            color=BLUE,
            shapes=[{"kind": "outline", "points": wheel, "thickness": THICK, "density": DENSITY}],
            points=[{"name": "mark", "position": [-radius, 0.0]}],
        )
        .with_joint(
            "revolute", "drive", a={"body": "world", "point": [0, 0]}, b={"body": "crank", "point": [0, 0]}
        )
        .with_joint(
            "revolute",
            "bearing",
            color=DARK,
            a={"body": "world", "point": [centres, 0]},
            b={"body": "wheel", "point": [0, 0]},
        )
        .with_motion("joint_motion", "motor", joint="drive", level="velocity", function=v["speed"])
        .with_force(
            "contact",
            "pin in slot",
            a={"body": "wheel"},
            b={"body": "crank", "point": [crank, 0.0]},
            shape_b="sphere",
            radius_b=pin,
            law="kelvin_voigt",
            stiffness=5e4,
            damping=20.0,
        )
        .with_force(
            "friction", "brake", joint="bearing", model="held", kinetic=v["brake"], stribeck_speed=0.0
        )
        .with_trace("path of the mark", body="wheel", point="mark")
        .with_simulation(dt=2.5e-4, duration=5.0)
    )
    facts = (
        Fact("Turn of the wheel", math.tau / n, "rad"),
        Fact("Share of the time in motion", 0.5 - 1.0 / n, ""),
        Fact("Largest speed of the wheel", v["speed"] * math.sin(half) / (1.0 - math.sin(half)), "rad/s"),
    )
    reach = 1.1 * (centres + radius)
    return Made(scene, 2, facts, ([-1.2 * crank, -1.1 * radius, 0.0], [reach, 1.1 * radius, 0.0]))


def _wheel(n: int, radius: float, bottom: float, wide: float) -> list[list[Any]]:
    """Outline with n slots; one stands on either side of the line to the crank."""
    points = []
    edge = math.sqrt(radius**2 - wide**2)
    for k in range(n):
        turn = math.pi + math.pi / n + math.tau * k / n
        c, s = math.cos(turn), math.sin(turn)
        slot = [(edge, -wide), (bottom, -wide), (bottom, wide), (edge, wide)]
        points += [[x * c - y * s, x * s + y * c] for x, y in slot]
        first, last = turn + math.asin(wide / radius), turn + math.tau / n - math.asin(wide / radius)
        for i in range(1, RIM):
            angle = first + (last - first) * i / RIM
            points.append([radius * math.cos(angle), radius * math.sin(angle)])
    return points


TEMPLATE = Template(
    name="geneva_wheel",
    title="Geneva wheel",
    group="Contact and friction",
    summary="A pin enters slot after slot of a wheel and turns it step by step; a brake holds it between.",
    parameters=(
        Parameter(
            name="slots",
            title="Slots",
            unit="",
            default=4,
            low=4,
            high=8,
            whole=True,
            help="steps in a turn of the wheel",
        ),
        length("centres", "Distance of the axles", 0.2, "which gives crank and wheel their size", low=0.05),
        length("play", "Play of the pin", 2e-4, "on either side of the slot", low=0.0, high=0.005),
        speed(math.tau, "Speed of the crank", "held by a motion"),
        Parameter(
            name="brake",
            title="Brake",
            unit="N·m",
            default=0.02,
            low=0.0,
            high=10.0,
            help="friction that holds the wheel",
        ),
    ),
    build=build,
    picture_time=0.45,
    step=2.5e-4,
)
