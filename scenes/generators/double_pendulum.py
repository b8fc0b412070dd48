"""Two uniform bars in the plane."""

from engine.templates.look import BLUE, ORANGE, RED
from scenes.generators.bars import bar
from scenes.generators.vocabulary import (
    Scene,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


def double_pendulum() -> Scene:
    upper = bar(
        "upper",
        ("A", "B"),
        space="planar",
        start=[0.0, 0.0],
        angle="theta1",
        length="L1",
        mass="m1",
        radius=0.035,
        color=BLUE,
    )
    lower = bar(
        "lower",
        ("B", "C"),
        space="planar",
        start=["L1*cos(theta1)", "L1*sin(theta1)"],
        angle="theta2",
        length="L2",
        mass="m2",
        radius=0.03,
        color=ORANGE,
        layer=1,
    )
    return scene(
        "Double pendulum",
        "Two uniform bars, released from rest, tumble chaotically: the smallest change of the start "
        "ends elsewhere.",
        "Textbook problem; reference by integration in two angles.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            length_parameter("L1", 1.0, "upper bar", (0.1, 3.0)),
            length_parameter("L2", 0.8, "lower bar", (0.1, 3.0)),
            parameter("m1", 1.0, "kg", "upper bar", (0.01, 10.0)),
            parameter("m2", 0.8, "kg", "lower bar", (0.01, 10.0)),
            parameter("theta1", 0.0, "rad", "angle of the upper bar from the x axis at the start"),
            parameter("theta2", "pi/3", "rad", "angle of the lower bar from the x axis at the start"),
        ],
        bodies=[upper, lower],
        joints=[
            revolute("A", ("world", [0.0, 0.0]), ("upper", "A")),
            revolute("B", ("upper", "B"), ("lower", "B")),
        ],
        traces=[trace("path of C", "lower", "C", RED, 4.0)],
        simulation=simulation(1e-3, 10.0),
    )
