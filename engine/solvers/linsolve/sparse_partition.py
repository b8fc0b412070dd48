"""A = [J; B] of large mechanisms (`partition.py`), by factors of AᵀWA instead of A.

A has full rank, with redundant rows of J too, so AᵀWA has an inverse, and the pattern of the bodies that rows
couple. With W = 1/(length of the row)²,

    x ← x + (AᵀWA)⁻¹ AᵀW (b − A x)

is the solution of A x = b after one pass but for rounding, which further passes take out. Redundant rows take
part with all others instead of being left out. Accelerations need no columns of V: Vᵀ(M a − Q) = 0 is
M a − Q = Jᵀλ, the saddle-point problem of the linear solver.

A choice among few degrees of freedom is made on a basis N of the allowed motions that comes from as many
random vectors, projected by x ← (D + JᵀWJ)⁻¹ D x with D the metric of the choice. Where there are as many
joint coordinates as degrees of freedom, they are taken as they are.
"""

import math

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, StepStatus, System, Work
from engine.maths.sparse import ldl
from engine.solvers.linsolve import independents, nullspace, velocities
from engine.solvers.linsolve.independents import INDEPENDENTS, coordinate_count, length_scale
from engine.solvers.linsolve.long_chains import HARD
from engine.solvers.linsolve.rows import add_coordinate_function, add_row, function_times, row_times

OK, SINGULAR = int(StepStatus.OK), int(StepStatus.SINGULAR)
# Work.factors: AᵀWA; D + JᵀWJ; the basis N and the table B N of the candidates
MATRIX, METRIC, BASIS, TABLE = range(4)
FACTORS = 4
# Work.scratch, behind that of `partition.py`: pivots of both factors; what B x has still to be; a load
INVERSE, METRIC_INVERSE, SHARE, WANTED, LOAD = range(5, 10)
FIRST_FREE = 10
PASSES = 4  # at most
ENOUGH = 1e-15  # of the largest entry: a pass that changes less is the last
DEPENDENT = 1e-15  # share of its diagonal below which a pivot has vanished
PROJECTIONS = 3
SPREAD = 0.7  # between the phases of the vectors that are projected


@inlined
def serves(system: System, work: Work) -> bool:
    """Whether A is not formed: in large mechanisms whose candidates are quickly told apart."""
    free, candidates = system.sizes[SIZE.NV] - system.sizes[SIZE.RANK], _candidates(system, work)
    return not nullspace.has_basis(system) and bool(
        coordinate_count(system, work) == free or (free + 1) * candidates <= work.factors.shape[1]
    )


@inlined
def _candidates(system: System, work: Work) -> int:
    return int(coordinate_count(system, work) + system.sizes[SIZE.NV])


# rows of B


@inlined
def candidate_times(system: System, work: Work, candidate: int, x: Array) -> float:
    """The row of B of a candidate, times x; coordinate functions must have been evaluated."""
    count = coordinate_count(system, work)
    if candidate < count:
        return function_times(system, work.grad, system.coordinates[candidate], x)
    c = candidate - count
    if independents.is_own_velocity(system, c):
        return float(x[c])
    pose, first, at = work.pose[c // 6], POSE.R + 3 * (c % 6 - 3), c - c % 6 + 3
    return float(pose[first] * x[at] + pose[first + 1] * x[at + 1] + pose[first + 2] * x[at + 2])


@inlined
def _add_candidate(system: System, work: Work, candidate: int, k: float, out: Array) -> None:
    """out += k times the row of B of a candidate."""
    count = coordinate_count(system, work)
    if candidate < count:
        add_coordinate_function(system, work.grad, system.coordinates[candidate], k, out)
        return
    c = candidate - count
    if independents.is_own_velocity(system, c):
        out[c] += k
        return
    pose, axis, at = work.pose[c // 6], c % 6 - 3, c - c % 6 + 3
    for i in range(3):
        out[at + i] += k * pose[POSE.R + 3 * axis + i]


@inlined
def _add_square(system: System, work: Work, candidate: int, matrix: Array) -> None:
    """matrix += bᵀb/|b|² with the row b of B of a candidate, above the diagonal."""
    count = coordinate_count(system, work)
    if candidate < count:
        g = system.coordinates[candidate]
        weight = _weight(system, work, g, 1.0)
        velocities.add_function_product(system, matrix, g, weight, work.grad, work.grad, True)
        return
    c, width = candidate - count, system.bodies[0, BODY.NV]
    block = system.velocity_blocks[c // width]
    at, step = block[BLOCK.START], block[BLOCK.ROW_STEP]
    if independents.is_own_velocity(system, c):
        matrix[at + c % width * (step + 1)] += 1.0
        return
    pose, first = work.pose[c // 6], POSE.R + 3 * (c % 6 - 3)
    at += 3 * (step + 1)
    for i in range(3):
        for j in range(3):
            matrix[at + i * step + j] += pose[first + i] * pose[first + j]


@inlined
def _weight(system: System, work: Work, g: int, unit: float) -> float:
    """1/(length of the gradient of a coordinate function)², lengths in a unit; 0 for one that vanishes."""
    total, begin = 0.0, system.coordinate_functions[g, COORDINATE.BLOCK]
    for k in range(begin, begin + system.coordinate_functions[g, COORDINATE.BLOCKS]):
        body = system.block_bodies[k]
        if system.bodies[body, BODY.V] >= 0:
            width = system.bodies[body, BODY.NV]
            for c in range(width):
                value = work.grad[k, c] * (unit if c < width - (1 if width == 3 else 3) else 1.0)
                total += value * value
    return 1.0 / total if total > 0.0 else 0.0


# A


@kernel
def factor(system: System, work: Work) -> int:
    """AᵀWA of the rows that were evaluated last, with coordinate functions, factored."""
    matrix, free = work.factors[MATRIX], system.sizes[SIZE.NV] - system.sizes[SIZE.RANK]
    for i in range(matrix.shape[0]):
        matrix[i] = 0.0
    for r in range(system.rows.shape[0]):
        g = system.rows[r, ROW.COORDINATE]
        weight = work.row[r, ROW_VALUE.METRIC_WEIGHT] = _weight(system, work, g, 1.0)
        velocities.add_function_product(system, matrix, g, weight, work.grad, work.grad, True)
    for j in range(free):
        _add_square(system, work, work.pivots[INDEPENDENTS, j], matrix)
    left_out = _factor_symmetric(system, work, MATRIX, INVERSE)
    return SINGULAR if left_out > 0 else OK


@inlined
def _factor_symmetric(system: System, work: Work, which: int, inverse: int) -> int:
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += system.sizes[SIZE.FACTOR_PRODUCTS]
    return int(
        ldl.factor(
            system.velocity_nodes,
            system.velocity_updates,
            system.velocity_places,
            work.factors[which],
            work.scratch[inverse],
            work.scratch[SHARE],
            DEPENDENT,
        )
    )


@inlined
def _solve_symmetric(system: System, work: Work, which: int, inverse: int, x: Array) -> None:
    order, ordered, values = system.velocity_order, work.ordered, work.factors[which]
    for i in range(order.shape[0]):
        ordered[i] = x[order[i]]
    ldl.solve(system.velocity_nodes, system.velocity_columns, values, work.scratch[inverse], ordered)
    work.counters[COUNT.PRODUCTS] += values.shape[0]
    for i in range(order.shape[0]):
        x[order[i]] = ordered[i]


@inlined
def smallest_pivot(system: System, work: Work) -> float:
    """Of A, by those of AᵀWA over their diagonals; belongs to the last factor."""
    smallest = 1.0
    for c in range(system.sizes[SIZE.NV]):
        smallest = min(smallest, work.scratch[SHARE, c])
    return math.sqrt(max(smallest, 0.0))


@kernel
def solve(system: System, work: Work, x: Array) -> None:
    """A x = b; b of the rows stands in `RESIDUAL`, that of B in WANTED, and both are destroyed."""
    n, m = system.sizes[SIZE.NV], system.rows.shape[0]
    free, wanted, load = n - system.sizes[SIZE.RANK], work.scratch[WANTED], work.scratch[LOAD]
    for c in range(n):
        x[c] = 0.0
    for _ in range(PASSES):
        for c in range(n):
            load[c] = 0.0
        for r in range(m):
            k = work.row[r, ROW_VALUE.METRIC_WEIGHT] * work.row[r, ROW_VALUE.RESIDUAL]
            add_row(system, work.grad, r, k, load)
        for j in range(free):
            candidate = work.pivots[INDEPENDENTS, j]
            weight = 1.0
            if candidate < coordinate_count(system, work):
                weight = _weight(system, work, system.coordinates[candidate], 1.0)
            _add_candidate(system, work, candidate, weight * wanted[j], load)
        _solve_symmetric(system, work, MATRIX, INVERSE, load)
        moved, size = 0.0, 0.0
        for c in range(n):
            x[c] += load[c]
            moved, size = max(moved, abs(load[c])), max(size, abs(x[c]))
        for r in range(m):
            work.row[r, ROW_VALUE.RESIDUAL] -= row_times(system, work.grad, r, load)
        for j in range(free):
            wanted[j] -= candidate_times(system, work, work.pivots[INDEPENDENTS, j], load)
        if not moved > ENOUGH * size:
            break


# the choice


@kernel
def _project_candidates(system: System, work: Work) -> None:
    """The table B N of all candidates, normalised, with their worth in the last place of the row."""
    n, m, unit = system.sizes[SIZE.NV], system.rows.shape[0], length_scale(system)
    free, candidates, count = (
        n - system.sizes[SIZE.RANK],
        _candidates(system, work),
        coordinate_count(system, work),
    )
    matrix, basis, width = work.factors[METRIC], work.factors[BASIS], system.bodies[0, BODY.NV]
    table = work.factors[TABLE][: candidates * (free + 1)].reshape(candidates, free + 1)
    lengths = width - (1 if width == 3 else 3)

    # D + JᵀWJ, with hard rows: the basis need not be better than the choice
    for i in range(matrix.shape[0]):
        matrix[i] = 0.0
    for b in range(system.bodies.shape[0] - 1):
        block = system.velocity_blocks[b]
        for c in range(width):
            metric = 1.0 / unit**2 if c < lengths else 1.0
            matrix[block[BLOCK.START] + c * (block[BLOCK.ROW_STEP] + 1)] = metric
    for r in range(m):
        g = system.rows[r, ROW.COORDINATE]
        weight = HARD * _weight(system, work, g, unit)
        velocities.add_function_product(system, matrix, g, weight, work.grad, work.grad, True)
    _factor_symmetric(system, work, METRIC, METRIC_INVERSE)

    # N: projected, orthogonal to those before, of length one
    for j in range(free):
        x = basis[j * n : (j + 1) * n]
        for c in range(n):
            x[c] = math.sin(1.0 + c + SPREAD * j * c)
        for _ in range(PROJECTIONS):
            for c in range(n):
                x[c] *= 1.0 / unit**2 if c % width < lengths else 1.0
            _solve_symmetric(system, work, METRIC, METRIC_INVERSE, x)
            for i in range(j):
                other = basis[i * n : (i + 1) * n]
                k = _product(n, width, lengths, unit, x, other)
                for c in range(n):
                    x[c] -= k * other[c]
            size = math.sqrt(_product(n, width, lengths, unit, x, x))
            for c in range(n):
                x[c] /= size

    # B N
    for k in range(candidates):
        size, row = 1.0, table[k]
        if k < count:
            weight = _weight(system, work, system.coordinates[k], unit)
            size = 1.0 / math.sqrt(weight) if weight > 0.0 else 0.0
        elif (k - count) % width < lengths:
            size = unit
        for j in range(free):
            found = candidate_times(system, work, k, basis[j * n : (j + 1) * n])
            row[j] = found / size if size > 0.0 else 0.0
        row[free] = _worth(system, work, k, lengths)


@inlined
def _product(n: int, width: int, lengths: int, unit: float, x: Array, y: Array) -> float:
    """xᵀ D y."""
    total = 0.0
    for c in range(n):
        total += x[c] * y[c] / (unit**2 if c % width < lengths else 1.0)
    return total


@inlined
def _worth(system: System, work: Work, candidate: int, lengths: int) -> float:
    """As `independents.worth`, from the blocks of the gradient."""
    count = coordinate_count(system, work)
    if candidate >= count:
        c = candidate - count
        if c % system.bodies[0, BODY.NV] < lengths:
            return 1.0
        return independents.spin_worth(system, work, c) if lengths == 3 else independents.ANGLE_WORTH
    g = system.coordinates[candidate]
    begin = system.coordinate_functions[g, COORDINATE.BLOCK]
    for k in range(begin, begin + system.coordinate_functions[g, COORDINATE.BLOCKS]):
        if system.bodies[system.block_bodies[k], BODY.V] >= 0:
            for c in range(lengths):
                if work.grad[k, c] != 0.0:
                    return independents.JOINT_WORTH
    return independents.JOINT_WORTH * independents.ANGLE_WORTH


@kernel
def choose(system: System, work: Work) -> float:
    """A fresh choice into FRESH, and its smallest pivot."""
    free, candidates = system.sizes[SIZE.NV] - system.sizes[SIZE.RANK], _candidates(system, work)
    if coordinate_count(system, work) == free:
        for j in range(free):
            work.pivots[independents.FRESH, j] = j
        return 1.0
    _project_candidates(system, work)
    table = work.factors[TABLE][: candidates * (free + 1)].reshape(candidates, free + 1)
    return independents.choose(work, table, candidates, free, free)


@kernel
def quality(system: System, work: Work) -> float:
    """Smallest pivot of the present choice."""
    free, candidates = system.sizes[SIZE.NV] - system.sizes[SIZE.RANK], _candidates(system, work)
    if coordinate_count(system, work) == free:
        return 1.0
    _project_candidates(system, work)
    table = work.factors[TABLE][: candidates * (free + 1)].reshape(candidates, free + 1)
    return independents.quality(work, table, candidates, free)
