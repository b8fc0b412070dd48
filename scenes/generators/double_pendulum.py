"""Two uniform bars in the plane."""

from engine.model.scene import Scene
from engine.templates.look import RED
from scenes.generators.bars import two_bars
from scenes.generators.vocabulary import (
    length_parameter,
    parameter,
    scene,
    simulation,
    trace,
)


def double_pendulum() -> Scene:
    bodies, joints = two_bars((0.035, 0.03))
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
        bodies=bodies,
        joints=joints,
        traces=[trace("path of C", "lower", "C", RED, 4.0)],
        simulation=simulation(1e-3, 10.0),
    )
