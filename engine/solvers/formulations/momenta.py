"""What formulations with momenta share: the layout y = (q, p, ∫Φ, w), and the rate once a and λ are known."""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_tangents
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.maths.arrays import copy
from engine.solvers.formulations import common
from engine.solvers.formulations.common import conclude
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.linsolve.momenta import momentum_rate
from engine.system.equations.kinematics import coordinate_rates
from engine.system.equations.sampling import write_sample

# vectors of Work.scratch; the first ones are free for a linear algebra of the formulation
V, SIGMA = DIAGONAL.COLUMNS, DIAGONAL.COLUMNS + 1
VECTORS = DIAGONAL.COLUMNS + 2


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
    nq, n, m = q.shape[0], v.shape[0], system.rows.shape[0]
    status = conclude(packed)
    call_tangents(packed, t, work.vectors[VECTOR.A])
    coordinate_rates(system.bodies, q, v, dy[:nq])
    momentum_rate(system, work, sigma, dy[nq : nq + n])
    for r in range(m):
        dy[nq + n + r] = work.row[r, ROW_VALUE.PHI]
    copy(work.power, dy[nq + n + m :])
    return status


@kernel
def start(packed: Packed, clock: Array, y: Array) -> int:
    """(q, v, 0, w) → (q, p, 0, w) with σ = 0."""
    system, work = open_system(packed), open_work(packed)
    nq, n = system.sizes[SIZE.NQ], system.sizes[SIZE.NV]
    v = work.scratch[V][:n]
    copy(y[nq : nq + n], v)
    apply_mass(system, v, y[nq : nq + n])
    return common.start(packed, clock, y)


@kernel
def report(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    system, work = open_system(packed), open_work(packed)
    nq, n, nw = system.sizes[SIZE.NQ], system.sizes[SIZE.NV], system.sizes[SIZE.QUADRATURES]
    write_sample(system, work, clock, y[:nq], work.scratch[V][:n], y[y.shape[0] - nw :], sample)


def size(system: System) -> int:
    return int(system.sizes[[SIZE.NQ, SIZE.NV, SIZE.ROWS, SIZE.QUADRATURES]].sum())
