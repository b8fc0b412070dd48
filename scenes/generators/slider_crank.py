"""Equal crank and rod with a massless slider."""

from scenes.generators.bars import bar
from scenes.generators.shapes import BLUE, GREEN, ORANGE, PINK, box
from scenes.generators.vocabulary import (
    Scene,
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


def slider_crank() -> Scene:
    crank = bar(
        "crank",
        ("P1", "P2"),
        space="planar",
        start=[0.0, 0.0],
        angle="theta",
        length="L",
        mass="m",
        radius=0.035,
        color=BLUE,
        layer=1,
        rate="omega",
    )
    conrod = bar(
        "rod",
        ("P2", "P3"),
        space="planar",
        start=["L*cos(theta)", "L*sin(theta)"],
        angle="-theta",
        length="L",
        mass="m",
        radius=0.035,
        color=ORANGE,
        layer=2,
        rate="-omega",
        velocity=["-L*omega*sin(theta)", "L*omega*cos(theta)"],
    )
    slider = body(
        "slider",
        color=GREEN,
        layer=0,
        position=["2*L*cos(theta)", 0.0],
        velocity=["-2*L*omega*sin(theta)", 0.0],
        mass=0.0,
        inertia=[0.0],
        points={"P3": [0.0, 0.0]},
        shapes=[box([0.24, 0.14, 0.08], [0.0, 0.0, 0.0])],
    )
    return scene(
        "Slider-crank",
        "Crank and rod of equal length with a massless slider: it passes through the pose where both "
        "bars stand upright "
        "on top of each other and a second motion opens.",
        "IFToMM library of benchmark problems, slider-crank with singular poses; energy within 1e-3 J.",
        notes="The bars are slender (m L^2/12); the slider carries no mass, as the benchmark says.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            length_parameter("L", 1.0, "crank and rod", (0.2, 3.0)),
            parameter("m", 1.0, "kg", "crank and rod, each", (0.01, 10.0)),
            parameter("theta", "pi/4", "rad", "crank angle at the start"),
            parameter("v0", 4.0, "m/s", "speed of the slider towards the crank pivot at the start"),
            parameter("omega", "v0/(2*L*sin(theta))", "rad/s", "crank speed that belongs to v0"),
        ],
        bodies=[crank, conrod, slider],
        joints=[
            revolute("P1", ("world", [0.0, 0.0]), ("crank", "P1")),
            revolute("P2", ("crank", "P2"), ("rod", "P2")),
            revolute("P3", ("rod", "P3"), ("slider", "P3")),
            joint(
                "prismatic", "guide", anchor("world", [0.0, 0.0], [1.0, 0.0]), anchor("slider", [0.0, 0.0])
            ),
        ],
        traces=[trace("path of P2", "crank", "P2", PINK, 2.0)],
        simulation=simulation(1e-3, 10.0),
    )
