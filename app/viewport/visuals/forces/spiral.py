"""Rotational spring: a spiral around the joint."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part

TURNS = 2.75


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.joint_pair(spec.joint)
    size = stage.symbol_size(a, b)
    angle = np.linspace(0.0, 2.0 * np.pi * TURNS, 90)
    radius = np.linspace(1.3 * size, 3.0 * size, len(angle))
    path = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros_like(angle)])
    wire = solids.tube(path, 0.17 * size, 6).painted(stage.color(spec, stage.look.spring))
    lift = stage.on_top(a, b, above=0.3 * size)
    offset = [0.0, 0.0, 0.0 if stage.planar else 1.9 * size]
    return Visual(Ref("forces", spec.name), [fixed_part(stage, a, [wire.moved(offset)], lift=lift)])
