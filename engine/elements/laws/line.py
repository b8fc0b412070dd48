"""Spring, damper and actuator along a coordinate function: length, displacement, angle or twist.

effort = −k (s − s0) − c s' − preload + sign·f(t, s, s'). Spring and preload have the potential
k (s − s0)²/2 + preload (s − s0); the damper dissipates c s'²; f does work.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import quadratures as WORK
from engine.compiled.kernel import kernel
from engine.compiled.layout import Packed
from engine.elements.laws.base import LawKind, push_along, tangent_along
from engine.maths.jets import law_gradient, law_value

PROGRAM = LAW.X
STIFFNESS, DAMPING, FREE, PRELOAD, SIGN = range(5)  # columns of force_reals


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        coordinate_function = system.forces[i, LAW.A]
        x, v = (
            work.coordinate[coordinate_function, COORDINATE_VALUE.VALUE],
            work.coordinate[coordinate_function, COORDINATE_VALUE.RATE],
        )
        law = system.force_reals[i]
        stretch = x - law[FREE]
        effort = -law[STIFFNESS] * stretch - law[DAMPING] * v - law[PRELOAD]
        work.energy[ENERGY.ELASTIC] += 0.5 * law[STIFFNESS] * stretch * stretch + law[PRELOAD] * stretch
        work.power[WORK.DISSIPATED] += law[DAMPING] * v * v
        if system.forces[i, PROGRAM] >= 0:
            actuator = law[SIGN] * law_value(
                system.code, system.data, system.forces[i, PROGRAM], t, x, v, work.stack[0]
            )
            work.power[system.forces[i, LAW.QUADRATURE]] += actuator * v
            effort += actuator
        push_along(system, work, coordinate_function, effort)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        coordinate_function = system.forces[i, LAW.A]
        law = system.force_reals[i]
        by_value, by_rate = -law[STIFFNESS], -law[DAMPING]
        if system.forces[i, PROGRAM] >= 0:
            x, v, out = (
                work.coordinate[coordinate_function, COORDINATE_VALUE.VALUE],
                work.coordinate[coordinate_function, COORDINATE_VALUE.RATE],
                work.stack[1],
            )
            law_gradient(system.code, system.data, system.forces[i, PROGRAM], t, x, v, work.stack[0], out)
            by_value += law[SIGN] * out[2]
            by_rate += law[SIGN] * out[3]
        tangent_along(system, work, coordinate_function, by_value, by_rate)


KIND = LawKind("line", force, tangent, integers=1, reals=5)
