"""How hard rows must be in long mechanisms.

Penalties leave a share 1/(1 + ρ μ) of a gap in each pass, μ the smallest non-zero eigenvalue of J M⁻¹ Jᵀ.
That of a chain falls with the square of its length: with weights that grow as fast, passes stay as few.
"""

from engine.compiled.kernel import inlined
from engine.compiled.layout import System

# the most that rounding allows; near a singular configuration the vanishing direction would not be closed
# otherwise
HARD = 1e10


@inlined
def harder(system: System, stiffness: float, long: float) -> float:
    """The stiffness of rows, grown with the square of the number of bodies above `long`, up to `HARD`."""
    length = system.bodies.shape[0] / long
    if length > 1.0:
        stiffness = max(stiffness, min(stiffness * length * length, HARD))
    return stiffness
