"""Dry friction along a coordinate function by bristles that bend: LuGre [Canudas de Wit 1995].

    z' = s' − σ0 |s'|/g(s') z,   g = F_k + (F_s − F_k) exp(−(s'/v_S)²)
    effort = −(σ0 z + σ1 z' + c s')

The bend z is a state of its own, integrated beside the work integrals as ζ = σ0 z/F_k, a number about 1.
½ σ0 z² is stored in the bristles, the rest is lost. A joint under load creeps by the bend alone, and comes
back when it is let go.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import forces as LAW
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed
from engine.elements.laws.base import LawKind, push_along, tangent_along

INTEGRAL = LAW.X  # number of the integral that is ζ
# columns of force_reals; BEND: ζ of the state that is evaluated
KINETIC, STATIC, STRIBECK, VISCOUS, STIFFNESS, DAMPING, BEND = range(7)


@inlined
def _level(law: Array, speed: float) -> tuple[float, float]:
    """g and its derivative by the speed."""
    x, peak = speed / law[STRIBECK], law[STATIC] - law[KINETIC]
    fading = peak * math.exp(-x * x)
    return float(law[KINETIC] + fading), -2.0 * fading * x / law[STRIBECK]


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, speed = system.force_reals[i], work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        level, _ = _level(law, speed)
        elastic = law[KINETIC] * law[BEND]  # σ0 z
        bending = speed - abs(speed) / level * elastic  # z'
        effort = -elastic - law[DAMPING] * bending - law[VISCOUS] * speed
        work.energy[ENERGY.ELASTIC] += 0.5 * elastic * elastic / law[STIFFNESS]
        work.power[system.forces[i, LAW.QUADRATURE]] += effort * speed + elastic * bending
        work.power[system.forces[i, INTEGRAL]] = law[STIFFNESS] / law[KINETIC] * bending
        push_along(system, work, system.forces[i, LAW.A], effort)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, speed = system.force_reals[i], work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        level, slope = _level(law, speed)
        elastic = law[KINETIC] * law[BEND]
        by_speed = 1.0 - elastic * (math.copysign(1.0, speed) - abs(speed) * slope / level) / level
        tangent_along(system, work, system.forces[i, LAW.A], 0.0, -law[DAMPING] * by_speed - law[VISCOUS])


KIND = LawKind(
    "lugre",
    force,
    tangent,
    integers=1,
    reals=6,
    first_program=1,
    integral=INTEGRAL,
    integral_value=BEND,
)
