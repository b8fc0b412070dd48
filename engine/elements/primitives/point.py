"""World components of the vector between a point of A and a point of B.

s_i = e_i·d,  d = P_B − P_A,  e_i a world axis. Held at zero for two or three axes this is "point on point".
"""

from engine.elements.primitives.base import (
    PrimitiveKind,
    add_block,
    centre_of,
    first,
    lever,
    negative,
    put,
    rotation_of,
    second,
    spin_of,
    unit,
    vary_q,
    vary_v,
    velocity_of,
    widen,
    world_spin_of,
)
from engine.kernel import kernel
from engine.maths.vectors import ZERO, Vector, add, cross, load, rotate, sub
from engine.packing import open_system, open_work
from engine.problems import (
    B_V,
    E_A,
    E_B,
    E_BLOCK,
    E_COUNT,
    E_GAUGE,
    E_PLANAR,
    E_X,
    GV_BIAS,
    GV_RATE,
    GV_VALUE,
    TAN_ACC_Q,
    TAN_ACC_V,
    TAN_RATE_Q,
    Packed,
)

P_A, P_B = 0, 3  # columns: the two points, body axes


@kernel
def _axis(k: int) -> Vector:
    return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, gauge = system.entries, system.entry_reals, work.pose, work.gauge
    grad = work.grad
    for i in range(begin, end):
        a, b, planar, g, block = (
            entries[i, E_A],
            entries[i, E_B],
            entries[i, E_PLANAR],
            entries[i, E_GAUGE],
            entries[i, E_BLOCK],
        )
        R_A, R_B = rotation_of(pose, a), rotation_of(pose, b)
        p_A, p_B = load(reals, i, P_A), load(reals, i, P_B)
        s_A, s_B = rotate(R_A, p_A), rotate(R_B, p_B)
        w_A, w_B = world_spin_of(pose, a), world_spin_of(pose, b)
        s1_A, s1_B = cross(w_A, s_A), cross(w_B, s_B)
        d = sub(add(centre_of(pose, b), s_B), add(centre_of(pose, a), s_A))
        d1 = sub(add(velocity_of(pose, b), s1_B), add(velocity_of(pose, a), s1_A))
        d2 = sub(cross(w_B, s1_B), cross(w_A, s1_A))
        for j in range(entries[i, E_COUNT]):
            k = entries[i, E_X + j]
            e = _axis(k)
            gauge[g + j, GV_VALUE], gauge[g + j, GV_RATE], gauge[g + j, GV_BIAS] = d[k], d1[k], d2[k]
            put(grad, block + 2 * j, planar, negative(e), negative(lever(R_A, p_A, e)))
            put(grad, block + 2 * j + 1, planar, e, lever(R_B, p_B, e))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        planar, g, block = entries[i, E_PLANAR], entries[i, E_GAUGE], entries[i, E_BLOCK]
        for side in range(2):
            body = entries[i, E_A + side]
            sign = 2.0 * side - 1.0
            R = rotation_of(pose, body)
            p, w, alpha = load(reals, i, P_A + 3 * side), spin_of(pose, body), load(accel, body, 3)
            p1, p2 = first(w, p), second(w, alpha, p)
            for j in range(entries[i, E_COUNT]):
                e = _axis(entries[i, E_X + j])
                y = (sign * e[0], sign * e[1], sign * e[2])
                at = block + 2 * j + side
                put(tang[TAN_RATE_Q], at, planar, ZERO, lever(R, p1, y))
                put(tang[TAN_ACC_Q], at, planar, ZERO, vary_q(R, p, p1, p2, ZERO, ZERO, y))
                put(tang[TAN_ACC_V], at, planar, ZERO, vary_v(R, p, p1, w, ZERO, y))
                k = weight[g + j]
                if k != 0.0 and stiffness.shape[0] > 0 and bodies[body, B_V] >= 0:
                    for n in range(widen(planar)):
                        _, w_n = unit(planar, n)
                        add_block(
                            stiffness,
                            bodies,
                            bodies[body, B_V] + n,
                            body,
                            planar,
                            k,
                            ZERO,
                            lever(R, first(w_n, p), y),
                        )


KIND = PrimitiveKind("point", evaluate, tangent)
