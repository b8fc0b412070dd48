"""A ball pendulum for the study of orientation coordinates."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, GREY, RED
from engine.templates.shapes import rod, sphere
from scenes.generators.vocabulary import (
    about,
    anchor,
    body,
    joint,
    length_parameter,
    parameter,
    scene,
    simulation,
    trace,
)


def spatial_pendulum() -> Scene:
    bob = body(
        "bob",
        color=BLUE,
        position=[0.0, 0.0, 0.0],
        orientation=about([1, 0, 0], "-theta"),
        mass="m",
        com=[0.0, "L", 0.0],
        inertia=["0.4*m*r*r", "0.4*m*r*r", "0.4*m*r*r"],
        points={"O": [0.0, 0.0, 0.0], "P": [0.0, "L", 0.0]},
        shapes=[rod([0.0, 0.0, 0.0], [0.0, "L", 0.0], 0.018, GREY), sphere("r", [0.0, "L", 0.0])],
    )
    return scene(
        "Pendulum, orientation",
        "A pendulum on a ball joint swings down from the horizontal while a growing sideways force takes it "
        "out of its plane: the turns that three orientation coordinates cannot follow.",
        "Study of orientation coordinates [UPV Newmark, §9.1.4.1].",
        notes="Type 1 of the study: theta = pi/4, push = 0; type 2: theta = 0, push = 0; type 3 as it "
        "stands. The source has a point mass and a drive about z of t cos(2 pi 2 t); a point mass has no "
        "inertia about its rod, so the drive is read as a force across the plane of the swing and the bob is "
        "a small ball.",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[
            length_parameter("L", 1.0, "length of the rod", (0.1, 3.0)),
            length_parameter("r", 0.05, "radius of the ball", (0.01, 0.2)),
            parameter("m", 1.0, "kg", "the ball", (0.01, 10.0)),
            parameter("theta", 0.0, "rad", "rod below the horizontal at the start"),
            parameter("push", 1.0, "N/s", "growth of the sideways force", (0.0, 5.0)),
        ],
        bodies=[bob],
        joints=[joint("spherical", "O", anchor("world", [0.0, 0.0, 0.0]), anchor("bob", "O"))],
        forces=[
            {
                "name": "push",
                "kind": "force",
                "color": RED,
                "body": "bob",
                "point": "P",
                "frame": "world",
                "components": ["push*t*cos(4*pi*t)", 0.0, 0.0],
            }
        ],
        traces=[trace("path of the ball", "bob", "P", RED, 2.0)],
        simulation=simulation(1e-3, 4.0, 0.5),
        view={"box": [[-0.08, -1.06, -1.06], [0.08, 1.06, 0.06]]},
    )
