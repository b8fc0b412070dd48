"""Orientation coordinates: sets of parameters o of a rotation, one interface [UPV Newmark, §9.1.3].

With ω in body axes every set has ω = W(o) o' and ω' = W o'' + dW(o; o') o', where dW(o; η) is the derivative
of W along η. The sets differ in W alone:

    quaternion          q, |q| = 1            W q' = 2 (q0 u' − q0' u − u × u'),  q = (q0, u)
    Euler-Rodrigues     b = 2 sin(φ/2) n      W b' = b0 b' + b (b·b')/4b0 − b × b'/2,  b0 = √(1 − b·b/4)
    Gibbs               c = 2 tan(φ/2) n      W c' = c0 (c' − c × c'/2),  c0 = 1/(1 + c·c/4)
    rotation vector     d = φ n               W d' = d' − A d × d' + B d × (d × d'),  A = (1 − cos φ)/φ²,
                                              B = (φ − sin φ)/φ³
    Wiener-Milenković   p = 4 tan(φ/4) n      W p' = 4/(1 + s)² [(1 − s) σ' − 2 σ × σ' + 2 σ (σ·σ')],
                                              σ = p/4,  s = σ·σ
    modified Rodrigues  σ = tan(φ/4) n        the same in another scale [Schaub 1996], [Bauchau 2003]
    three angles        α, β, γ about axes    W o' = e3 γ' + R3ᵀ(e2 β' + R2ᵀ e1 α'):  R = R1(α) R2(β) R3(γ)
                        e1, e2, e3

Euler-Rodrigues and Gibbs are singular at φ = ±π; rotation vector, Wiener-Milenković and modified Rodrigues at
φ = 2π, and there −q is the same rotation with the angle 2π − φ: who changes the sign of a quaternion with
q0 < 0 in time never meets it (`has_shadow`). Angles are singular at β = 0, π where e1 = e3 (Euler), and at
β = ±π/2 elsewhere (Tait-Bryan).

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
ROTATION_VECTOR: Final = 4
WIENER_MILENKOVIC: Final = 5
MODIFIED_RODRIGUES: Final = 6
# sequences of axes, for the sets from FIRST_ANGLES on; that of EULER_ZXZ stands in front of them
FIRST_ANGLES: Final = 7
SEQUENCES: Final = (
    "ZXZ", "XYX", "XZX", "YXY", "YZY", "ZYZ", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX",
)  # fmt: skip
AXES: Final = tuple(tuple("XYZ".index(axis) for axis in sequence) for sequence in SEQUENCES)
# as users name them, in the order of the numbers
SETS: Final = (
    "unit quaternion",
    "Euler angles ZXZ",
    "reduced Euler-Rodrigues",
    "Gibbs vector",
    "rotation vector",
    "Wiener-Milenković",
    "modified Rodrigues",
    *(f"Euler angles {s}" if s[0] == s[2] else f"Tait-Bryan angles {s}" for s in SEQUENCES[1:]),
)
SMALL_ANGLE = 0.1  # rad; below it coefficients are summed as series, exact to rounding


@kernel
def is_angles(kind: int) -> bool:
    return kind == EULER_ZXZ or kind >= FIRST_ANGLES


@kernel
def has_shadow(kind: int) -> bool:
    """Whether q and −q have different parameters, those of the smaller angle being the better ones."""
    return kind in (ROTATION_VECTOR, WIENER_MILENKOVIC, MODIFIED_RODRIGUES)


@kernel
def _axes(kind: int) -> tuple[Vector, Vector, Vector]:
    i, j, k = AXES[0 if kind == EULER_ZXZ else kind - FIRST_ANGLES + 1]
    return _unit(i), _unit(j), _unit(k)


@kernel
def _unit(i: int) -> Vector:
    return (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)


@kernel
def _turn(e: Vector, angle: float, a: Vector) -> Vector:
    """a turned about the unit vector e."""
    c, s = math.cos(angle), math.sin(angle)
    return add(mix(c, a, s, cross(e, a)), scale((1.0 - c) * dot(e, a), e))


@kernel
def _exponential(square: float) -> tuple[float, float, float, float]:
    """A and B of the rotation vector, and their derivatives by φ, over φ."""
    if square < SMALL_ANGLE * SMALL_ANGLE:
        s = square
        return (
            0.5 - s / 24.0 + s * s / 720.0 - s * s * s / 40320.0,
            1.0 / 6.0 - s / 120.0 + s * s / 5040.0 - s * s * s / 362880.0,
            -1.0 / 12.0 + s / 180.0 - s * s / 6720.0 + s * s * s / 453600.0,
            -1.0 / 60.0 + s / 1260.0 - s * s / 60480.0 + s * s * s / 4989600.0,
        )
    angle = math.sqrt(square)
    first = 2.0 * math.sin(0.5 * angle) ** 2 / square
    second = (angle - math.sin(angle)) / (square * angle)
    return first, second, (math.sin(angle) / angle - 2.0 * first) / square, (first - 3.0 * second) / square


@kernel
def _bent(o: Vector, r: Vector) -> Vector:
    """The bracket of Wiener and Milenković: (1 − s) r − 2 σ × r + 2 σ (σ·r)."""
    return add(mix(1.0 - dot(o, o), r, -2.0, cross(o, r)), scale(2.0 * dot(o, r), o))


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
def _pick(q: Four, axis: int) -> float:
    return q[1] if axis == 0 else (q[2] if axis == 1 else q[3])


@kernel
def _product(a: Four, e: Vector, angle: float) -> Four:
    """The quaternion a times that of a turn about e."""
    c, u = math.cos(0.5 * angle), scale(math.sin(0.5 * angle), e)
    v = add(mix(c, _tail(a), a[0], u), cross(_tail(a), u))
    return (a[0] * c - dot(_tail(a), u), v[0], v[1], v[2])


@kernel
def spin(kind: int, o: Four, rate: Four) -> Vector:
    """W(o) times a rate of the parameters: the angular velocity, body axes."""
    if kind == QUATERNION:
        u, du = _tail(o), _tail(rate)
        return scale(2.0, sub(mix(o[0], du, -rate[0], u), cross(u, du)))
    if is_angles(kind):
        e1, e2, e3 = _axes(kind)
        inner = add(scale(rate[1], e2), _turn(e2, -o[1], scale(rate[0], e1)))
        return add(scale(rate[2], e3), _turn(e3, -o[2], inner))
    b, db = _head(o), _head(rate)
    if kind == ROTATION_VECTOR:
        first, second, _, _ = _exponential(dot(b, b))
        u = cross(b, db)
        return add(mix(1.0, db, -first, u), scale(second, cross(b, u)))
    if has_shadow(kind):
        k = 0.25 if kind == WIENER_MILENKOVIC else 1.0
        b, db = scale(k, b), scale(k, db)
        return scale(4.0 / (1.0 + dot(b, b)) ** 2, _bent(b, db))
    if kind == EULER_RODRIGUES:
        b0 = math.sqrt(1.0 - 0.25 * dot(b, b))
        return sub(mix(b0, db, 0.25 * dot(b, db) / b0, b), scale(0.5, cross(b, db)))
    return scale(1.0 / (1.0 + 0.25 * dot(b, b)), mix(1.0, db, -0.5, cross(b, db)))


@kernel
def spin_change(kind: int, o: Four, along: Four, rate: Four) -> Vector:
    """dW(o; along) times a rate: how `spin` changes with o; with both the rate o' it is ω' − W o''."""
    if kind == QUATERNION:
        return spin(kind, along, rate)
    if is_angles(kind):
        # a vector that is turned back about e changes by −e × itself
        e1, e2, e3 = _axes(kind)
        turned = _turn(e2, -o[1], scale(rate[0], e1))
        inner = add(scale(rate[1], e2), turned)
        bent = scale(-along[1], cross(e2, turned))
        return _turn(e3, -o[2], add(bent, scale(-along[2], cross(e3, inner))))
    b, db, e = _head(o), _head(rate), _head(along)
    if kind == ROTATION_VECTOR:
        first, second, by_first, by_second = _exponential(dot(b, b))
        u, along_o = cross(b, db), dot(b, e)
        twice = add(cross(e, u), cross(b, cross(e, db)))
        bent = mix(-by_first * along_o, u, -first, cross(e, db))
        return add(bent, mix(by_second * along_o, cross(b, u), second, twice))
    if has_shadow(kind):
        k = 0.25 if kind == WIENER_MILENKOVIC else 1.0
        b, db, e = scale(k, b), scale(k, db), scale(k, e)
        c0 = 1.0 / (1.0 + dot(b, b))
        bend = add(
            mix(-2.0 * dot(b, e), db, -2.0, cross(e, db)), mix(2.0 * dot(b, db), e, 2.0 * dot(e, db), b)
        )
        return mix(-16.0 * dot(b, e) * c0**3, _bent(b, db), 4.0 * c0 * c0, bend)
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
    if is_angles(kind):
        # e2 is normal to e3 and to R2ᵀe1; n completes the plane of these two
        e1, e2, e3 = _axes(kind)
        left, turned, n = _turn(e3, o[2], w), _turn(e2, -o[1], e1), cross(e2, e3)
        alpha = dot(left, n) / dot(turned, n)
        return (alpha, dot(left, e2), dot(left, e3) - alpha * dot(turned, e3), 0.0)
    b = _head(o)
    if kind == ROTATION_VECTOR:
        square, u = dot(b, b), cross(b, w)
        half = 0.5 * math.sqrt(square)
        if square < SMALL_ANGLE * SMALL_ANGLE:
            bend = 1.0 / 12.0 + square / 720.0 + square * square / 30240.0 + square**3 / 1209600.0
        else:
            bend = (1.0 - half / math.tan(half)) / square
        return _three(add(mix(1.0, w, 0.5, u), scale(bend, cross(b, u))))
    if has_shadow(kind):
        k = 0.25 if kind == WIENER_MILENKOVIC else 1.0
        b = scale(k, b)
        turned = add(mix(1.0 - dot(b, b), w, 2.0, cross(b, w)), scale(2.0 * dot(b, w), b))
        return _three(scale(0.25 / k, turned))
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
    """The parameters of a unit quaternion.

    Angles α, γ in (−2π, 2π], β in [0, π], or [−π/2, π/2] of Tait and Bryan [Bernardes 2022].
    """
    if kind == QUATERNION:
        return q
    if is_angles(kind):
        third, second, first = AXES[0 if kind == EULER_ZXZ else kind - FIRST_ANGLES + 1]
        proper = first == third
        last = 3 - first - second if proper else third
        sign = 0.5 * (first - second) * (second - last) * (last - first)
        x, y, z = _pick(q, first), _pick(q, second), sign * _pick(q, last)
        a, b, c, d = (q[0], x, y, z) if proper else (q[0] - y, x + z, y + q[0], z - x)
        tilt = 2.0 * math.atan2(math.hypot(c, d), math.hypot(a, b))
        half_sum, half_difference = math.atan2(b, a), math.atan2(d, c)
        if proper:
            return (half_sum + half_difference, tilt, half_sum - half_difference, 0.0)
        return (sign * (half_sum + half_difference), tilt - 0.5 * math.pi, half_sum - half_difference, 0.0)
    if kind == ROTATION_VECTOR:
        size = math.sqrt(dot(_tail(q), _tail(q)))
        factor = 2.0 * math.atan2(size, q[0]) / size if size > 0.0 else 2.0
        return _three(scale(factor, _tail(q)))
    if has_shadow(kind):
        return _three(scale((4.0 if kind == WIENER_MILENKOVIC else 1.0) / (1.0 + q[0]), _tail(q)))
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
    if is_angles(kind):
        e1, e2, e3 = _axes(kind)
        return _product(_product(_product((1.0, 0.0, 0.0, 0.0), e1, o[0]), e2, o[1]), e3, o[2])
    b = _head(o)
    if kind == ROTATION_VECTOR:
        angle = math.sqrt(dot(b, b))
        k = math.sin(0.5 * angle) / angle if angle > 0.0 else 0.5
        return (math.cos(0.5 * angle), k * b[0], k * b[1], k * b[2])
    if has_shadow(kind):
        b = scale(0.25 if kind == WIENER_MILENKOVIC else 1.0, b)
        k = 1.0 / (1.0 + dot(b, b))
        return (k * (1.0 - dot(b, b)), 2.0 * k * b[0], 2.0 * k * b[1], 2.0 * k * b[2])
    quarter = 0.25 * dot(b, b)
    k = math.sqrt(1.0 - quarter) if kind == EULER_RODRIGUES else 1.0 / math.sqrt(1.0 + quarter)
    half = 0.5 if kind == EULER_RODRIGUES else 0.5 * k
    return (k, half * b[0], half * b[1], half * b[2])


@kernel
def regularity(kind: int, o: Four) -> float:
    """1 where the set is at its best, 0 (or not a number) where it is singular.

    It is the sine or cosine of β, or the cosine of half the angle, or of a quarter: near the singularity the
    angle to it, or a part of it.
    """
    if kind == QUATERNION:
        return 1.0
    if is_angles(kind):
        e1, _, e3 = _axes(kind)
        return abs(math.sin(o[1]) if dot(e1, e3) > 0.5 else math.cos(o[1]))
    b = _head(o)
    if kind == ROTATION_VECTOR:
        return max(0.0, math.cos(0.25 * math.sqrt(dot(b, b))))
    if has_shadow(kind):
        k = 0.25 if kind == WIENER_MILENKOVIC else 1.0
        return 1.0 / math.sqrt(1.0 + k * k * dot(b, b))
    quarter = 0.25 * dot(b, b)
    return math.sqrt(1.0 - quarter) if kind == EULER_RODRIGUES else 1.0 / math.sqrt(1.0 + quarter)
