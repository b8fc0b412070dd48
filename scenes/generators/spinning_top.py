"""A top on its tip."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, GREY, ORANGE, RED
from engine.templates.shapes import box, disc, rod, sphere
from scenes.generators.vocabulary import (
    anchor,
    body,
    joint,
    length_parameter,
    parameter,
    scene,
    simulation,
    trace,
)


def spinning_top() -> Scene:
    top = body(
        "top",
        color=BLUE,
        position=[0.0, 0.0, 0.0],
        angular_velocity=[0.0, 0.0, "spin"],
        mass=1.7355017e-2,
        com=[0.0, 0.0, "h"],
        inertia=[3.256544e-6, 3.256544e-6, 1.99486e-6],
        points={"tip": [0.0, 0.0, 0.0], "G": [0.0, 0.0, "h"], "head": [0.0, 0.0, 0.06]},
        shapes=[
            rod([0.0, 0.0, 0.0], [0.0, 0.0, 0.06], 0.0012, GREY),
            disc(0.018, 0.008, position=[0.0, 0.0, "h"]),
            box([0.034, 0.003, 0.0085], [0.0, 0.0, "h"], ORANGE),
            sphere(0.0025, [0.0, 0.0, 0.06], RED),
        ],
    )
    return scene(
        "Spinning top",
        "A fast top stands upright on its tip until a soft sideways push at 0.6 s sets it into "
        "precession and nutation.",
        "Spinning top [Urkullu 2019, §8.2], with the data of [UPV Newmark, §8.2.3]: 5000 rpm, Gaussian push.",
        notes="The inertia is about the centre of mass, which stands 39.93 mm above the tip.",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[
            parameter("spin", 523.6, "rad/s", "spin at the start (5000 rpm)", (0.0, 1000.0)),
            length_parameter("h", 0.03993, "centre of mass above the tip", (0.01, 0.06)),
            parameter("push", 0.01, "N", "largest value of the sideways force", (0.0, 0.05)),
        ],
        bodies=[top],
        joints=[joint("spherical", "tip", anchor("world", [0.0, 0.0, 0.0]), anchor("top", "tip"))],
        forces=[
            {
                "name": "push",
                "kind": "force",
                "color": RED,
                "body": "top",
                "point": "G",
                "frame": "world",
                "components": ["push*exp(-(t - 0.6)*(t - 0.6)/(2*0.1*0.1))", 0.0, 0.0],
            }
        ],
        traces=[trace("path of the head", "top", "head", RED, 1.0)],
        simulation=simulation(1e-4, 2.0, 0.2, 5),
        view={"box": [[-0.026, -0.026, 0.0], [0.026, 0.026, 0.063]]},
    )
