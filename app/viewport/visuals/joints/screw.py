"""Screw joint: a thread."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part
from app.viewport.visuals.joints.hinge import with_foot

TURNS = 5


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    angle = np.linspace(0.0, 2.0 * np.pi * TURNS, 20 * TURNS) * np.sign(float(spec.pitch) or 1.0)
    height = np.linspace(-2.5 * size, 2.5 * size, len(angle))
    path = np.column_stack([1.1 * size * np.cos(angle), 1.1 * size * np.sin(angle), height])
    thread = solids.tube(path, 0.2 * size, 6).painted(stage.look.ink)
    bolt = solids.cylinder(size, 5.2 * size).painted(stage.color(spec, stage.look.metal), 0.5)
    part = fixed_part(stage, a, [bolt, thread])
    return Visual(Ref("joints", spec.name), with_foot(stage, [part], (a, b), size))
