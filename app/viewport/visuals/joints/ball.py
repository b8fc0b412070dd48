"""Ball joint: a ball in a socket."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part
from app.viewport.visuals.joints.hinge import with_foot


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = 1.15 * stage.symbol_size(a, b)
    ball = solids.sphere(1.15 * size, stage.sides(20)).painted(stage.color(spec, stage.look.metal))
    bowl = solids.torus(1.15 * size, 0.3 * size, stage.sides(24), 8).painted(stage.look.ink)
    lift = stage.on_top(a, b, above=0.1 * size)
    part = fixed_part(stage, a, [ball, bowl], lift=lift)
    return Visual(Ref("joints", spec.name), with_foot(stage, [part], (a, b), size))
