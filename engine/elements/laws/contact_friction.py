"""Friction at a place where bodies press on each other by an elastic law of contact, regularised.

With the push N of the law `pressure` for the depth of the gap, and the slip u of one or two components:

    force = −µ N tanh(|u|/v_0) u/|u|

along the functions of slip. N is continued beyond its limits while the state of the contact is held, as the
push itself is (`pressure.py`), so both change at the same located instants. All of it is lost.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Packed, System, Work
from engine.elements.laws.base import LawKind, push_along, tangent_across
from engine.elements.laws.pressure import PRESSED, elastic_push, slopes, state_of, total_push, watched
from engine.elements.laws.sliding import smoothed

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


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        depth, rate = _depth(system, work, i)
        if state_of(system, i, depth, rate) != PRESSED:
            continue
        law = system.force_reals[i]
        u, v, speed = _slip(system, work, i)
        share, _ = smoothed(speed, law[SMOOTHING])
        k = -law[COEFFICIENT] * total_push(law, elastic_push(law, depth), rate) * share
        work.power[system.forces[i, LAW.QUADRATURE]] += k * speed * speed
        push_along(system, work, system.forces[i, LAW.A], k * u)
        if system.forces[i, SLIPS] > 1:
            push_along(system, work, system.forces[i, LAW.A] + 1, k * v)


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
        share, bend = smoothed(speed, law[SMOOTHING])
        for k in range(system.forces[i, SLIPS]):
            own = u if k == 0 else v
            # depth is minus the gap
            tangent_across(
                system, work, first + k, gap, mu * share * own * by_depth, mu * share * own * by_depth_rate
            )
            for m in range(system.forces[i, SLIPS]):
                other = u if m == 0 else v
                by_rate = -mu * push * ((share if k == m else 0.0) + bend * own * other)
                tangent_across(system, work, first + k, first + m, 0.0, by_rate)


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
KIND = LawKind(
    "contact_friction",
    force,
    tangent,
    integers=3,
    reals=8,
    first_program=3,
    switch=switch,
    functions=SLIPS,
)
