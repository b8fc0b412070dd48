"""The Newton system of all methods whose unknowns are the positions at the end of a step.

With δ the displacement of the iterate (q ⊕ δ) and l the change of the multipliers times c_q:

    S δ − Jᵀ l = −r,   C δ = −g,       S = κ M T⁻¹ − c_v D T⁻¹ − c_q K.

r is the residual force times c_q, K = ∂(Q + Jᵀλ)/∂q, D = ∂Q/∂v. A method moves the velocity by δ c_v/c_q
and the acceleration by δ κ/c_q; c_q is of the size h², so all unknowns are lengths and angles, and the matrix
tends to that of M and J when h does to zero (step scaling: [Bottasso 2007]). T⁻¹ is the
derivative of the rotation vector d = q ⊖ q_n by δ. Position rows have C = J and g = Φ. Velocity rows, A v =
f, hold at the end of the step as they are: C = A + (c_q/c_v) ∂(A v)/∂q, g = (c_q/c_v)(A v − f).

`linsolve/saddle.py` solves it: dependent rows do no harm, and near a singular configuration the motion goes
on by inertia.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.dispatch import call_constraints, call_forces, call_tangents
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, Packed, StepStatus, System, Work
from engine.solvers.direct.newton import note_offender, residual
from engine.solvers.linsolve import saddle, velocities
from engine.solvers.linsolve.rows import row_times
from engine.solvers.linsolve.saddle import largest
from engine.solvers.linsolve.trust_region import ASTRAY, MAX_RESTRICTED, largest_turn, trusted_share
from engine.system.equations.kinematics import normalise, retract

OK, NOT_CONVERGED, NOT_SOLVED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED), int(StepStatus.NOT_SOLVED)
MAX_ITERATIONS = 25
# near a singular configuration, where the last direction converges slowly or not at all
MAX_SINGULAR_ITERATIONS = 8
NEWTON_TOLERANCE, ROUNDING = 1e-10, 1e-15  # error left, of the displacement of the step and of positions
# the same near a singular configuration; violation tolerated there, over the size of the row
SINGULAR_TOLERANCE, SINGULAR_VIOLATION = 1e-6, 1e-7
CONTRACTION_LIMIT = 0.1  # contraction that calls for a fresh matrix
# vectors of Work.scratch
D, U, CLOSING, X, SHIFT, BASE_D, BASE_V, BASE_A, OWN = range(9)
SMALL_ANGLE = 0.2  # rad; below it coefficients are summed as series, exact to rounding


@inlined
def _curvature(d0: float, d1: float, d2: float) -> float:
    """c in T⁻¹ = I + [d]/2 + c [d]²:  (1 − θ/2 cot θ/2)/θ²."""
    square = d0 * d0 + d1 * d1 + d2 * d2
    if square < SMALL_ANGLE * SMALL_ANGLE:
        tail = 1.0 / 30240.0 + square * (1.0 / 1209600.0 + square / 47900160.0)
        return 1.0 / 12.0 + square * (1.0 / 720.0 + square * tail)
    half = 0.5 * math.sqrt(square)
    return (1.0 - half / math.tan(half)) / square


@kernel
def to_chart(bodies: Ints, d: Array, x: Array, out: Array) -> None:
    """out = T⁻¹(d) x: change of d = q ⊖ q_n when q is displaced by x; out may be x."""
    for b in range(bodies.shape[0] - 1):
        at = bodies[b, BODY.V]
        out[at], out[at + 1], out[at + 2] = x[at], x[at + 1], x[at + 2]
        if not bodies[b, BODY.PLANAR]:
            a, b_, c = d[at + 3], d[at + 4], d[at + 5]
            x0, x1, x2 = x[at + 3], x[at + 4], x[at + 5]
            k = _curvature(a, b_, c)
            # u = d × x,  w = d × u
            u0, u1, u2 = b_ * x2 - c * x1, c * x0 - a * x2, a * x1 - b_ * x0
            out[at + 3] = x0 + 0.5 * u0 + k * (b_ * u2 - c * u1)
            out[at + 4] = x1 + 0.5 * u1 + k * (c * u0 - a * u2)
            out[at + 5] = x2 + 0.5 * u2 + k * (a * u1 - b_ * u0)


@kernel
def from_chart(bodies: Ints, d: Array, x: Array, out: Array) -> None:
    """out = T(d) x: the velocity that belongs to the rate x of d = q ⊖ q_n; out may be x."""
    for b in range(bodies.shape[0] - 1):
        at = bodies[b, BODY.V]
        out[at], out[at + 1], out[at + 2] = x[at], x[at + 1], x[at + 2]
        if not bodies[b, BODY.PLANAR]:
            a, b_, c = d[at + 3], d[at + 4], d[at + 5]
            x0, x1, x2 = x[at + 3], x[at + 4], x[at + 5]
            square = a * a + b_ * b_ + c * c
            if square < SMALL_ANGLE * SMALL_ANGLE:
                tail = 1.0 / 720.0 - square * (1.0 / 40320.0 - square / 3628800.0)
                first = 0.5 - square * (1.0 / 24.0 - square * tail)
                tail = 1.0 / 5040.0 - square * (1.0 / 362880.0 - square / 39916800.0)
                second = 1.0 / 6.0 - square * (1.0 / 120.0 - square * tail)
            else:
                angle = math.sqrt(square)
                first, second = (1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle)
            u0, u1, u2 = b_ * x2 - c * x1, c * x0 - a * x2, a * x1 - b_ * x0
            out[at + 3] = x0 - first * u0 + second * (b_ * u2 - c * u1)
            out[at + 4] = x1 - first * u1 + second * (c * u0 - a * u2)
            out[at + 5] = x2 - first * u2 + second * (a * u1 - b_ * u0)


@kernel
def _turn_columns(system: System, d: Array, matrix: Array) -> None:
    """matrix ← matrix T⁻¹(d)."""
    if system.bodies[0, BODY.PLANAR]:
        return
    for k in range(system.velocity_blocks.shape[0]):
        block = system.velocity_blocks[k]
        at = block[BLOCK.COLUMN_VELOCITY] + 3
        a, b, c = d[at], d[at + 1], d[at + 2]
        bend, step = _curvature(a, b, c), block[BLOCK.COLUMN_STEP]
        for i in range(6):
            # xᵀ T⁻¹ = (x − d × x/2 + c d × (d × x))ᵀ
            first = block[BLOCK.START] + i * block[BLOCK.ROW_STEP] + 3 * step
            second, third = first + step, first + 2 * step
            x0, x1, x2 = matrix[first], matrix[second], matrix[third]
            u0, u1, u2 = b * x2 - c * x1, c * x0 - a * x2, a * x1 - b * x0
            matrix[first] = x0 - 0.5 * u0 + bend * (b * u2 - c * u1)
            matrix[second] = x1 - 0.5 * u1 + bend * (c * u0 - a * u2)
            matrix[third] = x2 - 0.5 * u2 + bend * (a * u1 - b * u0)


@inlined
def _freeze(system: System, work: Work, lag: float) -> None:
    """Keep the gradients that are factored: those of J, and C with its velocity rows."""
    held, rates = work.tangent[TAN.HELD], work.tangent[TAN.RATE_Q]
    saddle.hold_gradients(work)
    for r in range(system.rows.shape[0]):
        if system.rows[r, ROW.VELOCITY]:
            function = system.coordinate_functions[system.rows[r, ROW.COORDINATE]]
            begin = function[COORDINATE.BLOCK]
            for k in range(begin, begin + function[COORDINATE.BLOCKS]):
                for c in range(work.grad.shape[1]):
                    held[k, c] = work.grad[k, c] + lag * rates[k, c]


@kernel
def factor_increment(packed: Packed, kappa: float, c_v: float, c_q: float, d: Array) -> int:
    """Factor the saddle-point matrix of S, J and C, with the tangents of the last evaluation."""
    system, work = open_system(packed), open_work(packed)
    matrix = work.factors[0]
    for i in range(matrix.shape[0]):
        matrix[i] = -c_v * work.damping[i]
    velocities.add_mass(system, kappa, matrix)
    _turn_columns(system, d, matrix)
    for i in range(matrix.shape[0]):
        matrix[i] -= c_q * work.stiffness[i]
    _freeze(system, work, c_q / c_v)
    return saddle.factor(system, work, 0)


@kernel
def solve_increment(
    packed: Packed, lag: float, index: int, limit: float, known: float, x: Array, shift: Array
) -> tuple[bool, float]:
    """x: −r on entry, δ on return; l is left in ROW_VALUE.SOLVE. As `saddle.solve_to`.

    Index 3: positions and velocities move by x and x/lag. Index 2 [Gear 1985]: velocities
    close their own rows, and `shift` moves positions alone. Both corrections are S⁻¹Jᵀ times something, so
    they are found one after the other, with the same factor.
    """
    system, work = open_system(packed), open_work(packed)
    n, m = x.shape[0], system.rows.shape[0]
    for r in range(m):
        row = work.row[r]
        row[ROW_VALUE.SOLVE] = 0.0
        row[ROW_VALUE.RESIDUAL] = (
            lag * row[ROW_VALUE.RATE] if system.rows[r, ROW.VELOCITY] else row[ROW_VALUE.PHI]
        )
    singular, share = saddle.solve_to(system, work, 0, limit, known, x)
    for c in range(n):
        shift[c] = 0.0
    if index == 2 and not singular:
        for r in range(m):
            row = work.row[r]
            row[ROW_VALUE.RESIDUAL] = 0.0
            if not system.rows[r, ROW.VELOCITY]:
                turned = row[ROW_VALUE.RATE] + row_times(system, work.tangent[TAN.RATE_Q], r, x)
                row[ROW_VALUE.RESIDUAL] = lag * turned - row[ROW_VALUE.PHI]
        singular, _ = saddle.solve_to(system, work, 0, limit, share, shift)
        for c in range(n):
            x[c] += shift[c]
            shift[c] = -shift[c]
    return singular, share


@inlined
def give_up(system: System, work: Work, x: Array) -> int:
    """Which row is farthest from being closed, or, when all are, which body still moves."""
    worst, offender = SINGULAR_VIOLATION, -1
    for r in range(system.rows.shape[0]):
        row = work.row[r]
        gap = (
            abs(row[ROW_VALUE.RATE] if system.rows[r, ROW.VELOCITY] else row[ROW_VALUE.PHI])
            / system.row_reals[r, ROW_REAL.SCALE]
        )
        if not gap <= worst:
            worst, offender = gap, r
    if offender >= 0:
        work.counters[COUNT.OFFENDER] = offender
        return NOT_CONVERGED
    note_offender(work, x)
    return NOT_SOLVED


@inlined
def position_gap(system: System, work: Work) -> float:
    """Largest violation of the position rows over their size."""
    worst = 0.0
    for r in range(system.rows.shape[0]):
        worst = max(worst, abs(work.row[r, ROW_VALUE.PHI]) / system.row_reals[r, ROW_REAL.SCALE])
    return worst


@kernel
def _iterate(
    packed: Packed,
    t: float,
    kappa: float,
    c_v: float,
    c_q: float,
    index: int,
    by_rates: bool,
    at_old_state: bool,
    restricted: bool,
    old_q: Array,
    q: Array,
    v: Array,
) -> int:
    """The matrix of the first iteration serves as long as it contracts; restricted ones have their own."""
    system, work = open_system(packed), open_work(packed)
    n, m, s, a, lag = v.shape[0], system.rows.shape[0], work.scratch, work.vectors[VECTOR.A], c_q / c_v
    d, u, closing, x, shift = s[D][:n], s[U][:n], s[CLOSING][:n], s[X][:n], s[SHIFT][:n]
    base_d, base_v, base_a = s[BASE_D][:n], s[BASE_V][:n], s[BASE_A][:n]
    size, before, contraction, converged, singular = math.inf, math.inf, 1.0, False, False
    share, taken, reach, left = 1.0, math.inf, math.inf, saddle.UNKNOWN
    floor = ROUNDING * max(1.0, largest(old_q))
    for c in range(n):
        u[c], closing[c] = -base_d[c] if at_old_state else 0.0, 0.0
    if at_old_state:
        for r in range(m):
            work.row[r, ROW_VALUE.LAMBDA] = 0.0
    for k in range(MAX_RESTRICTED if restricted else MAX_ITERATIONS):
        for c in range(n):
            d[c] = base_d[c] + u[c] + closing[c]
            v[c] = base_v[c] + u[c] / lag
            a[c] = base_a[c] + u[c] * kappa / c_q
        if by_rates:
            from_chart(system.bodies, d, v, v)
            for c in range(n):
                a[c] = base_a[c] + v[c] * kappa / c_v
        retract(system.bodies, old_q, d, q)
        call_constraints(packed, t, q, v)
        call_forces(packed, t)
        work.counters[COUNT.EVALUATIONS] += 1
        if converged:
            break
        if k == 0 or contraction > CONTRACTION_LIMIT or restricted:
            call_tangents(packed, t, a)
            status = factor_increment(packed, kappa, c_v, c_q, d)
            if status != OK:
                return int(status)
            left = saddle.UNKNOWN
        residual(system, work, a, True, x)
        for c in range(n):
            x[c] *= -c_q
        limit = (SINGULAR_TOLERANCE if singular else NEWTON_TOLERANCE) * (
            largest(d) + c_q * largest(a)
        ) + floor
        near, left = solve_increment(packed, lag, index, limit, left, x, shift)
        if near:
            singular, index = True, 3
        before, size = size, largest(x) + largest(shift)
        if not math.isfinite(size):
            return give_up(system, work, x)
        if restricted:
            turn = largest_turn(system.bodies, x) + largest_turn(system.bodies, shift)
            share, reach = trusted_share(size, before, turn, taken, reach)
            taken = share * size
        to_chart(system.bodies, d, x, x)
        to_chart(system.bodies, d, shift, shift)
        for c in range(n):
            u[c] += share * x[c]
            closing[c] += share * shift[c]
        for r in range(m):
            work.row[r, ROW_VALUE.LAMBDA] += share * work.row[r, ROW_VALUE.SOLVE] / c_q
        work.counters[COUNT.ITERATIONS] += 1
        contraction = size / before if k > 0 else 0.0
        converged = share == 1.0 and (
            size <= limit
            or (k > 0 and contraction < 0.5 and size * contraction <= limit * (1.0 - contraction))
        )
        if singular and k >= MAX_SINGULAR_ITERATIONS and position_gap(system, work) <= SINGULAR_VIOLATION:
            converged = True  # what is left lies along the vanishing direction, where inertia rules
    if singular:
        work.counters[COUNT.NEAR_SINGULAR] += 1
        if position_gap(system, work) > SINGULAR_VIOLATION:
            converged = False
    if not converged or (at_old_state and largest_turn(system.bodies, d) > ASTRAY):
        return give_up(system, work, x)
    normalise(system.bodies, q)
    return OK


@kernel
def close_step(
    packed: Packed,
    t: float,
    kappa: float,
    c_v: float,
    c_q: float,
    index: int,
    by_rates: bool,
    violent: bool,
    old_q: Array,
    q: Array,
    v: Array,
) -> int:
    """Newton's method for the state at t; leaves q, v, λ, a in VECTOR.A, and all coordinate functions and
    forces.

    The unknown u moves   d = d₀ + u,  v = v₀ + u c_v/c_q,  a = a₀ + u κ/c_q,   q = q_n ⊕ d,   with d₀, v₀, a₀
    given in `scratch`; `by_rates`: v₀ + u c_v/c_q is the rate of d, v = T(d) times it, and a = a₀ + v κ/c_v.
    It begins with u = 0, which is the prediction, or, where that is `violent`, with d = 0; see
    `linsolve/trust_region.py`.
    """
    near = open_work(packed).counters[COUNT.NEAR_SINGULAR]
    status = _iterate(packed, t, kappa, c_v, c_q, index, by_rates, violent, False, old_q, q, v)
    if status != OK and open_work(packed).counters[COUNT.NEAR_SINGULAR] == near:
        status = _iterate(packed, t, kappa, c_v, c_q, index, by_rates, True, True, old_q, q, v)
    return int(status)
