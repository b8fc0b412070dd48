"""Dry friction that truly holds.

    sticking:  the slip is held by constraint rows, |λ| ≤ N F_s
    slipping:  effort = −N (F_k + (F_s − F_k) exp(−(u/v_S)²)) u/|u| − c u

along one function of a joint, or along two or three that are the components of its slip. N: `sliding.py`;
v_S = 0: F_k at once. The direction of the slip is part of the state, so that no step sees a jump; that of
several components follows u between two steps. All of it is lost. [Armstrong 1994]

Several along one function each may hold one and the same motion (both shafts of a gear pair, all pins of a
four-bar). Rows share its load in one of many ways; only Σ c_k λ_k is certain, with c_k their rates where the
motion goes at 1. They form a ring, and hold together while |Σ c_k λ_k| ≤ Σ |c_k| F_s,k: virtual work.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.elements.laws.base import LawKind, tangent_across, tangent_along
from engine.elements.laws.sliding import FACE, TURNS, against, load, push_components, slip_of, stribeck

STATE, ROW, REACTION, COUNT = LAW.X, LAW.X + 1, LAW.X + 2, LAW.X + 5  # REACTION: three columns
NEXT = LAW.X + 6  # one more than the line of the next that holds the same motion, round and round; 0: none
# states; UNKNOWN: by the speed; FORWARD and BACKWARD: along one function; SLIPPING: along several
UNKNOWN, STICKING, FORWARD, BACKWARD, SLIPPING = range(5)
# columns of force_reals; SLACK: speed against the slip that counts as none where slip is blocked, or effort
# beyond what can be held; FIRST: the direction of the slip along several functions
KINETIC, STATIC, STRIBECK, VISCOUS, SLACK, FIRST = range(6)
RATE = FIRST + 2  # c_k, of those along one function, which have no direction
STILL = 1e-9  # m/s or rad/s: slower than this nothing slips, for who looks at a state that is not held


@inlined
def normal(system: System, work: Work, i: int) -> float:
    """N."""
    return float(load(system, work, i, REACTION, system.force_reals[i, FACE]))


@inlined
def _direction(system: System, work: Work, i: int) -> tuple[float, float, float, float]:
    """Of the slip, and the speed along it; zero where nothing slips."""
    law, state, count = system.force_reals[i], system.forces[i, STATE], system.forces[i, COUNT]
    u, v, w, speed = slip_of(system, work, i, count)
    if state == FORWARD:
        return 1.0, 0.0, 0.0, u
    if state == BACKWARD:
        return -1.0, 0.0, 0.0, -u
    if state == STICKING or (state == UNKNOWN and speed < STILL):
        return 0.0, 0.0, 0.0, 0.0
    if state == SLIPPING:
        return against(u, v, w, law[FIRST], law[FIRST + 1], law[FIRST + 2])
    return u / speed, v / speed, w / speed, speed


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, count = system.force_reals[i], system.forces[i, COUNT]
        x, y, z, speed = _direction(system, work, i)
        if x == 0.0 and y == 0.0 and z == 0.0:
            continue
        dry, _ = stribeck(law[KINETIC], law[STATIC], law[STRIBECK], speed)
        effort = -normal(system, work, i) * dry - law[VISCOUS] * speed
        work.power[system.forces[i, LAW.QUADRATURE]] += effort * speed
        push_components(system, work, i, count, effort * x, effort * y, effort * z)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    """With φ = N dry(s) + c s along the direction d = u/s: ∂f/∂u = −φ/s (1 − d dᵀ) − φ' d dᵀ."""
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, count, g = system.force_reals[i], system.forces[i, COUNT], system.forces[i, LAW.A]
        x, y, z, speed = _direction(system, work, i)
        if x == 0.0 and y == 0.0 and z == 0.0:
            continue
        n = normal(system, work, i)
        dry, bend = stribeck(law[KINETIC], law[STATIC], law[STRIBECK], speed)
        along = n * bend * speed + law[VISCOUS]  # φ'
        if count == 1:
            tangent_along(system, work, g, 0.0, -along)
            continue
        across = n * dry / speed + law[VISCOUS] if abs(speed) > STILL else 0.0
        for j in range(count):
            own = x if j == 0 else y if j == 1 else z
            for k in range(count):
                other = x if k == 0 else y if k == 1 else z
                by_rate = (across - along) * own * other - (across if j == k else 0.0)
                tangent_across(system, work, g + j, g + k, 0.0, by_rate)


@inlined
def _reserve(system: System, work: Work, i: int) -> float:
    """What a ring could hold beside what it holds."""
    held, most, k = 0.0, 0.0, i
    while True:
        rate = system.force_reals[k, RATE]
        held += rate * work.row[system.forces[k, ROW], ROW_VALUE.LAMBDA]
        most += abs(rate) * system.force_reals[k, STATIC]
        k = system.forces[k, NEXT] - 1
        if k == i or k < 0:
            break
    return float(most - abs(held))


@kernel
def switch(packed: Packed, begin: int, end: int, settle: int) -> float:
    system, work = open_system(packed), open_work(packed)
    smallest = 1.0
    for i in range(begin, end):
        law, state, margin, count = (
            system.force_reals[i],
            system.forces[i, STATE],
            1.0,
            system.forces[i, COUNT],
        )
        if state == STICKING:
            held = 0.0
            for r in range(system.forces[i, ROW], system.forces[i, ROW] + count):
                held += work.row[r, ROW_VALUE.LAMBDA] ** 2
            if system.forces[i, NEXT] > 0:
                margin = _reserve(system, work, i) + law[SLACK]
            else:
                margin = normal(system, work, i) * law[STATIC] - math.sqrt(held) + law[SLACK]
        elif state in (FORWARD, BACKWARD):
            u, _, _, _ = slip_of(system, work, i, count)
            margin = (u if state == FORWARD else -u) + law[SLACK]
        elif state == SLIPPING:
            u, v, w, _ = slip_of(system, work, i, count)
            _, _, _, margin = against(u, v, w, law[FIRST], law[FIRST + 1], law[FIRST + 2])
            if margin > TURNS:
                law[FIRST], law[FIRST + 1], law[FIRST + 2] = u / margin, v / margin, w / margin
            margin += law[SLACK]
        smallest = min(smallest, margin)
    return smallest


def told(reals: Array, before: int, after: int) -> str:
    if after == STICKING:
        return "sticks"
    if after == SLIPPING:
        return "slips"
    return f"slips {'forward' if after == FORWARD else 'backward'}"


KIND = LawKind(
    "held_friction",
    force,
    tangent,
    integers=7,
    reals=9,
    first_program=7,
    switch=switch,
    told=told,
    row=ROW,
    rows=COUNT,
    functions=COUNT,
    reaction=REACTION,
    holds=frozenset({STICKING}),
)
