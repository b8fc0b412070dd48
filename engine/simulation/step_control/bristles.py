"""How quickly bristles of friction follow their slip: z' = u − σ0 |u|/g z decays with the rate σ0 |u|/g."""

from __future__ import annotations

import math

import numpy as np

from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.elements.laws import lugre
from engine.elements.laws.sliding import stribeck
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.law_states import KIND


def quickest_bristles(evaluator: Evaluator) -> tuple[str, float]:
    """The friction whose bristles are quickest at the state that is evaluated, and their rate [1/s]."""
    system, scene = evaluator.system, evaluator.mechanism.scene
    name, quickest = "", 0.0
    span = system.ranges[int(system.sizes[SIZE.PRIMITIVES]) + KIND]
    for i in range(int(span[SPAN.BEGIN]), int(span[SPAN.END])):
        law, at = system.force_reals[i], int(system.forces[i, LAW.A])
        slip = evaluator.work.coordinate[at : at + int(system.forces[i, lugre.COUNT]), COORDINATE_VALUE.RATE]
        speed = float(np.linalg.norm(slip))
        level, _ = stribeck(law[lugre.KINETIC], law[lugre.STATIC], law[lugre.STRIBECK], speed)
        rate = float(law[lugre.STIFFNESS]) * speed / level if level > 0.0 else 0.0
        if math.isfinite(rate) and rate > quickest:
            name, quickest = scene.forces[int(system.forces[i, LAW.QUADRATURE]) - 1].name, rate
    return name, quickest
