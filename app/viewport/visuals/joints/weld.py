"""Fixed joint: a welded corner."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part
from app.viewport.visuals.joints.hinge import with_foot


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    block = solids.box(2.0 * size, 2.0 * size, 2.0 * size).painted(stage.color(spec, stage.look.ink), 1.6)
    part = fixed_part(stage, a, [block], lift=stage.on_top(a, b))
    return Visual(Ref("joints", spec.name), with_foot(stage, [part], (a, b), size))
