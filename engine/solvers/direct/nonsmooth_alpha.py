"""Non-smooth generalised-α: a smooth step, then impulses and shifts of what it has brought into each other.

The motion is split into a smooth part, which the generalised-α rule takes with its second order and its
damping, and what contacts add to it at the end of the step [Chen 2013] [Brüls 2014]; the three parts are
found one after the other [Cosimo 2020]:

    q~, v~              by the rule, with the joints and without contacts, from (q_n, v_n)
    M W = Jᵀμ + Dᵀp,    J W = 0,   v = v~ + W
                        γ(v) + e γ(v_n) ≥ 0,  p ≥ 0,  one of the two zero, where g(q~) ≤ 0; friction as there
    M U = Jᵀν + Dᵀπ,    J U = 0,   q = q~ ⊕ U
                        g(q~) + D U ≥ 0,  π ≥ 0,  one of the two zero

So neither positions nor velocities penetrate at the end of a step, and the accelerations that the rule
remembers are those of the smooth part alone. An impulse does the work p (γ~ + γ)/2, a shift −Q·U, both booked
on the contact. State vector y = (q, v, a, v', power, w), as in `alpha.py`.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_factor, call_forces, call_solve
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, Room, StepStatus, System
from engine.elements.laws import held_friction
from engine.maths.arrays import copy
from engine.solvers.contacts import lines as LINES
from engine.solvers.contacts.detection import find_contacts, remember
from engine.solvers.contacts.hits import note_hits
from engine.solvers.contacts.impulses import add_impulses, book_contacts, find_impulses, part
from engine.solvers.contacts.lines import (
    conditional_rows,
    dot,
    gradient_row,
    reached,
    side_of,
    take_gradients,
)
from engine.solvers.contacts.records import FREE, SHIFT, contact_room
from engine.solvers.direct import alpha
from engine.solvers.direct.alpha import INDICES, OWN_NUMBER, open_state, report, size
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.generalized_alpha import KIND as SMOOTH
from engine.solvers.direct.moreau_jean import close
from engine.system.equations.kinematics import normalise, retract

OK, NOT_FINITE, NOT_SOLVED = (
    int(status) for status in (StepStatus.OK, StepStatus.NOT_FINITE, StepStatus.NOT_SOLVED)
)
SWEEPS, TOLERANCE = SLOT.DIRECT + 2, SLOT.DIRECT + 3
OLD_V = max(LINES.OWN_ROWS, alpha.OLD_V + 1)  # rows of the scratch that the smooth step leaves alone
PUSHED = OLD_V + 1  # multipliers of the step before, from which the impulses begin


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state, n, m = open_state(system, y), system.sizes[SIZE.NV], system.rows.shape[0]
    q, v, s, t = state.q, state.v, work.scratch, clock[CLOCK.NOW] + h
    old_v = s[OLD_V][:n]
    copy(v, old_v)
    joints = conditional_rows(system)
    for r in range(joints, m):
        s[PUSHED, r] = work.row[r, ROW_VALUE.LAMBDA]
        work.row[r, ROW_VALUE.LAMBDA] = 0.0
    status = alpha.step(packed, clock, h, y)
    if status != OK:
        return status

    # what the smooth step has brought into each other
    contacts, count = find_contacts(packed, m - joints), reached(system, work, h)
    if contacts < 0:
        return NOT_SOLVED
    if count + contacts == 0:
        return OK
    if count > 0:
        take_gradients(packed, count, t, q, v)
    call_forces(packed, t)  # Q, by which shifts are booked
    status = call_factor(packed)
    if status != OK:
        return int(status)
    for c in range(n):
        work.vectors[VECTOR.FREE, c] = v[c] - old_v[c]
    for r in range(joints, m):
        work.row[r, ROW_VALUE.LAMBDA] = s[PUSHED, r]
    sweeps, tolerance = int(work.options[SWEEPS]), work.options[TOLERANCE]
    status = find_impulses(packed, count, contacts, joints, 0.0, h, old_v, sweeps, tolerance)
    for r in range(joints, m):
        work.row[r, ROW_VALUE.LAMBDA] = 0.0
    if status != OK:
        return status

    # velocities
    for c in range(n):
        work.vectors[VECTOR.FREE, c] = 0.0
    for j in range(count):
        if s[LINES.BOUND, j] >= 0.0:  # the viscous part of friction
            i = int(s[LINES.LINE, j])
            viscous = h * system.force_reals[i, held_friction.VISCOUS] * s[LINES.FREE_RATE, j]
            s[LINES.IMPULSE, j] -= viscous
    add_impulses(packed, count, contacts, work.vectors[VECTOR.FREE])
    for r in range(m):
        work.row[r, ROW_VALUE.SOLVE] = 0.0
    status = call_solve(packed, 0)
    if status != OK:
        return int(status)
    total = 0.0
    for c in range(n):
        total += abs(work.vectors[VECTOR.FREE, c])
        v[c] += work.vectors[VECTOR.FREE, c]
        # what is reported is the change of the velocity over the step; the rule goes on without jumps
        work.vectors[VECTOR.A, c] = state.rate[c] + work.vectors[VECTOR.FREE, c] / h
    if not total < math.inf:
        return NOT_FINITE
    _book(packed, count, contacts, joints, h, v, state.works)
    note_hits(packed, count, contacts, t - 0.5 * h, LINES.FREE_RATE, v)

    # positions
    part(packed, count, contacts, joints, 0.0, v, s[SHIFT][:n], state.works)
    remember(work, contacts)
    retract(system.bodies, q, s[SHIFT][:n], q)
    normalise(system.bodies, q)
    status = close(packed, t, h, q, v)
    if status != OK:
        return status
    call_forces(packed, t)
    return OK


@inlined
def _book(packed: Packed, count: int, contacts: int, joints: int, h: float, v: Array, works: Array) -> None:
    """Multipliers and work of the impulses."""
    system, work = open_system(packed), open_work(packed)
    s = work.scratch
    for r in range(joints):
        work.row[r, ROW_VALUE.LAMBDA] += work.row[r, ROW_VALUE.SOLVE] / h
        quadrature = system.rows[r, ROW.QUADRATURE]
        if quadrature >= 0:  # a motion, whose impulse does work where it moves
            rate = work.row[r, ROW_VALUE.F] if system.rows[r, ROW.VELOCITY] else work.row[r, ROW_VALUE.FT]
            works[quadrature] += work.row[r, ROW_VALUE.SOLVE] * rate
    for j in range(count):
        p, D = s[LINES.IMPULSE, j], s[gradient_row(work, j)]
        work.row[int(s[LINES.ROW_OF, j]), ROW_VALUE.LAMBDA] = side_of(system, work, j) * p / h
        after = dot(D, v, v.shape[0])
        works[system.forces[int(s[LINES.LINE, j]), LAW.QUADRATURE]] += (
            0.5 * p * (s[LINES.FREE_RATE, j] + after)
        )
    book_contacts(packed, contacts, FREE, v, works)


def room(system: System) -> Room:
    contacts, smooth = contact_room(system, conditional_rows(system)), alpha.room(system)
    return Room(
        vectors=max(contacts.vectors, smooth.vectors),
        order=max(contacts.order, smooth.order),
        factors=smooth.factors,
    )


KIND = DirectKind(
    name="nonsmooth_alpha",
    title="Non-smooth generalised-α",
    summary="Smooth motion by generalised-α, impacts and friction within its steps, without overlaps.",
    order=2,
    start=SMOOTH.start,
    step=step,
    report=report,
    size=size,
    room=room,
    time_stepping=True,
    equal_steps="impacts fall anywhere within a step, and no estimate of its error sees them",
    warns=SMOOTH.warns,
    growth=SMOOTH.growth,
    options=(
        Option("rho", OWN_NUMBER, 0.9, "Spectral radius at infinity", maximum=1.0),
        INDICES,
        Option("sweeps", SWEEPS, 100.0, "Largest number of Gauss–Seidel sweeps", minimum=1.0),
        Option("tolerance", TOLERANCE, 1e-12, "Change of a rate at which sweeps end, over the largest"),
    ),
)
