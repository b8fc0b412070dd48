"""The symbol of what has no symbol of its own: a small ball at the first point it knows."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part
from engine.elements.base import Anchor
from engine.model.scene import list_of


def visual(spec: Any, stage: Stage) -> Visual:
    if isinstance(getattr(spec, "a", None), Anchor):
        frame = stage.pair(spec)[0]
    elif hasattr(spec, "joint"):
        frame = stage.joint_pair(spec.joint)[0]
    else:
        frame = stage.frame(spec.body, getattr(spec, "point", None))
    size = stage.symbol_size(frame)
    ball = solids.sphere(size).painted(stage.color(spec, stage.look.ink))
    return Visual(Ref(list_of(spec), spec.name), [fixed_part(stage, frame, [ball], lift=stage.on_top(frame))])
