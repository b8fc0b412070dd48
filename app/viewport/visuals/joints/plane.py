"""A body or a point stays on a plane: a small see-through sheet."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import merged
from app.viewport.visuals.base import Part, Visual, fixed_part


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    color = stage.color(spec, stage.look.ground)
    sheet = merged([solids.box(12 * size, 12 * size, 0.05 * size).painted(color)]).moved(a.p_B, a.axes_B)
    ball = solids.sphere(0.9 * size).painted(stage.look.ink)
    parts = [Part(sheet, stage.matrices[a.name], opacity=0.35), fixed_part(stage, b, [ball])]
    return Visual(Ref("joints", spec.name), parts)
