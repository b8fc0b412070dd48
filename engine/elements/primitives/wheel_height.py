"""Height of the lowest point of a disc over a fixed plane.

s = n·(P_B − P_0) − ρ √(1 − κ²),  κ = n·a:  n the normal, P_0 a point of the plane, a the axle of the disc.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import tangents as TAN
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed
from engine.elements.primitives.base import (
    PrimitiveKind,
    add_block,
    centre_of,
    first,
    lever,
    places_of,
    put,
    rotation_of,
    second,
    spin_of,
    unit,
    vary_v,
    velocity_of,
    widen,
)
from engine.maths.vectors import ZERO, Rotation, Vector, add, dot, load, mix, rotate, scale, sub

ORIGIN, NORMAL = 0, 3  # columns: a point of the plane; its normal, before what else `wheel_of` reads


@inlined
def wheel_of(
    pose: Array, body: int, reals: Array, i: int, at: int
) -> tuple[Rotation, Vector, Vector, Vector, Vector, float]:
    """R and ω̄ of the wheel; n in the world; centre and axle of the disc in body axes, and its radius.

    The numbers stand in this order from the column `at` on.
    """
    R, w = rotation_of(pose, body), spin_of(pose, body)
    return R, w, load(reals, i, at), load(reals, i, at + 3), load(reals, i, at + 6), reals[i, at + 9]


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        _, b, planar, g, block = places_of(entries, i)
        R, w, n, p, a, rho = wheel_of(pose, b, reals, i, NORMAL)
        kappa = dot(n, rotate(R, a))
        kappa1 = dot(n, rotate(R, first(w, a)))
        sigma = (1.0 - kappa * kappa) ** 0.5
        f1, f2 = rho * kappa / sigma, rho / sigma**3
        coordinate[g, COORDINATE_VALUE.VALUE] = (
            dot(n, sub(add(centre_of(pose, b), rotate(R, p)), load(reals, i, ORIGIN))) - rho * sigma
        )
        coordinate[g, COORDINATE_VALUE.RATE] = (
            dot(n, add(velocity_of(pose, b), rotate(R, first(w, p)))) + f1 * kappa1
        )
        coordinate[g, COORDINATE_VALUE.BIAS] = (
            dot(n, rotate(R, second(w, ZERO, p)))
            + f1 * dot(n, rotate(R, second(w, ZERO, a)))
            + f2 * kappa1 * kappa1
        )
        put(grad, block, planar, ZERO, ZERO)
        put(grad, block + 1, planar, n, add(lever(R, p, n), scale(f1, lever(R, a, n))))


@kernel
def _rate_gradient(R: Rotation, w: Vector, n: Vector, p: Vector, a: Vector, f1: float, f2: float) -> Vector:
    kappa1 = dot(n, rotate(R, first(w, a)))
    return add(lever(R, first(w, p), n), mix(f1, lever(R, first(w, a), n), f2 * kappa1, lever(R, a, n)))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        _, b, planar, g, block = places_of(entries, i)
        R, w, n, p, a, rho = wheel_of(pose, b, reals, i, NORMAL)
        alpha = load(accel, b, 3)
        a1, a2 = first(w, a), second(w, alpha, a)
        kappa, kappa1, kappa2 = dot(n, rotate(R, a)), dot(n, rotate(R, a1)), dot(n, rotate(R, a2))
        sigma = (1.0 - kappa * kappa) ** 0.5
        f1, f2, f3 = rho * kappa / sigma, rho / sigma**3, 3.0 * rho * kappa / sigma**5
        tang[: TAN.ACTING, block, :] = 0.0
        put(tang[TAN.RATE_Q], block + 1, planar, ZERO, _rate_gradient(R, w, n, p, a, f1, f2))
        tilt = mix(2.0 * f2 * kappa1, lever(R, a1, n), f2 * kappa2 + f3 * kappa1 * kappa1, lever(R, a, n))
        acc = add(add(lever(R, second(w, alpha, p), n), scale(f1, lever(R, a2, n))), tilt)
        put(tang[TAN.ACC_Q], block + 1, planar, ZERO, acc)
        vel = add(
            vary_v(R, p, first(w, p), w, ZERO, n),
            vary_v(R, a, a1, w, scale(2.0 * f2 * kappa1, n), scale(f1, n)),
        )
        put(tang[TAN.ACC_V], block + 1, planar, ZERO, vel)
        row = bodies[b, BODY.V]
        pair = system.coordinate_functions[g, COORDINATE.PAIR] + 3  # of the wheel with itself
        if weight[g] != 0.0 and stiffness.shape[0] > 0 and row >= 0:
            for k in range(widen(planar)):
                _, w_k = unit(planar, k)
                add_block(
                    stiffness,
                    system,
                    pair,
                    k,
                    planar,
                    weight[g],
                    ZERO,
                    _rate_gradient(R, w_k, n, p, a, f1, f2),
                )


KIND = PrimitiveKind("wheel_height", evaluate, tangent, reals=13)
