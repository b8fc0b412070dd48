"""One mass, one spring, one sine: the stability test of the explicit families."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, GREEN, GREY
from engine.templates.shapes import box
from scenes.generators.vocabulary import (
    anchor,
    body,
    joint,
    length_parameter,
    parameter,
    scene,
    simulation,
)


def forced_oscillator() -> Scene:
    mass = body(
        "mass",
        color=BLUE,
        position=[0.0, 0.0],
        velocity=["w_force/(w*w - w_force*w_force)", 0.0],
        mass=1.0,
        com=[0.0, 0.0],
        inertia=[0.01],
        points={"eye": [0.0, 0.0]},
        shapes=[box([0.4, 0.4, 0.3], [0.0, 0.0, 0.0])],
    )
    wall = body(
        "wall",
        color=GREY,
        fixed=True,
        mass=0.0,
        shapes=[box([0.1, 1.0, 0.6], ["-reach - 0.05", 0.0, 0.0]), box([7.0, 0.05, 0.6], [0.0, -0.24, 0.0])],
    )
    return scene(
        "Forced oscillator",
        "A mass on a spring follows a force a hundred times slower than its own frequency; started just "
        "right, it does not ring.",
        "Explicit families without cancellation [UPV Newmark, §9.2, eq. 9.118 and table 9.7].",
        notes="x'' + w^2 x = sin(w_force t). The source prints the start velocity with a minus sign; without "
        "ringing it is +w_force/(w^2 - w_force^2). Step limits of the explicit families: 2, 1.549, 1.155, "
        "1.265 and 1.732 over w. For the second test of the source set w_force to 10 and the duration to "
        "1000 s.",
        space="planar",
        gravity=[0.0, 0.0],
        parameters=[
            parameter("w", 1.0, "rad/s", "own frequency", (0.1, 10.0)),
            parameter("w_force", 0.01, "rad/s", "frequency of the force", (0.001, 20.0)),
            length_parameter("reach", 3.0, "free length of the spring"),
        ],
        bodies=[mass, wall],
        joints=[
            joint("prismatic", "guide", anchor("world", [0.0, 0.0], [1.0, 0.0]), anchor("mass", [0.0, 0.0]))
        ],
        forces=[
            {
                "name": "spring",
                "kind": "spring",
                "color": GREEN,
                "a": anchor("world", ["-reach", 0.0]),
                "b": anchor("mass", "eye"),
                "stiffness": "w*w",
                "free_length": "reach",
            },
            {
                "name": "push",
                "kind": "force",
                "body": "mass",
                "point": "eye",
                "frame": "world",
                "components": ["sin(w_force*t)", 0.0],
            },
        ],
        simulation=simulation(0.1, 630.0, 60.0),
    )
