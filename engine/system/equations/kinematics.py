"""From coordinates to poses: the one configuration interface (poses, rates, retraction, difference).

Spatial body: centre of mass r and unit quaternion (scalar first, body to world); velocities r' in the world
and ω in body axes. Planar body: x, y and the unwrapped angle. Velocities are laid out by the offsets of
`System.bodies`.
"""

import math

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import poses as POSE
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints
from engine.maths.vectors import rotate

SMALL_TURN = 0.1  # rad, of half an angle: below it sine and cosine are summed as series, exact to rounding
EPSILON, ROUNDINGS = 2.0**-52, 4.0  # of a number; of positions, in a violation
FARTHEST = 1e6  # m; what is farther away has run away, and its joints are not taken for closed
SMALL_ANGLE = 1e-4  # rad; below it sin(x)/x is summed as a series, exact to rounding


@kernel
def poses(bodies: Ints, q: Array, v: Array, pose: Array) -> None:
    """Rotation, position, velocity and spin of every body; the world's row is set once, at compile time."""
    for b in range(bodies.shape[0] - 1):
        at, to, p = bodies[b, BODY.Q], bodies[b, BODY.V], pose[b]
        p[POSE.P], p[POSE.P + 1] = q[at], q[at + 1]
        p[POSE.V], p[POSE.V + 1] = v[to], v[to + 1]
        if bodies[b, BODY.PLANAR]:
            angle = q[at + 2]
            c, s = math.cos(angle), math.sin(angle)
            p[POSE.R], p[POSE.R + 1], p[POSE.R + 3], p[POSE.R + 4] = c, -s, s, c
            p[POSE.W + 2] = p[POSE.SPIN + 2] = v[to + 2]
            p[POSE.ANGLE] = angle
        else:
            p[POSE.P + 2], p[POSE.V + 2] = q[at + 2], v[to + 2]
            p[POSE.W], p[POSE.W + 1], p[POSE.W + 2] = v[to + 3], v[to + 4], v[to + 5]
            w, x, y, z = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
            # dividing by the norm keeps R orthogonal inside the stages of a scheme
            k = 2.0 / (w * w + x * x + y * y + z * z)
            xx, yy, zz, xy, xz, yz = k * x * x, k * y * y, k * z * z, k * x * y, k * x * z, k * y * z
            wx, wy, wz = k * w * x, k * w * y, k * w * z
            R = (
                1.0 - yy - zz,
                xy - wz,
                xz + wy,
                xy + wz,
                1.0 - xx - zz,
                yz - wx,
                xz - wy,
                yz + wx,
                1.0 - xx - yy,
            )
            for c in range(9):
                p[POSE.R + c] = R[c]
            spin = rotate(R, (v[to + 3], v[to + 4], v[to + 5]))
            p[POSE.SPIN], p[POSE.SPIN + 1], p[POSE.SPIN + 2] = spin


@kernel
def coordinate_rates(bodies: Ints, q: Array, v: Array, dq: Array) -> None:
    """q' = T(q) v;  for a quaternion q' = q ⊗ (0, ω)/2."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        dq[at], dq[at + 1], dq[at + 2] = v[to], v[to + 1], v[to + 2]
        if not bodies[b, BODY.PLANAR]:
            w, x, y, z = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
            a, c, d = 0.5 * v[to + 3], 0.5 * v[to + 4], 0.5 * v[to + 5]
            dq[at + 3] = -x * a - y * c - z * d
            dq[at + 4] = w * a + y * d - z * c
            dq[at + 5] = w * c + z * a - x * d
            dq[at + 6] = w * d + x * c - y * a


@kernel
def retract(bodies: Ints, q: Array, step: Array, out: Array) -> None:
    """out = q ⊕ step.

    Displacements are added, rotations (body axes) multiplied from the right; in place, too.
    """
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        out[at], out[at + 1], out[at + 2] = (
            q[at] + step[to],
            q[at + 1] + step[to + 1],
            q[at + 2] + step[to + 2],
        )
        if not bodies[b, BODY.PLANAR]:
            a, c, d = step[to + 3], step[to + 4], step[to + 5]
            square = 0.25 * (a * a + c * c + d * d)  # of half the angle
            if square < SMALL_TURN * SMALL_TURN:
                tail = 1.0 / 720.0 - square * (1.0 / 40320.0 - square / 3628800.0)
                e0 = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * tail))
                tail = 1.0 / 5040.0 - square / 362880.0
                k = 0.5 - 0.5 * square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * tail))
            else:
                half = math.sqrt(square)
                e0, k = math.cos(half), 0.5 * math.sin(half) / half
            e1, e2, e3 = k * a, k * c, k * d
            w, x, y, z = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
            out[at + 3] = w * e0 - x * e1 - y * e2 - z * e3
            out[at + 4] = w * e1 + x * e0 + y * e3 - z * e2
            out[at + 5] = w * e2 + y * e0 + z * e1 - x * e3
            out[at + 6] = w * e3 + z * e0 + x * e2 - y * e1


@kernel
def difference(bodies: Ints, q: Array, other: Array, out: Array) -> None:
    """out = other ⊖ q, the step that retracts q to other; rotations by the shorter way."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        for c in range(3):
            out[to + c] = other[at + c] - q[at + c]
        if not bodies[b, BODY.PLANAR]:
            w, x, y, z = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
            f0, f1, f2, f3 = other[at + 3], other[at + 4], other[at + 5], other[at + 6]
            e0 = w * f0 + x * f1 + y * f2 + z * f3
            e1 = w * f1 - x * f0 - y * f3 + z * f2
            e2 = w * f2 - y * f0 - z * f1 + x * f3
            e3 = w * f3 - z * f0 - x * f2 + y * f1
            if e0 < 0.0:
                e0, e1, e2, e3 = -e0, -e1, -e2, -e3
            s = math.sqrt(e1 * e1 + e2 * e2 + e3 * e3)
            k = 2.0 * math.atan2(s, e0) / s if s > SMALL_ANGLE else 2.0 / e0
            out[to + 3], out[to + 4], out[to + 5] = k * e1, k * e2, k * e3


@kernel
def normalise(bodies: Ints, q: Array) -> None:
    """Give every quaternion unit length."""
    for b in range(bodies.shape[0] - 1):
        if not bodies[b, BODY.PLANAR]:
            at = bodies[b, BODY.Q] + 3
            k = 1.0 / math.sqrt(q[at] ** 2 + q[at + 1] ** 2 + q[at + 2] ** 2 + q[at + 3] ** 2)
            for c in range(4):
                q[at + c] *= k


@inlined
def resolution(q: Array) -> float:
    """What positions far from the origin are rounded by [m]: joints close no better there."""
    largest = 0.0
    for i in range(q.shape[0]):
        largest = max(largest, abs(q[i]))
    return ROUNDINGS * EPSILON * min(largest, FARTHEST)
