"""Wheel on a road: the outline of the wheel with a spoke, and the road some way before and behind it."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.canvas.surface import Array
from app.viewport.visuals.base import Visual, fixed_part
from engine.maths.functions import compile_function
from engine.maths.jets import sampled

REACH = 8.0  # of the largest radius, to either side
THICK = 0.035  # of the smallest radius
AROUND, ALONG = 96, 240  # points of the two curves


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    theta = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    r = _values(stage, spec.radius, theta)
    centre = stage.world_axes(a).T @ (stage.world_point(b) - stage.world_point(a))
    w = centre[1] + np.linspace(-REACH, REACH, ALONG) * float(r.max())
    height = _values(stage, spec.road, w)
    thick = THICK * float(r.min())
    rim = np.stack([r * np.cos(theta), r * np.sin(theta), np.zeros(AROUND)], axis=1)
    road = np.stack([height, w, np.zeros(ALONG)], axis=1)[np.isfinite(height)]
    color = stage.color(spec, stage.look.text)  # thin lines must stand out from the background alone
    wheel = [
        solids.tube((1.0 - thick / r)[:, None] * rim, thick, closed=True).painted(color),
        solids.rod((0.0, 0.0, 0.0), rim[0] * (1.0 - thick / r[0]), thick).painted(color),
    ]
    road[:, 0] -= thick
    ground = [solids.tube(road, thick).painted(stage.look.ground)]
    parts = [
        fixed_part(stage, b, wheel, lift=stage.on_top(b)),
        fixed_part(stage, a, ground, lift=stage.on_top(b)),
    ]
    return Visual(Ref("joints", spec.name), parts)


def _values(stage: Stage, function: Any, at: Array) -> Array:
    program = compile_function(function, variables=("x",), parameters=stage.parameters)
    return np.asarray(sampled(program, at)[:, 0])
