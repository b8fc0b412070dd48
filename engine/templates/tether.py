"""A cable of rigid pieces, elastic in its joints, that is struck at its free end."""

from __future__ import annotations

import math

from engine.model.scene import Scene
from engine.templates.base import Fact, Made, Parameter, Template, Values, length
from engine.templates.look import BLUE, DENSITY, ORANGE, RED, SKY
from engine.templates.shapes import rod, sphere


def build(v: Values) -> Made:
    n, side, radius = int(v["count"]), v["length"], v["radius"]
    scene = Scene(gravity=(0.0, 0.0, 0.0), up="z")
    for i in range(1, n + 1):
        last = i == n
        scene = scene.with_body(
            f"piece {i}",
            color=RED if last else (BLUE, SKY)[i % 2],
            position=[(i - 1) * side, 0.0, 0.0],
            angular_velocity=[v["twist"], v["kick"], 0.0] if last and n > 1 else [0.0, 0.0, 0.0],
            points=[
                {"name": "near", "position": [0.0, 0.0, 0.0]},
                {"name": "far", "position": [side, 0.0, 0.0]},
            ],
            shapes=[
                rod([0.0, 0.0, 0.0], [side, 0.0, 0.0], radius, density=DENSITY),
                sphere(1.3 * radius, [0.0, 0.0, 0.0], ORANGE),
            ],
        )
        before = (
            {"body": f"piece {i - 1}", "point": "far"} if i > 1 else {"body": "world", "point": [0.0] * 3}
        )
        near = {"body": f"piece {i}", "point": "near"}
        if i == 1:
            scene = scene.with_joint("revolute", "J1", a={**before, "axis": [0.0, 1.0, 0.0]}, b=near)
            scene = scene.with_force("rotational_spring", "spring 1", joint="J1", stiffness=v["bending"])
        else:
            scene = scene.with_joint("spherical", f"J{i}", a=before, b=near)
            stiff = [v["torsion"], v["bending"], v["bending"]]
            scene = scene.with_force("bushing", f"spring {i}", a=before, b=near, rotational_stiffness=stiff)
    scene = scene.with_trace("path of the end", body=f"piece {n}", point="far", color=RED)
    # thin rod of n pieces, each joint a spring: E I = bending × length of a piece
    mass = DENSITY * math.pi * radius**2
    facts = (
        Fact("Length", n * side, "m"),
        Fact("Bending stiffness of the cable", v["bending"] * side, "N·m²"),
        Fact("Mass per length", mass, "kg/m"),
    )
    reach = 0.5 * n * side
    return Made(
        scene, 3 * n - 2, facts, ([-0.1 * reach, -0.2 * reach, -reach], [2.1 * reach, 0.2 * reach, reach])
    )


TEMPLATE = Template(
    name="tether",
    title="Tether",
    group="Chains",
    summary="A weightless cable of pieces with springs in its ball joints is struck at its free end: the "
    "kick runs along it and comes back.",
    source='J. A. Antón, mechanism "Theter" [Antón 2015, §5.3].',
    parameters=(
        Parameter(name="count", title="Pieces", default=10, low=2, high=500, whole=True, help="of the cable"),
        length("length", "Length of a piece", 0.3, "all alike"),
        length("radius", "Radius", 0.03, "of the cable", 0.002, 0.2),
        Parameter(
            name="bending",
            title="Bending stiffness",
            unit="N·m/rad",
            default=20.0,
            low=0.0,
            high=1000.0,
            help="of a joint",
        ),
        Parameter(
            name="torsion",
            title="Torsional stiffness",
            unit="N·m/rad",
            default=4.0,
            low=0.0,
            high=1000.0,
            help="of a joint",
        ),
        Parameter(
            name="kick",
            title="Kick",
            unit="rad/s",
            default=6.0,
            low=-30.0,
            high=30.0,
            help="of the last piece, across it, at the start",
        ),
        Parameter(
            name="twist",
            title="Twist",
            unit="rad/s",
            default=10.0,
            low=-60.0,
            high=60.0,
            help="of the last piece, about itself, at the start",
        ),
    ),
    build=build,
    picture_time=0.4,
    step=5e-4,  # the pieces are thin: they twist fast
)
