"""A door with closer, stop and friction in its hinge, seen from above."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from engine.templates.base import Fact, Made, Parameter, Template, Values, angle, length
from engine.templates.planar import Points, Sketch, turned


def points(v: Values, along: Any) -> Points:
    """A is the hinge, B the edge; the closed door lies along x."""
    return {"A": 0j, "B": v["width"] * complex(turned(v["start"]))}


def build(v: Values) -> Made:
    width, start = v["width"], v["start"]
    sketch = Sketch(lambda along: points(v, along), 0.0, 0.0, width / 20.0)
    sketch.link("door", "A", "B")
    sketch.pin("A", "world", "door")
    sketch.trace("path of the edge", "door", "B")
    # the angle of the hinge counts from the given pose, which is where the door is let go
    closer = {
        "stiffness": v["closer"],
        "damping": v["damping"],
        "free_angle": -start,
        "preload": v["preload"],
    }
    limits = {"lower": -start, "upper": v["opening"] - start, "stiffness": v["stop"]}
    contact = {"law": "hunt_crossley", "restitution": 0.5, "impact_speed": 1.0}
    scene = (
        sketch.scene.with_force("rotational_spring", "closer", joint="A", **closer)
        .with_force("stop", "frame and stop", joint="A", **limits, **contact)
        .with_force("friction", "hinge friction", joint="A", kinetic=v["friction"], smoothing_speed=0.01)
    )
    scene = msgspec.structs.replace(scene, gravity=(0.0, 0.0))  # seen from above
    facts = (
        Fact("Torque of the closer at the start", v["preload"] + v["closer"] * start, "N·m"),
        Fact("Torque of the closer when shut", v["preload"], "N·m"),
    )
    reach = 1.1 * width
    return Made(scene, 1, facts, ([-reach, -0.2 * width, 0.0], [reach, reach, 0.0]))


TEMPLATE = Template(
    name="door",
    title="Door with closer and stop",
    group="Contact and friction",
    summary="A closer shuts a door against its frame; a stop limits its way, friction brakes its hinge.",
    parameters=(
        length("width", "Width", 0.9, "from hinge to edge"),
        angle(
            "start",
            "Let go at",
            math.pi / 2,
            0.1,
            math.pi,
            "from shut; above the opening it leans on its stop",
        ),
        angle("opening", "Stop at", math.radians(110), 0.2, math.pi, "from shut"),
        Parameter(
            name="closer", title="Closer", unit="N·m/rad", default=8.0, low=0.0, high=1e3, help="stiffness"
        ),
        Parameter(
            name="preload", title="Preload", unit="N·m", default=5.0, low=0.0, high=1e3, help="when shut"
        ),
        Parameter(
            name="damping",
            title="Damping",
            unit="N·m·s/rad",
            default=4.0,
            low=0.0,
            high=1e3,
            help="of the closer",
        ),
        Parameter(
            name="friction",
            title="Hinge friction",
            unit="N·m",
            default=0.5,
            low=0.0,
            high=100.0,
            help="kinetic",
        ),
        Parameter(
            name="stop",
            title="Stiffness of the stop",
            unit="N·m/radⁿ",
            default=2e4,
            low=1e2,
            high=1e6,
            help="of frame and stop, with the exponent 3/2",
        ),
    ),
    build=build,
    picture_time=0.3,
)
