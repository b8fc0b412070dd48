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
from engine.compiled.dispatch import call_constraints, call_forces, call_tangents
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Ints, Packed
from engine.maths.arrays import copy
from engine.maths.vectors import Vector, add, cross
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
def force_of_speed(
    bodies: Ints, body_reals: Array, damping: Array, v0: Array, q0: Array, v: Array, out: Array
) -> None:
    """out = Q(v)."""
    n = v.shape[0]
    for i in range(n):
        total, line = q0[i], damping[i]
        for c in range(n):
            total += line[c] * (v[c] - v0[c])
        out[i] = total
    for b in range(bodies.shape[0] - 1):
        if not bodies[b, BODY.PLANAR]:
            at = bodies[b, BODY.V] + 3
            d = _apart(v, v0, at)
            rest = cross(spin_momentum(body_reals[b], d), d)
            for c in range(3):
                out[at + c] += rest[c]


@kernel
def subtract_change(
    bodies: Ints, body_reals: Array, damping: Array, v0: Array, v: Array, dv: Array, out: Array
) -> None:
    """out −= ∂Q/∂v δv at v."""
    n = v.shape[0]
    for i in range(n):
        total, line = 0.0, damping[i]
        for c in range(n):
            total += line[c] * dv[c]
        out[i] -= total
    for b in range(bodies.shape[0] - 1):
        if not bodies[b, BODY.PLANAR]:
            at, real = bodies[b, BODY.V] + 3, body_reals[b]
            d, e = _apart(v, v0, at), (dv[at], dv[at + 1], dv[at + 2])
            change = add(cross(spin_momentum(real, e), d), cross(spin_momentum(real, d), e))
            for c in range(3):
                out[at + c] -= change[c]
