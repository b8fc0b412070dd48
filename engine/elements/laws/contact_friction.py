"""Friction at a place where bodies press on each other by an elastic law of contact, regularised.

With the push N of the law `pressure` for the depth of the gap, and the slip u of one or two components:

    force = −µ N tanh(|u|/v_0) u/|u|

along the functions of slip. N is continued beyond its limits while the state of the contact is held, as the
push itself is (`pressure.py`), so both change at the same located instants. All of it is lost.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.elements.laws.base import LawKind, push_along
from engine.elements.laws.pressure import (
    ANY,
    EXPONENT,
    FREE,
    HYSTERESIS,
    PRESSED,
    RELAXING,
    STIFFNESS,
    elastic_push,
    fitting,
    total_push,
)
from engine.elements.laws.pressure import DAMPING as PRESSURE_DAMPING

STATE, GAP, SLIPS = range(LAW.X, LAW.X + 3)  # GAP: its coordinate function; SLIPS: how many, from A on
COEFFICIENT, SMOOTHING = 6, 7  # columns of force_reals, behind those of `pressure`


@inlined
def _depth(system: System, work: Work, i: int) -> tuple[float, float]:
    values = work.coordinate[system.forces[i, GAP]]
    return -values[COORDINATE_VALUE.VALUE], -values[COORDINATE_VALUE.RATE]


@inlined
def _pressed(system: System, i: int, depth: float, rate: float) -> bool:
    held = system.forces[i, STATE]
    return bool((fitting(system.force_reals[i], depth, rate) if held == ANY else held) == PRESSED)


@inlined
def _slip(system: System, work: Work, i: int) -> tuple[float, float, float]:
    """Both components, and their magnitude."""
    g = system.forces[i, LAW.A]
    u = work.coordinate[g, COORDINATE_VALUE.RATE]
    v = work.coordinate[g + 1, COORDINATE_VALUE.RATE] if system.forces[i, SLIPS] > 1 else 0.0
    return u, v, math.sqrt(u * u + v * v)


@inlined
def _share(speed: float, smoothing: float) -> tuple[float, float]:
    """tanh(|u|/v_0)/|u|, and its derivative by |u| divided by |u|."""
    x = speed / smoothing
    if x < 1e-4:
        return (1.0 - x * x / 3.0) / smoothing, -2.0 / 3.0 / smoothing**3
    steep = math.tanh(x)
    slope = (1.0 - steep * steep) / smoothing
    return steep / speed, (slope - steep / speed) / (speed * speed)


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        depth, rate = _depth(system, work, i)
        if not _pressed(system, i, depth, rate):
            continue
        law = system.force_reals[i]
        u, v, speed = _slip(system, work, i)
        share, _ = _share(speed, law[SMOOTHING])
        k = -law[COEFFICIENT] * total_push(law, elastic_push(law, depth), rate) * share
        work.power[system.forces[i, LAW.QUADRATURE]] += k * speed * speed
        push_along(system, work, system.forces[i, LAW.A], k * u)
        if system.forces[i, SLIPS] > 1:
            push_along(system, work, system.forces[i, LAW.A] + 1, k * v)


@inlined
def _tangent_across(system: System, work: Work, g: int, h: int, by_value: float, by_rate: float) -> None:
    """Of an effort F(s_h, s_h') along g: ∂Q/∂q += g_qᵀ(F_s h_q + F_s' h'_q), ∂Q/∂v += g_qᵀ F_s' h_q.

    Both are functions of the same two bodies.
    """
    own, other = system.coordinate_functions[g], system.coordinate_functions[h]
    pair, width = own[COORDINATE.PAIR], system.bodies[0, BODY.NV]
    for i in range(2):
        for j in range(2):
            number = system.pairs[pair + 2 * i + j]
            if number < 0:
                continue
            block, row, column = (
                system.velocity_blocks[number],
                own[COORDINATE.BLOCK] + i,
                other[COORDINATE.BLOCK] + j,
            )
            for m in range(width):
                for n in range(width):
                    at = block[BLOCK.START] + m * block[BLOCK.ROW_STEP] + n * block[BLOCK.COLUMN_STEP]
                    grad, rate = work.grad[column, n], work.tangent[TAN.RATE_Q, column, n]
                    work.stiffness[at] += work.grad[row, m] * (by_value * grad + by_rate * rate)
                    work.damping[at] += work.grad[row, m] * by_rate * grad


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        depth, rate = _depth(system, work, i)
        if not _pressed(system, i, depth, rate):
            continue
        law, gap, first = system.force_reals[i], system.forces[i, GAP], system.forces[i, LAW.A]
        elastic, n = elastic_push(law, depth), law[EXPONENT]
        push, mu = total_push(law, elastic, rate), law[COEFFICIENT]
        stiff = law[STIFFNESS] * (1.0 if n == 1.0 else n * abs(depth) ** (n - 1.0))
        by_depth = stiff * (1.0 + law[HYSTERESIS] * rate)
        by_depth_rate = elastic * law[HYSTERESIS] + law[PRESSURE_DAMPING]
        u, v, speed = _slip(system, work, i)
        share, bend = _share(speed, law[SMOOTHING])
        for k in range(system.forces[i, SLIPS]):
            own = u if k == 0 else v
            # depth is minus the gap
            _tangent_across(
                system, work, first + k, gap, mu * share * own * by_depth, mu * share * own * by_depth_rate
            )
            for m in range(system.forces[i, SLIPS]):
                other = u if m == 0 else v
                by_rate = -mu * push * ((share if k == m else 0.0) + bend * own * other)
                _tangent_across(system, work, first + k, first + m, 0.0, by_rate)


@kernel
def switch(packed: Packed, begin: int, end: int, settle: int) -> float:
    """As the contact itself changes."""
    system, work = open_system(packed), open_work(packed)
    smallest = 1.0
    for i in range(begin, end):
        depth, rate = _depth(system, work, i)
        held, law = system.forces[i, STATE], system.force_reals[i]
        push = total_push(law, elastic_push(law, depth), rate)
        margin = 1.0
        if held == FREE:
            margin = -depth
        elif held == PRESSED:
            margin = push
        elif held == RELAXING:
            margin = min(depth, -push)
        if settle and (margin < 0.0 or held == ANY):
            system.forces[i, STATE] = fitting(law, depth, rate)
        smallest = min(smallest, margin)
    return smallest


def told(reals: Array, before: int, after: int) -> str:
    """The contact itself tells."""
    return ""


KIND = LawKind("contact_friction", force, tangent, first_program=3, switch=switch, told=told)
