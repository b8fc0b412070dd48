"""Hamilton's canonical equations with multipliers (seed 001 §2.3, formulation b), as a formulation.

With our sign of the reactions (M a = Q + Jᵀλ) and σ' = λ:

    M v = p + Jᵀσ,   J v = f' − 2ξω Φ − ω² ∫Φ,        p' = M a − J'ᵀσ − Jᵀλ = Q − J'ᵀσ.

M is constant in our velocity coordinates and Q holds the gyroscopic torque, so this holds for ω in body axes.
J' = B − R with R = ∂(J v)/∂q and B = ∂(J' v)/∂v, the row tangents. State vector y = (q, p, ∫Φ, w).
"""

from engine.calls import call_constraints, call_factor, call_forces, call_rate, call_solve, call_tangents
from engine.formulations.base import FormulationKind
from engine.kernel import kernel
from engine.linsolve.base import apply_mass
from engine.linsolve.rows import add_row
from engine.maths.arrays import copy
from engine.packing import open_system, open_work
from engine.problems import (
    C_EVALUATIONS,
    O_FORMULATION,
    R_VELOCITY,
    RV_F,
    RV_FT,
    RV_GAMMA,
    RV_LAMBDA,
    RV_PHI,
    RV_SOLVE,
    S_NQ,
    S_NV,
    S_QUADRATURES,
    S_ROWS,
    T_NOW,
    TAN_ACC_V,
    TAN_RATE_Q,
    V_A,
    V_FREE,
    V_Q,
    Array,
    Option,
    Packed,
    Room,
    StepStatus,
    System,
)
from engine.system.equations import count_turns, motion_powers
from engine.system.kinematics import coordinate_rates
from engine.system.sampling import write_sample

OK = int(StepStatus.OK)
XI, OMEGA = O_FORMULATION, O_FORMULATION + 1
V, SIGMA = 0, 1  # vectors of Work.scratch


@kernel
def rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    nq, n, m = system.sizes[S_NQ], system.sizes[S_NV], system.rows.shape[0]
    q, p, integral = y[:nq], y[nq : nq + n], y[nq + n : nq + n + m]
    v, sigma, free = work.scratch[V][:n], work.scratch[SIGMA][:m], work.vectors[V_FREE]
    xi, omega = work.options[XI], work.options[OMEGA]

    # velocities and σ from the momenta
    call_constraints(packed, t, q, v)
    status = call_factor(packed)
    if status != OK:
        return int(status)
    copy(p, free)
    for r in range(m):
        row = work.row[r]
        prescribed = row[RV_F] if system.rows[r, R_VELOCITY] else row[RV_FT]
        row[RV_SOLVE] = prescribed - 2.0 * xi * omega * row[RV_PHI] - omega * omega * integral[r]
    call_solve(packed, 1)
    copy(free, v)
    for r in range(m):
        sigma[r] = work.row[r, RV_SOLVE]

    # with them forces, and accelerations and reactions for the report, by the same factor
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    copy(work.vectors[V_Q], free)
    for r in range(m):
        work.row[r, RV_SOLVE] = work.row[r, RV_GAMMA]
    status = call_solve(packed, 1)
    copy(free, work.vectors[V_A])
    for r in range(m):
        work.row[r, RV_LAMBDA] = work.row[r, RV_SOLVE]
    motion_powers(system, work)
    call_tangents(packed, t, work.vectors[V_A])
    work.counters[C_EVALUATIONS] += 1

    coordinate_rates(system.bodies, q, v, dy[:nq])
    momentum = dy[nq : nq + n]
    copy(work.vectors[V_Q], momentum)
    for r in range(m):
        add_row(system, work.tangent[TAN_ACC_V], r, -sigma[r], momentum)
        add_row(system, work.tangent[TAN_RATE_Q], r, sigma[r], momentum)
        dy[nq + n + r] = work.row[r, RV_PHI]
    copy(work.power, dy[nq + n + m :])
    return int(status)


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """(q, v, 0, w) → (q, p, 0, w) with σ = 0."""
    system, work = open_system(packed), open_work(packed)
    nq, n = system.sizes[S_NQ], system.sizes[S_NV]
    v = work.scratch[V][:n]
    copy(y[nq : nq + n], v)
    apply_mass(system, v, y[nq : nq + n])
    status = call_rate(packed, clock[T_NOW], y, work.stages[0])
    count_turns(system, work)
    return int(status)


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[S_NQ], system.sizes[S_NV], system.sizes[S_QUADRATURES]
    write_sample(system, work, clock, y[:nq], work.scratch[V][:n], y[y.shape[0] - nw :], sample)


def size(system: System) -> int:
    return int(system.sizes[[S_NQ, S_NV, S_ROWS, S_QUADRATURES]].sum())


def room(system: System) -> Room:
    return Room(vectors=2, order=max(int(system.sizes[S_NQ]), len(system.rows)))


KIND = FormulationKind(
    name="prototype_canonical",
    title="Canonical equations",
    summary="Momenta instead of velocities; one differentiation of the constraints.",
    layout="qp",
    size=size,
    rate=rate,
    start=start,
    report=report,
    tangents=True,
    room=room,
    options=(Option("xi", XI, 1.0, "Damping ratio"), Option("omega", OMEGA, 10.0, "Frequency", "1/s")),
)
