"""Bushing: a rubber sleeve."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    rubber = solids.washer(size, 2.0 * size, 2.0 * size).painted(stage.color(spec, stage.look.spring))
    core = solids.cylinder(0.8 * size, 2.4 * size).painted(stage.look.metal)
    lift = stage.on_top(a, b)
    parts = [fixed_part(stage, a, [rubber], lift=lift), fixed_part(stage, b, [core], lift=lift)]
    return Visual(Ref("forces", spec.name), parts)
