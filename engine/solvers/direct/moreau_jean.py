"""Time stepping over impacts and friction, after Moreau and Jean [Moreau 1999] [Jean 1999].

No event is located: within a step of the length h all contacts that are reached take impulses at once.

    q_M = q_A ⊕ h/2 v_A                                                  middle of the step
    M (v_E − v_A) = h Q(q_M, v_A) + Jᵀμ + Dᵀp,   J v_E = f'              all at q_M
    limits with g(q_M) ≤ 0:   γ_E + e γ_A ≥ 0,  p ≥ 0,  (γ_E + e γ_A) p = 0        (γ = D v)
    held friction:            γ_E = 0 with |p| ≤ h F,  or |p| = h F against γ_E;  at a contact µ p_N for h F
    q_E = q_M ⊕ h/2 v_E,  brought back to the joints

The impulses come from projected Gauss–Seidel sweeps over G = D M_b⁻¹ Dᵀ, M_b⁻¹ being the mass as the joints
leave it. Where Newton's restitution would add energy, the step is inelastic. The work of an impulse is
p (γ_A + γ_E)/2 to rounding. State vector y = (q, v, a, power, w).
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_factor, call_forces, call_solve
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Option, Packed, Room, StepStatus, System, Work
from engine.elements.laws import LAWS, cone, held_friction, limit
from engine.maths.arrays import copy
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.newton import add_work
from engine.solvers.direct.one_step import begin, open_state, report, size
from engine.system.equations.kinematics import normalise, retract

OK, NOT_CONVERGED, NOT_FINITE = (
    int(status) for status in (StepStatus.OK, StepStatus.NOT_CONVERGED, StepStatus.NOT_FINITE)
)
SWEEPS, TOLERANCE = SLOT.DIRECT, SLOT.DIRECT + 1
LIMITS, FRICTIONS, CONES = (
    LAWS.names.index(kind.name) for kind in (limit.KIND, held_friction.KIND, cone.KIND)
)
GRADIENTS, RESPONSES, DELASSUS = 0, 1, 2  # dense matrices: D, M_b⁻¹Dᵀ by lines, G
# vectors; of each contact LINE, ROW_OF and BOUND: of friction h F, LIMIT_OF_GAP, or IN_CONE with its normal
# in NORMAL; two components of one cone follow each other
MIDDLE, MOVE, OLD_V, IMPULSE, BEFORE, FREE_RATE, BOUND, LINE, ROW_OF, NORMAL = range(10)
LIMIT_OF_GAP, IN_CONE, SECOND_IN_CONE = -1.0, -2.0, -3.0
SLIPS = 1e-9  # m/s or rad/s: what is faster slips
CLOSED, ROUNDING = 1e-13, 1e-10  # violation over the size of the row: that is aimed at, that is accepted
CORRECTIONS = 20


@inlined
def _activate(system: System, first: int, active: int) -> None:
    for r in range(first, system.rows.shape[0]):
        system.rows[r, ROW.ACTIVE] = active


@inlined
def _gradient(system: System, work: Work, row: int, side: float, out: Array) -> None:
    """Of the gap or slip of a row that is active."""
    for c in range(out.shape[0]):
        out[c] = 0.0
    function = system.coordinate_functions[system.rows[row, ROW.COORDINATE]]
    begin = function[COORDINATE.BLOCK]
    for block in range(begin, begin + function[COORDINATE.BLOCKS]):
        body = system.block_bodies[block]
        at = system.bodies[body, BODY.V]
        if at >= 0:
            for c in range(system.bodies[body, BODY.NV]):
                out[at + c] += side * work.grad[block, c]


@inlined
def _friction(law: Array, speed: float) -> float:
    """Largest friction at a speed."""
    if abs(speed) <= SLIPS:
        return float(law[held_friction.STATIC])
    peak, about = law[held_friction.STATIC] - law[held_friction.KINETIC], law[held_friction.STRIBECK]
    fading = math.exp(-((speed / about) ** 2)) if about > 0.0 else 0.0
    return float(law[held_friction.KINETIC] + peak * fading)


@inlined
def _dot(a: Array, b: Array, n: int) -> float:
    total = 0.0
    for c in range(n):
        total += a[c] * b[c]
    return total


@inlined
def _reached(system: System, work: Work, h: float) -> int:
    """How many contacts the step has; what they are is in the vectors."""
    s, count, first = work.scratch, 0, system.sizes[SIZE.PRIMITIVES]
    span = system.ranges[first + LIMITS]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        law, value = system.force_reals[i], work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.VALUE]
        if law[limit.SIDE] * (law[limit.LIMIT] - value) <= 0.0:
            s[LINE, count], s[BOUND, count] = i, LIMIT_OF_GAP
            s[ROW_OF, count] = system.forces[i, limit.ROW]
            count += 1
    limits = count
    span = system.ranges[first + FRICTIONS]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        speed = work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        s[LINE, count], s[BOUND, count] = i, h * _friction(system.force_reals[i], speed)
        s[ROW_OF, count] = system.forces[i, held_friction.ROW]
        count += 1
    span = system.ranges[first + CONES]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        for j in range(limits):
            if int(s[ROW_OF, j]) == system.forces[i, cone.NORMAL_ROW]:
                for k in range(system.forces[i, cone.ROWS]):
                    s[LINE, count], s[NORMAL, count] = i, j
                    s[BOUND, count] = IN_CONE if k == 0 else SECOND_IN_CONE
                    s[ROW_OF, count] = system.forces[i, cone.ROW] + k
                    count += 1
    return count


@inlined
def _push(system: System, work: Work, count: int, j: int, new: float) -> float:
    """Give a contact another impulse; by how much its own rate has changed."""
    s, G = work.scratch, work.dense[DELASSUS]
    change = new - s[IMPULSE, j]
    if change == 0.0:
        return 0.0
    s[IMPULSE, j] = new
    for k in range(count):
        s[MOVE, k] += G[k, j] * change
    return float(abs(G[j, j] * change))


@inlined
def _in_cone(system: System, work: Work, count: int, j: int) -> float:
    """Friction at a contact, both components together: |p| ≤ µ p_N."""
    s, G = work.scratch, work.dense[DELASSUS]
    line, two = int(s[LINE, j]), system.forces[int(s[LINE, j]), cone.ROWS] > 1
    speed = abs(s[BEFORE, j]) + (abs(s[BEFORE, j + 1]) if two else 0.0)
    largest = system.force_reals[line, cone.KINETIC if speed > SLIPS else cone.STATIC]
    largest *= s[IMPULSE, int(s[NORMAL, j])]
    stiff = G[j, j]
    if two:
        stiff = max(stiff, G[j + 1, j + 1]) + abs(G[j, j + 1])
    if stiff <= 0.0:
        return 0.0
    x = s[IMPULSE, j] - s[MOVE, j] / stiff
    y = s[IMPULSE, j + 1] - s[MOVE, j + 1] / stiff if two else 0.0
    length = math.sqrt(x * x + y * y)
    share = largest / length if length > largest else 1.0
    change = _push(system, work, count, j, share * x)
    if two:
        change = max(change, _push(system, work, count, j + 1, share * y))
    return change


@inlined
def _sweep(system: System, work: Work, count: int, elastic: bool) -> None:
    """Impulses by projected Gauss–Seidel; rates that they lead to are left in MOVE."""
    s, G = work.scratch, work.dense[DELASSUS]
    scale = 1e-300
    for j in range(count):
        s[IMPULSE, j] = 0.0
        s[MOVE, j] = s[FREE_RATE, j]
        scale = max(scale, abs(s[FREE_RATE, j]) + abs(s[BEFORE, j]))
    for _ in range(int(work.options[SWEEPS])):
        change = 0.0
        for j in range(count):
            bound = s[BOUND, j]
            if bound == SECOND_IN_CONE or G[j, j] <= 0.0:
                continue
            if bound == IN_CONE:
                change = max(change, _in_cone(system, work, count, j))
                continue
            free = s[IMPULSE, j] - s[MOVE, j] / G[j, j]
            if bound == LIMIT_OF_GAP:
                e = system.force_reals[int(s[LINE, j]), limit.RESTITUTION] if elastic else 0.0
                new = max(0.0, free - e * min(s[BEFORE, j], 0.0) / G[j, j])
            else:
                new = min(max(free, -bound), bound)
            change = max(change, _push(system, work, count, j, new))
        if change <= work.options[TOLERANCE] * scale:
            break


@inlined
def _gained(work: Work, count: int) -> float:
    """Energy that the impulses of limits have added to the free motion."""
    total, s = 0.0, work.scratch
    for j in range(count):
        if s[BOUND, j] == LIMIT_OF_GAP:
            total += 0.5 * s[IMPULSE, j] * (s[FREE_RATE, j] + s[MOVE, j])
    return total


@inlined
def _contacts(packed: Packed, count: int, v: Array) -> int:
    """Impulses of the contacts that are reached; rows of joints are factored, VECTOR.FREE has v_E − v_A
    without them."""
    system, work = open_system(packed), open_work(packed)
    s, n, D, X = work.scratch, v.shape[0], work.dense[GRADIENTS], work.dense[RESPONSES]
    for j in range(count):
        s[BEFORE, j] = _dot(D[j], v, n)
        s[FREE_RATE, j] = s[BEFORE, j] + _dot(D[j], work.vectors[VECTOR.FREE], n)
    for j in range(count):
        for c in range(n):
            work.vectors[VECTOR.FREE, c] = D[j, c]
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.SOLVE] = 0.0
        status = call_solve(packed, 0)
        if status != OK:
            return int(status)
        for c in range(n):
            X[j, c] = work.vectors[VECTOR.FREE, c]
    for j in range(count):
        for k in range(count):
            work.dense[DELASSUS, j, k] = _dot(D[j], X[k], n)
    _sweep(system, work, count, True)
    if _gained(work, count) > 0.0:
        _sweep(system, work, count, False)
    return OK


@inlined
def _close(packed: Packed, t: float, q: Array, v: Array) -> int:
    """Positions and velocities back to the joints, orthogonally to the mass; the step's factor serves."""
    system, work = open_system(packed), open_work(packed)
    m = system.rows.shape[0]
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
    s, t, D = work.scratch, clock[CLOCK.NOW], work.dense[GRADIENTS]
    first, kinds = m, system.sizes[SIZE.PRIMITIVES]  # rows behind those of joints and motions
    for kind in (LIMITS, FRICTIONS, CONES):
        for i in range(system.ranges[kinds + kind, SPAN.BEGIN], system.ranges[kinds + kind, SPAN.END]):
            first = min(first, system.forces[i, limit.ROW])
    middle, old_v = s[MIDDLE][:nq], s[OLD_V][:n]

    # the middle of the step, and which contacts are reached there
    copy(v, old_v)
    for c in range(n):
        s[MOVE, c] = 0.5 * h * v[c]
    retract(system.bodies, q, s[MOVE][:n], middle)
    call_constraints(packed, t + 0.5 * h, middle, v)
    count = _reached(system, work, h)
    if count > 0:
        _activate(system, first, 1)
        call_constraints(packed, t + 0.5 * h, middle, v)
        for j in range(count):
            i = int(s[LINE, j])
            side = -system.force_reals[i, limit.SIDE] if s[BOUND, j] == LIMIT_OF_GAP else 1.0
            _gradient(system, work, int(s[ROW_OF, j]), side, D[j][:n])
        _activate(system, first, 0)
        call_constraints(packed, t + 0.5 * h, middle, v)
    call_forces(packed, t + 0.5 * h)
    load = work.vectors[VECTOR.Q]
    for j in range(count):
        if s[BOUND, j] >= 0.0:  # the viscous part of friction
            viscous = system.force_reals[int(s[LINE, j]), held_friction.VISCOUS]
            rate = _dot(D[j], v, n)
            for c in range(n):
                load[c] -= viscous * rate * D[j, c]

    # velocities without contacts, then with their impulses
    status = call_factor(packed)
    if status != OK:
        return int(status)
    for with_contacts in range(2 if count > 0 else 1):
        for c in range(n):
            work.vectors[VECTOR.FREE, c] = h * load[c]
        if with_contacts:
            for j in range(count):
                for c in range(n):
                    work.vectors[VECTOR.FREE, c] += s[IMPULSE, j] * D[j, c]
        for r in range(m):
            work.row[r, ROW_VALUE.SOLVE] = -work.row[r, ROW_VALUE.RATE]
        status = call_solve(packed, 1)
        if status != OK:
            return int(status)
        if count > 0 and not with_contacts:
            status = _contacts(packed, count, v)
            if status != OK:
                return status
    total = 0.0
    for c in range(n):
        total += abs(work.vectors[VECTOR.FREE, c])
        v[c] += work.vectors[VECTOR.FREE, c]
        s[MOVE, c] = 0.5 * h * v[c]
    if not total < math.inf:
        return NOT_FINITE
    for r in range(m):
        work.row[r, ROW_VALUE.LAMBDA] = work.row[r, ROW_VALUE.SOLVE] / h
        quadrature = system.rows[r, ROW.QUADRATURE]
        if quadrature >= 0:  # a motion, whose impulse does work where it moves
            rate = work.row[r, ROW_VALUE.F] if system.rows[r, ROW.VELOCITY] else work.row[r, ROW_VALUE.FT]
            state.works[quadrature] += work.row[r, ROW_VALUE.SOLVE] * rate
    for j in range(count):
        i, p = int(s[LINE, j]), s[IMPULSE, j]
        side = -system.force_reals[i, limit.SIDE] if s[BOUND, j] == LIMIT_OF_GAP else 1.0
        work.row[int(s[ROW_OF, j]), ROW_VALUE.LAMBDA] = side * p / h
        after = _dot(D[j], v, n)
        state.works[system.forces[i, LAW.QUADRATURE]] += 0.5 * p * (s[BEFORE, j] + after)
        if s[BOUND, j] >= 0.0:
            viscous = system.force_reals[i, held_friction.VISCOUS]
            lost = viscous * s[BEFORE, j] * 0.5 * h * (s[BEFORE, j] + after)
            state.works[system.forces[i, LAW.QUADRATURE]] -= lost
    retract(system.bodies, middle, s[MOVE][:n], q)
    normalise(system.bodies, q)
    status = _close(packed, t + h, q, v)
    if status != OK:
        return status

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
    order = max(int(system.sizes[SIZE.NQ]), len(system.rows), 1)
    return Room(matrices=3, vectors=10, order=order)


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
        Option("sweeps", SWEEPS, 400.0, "Largest number of Gauss–Seidel sweeps", minimum=1.0),
        Option("tolerance", TOLERANCE, 1e-12, "Change of a rate at which sweeps end, over the largest"),
    ),
)
