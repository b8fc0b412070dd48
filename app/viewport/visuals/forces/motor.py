"""Motor: a turning arrow around the joint, or a straight one along it."""

from typing import Any

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Surface
from app.viewport.visuals.base import Visual, fixed_part


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.joint_pair(spec.joint)
    size = stage.symbol_size(a, b)
    shape = mark(stage, spec.coordinate, size).painted(stage.color(spec, stage.look.motor))
    lift = stage.on_top(a, b, above=0.3 * size)
    return Visual(Ref("forces", spec.name), [fixed_part(stage, a, [shape], lift=lift)])


def mark(stage: Stage, coordinate: str, size: float) -> Surface:
    """In the joint frame: around z, or along the axis of the displacement."""
    if coordinate == "angle":
        return solids.round_arrow(2.6 * size, 0.24 * size)
    arrow = solids.arrow(4.5 * size, 0.24 * size)
    if stage.planar:
        return arrow.moved([0.0, 2.8 * size, 0.0], solids.along([1.0, 0.0, 0.0]))
    return arrow.moved([2.2 * size, 0.0, -2.2 * size])
