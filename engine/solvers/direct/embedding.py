"""The coordinates (r, o) and (x, y, angle) as numbers of a linear space x, and its metric.

Methods of the constraint null space are stated for x, ẋ and ẍ [UPV Newmark, ch. 5 and 7], and their numbers
depend on which x that is. Velocities and x meet in ẋ = T v = U C v, with the columns of U orthonormal. So
C v, "hat" velocities, have the length of ẋ, a basis that is orthonormal for J C⁻¹ is orthonormal in x, and
Uᵀ takes vectors of x back.

For unit quaternions C holds the sizes of the columns of T: ½ for a spin in body axes, 1 for all else. Sets of
three parameters have a square T: U = 1 and C = T, so that hat velocities are ẋ, and C⁻¹ = W (`orientations`).
"""

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import velocity_blocks as BLOCK
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Ints, System
from engine.maths.orientations import QUATERNION, Four, is_angles, rates, spin, spin_change
from engine.maths.vectors import add, dot
from engine.system.equations.charts import orientation, turning

SPIN = 0.5  # |q̇| = |ω|/2 for a unit quaternion
FULL_TURN = 6.283185307179586


@kernel
def _unit(c: int) -> Four:
    return (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0, 0.0)


@kernel
def unscale(kind: int, bodies: Ints, x: Array, hat: Array) -> None:
    """hat ← C⁻¹ hat: velocities of hat velocities, at the coordinates x."""
    for b in range(bodies.shape[0] - 1):
        if not bodies[b, BODY.PLANAR]:
            to = bodies[b, BODY.V]
            w = turning(hat, to)
            if kind == QUATERNION:
                hat[to + 3], hat[to + 4], hat[to + 5] = w[0] / SPIN, w[1] / SPIN, w[2] / SPIN
            else:
                rate = (w[0], w[1], w[2], 0.0)
                hat[to + 3], hat[to + 4], hat[to + 5] = spin(kind, orientation(x, bodies[b, BODY.Q]), rate)


@kernel
def unscale_force(kind: int, bodies: Ints, x: Array, force: Array) -> None:
    """force ← C⁻ᵀ force: forces on hat velocities of forces on velocities; rows of J, too."""
    for b in range(bodies.shape[0] - 1):
        if not bodies[b, BODY.PLANAR]:
            to = bodies[b, BODY.V]
            f = turning(force, to)
            if kind == QUATERNION:
                force[to + 3], force[to + 4], force[to + 5] = f[0] / SPIN, f[1] / SPIN, f[2] / SPIN
            else:
                o = orientation(x, bodies[b, BODY.Q])
                for c in range(3):
                    force[to + 3 + c] = dot(f, spin(kind, o, _unit(c)))


@kernel
def add_metric(kind: int, system: System, x: Array, matrix: Array) -> None:
    """matrix += CᵀC over the velocities, TᵀT of every body: vᵀ CᵀC v is the square of ẋ."""
    bodies = system.bodies
    for b in range(bodies.shape[0] - 1):
        at, step = system.velocity_blocks[b, BLOCK.START], system.velocity_blocks[b, BLOCK.ROW_STEP]
        for c in range(3):
            matrix[at + c * (step + 1)] += 1.0
        if not bodies[b, BODY.PLANAR]:
            o, at = orientation(x, bodies[b, BODY.Q]), at + 3 * (step + 1)
            for i in range(3):
                first = rates(kind, o, _unit(i)[:3])
                for j in range(3):
                    second = rates(kind, o, _unit(j)[:3])
                    for c in range(4):
                        matrix[at + i * step + j] += first[c] * second[c]


@kernel
def to_tangent(kind: int, bodies: Ints, q: Array, x: Array, out: Array) -> None:
    """out = Uᵀ x: for a quaternion the vector part of q* ⊗ x."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        out[to], out[to + 1], out[to + 2] = x[at], x[at + 1], x[at + 2]
        if not bodies[b, BODY.PLANAR]:
            x0, x1, x2, x3 = x[at + 3], x[at + 4], x[at + 5], x[at + 6]
            if kind == QUATERNION:
                w, i, j, k = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
                out[to + 3] = w * x1 - i * x0 - j * x3 + k * x2
                out[to + 4] = w * x2 - j * x0 - k * x1 + i * x3
                out[to + 5] = w * x3 - k * x0 - i * x2 + j * x1
            else:
                out[to + 3], out[to + 4], out[to + 5] = x0, x1, x2


@kernel
def from_tangent(kind: int, bodies: Ints, q: Array, hat: Array, out: Array) -> None:
    """out = U hat."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        out[at], out[at + 1], out[at + 2] = hat[to], hat[to + 1], hat[to + 2]
        if not bodies[b, BODY.PLANAR]:
            a, c, d = hat[to + 3], hat[to + 4], hat[to + 5]
            if kind == QUATERNION:
                w, i, j, k = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
                out[at + 3] = -i * a - j * c - k * d
                out[at + 4] = w * a + j * d - k * c
                out[at + 5] = w * c + k * a - i * d
                out[at + 6] = w * d + i * c - j * a
            else:
                out[at + 3], out[at + 4], out[at + 5], out[at + 6] = a, c, d, 0.0


@kernel
def wrap(kind: int, bodies: Ints, gap: Array) -> None:
    """Differences of Euler angles to less than half a turn: the angles of a pose are not continuous."""
    if is_angles(kind):
        for b in range(bodies.shape[0] - 1):
            if not bodies[b, BODY.PLANAR]:
                at = bodies[b, BODY.Q] + 3
                for c in (at, at + 2):
                    gap[c] -= FULL_TURN * round(gap[c] / FULL_TURN)


@kernel
def turn_rates(
    kind: int, bodies: Ints, x: Array, rate: Array, dq: Array, dv: Array, hat: Array, on_v: Array, on_a: Array
) -> None:
    """What hat velocities and accelerations need besides, for ẋ and ẍ to change as told while poses turn.

    For quaternions, with hat = C(v − hγ a), the rule for velocities turns by −δθ/2 × hat and nothing else.
    For other sets, with δo' = T dv the change that is told,

        δo' = T(δω − dW(o; δo) o'),   δo'' = T(δω' − dW(o; δo') o' − dW(o; o') δo' − …)

    where … is of the order of the turn in a step, squared, and left out: it costs no more than an iteration.
    """
    for c in range(dq.shape[0]):
        on_v[c], on_a[c] = 0.0, 0.0
    for b in range(bodies.shape[0] - 1):
        if bodies[b, BODY.PLANAR]:
            continue
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        if kind == QUATERNION:
            a, c, d = SPIN * dq[to + 3], SPIN * dq[to + 4], SPIN * dq[to + 5]
            p, y, z = hat[to + 3], hat[to + 4], hat[to + 5]
            on_v[to + 3], on_v[to + 4], on_v[to + 5] = d * y - c * z, a * z - d * p, c * p - a * y
        else:
            o, do = orientation(x, at), orientation(rate, at)
            moved, change = rates(kind, o, turning(dq, to)), rates(kind, o, turning(dv, to))
            first = rates(kind, o, spin_change(kind, o, moved, do))
            bent = add(spin_change(kind, o, change, do), spin_change(kind, o, do, change))
            second = rates(kind, o, bent)
            for c in range(3):
                on_v[to + 3 + c], on_a[to + 3 + c] = first[c], second[c]
