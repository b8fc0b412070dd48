"""Orientation coordinates: four sets of parameters o of a rotation, one interface [UPV Newmark, §9.1.3].

With ω in body axes every set has ω = W(o) o' and ω' = W o'' + dW(o; o') o', where dW(o; η) is the derivative
of W along η. The sets differ in W alone:

    quaternion         q, |q| = 1            W q' = 2 (q0 u' − q0' u − u × u'),  q = (q0, u)
    Euler ZXZ          α, β, γ               singular at β = 0, π
    Euler-Rodrigues    b = 2 sin(φ/2) n      W b' = b0 b' + b (b·b')/4b0 − b × b'/2,  b0 = √(1 − b·b/4)
    Gibbs              c = 2 tan(φ/2) n      W c' = c0 (c' − c × c'/2),  c0 = 1/(1 + c·c/4)

The last two are singular at φ = ±π.

Parameters and their rates are four numbers; sets of three leave the last one zero. Matrices are never formed:
`spin` is W times a rate, `rates` the inverse T(o) times ω, so that Ṫ ω = −T dW(o; Tω) T ω off the norm. Unit
quaternions, scalar first, are the common language of all sets.
"""

import math
from typing import Final

from engine.compiled.kernel import kernel
from engine.maths.vectors import Vector, add, cross, dot, mix, scale, sub

Four = tuple[float, float, float, float]

QUATERNION: Final = 0
EULER_ZXZ: Final = 1
EULER_RODRIGUES: Final = 2
GIBBS: Final = 3
# as users name them, in the order of the numbers
SETS: Final = ("unit quaternion", "Euler angles ZXZ", "reduced Euler-Rodrigues", "Gibbs vector")


@kernel
def _head(o: Four) -> Vector:
    return (o[0], o[1], o[2])


@kernel
def _tail(o: Four) -> Vector:
    return (o[1], o[2], o[3])


@kernel
def _three(a: Vector) -> Four:
    return (a[0], a[1], a[2], 0.0)


@kernel
def spin(kind: int, o: Four, rate: Four) -> Vector:
    """W(o) times a rate of the parameters: the angular velocity, body axes."""
    if kind == QUATERNION:
        u, du = _tail(o), _tail(rate)
        return scale(2.0, sub(mix(o[0], du, -rate[0], u), cross(u, du)))
    if kind == EULER_ZXZ:
        sb, cb, sc, cc = math.sin(o[1]), math.cos(o[1]), math.sin(o[2]), math.cos(o[2])
        return (sb * sc * rate[0] + cc * rate[1], sb * cc * rate[0] - sc * rate[1], cb * rate[0] + rate[2])
    b, db = _head(o), _head(rate)
    if kind == EULER_RODRIGUES:
        b0 = math.sqrt(1.0 - 0.25 * dot(b, b))
        return sub(mix(b0, db, 0.25 * dot(b, db) / b0, b), scale(0.5, cross(b, db)))
    return scale(1.0 / (1.0 + 0.25 * dot(b, b)), mix(1.0, db, -0.5, cross(b, db)))


@kernel
def spin_change(kind: int, o: Four, along: Four, rate: Four) -> Vector:
    """dW(o; along) times a rate: how `spin` changes with o; with both the rate o' it is ω' − W o''."""
    if kind == QUATERNION:
        return spin(kind, along, rate)
    if kind == EULER_ZXZ:
        sb, cb, sc, cc = math.sin(o[1]), math.cos(o[1]), math.sin(o[2]), math.cos(o[2])
        return (
            (cb * sc * along[1] + sb * cc * along[2]) * rate[0] - sc * along[2] * rate[1],
            (cb * cc * along[1] - sb * sc * along[2]) * rate[0] - cc * along[2] * rate[1],
            -sb * along[1] * rate[0],
        )
    b, db, e = _head(o), _head(rate), _head(along)
    if kind == EULER_RODRIGUES:
        b0 = math.sqrt(1.0 - 0.25 * dot(b, b))
        change = -0.25 * dot(b, e) / b0
        k = 0.25 / b0
        turned = mix(change, db, k * dot(e, db) - k * dot(b, db) * change / b0, b)
        return sub(add(turned, scale(k * dot(b, db), e)), scale(0.5, cross(e, db)))
    c0 = 1.0 / (1.0 + 0.25 * dot(b, b))
    change = -0.5 * c0 * c0 * dot(b, e)
    return mix(change, mix(1.0, db, -0.5, cross(b, db)), -0.5 * c0, cross(e, db))


@kernel
def rates(kind: int, o: Four, w: Vector) -> Four:
    """T(o) ω: the rate of the parameters that belongs to an angular velocity, W T = 1."""
    if kind == QUATERNION:
        u = _tail(o)
        du = mix(0.5 * o[0], w, 0.5, cross(u, w))
        return (-0.5 * dot(u, w), du[0], du[1], du[2])
    if kind == EULER_ZXZ:
        sc, cc = math.sin(o[2]), math.cos(o[2])
        alpha = (sc * w[0] + cc * w[1]) / math.sin(o[1])
        return (alpha, cc * w[0] - sc * w[1], w[2] - math.cos(o[1]) * alpha, 0.0)
    b = _head(o)
    if kind == EULER_RODRIGUES:
        return _three(mix(math.sqrt(1.0 - 0.25 * dot(b, b)), w, 0.5, cross(b, w)))
    return _three(add(mix(1.0, w, 0.5, cross(b, w)), scale(0.25 * dot(b, w), b)))


@kernel
def second_rates(kind: int, o: Four, rate: Four, turning: Vector) -> Four:
    """o'' that belongs to an angular acceleration: T (ω' − dW(o; o') o'), quaternions on their sphere."""
    if kind == QUATERNION:
        free = rates(kind, o, turning)
        k = rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2] + rate[3] * rate[3]
        return (free[0] - k * o[0], free[1] - k * o[1], free[2] - k * o[2], free[3] - k * o[3])
    return rates(kind, o, sub(turning, spin_change(kind, o, rate, rate)))


@kernel
def parameters(kind: int, q: Four) -> Four:
    """The parameters of a unit quaternion; Euler angles α, γ in (−2π, 2π], β in [0, π]."""
    if kind == QUATERNION:
        return q
    if kind == EULER_ZXZ:
        half_sum, half_difference = math.atan2(q[3], q[0]), math.atan2(q[2], q[1])
        tilt = 2.0 * math.atan2(math.hypot(q[1], q[2]), math.hypot(q[0], q[3]))
        return (half_sum + half_difference, tilt, half_sum - half_difference, 0.0)
    k = 2.0 if q[0] >= 0.0 else -2.0
    if kind == GIBBS:
        k = 2.0 / q[0]
    return _three(scale(k, _tail(q)))


@kernel
def quaternion(kind: int, o: Four) -> Four:
    """The unit quaternion of the parameters; one that is given is brought to unit length."""
    if kind == QUATERNION:
        k = 1.0 / math.sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2] + o[3] * o[3])
        return (k * o[0], k * o[1], k * o[2], k * o[3])
    if kind == EULER_ZXZ:
        half_sum, half_difference = 0.5 * (o[0] + o[2]), 0.5 * (o[0] - o[2])
        c, s = math.cos(0.5 * o[1]), math.sin(0.5 * o[1])
        return (
            c * math.cos(half_sum),
            s * math.cos(half_difference),
            s * math.sin(half_difference),
            c * math.sin(half_sum),
        )
    b = _head(o)
    quarter = 0.25 * dot(b, b)
    k = math.sqrt(1.0 - quarter) if kind == EULER_RODRIGUES else 1.0 / math.sqrt(1.0 + quarter)
    half = 0.5 if kind == EULER_RODRIGUES else 0.5 * k
    return (k, half * b[0], half * b[1], half * b[2])


@kernel
def regularity(kind: int, o: Four) -> float:
    """1 where the set is at its best, 0 (or not a number) where it is singular.

    It is the sine of β, or the cosine of half the angle: near the singularity the angle to it, or half of it.
    """
    if kind == QUATERNION:
        return 1.0
    if kind == EULER_ZXZ:
        return abs(math.sin(o[1]))
    b = _head(o)
    quarter = 0.25 * dot(b, b)
    return math.sqrt(1.0 - quarter) if kind == EULER_RODRIGUES else 1.0 / math.sqrt(1.0 + quarter)
