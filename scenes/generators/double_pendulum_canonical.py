"""The double pendulum of [Celej 2018, §6.1], in both readings of its angles."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, ORANGE, RED
from engine.templates.shapes import rod
from scenes.generators.vocabulary import (
    Element,
    Vec,
    body,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


def double_pendulum_hanging() -> Scene:
    """Reading H: angles from the hanging pose, the links along the local −y axis."""
    return _double_pendulum(
        "Double pendulum, hanging",
        "Two heavy links, released below the pivot, swing regularly: the first of two readings of published "
        "data.",
        "Angles count from the hanging pose (reading H). Energy at the start: -90.177328 J.",
        [0.0, -1.0],
        ["sin(phi1)", "-cos(phi1)"],
    )


def double_pendulum_upright() -> Scene:
    """Reading X: angles from the x axis, the links along the local x axis."""
    return _double_pendulum(
        "Double pendulum, upright",
        "The same two links, released above the pivot, tumble fast and punish every error: the second "
        "of two readings of published data.",
        "Angles count from the x axis (reading X). Energy at the start: +163.752328 J.",
        [1.0, 0.0],
        ["cos(phi1)", "sin(phi1)"],
    )


def _double_pendulum(title: str, description: str, reading: str, along: Vec, end_of_first: Vec) -> Scene:
    def link(
        name: str, color: str, layer: int, length: float, ends: tuple[str, str], **data: object
    ) -> Element:
        half, end = [c * length / 2 + 0.0 for c in along], [c * length + 0.0 for c in along]
        return body(
            name,
            color=color,
            layer=layer,
            **data,
            com=half,
            points={ends[0]: [0.0, 0.0], ends[1]: end},
            shapes=[rod([0.0, 0.0], end, 0.06)],
        )

    first = link(
        "link1", BLUE, 0, 1.0, ("A", "B"), position=[0.0, 0.0], angle="phi1", mass=6.0, inertia=[1.0]
    )
    second = link(
        "link2", ORANGE, 1, 1.5, ("B", "C"), position=end_of_first, angle="phi2", mass=10.0, inertia=[1.6]
    )
    return scene(
        title,
        description,
        "W. Celej, dynamics of planar mechanisms in canonical coordinates [Celej 2018, §6.1 and table 1].",
        notes=f"{reading} The drawing that shows it was not at hand. The inertias are those printed, not "
        "those of slender rods; the start from rest and the pivot at the origin are assumed.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            parameter("phi1", "pi/4", "rad", "first link at the start"),
            parameter("phi2", "pi/2", "rad", "second link at the start"),
        ],
        bodies=[first, second],
        joints=[
            revolute("A", ("world", [0.0, 0.0]), ("link1", "A")),
            revolute("B", ("link1", "B"), ("link2", "B")),
        ],
        traces=[trace("path of C", "link2", "C", RED, 3.0)],
        simulation=simulation(1e-3, 5.0),
    )
