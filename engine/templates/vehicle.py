"""A car on four suspensions: struts and lower arms in front, five rods at each rear wheel, a steering rack.

Six degrees of freedom of the chassis, one of each wheel and the rack, which a motion leads. x is forward, y
to the left, z up from the road; points are those of the left side, the right one is its mirror image.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.maths.rotations import Array
from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, length, pace
from engine.templates.look import BLUE, DARK, GREEN, GREY, ORANGE, RED, SKY
from engine.templates.shapes import box, disc, rod
from engine.templates.spatial import listed

# chassis end and carrier end of the rods at the left rear wheel
RODS = (
    ((-1.15, 0.35, 0.35), (-1.30, 0.68, 0.28)),
    ((-1.55, 0.35, 0.35), (-1.42, 0.68, 0.26)),
    ((-1.20, 0.42, 0.62), (-1.32, 0.66, 0.58)),
    ((-1.50, 0.44, 0.60), (-1.42, 0.66, 0.56)),
    ((-1.70, 0.40, 0.42), (-1.55, 0.69, 0.40)),
)
REAR_TOP, REAR_FOOT, REAR_WHEEL = (-1.38, 0.50, 0.85), (-1.37, 0.62, 0.40), (-1.38, 0.75, 0.32)
PIVOTS = ((1.15, 0.35, 0.30), (1.45, 0.35, 0.31))  # of the front arm
FRONT_TOP, FRONT_FOOT, FRONT_WHEEL = (1.28, 0.55, 0.90), (1.28, 0.62, 0.50), (1.28, 0.75, 0.32)
BALL, TIE, RACK = (1.28, 0.68, 0.27), (1.14, 0.66, 0.36), (1.12, 0.28, 0.40)
CENTRE = (0.0, 0.0, 0.55)
STEEL, TYRE = 7800.0, 250.0  # kg/m³
PEAK = 0.75 * math.sqrt(3.0)  # largest value of sin·(1 - cos)


def _side(point: tuple[float, float, float], sign: float) -> Array:
    return np.array([point[0], sign * point[1], point[2]])


def build(v: Values) -> Made:
    scene = _with_chassis(Scene(up="z"), v)
    scene = _with_rack(scene, v)
    for word, sign in (("left", 1.0), ("right", -1.0)):
        scene = _with_front(scene, v, word, sign)
        scene = _with_rear(scene, v, word, sign)
    scene = scene.with_trace("path of the front", body="chassis", point="front", color=RED)
    quarter = 0.25 * v["mass"]
    # strut and tyre in a row, a quarter of the car on them
    stiffness = 1.0 / (1.0 / v["stiffness"] + 1.0 / v["tyre"])
    facts = (
        Fact("Degrees of freedom", "6 of the chassis, 4 of the wheels; the rack is led"),
        Fact("Loops", "5 rods at each rear wheel, strut and tie rod at each front wheel"),
        Fact("Bounce of a quarter of the car, about", math.sqrt(stiffness / quarter) / (2.0 * math.pi), "Hz"),
    )
    return Made(scene, 11, facts, ([-2.2, -1.0, -0.1], [2.2, 1.0, 1.3]))


def _at(
    body: str, point: Array, origin: Array | tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> dict[str, Any]:
    return {"body": body, "point": listed(point - np.asarray(origin))}


def _with_chassis(scene: Scene, v: Values) -> Scene:
    m = v["mass"]
    return scene.with_body(
        "chassis",
        color=SKY,
        position=listed(np.array(CENTRE)),
        mass=m,
        # a box of 3.6 × 1.3 × 0.6 m
        inertia=[m * (1.3**2 + 0.6**2) / 12.0, m * (3.6**2 + 0.6**2) / 12.0, m * (3.6**2 + 1.3**2) / 12.0],
        com=[0.0, 0.0, 0.0],
        points=[{"name": "front", "position": [1.9, 0.0, 0.0]}],
        shapes=[
            {**box([3.4, 0.6, 0.12], [0.0, 0.0, -0.1]), "opacity": 0.5},
            {**box([1.5, 0.9, 0.4], [-0.2, 0.0, 0.25]), "opacity": 0.3},
        ],
    )


def _with_rack(scene: Scene, v: Values) -> Scene:
    middle = np.array([RACK[0], 0.0, RACK[2]])
    half = [0.0, RACK[1], 0.0]
    scene = scene.with_body(
        "rack",
        color=GREY,
        position=listed(middle),
        shapes=[rod([0.0, -half[1], 0.0], half, 0.014, density=STEEL)],
    )
    scene = scene.with_joint(
        "prismatic",
        "rack guide",
        a={**_at("chassis", middle, CENTRE), "axis": [0.0, 1.0, 0.0]},
        b={"body": "rack", "point": [0.0, 0.0, 0.0]},
    )
    w = v["pace"]
    return scene.with_motion(
        "joint_motion",
        "steering",
        joint="rack guide",
        coordinate="displacement",
        function=f"{v['steer'] / PEAK!r}*sin({w!r}*t)*(1 - cos({w!r}*t))",
    )


def _with_wheel(scene: Scene, name: str, hub: Array, ends: list[Array], color: str) -> Scene:
    """Carrier and wheel are one body: the wheel does not spin."""
    return scene.with_body(
        name,
        color=color,
        position=listed(hub),
        points=[{"name": "hub", "position": [0.0, 0.0, 0.0]}],
        shapes=[
            *(rod([0.0, 0.0, 0.0], listed(end - hub), 0.014, density=STEEL) for end in ends),
            disc(
                0.31,
                0.18,
                orientation={"axis": [1.0, 0.0, 0.0], "angle": math.pi / 2},
                color=DARK,
                opacity=0.4,
                density=TYRE,
            ),
        ],
    )


def _on_road(scene: Scene, v: Values, name: str, hub: Array) -> Scene:
    """The tyre: stiff down to the road, softer along and across it."""
    k = v["tyre"]
    return scene.with_force(
        "bushing",
        f"tyre {name}",
        a={"body": "world", "point": listed(hub)},
        b={"body": name, "point": "hub"},
        stiffness=[0.1 * k, 0.1 * k, k],
        damping=[0.002 * k, 0.002 * k, 0.002 * k],
    )


def _strut(scene: Scene, v: Values, name: str, top: Array, foot: dict[str, Any]) -> Scene:
    return scene.with_force(
        "spring",
        f"strut {name}",
        color=RED,
        a=_at("chassis", top, CENTRE),
        b=foot,
        stiffness=v["stiffness"],
        damping=v["damping"],
    )


def _with_rear(scene: Scene, v: Values, word: str, sign: float) -> Scene:
    name, hub, foot = f"rear {word}", _side(REAR_WHEEL, sign), _side(REAR_FOOT, sign)
    ends = [(_side(a, sign), _side(b, sign)) for a, b in RODS]
    scene = _with_wheel(scene, name, hub, [foot, *(b for _, b in ends)], GREEN)
    for i, (a, b) in enumerate(ends, start=1):
        scene = scene.with_joint(
            "distance", f"rod {i} {word}", color=ORANGE, a=_at("chassis", a, CENTRE), b=_at(name, b, hub)
        )
    scene = _strut(scene, v, name, _side(REAR_TOP, sign), _at(name, foot, hub))
    return _on_road(scene, v, name, hub)


def _with_front(scene: Scene, v: Values, word: str, sign: float) -> Scene:
    name, hub = f"front {word}", _side(FRONT_WHEEL, sign)
    ball, tie, foot, top = (_side(p, sign) for p in (BALL, TIE, FRONT_FOOT, FRONT_TOP))
    pivots = [_side(p, sign) for p in PIVOTS]
    axis, inner = listed(pivots[1] - pivots[0]), 0.5 * (pivots[0] + pivots[1])
    arm = f"arm {word}"
    scene = scene.with_body(
        arm,
        color=ORANGE,
        position=listed(inner),
        shapes=[rod(listed(p - inner), listed(ball - inner), 0.016, density=STEEL) for p in pivots],
    )
    scene = _with_wheel(scene, name, hub, [ball, tie, foot], BLUE)
    scene = scene.with_joint(
        "revolute",
        f"axis {word}",
        a={**_at("chassis", inner, CENTRE), "axis": axis},
        b=_at(arm, inner, inner),
    )
    scene = scene.with_joint("spherical", f"ball {word}", a=_at(arm, ball, inner), b=_at(name, ball, hub))
    # the strut's tube is part of the carrier, its top slides along it
    scene = scene.with_joint(
        "point_on_line",
        f"tube {word}",
        a={**_at(name, foot, hub), "axis": listed(top - foot)},
        b=_at("chassis", top, CENTRE),
    )
    end = _side(RACK, sign)
    scene = scene.with_joint(
        "distance",
        f"tie rod {word}",
        color=SKY,
        a=_at("rack", end, (RACK[0], 0.0, RACK[2])),
        b=_at(name, tie, hub),
    )
    scene = _strut(scene, v, name, top, _at(name, foot, hub))
    return _on_road(scene, v, name, hub)


def _force(name: str, title: str, unit: str, default: float, high: float, help: str) -> Parameter:
    return Parameter(name=name, title=title, unit=unit, default=default, low=1.0, high=high, help=help)


TEMPLATE = Template(
    name="vehicle",
    title="Vehicle",
    group="Vehicles",
    summary="A car on struts in front and five rods at each rear wheel sinks into its springs and steers.",
    source="A vehicle with the counts of [Antón 2015, §5.5]: ten degrees of freedom, eighteen loops; "
    "its geometry is made up.",
    notes="The wheels do not spin; tyres are springs to the road below them.",
    parameters=(
        _force("mass", "Mass of the chassis", "kg", 900.0, 1e4, "without wheels and arms"),
        _force("stiffness", "Stiffness of a strut", "N/m", 2.5e4, 1e6, "unloaded at the start"),
        _force("damping", "Damping of a strut", "N·s/m", 1500.0, 1e5, "of each"),
        _force("tyre", "Stiffness of a tyre", "N/m", 1.8e5, 2e6, "down to the road"),
        length("steer", "Rack travel", 0.03, "to either side", 0.0, 0.05),
        pace(3.0),
    ),
    build=build,
    picture_time=1.0,
)
