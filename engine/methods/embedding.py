"""The coordinates (r, quaternion) and (x, y, angle) as numbers of a linear space x, and its metric.

Methods of the constraint null space are stated for x, ẋ and ẍ (seed 000 §2.4), and their numbers depend on
which x that is. Velocities and x meet in ẋ = T v = U C v: C holds the sizes of the columns of T (½ for a spin
in body axes, 1 for all else), and the columns of U are orthonormal. So C v, "hat" velocities, have the length
of ẋ, a basis that is orthonormal for J C⁻¹ is orthonormal in x, and Uᵀ takes vectors of x back.
"""

from engine.kernel import kernel
from engine.problems import B_PLANAR, B_Q, B_V, Array, Ints
from engine.system.kinematics import coordinate_rates

SPIN = 0.5  # |q̇| = |ω|/2 for a unit quaternion


@kernel
def column_sizes(bodies: Ints, out: Array) -> None:
    """Diagonal of C."""
    for b in range(bodies.shape[0] - 1):
        to = bodies[b, B_V]
        for c in range(3):
            out[to + c] = 1.0
            if not bodies[b, B_PLANAR]:
                out[to + 3 + c] = SPIN


@kernel
def second_rates(bodies: Ints, q: Array, v: Array, a: Array, out: Array) -> None:
    """ẍ = T a + Ṫ v."""
    coordinate_rates(bodies, q, a, out)
    for b in range(bodies.shape[0] - 1):
        if not bodies[b, B_PLANAR]:
            # q̈ = q ⊗ (0, ω̇)/2 + q̇ ⊗ (0, ω)/2 = … − |ω|² q/4
            at, to = bodies[b, B_Q] + 3, bodies[b, B_V] + 3
            k = 0.25 * (v[to] * v[to] + v[to + 1] * v[to + 1] + v[to + 2] * v[to + 2])
            for c in range(4):
                out[at + c] -= k * q[at + c]


@kernel
def to_tangent(bodies: Ints, q: Array, x: Array, out: Array) -> None:
    """out = Uᵀ x: for a quaternion the vector part of q* ⊗ x."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, B_Q], bodies[b, B_V]
        out[to], out[to + 1], out[to + 2] = x[at], x[at + 1], x[at + 2]
        if not bodies[b, B_PLANAR]:
            w, i, j, k = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
            x0, x1, x2, x3 = x[at + 3], x[at + 4], x[at + 5], x[at + 6]
            out[to + 3] = w * x1 - i * x0 - j * x3 + k * x2
            out[to + 4] = w * x2 - j * x0 - k * x1 + i * x3
            out[to + 5] = w * x3 - k * x0 - i * x2 + j * x1


@kernel
def from_tangent(bodies: Ints, q: Array, hat: Array, out: Array) -> None:
    """out = U hat."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, B_Q], bodies[b, B_V]
        out[at], out[at + 1], out[at + 2] = hat[to], hat[to + 1], hat[to + 2]
        if not bodies[b, B_PLANAR]:
            w, i, j, k = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
            a, c, d = hat[to + 3], hat[to + 4], hat[to + 5]
            out[at + 3] = -i * a - j * c - k * d
            out[at + 4] = w * a + j * d - k * c
            out[at + 5] = w * c + k * a - i * d
            out[at + 6] = w * d + i * c - j * a


@kernel
def turn_velocities(bodies: Ints, dq: Array, hat: Array, out: Array) -> None:
    """out += how Uᵀẋ changes when poses change by dq but ẋ does not: −δθ/2 × hat for a spin."""
    for b in range(bodies.shape[0] - 1):
        if not bodies[b, B_PLANAR]:
            to = bodies[b, B_V] + 3
            a, c, d = SPIN * dq[to], SPIN * dq[to + 1], SPIN * dq[to + 2]
            x, y, z = hat[to], hat[to + 1], hat[to + 2]
            out[to] -= c * z - d * y
            out[to + 1] -= d * x - a * z
            out[to + 2] -= a * y - c * x
