"""One complete sample: what every formulation's and direct method's `report` writes."""

from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, System, Work
from engine.maths.arrays import copy


@inlined
def write_sample(
    system: System, work: Work, clock: Array, q: Array, v: Array, works: Array, sample: Array
) -> None:
    """t, q, v, a, λ, work integrals, turns, then step size, iterations, smallest pivot, frequency.

    a and λ are those of the accepted state, left in VECTOR.A and ROW_VALUE.LAMBDA.
    """
    nq, nv, m, nw = q.shape[0], v.shape[0], system.rows.shape[0], works.shape[0]
    sample[0] = clock[CLOCK.NOW]
    copy(q, sample[1:])
    copy(v, sample[1 + nq :])
    at = 1 + nq + nv
    copy(work.vectors[VECTOR.A], sample[at:])
    at += nv
    for r in range(m):
        sample[at + r] = work.row[r, ROW_VALUE.LAMBDA]
    at += m
    copy(works, sample[at:])
    at += nw
    for k in range(system.tracked.shape[0]):
        sample[at + k] = work.coordinate[system.tracked[k], COORDINATE_VALUE.REFERENCE]
    at += system.tracked.shape[0]
    sample[at] = clock[CLOCK.USED]
    sample[at + 1] = work.counters[COUNT.ITERATIONS]
    info = work.diagonal[DIAGONAL.INFO]
    sample[at + 2] = info[PIVOT.WORST] if info[PIVOT.LEFT_OUT] <= info[PIVOT.FEWEST] else 0.0
    sample[at + 3] = clock[CLOCK.FREQUENCY]
