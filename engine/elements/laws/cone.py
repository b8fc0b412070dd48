"""Coulomb friction of a rigid contact: a cone about the normal, within which the bodies hold each other.

    free:      the contact is open, nothing acts
    sticking:  the slip is held at zero by one or two constraint rows, |λ_t| ≤ µ_s N
    slipping:  force −µ N u/|u| along the functions of slip
    carrying:  at rest, where other contacts and joints hold the slip already: a force that does not change,
               found when the state began, |F| ≤ µ_s N; a row would repeat others. Where they hold it in one
               direction only, there is a row for the other

N is the multiplier of the row of the gap. A direction that is part of the state says which way |u| counts as
positive, so that no step sees a jump where the slip passes zero; between two steps it follows u. Where
several contacts with one normal share a load (two corners of a box), how they share the friction is not
unique: they form a group, which holds while there is a way to (`limit_surface.py`). All of it is lost.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW_COLUMNS
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.elements.laws.base import LawKind, push_along
from engine.elements.laws.limit_surface import BOUND, NEXT, PLACE, reserve_of
from engine.elements.laws.sliding import TURNS, against

STATE, ROW, ROWS, NORMAL_ROW = range(LAW.X, LAW.X + 4)  # ROWS: how many, as functions from A on
# states; UNKNOWN: by the speed; the last two: as carrying, with a row along the first or second direction
UNKNOWN, FREE, STICKING, SLIPPING, CARRYING, HOLDS_FIRST, HOLDS_SECOND = range(7)
HOLDS_ONE = (HOLDS_FIRST, HOLDS_SECOND)
AT_REST = (STICKING, CARRYING, *HOLDS_ONE)
KINETIC, STATIC, FIRST, SECOND = range(4)  # columns of force_reals; the last two: the direction, or F
PUSH = 4  # N of the round before, written by a run, as are those of the group
# by how much N differed from it, likewise; both, of the round before that; changes of both between rounds
LEFT, FORMER_PUSH, FORMER_LEFT, CHANGES = 8, 9, 10, 12
KEPT = 5  # rounds whose changes are kept, two columns each
CREEP = 1e-7  # m/s: faster than this nothing is carried
STILL = 1e-9  # m/s: slower than this nothing slips, for who looks at a state that is not held


@inlined
def normal_push(system: System, work: Work, i: int) -> float:
    """N; negative where the contact should have been left."""
    return float(work.row[system.forces[i, NORMAL_ROW], ROW_VALUE.LAMBDA])


@inlined
def slip_of(system: System, work: Work, i: int) -> tuple[float, float, float]:
    """Both components, and the speed, which is negative against the direction of the state."""
    g, law = system.forces[i, LAW.A], system.force_reals[i]
    u = work.coordinate[g, COORDINATE_VALUE.RATE]
    v = work.coordinate[g + 1, COORDINATE_VALUE.RATE] if system.forces[i, ROWS] > 1 else 0.0
    speed = math.sqrt(u * u + v * v)
    held = system.forces[i, STATE] == SLIPPING
    return u, v, (-speed if held and u * law[FIRST] + v * law[SECOND] < 0.0 else speed)


@inlined
def _direction(system: System, work: Work, i: int) -> tuple[float, float, float]:
    """Of the slip, and its speed; zero where nothing slips."""
    law, state = system.force_reals[i], system.forces[i, STATE]
    if state != SLIPPING and (
        state != UNKNOWN or system.rows[system.forces[i, NORMAL_ROW], ROW_COLUMNS.ACTIVE] == 0
    ):
        return 0.0, 0.0, 0.0
    u, v, speed = slip_of(system, work, i)
    if state == SLIPPING and system.forces[i, ROWS] > 1:
        u, v = _as_one(system, work, i, u, v)
    if state == UNKNOWN and speed < STILL:
        return 0.0, 0.0, 0.0
    if system.forces[i, ROWS] == 1 and state == SLIPPING:
        return law[FIRST], 0.0, speed
    if state == SLIPPING:
        x, y, _, speed = against(u, v, 0.0, law[FIRST], law[SECOND], 0.0)
        return x, y, speed
    return u / speed, v / speed, speed


@inlined
def _as_one(system: System, work: Work, i: int, u: float, v: float) -> tuple[float, float]:
    """The slip of a contact; the mean of its group where they differ by rounding.

    Friction damps the spin of a box by the more the slower it slides, without bound where it comes to rest,
    and explicit steps turn that into growth. What slides without spin has none to damp.
    """
    x, y, count, k = u, v, 1, system.forces[i, NEXT]
    while k != i:
        g = system.forces[k, LAW.A]
        own_u, own_v = (
            work.coordinate[g, COORDINATE_VALUE.RATE],
            work.coordinate[g + 1, COORDINATE_VALUE.RATE],
        )
        if abs(own_u - u) > TURNS or abs(own_v - v) > TURNS:
            return u, v
        x += own_u
        y += own_v
        count += 1
        k = system.forces[k, NEXT]
    return x / count, y / count


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        if system.forces[i, STATE] >= CARRYING:
            _carry(system, work, i)
            continue
        x, y, speed = _direction(system, work, i)
        if x == 0.0 and y == 0.0:
            continue
        effort = -system.force_reals[i, KINETIC] * normal_push(system, work, i)
        work.power[system.forces[i, LAW.QUADRATURE]] += effort * speed
        push_along(system, work, system.forces[i, LAW.A], effort * x)
        if system.forces[i, ROWS] > 1:
            push_along(system, work, system.forces[i, LAW.A] + 1, effort * y)


@inlined
def _carry(system: System, work: Work, i: int) -> None:
    g = system.forces[i, LAW.A]
    for c in range(system.forces[i, ROWS]):
        effort = system.force_reals[i, FIRST + c]
        work.power[system.forces[i, LAW.QUADRATURE]] += effort * work.coordinate[g + c, COORDINATE_VALUE.RATE]
        push_along(system, work, g + c, effort)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    """None: methods that take friction by reactions do not ask for tangents."""


@kernel
def switch(packed: Packed, begin: int, end: int, settle: int) -> float:
    system, work = open_system(packed), open_work(packed)
    smallest = 1.0
    for i in range(begin, end):
        state, margin = system.forces[i, STATE], 1.0
        if state == STICKING or state >= CARRYING:
            margin = _reserve(system, work, i)
            if state >= CARRYING:  # what holds it no longer does
                _, _, speed = slip_of(system, work, i)
                margin = min(margin, CREEP - speed)
        elif state == SLIPPING:
            u, v, margin = slip_of(system, work, i)
            if margin > TURNS and system.forces[i, ROWS] > 1:
                system.force_reals[i, FIRST] = u / margin
                system.force_reals[i, SECOND] = v / margin
        smallest = min(smallest, margin)
    return smallest


@inlined
def _reserve(system: System, work: Work, i: int) -> float:
    """What the group of a contact could hold beside what it holds."""
    x = y = moment = 0.0
    k = i
    while True:
        own, row = system.force_reals[k], system.forces[k, ROW]
        f_x = work.row[row, ROW_VALUE.LAMBDA]
        f_y = work.row[row + 1, ROW_VALUE.LAMBDA] if system.forces[k, ROWS] > 1 else 0.0
        if system.forces[k, STATE] >= CARRYING:
            f_x = own[FIRST] if system.forces[k, STATE] != HOLDS_FIRST else f_x
            f_y = own[SECOND] if system.forces[k, STATE] != HOLDS_SECOND else f_y
        x += f_x
        y += f_y
        moment += own[PLACE] * f_y - own[PLACE + 1] * f_x
        own[BOUND] = max(own[STATIC] * normal_push(system, work, k), 0.0)
        k = system.forces[k, NEXT]
        if k == i:
            break
    reserve, _, _, _ = reserve_of(system.forces, system.force_reals, i, x, y, moment)
    return float(reserve)


def told(reals: Array, before: int, after: int) -> str:
    if after in AT_REST:
        return "" if before in AT_REST else "sticks"
    return "slips" if after == SLIPPING and before in AT_REST else ""


KIND = LawKind(
    "cone",
    force,
    tangent,
    integers=5,
    reals=4,
    first_program=5,
    switch=switch,
    told=told,
    row=ROW,
    rows=ROWS,
    functions=ROWS,
    holds=frozenset({STICKING}),
)
