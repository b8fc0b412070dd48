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
from engine.compiled.layout import Packed, System, Work
from engine.elements.laws.base import LawKind, push_along
from engine.elements.laws.pressure import PRESSED, elastic_push, slopes, state_of, total_push, watched

# its first integer is the state, as that of `pressure`
GAP, SLIPS = LAW.X + 1, LAW.X + 2  # the coordinate function of the gap; how many of slip there are, from A on
COEFFICIENT, SMOOTHING = 6, 7  # columns of force_reals, behind those of `pressure`


@inlined
def _depth(system: System, work: Work, i: int) -> tuple[float, float]:
    values = work.coordinate[system.forces[i, GAP]]
    return -values[COORDINATE_VALUE.VALUE], -values[COORDINATE_VALUE.RATE]


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
        if state_of(system, i, depth, rate) != PRESSED:
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
        if state_of(system, i, depth, rate) != PRESSED:
            continue
        law, gap, first = system.force_reals[i], system.forces[i, GAP], system.forces[i, LAW.A]
        push, mu = total_push(law, elastic_push(law, depth), rate), law[COEFFICIENT]
        by_depth, by_depth_rate = slopes(law, depth, rate)
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
        smallest = min(smallest, watched(system, i, depth, rate, settle))
    return smallest


# of its events the contact itself tells
KIND = LawKind("contact_friction", force, tangent, integers=3, reals=8, first_program=3, switch=switch)
