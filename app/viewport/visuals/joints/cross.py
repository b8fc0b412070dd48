"""Universal joint: a cross whose arms lie in the two bodies."""

from typing import Any

import numpy as np

from app.document.element_ref import Ref
from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.stage import Stage
from app.viewport.visuals.base import Visual, fixed_part
from app.viewport.visuals.joints.hinge import with_foot


def visual(spec: Any, stage: Stage) -> Visual:
    a, b = stage.pair(spec)
    size = stage.symbol_size(a, b)
    metal, ink = stage.color(spec, stage.look.metal), stage.look.ink

    def arm() -> list[Any]:
        bar = solids.cylinder(0.5 * size, 3.4 * size, 20).painted(metal, 0.5)
        caps = [
            solids.cylinder(0.62 * size, 0.3 * size, 20).moved([0, 0, s * 1.7 * size]).painted(ink)
            for s in (-1.0, 1.0)
        ]
        return [bar, *caps]

    hub = solids.sphere(0.85 * size, 20).painted(ink)
    parts = [fixed_part(stage, a, [hub, *arm()]), fixed_part(stage, b, arm())]
    if np.allclose(a.p_B, b.p_B) and a.name == b.name:
        parts = parts[:1]
    return Visual(Ref("joints", spec.name), with_foot(stage, parts, (a, b), size))
