"""Forces at a fixed pose as a function of the velocities, from one evaluation.

    Q(v) = Q(v0) + D (v − v0) + Σ J Δ × Δ,     D = ∂Q/∂v at v0,  Δ = ω − ω0

Springs, linear dampers, loads of time and the gyroscopic torque Θω × ω, which is quadratic, are exact; other
laws of speed are right to first order about v0. A method that iterates on v at one pose evaluates the laws
once and compares at the end [Urkullu 2019, ch. 7].
"""

from engine.compiled.arenas import open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.dispatch import call_constraints, call_forces, call_tangents
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.maths.arrays import copy
from engine.maths.vectors import Vector, add, cross
from engine.solvers.linsolve import velocities
from engine.system.equations.equations import spin_momentum


@kernel
def evaluate_forces(packed: Packed, t: float, q: Array, v: Array, v0: Array, q0: Array) -> None:
    """Rows and forces at (t, q, v), their derivative by v in `damping`, v and Q kept in v0 and q0."""
    work = open_work(packed)
    call_constraints(packed, t, q, v)
    call_forces(packed, t)
    call_tangents(packed, t, work.vectors[VECTOR.A])
    copy(v, v0)
    copy(work.vectors[VECTOR.Q], q0)
    work.counters[COUNT.EVALUATIONS] += 1


@kernel
def _apart(v: Array, v0: Array, at: int) -> Vector:
    return (v[at] - v0[at], v[at + 1] - v0[at + 1], v[at + 2] - v0[at + 2])


@kernel
def force_of_speed(system: System, work: Work, v0: Array, q0: Array, v: Array, out: Array) -> None:
    """out = Q(v)."""
    bodies, body_reals, difference = system.bodies, system.body_reals, work.ordered
    for c in range(v.shape[0]):
        out[c], difference[c] = q0[c], v0[c] - v[c]
    velocities.subtract_product(system, work.damping, difference, out)
    for b in range(bodies.shape[0] - 1):
        if not bodies[b, BODY.PLANAR]:
            at = bodies[b, BODY.V] + 3
            d = _apart(v, v0, at)
            rest = cross(spin_momentum(body_reals[b], d), d)
            for c in range(3):
                out[at + c] += rest[c]


@kernel
def add_gyroscopic_change(system: System, v0: Array, v: Array, matrix: Array) -> None:
    """matrix += ∂Q/∂v at v less that at v0, a matrix over the velocities."""
    for b in range(system.bodies.shape[0] - 1):
        if system.bodies[b, BODY.PLANAR]:
            continue
        real, block = system.body_reals[b], system.velocity_blocks[b]
        start, step = block[BLOCK.START] + 3 * (block[BLOCK.ROW_STEP] + 1), block[BLOCK.ROW_STEP]
        d = _apart(v, v0, block[BLOCK.ROW_VELOCITY] + 3)
        for c in range(3):
            e = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
            change = add(cross(spin_momentum(real, e), d), cross(spin_momentum(real, d), e))
            for i in range(3):
                matrix[start + i * step + c] += change[i]
