"""Baumgarte: feed violations back, Φ″ + 2α Φ′ + β² Φ = 0 [Baumgarte 1972], [Flores 2012, eq. 172].

Velocity rows: (A v)′ + 2α (A v − b) = 0. The kinds differ only in where the gains come from:

    baumgarte            both are given
    baumgarte_critical   β = α: violations vanish as fast as they can without swinging
    baumgarte_taylor     α = 1/h, β = √2/h: the violation of the next step, by its Taylor series, is zero
    baumgarte_auto       β = α, as wanted, but at most a share of the α that the scheme bears at this step
"""

import math
from functools import partial

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed
from engine.maths.amplification import Growth, gain_limit
from engine.solvers.stabilisation.base import StabilisationKind, normalise_only

ALPHA, BETA, SHARE, WANTED = (SLOT.STABILISATION + k for k in range(4))
ALWAYS_STABLE = 4.0  # αh that counts as the limit of schemes that have none
TITLE_ALPHA = "Gain on the rate"


@kernel
def feedback(packed: Packed) -> None:
    system, work = open_system(packed), open_work(packed)
    alpha, beta = work.options[ALPHA], work.options[BETA]
    for r in range(system.rows.shape[0]):
        row = work.row[r]
        row[ROW_VALUE.GAMMA] -= 2.0 * alpha * row[ROW_VALUE.RATE] + beta * beta * row[ROW_VALUE.PHI]


def _critical(growth: Growth | None, numbers: Array, dt: float) -> None:
    numbers[BETA] = numbers[ALPHA]


def _taylor(growth: Growth | None, numbers: Array, dt: float) -> None:
    numbers[ALPHA], numbers[BETA] = 1.0 / dt, math.sqrt(2.0) / dt


def _auto(growth: Growth | None, numbers: Array, dt: float) -> None:
    limit = ALWAYS_STABLE if growth is None else min(ALWAYS_STABLE, gain_limit(growth, numbers))
    numbers[ALPHA] = numbers[BETA] = min(numbers[WANTED], numbers[SHARE] * limit / dt)


# an implicit scheme solves for multipliers at an unsettled state, and there they have no bound
SINGULAR_FAILURE = "the feedback leaves violations, with which an implicit scheme finds no next step there"
EXPLICIT = frozenset({"explicit"})
# what they differ in is how the gains come about
_kind = partial(
    StabilisationKind,
    feedback=feedback,
    project=normalise_only,
    layouts=frozenset({"qv"}),
    feeds_back=True,
    singular_failure=SINGULAR_FAILURE,
    passes_with=EXPLICIT,
)
FREE = _kind(
    name="baumgarte",
    title="Baumgarte",
    summary="Violations decay like a damped spring; cheap, but the gains must suit the step.",
    options=(
        Option("alpha", ALPHA, 20.0, TITLE_ALPHA, "1/s"),
        Option("beta", BETA, 20.0, "Gain on the violation", "1/s"),
    ),
)
CRITICAL = _kind(
    name="baumgarte_critical",
    title="Baumgarte, critically damped",
    summary="One gain for violation and rate: violations decay without swinging.",
    options=(Option("alpha", ALPHA, 20.0, TITLE_ALPHA, "1/s"),),
    choose=_critical,
)
TAYLOR = _kind(
    name="baumgarte_taylor",
    title="Baumgarte, Taylor rule",
    summary="Gains 1/h and √2/h; strong, and unstable with Euler and Adams schemes.",
    needs_fixed_step=True,
    choose=_taylor,
)
AUTO = _kind(
    name="baumgarte_auto",
    title="Baumgarte, automatic gains",
    summary="A moderate gain, lowered where the stability region of scheme and step asks for it.",
    needs_fixed_step=True,
    options=(
        Option("wanted", WANTED, 20.0, "Gain where the step allows it", "1/s"),
        Option("share", SHARE, 0.25, "Share of the stability limit that is used"),
    ),
    choose=_auto,
)
