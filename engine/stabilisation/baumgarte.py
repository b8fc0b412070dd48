"""Baumgarte.

Feed violations back, Φ'' + 2α Φ' + β² Φ = 0 (seed 002 eq. 172). Velocity rows: (A v)' + 2α (A v − b) = 0.
"""

from engine.kernel import kernel
from engine.packing import open_system, open_work
from engine.problems import O_STABILISATION, RV_GAMMA, RV_PHI, RV_RATE, Option, Packed
from engine.stabilisation.base import StabilisationKind, normalise_only

ALPHA, BETA = O_STABILISATION, O_STABILISATION + 1


@kernel
def feedback(packed: Packed) -> None:
    system, work = open_system(packed), open_work(packed)
    alpha, beta = work.options[ALPHA], work.options[BETA]
    for r in range(system.rows.shape[0]):
        row = work.row[r]
        row[RV_GAMMA] -= 2.0 * alpha * row[RV_RATE] + beta * beta * row[RV_PHI]


KIND = StabilisationKind(
    name="baumgarte",
    title="Baumgarte",
    summary="Violations decay like a damped spring; cheap, but the gains must suit the step.",
    feedback=feedback,
    settle=normalise_only,
    layouts=frozenset({"qv"}),
    options=(
        Option("alpha", ALPHA, 20.0, "Gain on the rate", "1/s"),
        Option("beta", BETA, 20.0, "Gain on the violation", "1/s"),
    ),
)
