"""Numbers of laws that follow differential equations: they are integrated beside the work integrals."""

from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, System
from engine.elements.laws import LAWS, lugre

KIND = LAWS.names.index(lugre.KIND.name)


@kernel
def take_law_states(system: System, integrals: Array) -> None:
    """Let laws be evaluated with these of their numbers."""
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + KIND]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        for k in range(system.forces[i, lugre.COUNT]):
            system.force_reals[i, lugre.BEND + k] = integrals[system.forces[i, lugre.INTEGRAL] + k]


def has_law_states(system: System) -> bool:
    span = system.ranges[int(system.sizes[SIZE.PRIMITIVES]) + KIND]
    return bool(span[SPAN.END] > span[SPAN.BEGIN])
