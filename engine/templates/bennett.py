"""Bennett's linkage: four skew hinges that move."""

from __future__ import annotations

import math

import numpy as np

from engine.templates.base import Fact, Made, Template, Unreachable, Values, angle, length, speed
from engine.templates.loops import loop_scene
from engine.templates.spatial import Pose, hinge_loop, listed


def other_twist(v: Values) -> float:
    """Bennett's condition a/sin α = b/sin β, with the obtuse β, which also holds when a = b."""
    sine = v["b"] * math.sin(v["twist"]) / v["a"]
    if not sine < 1.0 - 1e-9:
        raise Unreachable("Bennett's condition a/sin α = b/sin β has no angle β")
    return math.pi - math.asin(sine)


def poses(v: Values, first: float) -> list[Pose]:
    """tan(θ1/2) tan(θ2/2) = sin((β + α)/2)/sin((β - α)/2); opposite angles add to a full turn."""
    alpha, beta = v["twist"], other_twist(v)
    half = math.sin((beta + alpha) / 2.0) / math.sin((beta - alpha) / 2.0)
    second = 2.0 * math.atan2(half * math.cos(first / 2.0), math.sin(first / 2.0))
    a, b = v["a"], v["b"]
    return hinge_loop([first, second, -first, -second], [a, b, a, b], [alpha, beta, alpha, beta])


def check(v: Values) -> None:
    other_twist(v)


def build(v: Values) -> Made:
    beta = other_twist(v)
    a, b, alpha = v["a"], v["b"], v["twist"]
    scene = loop_scene(
        lambda first: poses(v, first), v["start"], v["speed"], [a, b, a, b], [alpha, beta, alpha, beta], 3
    )
    facts = (
        Fact("Twist of the links b", beta, "rad"),
        Fact("a / sin α = b / sin β", a / math.sin(alpha), "m"),
        Fact("Count of Grübler", "-2 degrees of freedom, and yet it moves"),
    )
    turn = [poses(v, i * math.pi / 30.0) for i in range(61)]
    every = [p for at in turn for p, _ in at]
    box = (listed(np.min(every, axis=0)), listed(np.max(every, axis=0)))
    return Made(scene, 1, facts, box, ([listed(at[2][0]) for at in turn],))


TEMPLATE = Template(
    name="bennett",
    title="Bennett linkage",
    group="Spatial",
    summary="Four links and four skew hinges that by counting should be locked, and yet turn fully.",
    source="G. T. Bennett [Bennett 1903]: opposite links alike, and a/sin α = b/sin β.",
    parameters=(
        length("a", "Links a", 0.5, "the first and the third", 0.05, 5.0),
        length("b", "Links b", 0.4, "the second and the fourth", 0.05, 5.0),
        angle("twist", "Twist of the links a", math.radians(50), 0.05, 1.5, "angle between its two hinges"),
        angle("start", "First hinge", math.radians(60), -6.2, 6.2, "its angle at the start"),
        speed(1.5),
    ),
    build=build,
    check=check,
    picture_time=1.3,
)
