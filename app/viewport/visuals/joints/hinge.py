"""Hinge: a pin through both bodies."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Surface, merged
from app.viewport.visuals.base import Part, Visual, fixed_part
from app.viewport.visuals.marks.ground import foot
from engine.elements.coordinates.frames import Frame


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    look = stage.look
    metal = stage.color(spec, look.metal)
    if stage.planar:
        ring = _ring(size, look.ink, metal, stage.sides(32))
        parts = [fixed_part(stage, a, [ring], lift=stage.on_top(a, b, above=0.05 * size))]
    else:
        parts = [fixed_part(stage, a, [_bolt(size, look.ink, metal, stage.sides(22))])]
    return Visual(Ref("joints", spec.name), with_foot(stage, parts, (a, b), size))


@lru_cache(maxsize=16)  # most pins of a scene have one size
def _ring(size: float, ink: str, metal: str, sides: int) -> Surface:
    """A pin seen along its axis."""
    return merged(
        [
            solids.cylinder(size, 0.02 * size, sides).painted(ink, 1.0),
            solids.cylinder(0.62 * size, 0.04 * size, sides).painted(metal, 1.0),
        ]
    )


@lru_cache(maxsize=16)
def _bolt(size: float, ink: str, metal: str, sides: int) -> Surface:
    """A bolt along z with a head at each end."""
    bolt = solids.cylinder(size, 2.9 * size, sides).painted(metal, 0.5)
    heads = [
        solids.cylinder(0.62 * size, 0.35 * size, 3 * sides // 4)
        .moved([0, 0, sign * 1.55 * size])
        .painted(ink, 0.7)
        for sign in (-1.0, 1.0)
    ]
    return merged([bolt, *heads])


def with_foot(stage: Stage, parts: list[Part], frames: Sequence[Frame], size: float) -> list[Part]:
    """The parts, and a foot where the joint stands on the world."""
    marks = [mark for frame in frames for mark in foot(stage, frame, size)]
    return [*parts, Part(merged(marks))] if marks else parts
