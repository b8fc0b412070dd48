"""Angular velocity of B relative to A along a direction of the world or of B.

    A v = e·(R_B ω̄_B − R_A ω̄_A),  e fixed in the world, or R_B ē

Velocity level only: three of them are the slip of a ball in its socket, which has no coordinates. Since
(R ω̄)' = R α, the first has no bias; the second has −e'·R_A ω̄_A, which is nothing where A does not move.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import tangents as TAN
from engine.compiled.kernel import kernel
from engine.compiled.layout import Packed, System, Work
from engine.elements.primitives.base import (
    PrimitiveKind,
    add_block,
    first,
    lever,
    negative,
    places_of,
    put,
    rotation_of,
    spin_of,
    unit,
    widen,
)
from engine.maths.vectors import ZERO, Vector, add, dot, load, rotate, sub, unrotate

DIRECTION = 0  # columns
IN_B = ENTRY.X  # the kind's integer: 1 where the direction is one of B


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        e, w_B = load(reals, i, DIRECTION), spin_of(pose, b)
        coordinate[g, COORDINATE_VALUE.VALUE], coordinate[g, COORDINATE_VALUE.BIAS] = 0.0, 0.0
        if entries[i, IN_B]:
            R_A, R_B, w_A = rotation_of(pose, a), rotation_of(pose, b), spin_of(pose, a)
            e_W, W_A = rotate(R_B, e), rotate(R_A, w_A)
            put(grad, block, planar, ZERO, negative(unrotate(R_A, e_W)))
            put(grad, block + 1, planar, ZERO, e)
            coordinate[g, COORDINATE_VALUE.RATE] = dot(e, w_B) - dot(e_W, W_A)
            coordinate[g, COORDINATE_VALUE.BIAS] = -dot(rotate(R_B, first(w_B, e)), W_A)
        else:
            R_A, R_B, w_A = rotation_of(pose, a), rotation_of(pose, b), spin_of(pose, a)
            put(grad, block, planar, ZERO, negative(unrotate(R_A, e)))
            put(grad, block + 1, planar, ZERO, unrotate(R_B, e))
            coordinate[g, COORDINATE_VALUE.RATE] = dot(e, sub(rotate(R_B, w_B), rotate(R_A, w_A)))


@kernel
def _tangent_in_b(system: System, work: Work, i: int, e: Vector) -> None:
    a, b, planar, g, block = places_of(system.entries, i)
    R_A, R_B, w_A, w_B = (
        rotation_of(work.pose, a),
        rotation_of(work.pose, b),
        spin_of(work.pose, a),
        spin_of(work.pose, b),
    )
    al_A, e1 = load(work.accel, a, 3), first(w_B, e)
    e_W, e1_W, W_A = rotate(R_B, e), rotate(R_B, e1), rotate(R_A, w_A)
    turned = lever(R_B, e, W_A)
    tang = work.tangent
    put(tang[TAN.RATE_Q], block, planar, ZERO, negative(lever(R_A, w_A, e_W)))
    put(tang[TAN.RATE_Q], block + 1, planar, ZERO, negative(turned))
    put(tang[TAN.ACC_Q], block, planar, ZERO, negative(add(lever(R_A, al_A, e_W), lever(R_A, w_A, e1_W))))
    acc = add(lever(R_B, e, rotate(R_A, al_A)), lever(R_B, e1, W_A))
    put(tang[TAN.ACC_Q], block + 1, planar, ZERO, negative(acc))
    put(tang[TAN.ACC_V], block, planar, ZERO, negative(unrotate(R_A, e1_W)))
    put(tang[TAN.ACC_V], block + 1, planar, ZERO, negative(turned))
    weight = work.weight[g]
    if weight != 0.0 and work.stiffness.shape[0] > 0 and system.bodies[a, BODY.V] >= 0:
        pair = system.coordinate_functions[g, COORDINATE.PAIR]
        for n in range(widen(planar)):
            _, w_n = unit(planar, n)
            add_block(work.stiffness, system, pair, n, planar, -weight, ZERO, lever(R_A, w_n, e_W))
            on_b = lever(R_B, e, rotate(R_A, w_n))
            add_block(work.stiffness, system, pair + 1, n, planar, -weight, ZERO, on_b)


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        e = load(reals, i, DIRECTION)
        if entries[i, IN_B]:
            _tangent_in_b(system, work, i, e)
            continue
        for k in range(2):
            body = a if k == 0 else b
            tang[TAN.ACC_V, block + k, :] = 0.0
            R, sign = rotation_of(pose, body), -1.0 if k == 0 else 1.0
            rate, acc = lever(R, spin_of(pose, body), e), lever(R, load(accel, body, 3), e)
            if k == 0:
                rate, acc = negative(rate), negative(acc)
            put(tang[TAN.RATE_Q], block + k, planar, ZERO, rate)
            put(tang[TAN.ACC_Q], block + k, planar, ZERO, acc)
            if weight[g] != 0.0 and stiffness.shape[0] > 0 and bodies[body, BODY.V] >= 0:
                pair = system.coordinate_functions[g, COORDINATE.PAIR] + 3 * k  # of the body with itself
                for n in range(widen(planar)):
                    _, w_n = unit(planar, n)
                    add_block(stiffness, system, pair, n, planar, sign * weight[g], ZERO, lever(R, w_n, e))


KIND = PrimitiveKind("spin", evaluate, tangent, integers=1, reals=3, velocity_level=True)
