"""Cylindrical joint: a sleeve that turns and slides."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part
from app.viewport.visuals.joints.hinge import with_foot


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    sleeve = solids.washer(size, 1.45 * size, 5.0 * size).painted(stage.color(spec, stage.look.metal), 0.5)
    rings = [
        solids.torus(1.45 * size, 0.16 * size).moved([0, 0, z * size]).painted(stage.look.ink)
        for z in (-2.3, 2.3)
    ]
    part = fixed_part(stage, a, [sleeve, *rings])
    return Visual(Ref("joints", spec.name), with_foot(stage, [part], (a, b), 1.2 * size))
