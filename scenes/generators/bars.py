"""Uniform bars that move in the x-y plane."""

from engine.templates.shapes import rod
from scenes.generators.vocabulary import Element, Number, Vec, about, body


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
