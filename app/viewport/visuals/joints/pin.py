"""Lock: a peg in the point that keeps its place."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part


def visual(spec: Any, stage: Stage) -> Visual:
    b = stage.frame(spec.b.body, spec.b.point)
    size = stage.symbol_size(b)
    peg = solids.cone(size, 2.4 * size, 4).painted(stage.color(spec, stage.look.ink), 1.5)
    turned = peg.moved([0, 0, -2.4 * size]).moved([0, 0, 0], solids.along(stage.up))
    if stage.planar:
        turned = solids.plate([[0, 0], [-size, -2 * size], [size, -2 * size]], 0.1 * size).painted(
            stage.color(spec, stage.look.ink), 1.5
        )
    part = fixed_part(stage, b, [turned], lift=stage.on_top(b, above=0.1 * size))
    return Visual(Ref("joints", spec.name), [part])
