"""Limits and frictions that are elements of their own, as lines of a step: one gradient each.

Limits push where their gap is used up, held friction is bounded, and the friction of a rigid contact lies in
the cone of its push, both components together. Responses M_b⁻¹Dᵀ are those that the joints leave.

A limit rests where it closes no faster than the loads of one step can make it: |γ_A| ≤ Σ |D_c Δv_c|, Δv the
change of the velocities without impulses. What rests does not come back, as its flight would be over within a
step, and takes part while its gap g is still open, with the slack g/h (`impulses.py`): what carries each
other falls alike without impulses, and none of its gaps seems to close. That leaves it with up to twice the
rate, at which it rests in the next step, too.
"""

import math
from typing import Final

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_solve
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, Packed, StepStatus, System, Work
from engine.elements.laws import LAWS, cone, held_friction, limit

OK = int(StepStatus.OK)
LIMITS, FRICTIONS, CONES = (
    LAWS.names.index(kind.name) for kind in (limit.KIND, held_friction.KIND, cone.KIND)
)
# rows of the scratch; of each line LINE, ROW_OF and BOUND: of friction h F, LIMIT_OF_GAP, or IN_CONE with its
# normal in NORMAL; two components of one cone follow each other
# SLACK: rate that may be left; RETURN: rate that comes back, times −1; HIT: 1 where a limit closes
# faster than it does at rest
IMPULSE, BEFORE, FREE_RATE, BOUND, LINE, ROW_OF, NORMAL, INVERSE, GAP, OVERLAP, SLACK, RETURN, HIT = range(13)
OWN_ROWS: Final = 13  # the method has those from here on
LIMIT_OF_GAP, IN_CONE, SECOND_IN_CONE = -1.0, -2.0, -3.0
SLIPS: Final = 1e-9  # m/s or rad/s: what is faster slips
APART: Final = 1e300  # slack of a limit that does not take part
NEAR: Final = 0.01  # of the size of the row: gaps up to this may take part


@inlined
def gradient_row(work: Work, j: int) -> int:
    """Row of the scratch with D of line j: kept with the responses in the last rows, two for each."""
    return int(work.scratch.shape[0] - 1 - 2 * j)


@inlined
def response_row(work: Work, j: int) -> int:
    """Row with M_b⁻¹Dᵀ of line j."""
    return int(work.scratch.shape[0] - 2 - 2 * j)


@inlined
def dot(a: Array, b: Array, n: int) -> float:
    total = 0.0
    for c in range(n):
        total += a[c] * b[c]
    return total


@inlined
def side_of(system: System, work: Work, j: int) -> float:
    """Sign that makes the coordinate of a line that of its gap; slips count as they are."""
    if work.scratch[BOUND, j] != LIMIT_OF_GAP:
        return 1.0
    return float(-system.force_reals[int(work.scratch[LINE, j]), limit.SIDE])


@inlined
def conditional_rows(system: System) -> int:
    """The first row behind those of joints and motions."""
    first, kinds = system.rows.shape[0], system.sizes[SIZE.PRIMITIVES]
    for kind in (LIMITS, FRICTIONS, CONES):
        span = system.ranges[kinds + kind]
        if span[SPAN.END] > span[SPAN.BEGIN]:
            for i in range(span[SPAN.BEGIN], span[SPAN.END]):
                first = min(first, system.forces[i, limit.ROW])
    return int(first)


@inlined
def _friction(law: Array, speed: float) -> float:
    """Largest friction at a speed."""
    if abs(speed) <= SLIPS:
        return float(law[held_friction.STATIC])
    peak, about = law[held_friction.STATIC] - law[held_friction.KINETIC], law[held_friction.STRIBECK]
    fading = math.exp(-((speed / about) ** 2)) if about > 0.0 else 0.0
    return float(law[held_friction.KINETIC] + peak * fading)


@inlined
def reached(system: System, work: Work, h: float) -> int:
    """How many lines the step has at the present poses; what they are is in the scratch."""
    s, count, first = work.scratch, 0, system.sizes[SIZE.PRIMITIVES]
    span = system.ranges[first + LIMITS]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        law, value = system.force_reals[i], work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.VALUE]
        gap = law[limit.SIDE] * (law[limit.LIMIT] - value)
        row = system.forces[i, limit.ROW]
        if gap <= NEAR * system.row_reals[row, ROW_REAL.SCALE]:
            s[LINE, count], s[BOUND, count], s[GAP, count] = i, LIMIT_OF_GAP, gap
            s[ROW_OF, count] = row
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
def take_gradients(packed: Packed, count: int, t: float, q: Array, v: Array) -> None:
    """D of the lines at (t, q, v); rows have a gradient only while they are active."""
    system, work = open_system(packed), open_work(packed)
    first = conditional_rows(system)
    for active in (1, 0):
        for r in range(first, system.rows.shape[0]):
            system.rows[r, ROW.ACTIVE] = active
        call_constraints(packed, t, q, v)
        if active:
            for j in range(count):
                out = work.scratch[gradient_row(work, j)][: v.shape[0]]
                _gradient(system, work, int(work.scratch[ROW_OF, j]), side_of(system, work, j), out)


@inlined
def _gradient(system: System, work: Work, row: int, side: float, out: Array) -> None:
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
def take_rates(system: System, work: Work, count: int, h: float, v: Array, u: Array) -> None:
    """Rates of the lines before the step and without impulses, and what limits may leave and give back."""
    s, n = work.scratch, v.shape[0]
    for j in range(count):
        D = s[gradient_row(work, j)]
        s[BEFORE, j], s[FREE_RATE, j] = dot(D, v, n), dot(D, u, n)
        s[IMPULSE, j] = s[SLACK, j] = s[RETURN, j] = s[HIT, j] = 0.0
        if s[BOUND, j] != LIMIT_OF_GAP:
            continue
        loaded = 0.0
        for c in range(n):
            loaded += abs(D[c] * (u[c] - v[c]))
        if work.row[int(s[ROW_OF, j]), ROW_VALUE.LAMBDA] != 0.0:
            loaded *= 2.0
        rests = abs(s[BEFORE, j]) <= loaded
        if not rests and s[BEFORE, j] < 0.0:
            s[HIT, j] = 1.0
            s[RETURN, j] = system.force_reals[int(s[LINE, j]), limit.RESTITUTION] * s[BEFORE, j]
        if s[GAP, j] > 0.0:
            s[SLACK, j] = s[GAP, j] / h if rests else APART


@inlined
def take_responses(packed: Packed, count: int, n: int) -> int:
    """M_b⁻¹Dᵀ of the lines; the rows of joints are factored."""
    system, work = open_system(packed), open_work(packed)
    for j in range(count):
        D, X = work.scratch[gradient_row(work, j)], work.scratch[response_row(work, j)]
        work.scratch[INVERSE, j] = 0.0
        if work.scratch[BOUND, j] <= IN_CONE and work.scratch[SLACK, int(work.scratch[NORMAL, j])] == APART:
            continue  # friction of a contact that does not take part
        for c in range(n):
            work.vectors[VECTOR.FREE, c] = D[c]
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.SOLVE] = 0.0
        status = call_solve(packed, 0)
        if status != OK:
            return int(status)
        for c in range(n):
            X[c] = work.vectors[VECTOR.FREE, c]
        own = dot(D, X, n)
        work.scratch[INVERSE, j] = 1.0 / own if own > 0.0 else 0.0
    return OK


@inlined
def _push(work: Work, u: Array, j: int, new: float) -> float:
    """Give a line another impulse; by how much its own rate changes."""
    s, X = work.scratch, work.scratch[response_row(work, j)]
    change = new - s[IMPULSE, j]
    if change == 0.0:
        return 0.0
    s[IMPULSE, j] = new
    for c in range(u.shape[0]):
        u[c] += X[c] * change
    return float(abs(change / s[INVERSE, j]))


@inlined
def warm_start(system: System, work: Work, count: int, h: float, u: Array) -> None:
    """Begin with the impulses of the step before: many limits that carry each other need it."""
    s = work.scratch
    for j in range(count):
        before = h * side_of(system, work, j) * work.row[int(s[ROW_OF, j]), ROW_VALUE.LAMBDA]
        apart = s[BOUND, j] == LIMIT_OF_GAP and s[SLACK, j] == APART
        if s[INVERSE, j] > 0.0 and s[BOUND, j] < 0.0 and not apart:
            _push(work, u, j, max(before, 0.0) if s[BOUND, j] == LIMIT_OF_GAP else before)


@inlined
def _in_cone(system: System, work: Work, u: Array, j: int) -> float:
    """Friction at a contact, both components together: |p| ≤ µ p_N."""
    s, n = work.scratch, u.shape[0]
    line, two = int(s[LINE, j]), system.forces[int(s[LINE, j]), cone.ROWS] > 1
    speed = abs(s[BEFORE, j]) + (abs(s[BEFORE, j + 1]) if two else 0.0)
    largest = system.force_reals[line, cone.KINETIC if speed > SLIPS else cone.STATIC]
    largest *= s[IMPULSE, int(s[NORMAL, j])]
    stiff = 1.0 / s[INVERSE, j]
    if two:
        if s[INVERSE, j + 1] <= 0.0:
            return 0.0
        stiff = max(stiff, 1.0 / s[INVERSE, j + 1]) + abs(
            dot(work.scratch[gradient_row(work, j)], work.scratch[response_row(work, j + 1)], n)
        )
    x = s[IMPULSE, j] - dot(work.scratch[gradient_row(work, j)], u, n) / stiff
    y = s[IMPULSE, j + 1] - dot(work.scratch[gradient_row(work, j + 1)], u, n) / stiff if two else 0.0
    length = math.sqrt(x * x + y * y)
    share = largest / length if length > largest else 1.0
    change = _push(work, u, j, share * x)
    if two:
        change = max(change, _push(work, u, j + 1, share * y))
    return change


@inlined
def sweep_lines(system: System, work: Work, count: int, u: Array, elastic: bool) -> float:
    """One pass over the lines, each projected on its set; the largest change of a rate."""
    s, n, change = work.scratch, u.shape[0], 0.0
    for j in range(count):
        bound = s[BOUND, j]
        if bound == SECOND_IN_CONE or s[INVERSE, j] <= 0.0:
            continue
        if bound == IN_CONE:
            change = max(change, _in_cone(system, work, u, j))
            continue
        free = s[IMPULSE, j] - dot(work.scratch[gradient_row(work, j)], u, n) * s[INVERSE, j]
        if bound == LIMIT_OF_GAP:
            left = s[SLACK, j] + (s[RETURN, j] if elastic else 0.0)
            new = max(0.0, free - left * s[INVERSE, j])
        else:
            new = min(max(free, -bound), bound)
        change = max(change, _push(work, u, j, new))
    return change
