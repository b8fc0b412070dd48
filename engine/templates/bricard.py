"""Bricard's linkage with threefold symmetry."""

from __future__ import annotations

import math

from engine.templates.base import Fact, Made, Template, Unreachable, Values, angle, length
from engine.templates.loops import loop_scene
from engine.templates.spatial import Pose, hinge_loop

NEARLY = 1e-3  # rad from the end of the motion


def second_angle(v: Values, theta: float) -> float:
    """φ of the even hinges, from θ of the odd ones.

    Two neighbouring hinges turn by a third of the whole: with c, s of half angles
    cos 60° = c(θ) c(φ) - cos α s(θ) s(φ).
    """
    c, s = math.cos(theta / 2.0), -math.cos(v["twist"]) * math.sin(theta / 2.0)
    size = math.hypot(c, s)
    if not size > 0.5 * (1.0 + NEARLY):
        raise Unreachable("the ring does not close at this angle")
    return 2.0 * (math.atan2(s, c) + math.acos(0.5 / size))


def poses(v: Values, theta: float) -> list[Pose]:
    phi = second_angle(v, theta)
    a, twist = v["side"], v["twist"]
    return hinge_loop([theta, phi] * 3, [a] * 6, [twist, -twist] * 3)


def check(v: Values) -> None:
    second_angle(v, v["start"])


def build(v: Values) -> Made:
    scene = loop_scene(
        lambda theta: poses(v, theta), v["start"], 0.0, [v["side"]] * 6, [v["twist"], -v["twist"]] * 3, 4
    )
    facts = (
        Fact("Angle of the even hinges", second_angle(v, v["start"]), "rad"),
        Fact("Count of Grübler", "0 degrees of freedom, and yet it moves"),
        Fact("Drive", "released from rest"),
    )
    wide = 0.9 * v["side"]
    return Made(scene, 1, facts, ([-wide, -wide, -wide], [wide, wide, wide]))


TEMPLATE = Template(
    name="bricard",
    title="Bricard ring",
    group="Spatial",
    summary="A ring of six equal links and hinges, twisted to and fro: it turns inside out with one "
    "degree of freedom.",
    source="R. Bricard [Bricard 1897]; the case with threefold symmetry.",
    parameters=(
        length("side", "Length of a link", 0.5, "all alike", 0.05, 5.0),
        angle("twist", "Twist", math.pi / 2, 0.3, math.pi / 2, "between the two hinges of a link"),
        angle("start", "Odd hinges", math.pi / 2, -3.0, 3.0, "their angle at the start"),
    ),
    build=build,
    check=check,
    picture_time=0.6,
)
