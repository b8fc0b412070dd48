"""Dry friction against slip, regularised: Coulomb, Stribeck and viscous parts.

    effort = −(N (F_k + (F_s − F_k) exp(−(u/v_S)²)) tanh(u/v_0)/u + c) u,    u = |u|

along one function of a joint, or along two or three that are the components of its slip. Below a few v_0 the
tanh is a damper in place of sticking: the joint creeps under load. N: `sliding.py`. All of it is lost.
[Armstrong 1994]
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import forces as LAW
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Packed, System, Work
from engine.elements.laws.base import LawKind
from engine.elements.laws.sliding import (
    FACE,
    load,
    push_components,
    slip_of,
    smoothed,
    stribeck,
    tangent_of_slip,
)

REACTION, COUNT = LAW.X, LAW.X + 3  # REACTION: three columns
KINETIC, STATIC, STRIBECK, VISCOUS, SMOOTHING = range(5)  # columns of force_reals


@inlined
def _load(system: System, work: Work, i: int) -> float:
    return float(load(system, work, i, REACTION, system.force_reals[i, FACE]))


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, count = system.force_reals[i], system.forces[i, COUNT]
        u, v, w, speed = slip_of(system, work, i, count)
        dry, _ = stribeck(law[KINETIC], law[STATIC], law[STRIBECK], speed)
        share, _ = smoothed(speed, law[SMOOTHING])
        k = -_load(system, work, i) * dry * share - law[VISCOUS]
        work.power[system.forces[i, LAW.QUADRATURE]] += k * speed * speed
        push_components(system, work, i, count, k * u, k * v, k * w)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, count = system.force_reals[i], system.forces[i, COUNT]
        slip = slip_of(system, work, i, count)
        dry, bend = stribeck(law[KINETIC], law[STATIC], law[STRIBECK], slip[3])
        share, fall = smoothed(slip[3], law[SMOOTHING])
        n = _load(system, work, i)
        tangent_of_slip(
            system,
            work,
            i,
            count,
            slip,
            -n * dry * share - law[VISCOUS],
            -n * (bend * share + dry * fall),
        )


KIND = LawKind(
    "friction",
    force,
    tangent,
    integers=4,
    reals=9,
    first_program=4,
    functions=COUNT,
    reaction=REACTION,
)
