"""Angular velocity of B relative to A along a direction: of the world, or of B where A does not move.

    A v = e·(R_B ω̄_B − R_A ω̄_A),  e fixed in the world;      A v = ē·ω̄_B,  ē fixed in B

Velocity level only: three of them are the slip of a ball in its socket, which has no coordinates. Since
(R ω̄)' = R α, neither has a bias.
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
    lever,
    negative,
    places_of,
    put,
    rotation_of,
    spin_of,
    unit,
    widen,
)
from engine.maths.vectors import ZERO, dot, load, rotate, sub, unrotate

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
            put(grad, block, planar, ZERO, ZERO)
            put(grad, block + 1, planar, ZERO, e)
            coordinate[g, COORDINATE_VALUE.RATE] = dot(e, w_B)
        else:
            R_A, R_B, w_A = rotation_of(pose, a), rotation_of(pose, b), spin_of(pose, a)
            put(grad, block, planar, ZERO, negative(unrotate(R_A, e)))
            put(grad, block + 1, planar, ZERO, unrotate(R_B, e))
            coordinate[g, COORDINATE_VALUE.RATE] = dot(e, sub(rotate(R_B, w_B), rotate(R_A, w_A)))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        e = load(reals, i, DIRECTION)
        for k in range(2):
            body = a if k == 0 else b
            tang[TAN.RATE_Q, block + k, :] = 0.0
            tang[TAN.ACC_Q, block + k, :] = 0.0
            tang[TAN.ACC_V, block + k, :] = 0.0
            if entries[i, IN_B]:
                continue
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
