"""Time stepping over impacts and friction, after Moreau and Jean [Moreau 1999] [Jean 1999].

No event is located: within a step of the length h all contacts that are reached take impulses at once.

    q_M = q_A ⊕ h/2 v_A                                                  middle of the step
    M (v_E − v_A) = h Q(q_M, v_A) + Jᵀμ + Dᵀp,   J v_E = f'              all at q_M
    limits with g(q_M) ≤ 0:   γ_E + e γ_A ≥ 0,  p ≥ 0,  (γ_E + e γ_A) p = 0        (γ = D v)
    held friction:            γ_E = 0 with |p| ≤ h F,  or |p| = h F against γ_E;  at a contact µ p_N for h F
    q_E = q_M ⊕ (h/2 v_E + δ),  brought back to the joints

`engine/solvers/contacts` finds the impulses, from those of the step before on, and for groups of bodies which
of them touch and the shift δ that takes them out of each other. Where Newton's restitution would add energy,
the step is inelastic. The work of an impulse is p (γ_A + γ_E)/2 to rounding. State vector
y = (q, v, a, power, w).
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_factor, call_forces, call_solve
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
from engine.solvers.contacts.records import BEFORE, SHIFT, contact_room
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.newton import add_work
from engine.solvers.direct.one_step import begin, open_state, report, size
from engine.system.equations.kinematics import normalise, retract

OK, NOT_CONVERGED, NOT_FINITE, NOT_SOLVED = (
    int(status)
    for status in (StepStatus.OK, StepStatus.NOT_CONVERGED, StepStatus.NOT_FINITE, StepStatus.NOT_SOLVED)
)
SWEEPS, TOLERANCE = SLOT.DIRECT, SLOT.DIRECT + 1
MIDDLE, MOVE, OLD_V = range(LINES.OWN_ROWS, LINES.OWN_ROWS + 3)
CLOSED, ROUNDING = 1e-13, 1e-10  # violation over the size of the row: that is aimed at, that is accepted
CORRECTIONS = 20


@inlined
def close(packed: Packed, t: float, h: float, q: Array, v: Array) -> int:
    """Positions and velocities back to the joints, orthogonally to the mass; the step's factor serves.

    The impulses that turn the velocities are reactions like those before: they are added to λ.
    """
    system, work = open_system(packed), open_work(packed)
    m, joints = system.rows.shape[0], conditional_rows(system)
    for column in (ROW_VALUE.PHI, ROW_VALUE.RATE):
        for attempt in range(CORRECTIONS + 1):
            call_constraints(packed, t, q, v)
            worst = 0.0
            for r in range(m):
                value = abs(work.row[r, column]) / system.row_reals[r, ROW_REAL.SCALE]
                if not value <= worst:
                    worst = value
            if worst <= CLOSED or (attempt >= 3 and worst <= ROUNDING):
                break
            if attempt == CORRECTIONS:
                return NOT_CONVERGED
            if attempt % 4 == 3 or system.sizes[SIZE.MASSLESS] > 0:
                call_factor(packed)
            for c in range(v.shape[0]):
                work.vectors[VECTOR.FREE, c] = 0.0
            for r in range(m):
                work.row[r, ROW_VALUE.SOLVE] = -work.row[r, column]
            call_solve(packed, 0)
            work.counters[COUNT.ITERATIONS] += 1
            if column == ROW_VALUE.PHI:
                retract(system.bodies, q, work.vectors[VECTOR.FREE], q)
            else:
                for c in range(v.shape[0]):
                    v[c] += work.vectors[VECTOR.FREE, c]
                for r in range(joints):
                    work.row[r, ROW_VALUE.LAMBDA] += work.row[r, ROW_VALUE.SOLVE] / h
        if m == 0:
            break  # nothing to close: what was evaluated serves
    return OK


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    status = begin(packed, clock, y)
    call_forces(packed, clock[CLOCK.NOW])  # powers of laws alone: that of motions is booked by impulses
    copy(work.power, open_state(system, y).power)
    return status


@kernel
def step(packed: Packed, clock: Array, h: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state = open_state(system, y)
    q, v, n, nq, m = state.q, state.v, system.sizes[SIZE.NV], system.sizes[SIZE.NQ], system.rows.shape[0]
    s, t = work.scratch, clock[CLOCK.NOW]
    middle, old_v = s[MIDDLE][:nq], s[OLD_V][:n]

    # the middle of the step, and which contacts are reached there
    copy(v, old_v)
    for c in range(n):
        s[MOVE, c] = 0.5 * h * v[c]
    retract(system.bodies, q, s[MOVE][:n], middle)
    call_constraints(packed, t + 0.5 * h, middle, v)
    joints = conditional_rows(system)
    contacts = find_contacts(packed, m - joints)
    if contacts < 0:
        return NOT_SOLVED
    count = reached(system, work, h)
    if count > 0:
        take_gradients(packed, count, t + 0.5 * h, middle, v)
    call_forces(packed, t + 0.5 * h)
    load = work.vectors[VECTOR.Q]
    for j in range(count):
        if s[LINES.BOUND, j] >= 0.0:  # the viscous part of friction
            D = work.scratch[gradient_row(work, j)]
            viscous = system.force_reals[int(s[LINES.LINE, j]), held_friction.VISCOUS]
            rate = dot(D, v, n)
            for c in range(n):
                load[c] -= viscous * rate * D[c]

    # velocities without contacts, then with their impulses
    status = call_factor(packed)
    if status != OK:
        return int(status)
    touched = count + contacts > 0
    for with_contacts in range(2 if touched else 1):
        for c in range(n):
            work.vectors[VECTOR.FREE, c] = h * load[c]
        if with_contacts:
            add_impulses(packed, count, contacts, work.vectors[VECTOR.FREE])
        for r in range(m):
            work.row[r, ROW_VALUE.SOLVE] = -work.row[r, ROW_VALUE.RATE]
        status = call_solve(packed, 1)
        if status != OK:
            return int(status)
        if touched and not with_contacts:
            sweeps, tolerance = int(work.options[SWEEPS]), work.options[TOLERANCE]
            status = find_impulses(packed, count, contacts, joints, 0.5 * h, h, v, sweeps, tolerance)
            if status != OK:
                return status
    total = 0.0
    for c in range(n):
        total += abs(work.vectors[VECTOR.FREE, c])
        v[c] += work.vectors[VECTOR.FREE, c]
        s[MOVE, c] = 0.5 * h * v[c]
    if not total < math.inf:
        return NOT_FINITE

    # multipliers and work
    for r in range(m):
        work.row[r, ROW_VALUE.LAMBDA] = work.row[r, ROW_VALUE.SOLVE] / h
    for j in range(count):
        i, p, before = int(s[LINES.LINE, j]), s[LINES.IMPULSE, j], s[LINES.BEFORE, j]
        work.row[int(s[LINES.ROW_OF, j]), ROW_VALUE.LAMBDA] = side_of(system, work, j) * p / h
        after = dot(work.scratch[gradient_row(work, j)], v, n)
        state.works[system.forces[i, LAW.QUADRATURE]] += 0.5 * p * (before + after)
        if s[LINES.BOUND, j] >= 0.0:
            viscous = system.force_reals[i, held_friction.VISCOUS]
            lost = viscous * before * 0.5 * h * (before + after)
            state.works[system.forces[i, LAW.QUADRATURE]] -= lost
    if touched:
        note_hits(packed, count, contacts, t + 0.5 * h, LINES.BEFORE, v)
    if contacts > 0:
        book_contacts(packed, contacts, BEFORE, v, state.works)
        part(packed, 0, contacts, joints, h, v, s[SHIFT][:n], state.works)
        remember(work, contacts)
        for c in range(n):
            s[MOVE, c] += s[SHIFT, c]
    retract(system.bodies, middle, s[MOVE][:n], q)
    normalise(system.bodies, q)
    asked = s[MIDDLE]  # that pose has served: the rates that motions ask for in the middle of the step
    for r in range(joints):
        asked[r] = work.row[r, ROW_VALUE.F if system.rows[r, ROW.VELOCITY] else ROW_VALUE.FT]
    status = close(packed, t + h, h, q, v)
    if status != OK:
        return status
    for r in range(joints):
        quadrature = system.rows[r, ROW.QUADRATURE]
        if quadrature >= 0:  # a motion, whose impulse does work where it moves
            state.works[quadrature] += h * work.row[r, ROW_VALUE.LAMBDA] * asked[r]

    # what is reported
    call_forces(packed, t + h)
    work.counters[COUNT.EVALUATIONS] += 1
    for c in range(n):
        state.a[c] = (v[c] - old_v[c]) / h
    copy(state.a, work.vectors[VECTOR.A])
    add_work(work, h, state.power, state.works)
    clock[CLOCK.USED] = h
    return OK


def room(system: System) -> Room:
    return contact_room(system, conditional_rows(system))


KIND = DirectKind(
    name="moreau_jean",
    title="Moreau–Jean time stepping",
    summary="Steps over impacts and friction without looking for their instants: many contacts, order 1.",
    order=1,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    tangents=False,
    time_stepping=True,
    equal_steps="impacts fall anywhere within a step, and no estimate of its error sees them",
    singular_failure="its velocities are those that the joints allow in the middle of a step",
    options=(
        Option("sweeps", SWEEPS, 100.0, "Largest number of Gauss–Seidel sweeps", minimum=1.0),
        Option("tolerance", TOLERANCE, 1e-12, "Change of a rate at which sweeps end, over the largest"),
    ),
)
