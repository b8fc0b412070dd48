"""Projection onto the energy: constraints are closed as by `projection`, then the balance of energy is.

With E = T + V − work + dissipated as the motion gives it and E₀ as it was at the start, the state moves along

    δv = ε d_v,   δq = −ε τ² d_q,        M d_v = M v + Jᵀμ,  J d_v = 0,    M d_q = Q + Jᵀμ,  J d_q = 0,
    ε = (E₀ − E)/(v·M d_v + τ² Q·d_q),

the steepest way on the constraints in the metric of the mass, with τ, the step, as the time that makes
lengths of velocities [Eich 1993], [Hairer 2006, §IV.4]. Scaling velocities alone would do where they do not
vanish; at a dead centre the second part takes over. The constraints are closed again, until both hold.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import quadratures as WORK
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_constraints, call_factor, call_forces, call_solve
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, Room, System, Work
from engine.compiled.states import open_motion
from engine.elements.laws import LAWS, lugre
from engine.maths.amplification import Growth
from engine.maths.arrays import copy
from engine.solvers.linsolve.base import apply_mass
from engine.solvers.stabilisation import projection
from engine.solvers.stabilisation.base import OK, StabilisationKind, no_feedback
from engine.system.equations.equations import energies
from engine.system.equations.kinematics import retract

TAU = SLOT.STABILISATION + 7  # not the user's: follows from the step
ROUNDS = 4
ROUNDING = 4e-16  # of the energies that are there: an error that is left alone, times √n of so many bodies
LARGEST_SHARE = 0.5  # of the velocities that a round may take away
WITH_STATES = LAWS.names.index(lugre.KIND.name)  # whose integrals are no work


@inlined
def balance(packed: Packed, t: float, q: Array, v: Array, works: Array) -> tuple[float, float]:
    """T + V − work + dissipated, and the size of what is added up; leaves all of (t, q, v) in `work`."""
    system, work = open_system(packed), open_work(packed)
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    energies(packed)
    total, size = 0.0, 0.0
    for k in range(ENERGY.COLUMNS):
        total += work.energy[k]
        size += abs(work.energy[k])
    for k in range(works.shape[0]):
        done = -works[k] if k == WORK.DISSIPATED else works[k]
        total -= done
        size += abs(done)
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + WITH_STATES]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        total += works[system.forces[i, lugre.INTEGRAL]]
    return total, size


@inlined
def _along_constraints(packed: Packed, system: System, work: Work) -> None:
    """VECTOR.FREE = x of M x = f + Jᵀμ, J x = 0, with f in its place."""
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.SOLVE] = 0.0
    call_solve(packed, 1)


@kernel
def project(packed: Packed, t: float, y: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    state, past = open_motion(system, y), work.history
    q, v, works, n = state.q, state.v, state.works, state.v.shape[0]
    known, kept = past.shape[0] - 1, past.shape[0] - 2
    if past[known] == 0.0:
        past[kept], _ = balance(packed, t, q, v, works)
        past[known] = 1.0
        return OK
    status = projection.project(packed, t, y)
    rounding = ROUNDING * math.sqrt(system.bodies.shape[0] - 1)  # as the sum over the bodies is rounded
    along_v, square, before = work.scratch[work.scratch.shape[0] - 1][:n], work.options[TAU] ** 2, 0.0
    for round_ in range(ROUNDS):
        if status != OK:
            return int(status)
        now, size = balance(packed, t, q, v, works)
        work.counters[COUNT.FRESH] = 1
        missing = past[kept] - now
        if abs(missing) <= rounding * size or (round_ > 0 and abs(missing) > 0.5 * before):
            break
        before = abs(missing)

        status = call_factor(packed)
        if status != OK:
            return int(status)
        apply_mass(system, v, work.vectors[VECTOR.FREE])
        copy(work.vectors[VECTOR.FREE], along_v)
        _along_constraints(packed, system, work)
        slope = 0.0
        for c in range(n):
            slope += along_v[c] * work.vectors[VECTOR.FREE, c]
            along_v[c] = work.vectors[VECTOR.FREE, c]
        copy(work.vectors[VECTOR.Q], work.vectors[VECTOR.FREE])
        _along_constraints(packed, system, work)
        along_q = work.vectors[VECTOR.FREE]
        for c in range(n):
            slope += square * work.vectors[VECTOR.Q, c] * along_q[c]
        if not slope > 0.0:
            break
        share = max(-LARGEST_SHARE, min(LARGEST_SHARE, missing / slope))
        for c in range(n):
            v[c] += share * along_v[c]
            along_q[c] *= -share * square
        retract(system.bodies, q, along_q, q)
        work.counters[COUNT.ITERATIONS] += 1
        status = projection.project(packed, t, y)
    return int(status)


def room(system: System) -> Room:
    return Room(vectors=1, order=int(system.sizes[SIZE.NV]))


def _choose(growth: Growth | None, numbers: Array, dt: float) -> None:
    numbers[TAU] = dt


KIND = StabilisationKind(
    name="projection_energy",
    title="Projection onto constraints and energy",
    summary="As projection, and the balance of energy is closed as well after every step.",
    feedback=no_feedback,
    project=project,
    layouts=frozenset({"qv"}),
    options=projection.OPTIONS,
    remembers=2,
    room=room,
    choose=_choose,
)
