"""Impulses of all contacts of a step, by projected Gauss–Seidel sweeps [Jean 1999].

With u the velocities that the impulses p lead to, each contact in its turn takes the impulse that its own law
asks for while all others stay, and u follows: contacts are coupled by the bodies that they share and by
nothing else, so that a sweep costs what their number says.

    normals    u_n + e min(u_n⁻, 0) + s ≥ 0, p_n ≥ 0, one of the two zero
    tangents   |p_t| ≤ µ p_n, and where that is used up p_t is against u_t
    joints     J u = J u_free: rows of joints are lines without a bound

A contact whose gap g is not yet used up has the slack s = g/h [Anitescu 2010]: bodies of a stack fall alike
without impulses, so that none of their gaps seems to close; corners that were left out for a hair's breadth
would come and go, and the stack would walk. Where a blow may come back only what touches takes part so. What
closes no faster than loads make it within a step rests (`lines.py`), and does not come back.

Contacts of groups know the mass of their two bodies only, which is why the rows of joints sweep along with
them; lines of single elements (`lines.py`) have responses that the joints leave as they are. What sweeps have
not settled when they end is left of the contacts, never of the joints: the step is solved with them at last.
Sweeps begin with the impulses of the step before, and so do those over shifts.
"""

import math
from typing import Final

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, StepStatus, System, Work
from engine.elements.laws import contact_group
from engine.solvers.contacts import lines as LINES
from engine.solvers.contacts import records as REC
from engine.solvers.contacts.detection import recall
from engine.solvers.contacts.lines import (
    dot,
    gradient_row,
    response_row,
    sweep_lines,
    take_rates,
    take_responses,
    warm_start,
)
from engine.solvers.contacts.records import (
    column_of,
    load_along,
    loaded_along,
    push_along,
    rate_along,
    row_of,
)

OK = int(StepStatus.OK)
NO_INVERSE: Final = 1e-12  # of the product of the diagonals: a determinant that counts as none
SHIFT_SWEEPS: Final = 20
SHIFTED: Final = 1e-3  # of the largest overlap: what sweeps over shifts leave


@inlined
def _prepare(
    system: System, work: Work, contacts: int, ahead: float, h: float, v: Array, u: Array, planar: int
) -> None:
    """Rates before and without impulses, inverses of each contact's own matrix, impulses of the last step.

    Contacts that do not take part have no inverse.
    """
    for c in range(contacts):
        rec = work.scratch[row_of(work.scratch, c), column_of(work.scratch, c) :]
        rec[REC.SLACK] = 0.0
        if rec[REC.GAP] > 0.0 and rec[REC.GAP] + ahead * rate_along(rec, 0, u, planar) > 0.0:
            rec[REC.SLACK] = rec[REC.GAP] / h
        e = system.force_reals[int(rec[REC.LINE]), contact_group.RESTITUTION]
        rate = rate_along(rec, 0, v, planar)
        recall(work, rec)
        slow = loaded_along(rec, u, v, planar) * (2.0 if rec[REC.IMPULSE] > 0.0 else 1.0)
        rests = abs(rate) <= slow
        returns = e > 0.0 and not rests
        rec[REC.RETURN] = e * min(rate, 0.0) if returns else 0.0
        rec[REC.HIT] = 1.0 if rate < 0.0 and not rests else 0.0
        if returns and rec[REC.SLACK] > 0.0 and rec[REC.GAP] > rec[REC.ALLOWED]:
            rec[REC.IMPULSE] = rec[REC.IMPULSE + 1] = rec[REC.IMPULSE + 2] = rec[REC.INVERSE] = 0.0
            rec[REC.OVERLAP] = 0.0
            continue
        for k in range(2 if planar else 3):
            rec[REC.BEFORE + k] = rate_along(rec, k, v, planar)
            rec[REC.FREE + k] = rate_along(rec, k, u, planar)
        own = _product(rec, 0, 0, planar)
        rec[REC.INVERSE] = 1.0 / own if own > 0.0 else 0.0
        a = _product(rec, 1, 1, planar)
        if planar:
            rec[REC.TURN] = 1.0 / a if a > 0.0 else 0.0
        else:
            b, d = _product(rec, 1, 2, planar), _product(rec, 2, 2, planar)
            largest = 0.5 * (a + d + math.sqrt((a - d) ** 2 + 4.0 * b * b))
            rec[REC.TURN] = 1.0 / largest if largest > 0.0 else 0.0
            det = a * d - b * b
            rec[REC.DETERMINANT] = det if det > NO_INVERSE * a * d else 0.0
            rec[REC.SLOPE], rec[REC.SLOPE + 1], rec[REC.SLOPE + 2] = a, b, d
    for c in range(contacts):
        rec = work.scratch[row_of(work.scratch, c), column_of(work.scratch, c) :]
        for k in range(2 if planar else 3):
            if rec[REC.IMPULSE + k] != 0.0:
                push_along(rec, k, rec[REC.IMPULSE + k], u, planar)


@inlined
def _product(rec: Array, i: int, j: int, planar: int) -> float:
    """What a unit impulse along direction j does to the rate along i."""
    d, e = REC.DIRECTIONS + REC.DIRECTION * i, REC.DIRECTIONS + REC.DIRECTION * j
    along = rec[d] * rec[e] + rec[d + 1] * rec[e + 1] + rec[d + 2] * rec[e + 2]
    total = 0.0
    if rec[REC.AT_A] >= 0.0:
        total += rec[REC.MASS_A] * along
        for c in range(2 if planar else 0, 3):
            total += rec[d + REC.MOMENT_A + c] * rec[e + REC.TURN_A + c]
    if rec[REC.AT_B] >= 0.0:
        total += rec[REC.MASS_B] * along
        for c in range(2 if planar else 0, 3):
            total += rec[d + REC.MOMENT_B + c] * rec[e + REC.TURN_B + c]
    return total


@inlined
def _sweep_contacts(system: System, work: Work, contacts: int, u: Array, planar: int, elastic: bool) -> float:
    """One pass over the contacts of groups; the largest change of a rate."""
    largest = 0.0
    for c in range(contacts):
        rec = work.scratch[row_of(work.scratch, c), column_of(work.scratch, c) :]
        if rec[REC.INVERSE] == 0.0:
            continue
        law = system.force_reals[int(rec[REC.LINE])]
        wanted = rate_along(rec, 0, u, planar) + rec[REC.SLACK] + (rec[REC.RETURN] if elastic else 0.0)
        old = rec[REC.IMPULSE]
        new = max(0.0, old - wanted * rec[REC.INVERSE])
        if new != old:
            rec[REC.IMPULSE] = new
            push_along(rec, 0, new - old, u, planar)
            largest = max(largest, abs(new - old) / rec[REC.INVERSE])
        speed = abs(rec[REC.BEFORE + 1]) + (0.0 if planar else abs(rec[REC.BEFORE + 2]))
        bound = law[contact_group.KINETIC if speed > LINES.SLIPS else contact_group.STATIC] * new
        x = rec[REC.IMPULSE + 1]
        if bound == 0.0 and x == 0.0 and (planar or rec[REC.IMPULSE + 2] == 0.0):
            continue
        first, step = rate_along(rec, 1, u, planar), rec[REC.TURN]
        if planar:
            goal = min(max(x - step * first, -bound), bound)
            if goal != x:
                rec[REC.IMPULSE + 1] = goal
                push_along(rec, 1, goal - x, u, planar)
                largest = max(largest, abs(goal - x) / step)
            continue
        y, second, det = rec[REC.IMPULSE + 2], rate_along(rec, 2, u, planar), rec[REC.DETERMINANT]
        goal, other = x, y
        if det > 0.0:  # sticking, if the cone allows it
            a, b, d = rec[REC.SLOPE], rec[REC.SLOPE + 1], rec[REC.SLOPE + 2]
            goal -= (d * first - b * second) / det
            other -= (a * second - b * first) / det
        if det <= 0.0 or goal * goal + other * other > bound * bound:
            goal, other = x - step * first, y - step * second
            size = math.sqrt(goal * goal + other * other)
            if size > bound:
                goal, other = goal * bound / size, other * bound / size
        rec[REC.IMPULSE + 1], rec[REC.IMPULSE + 2] = goal, other
        push_along(rec, 1, goal - x, u, planar)
        push_along(rec, 2, other - y, u, planar)
        if step > 0.0:
            largest = max(largest, max(abs(goal - x), abs(other - y)) / step)
    return largest


# rows of joints among the contacts of groups


@inlined
def _along_row(system: System, work: Work, r: int, u: Array) -> float:
    function, total = system.coordinate_functions[system.rows[r, ROW.COORDINATE]], 0.0
    begin = function[COORDINATE.BLOCK]
    for block in range(begin, begin + function[COORDINATE.BLOCKS]):
        at = system.bodies[system.block_bodies[block], BODY.V]
        if at >= 0:
            for c in range(system.bodies[system.block_bodies[block], BODY.NV]):
                total += work.grad[block, c] * u[at + c]
    return total


@inlined
def _push_row(system: System, work: Work, r: int, p: float, u: Array) -> None:
    """u += p M⁻¹ Jᵀ of one row."""
    function = system.coordinate_functions[system.rows[r, ROW.COORDINATE]]
    begin = function[COORDINATE.BLOCK]
    for block in range(begin, begin + function[COORDINATE.BLOCKS]):
        body = system.block_bodies[block]
        at, real, g = system.bodies[body, BODY.V], system.body_reals[body], work.grad[block]
        if at < 0:
            continue
        k = p * real[BODY_REAL.MASS_INV]
        u[at] += k * g[0]
        u[at + 1] += k * g[1]
        if system.bodies[body, BODY.PLANAR]:
            u[at + 2] += p * real[BODY_REAL.INERTIA_INV + 8] * g[2]
            continue
        u[at + 2] += k * g[2]
        for c in range(3):
            j = BODY_REAL.INERTIA_INV + 3 * c
            u[at + 3 + c] += p * (real[j] * g[3] + real[j + 1] * g[4] + real[j + 2] * g[5])


@inlined
def _prepare_rows(system: System, work: Work, rows: int, u: Array, spare: Array) -> None:
    """Their own responses, and the rates that they keep; `spare` is a vector of zeros."""
    for r in range(rows):
        work.scratch[REC.ROW_RATE, r] = _along_row(system, work, r, u)
        _push_row(system, work, r, 1.0, spare)
        own = _along_row(system, work, r, spare)
        _push_row(system, work, r, -1.0, spare)
        work.scratch[REC.ROW_INVERSE, r] = 1.0 / own if own > 0.0 else 0.0


@inlined
def _sweep_rows(system: System, work: Work, rows: int, u: Array, kept: float) -> float:
    """One pass over the joints, towards `kept` times the rates that they had."""
    largest = 0.0
    for r in range(rows):
        off = _along_row(system, work, r, u) - kept * work.scratch[REC.ROW_RATE, r]
        if off != 0.0:
            _push_row(system, work, r, -off * work.scratch[REC.ROW_INVERSE, r], u)
            largest = max(largest, abs(off))
    return largest


@inlined
def _gained(system: System, work: Work, count: int, contacts: int, u: Array, planar: int) -> float:
    """Energy that the impulses of limits and contacts have added to the motion without them."""
    total, s, n = 0.0, work.scratch, u.shape[0]
    for j in range(count):
        if s[LINES.BOUND, j] == LINES.LIMIT_OF_GAP:
            after = dot(work.scratch[gradient_row(work, j)], u, n)
            total += 0.5 * s[LINES.IMPULSE, j] * (s[LINES.FREE_RATE, j] + after)
    for c in range(contacts):
        rec = work.scratch[row_of(work.scratch, c), column_of(work.scratch, c) :]
        if rec[REC.IMPULSE] > 0.0:
            for k in range(2 if planar else 3):
                total += 0.5 * rec[REC.IMPULSE + k] * (rec[REC.FREE + k] + rate_along(rec, k, u, planar))
    return total


@kernel
def find_impulses(
    packed: Packed,
    count: int,
    contacts: int,
    rows: int,
    ahead: float,
    h: float,
    v: Array,
    sweeps: int,
    tolerance: float,
) -> int:
    """Impulses of lines and contacts of groups; VECTOR.FREE has the change of v without them.

    `rows`: those of joints and motions, which are factored; `ahead`: how long the motion goes on from here;
    `h`: until it is asked again.
    Sweeps end when no rate changes by more than the tolerance, of the largest.
    """
    system, work = open_system(packed), open_work(packed)
    s, n, planar = work.scratch, v.shape[0], system.bodies[0, BODY.PLANAR]
    u = work.vectors[VECTOR.A]  # free while a step is being found
    for c in range(n):
        u[c] = v[c] + work.vectors[VECTOR.FREE, c]
    scale = 1e-300
    take_rates(system, work, count, h, v, u)
    for j in range(count):
        scale = max(scale, abs(s[LINES.FREE_RATE, j]) + abs(s[LINES.BEFORE, j]))
    status = take_responses(packed, count, n)
    if status != OK:
        return status
    warm_start(system, work, count, h, u)
    joined = rows if contacts > 0 else 0
    if contacts > 0:
        spare = s[REC.SHIFT][:n]
        spare[:] = 0.0
        _prepare_rows(system, work, joined, u, spare)
        _prepare(system, work, contacts, ahead, h, v, u, planar)
        for c in range(contacts):
            rec = work.scratch[row_of(work.scratch, c), column_of(work.scratch, c) :]
            if rec[REC.INVERSE] > 0.0:
                scale = max(scale, abs(rec[REC.BEFORE]) + abs(rec[REC.FREE]))
    for attempt in range(2):
        elastic = attempt == 0
        for _ in range(sweeps):
            change = sweep_lines(system, work, count, u, elastic)
            change = max(change, _sweep_contacts(system, work, contacts, u, planar, elastic))
            change = max(change, _sweep_rows(system, work, joined, u, 1.0))
            work.counters[COUNT.ITERATIONS] += 1
            if change <= tolerance * scale:
                break
        if _gained(system, work, count, contacts, u, planar) <= 0.0:
            break
    return OK


@kernel
def add_impulses(packed: Packed, count: int, contacts: int, out: Array) -> None:
    """out += Dᵀp of all lines and contacts."""
    system, work = open_system(packed), open_work(packed)
    planar = system.bodies[0, BODY.PLANAR]
    for j in range(count):
        p, D = work.scratch[LINES.IMPULSE, j], work.scratch[gradient_row(work, j)]
        if p != 0.0:
            for c in range(out.shape[0]):
                out[c] += p * D[c]
    for k in range(contacts):
        rec = work.scratch[row_of(work.scratch, k), column_of(work.scratch, k) :]
        if rec[REC.IMPULSE] > 0.0:
            for i in range(2 if planar else 3):
                load_along(rec, i, rec[REC.IMPULSE + i], out, planar)


@kernel
def book_contacts(packed: Packed, contacts: int, before: int, v: Array, works: Array) -> None:
    """Work of the impulses of groups: p (u⁻ + u⁺)/2 along each direction, u⁻ from the column `before`."""
    system, work = open_system(packed), open_work(packed)
    planar = system.bodies[0, BODY.PLANAR]
    for k in range(contacts):
        rec = work.scratch[row_of(work.scratch, k), column_of(work.scratch, k) :]
        if rec[REC.IMPULSE] > 0.0:
            quadrature = system.forces[int(rec[REC.LINE]), LAW.QUADRATURE]
            for i in range(2 if planar else 3):
                after = rate_along(rec, i, v, planar)
                works[quadrature] += 0.5 * rec[REC.IMPULSE + i] * (rec[before + i] + after)


@kernel
def part(
    packed: Packed, count: int, contacts: int, rows: int, h: float, v: Array, shift: Array, works: Array
) -> None:
    """Shift of positions that takes limits and contacts of groups out of each other.

    With the gap g_E = g + h/2 u_n that velocities lead to, the shift δ is the shortest, measured by the mass,
    that leaves g_E + D δ ≥ 0 but for what is allowed: δ = M⁻¹Dᵀπ, π ≥ 0 where a gap is used up. What it does
    to the potential energy, −Q·δ, is booked on the element.
    """
    system, work = open_system(packed), open_work(packed)
    planar, load, s, n = system.bodies[0, BODY.PLANAR], work.vectors[VECTOR.Q], work.scratch, v.shape[0]
    shift[:] = 0.0
    deepest = 0.0
    for j in range(count):
        s[LINES.OVERLAP, j] = 0.0
        if s[LINES.BOUND, j] == LINES.LIMIT_OF_GAP:
            deepest = max(deepest, -s[LINES.GAP, j])
    for k in range(contacts):
        rec = s[row_of(s, k), column_of(s, k) :]
        rec[REC.FREE] = rec[REC.GAP] + rec[REC.ALLOWED] + 0.5 * h * rate_along(rec, 0, v, planar)
        deepest = max(deepest, -rec[REC.FREE])
        if rec[REC.INVERSE] == 0.0:
            own = _product(rec, 0, 0, planar)
            rec[REC.INVERSE] = 1.0 / own if own > 0.0 else 0.0
    for k in range(contacts):
        rec = s[row_of(s, k), column_of(s, k) :]
        if deepest <= 0.0:
            rec[REC.OVERLAP] = 0.0
        elif rec[REC.OVERLAP] > 0.0:
            push_along(rec, 0, rec[REC.OVERLAP], shift, planar)
    if deepest <= 0.0:
        return
    for _ in range(SHIFT_SWEEPS):
        change = 0.0
        for j in range(count):
            if s[LINES.BOUND, j] == LINES.LIMIT_OF_GAP and s[LINES.INVERSE, j] > 0.0:
                old = s[LINES.OVERLAP, j]
                off = s[LINES.GAP, j] + dot(s[gradient_row(work, j)], shift, n)
                new = max(0.0, old - off * s[LINES.INVERSE, j])
                s[LINES.OVERLAP, j] = new
                X = s[response_row(work, j)]
                for c in range(n):
                    shift[c] += X[c] * (new - old)
                change = max(change, abs(new - old) / s[LINES.INVERSE, j])
        for k in range(contacts):
            rec = s[row_of(s, k), column_of(s, k) :]
            old = rec[REC.OVERLAP]
            off = rec[REC.FREE] + rate_along(rec, 0, shift, planar)
            new = max(0.0, old - off * rec[REC.INVERSE])
            if new != old:
                rec[REC.OVERLAP] = new
                push_along(rec, 0, new - old, shift, planar)
                change = max(change, abs(new - old) / rec[REC.INVERSE])
        if contacts > 0:
            change = max(change, _sweep_rows(system, work, rows, shift, 0.0))
        if change <= SHIFTED * deepest:
            break
    for j in range(count):
        if s[LINES.OVERLAP, j] > 0.0:
            quadrature = system.forces[int(s[LINES.LINE, j]), LAW.QUADRATURE]
            works[quadrature] -= s[LINES.OVERLAP, j] * dot(s[response_row(work, j)], load, n)
    for k in range(contacts):
        rec = s[row_of(s, k), column_of(s, k) :]
        if rec[REC.OVERLAP] > 0.0:
            quadrature = system.forces[int(rec[REC.LINE]), LAW.QUADRATURE]
            works[quadrature] -= rec[REC.OVERLAP] * _lifted(rec, load, planar)


@inlined
def _lifted(rec: Array, load: Array, planar: int) -> float:
    """Q·M⁻¹Dᵀ along the normal."""
    d, a, b, total = REC.DIRECTIONS, int(rec[REC.AT_A]), int(rec[REC.AT_B]), 0.0
    for side in range(2):
        at, sign, mass = (b, 1.0, rec[REC.MASS_B]) if side else (a, -1.0, rec[REC.MASS_A])
        if at < 0:
            continue
        turn = d + (REC.TURN_B if side else REC.TURN_A)
        width = 2 if planar else 3
        for c in range(width):
            total += sign * mass * rec[d + c] * load[at + c]
        if planar:
            total += sign * rec[turn + 2] * load[at + 2]
        else:
            for c in range(3):
                total += sign * rec[turn + c] * load[at + 3 + c]
    return total
