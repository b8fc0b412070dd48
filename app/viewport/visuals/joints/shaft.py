"""Constant-velocity joint: two grooved halves around a ball."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part
from app.viewport.visuals.joints.hinge import with_foot


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    ball = solids.sphere(1.2 * size).painted(stage.look.ink)
    cage = [
        solids.torus(1.25 * size, 0.22 * size).moved([0, 0, z * size]).painted(stage.look.metal)
        for z in (-0.4, 0.4)
    ]
    parts = [fixed_part(stage, a, [ball, cage[0]]), fixed_part(stage, b, [cage[1]])]
    return Visual(Ref("joints", spec.name), with_foot(stage, parts, (a, b), size))
