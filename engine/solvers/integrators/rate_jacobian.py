"""∂f/∂y of a formulation's rate, by differences."""

from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.solvers.integrators.base import OK

SHIFT = 1e-7  # of a number (or of 1): its change in the differences


@kernel
def rate_jacobian(packed: Packed, t: float, y: Array, rate: Array, shifted: Array, out: Array) -> int:
    """out[i, j] = ∂f_i/∂y_j at y, whose rate is given; `shifted` is scratch, y is left as it was."""
    n = y.shape[0]
    for j in range(n):
        kept, shift = y[j], SHIFT * max(1.0, abs(y[j]))
        y[j] = kept + shift
        status = call_rate(packed, t, y, shifted)
        y[j] = kept
        if status != OK:
            return int(status)
        for i in range(n):
            out[i, j] = (shifted[i] - rate[i]) / shift
    return OK
