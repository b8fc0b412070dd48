"""Rack and pinion: a toothed wheel and a bar."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part
from app.viewport.visuals.couplings.gear import turning, wheel


def visual(spec: Any, stage: Stage) -> Visual:
    pinion = turning(stage, spec.pinion)
    rail, rack = stage.joint_pair(spec.rack)
    size = stage.symbol_size(pinion, rack)
    radius = abs(float(spec.radius))
    direction = np.array([1.0, 0.0, 0.0]) if stage.planar else np.array([0.0, 0.0, 1.0])
    bar = solids.box(*(np.abs(direction) * 6.0 * radius + (1.0 - np.abs(direction)) * 0.8 * size))
    frame = rail if rack.name == "world" else rack
    part = fixed_part(stage, frame, [bar.painted(stage.look.ground)], lift=stage.on_top(frame))
    return Visual(Ref("joints", spec.name), [wheel(stage, spec, pinion, radius), part])
