"""Motor on a joint coordinate: effort(t, s, s') + gain·(speed(t) − s'), kept within ±limit."""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Packed, System, Work
from engine.elements.laws.base import LawKind, push_along, tangent_along
from engine.maths.jets import law_gradient, law_value

EFFORT, SPEED = LAW.X, LAW.X + 1  # programs, or -1
GAIN, LIMIT = 0, 1  # columns of force_reals
NO_LIMIT = math.inf


@inlined
def _wanted(system: System, work: Work, t: float, i: int) -> float:
    coordinate_function = system.forces[i, LAW.A]
    x, v, wanted = (
        work.coordinate[coordinate_function, COORDINATE_VALUE.VALUE],
        work.coordinate[coordinate_function, COORDINATE_VALUE.RATE],
        0.0,
    )
    if system.forces[i, EFFORT] >= 0:
        wanted += law_value(system.code, system.data, system.forces[i, EFFORT], t, x, v, work.stack[0])
    if system.forces[i, SPEED] >= 0:
        speed = law_value(system.code, system.data, system.forces[i, SPEED], t, 0.0, 0.0, work.stack[0])
        wanted += system.force_reals[i, GAIN] * (speed - v)
    return wanted


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        limit = system.force_reals[i, LIMIT]
        wanted = _wanted(system, work, t, i)
        effort = min(max(wanted, -limit), limit) if wanted == wanted else wanted  # a NaN must stay one
        work.power[system.forces[i, LAW.QUADRATURE]] += (
            effort * work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        )
        push_along(system, work, system.forces[i, LAW.A], effort)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        if abs(_wanted(system, work, t, i)) > system.force_reals[i, LIMIT]:
            continue
        coordinate_function = system.forces[i, LAW.A]
        by_value, by_rate = 0.0, 0.0
        if system.forces[i, EFFORT] >= 0:
            x, v, out = (
                work.coordinate[coordinate_function, COORDINATE_VALUE.VALUE],
                work.coordinate[coordinate_function, COORDINATE_VALUE.RATE],
                work.stack[1],
            )
            law_gradient(system.code, system.data, system.forces[i, EFFORT], t, x, v, work.stack[0], out)
            by_value, by_rate = out[2], out[3]
        if system.forces[i, SPEED] >= 0:
            by_rate -= system.force_reals[i, GAIN]
        tangent_along(system, work, coordinate_function, by_value, by_rate)


KIND = LawKind("motor", force, tangent, integers=2, reals=2)
