"""Velocity of the contact point of a disc that rolls on a fixed plane, forwards or sideways.

n is the normal of the plane, a the axle, κ = n·a, σ = √(1 − κ²), U the velocity of the disc's centre, W = R
ω̄ its angular velocity. The contact point lies at c = −ρ (n − κ a)/σ from the centre. Its velocity U + W × c,
taken along the heading a × n and across it, n × (a × n), is (both scaled by σ, which never vanishes for a
standing wheel)

    forwards  A v = (a × n)·U − ρ σ (ā·ω̄)
    sideways  A v = (a − κ n)·U + ρ σ (a × n)·W

Velocity level only: rolling does not restrict where the wheel can be brought. Where friction acts on the slip
of a wheel, true speeds count: both divided by σ.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import tangents as TAN
from engine.compiled.kernel import kernel
from engine.compiled.layout import Packed
from engine.elements.primitives.base import (
    PrimitiveKind,
    add_block,
    first,
    lever,
    places_of,
    put,
    second,
    unit,
    vary_v,
    velocity_of,
    widen,
)
from engine.elements.primitives.wheel_height import wheel_of
from engine.maths.vectors import (
    ZERO,
    Rotation,
    Vector,
    add,
    cross,
    dot,
    load,
    mix,
    rotate,
    scale,
    sub,
    unrotate,
)

NORMAL = 0  # columns: the normal (world), then centre, axle (body axes) and radius of the disc, by `wheel_of`
SIDEWAYS, TRUE = ENTRY.X, ENTRY.X + 1  # the kind's integers: 0 forwards, 1 sideways; 1 where divided by σ


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        _, b, planar, g, block = places_of(entries, i)
        R, w, n, p, a, rho = wheel_of(pose, b, reals, i, NORMAL)
        a_W, a1_W, W = rotate(R, a), rotate(R, first(w, a)), rotate(R, w)
        U, U1 = add(velocity_of(pose, b), rotate(R, first(w, p))), rotate(R, second(w, ZERO, p))
        kappa, kappa1 = dot(n, a_W), dot(n, a1_W)
        sigma = (1.0 - kappa * kappa) ** 0.5
        sigma1 = -kappa * kappa1 / sigma
        heading, heading1 = cross(a_W, n), cross(a1_W, n)
        coordinate[g, COORDINATE_VALUE.VALUE] = 0.0
        put(grad, block, planar, ZERO, ZERO)
        if entries[i, SIDEWAYS]:
            across, across1 = mix(1.0, a_W, -kappa, n), mix(1.0, a1_W, -kappa1, n)
            put(
                grad,
                block + 1,
                planar,
                across,
                add(lever(R, p, across), scale(rho * sigma, unrotate(R, heading))),
            )
            coordinate[g, COORDINATE_VALUE.RATE] = dot(across, U) + rho * sigma * dot(heading, W)
            coordinate[g, COORDINATE_VALUE.BIAS] = (
                dot(across1, U)
                + dot(across, U1)
                + rho * (sigma1 * dot(heading, W) + sigma * dot(heading1, W))
            )
        else:
            put(grad, block + 1, planar, heading, sub(lever(R, p, heading), scale(rho * sigma, a)))
            coordinate[g, COORDINATE_VALUE.RATE] = dot(heading, U) - rho * sigma * dot(a, w)
            coordinate[g, COORDINATE_VALUE.BIAS] = (
                dot(heading1, U) + dot(heading, U1) - rho * sigma1 * dot(a, w)
            )
        if entries[i, TRUE]:
            for c in range(widen(planar)):
                grad[block + 1, c] /= sigma
            rate = coordinate[g, COORDINATE_VALUE.RATE] / sigma
            coordinate[g, COORDINATE_VALUE.BIAS] = (
                coordinate[g, COORDINATE_VALUE.BIAS] - rate * sigma1
            ) / sigma
            coordinate[g, COORDINATE_VALUE.RATE] = rate


@kernel
def _row_gradient(
    sideways: int, R: Rotation, v: Vector, w: Vector, n: Vector, p: Vector, a: Vector, rho: float
) -> Vector:
    """∂(A v)/∂θ."""
    p1, a_W, W = first(w, p), rotate(R, a), rotate(R, w)
    U, heading, kappa = add(v, rotate(R, p1)), cross(a_W, n), dot(n, a_W)
    sigma = (1.0 - kappa * kappa) ** 0.5
    tilt = lever(R, a, n)  # δκ
    if sideways:
        knife = add(lever(R, a, U), lever(R, p1, a_W))
        lift = mix(dot(n, U), tilt, kappa, lever(R, p1, n))
        pivot = add(lever(R, a, cross(n, W)), lever(R, w, heading))
        return add(sub(knife, lift), mix(-rho * kappa / sigma * dot(heading, W), tilt, rho * sigma, pivot))
    roll = add(lever(R, a, cross(n, U)), lever(R, p1, heading))
    return mix(1.0, roll, rho * dot(a, w) * kappa / sigma, tilt)


@kernel
def _row(
    sideways: int,
    R: Rotation,
    n: Vector,
    p: Vector,
    a: Vector,
    rho: float,
    heading: Vector,
    kappa: float,
    sigma: float,
) -> tuple[Vector, Vector]:
    """A of the heading, by velocity and angular velocity."""
    if sideways:
        across = mix(1.0, rotate(R, a), -kappa, n)
        return across, add(lever(R, p, across), scale(rho * sigma, unrotate(R, heading)))
    return heading, sub(lever(R, p, heading), scale(rho * sigma, a))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        _, b, planar, g, block = places_of(entries, i)
        sideways = entries[i, SIDEWAYS]
        R, w, n, p, a, rho = wheel_of(pose, b, reals, i, NORMAL)
        v, alpha = velocity_of(pose, b), load(accel, b, 3)
        p1, p2, a1 = first(w, p), second(w, alpha, p), first(w, a)
        a_W, a1_W, W, W1 = rotate(R, a), rotate(R, a1), rotate(R, w), rotate(R, alpha)
        U, U1 = add(v, rotate(R, p1)), add(load(accel, b, 0), rotate(R, p2))
        heading, heading1 = cross(a_W, n), cross(a1_W, n)
        kappa, kappa1 = dot(n, a_W), dot(n, a1_W)
        sigma = (1.0 - kappa * kappa) ** 0.5
        s1, s2 = -kappa / sigma, -1.0 / sigma**3  # derivatives of σ(κ)
        sigma1 = s1 * kappa1
        # variations of κ, κ', σ, σ' with the pose, and of κ' and σ' with the angular velocity
        kq, k1q = lever(R, a, n), lever(R, a1, n)
        sq, s1q = scale(s1, kq), mix(s1, k1q, s2 * kappa1, kq)
        s1v = scale(s1, kq)
        if sideways:
            force = mix(1.0, a1_W, -kappa1, n)
            # a·U
            acc = add(add(lever(R, a1, U), lever(R, a, U1)), add(lever(R, p1, a1_W), lever(R, p2, a_W)))
            vel = add(lever(R, a, U), vary_v(R, p, p1, w, a1_W, a_W))
            # −κ ν, ν = n·U
            nu, nu1, nuq, nu1q = dot(n, U), dot(n, U1), lever(R, p1, n), lever(R, p2, n)
            acc = sub(acc, add(mix(nu, k1q, kappa1, nuq), mix(nu1, kq, kappa, nu1q)))
            vel = sub(
                vel, add(mix(nu, kq, kappa1, lever(R, p, n)), scale(kappa, vary_v(R, p, p1, w, ZERO, n)))
            )
            # ρ σ τ, τ = (a × n)·W
            tau, tau1 = dot(heading, W), dot(heading1, W) + dot(heading, W1)
            tq = add(lever(R, a, cross(n, W)), lever(R, w, heading))
            t1q = add(
                add(lever(R, a1, cross(n, W)), lever(R, w, heading1)),
                add(lever(R, a, cross(n, W1)), lever(R, alpha, heading)),
            )
            tv, t1v = unrotate(R, heading), add(lever(R, a, cross(n, W)), unrotate(R, heading1))
            acc = add(acc, scale(rho, add(mix(tau, s1q, sigma1, tq), mix(tau1, sq, sigma, t1q))))
            vel = add(vel, scale(rho, add(mix(tau, s1v, sigma1, tv), scale(sigma, t1v))))
        else:
            force = heading1
            acc = add(lever(R, a1, cross(n, U)), lever(R, p1, heading1))
            acc = add(acc, add(lever(R, a, cross(n, U1)), lever(R, p2, heading)))
            acc = sub(acc, scale(rho, mix(dot(a, w), s1q, dot(a, alpha), sq)))
            vel = add(lever(R, a, cross(n, U)), vary_v(R, p, p1, w, heading1, heading))
            vel = sub(vel, scale(rho, mix(dot(a, w), s1v, sigma1, a)))
        tang[: TAN.ACTING, block, :] = 0.0
        turned = _row_gradient(sideways, R, v, w, n, p, a, rho)
        true = entries[i, TRUE] != 0
        if true:  # s/σ: its variation, and those of s'/σ − s σ'/σ², with the row itself in `grad`
            s, s_1 = work.coordinate[g, COORDINATE_VALUE.RATE], 0.0
            for c in range(widen(planar)):
                s_1 += work.grad[block + 1, c] * accel[b, 5 if planar and c == 2 else c]
            s_1 += work.coordinate[g, COORDINATE_VALUE.BIAS]
            turned = scale(1.0 / sigma, mix(1.0, turned, -s, sq))
            acc = scale(1.0 / sigma, sub(mix(1.0, acc, -s_1, sq), mix(sigma1, turned, s, s1q)))
            row_force, row_torque = _row(sideways, R, n, p, a, rho, heading, kappa, sigma)
            force = scale(1.0 / sigma, mix(1.0, force, -sigma1 / sigma, row_force))
            vel = scale(1.0 / sigma, sub(vel, mix(sigma1 / sigma, row_torque, s, s1v)))
        put(tang[TAN.RATE_Q], block + 1, planar, ZERO, turned)
        put(tang[TAN.ACC_Q], block + 1, planar, ZERO, acc)
        put(tang[TAN.ACC_V], block + 1, planar, force, vel)
        row = bodies[b, BODY.V]
        pair = system.coordinate_functions[g, COORDINATE.PAIR] + 3  # of the wheel with itself
        if weight[g] != 0.0 and stiffness.shape[0] > 0 and row >= 0:
            for k in range(widen(planar)):
                v_k, w_k = unit(planar, k)
                gradient = _row_gradient(sideways, R, v_k, w_k, n, p, a, rho)
                if true:
                    gradient = scale(1.0 / sigma, mix(1.0, gradient, -work.grad[block + 1, k], sq))
                add_block(stiffness, system, pair, k, planar, weight[g], ZERO, gradient)


KIND = PrimitiveKind("rolling", evaluate, tangent, integers=2, reals=10, velocity_level=True)
