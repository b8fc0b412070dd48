"""Distance between a point of A and a point of B.

s = |d|,  d = P_B − P_A,  u = d/s:   s' = u·d',   s'' = (d'·d' + d·d'' − s'²)/s.
The derivatives need s > 0; validation refuses rods and springs of zero length.
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
    centre_of,
    first,
    lever,
    negative,
    places_of,
    put,
    rotation_of,
    second,
    separation,
    separation_rate,
    spin_of,
    unit,
    vary_q,
    vary_v,
    velocity_of,
    widen,
)
from engine.maths.vectors import ZERO, Rotation, Vector, add, dot, load, mix, rotate, scale, sub

P_A, P_B = 0, 3  # columns: the two points, body axes
MIN_LENGTH = 1e-12  # m; closer than this the direction is undefined and taken from a clamped length


@kernel
def length(d: Vector) -> float:
    return float(max(dot(d, d) ** 0.5, MIN_LENGTH))


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        R_A, R_B, w_A, w_B = rotation_of(pose, a), rotation_of(pose, b), spin_of(pose, a), spin_of(pose, b)
        p_A, p_B = load(reals, i, P_A), load(reals, i, P_B)
        d = separation(R_A, centre_of(pose, a), p_A, R_B, centre_of(pose, b), p_B)
        d1 = separation_rate(
            R_A, velocity_of(pose, a), first(w_A, p_A), R_B, velocity_of(pose, b), first(w_B, p_B)
        )
        d2 = sub(rotate(R_B, second(w_B, ZERO, p_B)), rotate(R_A, second(w_A, ZERO, p_A)))
        s = length(d)
        u = scale(1.0 / s, d)
        rate = dot(u, d1)
        coordinate[g, COORDINATE_VALUE.VALUE], coordinate[g, COORDINATE_VALUE.RATE] = s, rate
        coordinate[g, COORDINATE_VALUE.BIAS] = (dot(d1, d1) - rate * rate) / s + dot(u, d2)
        put(grad, block, planar, negative(u), negative(lever(R_A, p_A, u)))
        put(grad, block + 1, planar, u, lever(R_B, p_B, u))


@kernel
def rate_gradient(
    R_A: Rotation,
    v_A: Vector,
    w_A: Vector,
    p_A: Vector,
    R_B: Rotation,
    v_B: Vector,
    w_B: Vector,
    p_B: Vector,
    d: Vector,
) -> tuple[Vector, Vector, Vector]:
    """∂s'/∂q as (force on B, torque on A, torque on B):  δs' = (d' − s' u)/s·δd + u·δd'."""
    s = length(d)
    u = scale(1.0 / s, d)
    p1_A, p1_B = first(w_A, p_A), first(w_B, p_B)
    d1 = separation_rate(R_A, v_A, p1_A, R_B, v_B, p1_B)
    y = mix(1.0 / s, d1, -dot(u, d1) / s, u)
    on_a = add(lever(R_A, p_A, y), lever(R_A, p1_A, u))
    return y, negative(on_a), add(lever(R_B, p_B, y), lever(R_B, p1_B, u))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        R_A, R_B, w_A, w_B = rotation_of(pose, a), rotation_of(pose, b), spin_of(pose, a), spin_of(pose, b)
        v_A, v_B, al_A, al_B = (
            velocity_of(pose, a),
            velocity_of(pose, b),
            load(accel, a, 3),
            load(accel, b, 3),
        )
        p_A, p_B = load(reals, i, P_A), load(reals, i, P_B)
        p1_A, p2_A, p1_B, p2_B = (
            first(w_A, p_A),
            second(w_A, al_A, p_A),
            first(w_B, p_B),
            second(w_B, al_B, p_B),
        )
        d = separation(R_A, centre_of(pose, a), p_A, R_B, centre_of(pose, b), p_B)
        d1 = separation_rate(R_A, v_A, p1_A, R_B, v_B, p1_B)
        d2 = separation_rate(R_A, load(accel, a, 0), p2_A, R_B, load(accel, b, 0), p2_B)
        s = length(d)
        u = scale(1.0 / s, d)
        s1 = dot(u, d1)
        s2 = (dot(d1, d1) + dot(d, d2) - s1 * s1) / s
        f, on_a, on_b = rate_gradient(R_A, v_A, w_A, p_A, R_B, v_B, w_B, p_B, d)
        put(tang[TAN.RATE_Q], block, planar, negative(f), on_a)
        put(tang[TAN.RATE_Q], block + 1, planar, f, on_b)
        # δs'' = y0·δd + y1·δd' + u·δd''
        across = mix(1.0, d1, -s1, u)
        y0 = scale(1.0 / s, sub(mix(1.0, d2, -s2, u), scale(2.0 * s1 / s, across)))
        y1 = scale(2.0 / s, across)
        put(tang[TAN.ACC_Q], block, planar, negative(y0), negative(vary_q(R_A, p_A, p1_A, p2_A, y0, y1, u)))
        put(tang[TAN.ACC_Q], block + 1, planar, y0, vary_q(R_B, p_B, p1_B, p2_B, y0, y1, u))
        put(tang[TAN.ACC_V], block, planar, negative(y1), negative(vary_v(R_A, p_A, p1_A, w_A, y1, u)))
        put(tang[TAN.ACC_V], block + 1, planar, y1, vary_v(R_B, p_B, p1_B, w_B, y1, u))
        k = weight[g]
        if k != 0.0 and stiffness.shape[0] > 0:
            for side in range(2):
                row = bodies[entries[i, ENTRY.A + side], BODY.V]
                pair = system.coordinate_functions[g, COORDINATE.PAIR] + 2 * side
                for n in range(widen(planar) if row >= 0 else 0):
                    v, w = unit(planar, n)
                    if side == 0:
                        f, on_a, on_b = rate_gradient(R_A, v, w, p_A, R_B, ZERO, ZERO, p_B, d)
                    else:
                        f, on_a, on_b = rate_gradient(R_A, ZERO, ZERO, p_A, R_B, v, w, p_B, d)
                    add_block(stiffness, system, pair, n, planar, k, negative(f), on_a)
                    add_block(stiffness, system, pair + 1, n, planar, k, f, on_b)


KIND = PrimitiveKind("distance", evaluate, tangent, reals=6)
