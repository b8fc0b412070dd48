"""One-sided contact along a coordinate function: a stop that pushes and never pulls.

With the depth δ = side·(s − limit), side = ±1, and its rate δ' = side·s':

    push = k δⁿ (1 + χ δ') + c δ',   effort = −side·max(push, 0) while δ > 0

k δⁿ has the potential k δⁿ⁺¹/(n + 1); the rest is lost. Three states: free (δ ≤ 0), pressed, and relaxing:
δ > 0, but the other part moves away faster than the stop follows. A relaxing stop gives nothing back: what
is left of its potential is lost until δ = 0. While a state is held, the formula is continued beyond its
limits (δⁿ as δ·|δ|ⁿ⁻¹), so that a step that ends on a change of state is as smooth as any other.
The exponents and factors of the laws in the literature are in `engine/elements/contact`.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import forces as LAW
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.elements.laws.base import LawKind, push_along, tangent_along

STATE = LAW.X
ANY, FREE, PRESSED, RELAXING = range(4)  # states; ANY: the one that fits
LIMIT, SIDE, STIFFNESS, EXPONENT, DAMPING, HYSTERESIS = range(6)  # columns of force_reals


@inlined
def _depth(system: System, work: Work, i: int) -> tuple[float, float]:
    """δ and δ'."""
    law, values = system.force_reals[i], work.coordinate[system.forces[i, LAW.A]]
    depth = law[SIDE] * (values[COORDINATE_VALUE.VALUE] - law[LIMIT])
    return depth, law[SIDE] * values[COORDINATE_VALUE.RATE]


@inlined
def elastic_push(law: Array, depth: float) -> float:
    if law[EXPONENT] == 1.0:
        return float(law[STIFFNESS] * depth)
    return float(law[STIFFNESS] * depth * abs(depth) ** (law[EXPONENT] - 1.0))


@inlined
def total_push(law: Array, elastic: float, rate: float) -> float:
    return float(elastic * (1.0 + law[HYSTERESIS] * rate) + law[DAMPING] * rate)


@inlined
def fitting(law: Array, depth: float, rate: float) -> int:
    if depth <= 0.0:
        return FREE
    return PRESSED if total_push(law, elastic_push(law, depth), rate) > 0.0 else RELAXING


@inlined
def state_of(system: System, i: int, depth: float, rate: float) -> int:
    """The state that is held, or the one that fits."""
    held = system.forces[i, STATE]
    return int(held) if held != ANY else fitting(system.force_reals[i], depth, rate)


@inlined
def slopes(law: Array, depth: float, rate: float) -> tuple[float, float]:
    """Derivatives of the push by depth and rate."""
    n = law[EXPONENT]
    stiff = law[STIFFNESS] * (1.0 if n == 1.0 else n * abs(depth) ** (n - 1.0))
    return stiff * (1.0 + law[HYSTERESIS] * rate), elastic_push(law, depth) * law[HYSTERESIS] + law[DAMPING]


@inlined
def watched(system: System, i: int, depth: float, rate: float, settle: int) -> float:
    """Margin of the held state; one that does not fit becomes the one that does, where that is asked."""
    held, law = system.forces[i, STATE], system.force_reals[i]
    push = total_push(law, elastic_push(law, depth), rate)
    margin = 1.0
    if held == FREE:
        margin = -depth
    elif held == PRESSED:
        # a push that is continued beyond δ = 0 may be positive again where the parts fly apart
        margin = min(depth, push)
    elif held == RELAXING:
        margin = min(depth, -push)
    if settle and (margin < 0.0 or held == ANY):
        system.forces[i, STATE] = fitting(law, depth, rate)
    return margin


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        depth, rate = _depth(system, work, i)
        state, law = state_of(system, i, depth, rate), system.force_reals[i]
        if state == FREE:
            continue
        elastic = elastic_push(law, depth)
        push = total_push(law, elastic, rate) if state == PRESSED else 0.0
        work.energy[ENERGY.ELASTIC] += elastic * depth / (law[EXPONENT] + 1.0)
        work.power[system.forces[i, LAW.QUADRATURE]] -= (push - elastic) * rate
        push_along(system, work, system.forces[i, LAW.A], -law[SIDE] * push)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        depth, rate = _depth(system, work, i)
        if state_of(system, i, depth, rate) != PRESSED:
            continue
        by_depth, by_rate = slopes(system.force_reals[i], depth, rate)
        tangent_along(system, work, system.forces[i, LAW.A], -by_depth, -by_rate)


@kernel
def switch(packed: Packed, begin: int, end: int, settle: int) -> float:
    system, work = open_system(packed), open_work(packed)
    smallest = 1.0
    for i in range(begin, end):
        depth, rate = _depth(system, work, i)
        smallest = min(smallest, watched(system, i, depth, rate, settle))
    return smallest


def told(reals: Array, before: int, after: int) -> str:
    side = "upper" if reals[SIDE] > 0.0 else "lower"
    if after == PRESSED:
        return f"touches its {side} limit"
    return f"leaves its {side} limit" if before == PRESSED else ""


KIND = LawKind("pressure", force, tangent, integers=1, reals=6, first_program=1, switch=switch, told=told)
