"""A double wishbone suspension with steering, on a test rig."""

from __future__ import annotations

import math

import numpy as np

from engine.maths.rotations import Array
from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Unreachable, Values, length, pace
from engine.templates.look import BLUE, DARK, DENSITY, GREEN, GREY, ORANGE, RED, SKY
from engine.templates.shapes import disc, rod
from engine.templates.spatial import listed

HALF_SPAN = 0.14  # m, of the two feet of each arm along x
RACK_AHEAD = 0.12  # m, of the wheel's centre
STEEPEST = 0.8  # height of an arm's rise over its length, at the ends of the travel
TYRE = 250.0  # kg/m³: wheel and tyre, on the whole
PEAK = 0.75 * math.sqrt(3.0)  # largest value of sin·(1 - cos)


def points(v: Values) -> dict[str, Array]:
    """Of the left wheel: x forward, y to the left from the middle of the car, z up from the road."""
    lower = np.array([0.0, v["inner"] + _reach(v["lower"], v["low_out"] - v["low_in"]), v["low_out"]])
    upper = np.array(
        [
            -v["caster"],
            v["inner"] + v["shift"] + _reach(v["upper"], v["up_out"] - v["up_in"]),
            v["up_out"],
        ]
    )
    hub = np.array([0.0, v["track"] / 2.0, v["wheel"]])
    middle = 0.35 * upper[2] + 0.65 * lower[2]
    tie = np.array([RACK_AHEAD, lower[1] - 0.02, middle])
    rack = np.array([RACK_AHEAD, v["inner"] + 0.02, 0.35 * v["up_in"] + 0.65 * v["low_in"]])
    return {
        "lower in": np.array([0.0, v["inner"], v["low_in"]]),
        "lower out": lower,
        "upper in": np.array([0.0, v["inner"] + v["shift"], v["up_in"]]),
        "upper out": upper,
        "hub": hub,
        "contact": np.array([0.0, hub[1], 0.0]),
        "tie": tie,
        "rack": rack,
        "strut top": np.array([0.0, v["inner"] + 0.05, v["up_out"] + 0.15]),
    }


def _reach(arm: float, rise: float) -> float:
    return math.sqrt(max(arm * arm - rise * rise, 0.0))


def check(v: Values) -> None:
    for arm, begin, end in (("lower", "low_in", "low_out"), ("upper", "up_in", "up_out")):
        rise = abs(v[end] - v[begin]) + v["travel"]
        if rise > STEEPEST * v[arm]:
            raise Unreachable(f"the {arm} arm is too short for its heights and the travel")
    if v["up_out"] - v["low_out"] < 0.02:
        raise Unreachable("the upper ball must lie above the lower one")
    at = points(v)
    if at["hub"][1] < max(at["lower out"][1], at["upper out"][1]):
        raise Unreachable("the wheel lies inside of its ball joints; make the track wider")


def build(v: Values) -> Made:
    at = points(v)
    scene = Scene()
    for name, color in (("lower", ORANGE), ("upper", GREEN)):
        scene = _with_arm(scene, name, color, at)
    scene = scene.with_body(
        "rack",
        color=GREY,
        position=listed(at["rack"]),
        points=[{"name": "end", "position": [0.0, 0.0, 0.0]}],
        shapes=[rod([0.0, -2.0 * at["rack"][1], 0.0], [0.0, 0.0, 0.0], 0.012, density=DENSITY)],
    )
    scene = _with_upright(scene, v, at)
    scene = _joined(scene, v, at)
    scene = _driven(scene, v, at)
    wheel = v["wheel"] + 0.02
    low, high = [-wheel, 0.0, -v["travel"]], [wheel, v["track"] / 2.0 + 0.15, 2.0 * wheel + v["travel"]]
    return Made(scene, 2, _facts(at), (low, high))


def _with_arm(scene: Scene, name: str, color: str, at: dict[str, Array]) -> Scene:
    inner, outer = at[f"{name} in"], at[f"{name} out"]
    ball = outer - inner
    feet = [np.array([s * HALF_SPAN, 0.0, 0.0]) for s in (1.0, -1.0)]
    more = [{"name": "strut", "position": listed(0.7 * ball)}] if name == "lower" else []
    return scene.with_body(
        f"{name} arm",
        color=color,
        position=listed(inner),
        points=[
            {"name": "axis", "position": [0.0, 0.0, 0.0]},
            {"name": "ball", "position": listed(ball)},
            *more,
        ],
        shapes=[rod(listed(foot), listed(ball), 0.013, density=7800.0) for foot in feet],
    )


def _with_upright(scene: Scene, v: Values, at: dict[str, Array]) -> Scene:
    """Upright and wheel are one body, with its frame in the middle of the wheel."""
    hub = at["hub"]
    local = {name: listed(at[name] - hub) for name in ("lower out", "upper out", "tie", "contact")}
    return scene.with_body(
        "upright",
        color=BLUE,
        position=listed(hub),
        points=[{"name": "hub", "position": [0.0, 0.0, 0.0]}]
        + [{"name": name.replace(" out", " ball"), "position": place} for name, place in local.items()],
        shapes=[
            rod(local["lower out"], [0.0, 0.0, 0.0], 0.018, density=7800.0),
            rod(local["upper out"], [0.0, 0.0, 0.0], 0.018, density=7800.0),
            rod(local["tie"], [0.0, 0.0, 0.0], 0.012),
            disc(
                v["wheel"],
                0.16,
                position=[0.0, 0.03, 0.0],
                orientation={"axis": [1.0, 0.0, 0.0], "angle": math.pi / 2},
                color=DARK,
                opacity=0.35,
                density=TYRE,
            ),
        ],
    )


def _joined(scene: Scene, v: Values, at: dict[str, Array]) -> Scene:
    for name in ("lower", "upper"):
        scene = scene.with_joint(
            "revolute",
            f"{name} axis",
            a={"body": "world", "point": listed(at[f"{name} in"]), "axis": [1.0, 0.0, 0.0]},
            b={"body": f"{name} arm", "point": "axis"},
        )
        scene = scene.with_joint(
            "spherical",
            f"{name} ball",
            a={"body": f"{name} arm", "point": "ball"},
            b={"body": "upright", "point": f"{name} ball"},
        )
    scene = scene.with_joint(
        "prismatic",
        "rack guide",
        a={"body": "world", "point": listed(at["rack"]), "axis": [0.0, 1.0, 0.0]},
        b={"body": "rack", "point": "end"},
    )
    scene = scene.with_joint(
        "distance",
        "tie rod",
        color=SKY,
        a={"body": "rack", "point": "end"},
        b={"body": "upright", "point": "tie"},
    )
    return scene.with_force(
        "spring",
        "strut",
        color=RED,
        a={"body": "world", "point": listed(at["strut top"])},
        b={"body": "lower arm", "point": "strut"},
        stiffness=v["stiffness"],
        damping=0.05 * v["stiffness"],
    )


def _driven(scene: Scene, v: Values, at: dict[str, Array]) -> Scene:
    def wave(size: float, pace: float) -> str:
        """To both sides by `size`, from rest."""
        return f"{size / PEAK!r}*sin({pace!r}*t)*(1 - cos({pace!r}*t))"

    scene = scene.with_motion(
        "body_motion",
        "road",
        body="upright",
        point="hub",
        coordinate="z",
        function=f"{float(at['hub'][2])!r} + {wave(v['travel'], v['pace'])}",
    )
    scene = scene.with_motion(
        "joint_motion",
        "steering",
        joint="rack guide",
        coordinate="displacement",
        function=wave(v["steer"], v["pace"] / 2.0),
    )
    axle = {"body": "upright", "axis": [0.0, 1.0, 0.0]}
    for name, axis in (("axle to vertical", [0.0, 0.0, 1.0]), ("axle to forward", [1.0, 0.0, 0.0])):
        scene = scene.with_measure("angle", name, a=axle, b={"body": "world", "axis": axis})
    return scene.with_trace("path of the contact", body="upright", point="contact", color=RED)


def _facts(at: dict[str, Array]) -> tuple[Fact, ...]:
    x, y, z = at["upper out"] - at["lower out"]
    low = at["lower out"]
    on_road = low[1] - y * low[2] / z  # where the axis of steering meets the road
    return (
        Fact("Caster", math.atan2(-x, z), "rad"),
        Fact("Inclination of the steering axis", math.atan2(-y, z), "rad"),
        Fact("Scrub radius", float(at["contact"][1] - on_road), "m"),
        Fact("Height of the roll centre", roll_centre(at), "m"),
    )


def roll_centre(at: dict[str, Array]) -> float:
    """Seen from ahead: the line from the contact to where the arms' lines meet, at the middle of the car."""
    (a, c), (b, d) = ((at[f"{n} in"][1:], at[f"{n} out"][1:] - at[f"{n} in"][1:]) for n in ("lower", "upper"))
    foot = at["contact"][1:]
    turn = float(c[0] * d[1] - c[1] * d[0])
    if abs(turn) < 1e-9:  # parallel arms: the line is parallel to them
        slope = c
    else:
        share = float((b - a)[0] * d[1] - (b - a)[1] * d[0]) / turn
        slope = a + share * c - foot
    return float(foot[1] - slope[1] * foot[0] / slope[0])


TEMPLATE = Template(
    name="double_wishbone",
    title="Double wishbone suspension",
    group="Vehicles",
    summary="A front wheel on two wishbones with rack steering; the rig moves it up and down and steers.",
    notes="The body of the car is the world. Two degrees of freedom, wheel travel and rack, follow "
    "motions; camber and "
    "toe are measures. The wheel does not spin.",
    parameters=(
        length("lower", "Lower arm", 0.36, "from its axis to the ball", 0.1, 1.0),
        length("upper", "Upper arm", 0.26, "from its axis to the ball", 0.1, 1.0),
        length("inner", "Axes from the middle", 0.34, "of the car, the lower arm's", 0.1, 1.0),
        length("shift", "Upper axis farther out", 0.05, "than the lower one", -0.2, 0.3),
        length("low_in", "Lower axis, height", 0.2, "above the road", 0.05, 1.0),
        length("low_out", "Lower ball, height", 0.17, "above the road", 0.05, 1.0),
        length("up_in", "Upper axis, height", 0.42, "above the road", 0.05, 1.5),
        length("up_out", "Upper ball, height", 0.45, "above the road", 0.05, 1.5),
        length("caster", "Upper ball behind", 0.03, "the lower one: caster", -0.2, 0.2),
        length("track", "Track", 1.5, "of the two front wheels", 0.5, 3.0),
        length("wheel", "Wheel radius", 0.31, "of the tyre", 0.1, 1.0),
        length("travel", "Wheel travel", 0.08, "up and down", 0.0, 0.3),
        length("steer", "Rack travel", 0.04, "to either side", 0.0, 0.06),
        Parameter(
            name="stiffness",
            title="Spring stiffness",
            unit="N/m",
            default=3e4,
            low=0.0,
            high=1e6,
            help="unloaded at the start",
        ),
        pace(3.0),
    ),
    build=build,
    check=check,
    picture_time=0.8,
)
