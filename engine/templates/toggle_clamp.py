"""A toggle clamp: lever and link press a jaw on a workpiece and go through their dead centre to a stop."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np

from engine.templates.base import Fact, Made, Parameter, Template, Unreachable, Values, angle, length
from engine.templates.planar import Points, Sketch, turned


def points(v: Values, phi: Any) -> Points:
    """A is the pivot of the lever, B its knee, C the pin of the jaw, H the end of the handle."""
    B = v["lever"] * turned(phi)
    x = B.real + np.sqrt(v["link"] ** 2 - B.imag**2)
    return {"A": 0j * B, "B": B, "C": x + 0j, "H": 2.2 * B}


def check(v: Values) -> None:
    if v["link"] <= v["lever"] * 1.0001:
        raise Unreachable("the link must be longer than the lever, so that the jaw can follow")


def squeeze(v: Values) -> float:
    """How far the jaw presses into the workpiece at the stop behind the dead centre."""
    return float(points(v, -v["over"])["C"].real) - contact(v)


def contact(v: Values) -> float:
    """Place of the jaw where it touches the workpiece."""
    return v["lever"] + v["link"] - v["play"]


def build(v: Values) -> Made:
    sketch = Sketch(lambda phi: points(v, phi), v["start"], 0.0, v["link"] / 25.0)
    sketch.link("lever", "A", "B", "H", edges=[("A", "B"), ("B", "H")])
    sketch.link("link", "B", "C")
    sketch.slider("jaw", "C", (0.3 * v["lever"], 0.4 * v["lever"]))
    sketch.pin("A", "world", "lever")
    sketch.pin("B", "lever", "link")
    sketch.pin("C", "link", "jaw")
    sketch.joint("prismatic", "guide", "C", "world", "jaw", axis=[1.0, 0.0], point=[0.0, 0.0])
    sketch.turn("lever", "A", 0.0)
    sketch.trace("path of the handle", "lever", "H")
    touch = contact(v)
    scene = (
        sketch.scene.with_force(
            "torque", "hand", body="lever", components=[0, 0, f"if(t < 0.5, -{v['hand']!r}, 0)"]
        )
        # the angle of the lever counts from the given pose, the way of the jaw from the pivot
        .with_force(
            "stop", "dead stop", joint="A", lower=-v["over"] - v["start"], law="rigid", restitution=0.2
        )
        .with_force(
            "stop",
            "workpiece",
            joint="guide",
            coordinate="displacement",
            upper=touch,
            stiffness=v["stiffness"],
            damping=0.02 * math.sqrt(v["stiffness"]),
        )
        .with_force(
            "friction", "pivot", joint="A", model="held", kinetic=0.1, viscous=0.3, stribeck_speed=0.0
        )
    )
    scene = msgspec.structs.replace(scene, gravity=(0.0, 0.0))
    pressed = squeeze(v)
    facts = (
        Fact("Clamping force at the stop", v["stiffness"] * max(pressed, 0.0), "N"),
        Fact(
            "Holds when let go", "yes, behind its dead centre" if pressed > 0.0 else "no, it is loose there"
        ),
    )
    reach = v["lever"] + v["link"]
    low, high = [-0.6 * v["lever"], -0.6 * v["lever"], 0.0], [1.2 * reach, 2.3 * v["lever"], 0.0]
    return Made(scene, 1, facts, (low, high))


TEMPLATE = Template(
    name="toggle_clamp",
    title="Toggle clamp",
    group="Contact and friction",
    summary="A lever pushes a jaw on a workpiece, through its dead centre to a stop, where it stays.",
    parameters=(
        length("lever", "Lever AB", 0.08, "from its pivot to the knee"),
        length("link", "Link BC", 0.12, "from the knee to the jaw"),
        length("play", "Squeeze", 1e-3, "of the workpiece at the dead centre", 1e-5, 0.02),
        angle("start", "Lever angle", math.radians(50), 0.1, 1.4, "at the start, from the line of the jaw"),
        angle("over", "Behind the centre", math.radians(3), 0.005, 0.2, "where the stop is"),
        Parameter(
            name="stiffness", title="Workpiece", unit="N/m", default=2e5, low=1e3, high=1e7, help="stiffness"
        ),
        Parameter(name="hand", title="Hand", unit="N·m", default=2.0, low=0.3, high=1e3, help="torque"),
    ),
    build=build,
    check=check,
    duration=2.0,
    step=1e-4,
    picture_time=0.4,
)
