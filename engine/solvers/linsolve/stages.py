"""Matrices over the velocities of several stages at once: sums, factors, solutions.

Such a matrix has one block over the velocities (`velocities.py`) for every two stages. In the sparse layout
all stages share the structure of one: each of its lines stands for as many lines, those of one body stage
after stage, and the work grows with the size of the mechanism as that of a single stage does. In the dense
layout it is a plain matrix, stage after stage. Vectors are stage after stage in both.
"""

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, StepStatus, System, Work
from engine.maths.arrays import index
from engine.maths.sparse import lu
from engine.maths.sparse.symbolic import FIRST
from engine.maths.sparse.symbolic import SIZE as NODE_SIZE
from engine.maths.sparse.symbolic import START as NODE_START

OK, SINGULAR = int(StepStatus.OK), int(StepStatus.SINGULAR)


def factor_count(stages: int) -> int:
    """How many of `Work.factors` one matrix of so many stages takes, one behind the other."""
    return stages * stages


@inlined
def _place(system: System, number: int, i: int, j: int, stages: int) -> tuple[int, int, int]:
    """Where a block of two bodies stands for stages i and j: first entry, steps from row to row and from
    column to column."""
    block, width = system.velocity_blocks[number], system.bodies[0, BODY.NV]
    start, row_step, column_step = block[BLOCK.START], block[BLOCK.ROW_STEP], block[BLOCK.COLUMN_STEP]
    count = system.velocity_nodes.shape[0] - 1
    if count == 1:
        n = system.sizes[SIZE.NV]
        return (
            (i * n + block[BLOCK.ROW_VELOCITY]) * stages * n + j * n + block[BLOCK.COLUMN_VELOCITY],
            stages * n,
            1,
        )
    square = stages * stages
    if column_step == 1:
        panel = system.velocity_blocks[block[BLOCK.ROW_VELOCITY] // width, BLOCK.START]
        within = stages * (start - panel) + i * width * stages * row_step + j * width
        return square * panel + within, stages * row_step, 1
    panel = system.velocity_blocks[block[BLOCK.COLUMN_VELOCITY] // width, BLOCK.START]
    panel += system.velocity_nodes[count, NODE_START]
    within = stages * (start - panel) + j * width * stages * column_step + i * width
    return square * panel + within, 1, stages * column_step


@kernel
def put(system: System, matrix: Array, i: int, j: int, stages: int, out: Array) -> None:
    """The block of stages i and j of out = a matrix over the velocities."""
    width = system.bodies[0, BODY.NV]
    for number in range(system.velocity_blocks.shape[0]):
        block = system.velocity_blocks[number]
        at, row_step, column_step = _place(system, number, i, j, stages)
        # one of the steps is 1, here and there
        own, to = block[BLOCK.ROW_STEP] * block[BLOCK.COLUMN_STEP], row_step * column_step
        target, source = index(at), index(block[BLOCK.START])
        for _ in range(width):
            for w in range(index(0), index(width)):
                out[target + w] = matrix[source + w]
            target += index(to)
            source += index(own)


@kernel
def factor(system: System, work: Work, stages: int, matrix: Array, pivots: Ints, line: Array) -> int:
    """L and U in place of the matrix; a vanishing pivot is blamed on its velocity."""
    nodes = system.velocity_nodes
    n, size = system.sizes[SIZE.NV], nodes[0, NODE_SIZE]
    failed = lu.factor(nodes, system.velocity_updates, system.velocity_places, matrix, pivots, line, stages)
    work.counters[COUNT.ELIMINATIONS] += 1
    work.counters[COUNT.PRODUCTS] += 2 * stages**3 * system.sizes[SIZE.FACTOR_PRODUCTS]
    if failed == lu.FACTORED:
        return OK
    work.counters[COUNT.OFFENDER] = failed % n
    if nodes.shape[0] > 2:
        # lines of one body, stage after stage
        work.counters[COUNT.OFFENDER] = system.velocity_order[
            failed // (stages * size) * size + failed % size
        ]
    return SINGULAR


@kernel
def solve(
    system: System, work: Work, stages: int, matrix: Array, pivots: Ints, ordered: Array, x: Array
) -> None:
    """x ← A⁻¹ x with the factor of `factor`; `ordered` is scratch of the same length."""
    nodes, order, n = system.velocity_nodes, system.velocity_order, system.sizes[SIZE.NV]
    work.counters[COUNT.PRODUCTS] += matrix.shape[0]
    if nodes.shape[0] == 2:
        lu.solve(nodes, system.velocity_updates, matrix, pivots, x, stages)
        return
    for k in range(nodes.shape[0] - 1):
        first, size = nodes[k, FIRST], nodes[k, NODE_SIZE]
        for i in range(stages):
            for c in range(size):
                ordered[stages * first + i * size + c] = x[i * n + order[first + c]]
    lu.solve(nodes, system.velocity_updates, matrix, pivots, ordered, stages)
    for k in range(nodes.shape[0] - 1):
        first, size = nodes[k, FIRST], nodes[k, NODE_SIZE]
        for i in range(stages):
            for c in range(size):
                x[i * n + order[first + c]] = ordered[stages * first + i * size + c]
