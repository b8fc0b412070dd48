"""A point stays on a line: the line, and a ring around it."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part
from engine.elements.joints import JOINTS

SLOT = 10.0  # half length in radii of a pin, where the travel is not known


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    in_plane = stage.planar and JOINTS[str(spec.__struct_config__.tag)].planar_axis_is_x
    direction = np.array([1.0, 0.0, 0.0]) if in_plane else np.array([0.0, 0.0, 1.0])
    color = stage.color(spec, stage.look.ground)
    travel = stage.travel(spec.name) if in_plane else None
    low, high = (-SLOT * size, SLOT * size) if travel is None else (travel[0] - size, travel[1] + size)
    rail = solids.rod(low * direction, high * direction, 0.22 * size).painted(color)
    bead = solids.sphere(0.9 * size).painted(stage.look.ink)
    lift = stage.on_top(a, b)
    return Visual(
        Ref("joints", spec.name),
        [fixed_part(stage, a, [rail], lift=lift), fixed_part(stage, b, [bead], lift=lift)],
    )
