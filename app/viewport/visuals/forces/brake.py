"""Friction: two brake shoes at the joint; on a guide they go with the slider, at gears they brake the second
wheel."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part

RADIUS, HALF = 2.1, 0.7  # in pin radii; rad


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.joint_pair(_braked(spec, stage))
    size = stage.symbol_size(a, b)
    shoes = []
    for middle in (0.5 * np.pi, -0.5 * np.pi):
        angles = np.linspace(middle - HALF, middle + HALF, 16)
        arc = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
        shoes.append(solids.tube(RADIUS * size * arc, 0.4 * size, 8))
    color = stage.color(spec, stage.look.spring)
    lift = stage.on_top(a, b, above=0.3 * size)
    goes_along = ("displacement", "roll", "slide", "slip")
    at = b if getattr(spec, "coordinate", "angle") in goes_along else a
    parts = [fixed_part(stage, at, [shoe.painted(color) for shoe in shoes], lift=lift)]
    return Visual(Ref("forces", spec.name), parts)


def _braked(spec: Any, stage: Stage) -> str:
    """The joint at which the shoes stand: its own, or one of those that it couples."""
    joint = stage.scene.joint(spec.joint)
    for field in ("joint_b", "rack"):
        if hasattr(joint, field):
            return str(getattr(joint, field))
    return str(joint.terms[-1].joint) if hasattr(joint, "terms") else str(spec.joint)
