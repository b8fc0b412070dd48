"""A clutch: a flywheel that turns takes a rotor along by dry friction until both turn together."""

from __future__ import annotations

import math

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, length, speed

STEEL = 7800.0  # kg/m³
MEAN = 2.0 / 3.0  # of the outer radius: where the friction of an evenly pressed disc acts


def inertia(radius: float, thickness: float) -> float:
    return 0.5 * STEEL * math.pi * thickness * radius**4


def build(v: Values) -> Made:
    outer, inner, thickness = v["flywheel"], v["rotor"], 0.12 * v["flywheel"]
    torque = v["friction"] * v["force"] * MEAN * inner
    one, two = inertia(outer, thickness), inertia(inner, thickness)

    def disc(radius: float) -> dict[str, object]:
        return {"kind": "cylinder", "radius": radius, "length": thickness, "density": STEEL}

    def mark(radius: float) -> dict[str, object]:
        """A massless bar, by which the turning is seen."""
        return {
            "kind": "box",
            "size": [radius, 0.08 * radius, 1.4 * thickness],
            "position": [0.5 * radius, 0.0],
        }

    scene = (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("flywheel", angular_velocity=[0.0, 0.0, v["speed"]], shapes=[disc(outer), mark(outer)])
        .with_body(
            "rotor", points=[{"name": "rim", "position": [inner, 0.0]}], shapes=[disc(inner), mark(inner)]
        )
        .with_joint(
            "revolute",
            "bearing",
            a={"body": "world", "point": [0, 0]},
            b={"body": "flywheel", "point": [0, 0]},
        )
        .with_joint(
            "revolute",
            "clutch",
            a={"body": "flywheel", "point": [0, 0]},
            b={"body": "rotor", "point": [0, 0]},
        )
        .with_force(
            "friction",
            "lining",
            joint="clutch",
            model="held",
            coefficient=v["friction"],
            preload=v["force"],
            radius=MEAN * inner,
            stribeck_speed=0.0,
        )
        .with_trace("path of the rim", body="rotor", point="rim")
    )
    together = one * two / (one + two)
    facts = (
        Fact("Torque of the clutch", torque, "N·m"),
        Fact("Both turn together from", together * abs(v["speed"]) / torque, "s"),
        Fact("with", one / (one + two) * v["speed"], "rad/s"),
        Fact("Heat", 0.5 * together * v["speed"] ** 2, "J"),
    )
    reach = 1.15 * outer
    return Made(scene, 2, facts, ([-reach, -reach, 0.0], [reach, reach, 0.0]))


TEMPLATE = Template(
    name="friction_clutch",
    title="Friction clutch",
    group="Contact and friction",
    summary="A flywheel takes a rotor along by dry friction, until both turn together and the clutch holds.",
    parameters=(
        length("flywheel", "Flywheel", 0.15, "its radius"),
        length("rotor", "Rotor", 0.12, "its radius, and that of the lining"),
        Parameter(
            name="force",
            title="Pressing force",
            unit="N",
            default=400.0,
            low=1.0,
            high=1e5,
            help="on the lining",
        ),
        Parameter(
            name="friction", title="Friction", unit="", default=0.3, low=0.01, high=2.0, help="coefficient"
        ),
        speed(60.0, help="of the flywheel at the start"),
    ),
    build=build,
    duration=2.0,
    picture_time=0.2,
)
