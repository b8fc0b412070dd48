"""The configuration in other orientation coordinates: x = (r, o) per spatial body, x = q per planar one.

The layout is that of q; sets of three parameters leave the fourth place zero. See `maths.orientations`.
"""

import math

from engine.compiled.columns import bodies as BODY
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Ints
from engine.maths.orientations import (
    QUATERNION,
    Four,
    has_shadow,
    parameters,
    quaternion,
    rates,
    regularity,
    second_rates,
    spin,
    spin_change,
)
from engine.maths.vectors import Vector, add, dot

SINGULAR = 1e-3  # regularity at which a set counts as singular
STEPS = 10.0  # to the singularity: nearer than these it counts as reached
AWAY = 0.1  # regularity that is enough for steps of any size
UNSOLVED = 10.0  # margin below which the set is the cause of an iteration that fails
LARGE = 1e300


@kernel
def orientation(x: Array, at: int) -> Four:
    """Parameters, or their rates, of the body whose coordinates begin at `at`."""
    return (x[at + 3], x[at + 4], x[at + 5], x[at + 6])


@kernel
def turning(v: Array, at: int) -> Vector:
    """Angular velocity or acceleration of the body whose velocities begin at `at`."""
    return (v[at + 3], v[at + 4], v[at + 5])


@kernel
def _put_orientation(o: Four, at: int, out: Array) -> None:
    out[at + 3], out[at + 4], out[at + 5], out[at + 6] = o


@kernel
def _put_turning(w: Vector, at: int, out: Array) -> None:
    out[at + 3], out[at + 4], out[at + 5] = w


@kernel
def to_chart(kind: int, bodies: Ints, q: Array, x: Array) -> None:
    """Coordinates of a pose."""
    for b in range(bodies.shape[0] - 1):
        at = bodies[b, BODY.Q]
        x[at], x[at + 1], x[at + 2] = q[at], q[at + 1], q[at + 2]
        if not bodies[b, BODY.PLANAR]:
            _put_orientation(parameters(kind, orientation(q, at)), at, x)


@kernel
def leave_shadows(kind: int, bodies: Ints, q: Array) -> None:
    """Quaternions get the sign by which sets with a shadow have the smaller angle, far from singular ones."""
    if has_shadow(kind):
        for b in range(bodies.shape[0] - 1):
            at = bodies[b, BODY.Q] + 3
            if not bodies[b, BODY.PLANAR] and q[at] < 0.0:
                for c in range(4):
                    q[at + c] = -q[at + c]


@kernel
def from_chart(kind: int, bodies: Ints, x: Array, q: Array) -> None:
    """The pose of coordinates, with unit quaternions; in place, too."""
    for b in range(bodies.shape[0] - 1):
        at = bodies[b, BODY.Q]
        q[at], q[at + 1], q[at + 2] = x[at], x[at + 1], x[at + 2]
        if not bodies[b, BODY.PLANAR]:
            _put_orientation(quaternion(kind, orientation(x, at)), at, q)


@kernel
def chart_velocities(kind: int, bodies: Ints, x: Array, rate: Array, v: Array) -> None:
    """v = W(x) x'."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        v[to], v[to + 1], v[to + 2] = rate[at], rate[at + 1], rate[at + 2]
        if not bodies[b, BODY.PLANAR]:
            _put_turning(spin(kind, orientation(x, at), orientation(rate, at)), to, v)


@kernel
def chart_accelerations(kind: int, bodies: Ints, x: Array, rate: Array, second: Array, a: Array) -> None:
    """a = W(x) x'' + dW(x; x') x'."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        a[to], a[to + 1], a[to + 2] = second[at], second[at + 1], second[at + 2]
        if not bodies[b, BODY.PLANAR]:
            o, do = orientation(x, at), orientation(rate, at)
            w = add(spin(kind, o, orientation(second, at)), spin_change(kind, o, do, do))
            _put_turning(w, to, a)


@kernel
def chart_rates(kind: int, bodies: Ints, x: Array, v: Array, rate: Array) -> None:
    """x' = T(x) v, also of small displacements and rotations."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        rate[at], rate[at + 1], rate[at + 2] = v[to], v[to + 1], v[to + 2]
        if not bodies[b, BODY.PLANAR]:
            _put_orientation(rates(kind, orientation(x, at), turning(v, to)), at, rate)


@kernel
def chart_second_rates(kind: int, bodies: Ints, x: Array, rate: Array, a: Array, second: Array) -> None:
    """x'' of accelerations, x' = T v given."""
    for b in range(bodies.shape[0] - 1):
        at, to = bodies[b, BODY.Q], bodies[b, BODY.V]
        second[at], second[at + 1], second[at + 2] = a[to], a[to + 1], a[to + 2]
        if not bodies[b, BODY.PLANAR]:
            o, do = orientation(x, at), orientation(rate, at)
            _put_orientation(second_rates(kind, o, do, turning(a, to)), at, second)


@kernel
def chart_margin(kind: int, bodies: Ints, x: Array, v: Array, h: float) -> tuple[float, int]:
    """Smallest regularity over what a step of size h needs, and the first velocity of the offending body.

    Differences of the parameters lose their order when a body turns by as much as the way to the singularity.
    """
    smallest, offender = LARGE, -1
    if kind != QUATERNION:
        for b in range(bodies.shape[0] - 1):
            if not bodies[b, BODY.PLANAR]:
                value, w = regularity(kind, orientation(x, bodies[b, BODY.Q])), turning(v, bodies[b, BODY.V])
                needed = max(SINGULAR, min(AWAY, STEPS * h * math.sqrt(dot(w, w))))
                if not value >= smallest * needed:
                    smallest, offender = value / needed if value > 0.0 else 0.0, int(bodies[b, BODY.V])
    return smallest, offender
