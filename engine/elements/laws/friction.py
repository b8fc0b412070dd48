"""Dry friction along a coordinate function, regularised: Coulomb, Stribeck and viscous parts.

    effort = −(F_k + (F_s − F_k) exp(−(s'/v_S)²)) tanh(s'/v_0) − c s'

Below a few v_0 the tanh is a damper in place of sticking: the joint creeps under load. All of it is lost.
[Armstrong 1994]
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.kernel import kernel
from engine.compiled.layout import Packed
from engine.elements.laws.base import LawKind, push_along, tangent_along

KINETIC, STATIC, STRIBECK, VISCOUS, SMOOTHING = range(5)  # columns of force_reals


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, v = system.force_reals[i], work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        x = v / law[STRIBECK]
        dry = law[KINETIC] + (law[STATIC] - law[KINETIC]) * math.exp(-x * x)
        effort = -dry * math.tanh(v / law[SMOOTHING]) - law[VISCOUS] * v
        work.power[system.forces[i, LAW.QUADRATURE]] += effort * v
        push_along(system, work, system.forces[i, LAW.A], effort)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, v = system.force_reals[i], work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        x, peak = v / law[STRIBECK], law[STATIC] - law[KINETIC]
        fading, share = math.exp(-x * x), math.tanh(v / law[SMOOTHING])
        by_rate = 2.0 * peak * x / law[STRIBECK] * fading * share
        by_rate -= (law[KINETIC] + peak * fading) * (1.0 - share * share) / law[SMOOTHING]
        tangent_along(system, work, system.forces[i, LAW.A], 0.0, by_rate - law[VISCOUS])


KIND = LawKind("friction", force, tangent, reals=5)
