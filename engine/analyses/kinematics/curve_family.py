"""Curves of traced points for several values of a parameter, from the joints alone: no run is needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from engine.analyses.kinematics.whole_motion import whole_motion
from engine.compiled.layout import Array
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve
from engine.model.scene import Parameter, Scene
from engine.system.compiling.frames import named_point
from engine.system.prepared import Prepared

COUNT = 7  # values of a family
AROUND = 0.3  # of its value: how far a parameter without limits is varied to both sides


@dataclass(frozen=True, eq=False)
class FamilyCurve:
    """The path of one traced point at one value of the parameter."""

    value: float
    trace: str
    points: Array  # (n, 3) [m, world]


def family_values(parameter: Parameter, count: int = COUNT) -> list[float]:
    """Evenly from its smallest to its largest value; raises SceneError for a parameter that is no number."""
    if isinstance(parameter.value, str):
        text = f"{parameter.name} is the expression {parameter.value!r}, which others decide"
        raise SceneError(
            [Problem(f"parameters.{parameter.name}", parameter.value, text, "vary those instead")]
        )
    value = float(parameter.value)
    low, high = (
        float(limit) if isinstance(limit, int | float) and math.isfinite(limit) else value + side * abs(value)
        for limit, side in ((parameter.min, -AROUND), (parameter.max, AROUND))
    )
    return [float(v) for v in np.linspace(low, high, count)]


def curve_family(
    scene: Scene, parameter: str, values: Sequence[float], wanted: Callable[[], bool] = lambda: True
) -> list[FamilyCurve]:
    """The curves of all traces at these values; values at which the joints do not close have none.

    Also none where the joints leave not one degree of freedom, and when they are no longer `wanted`.
    """
    found: list[FamilyCurve] = []
    given = scene.parameter(parameter)
    for value in values:
        if not wanted():
            return []
        varied = scene.replace(replace(given, value=value))
        try:
            mechanism = Prepared(varied).refuse_problems().mechanism
            motion = whole_motion(mechanism, wanted=wanted)
            resolved = resolve(varied)
        except SceneError:
            continue
        if motion is None:
            continue
        bodies = {body.name: body for body in resolved.bodies}
        for trace in resolved.traces:
            if trace.body in mechanism.bodies:
                path = motion.path(trace.body, named_point(bodies[trace.body], trace.point))
                found.append(FamilyCurve(value, trace.name, path))
    return found
