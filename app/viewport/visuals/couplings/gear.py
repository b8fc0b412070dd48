"""Gear pair: two toothed wheels that meet, each on the body that turns."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Part, Visual, fixed_part
from engine.elements.coordinates.frames import Frame


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = turning(stage, spec.joint_a), turning(stage, spec.joint_b)
    distance = float(np.linalg.norm(stage.world_point(a) - stage.world_point(b)))
    ratio = float(spec.ratio)  # turns of A per turn of B, so B is that much larger
    whole = abs(ratio - 1.0) if spec.internal else 1.0 + ratio
    radius_a = distance / whole if whole > 0.0 else distance
    return Visual(
        Ref("joints", spec.name),
        [wheel(stage, spec, a, radius_a), wheel(stage, spec, b, ratio * radius_a)],
    )


def turning(stage: Stage, joint: str) -> Frame:
    """The frame of a joint on the body that turns against the world."""
    a, b = stage.joint_pair(joint)
    return a if b.name == "world" else b


def wheel(stage: Stage, spec: Any, frame: Frame, radius: float) -> Part:
    size = stage.symbol_size(frame)
    teeth = int(np.clip(round(2.0 * np.pi * radius / (1.6 * size)), 8, 80))
    shape = solids.toothed(max(radius, size), teeth, 0.8 * size, 0.6 * size)
    return fixed_part(
        stage, frame, [shape.painted(stage.color(spec, stage.look.ground))], lift=stage.on_top(frame)
    )
