"""Generalised-α with the spectral radius at infinity as its one number [Chung 1993]:

α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = ½ + α_f − α_m,  β = (γ + ½)²/4.
"""

from engine.compiled.arenas import open_work
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed
from engine.solvers.direct.alpha import INDICES, OWN_NUMBER, begin, report, room, size, step, warns
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.newmark_rule import growth_of


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    rho = open_work(packed).options[OWN_NUMBER]
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + af - am
    return begin(packed, clock, y, am, af, 0.25 * (gamma + 0.5) ** 2, gamma)


def _parameters(numbers: Array) -> tuple[float, float, float, float]:
    rho = float(numbers[OWN_NUMBER])
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + af - am
    return am, af, 0.25 * (gamma + 0.5) ** 2, gamma


KIND = DirectKind(
    name="generalized_alpha",
    title="Generalised-α",
    summary="Order 2 with damping of high frequencies chosen by one number.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    warns=warns,
    growth=growth_of(_parameters),
    options=(Option("rho", OWN_NUMBER, 0.9, "Spectral radius at infinity", maximum=1.0), INDICES),
)
