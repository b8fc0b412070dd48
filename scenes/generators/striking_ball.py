"""Six links, five of them moving, and a free ball that strikes the slider: many kinds of forces in one."""

import math

from engine.model.scene import Scene
from engine.templates.look import BLUE, GREEN, GREY, ORANGE, RED, SKY
from engine.templates.shapes import box, sphere
from scenes.generators.bars import bar
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

GROUND, CRANK, COUPLER, ROCKER, ROD = 0.3, 0.1, 0.28, 0.2, 0.4  # m
LEVEL, BLOCK, BALL = 0.06, 0.08, 0.04  # m: of the slide's middle, height of the slider, radius of the ball
START = math.radians(60.0)  # of the crank


def striking_ball() -> Scene:
    law = {
        "law": "flores",
        "stiffness": "k",
        "restitution": "rest",
        "impact_speed": 1.0,
        "friction": "mu",
        "smoothing_speed": 0.1,
    }
    links, joints = _links()
    ball = body(
        "ball",
        color=RED,
        position=["x_ball", LEVEL + 0.3],
        velocity=["v_ball", 0.0],
        mass=0.3,
        com=[0.0, 0.0],
        inertia=[0.4 * 0.3 * BALL**2],
        points={"centre": [0.0, 0.0]},
        shapes=[sphere(BALL, [0.0, 0.0, 0.0])],
    )
    base = body(
        "base",
        color=GREY,
        fixed=True,
        mass=0.0,
        shapes=[box([1.6, 0.02, 0.1], [1.3, LEVEL - BLOCK / 2 - 0.01, 0.0])],
    )
    return scene(
        "Ball that strikes",
        "A motor moves a slider to and fro over five links; a ball comes bouncing along and strikes it. "
        "Weight, motor, spring and damper, contact and friction act in one mechanism.",
        "Forces in multibody systems [Flores 2012, fig. 46]; own dimensions.",
        notes="The drawing has six links, the ground among them, and a free sphere that can collide with the "
        "slider; its numbers are not printed. The contact is that of the source's author, with friction.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            length_parameter("x_ball", 1.15, "where the ball begins", (0.95, 2.0)),
            parameter("v_ball", -0.6, "m/s", "velocity of the ball at the start", (-3.0, 0.0)),
            parameter("rest", 0.7, "", "restitution of an impact at 1 m/s", (0.1, 1.0)),
            parameter("mu", 0.3, "", "friction of the ball", (0.0, 1.0)),
            parameter("k", 1e5, "N/m^1.5", "stiffness of the contacts", (1e4, 1e6)),
        ],
        bodies=[*links, ball, base],
        joints=joints,
        forces=[
            {"name": "motor", "kind": "motor", "joint": "A", "speed": 5.0, "gain": 0.5, "limit": 4.0},
            {
                "name": "suspension",
                "kind": "spring",
                "color": GREY,
                "a": anchor("world", [0.6, 0.45]),
                "b": anchor("rocker", "C"),
                "stiffness": 40.0,
                "damping": 1.0,
                "free_length": 0.25,
            },
            {
                "name": "blow",
                "kind": "contact",
                "a": {"body": "slider"},
                "b": {"body": "ball"},
                **law,
            },
            {
                "name": "floor",
                "kind": "contact",
                "a": {"body": "base", "point": [1.3, LEVEL - BLOCK / 2], "reference": [0, 1]},
                "b": {"body": "ball"},
                "shape_a": "plane",
                **law,
            },
        ],
        traces=[trace("path of the ball", "ball", "centre", RED, 3.0)],
        simulation=simulation(2e-4, 3.0, sample_every=5),
        view={"box": [[-0.12, -0.12, -0.05], [1.6, 0.47, 0.05]]},
    )


def _links() -> tuple[list[Element], list[Element]]:
    """The linkage at rest, and its joints."""
    b = (CRANK * math.cos(START), CRANK * math.sin(START))
    reach, tilt = math.dist(b, (GROUND, 0.0)), math.atan2(-b[1], GROUND - b[0])
    inner = math.acos((COUPLER**2 + reach**2 - ROCKER**2) / (2 * COUPLER * reach))
    c = (b[0] + COUPLER * math.cos(tilt + inner), b[1] + COUPLER * math.sin(tilt + inner))
    e = (c[0] + math.sqrt(ROD**2 - (c[1] - LEVEL) ** 2), LEVEL)

    def link(name: str, ends: tuple[str, str], start: Vec, end: Vec, color: str, layer: int) -> Element:
        return bar(
            name,
            ends,
            space="planar",
            start=start,
            angle=math.atan2(end[1] - start[1], end[0] - start[0]),
            length=math.dist(start, end),
            mass=2.0 * math.dist(start, end),
            radius=0.012,
            color=color,
            layer=layer,
        )

    slider = body(
        "slider",
        color=GREEN,
        position=[*e],
        mass=0.8,
        com=[0.0, 0.0],
        inertia=[0.8 * (0.14**2 + BLOCK**2) / 12],
        points={"E": [0.0, 0.0]},
        shapes=[box([0.14, BLOCK, 0.08], [0.0, 0.0, 0.0])],
    )
    links = [
        link("crank", ("A", "B"), [0.0, 0.0], [*b], BLUE, 1),
        link("coupler", ("B", "C"), [*b], [*c], ORANGE, 2),
        link("rocker", ("D", "C"), [GROUND, 0.0], [*c], BLUE, 1),
        link("rod", ("C", "E"), [*c], [*e], SKY, 3),
        slider,
    ]
    joints = [
        revolute("A", ("world", [0.0, 0.0]), ("crank", "A")),
        revolute("B", ("crank", "B"), ("coupler", "B")),
        revolute("C", ("coupler", "C"), ("rocker", "C")),
        revolute("C_rod", ("rocker", "C"), ("rod", "C")),
        revolute("D", ("world", [GROUND, 0.0]), ("rocker", "D")),
        revolute("E", ("rod", "E"), ("slider", "E")),
        joint("prismatic", "guide", anchor("world", [0.0, LEVEL], [1.0, 0.0]), anchor("slider", [0.0, 0.0])),
    ]
    return links, joints
