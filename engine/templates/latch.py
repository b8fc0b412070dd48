"""A latch: a pin on a slide lifts a hook by its ramp, the hook falls behind it and holds it."""

from __future__ import annotations

import math

import msgspec

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Unreachable, Values, length
from engine.templates.look import BLUE, DARK, DENSITY, ORANGE

PIN = 0.004  # m, radius of the pin, which runs along the x axis
PIVOT = (0.0, -0.006)  # below the way of the pin, so that its pull presses the hook down
FACE, OVERLAP, ABOVE = (
    -0.059,
    0.006,
    0.002,
)  # where the pin is held; how far the hook reaches down; room above
RAMP = 0.62  # rise over run
THICK = 0.01  # m
BUFFER = -0.03  # m, where the slide meets its end


def hook() -> list[list[float]]:
    """Outline in the frame of the pivot: the pin runs at the height −PIVOT[1]."""
    line = -PIVOT[1]
    low, under = line + PIN - OVERLAP, line + PIN + ABOVE
    top = under + 0.008
    nose = FACE - 0.003
    begin = nose - (under + 0.002 - low) / RAMP
    lug = 0.006
    return [
        [lug, -lug],
        [lug, top],
        [begin, top],
        [begin, under + 0.002],
        [nose, low],
        [FACE, low],
        [FACE, under],
        [-2.0 * lug, under],
        [-lug, 0.0],
        [-lug, -lug],
    ]


def lift() -> float:
    """The angle by which the hook lets the pin pass: its nose is as high as the top of the pin."""
    line = -PIVOT[1]
    x, y = FACE, line + PIN - OVERLAP
    return math.asin((line + PIN) / math.hypot(x, y)) - math.asin(y / math.hypot(x, y))


def check(v: Values) -> None:
    if v["start"] >= FACE - 0.03:
        raise Unreachable("the pin must begin before the ramp of the hook")


def build(v: Values) -> Made:
    start = v["start"]
    rail = {"kind": "box", "size": [0.058, 0.006, THICK], "position": [-0.026, -0.016]}
    post = {"kind": "rod", "start": [0, -0.014, -0.2 * THICK], "end": [0, 0, -0.2 * THICK], "radius": 0.002}
    peg = {"kind": "cylinder", "radius": PIN, "length": 1.6 * THICK}
    scene = (
        Scene(space="planar")
        .with_body(
            "slide",
            position=[start, 0.0],
            velocity=[v["speed"], 0.0],
            mass=v["mass"],
            inertia=[1e-4],
            color=ORANGE,
            shapes=[peg, post, rail],
            points=[{"name": "pin", "position": [0.0, 0.0]}],
        )
        .with_body(
            "hook",
            position=[*PIVOT],
            color=BLUE,
            shapes=[{"kind": "outline", "points": hook(), "thickness": THICK, "density": DENSITY}],
            points=[{"name": "nose", "position": [FACE, -PIVOT[1] + PIN - OVERLAP]}],
            layer=1,
        )
        .with_joint(
            "prismatic",
            "guide",
            color=DARK,
            a={"body": "world", "point": [0.0, 0.0], "axis": [1, 0]},
            b={"body": "slide", "point": [0.0, 0.0]},
        )
        .with_joint(
            "revolute", "pivot", a={"body": "world", "point": [*PIVOT]}, b={"body": "hook", "point": [0, 0]}
        )
        .with_force(
            "contact",
            "pin on hook",
            a={"body": "hook"},
            b={"body": "slide", "point": [0.0, 0.0]},
            shape_b="sphere",
            radius_b=PIN,
            law="rigid",
            restitution=0.2,
            friction=v["friction"],
        )
        .with_force("rotational_spring", "hook spring", joint="pivot", preload=-v["hook"], stiffness=0.05)
        .with_force("stop", "rest of the hook", joint="pivot", upper=0.0, law="rigid", restitution=0.1)
        .with_force(
            "spring",
            "opener",
            a={"body": "world", "point": [start - 0.2, -0.016]},
            b={"body": "slide", "point": [-0.05, -0.016]},
            stiffness=v["opener"],
            free_length=0.15,
        )
        .with_force(
            "stop",
            "end of the guide",
            joint="guide",
            coordinate="displacement",
            upper=BUFFER,
            law="rigid",
            restitution=0.3,
        )
        .with_trace("path of the pin", body="slide", point="pin")
        .with_trace("path of the nose", body="hook", point="nose")
    )
    scene = msgspec.structs.replace(scene, gravity=(0.0, -9.81))
    caught = FACE + PIN
    facts = (
        Fact("The hook lets the pin pass at", lift(), "rad"),
        Fact("Pull of the opener on the caught pin", v["opener"] * (caught - start), "N"),
    )
    return Made(scene, 2, facts, ([min(start, -0.1) - 0.08, -0.03, 0.0], [0.02, 0.03, 0.0]))


TEMPLATE = Template(
    name="latch",
    title="Latch",
    group="Contact and friction",
    summary="A slide is thrown against a hook, lifts it by its ramp and is caught; too slow, it comes back.",
    parameters=(
        length(
            "start", "Start of the pin", -0.16, "along the guide, from the pivot of the hook", -0.5, -0.09
        ),
        Parameter(
            name="speed",
            title="Speed of the slide",
            unit="m/s",
            default=0.7,
            low=0.0,
            high=10.0,
            help="towards the hook, at the start",
        ),
        Parameter(name="mass", title="Slide", unit="kg", default=0.3, low=0.05, high=5.0, help="mass"),
        Parameter(
            name="opener",
            title="Opener",
            unit="N/m",
            default=5.0,
            low=0.0,
            high=50.0,
            help="stiffness of the spring that pulls the slide back to its start",
        ),
        Parameter(
            name="hook",
            title="Hook spring",
            unit="N·m",
            default=0.05,
            low=0.01,
            high=0.5,
            help="torque that presses the hook down",
        ),
        Parameter(
            name="friction",
            title="Friction",
            unit="",
            default=0.1,
            low=0.0,
            high=0.3,
            help="between pin and hook",
        ),
    ),
    build=build,
    check=check,
    duration=3.0,
    step=5e-4,
    picture_time=0.16,
)
