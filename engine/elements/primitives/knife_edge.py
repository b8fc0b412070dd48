"""Velocity of a point of B along a direction of B: a blade, a skate, a wheel without width.

Velocity level only: A v = a·U,  U = P_B' the velocity of the point, a = R ā the direction that must not slip.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
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
    rotation_of,
    second,
    spin_of,
    unit,
    vary_v,
    velocity_of,
    widen,
)
from engine.maths.vectors import ZERO, Rotation, Vector, add, dot, load, rotate

P_B, DIRECTION = 0, 3  # columns, body axes


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        _, b, planar, g, block = places_of(entries, i)
        R, w, p, a = rotation_of(pose, b), spin_of(pose, b), load(reals, i, P_B), load(reals, i, DIRECTION)
        a_W = rotate(R, a)
        U = add(velocity_of(pose, b), rotate(R, first(w, p)))
        coordinate[g, COORDINATE_VALUE.VALUE], coordinate[g, COORDINATE_VALUE.RATE] = 0.0, dot(a_W, U)
        coordinate[g, COORDINATE_VALUE.BIAS] = dot(rotate(R, first(w, a)), U) + dot(
            a_W, rotate(R, second(w, ZERO, p))
        )
        put(grad, block, planar, ZERO, ZERO)
        put(grad, block + 1, planar, a_W, lever(R, p, a_W))


@kernel
def _row_gradient(R: Rotation, v: Vector, w: Vector, p: Vector, a: Vector) -> Vector:
    """∂(A v)/∂θ."""
    p1 = first(w, p)
    return add(lever(R, a, add(v, rotate(R, p1))), lever(R, p1, rotate(R, a)))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        _, b, planar, g, block = places_of(entries, i)
        R, w, p, a = rotation_of(pose, b), spin_of(pose, b), load(reals, i, P_B), load(reals, i, DIRECTION)
        v, alpha = velocity_of(pose, b), load(accel, b, 3)
        p1, p2, a1 = first(w, p), second(w, alpha, p), first(w, a)
        a_W, a1_W = rotate(R, a), rotate(R, a1)
        U, U1 = add(v, rotate(R, p1)), add(load(accel, b, 0), rotate(R, p2))
        tang[: TAN.ACTING, block, :] = 0.0
        put(tang[TAN.RATE_Q], block + 1, planar, ZERO, _row_gradient(R, v, w, p, a))
        acc = add(add(lever(R, a1, U), lever(R, a, U1)), add(lever(R, p1, a1_W), lever(R, p2, a_W)))
        put(tang[TAN.ACC_Q], block + 1, planar, ZERO, acc)
        vel = add(lever(R, a, U), vary_v(R, p, p1, w, a1_W, a_W))
        put(tang[TAN.ACC_V], block + 1, planar, a1_W, vel)
        row = bodies[b, BODY.V]
        pair = system.coordinate_functions[g, COORDINATE.PAIR] + 3  # of the wheel with itself
        if weight[g] != 0.0 and stiffness.shape[0] > 0 and row >= 0:
            for k in range(widen(planar)):
                v_k, w_k = unit(planar, k)
                add_block(
                    stiffness, system, pair, k, planar, weight[g], ZERO, _row_gradient(R, v_k, w_k, p, a)
                )


KIND = PrimitiveKind("knife_edge", evaluate, tangent, reals=6, velocity_level=True)
