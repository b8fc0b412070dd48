"""Balls on a table with cushions, seen from above: hits from ball to ball."""

from __future__ import annotations

import math
from itertools import combinations

import msgspec

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length
from engine.templates.look import BLUE, GREEN, ORANGE, RED, SKY, YELLOW

RADIUS, MASS = 0.03, 0.17  # m, kg
COLORS = (ORANGE, RED, BLUE, YELLOW, SKY, GREEN)


def build(v: Values) -> Made:
    long, wide, e, count = v["long"], 0.5 * v["long"], v["restitution"], round(v["balls"])
    heading = v["heading"]
    side = 0.04 * v["long"]
    cushions = [
        {"kind": "box", "size": [long + 2.0 * side, side, 2.0 * RADIUS], "position": [0.0, y, 0.0]}
        for y in (-0.5 * (wide + side), 0.5 * (wide + side))
    ] + [
        {"kind": "box", "size": [side, wide, 2.0 * RADIUS], "position": [x, 0.0, 0.0]}
        for x in (-0.5 * (long + side), 0.5 * (long + side))
    ]
    places = {"cue ball": (-0.3 * long, 0.0), **_rack(count, 0.15 * long)}
    scene = Scene(space="planar").with_body("table", fixed=True, color=GREEN, shapes=cushions)
    for i, (name, place) in enumerate(places.items()):
        speed = [v["speed"] * math.cos(heading), v["speed"] * math.sin(heading)] if i == 0 else [0.0, 0.0]
        scene = scene.with_body(
            name,
            position=list(place),
            velocity=speed,
            mass=MASS,
            color="#bfc4c9" if i == 0 else COLORS[(i - 1) % len(COLORS)],
            points=[{"name": "centre", "position": [0.0, 0.0]}],
            shapes=[{"kind": "sphere", "radius": RADIUS}],
        )
    law = {"law": "rigid", "restitution": e}
    for name in places:
        scene = scene.with_force("contact", f"{name} on table", a={"body": "table"}, b={"body": name}, **law)
    for a, b in combinations(places, 2):
        scene = scene.with_force("contact", f"{a} on {b}", a={"body": a}, b={"body": b}, **law)
    scene = scene.with_trace("path of the cue ball", body="cue ball", point="centre")
    scene = scene.with_simulation(dt=2e-3, duration=4.0)
    scene = msgspec.structs.replace(scene, gravity=(0.0, 0.0))  # seen from above
    facts = (Fact("Speed after a full hit", 0.5 * (1.0 + e) * v["speed"], "m/s"),)
    reach = 0.55 * long
    return Made(scene, 3 * (count + 1), facts, ([-reach, -0.6 * wide, 0.0], [reach, 0.6 * wide, 0.0]))


def _rack(count: int, x: float) -> dict[str, tuple[float, float]]:
    """Balls in rows of one, two, three, a little apart."""
    found: dict[str, tuple[float, float]] = {}
    row = 0
    while len(found) < count:
        for k in range(row + 1):
            if len(found) < count:
                away = 2.02 * RADIUS
                found[f"ball {len(found) + 1}"] = (x + row * away * math.sqrt(0.75), (k - 0.5 * row) * away)
        row += 1
    return found


TEMPLATE = Template(
    name="billiard",
    title="Billiard",
    group="Contact and friction",
    summary="A cue ball breaks a rack of balls between four cushions; every hit is an event.",
    parameters=(
        length("long", "Length of the table", 1.6, "it is half as wide", low=0.8, high=4.0),
        Parameter(
            name="speed",
            title="Speed of the cue ball",
            unit="m/s",
            default=2.0,
            low=0.1,
            high=10.0,
            help="at the start",
        ),
        angle("heading", "Direction of the cue ball", math.radians(1), -1.0, 1.0, "0: straight at the rack"),
        Parameter(
            name="balls",
            title="Balls in the rack",
            unit="",
            default=3,
            low=1,
            high=6,
            whole=True,
            help="beside the cue ball",
        ),
        Parameter(
            name="restitution",
            title="Restitution",
            unit="",
            default=0.95,
            low=0.0,
            high=1.0,
            help="share of the speed that comes back",
        ),
    ),
    build=build,
    picture_time=0.45,
)
