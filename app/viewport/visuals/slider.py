"""Prismatic joint: a rail and two arrows along it."""

from typing import Any

import numpy as np

from app.refs import Ref
from app.viewport import solids
from app.viewport.stage import Mount, Stage
from app.viewport.surface import Surface, merged
from app.viewport.visuals.base import Part, Visual, fixed_part
from app.viewport.visuals.ground import foot
from engine.elements.base import WORLD

RAIL = 9.0  # half length in pin radii


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    if stage.planar:  # there the axis is x of the joint frame, and z points to the viewer
        parts = [_flat_rail(stage, spec, a, size)]
    else:
        parts = [fixed_part(stage, a, _rail(stage, spec, size))]
        marks = foot(stage, a, 0.8 * size)
        parts += [Part(merged(marks))] if marks else []
    return Visual(Ref("joints", spec.name), parts)


def _rail(stage: Stage, spec: Any, size: float) -> list[Surface]:
    metal = stage.color(spec, stage.look.metal)
    collar = solids.washer(1.05 * size, 1.5 * size, 2.2 * size, 6).painted(metal, 0.5)
    return [collar]


def _flat_rail(stage: Stage, spec: Any, a: Mount, size: float) -> Part:
    color = stage.color(spec, stage.look.ground)
    half, gap = RAIL * size, 1.9 * size
    strips = []
    for side in (-1.0, 1.0):
        strips.append(solids.box(2.0 * half, 0.2 * size, 0.02 * size).moved([0, side * gap, 0]))
        if a.body != WORLD:
            continue
        for x in np.linspace(-half + 0.5 * size, half - 0.2 * size, 16):
            hatch = solids.box(0.11 * size, 0.85 * size, 0.02 * size)
            turn = np.array([[0.8, 0.6 * side, 0.0], [-0.6 * side, 0.8, 0.0], [0.0, 0.0, 1.0]])
            strips.append(hatch.moved([x, side * (gap + 0.42 * size), 0], turn))
    rail = [strip.painted(color, 0.8) for strip in strips]
    depth = stage.behind if a.body == WORLD else stage.on_top(a, above=0.05 * size)
    return fixed_part(stage, a, rail, lift=depth)
