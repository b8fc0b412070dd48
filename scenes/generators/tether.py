"""A cable of rigid pieces with springs in its ball joints."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, ORANGE, RED, SKY
from engine.templates.shapes import rod, sphere
from scenes.generators.vocabulary import (
    Element,
    Vec,
    anchor,
    body,
    joint,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)

PIECES = 10


def tether() -> Scene:
    bodies: list[Element] = []
    forces: list[Element] = []
    joints = [revolute("J1", ("world", [0.0, 0.0, 0.0]), ("piece1", "near"), [0.0, 1.0, 0.0])]
    for i in range(1, PIECES + 1):
        last = i == PIECES
        spin: dict[str, Vec] = {"angular_velocity": ["twist", "kick", 0.0]} if last else {}
        bodies.append(
            body(
                f"piece{i}",
                color=RED if last else (BLUE, SKY)[i % 2],
                position=[f"{i - 1}*L" if i > 1 else 0.0, 0.0, 0.0],
                **spin,
                mass="m",
                com=["L/2", 0.0, 0.0],
                inertia=["m*R*R/2", "m*(L*L/12 + R*R/4)", "m*(L*L/12 + R*R/4)"],
                points={"near": [0.0, 0.0, 0.0], "far": ["L", 0.0, 0.0]},
                shapes=[rod([0.0, 0.0, 0.0], ["L", 0.0, 0.0], "R"), sphere("1.3*R", [0.0, 0.0, 0.0], ORANGE)],
            )
        )
        if i == 1:
            forces.append(
                {"name": "spring1", "kind": "rotational_spring", "joint": "J1", "stiffness": "bending"}
            )
            continue
        before = anchor(f"piece{i - 1}", "far")
        joints.append(joint("spherical", f"J{i}", before, anchor(f"piece{i}", "near")))
        forces.append(
            {
                "name": f"spring{i}",
                "kind": "bushing",
                "a": before,
                "b": anchor(f"piece{i}", "near"),
                "rotational_stiffness": ["torsion", "bending", "bending"],
            }
        )
    return scene(
        "Tether",
        "A weightless cable of ten pieces, elastic in its joints, is struck at its free end: the kick runs "
        "along it and comes back.",
        'J. A. Antón, mechanism "Theter" [Antón 2015, §5.3].',
        notes="Ten bodies, a hinge at the fixed end and nine ball joints, each with one torsional and two "
        "bending springs, no gravity, an initial rotation and impulse of the last body, as in the source; "
        "its numbers were not at hand, so lengths, masses, stiffnesses and the kick are made up.",
        space="spatial",
        gravity=[0.0, 0.0, 0.0],
        up="z",
        parameters=[
            length_parameter("L", 0.5, "each piece", (0.1, 2.0)),
            length_parameter("R", 0.04, "radius of the cable", (0.01, 0.1)),
            parameter("m", 0.5, "kg", "each piece", (0.05, 5.0)),
            parameter("bending", 12.0, "N*m/rad", "stiffness of a joint against bending", (0.0, 100.0)),
            parameter("torsion", 4.0, "N*m/rad", "stiffness of a joint against twisting", (0.0, 100.0)),
            parameter("kick", 12.0, "rad/s", "last piece about y at the start", (-30.0, 30.0)),
            parameter("twist", 20.0, "rad/s", "last piece about its own axis at the start", (-60.0, 60.0)),
        ],
        bodies=bodies,
        joints=joints,
        forces=forces,
        traces=[trace("path of the end", f"piece{PIECES}", "far", RED, 2.0)],
        simulation=simulation(1e-3, 3.0, 0.3),
        view={"box": [[-0.06, -0.06, -2.5], [5.0, 0.06, 0.33]]},
    )
