"""Rolling wheel: its hub and a thin rim; the body's own shapes show the rest."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    radius = float(spec.radius)
    rim = solids.torus(radius, min(0.35 * size, 0.06 * radius), 64).painted(stage.color(spec, stage.look.ink))
    rim = rim.scaled(1.0 - 0.35 * size / radius, 1.0 - 0.35 * size / radius, 1.0)
    return Visual(Ref("joints", spec.name), [fixed_part(stage, b, [rim], lift=stage.on_top(b))])
