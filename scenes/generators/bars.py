"""Uniform bars that move in the x-y plane."""

from engine.templates.look import BLUE, ORANGE
from engine.templates.shapes import rod
from scenes.generators.vocabulary import Element, Number, Vec, about, body, revolute


def bar(
    name: str,
    ends: tuple[str, str],
    *,
    space: str,
    start: Vec,
    angle: Number,
    length: Number,
    mass: Number,
    radius: float,
    color: str,
    layer: int = 0,
    velocity: Vec | None = None,
    rate: Number = 0.0,
) -> Element:
    """A uniform slender bar that moves in the x-y plane: frame at its first end, x along the bar.

    In a spatial scene it also has the inertia of its thickness about its own axis, which plays no part.
    """
    planar = space == "planar"
    pad: Vec = [] if planar else [0.0]
    transverse = f"{mass}*{length}*{length}/12"
    motion: Element = {}
    if velocity is not None or rate != 0.0:
        motion = {"velocity": (velocity or [0.0, 0.0]) + pad, "angular_velocity": [0.0, 0.0, rate]}
    pose = {"angle": angle} if planar else {"orientation": about([0, 0, 1], angle)}
    return body(
        name,
        color=color,
        layer=layer,
        position=[*start, *pad],
        **pose,
        **motion,
        mass=mass,
        com=[f"{length}/2", 0.0, *pad],
        inertia=[transverse] if planar else [f"{mass}*{radius}*{radius}/2", transverse, transverse],
        points={ends[0]: [0.0, 0.0, *pad], ends[1]: [length, 0.0, *pad]},
        shapes=[rod([0.0, 0.0, *pad], [length, 0.0, *pad], radius)],
    )


def two_bars(radii: tuple[float, float], *, rate: Number = 0.0) -> tuple[list[Element], list[Element]]:
    """Bodies and joints of a planar double pendulum with L1, L2, m1, m2, theta1 and theta2 as parameters.

    `rate` is the angular velocity of the lower bar at the start.
    """
    upper = bar(
        "upper",
        ("A", "B"),
        space="planar",
        start=[0.0, 0.0],
        angle="theta1",
        length="L1",
        mass="m1",
        radius=radii[0],
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
        radius=radii[1],
        color=ORANGE,
        layer=1,
        rate=rate,
    )
    joints = [
        revolute("A", ("world", [0.0, 0.0]), ("upper", "A")),
        revolute("B", ("upper", "B"), ("lower", "B")),
    ]
    return [upper, lower], joints
