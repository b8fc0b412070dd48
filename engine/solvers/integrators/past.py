"""The past of multistep schemes: how many earlier values fit the step that is asked for.

`Work.history` is zero after every jump, so nothing fits then. A scheme drops its past before a step and takes
it up again when the step has been accepted: after a failure it begins anew.
"""

from engine.compiled.columns import counters as COUNT
from engine.compiled.kernel import inlined
from engine.compiled.layout import Work

# Work.history
H_STEP, H_COUNT = 0, 1
STEP_TOLERANCE = 1e-9  # of a step: the grid of time is rounded


@inlined
def take_past(work: Work, h: float) -> int:
    """Number of earlier values at the distance h; forgotten until `keep_past`."""
    count = int(work.history[H_COUNT])
    if not abs(h - work.history[H_STEP]) <= STEP_TOLERANCE * h:
        count = 0
    work.history[H_COUNT] = 0.0
    return count


@inlined
def keep_past(work: Work, h: float, count: int) -> None:
    """`count` earlier values at the distance h stand behind the accepted state."""
    work.history[H_STEP] = h
    work.history[H_COUNT] = 0.0 if work.counters[COUNT.REBASED] else float(count)
    work.counters[COUNT.REBASED] = 0
