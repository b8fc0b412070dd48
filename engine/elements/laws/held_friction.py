"""Dry friction along a coordinate function that truly holds.

    sticking:  s is held by a constraint row, |λ| ≤ N F_s
    slipping:  effort = ∓N (F_k + (F_s − F_k) exp(−(s'/v_S)²)) − c s', against the direction of the slip

N is 1 where friction is given as an effort, else the magnitude of the reaction force of the joint, whose rows
are given; v_S = 0: F_k at once. The direction is part of the state, so that no step sees a jump. All of it is
lost. [Armstrong 1994]
"""

import math

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODIES
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROWS
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.elements.laws.base import LawKind, push_along, tangent_along

STATE, ROW, REACTION_BEGIN, REACTION_END, BODY = range(LAW.X, LAW.X + 5)
UNKNOWN, STICKING, FORWARD, BACKWARD = range(4)  # states; UNKNOWN: by the sign of the speed
# columns of force_reals; SLACK: speed against the slip that counts as none, where slip is blocked
KINETIC, STATIC, STRIBECK, VISCOUS, SLACK = range(5)
STILL = 1e-9  # m/s or rad/s: slower than this nothing slips, for who looks at a state that is not held


@inlined
def normal(system: System, work: Work, i: int) -> float:
    """N: magnitude of the force that the rows of the joint put on its body, or 1 without rows."""
    force = system.forces[i]
    if force[REACTION_END] <= force[REACTION_BEGIN]:
        return 1.0
    x, y, z = 0.0, 0.0, 0.0
    for r in range(force[REACTION_BEGIN], force[REACTION_END]):
        function = system.coordinate_functions[system.rows[r, ROWS.COORDINATE]]
        begin, multiplier = function[COORDINATE.BLOCK], work.row[r, ROW_VALUE.LAMBDA]
        for block in range(begin, begin + function[COORDINATE.BLOCKS]):
            if system.block_bodies[block] == force[BODY]:
                x += multiplier * work.grad[block, 0]
                y += multiplier * work.grad[block, 1]
                if system.bodies[force[BODY], BODIES.PLANAR] == 0:
                    z += multiplier * work.grad[block, 2]
    return float(np.sqrt(x * x + y * y + z * z))


@inlined
def _direction(system: System, i: int, speed: float) -> float:
    """Of the slip; 0 where nothing slips."""
    state = system.forces[i, STATE]
    if state == FORWARD:
        return 1.0
    if state == BACKWARD:
        return -1.0
    if state == STICKING or abs(speed) < STILL:
        return 0.0
    return 1.0 if speed > 0.0 else -1.0


@inlined
def _dry(law: Array, speed: float) -> tuple[float, float]:
    """Dry part for N = 1, and its derivative by the speed."""
    if law[STRIBECK] <= 0.0:
        return float(law[KINETIC]), 0.0
    x, peak = speed / law[STRIBECK], law[STATIC] - law[KINETIC]
    fading = peak * math.exp(-x * x)
    return float(law[KINETIC] + fading), -2.0 * fading * x / law[STRIBECK]


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, speed = system.force_reals[i], work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        direction = _direction(system, i, speed)
        if direction == 0.0:
            continue
        dry, _ = _dry(law, speed)
        effort = -direction * normal(system, work, i) * dry - law[VISCOUS] * speed
        work.power[system.forces[i, LAW.QUADRATURE]] += effort * speed
        push_along(system, work, system.forces[i, LAW.A], effort)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, speed = system.force_reals[i], work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        direction = _direction(system, i, speed)
        if direction == 0.0:
            continue
        _, slope = _dry(law, speed)
        by_rate = -direction * normal(system, work, i) * slope - law[VISCOUS]
        tangent_along(system, work, system.forces[i, LAW.A], 0.0, by_rate)


@kernel
def switch(packed: Packed, begin: int, end: int, settle: int) -> float:
    system, work = open_system(packed), open_work(packed)
    smallest = 1.0
    for i in range(begin, end):
        law, state, margin = system.force_reals[i], system.forces[i, STATE], 1.0
        speed = work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        if state == STICKING:
            held = abs(work.row[system.forces[i, ROW], ROW_VALUE.LAMBDA])
            margin = normal(system, work, i) * law[STATIC] - held
        elif state == FORWARD:
            margin = speed + law[SLACK]
        elif state == BACKWARD:
            margin = law[SLACK] - speed
        smallest = min(smallest, margin)
    return smallest


def told(reals: Array, before: int, after: int) -> str:
    if after == STICKING:
        return "sticks"
    return f"slips {'forward' if after == FORWARD else 'backward'}"


KIND = LawKind(
    "held_friction",
    force,
    tangent,
    integers=5,
    reals=4,
    first_program=5,
    switch=switch,
    told=told,
    row=ROW,
    holds=frozenset({STICKING}),
)
