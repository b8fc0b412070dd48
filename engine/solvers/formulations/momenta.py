"""What formulations with momenta share: the layout y = (q, p, ∫Φ, w), and the rate once a and λ are known."""

from typing import NamedTuple

from engine.compiled.arenas import open_system, open_work
from engine.compiled.carried import Carried
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_tangents
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.compiled.states import Coordinates, PerRow, Velocities, Works, open_motion, state_size, state_view
from engine.maths.arrays import copy
from engine.solvers.formulations import common
from engine.solvers.formulations.common import conclude
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.momenta import carry, momentum_rate
from engine.system.equations.kinematics import coordinate_rates
from engine.system.equations.sampling import write_sample

# vectors of Work.scratch; the first ones are free for a linear algebra of the formulation
V, SIGMA = DIAGONAL.COLUMNS, DIAGONAL.COLUMNS + 1
VECTORS = DIAGONAL.COLUMNS + 2


class CanonicalState(NamedTuple):
    """Coordinates, momenta p = M v − Jᵀσ, ∫Φ dt, work integrals."""

    q: Coordinates
    p: Velocities
    integral: PerRow
    works: Works


CARRIED = (Carried("momenta", "velocity"), Carried("sigma", "row"), Carried("integral", "row"))
open_state = state_view(CanonicalState)
size = state_size(CanonicalState)


@inlined
def keep_velocities(system: System, work: Work, v: Array, sigma: Array) -> None:
    """What the solver found, as v and σ."""
    copy(work.vectors[VECTOR.FREE], v)
    for r in range(system.rows.shape[0]):
        sigma[r] = work.row[r, ROW_VALUE.SOLVE]


@inlined
def fill_rate(packed: Packed, t: float, q: Array, v: Array, sigma: Array, dy: Array) -> int:
    """dy = (T(q) v, Q − J'ᵀσ, Φ, powers), with a and λ known; status of `conclude`."""
    system, work = open_system(packed), open_work(packed)
    rate = open_state(system, dy)
    status = conclude(packed)
    call_tangents(packed, t, work.vectors[VECTOR.A])
    coordinate_rates(system.bodies, q, v, rate.q)
    momentum_rate(system, work, sigma, rate.p)
    for r in range(system.rows.shape[0]):
        rate.integral[r] = work.row[r, ROW_VALUE.PHI]
    copy(work.power, rate.works)
    return status


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """(q, v, 0, w) → (q, p, 0, w) with σ = 0."""
    system, work = open_system(packed), open_work(packed)
    v = work.scratch[V][: system.sizes[SIZE.NV]]
    copy(open_motion(system, y).v, v)
    apply_mass(system, v, open_state(system, y).p)
    return common.start(packed, clock, y)


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    state, v = open_state(system, y), work.scratch[V][: system.sizes[SIZE.NV]]
    write_sample(system, work, clock, state.q, v, state.works, sample)
    sigma, m = work.scratch[SIGMA], system.rows.shape[0]
    at = carry(state.p, sample, sample.shape[0] - v.shape[0] - 2 * m)
    carry(state.integral, sample, carry(sigma[:m], sample, at))
