"""Two universal joints between three shafts."""

from typing import Any

from engine.model.scene import Scene
from engine.templates.look import BLUE, DARK, GREEN, GREY, ORANGE
from engine.templates.shapes import box, rod
from scenes.generators.vocabulary import (
    Element,
    Number,
    Vec,
    about,
    anchor,
    body,
    joint,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
)


def cardan_shaft() -> Scene:
    def shaft(
        name: str, color: str, start: Vec, length: str, marks: tuple[str, str], **fields: Any
    ) -> Element:
        """A round shaft along its own x; a flag shows the turning."""
        spin, transverse = f"rho*{length}*R*R/2", f"rho*{length}*({length}*{length}/12 + R*R/4)"
        return body(
            name,
            color=color,
            position=start,
            **fields,
            mass=f"rho*{length}",
            com=[f"{length}/2", 0.0, 0.0],
            inertia=[spin, transverse, transverse],
            points={marks[0]: [0.0, 0.0, 0.0], marks[1]: [length, 0.0, 0.0]},
            shapes=[
                rod([0.04, 0.0, 0.0], [f"{length} - 0.04", 0.0, 0.0], "R"),
                box([0.12, 0.01, 0.09], [f"{length}/2", 0.0, "R"], DARK),
            ],
        )

    def yoke(at: Number, root: Number, axis: int) -> list[Element]:
        """The fork at a shaft's end, its root further in, and the arm of the cross it carries."""
        tips: list[Vec] = [[at, 0.0, 0.0], [at, 0.0, 0.0]]
        tips[0][axis], tips[1][axis] = -0.05, 0.05
        return [*[rod([root, 0.0, 0.0], tip, 0.008) for tip in tips], rod(tips[0], tips[1], 0.006, GREY)]

    driver = shaft("input", BLUE, ["-L1", 0.0, 0.0], "L1", ("S", "P"))
    middle = shaft("middle", ORANGE, [0.0, 0.0, 0.0], "L2", ("P", "Q"), orientation=about([0, 1, 0], "bend"))
    output = shaft("output", GREEN, ["L2*cos(bend)", 0.0, "-L2*sin(bend)"], "L1", ("Q", "T"))
    driver["shapes"] += yoke("L1", "L1 - 0.06", 1)
    middle["shapes"] += yoke(0.0, 0.06, 2) + yoke("L2", "L2 - 0.06", 2)
    output["shapes"] += yoke(0.0, 0.06, 1)
    across, up_middle = [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
    return scene(
        "Cardan shaft",
        "A motor turns a shaft with two universal joints and a bend: the middle shaft speeds up and "
        "slows down twice a "
        "turn, the output runs evenly again because the forks of the middle shaft are in line.",
        "Own data; theory of Hooke's joint: tan(output) = tan(input) cos(bend).",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[
            length_parameter("L1", 0.5, "input and output shaft", (0.3, 1.0)),
            length_parameter("L2", 0.6, "middle shaft", (0.3, 1.0)),
            length_parameter("R", 0.03, "radius of the shafts", (0.01, 0.05)),
            parameter("rho", 5.0, "kg/m", "mass per length of the shafts", (0.5, 30.0)),
            parameter("bend", "pi/6", "rad", "angle at each joint", (0.0, 1.2)),
            parameter("target", "2*pi", "rad/s", "speed the motor holds", (-30.0, 30.0)),
            parameter("load", 0.005, "N*m*s", "viscous load at the output", (0.0, 0.05)),
        ],
        bodies=[driver, middle, output],
        joints=[
            revolute("input bearing", ("world", ["-L1", 0.0, 0.0]), ("input", "S"), [1.0, 0.0, 0.0]),
            joint("universal", "P", anchor("input", "P", across), anchor("middle", "P", up_middle)),
            joint("universal", "Q", anchor("output", "Q", across), anchor("middle", "Q", up_middle)),
            joint(
                "cylindrical",
                "output bearing",
                anchor("world", ["L2*cos(bend) + L1", 0.0, "-L2*sin(bend)"], [1.0, 0.0, 0.0]),
                anchor("output", "T"),
            ),
        ],
        forces=[
            {
                "name": "motor",
                "kind": "motor",
                "joint": "input bearing",
                "coordinate": "angle",
                "speed": "target",
                "gain": 0.2,
                "limit": 0.1,
            },
            {"name": "load", "kind": "rotational_spring", "joint": "output bearing", "damping": "load"},
        ],
        measures=[
            {
                "name": "unevenness",
                "kind": "expression",
                "expression": "body.middle.omega.x - body.input.omega.x",
                "unit": "rad/s",
            }
        ],
        simulation=simulation(1e-3, 10.0),
        view={"box": [[-0.46, -0.1, -0.4], [0.99, 0.1, 0.1]]},
    )
