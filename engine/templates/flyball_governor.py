"""Watt's governor with a sleeve."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length, speed
from engine.templates.look import BLUE, DENSITY, GREY, ORANGE, PINK, RED
from engine.templates.shapes import disc, rod, sphere
from engine.templates.spatial import placed, rotation

GRAVITY = 9.81  # m/s², the scene's own
SHARE = 0.5  # of the arm, where the link to the sleeve is hinged


def balance_speed(v: Values, alpha: float) -> float:
    """Speed at which arms that are open by `alpha` stay so.

    V = -2 g (m L + M p) cos α and J = 2 m (e + L sin α)² balance at dV/dα = ω²/2 dJ/dα, with p = SHARE·L
    """
    pull = (v["ball"] + SHARE * v["sleeve"]) * GRAVITY * math.sin(alpha)
    throw = v["ball"] * (v["offset"] + v["arm"] * math.sin(alpha)) * math.cos(alpha)
    return math.sqrt(pull / throw)


def balance_angle(v: Values) -> float:
    """The angle that goes with the speed, by bisection: the speed grows with the angle."""
    low, high = 1e-9, math.pi / 2 - 1e-9
    if balance_speed(v, low) > abs(v["speed"]) > 0.0 or v["speed"] == 0.0:
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if balance_speed(v, middle) < abs(v["speed"]) else (low, middle)
    return low


def build(v: Values) -> Made:
    arm, e, alpha, w = v["arm"], v["offset"], v["start"], v["speed"]
    size = arm / 40.0
    top, drop = 1.3 * arm, 2.0 * SHARE * arm * math.cos(alpha)
    spin = {"angular_velocity": [0.0, 0.0, w]}
    scene = Scene().with_body(
        "shaft",
        color=GREY,
        **spin,
        points=[
            _point("foot", 0.0, 0.0),
            _point("right hinge", e, top),
            _point("left hinge", -e, top),
        ],
        shapes=[
            rod([0.0, 0.0, 0.0], [0.0, 0.0, top], size, density=DENSITY),
            *([rod([-e, 0.0, top], [e, 0.0, top], size)] if e > 0.0 else []),
        ],
    )
    half = 0.08 * arm
    scene = scene.with_body(
        "sleeve",
        color=BLUE,
        position=[0.0, 0.0, top - drop],
        **spin,
        mass=v["sleeve"],
        inertia=[v["sleeve"] * half * half * 2.0 / 3.0] * 3,
        points=[_point("centre", 0.0, 0.0), _point("right eye", e, 0.0), _point("left eye", -e, 0.0)],
        shapes=[disc(e + half, 2.0 * half)],
    )
    ball = arm * 0.12
    own = 0.4 * v["ball"] * ball * ball  # a solid ball about its centre
    for side, sign, color in (("right", 1.0, ORANGE), ("left", -1.0, PINK)):
        # x along the arm, hanging down at zero
        turn = rotation("y", math.pi / 2 - sign * alpha)
        place = placed((np.array([sign * e, 0.0, top]), turn))
        scene = scene.with_body(
            f"{side} arm",
            color=color,
            **place,
            velocity=[0.0, sign * w * e, 0.0],
            **spin,
            mass=v["ball"],
            com=[arm, 0.0, 0.0],
            inertia=[own] * 3,
            points=[
                {"name": "hinge", "position": [0.0, 0.0, 0.0]},
                {"name": "eye", "position": [SHARE * arm, 0.0, 0.0]},
                {"name": "ball", "position": [arm, 0.0, 0.0]},
            ],
            shapes=[
                rod([0.0, 0.0, 0.0], [arm, 0.0, 0.0], size),
                sphere(ball, [arm, 0.0, 0.0]),
            ],
        )
    scene = _joined(scene, v)
    facts = (
        Fact("Speed that holds the arms at the start", balance_speed(v, alpha), "rad/s"),
        Fact("Angle that the arms take at this speed", balance_angle(v), "rad"),
        Fact("Sleeve below the hinges, at the start", drop, "m"),
    )
    wide = 0.8 * arm + e
    return Made(scene, 2, facts, ([-wide, -wide, 0.0], [wide, wide, top]))


def _joined(scene: Scene, v: Values) -> Scene:
    z, y = [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]
    scene = scene.with_joint(
        "revolute", "bearing", a={"body": "world", "axis": z}, b={"body": "shaft", "point": "foot"}
    )
    scene = scene.with_joint(
        "prismatic",
        "sleeve guide",
        a={"body": "shaft", "point": "foot", "axis": z},
        b={"body": "sleeve", "point": "centre"},
    )
    for side in ("right", "left"):
        scene = scene.with_joint(
            "revolute",
            f"{side} hinge",
            a={"body": "shaft", "point": f"{side} hinge", "axis": y},
            b={"body": f"{side} arm", "point": "hinge"},
        )
        scene = scene.with_joint(
            "distance",
            f"{side} link",
            a={"body": f"{side} arm", "point": "eye"},
            b={"body": "sleeve", "point": f"{side} eye"},
            length=SHARE * v["arm"],
        )
        if v["damping"]:
            scene = scene.with_force(
                "rotational_spring", f"{side} damper", joint=f"{side} hinge", damping=v["damping"]
            )
    if v["speed"]:
        scene = scene.with_motion(
            "joint_motion", "drive", joint="bearing", level="velocity", function=v["speed"]
        )
    return scene.with_trace("path of the ball", body="right arm", point="ball", length=2.0, color=RED)


def _point(name: str, x: float, z: float) -> dict[str, Any]:
    return {"name": name, "position": [x, 0.0, z]}


def mass(name: str, title: str, default: float, help: str) -> Parameter:
    return Parameter(name=name, title=title, unit="kg", default=default, low=0.01, high=100.0, help=help)


TEMPLATE = Template(
    name="flyball_governor",
    title="Flyball governor",
    group="Drives",
    summary="Two balls on arms fly out as the shaft turns faster, and lift a sleeve.",
    source="James Watt's governor of 1788; here with a loaded sleeve (Porter).",
    parameters=(
        length("arm", "Arms", 0.4, "from the hinge to the ball", 0.05, 5.0),
        length("offset", "Hinges from the axis", 0.05, "distance of each", 0.0, 1.0),
        mass("ball", "Mass of a ball", 1.0, "the arms weigh nothing"),
        mass("sleeve", "Mass of the sleeve", 2.0, "pulls the balls down"),
        angle("start", "Arms open", math.radians(30), 0.02, 1.45, "at the start, from hanging down"),
        Parameter(
            name="damping",
            title="Damping of the hinges",
            unit="N·m·s/rad",
            default=0.2,
            low=0.0,
            high=50.0,
            help="lets the arms settle",
        ),
        speed(10.0, "Speed of the shaft", "held by a motion; 0 leaves the shaft free"),
    ),
    build=build,
    picture_time=0.8,
)
