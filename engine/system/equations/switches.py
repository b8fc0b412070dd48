"""States that laws hold within a step: whether they still fit, and those that fit now."""

from engine.compiled.arenas import open_system
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import call_switch
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed


@kernel
def smallest_margin(packed: Packed, settle: int) -> float:
    """The smallest margin of all laws at the state that was evaluated last; negative: one does not fit.

    With settle = 1 the states that do not fit become those that do.
    """
    system = open_system(packed)
    first, smallest = system.sizes[SIZE.PRIMITIVES], 1.0
    for k in range(system.ranges.shape[0] - first):
        begin, end = system.ranges[first + k, SPAN.BEGIN], system.ranges[first + k, SPAN.END]
        if end > begin:
            smallest = min(smallest, call_switch(packed, k, begin, end, settle))
    return smallest


@kernel
def each_margin(packed: Packed, out: Array) -> None:
    """The margin of every law, by its line in the table of forces."""
    system = open_system(packed)
    first = system.sizes[SIZE.PRIMITIVES]
    for k in range(system.ranges.shape[0] - first):
        for i in range(system.ranges[first + k, SPAN.BEGIN], system.ranges[first + k, SPAN.END]):
            out[i] = call_switch(packed, k, i, i + 1, 0)
