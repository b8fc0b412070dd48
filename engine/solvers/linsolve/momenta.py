"""Momenta instead of velocities: what the forms of Hamilton's canonical equations share [Celej 2018, ch. 5].

With our sign of the reactions (M a = Q + Jᵀλ) and multipliers σ of the velocity rows, σ' = λ:

    p  = M v − Jᵀσ,      c = Φ' + 2ξω Φ + ω² ∫Φ = 0,      p' = Q − J'ᵀσ

and, differentiated once more,  M a = Q + Jᵀσ',  J a = γ − 2ξω Φ' − ω² Φ:  the reactions. M is constant in our
velocity coordinates and Q holds the gyroscopic torque, so all this holds in the plane and for ω in body axes:
three or six momenta per body. J' = B − R with R = ∂(J v)/∂q and B = ∂(J' v)/∂v, the row tangents.
"""

from engine.compiled.columns import options as SLOT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, Option, System, Work
from engine.maths.arrays import copy
from engine.solvers.linsolve.long_chains import harder
from engine.solvers.linsolve.penalised import LONG, set_row_weights
from engine.solvers.linsolve.rows import add_row

# slots of Work.options, those of a direct method as well
XI, OMEGA, FEEDBACK, PENALTY, WEIGHTS = (SLOT.FORMULATION + k for k in range(5))
OWN = SLOT.FORMULATION + 5  # slots from here on belong to the kind
PROPORTIONAL_INTEGRAL, PROPORTIONAL, NO_FEEDBACK = 0.0, 1.0, 2.0
BY_MASS, ALIKE = 0.0, 1.0


def feedback_options(xi: float, omega: float) -> tuple[Option, ...]:
    """Numbers of c = Φ' + 2ξω Φ + ω² ∫Φ."""
    return (
        Option("xi", XI, xi, "Damping ratio of the constraint feedback"),
        Option("omega", OMEGA, omega, "Frequency of the constraint feedback", "1/s"),
        Option(
            "feedback",
            FEEDBACK,
            PROPORTIONAL_INTEGRAL,
            "Constraint feedback",
            choices=("proportional-integral", "proportional", "none"),
        ),
    )


def penalty_options(penalty: float) -> tuple[Option, ...]:
    """Weights ρ of the rows."""
    return (
        Option("penalty", PENALTY, penalty, "Penalty", exclusive=True),
        Option(
            "weights",
            WEIGHTS,
            BY_MASS,
            "Penalty counts",
            choices=("over the mass that a row moves", "as given"),
        ),
    )


@inlined
def carry(numbers: Array, sample: Array, at: int) -> int:
    """Write numbers of the method's own into a sample; returns where the next ones go."""
    for i in range(numbers.shape[0]):
        sample[at + i] = numbers[i]
    return at + int(numbers.shape[0])


@inlined
def gains(work: Work) -> tuple[float, float]:
    """2ξω and ω²; the factors of Φ and ∫Φ in the velocity rows."""
    xi, omega, kind = work.options[XI], work.options[OMEGA], work.options[FEEDBACK]
    if kind == NO_FEEDBACK:
        return 0.0, 0.0
    return 2.0 * xi * omega, omega * omega if kind == PROPORTIONAL_INTEGRAL else 0.0


@inlined
def weigh(system: System, work: Work, iterated: bool) -> None:
    """ρ of every row, in ROW_VALUE.WEIGHT; harder for long mechanisms where iterations take its error out."""
    if work.options[WEIGHTS] == BY_MASS:
        penalty = work.options[PENALTY]
        set_row_weights(system, work, harder(system, penalty, LONG) if iterated else penalty)
    else:
        for r in range(system.rows.shape[0]):
            work.row[r, ROW_VALUE.WEIGHT] = work.options[PENALTY]


@inlined
def pose_velocities(
    system: System, work: Work, p: Array, integral: Array, on_phi: float, on_integral: float
) -> None:
    """M v = p + Jᵀσ,  J v = f' − 2ξω Φ − ω² ∫Φ,  for a linear solver."""
    copy(p, work.vectors[VECTOR.FREE])
    for r in range(system.rows.shape[0]):
        row = work.row[r]
        prescribed = row[ROW_VALUE.F] if system.rows[r, ROW.VELOCITY] else row[ROW_VALUE.FT]
        row[ROW_VALUE.SOLVE] = prescribed - on_phi * row[ROW_VALUE.PHI] - on_integral * integral[r]


@inlined
def pose_accelerations(system: System, work: Work, on_rate: float, on_phi: float) -> None:
    """M a = Q + Jᵀσ',  J a = γ − 2ξω Φ' − ω² Φ,  for a linear solver."""
    copy(work.vectors[VECTOR.Q], work.vectors[VECTOR.FREE])
    for r in range(system.rows.shape[0]):
        row = work.row[r]
        row[ROW_VALUE.SOLVE] = (
            row[ROW_VALUE.GAMMA] - on_rate * row[ROW_VALUE.RATE] - on_phi * row[ROW_VALUE.PHI]
        )


@inlined
def keep_accelerations(system: System, work: Work) -> None:
    """What the solver found, as a and λ = σ'."""
    copy(work.vectors[VECTOR.FREE], work.vectors[VECTOR.A])
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.LAMBDA] = work.row[r, ROW_VALUE.SOLVE]


@inlined
def momentum_rate(system: System, work: Work, sigma: Array, out: Array) -> None:
    """out = Q − J'ᵀσ, after `tangents`."""
    copy(work.vectors[VECTOR.Q], out)
    for r in range(system.rows.shape[0]):
        add_row(system, work.tangent[TAN.ACC_V], r, -sigma[r], out)
        add_row(system, work.tangent[TAN.RATE_Q], r, sigma[r], out)
