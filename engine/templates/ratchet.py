"""A ratchet: a pawl on a spring lets a toothed wheel turn one way and holds it the other."""

from __future__ import annotations

import math

import msgspec

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, length
from engine.templates.look import BLUE, DARK, DENSITY, ORANGE

THICK = 0.01  # m
DEPTH = 0.11  # of the radius: height of a tooth
ARM, RISE = 1.1, 0.45  # pivot of the pawl from its nose: along the tangent and above it, in radii
NOSE = 0.02  # of the radius: the round nose that slides on the wheel
OVER = 0.03  # of the radius: how far its front leans over the nose, so that tips of teeth meet it first


def wheel(radius: float, teeth: int) -> list[list[float]]:
    """Outline: from the foot of each tooth straight up to its tip, then slowly down to the next foot."""
    points = []
    for k in range(teeth):
        c, s = math.cos(math.tau * k / teeth), math.sin(math.tau * k / teeth)
        points += [[r * c, r * s] for r in (radius * (1.0 - DEPTH), radius)]
    return points


def pawl(radius: float) -> list[list[float]]:
    """Outline about its pivot; the front, which tips of teeth press against, is its last edge."""
    x, y = -ARM * radius, -RISE * radius
    lug, high = 0.09 * radius, DEPTH * radius
    return [
        [x + 0.3 * radius, y + 0.1 * radius],
        [lug, -lug],
        [lug, lug],
        [x + 0.2 * radius, y + 2.5 * high],
        [x - 1.5 * OVER * radius, y + 1.5 * high],
        [x, y],
    ]


def build(v: Values) -> Made:
    radius, teeth = v["radius"], round(v["teeth"])
    foot = radius * (1.0 - DEPTH)
    # a tooth stands at the top, and the pawl behind it, its nose a little above the foot
    gap, above = 2.0 * OVER * radius, (NOSE + 0.01) * radius
    pivot = [gap + ARM * radius, foot + above + RISE * radius]
    rigid = {"law": "rigid", "restitution": 0.1, "friction": v["friction"]}
    nose = {"body": "pawl", "point": [-ARM * radius, -RISE * radius]}
    torque = f"{v['torque']!r}*sin({math.tau * v['rate']!r}*t)"
    scene = (
        Scene(space="planar")
        .with_body(
            "wheel",
            angle=math.pi / 2.0,
            color=BLUE,
            shapes=[
                {"kind": "outline", "points": wheel(radius, teeth), "thickness": THICK, "density": DENSITY}
            ],
            points=[{"name": "mark", "position": [radius, 0.0]}],
        )
        .with_body(
            "pawl",
            position=pivot,
            color=ORANGE,
            shapes=[{"kind": "outline", "points": pawl(radius), "thickness": THICK, "density": DENSITY}],
            layer=1,
        )
        .with_joint(
            "revolute",
            "axle",
            color=DARK,
            a={"body": "world", "point": [0, 0]},
            b={"body": "wheel", "point": [0, 0]},
        )
        .with_joint(
            "revolute", "pivot", a={"body": "world", "point": pivot}, b={"body": "pawl", "point": [0, 0]}
        )
        .with_force("torque", "drive", body="wheel", components=[0, 0, torque])
        .with_force("friction", "axle friction", joint="axle", kinetic=0.0, viscous=v["drag"])
        .with_force("rotational_spring", "pawl spring", joint="pivot", preload=-v["spring"], damping=1e-4)
        .with_force(
            "contact", "nose", a={"body": "wheel"}, b=nose, shape_b="sphere", radius_b=NOSE * radius, **rigid
        )
        .with_force("contact", "front", a={"body": "wheel"}, b={"body": "pawl"}, law="rigid", restitution=0.1)
        .with_trace("path of the mark", body="wheel", point="mark")
    )
    scene = msgspec.structs.replace(scene, gravity=(0.0, -9.81))
    facts = (
        Fact("One tooth", math.tau / teeth, "rad"),
        Fact("Force of the pawl against the largest torque", v["torque"] / radius, "N"),
    )
    reach = 1.1 * radius
    return Made(
        scene, 2, facts, ([-reach, -reach, 0.0], [pivot[0] + 0.2 * radius, pivot[1] + 0.2 * radius, 0.0])
    )


TEMPLATE = Template(
    name="ratchet",
    title="Ratchet",
    group="Contact and friction",
    summary="A pawl clicks over the teeth of a wheel one way and holds it the other, while a torque swings.",
    parameters=(
        length("radius", "Radius of the wheel", 0.05, "at the tips of its teeth", 0.03, 0.1),
        Parameter(
            name="teeth", title="Teeth", unit="", default=12, low=8, high=24, whole=True, help="of the wheel"
        ),
        Parameter(
            name="torque", title="Torque", unit="N·m", default=0.4, low=0.05, high=2.0, help="to and fro"
        ),
        Parameter(name="rate", title="Rate", unit="Hz", default=1.0, low=0.2, high=3.0, help="of the torque"),
        Parameter(
            name="drag", title="Drag", unit="N·m·s/rad", default=0.05, low=0.01, high=1.0, help="of the axle"
        ),
        Parameter(
            name="spring", title="Pawl spring", unit="N·m", default=0.05, low=0.01, high=0.5, help="torque"
        ),
        Parameter(
            name="friction", title="Friction", unit="", default=0.1, low=0.0, high=0.3, help="of the pawl"
        ),
    ),
    build=build,
    duration=5.0,
    step=1e-4,
    picture_time=0.3,
)
