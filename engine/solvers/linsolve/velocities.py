"""Matrices over the velocities: sums, products with vectors, factors. What they are stored as, nobody asks.

Stiffness, damping and every matrix of `Work.factors` share the layout that was chosen when the mechanism was
compiled (`system/compiling/velocity_layout.py`), dense or sparse. Entries are reached by the blocks of two
bodies; `System.pairs` has the numbers of the blocks between the bodies of one coordinate function.
"""

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import fast_kernel, inlined, inlined_fast, kernel
from engine.compiled.layout import Array, StepStatus, System, Work
from engine.maths.arrays import index
from engine.maths.sparse import lu

OK, SINGULAR = int(StepStatus.OK), int(StepStatus.SINGULAR)


@inlined
def is_sparse(system: System) -> bool:
    """Whether the layout has a panel for every body, which is what the cost model chose for this size."""
    return bool(system.velocity_nodes.shape[0] > 2)


@inlined
def add_mass(system: System, k: float, matrix: Array) -> None:
    """matrix += k M."""
    for b in range(system.bodies.shape[0] - 1):
        at, step = system.velocity_blocks[b, BLOCK.START], system.velocity_blocks[b, BLOCK.ROW_STEP]
        real = system.body_reals[b]
        mass = k * real[BODY_REAL.MASS]
        matrix[at] += mass
        matrix[at + step + 1] += mass
        at += 2 * (step + 1)
        if system.bodies[b, BODY.PLANAR]:
            matrix[at] += k * real[BODY_REAL.INERTIA + 8]
        else:
            matrix[at] += mass
            at += step + 1
            for i in range(3):
                for j in range(3):
                    matrix[at + i * step + j] += k * real[BODY_REAL.INERTIA + 3 * i + j]


@inlined_fast
def add_row_product(
    system: System, matrix: Array, r: int, k: float, left: Array, right: Array, upper: bool
) -> None:
    """matrix += k leftᵀ right for constraint row r of two tables of gradient blocks."""
    add_function_product(system, matrix, system.rows[r, ROW.COORDINATE], k, left, right, upper)


@inlined_fast
def add_function_product(
    system: System, matrix: Array, g: int, k: float, left: Array, right: Array, upper: bool
) -> None:
    """The same for a coordinate function, whether a row holds it or not.

    `upper`: without the blocks below the diagonal, which a symmetric factor does not read. Many gradients are
    zero: rows of a point have one direction.
    """
    function, width = system.coordinate_functions[g], index(system.bodies[0, BODY.NV])
    begin, pair = function[COORDINATE.BLOCK], function[COORDINATE.PAIR]
    end = begin + function[COORDINATE.BLOCKS]
    for i in range(begin, end):
        for j in range(begin, end):
            number = system.pairs[pair]
            pair += 1
            if number < 0:
                continue
            block, on_rows, on_columns = system.velocity_blocks[number], left[i], right[j]
            at = index(block[BLOCK.START])
            if block[BLOCK.COLUMN_STEP] == 1:
                for u in range(width):
                    f = k * on_rows[u]
                    if f != 0.0:
                        for w in range(width):
                            matrix[at + w] += f * on_columns[w]
                    at += index(block[BLOCK.ROW_STEP])
            elif not upper:
                for w in range(width):
                    f = k * on_columns[w]
                    if f != 0.0:
                        for u in range(width):
                            matrix[at + u] += f * on_rows[u]
                    at += index(block[BLOCK.COLUMN_STEP])


@fast_kernel
def subtract_product(system: System, matrix: Array, x: Array, out: Array) -> None:
    """out −= matrix x."""
    width = index(system.bodies[0, BODY.NV])
    for k in range(system.velocity_blocks.shape[0]):
        block = system.velocity_blocks[k]
        row, column = index(block[BLOCK.ROW_VELOCITY]), index(block[BLOCK.COLUMN_VELOCITY])
        at, step = index(block[BLOCK.START]), index(block[BLOCK.COLUMN_STEP])
        for u in range(width):
            total, entry = 0.0, at
            for c in range(column, column + width):
                total += matrix[entry] * x[c]
                entry += step
            out[row + u] -= total
            at += index(block[BLOCK.ROW_STEP])


@fast_kernel
def subtract_products(system: System, one: Array, x: Array, other: Array, y: Array, out: Array) -> None:
    """out −= one x + other y."""
    width = index(system.bodies[0, BODY.NV])
    for k in range(system.velocity_blocks.shape[0]):
        block = system.velocity_blocks[k]
        row, column = index(block[BLOCK.ROW_VELOCITY]), index(block[BLOCK.COLUMN_VELOCITY])
        at, step = index(block[BLOCK.START]), index(block[BLOCK.COLUMN_STEP])
        for u in range(width):
            total, entry = 0.0, at
            for c in range(column, column + width):
                total += one[entry] * x[c] + other[entry] * y[c]
                entry += step
            out[row + u] -= total
            at += index(block[BLOCK.ROW_STEP])


@inlined
def diagonal(system: System, matrix: Array, out: Array) -> None:
    """out = the diagonal of the matrix."""
    width = system.bodies[0, BODY.NV]
    for b in range(system.bodies.shape[0] - 1):
        block = system.velocity_blocks[b]
        for c in range(width):
            out[block[BLOCK.ROW_VELOCITY] + c] = matrix[block[BLOCK.START] + c * (block[BLOCK.ROW_STEP] + 1)]


@kernel
def factor(system: System, work: Work, which: int) -> int:
    """Factor one of `Work.factors` in place; a vanishing pivot is blamed on its velocity."""
    failed = lu.factor(
        system.velocity_nodes,
        system.velocity_updates,
        system.velocity_places,
        work.factors[which],
        work.factor_pivots[which],
        work.ordered,
    )
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += 2 * system.sizes[SIZE.FACTOR_PRODUCTS]
    if failed == lu.FACTORED:
        return OK
    work.counters[COUNT.OFFENDER] = system.velocity_order[failed]
    return SINGULAR


@kernel
def solve(system: System, work: Work, which: int, x: Array) -> None:
    """x ← A⁻¹ x with the factor of `factor`."""
    order, ordered, values = system.velocity_order, work.ordered, work.factors[which]
    work.counters[COUNT.PRODUCTS] += values.shape[0]
    if not is_sparse(system):  # one panel keeps the natural order
        lu.solve(system.velocity_nodes, system.velocity_updates, values, work.factor_pivots[which], x)
        return
    for i in range(order.shape[0]):
        ordered[i] = x[index(order[i])]
    lu.solve(system.velocity_nodes, system.velocity_updates, values, work.factor_pivots[which], ordered)
    for i in range(order.shape[0]):
        x[index(order[i])] = ordered[i]
