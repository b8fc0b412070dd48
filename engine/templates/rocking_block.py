"""A slender block that rocks on a rigid floor from corner to corner."""

from __future__ import annotations

import math

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Unreachable, Values, angle, length

STONE = 2600.0  # kg/m³


def check(v: Values) -> None:
    steep = math.atan2(v["width"], v["height"])
    if v["tilt"] >= steep:
        raise Unreachable(f"a block that leans by more than {math.degrees(steep):.3g}° falls over")


def build(v: Values) -> Made:
    wide, high, tilt = v["width"], v["height"], v["tilt"]
    # it stands on its right corner, at the origin, and leans to that side
    c, s = math.cos(tilt), math.sin(tilt)
    centre = [-0.5 * wide * c + 0.5 * high * s, 0.5 * wide * s + 0.5 * high * c]
    block = {"kind": "box", "size": [wide, high, wide], "density": STONE}
    floor = {"kind": "box", "size": [3.0 * high, 0.05 * high, 2.0 * wide]}
    top = {"name": "top", "position": [0.0, 0.5 * high]}
    scene = (
        Scene(space="planar")
        .with_body("floor", fixed=True, position=[0.0, -0.025 * high], shapes=[floor])
        .with_body("block", position=centre, angle=-tilt, points=[top], shapes=[block])
        .with_force(
            "contact",
            "floor contact",
            a={"body": "floor", "point": [0.0, 0.025 * high], "reference": [0, 1]},
            b={"body": "block"},
            shape_a="plane",
            law="rigid",
            restitution=0.0,
            friction=v["friction"],
        )
        .with_trace("path of the top", body="block", point="top")
        .with_simulation(dt=1e-3, duration=5.0)
    )
    alpha = math.atan2(wide, high)
    kept = (1.0 - 1.5 * math.sin(alpha) ** 2) ** 2
    facts = (
        Fact("Falls over beyond", alpha, "rad"),
        Fact("Energy kept by an impact", kept, ""),
    )
    reach = 0.9 * high
    return Made(scene, 3, facts, ([-reach, -0.2 * high, 0.0], [reach, 1.3 * high, 0.0]))


TEMPLATE = Template(
    name="rocking_block",
    title="Rocking block",
    group="Contact and friction",
    summary="A block leans on one corner and rocks from one to the other; every impact costs its share.",
    source="[Housner 1963]",
    parameters=(
        length("width", "Width", 0.2, "of its base"),
        length("height", "Height", 0.6, "of the block"),
        angle("tilt", "Lean at the start", math.radians(9), 0.0, 1.0, "less than where it falls over"),
        Parameter(
            name="friction",
            title="Friction",
            unit="",
            default=0.8,
            low=0.0,
            high=2.0,
            help="Coulomb's coefficient; below about width/height it slides",
        ),
    ),
    build=build,
    check=check,
    picture_time=0.2,
)
