"""Friction: two brake shoes at the joint; on a guide they go with the slider."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part

RADIUS, HALF = 2.1, 0.7  # in pin radii; rad


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.joint_pair(spec.joint)
    size = stage.symbol_size(a, b)
    shoes = []
    for middle in (0.5 * np.pi, -0.5 * np.pi):
        angles = np.linspace(middle - HALF, middle + HALF, 16)
        arc = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
        shoes.append(solids.tube(RADIUS * size * arc, 0.4 * size, 8))
    color = stage.color(spec, stage.look.spring)
    lift = stage.on_top(a, b, above=0.3 * size)
    at = b if spec.coordinate == "displacement" else a
    parts = [fixed_part(stage, at, [shoe.painted(color) for shoe in shoes], lift=lift)]
    return Visual(Ref("forces", spec.name), parts)
