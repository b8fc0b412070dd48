"""Knife edge: a blade that cuts along, never across."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    blade = solids.box(0.35 * size, 5.0 * size, 0.5 * size).painted(stage.color(spec, stage.look.ink), 1.5)
    if not stage.planar:  # the axis that must not move is z of the joint frame
        blade = solids.box(5.0 * size, 0.8 * size, 0.35 * size).painted(
            stage.color(spec, stage.look.ink), 1.5
        )
    return Visual(Ref("joints", spec.name), [fixed_part(stage, b, [blade], lift=stage.on_top(b))])
