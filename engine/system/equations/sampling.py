"""One complete sample: what every formulation's and direct method's `report` writes."""

from engine.compiled.kernel import inlined
from engine.compiled.layout import (
    C_ITERATIONS,
    GV_REFERENCE,
    INFO_FEWEST,
    INFO_LEFT_OUT,
    INFO_WORST,
    LD_INFO,
    RV_LAMBDA,
    T_FREQUENCY,
    T_NOW,
    T_USED,
    V_A,
    Array,
    System,
    Work,
)
from engine.maths.arrays import copy


@inlined
def write_sample(
    system: System, work: Work, clock: Array, q: Array, v: Array, works: Array, sample: Array
) -> None:
    """t, q, v, a, λ, work integrals, turns, then step size, iterations, smallest pivot, frequency.

    a and λ are those of the accepted state, left in V_A and RV_LAMBDA.
    """
    nq, nv, m, nw = q.shape[0], v.shape[0], system.rows.shape[0], works.shape[0]
    sample[0] = clock[T_NOW]
    copy(q, sample[1:])
    copy(v, sample[1 + nq :])
    at = 1 + nq + nv
    copy(work.vectors[V_A], sample[at:])
    at += nv
    for r in range(m):
        sample[at + r] = work.row[r, RV_LAMBDA]
    at += m
    copy(works, sample[at:])
    at += nw
    for k in range(system.tracked.shape[0]):
        sample[at + k] = work.gauge[system.tracked[k], GV_REFERENCE]
    at += system.tracked.shape[0]
    sample[at] = clock[T_USED]
    sample[at + 1] = work.counters[C_ITERATIONS]
    info = work.diagonal[LD_INFO]
    sample[at + 2] = info[INFO_WORST] if info[INFO_LEFT_OUT] <= info[INFO_FEWEST] else 0.0
    sample[at + 3] = clock[T_FREQUENCY]
