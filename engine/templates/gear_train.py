"""A train of two gear pairs."""

from __future__ import annotations

import math
from typing import Any

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, length, speed
from engine.templates.look import BLUE, DARK, DENSITY, GREEN, ORANGE, RED
from engine.templates.planar import turned, xy
from engine.templates.shapes import outline

TOOTH = ((-0.46, -1.1), (-0.22, 0.9), (0.22, 0.9), (0.46, -1.1))  # angle [pitches] and height [modules]


def wheel(
    teeth: int, module: float, thickness: float, phase: float, z: float, color: str = ""
) -> dict[str, Any]:
    """A toothed disc; a tooth points along the phase."""
    radius = teeth * module / 2.0
    corners = [
        (radius + height * module) * turned(phase + 2.0 * math.pi * (i + share) / teeth)
        for i in range(teeth)
        for share, height in TOOTH
    ]
    disc = outline([xy(c) for c in corners], thickness, density=DENSITY)
    return {**disc, "position": [0.0, 0.0, z], "color": color} if z or color else disc


def build(v: Values) -> Made:
    z1, z2, z3, z4 = (int(v[name]) for name in ("z1", "z2", "z3", "z4"))
    m, thick = v["module"], 3.0 * v["module"]
    first, second = m * (z1 + z2) / 2.0, m * (z3 + z4) / 2.0
    ratio = (z2 * z4) / (z1 * z3)
    speeds = [v["speed"], -v["speed"] * z1 / z2, v["speed"] / ratio]
    shafts = (
        ("input", BLUE, 0.0, [wheel(z1, m, thick, 0.0, 0.0)], z1),
        # a gap of the wheel meets the tooth of the pinion; its own pinion lies one layer higher
        (
            "middle",
            ORANGE,
            first,
            [
                wheel(z2, m, thick, math.pi + math.pi / z2, 0.0),
                wheel(z3, m, thick, 0.0, 1.1 * thick, RED),
            ],
            z2,
        ),
        ("output", GREEN, first + second, [wheel(z4, m, thick, math.pi + math.pi / z4, 1.1 * thick)], z4),
    )
    scene = Scene(space="planar")
    for (name, color, x, shapes, teeth), rate in zip(shafts, speeds, strict=True):
        mark = 0.35 * m * teeth
        top = max(float(shape.get("position", [0, 0, 0])[2]) for shape in shapes) + 0.6 * thick
        scene = scene.with_body(
            name,
            color=color,
            position=[x, 0.0],
            com=[0.0, 0.0],  # exactly: the teeth leave a rounding error
            angular_velocity=[0.0, 0.0, rate],
            points=[{"name": "axle", "position": [0.0, 0.0]}, {"name": "mark", "position": [mark, 0.0]}],
            shapes=[
                *shapes,
                {
                    "kind": "box",
                    "position": [mark / 2.0, 0.0, top],
                    "size": [mark, 0.8 * m, 0.3 * thick],
                    "color": DARK,
                },
            ],
        )
        scene = scene.with_joint(
            "revolute",
            f"{name} axle",
            a={"body": "world", "point": [x, 0.0]},
            b={"body": name, "point": "axle"},
        )
    scene = scene.with_joint("gear", "first mesh", joint_a="input axle", joint_b="middle axle", ratio=z2 / z1)
    scene = scene.with_joint(
        "gear", "second mesh", joint_a="middle axle", joint_b="output axle", ratio=z4 / z3
    )
    if v["speed"]:
        scene = scene.with_motion(
            "joint_motion", "drive", joint="input axle", level="velocity", function=v["speed"]
        )
    scene = scene.with_trace("path of the mark", body="output", point="mark", color=RED)
    facts = (
        Fact("Turns of the input per turn of the output", ratio),
        Fact("Speed of the output", speeds[2], "rad/s"),
        Fact("Distance of the outer axles", first + second, "m"),
    )
    ends = [-m * (z1 / 2.0 + 1.0), first + second + m * (z4 / 2.0 + 1.0)]
    tall = m * (max(z1, z2, z3, z4) / 2.0 + 1.0)
    return Made(scene, 1, facts, ([ends[0], -tall, 0.0], [ends[1], tall, 2.0 * thick]))


def teeth(name: str, title: str, default: int, help: str) -> Parameter:
    return Parameter(name=name, title=title, default=default, low=6, high=150, whole=True, help=help)


TEMPLATE = Template(
    name="gear_train",
    title="Gear train",
    group="Drives",
    summary="Two gear pairs in a row; the ratio follows from the numbers of teeth.",
    notes="The mesh is a constraint between the angles: teeth are drawn, they do not touch.",
    parameters=(
        teeth("z1", "Teeth of the first pinion", 14, "on the input shaft"),
        teeth("z2", "Teeth of the first wheel", 36, "on the middle shaft"),
        teeth("z3", "Teeth of the second pinion", 16, "on the middle shaft"),
        teeth("z4", "Teeth of the second wheel", 40, "on the output shaft"),
        length("module", "Module", 0.01, "pitch diameter per tooth", 0.001, 0.1),
        speed(6.0, "Speed of the input"),
    ),
    build=build,
    picture_time=1.2,
)
