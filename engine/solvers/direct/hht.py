"""HHT: forces averaged, α_m = 0 and α_f = −α [Hilber 1977]:

γ = ½ − α,  β = (1 − α)²/4,  α ∈ [−⅓, 0]; ρ∞ = (1 + α)/(1 − α).
"""

from engine.compiled.arenas import open_work
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed
from engine.solvers.direct.alpha import INDICES, OWN_NUMBER, begin, report, room, size, step, warns
from engine.solvers.direct.base import DirectKind
from engine.solvers.direct.newmark_rule import growth_of


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    af = -open_work(packed).options[OWN_NUMBER]
    return begin(packed, clock, y, 0.0, af, 0.25 * (1.0 + af) ** 2, 0.5 + af)


def _parameters(numbers: Array) -> tuple[float, float, float, float]:
    af = -float(numbers[OWN_NUMBER])
    return 0.0, af, 0.25 * (1.0 + af) ** 2, 0.5 + af


KIND = DirectKind(
    name="hht",
    title="HHT",
    summary="Order 2, forces averaged over the step; the classic of structural dynamics.",
    order=2,
    start=start,
    step=step,
    report=report,
    size=size,
    room=room,
    warns=warns,
    growth=growth_of(_parameters),
    options=(Option("alpha", OWN_NUMBER, -0.05, "α", minimum=-1 / 3, maximum=0.0), INDICES),
)
