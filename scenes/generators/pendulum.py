"""Point mass on a rod."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, GREY, RED
from engine.templates.shapes import rod, sphere
from scenes.generators.vocabulary import (
    body,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


def pendulum() -> Scene:
    bob = body(
        "bob",
        color=BLUE,
        position=["-L", 0.0],
        mass="m",
        com=[0.0, 0.0],
        inertia=[0.0],
        points={"O": ["L", 0.0], "P": [0.0, 0.0]},
        shapes=[rod(["L", 0.0], [0.0, 0.0], 0.012, GREY), sphere(0.06, [0.0, 0.0])],
    )
    return scene(
        "Simple pendulum",
        "A point mass on a massless rod is released at rest from the horizontal and swings for ten seconds.",
        "Simple pendulum [IFToMM 2015, A01]; energy must stay within 5e-5 J.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            length_parameter("L", 1.0, "length of the rod", (0.1, 3.0)),
            parameter("m", 1.0, "kg", "the point mass", (0.01, 10.0)),
        ],
        bodies=[bob],
        joints=[revolute("O", ("world", [0.0, 0.0]), ("bob", "O"))],
        traces=[trace("path of the mass", "bob", "P", RED, 1.0)],
        simulation=simulation(1e-3, 10.0),
    )
