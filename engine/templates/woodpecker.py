"""The woodpecker toy: a sleeve jams on a pole and lets go, while a bird on a spring pecks its way down.

[Leine 2001] has the model and its numbers: the middle of the sleeve stays on the axis of the pole, and its
right side touches with its lower or its upper edge. Angles are not taken as small here.
"""

from __future__ import annotations

import math

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values
from engine.templates.look import BLUE, DARK, ORANGE

# m, kg, kg·m², N·m/rad: [Leine 2001, table 1]
POLE, BORE, HALF = 0.0025, 0.0031, 0.0058  # radii of pole and bore, half the height of the sleeve
PIVOT, CENTRE = (
    0.010,
    0.015,
)  # from the middle of the sleeve to the spring, and on to the centre of the bird
BEAK = (-0.0201, 0.020)  # from the centre of the bird
SLEEVE_MASS, SLEEVE_INERTIA = 0.0003, 5e-9
BIRD_MASS, BIRD_INERTIA = 0.0045, 7e-7
SPRING = 0.0056
# the lower edge of the sleeve touches the pole where BORE cos φ + HALF sin φ = POLE
SLEEVE = math.atan2(HALF, BORE) - math.acos(POLE / math.hypot(BORE, HALF))
# of the periodic motion, at the instant at which the sleeve comes to this angle
BIRD, FALL, TURN = -0.2788, -0.3411, -7.4583
DEEP = 0.004  # m across the plane, for the eye


def build(v: Values) -> Made:
    high = v["pole"]
    pivot = [PIVOT * math.cos(SLEEVE), PIVOT * math.sin(SLEEVE)]
    centre = [pivot[0] + CENTRE * math.cos(BIRD), pivot[1] + CENTRE * math.sin(BIRD)]
    walls = [
        {"kind": "box", "size": [0.001, 2.0 * HALF, 2.0 * DEEP], "position": [side * (BORE + 0.0005), 0.0]}
        for side in (-1.0, 1.0)
    ]
    bird = [
        {"kind": "rod", "start": [-CENTRE, 0.0], "end": [0.0, 0.0], "radius": 0.0008},
        {"kind": "rod", "start": [0.001, -0.012], "end": [-0.001, 0.010], "radius": 0.0045},
        {"kind": "sphere", "radius": 0.0045, "position": [0.001, -0.012]},
        {"kind": "sphere", "radius": 0.0045, "position": [-0.001, 0.010]},
        {"kind": "sphere", "radius": 0.005, "position": [-0.004, 0.017]},
        {"kind": "rod", "start": [-0.006, 0.019], "end": [*BEAK], "radius": 0.0012},
        {"kind": "rod", "start": [0.0, -0.010], "end": [0.009, -0.030], "radius": 0.0015},
    ]
    scene = (
        Scene(space="planar")
        .with_body(
            "pole",
            fixed=True,
            position=[0.0, -0.5 * high],
            color=DARK,
            shapes=[{"kind": "box", "size": [2.0 * POLE, high + 0.1, 2.0 * POLE]}],
        )
        .with_body(
            "sleeve",
            position=[0.0, 0.0],
            angle=SLEEVE,
            velocity=[0.0, FALL],
            mass=SLEEVE_MASS,
            inertia=[SLEEVE_INERTIA],
            color=BLUE,
            shapes=[*walls, {"kind": "rod", "start": [BORE, 0.0], "end": [PIVOT, 0.0], "radius": 0.0008}],
            layer=1,
        )
        .with_body(
            "bird",
            position=centre,
            angle=BIRD,
            velocity=[-TURN * (centre[1] - pivot[1]), FALL + TURN * (centre[0] - pivot[0])],
            angular_velocity=[0.0, 0.0, TURN],
            mass=BIRD_MASS,
            inertia=[BIRD_INERTIA],
            color=ORANGE,
            shapes=bird,
            points=[{"name": "beak", "position": [*BEAK]}],
        )
        .with_joint(
            "revolute",
            "hinge",
            a={"body": "sleeve", "point": [PIVOT, 0.0]},
            b={"body": "bird", "point": [-CENTRE, 0.0], "reference": [1, 0]},
        )
        .with_joint(
            "point_on_line",
            "play",
            a={"body": "pole", "point": [0.0, 0.0], "axis": [0, 1]},
            b={"body": "sleeve", "point": [0.0, 0.0]},
        )
        .with_force("rotational_spring", "spring", joint="hinge", stiffness=SPRING, free_angle=0.0)
        .with_trace("path of the beak", body="bird", point="beak")
    )
    rigid = {"law": "rigid", "friction": v["friction"]}
    for name, body, point, e in (
        ("lower edge", "sleeve", [BORE, -HALF], 0.0),
        ("upper edge", "sleeve", [BORE, HALF], 0.0),
        ("beak", "bird", [*BEAK], v["beak"]),
    ):
        scene = scene.with_force(
            "contact",
            name,
            a={"body": "pole", "point": [POLE, 0.0], "reference": [1.0, 0.0]},
            b={"body": body, "point": point},
            shape_a="plane",
            shape_b="point",
            restitution=e,
            **rigid,
        )
    facts = (Fact("The sleeve jams at", abs(SLEEVE), "rad"),)
    return Made(scene, 3, facts, ([-0.03, -high, 0.0], [0.06, 0.04, 0.0]))


TEMPLATE = Template(
    name="woodpecker",
    title="Woodpecker toy",
    group="Contact and friction",
    summary="A sleeve jams on a pole and lets go; a bird on a spring pecks its way down.",
    source="[Leine 2001]",
    parameters=(
        Parameter(
            name="pole", title="Pole", unit="m", default=0.12, low=0.02, high=2.0, help="length to go down"
        ),
        Parameter(
            name="friction",
            title="Friction",
            unit="",
            default=0.3,
            low=0.05,
            high=0.8,
            help="of sleeve and beak on the pole",
        ),
        Parameter(
            name="beak",
            title="Restitution of the beak",
            unit="",
            default=0.5,
            low=0.0,
            high=1.0,
            help="on the pole",
        ),
    ),
    build=build,
    step=1e-4,
    duration=1.0,
    picture_time=0.05,
)
