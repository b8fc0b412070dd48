"""Component, along an axis fixed in A, of the vector between a point of A and a point of B.

s = e·d,  d = P_B − P_A,  e = R_A ē. Held at zero: point in plane; for two axes: point on line; free:
displacement.
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
from engine.maths.vectors import ZERO, Rotation, Vector, add, cross, dot, load, rotate, scale, sub

P_A, P_B, AXIS = 0, 3, 6  # columns: the two points and the axis, body axes


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        R_A, R_B = rotation_of(pose, a), rotation_of(pose, b)
        p_A, p_B, e_A = load(reals, i, P_A), load(reals, i, P_B), load(reals, i, AXIS)
        w_A, w_B = spin_of(pose, a), spin_of(pose, b)
        e, e1, e2 = rotate(R_A, e_A), rotate(R_A, first(w_A, e_A)), rotate(R_A, second(w_A, ZERO, e_A))
        d = separation(R_A, centre_of(pose, a), p_A, R_B, centre_of(pose, b), p_B)
        d1 = separation_rate(
            R_A, velocity_of(pose, a), first(w_A, p_A), R_B, velocity_of(pose, b), first(w_B, p_B)
        )
        d2 = sub(rotate(R_B, second(w_B, ZERO, p_B)), rotate(R_A, second(w_A, ZERO, p_A)))
        coordinate[g, COORDINATE_VALUE.VALUE] = dot(e, d)
        coordinate[g, COORDINATE_VALUE.RATE] = dot(e1, d) + dot(e, d1)
        coordinate[g, COORDINATE_VALUE.BIAS] = dot(e2, d) + 2.0 * dot(e1, d1) + dot(e, d2)
        put(grad, block, planar, negative(e), sub(lever(R_A, e_A, d), cross(p_A, e_A)))
        put(grad, block + 1, planar, e, lever(R_B, p_B, e))


@kernel
def rate_gradient(
    R_A: Rotation, v_A: Vector, w_A: Vector, p_A: Vector, e_A: Vector,
    R_B: Rotation, v_B: Vector, w_B: Vector, p_B: Vector, d: Vector,
) -> tuple[Vector, Vector, Vector]:  # fmt: skip
    """∂s'/∂q as (force on B, torque on A, torque on B); the force on A is the opposite of that on B."""
    e, e1 = rotate(R_A, e_A), rotate(R_A, first(w_A, e_A))
    p1_A, p1_B, e1_A = first(w_A, p_A), first(w_B, p_B), first(w_A, e_A)
    d1 = separation_rate(R_A, v_A, p1_A, R_B, v_B, p1_B)
    on_a = sub(add(lever(R_A, e1_A, d), lever(R_A, e_A, d1)), add(lever(R_A, p_A, e1), lever(R_A, p1_A, e)))
    return e1, on_a, add(lever(R_B, p_B, e1), lever(R_B, p1_B, e))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        R_A, R_B = rotation_of(pose, a), rotation_of(pose, b)
        p_A, p_B, e_A = load(reals, i, P_A), load(reals, i, P_B), load(reals, i, AXIS)
        v_A, v_B, w_A, w_B = velocity_of(pose, a), velocity_of(pose, b), spin_of(pose, a), spin_of(pose, b)
        al_A, al_B = load(accel, a, 3), load(accel, b, 3)
        e1_A, e2_A = first(w_A, e_A), second(w_A, al_A, e_A)
        p1_A, p2_A, p1_B, p2_B = (
            first(w_A, p_A),
            second(w_A, al_A, p_A),
            first(w_B, p_B),
            second(w_B, al_B, p_B),
        )
        e, e1, e2 = rotate(R_A, e_A), rotate(R_A, e1_A), rotate(R_A, e2_A)
        d = separation(R_A, centre_of(pose, a), p_A, R_B, centre_of(pose, b), p_B)
        d1 = separation_rate(R_A, v_A, p1_A, R_B, v_B, p1_B)
        d2 = separation_rate(R_A, load(accel, a, 0), p2_A, R_B, load(accel, b, 0), p2_B)
        # s'  = e'·d + e·d'
        f, on_a, on_b = rate_gradient(R_A, v_A, w_A, p_A, e_A, R_B, v_B, w_B, p_B, d)
        put(tang[TAN.RATE_Q], block, planar, negative(f), on_a)
        put(tang[TAN.RATE_Q], block + 1, planar, f, on_b)
        # s'' = e''·d + 2 e'·d' + e·d''
        two = scale(2.0, e1)
        along = vary_q(R_A, e_A, e1_A, e2_A, d2, scale(2.0, d1), d)
        put(
            tang[TAN.ACC_Q], block, planar, negative(e2), sub(along, vary_q(R_A, p_A, p1_A, p2_A, e2, two, e))
        )
        put(tang[TAN.ACC_Q], block + 1, planar, e2, vary_q(R_B, p_B, p1_B, p2_B, e2, two, e))
        along = vary_v(R_A, e_A, e1_A, w_A, scale(2.0, d1), d)
        put(tang[TAN.ACC_V], block, planar, negative(two), sub(along, vary_v(R_A, p_A, p1_A, w_A, two, e)))
        put(tang[TAN.ACC_V], block + 1, planar, two, vary_v(R_B, p_B, p1_B, w_B, two, e))
        k = weight[g]
        if k != 0.0 and stiffness.shape[0] > 0:
            for side in range(2):
                row = bodies[entries[i, ENTRY.A + side], BODY.V]
                pair = system.coordinate_functions[g, COORDINATE.PAIR] + 2 * side
                for n in range(widen(planar) if row >= 0 else 0):
                    v, w = unit(planar, n)
                    if side == 0:
                        f, on_a, on_b = rate_gradient(R_A, v, w, p_A, e_A, R_B, ZERO, ZERO, p_B, d)
                    else:
                        f, on_a, on_b = rate_gradient(R_A, ZERO, ZERO, p_A, e_A, R_B, v, w, p_B, d)
                    add_block(stiffness, system, pair, n, planar, k, negative(f), on_a)
                    add_block(stiffness, system, pair + 1, n, planar, k, f, on_b)


KIND = PrimitiveKind("component", evaluate, tangent, reals=9)
