"""Stop: an arc with bars at its ends around the joint, or plates across the way of a slider."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Surface
from app.viewport.visuals.base import Visual, fixed_part
from engine.elements.coordinates.frames import Frame

RADIUS, BAR = 3.4, 1.4  # in pin radii
OPEN = 0.6  # rad that the arc goes on where there is one limit only
ALL_ROUND = 2.0 * np.pi


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.joint_pair(spec.joint)
    size = stage.symbol_size(a, b)
    limits = [None if limit is None else stage.value(limit, 0.0) for limit in (spec.lower, spec.upper)]
    if spec.coordinate == "angle":
        shapes = _arc([None if x is None else x + zero_direction(stage, b) for x in limits], size)
    else:
        shapes = _plates(limits, size, stage.planar)
    color = stage.color(spec, stage.look.spring)
    lift = stage.on_top(a, b, above=0.3 * size)
    parts = [fixed_part(stage, a, [shape.painted(color) for shape in shapes], lift=lift)]
    return Visual(Ref("forces", spec.name), parts)


def zero_direction(stage: Stage, b: Frame) -> float:
    """Where the centre of mass of body B lies about the axis at angle zero: the bars stand where it stops."""
    body = stage.body(b.name)
    if body is None:
        return 0.0
    x, y, _ = b.axes_B.T @ (stage.com(body) - b.p_B)
    return float(np.arctan2(y, x))


def _arc(limits: list[float | None], size: float) -> list[Surface]:
    """About z, from x."""
    lower, upper = limits
    if lower is None and upper is None:
        return []
    begin = upper - OPEN if lower is None and upper is not None else lower
    end = lower + OPEN if upper is None and lower is not None else upper
    assert begin is not None
    assert end is not None
    angles = np.linspace(begin, min(end, begin + ALL_ROUND), 48)
    circle = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    shapes = [solids.tube(RADIUS * size * circle, 0.12 * size, 6)]
    for limit in limits:
        if limit is not None:
            outwards = np.array([np.cos(limit), np.sin(limit), 0.0])
            inner, outer = (RADIUS - 0.5 * BAR) * size, (RADIUS + 0.5 * BAR) * size
            shapes.append(solids.rod(inner * outwards, outer * outwards, 0.28 * size))
    return shapes


def _plates(limits: list[float | None], size: float, planar: bool) -> list[Surface]:
    """Across the axis: x in the plane, z in space."""
    found = []
    for limit in limits:
        if limit is not None and planar:
            found.append(solids.box(0.3 * size, 3.2 * size, 0.6 * size).moved([limit, 0.0, 0.0]))
        elif limit is not None:
            found.append(solids.cylinder(1.8 * size, 0.3 * size).moved([0.0, 0.0, limit]))
    return found
