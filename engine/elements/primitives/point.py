"""World components of the vector between a point of A and a point of B.

s_i = e_i·d,  d = P_B − P_A,  e_i a world axis. Held at zero for two or three axes this is "point on point".
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import tangents as TAN
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Ints, Packed
from engine.elements.primitives.base import (
    ALONG_AXIS,
    PrimitiveKind,
    add_turn,
    axis_of,
    centre_of,
    first,
    first_turn,
    lever,
    negative,
    put,
    rotation_of,
    second,
    spin_of,
    vary_q,
    vary_v,
    velocity_of,
    world_spin_of,
)
from engine.maths.arrays import index
from engine.maths.vectors import ZERO, Vector, add, cross, load, rotate, sub

P_A, P_B = 0, 3  # columns: the two points, body axes


@kernel
def _axis(k: int) -> Vector:
    return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)


@inlined
def _planar(entry: Ints, geometry: Array, A: Array, B: Array, coordinate: Array, grad: Array) -> None:
    """In the plane, from the rows of the table and of the two poses.

    Θ' replaces ω, and half the work is saved.
    """
    g, block = index(entry[ENTRY.COORDINATE]), index(entry[ENTRY.BLOCK])
    ax = A[POSE.R] * geometry[P_A] + A[POSE.R + 1] * geometry[P_A + 1]
    ay = A[POSE.R + 3] * geometry[P_A] + A[POSE.R + 4] * geometry[P_A + 1]
    bx = B[POSE.R] * geometry[P_B] + B[POSE.R + 1] * geometry[P_B + 1]
    by = B[POSE.R + 3] * geometry[P_B] + B[POSE.R + 4] * geometry[P_B + 1]
    wa, wb = A[POSE.W + 2], B[POSE.W + 2]
    for j in range(index(0), index(entry[ENTRY.COUNT])):
        line, on_a, on_b = coordinate[g + j], grad[block + j + j], grad[block + j + j + index(1)]
        if entry[index(ENTRY.X) + j] == 0:
            line[COORDINATE_VALUE.VALUE] = B[POSE.P] + bx - A[POSE.P] - ax
            line[COORDINATE_VALUE.RATE] = B[POSE.V] - wb * by - A[POSE.V] + wa * ay
            line[COORDINATE_VALUE.BIAS] = wa * wa * ax - wb * wb * bx
            on_a[0], on_a[1], on_a[2] = -1.0, 0.0, ay
            on_b[0], on_b[1], on_b[2] = 1.0, 0.0, -by
        else:
            line[COORDINATE_VALUE.VALUE] = B[POSE.P + 1] + by - A[POSE.P + 1] - ay
            line[COORDINATE_VALUE.RATE] = B[POSE.V + 1] + wb * bx - A[POSE.V + 1] - wa * ax
            line[COORDINATE_VALUE.BIAS] = wa * wa * ay - wb * wb * by
            on_a[0], on_a[1], on_a[2] = 0.0, -1.0, -ax
            on_b[0], on_b[1], on_b[2] = 0.0, 1.0, bx


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(index(begin), index(end)):
        a, b, planar = index(entries[i, ENTRY.A]), index(entries[i, ENTRY.B]), entries[i, ENTRY.PLANAR]
        g, block = index(entries[i, ENTRY.COORDINATE]), index(entries[i, ENTRY.BLOCK])
        if planar:
            _planar(entries[i], reals[i], pose[a], pose[b], coordinate, grad)
            continue
        R_A, R_B = rotation_of(pose, a), rotation_of(pose, b)
        p_A, p_B = load(reals, i, P_A), load(reals, i, P_B)
        s_A, s_B = rotate(R_A, p_A), rotate(R_B, p_B)
        w_A, w_B = world_spin_of(pose, a), world_spin_of(pose, b)
        s1_A, s1_B = cross(w_A, s_A), cross(w_B, s_B)
        d = sub(add(centre_of(pose, b), s_B), add(centre_of(pose, a), s_A))
        d1 = sub(add(velocity_of(pose, b), s1_B), add(velocity_of(pose, a), s1_A))
        d2 = sub(cross(w_B, s1_B), cross(w_A, s1_A))
        for j in range(index(0), index(entries[i, ENTRY.COUNT])):
            k, line = index(entries[i, index(ENTRY.X) + j]), coordinate[g + j]
            line[COORDINATE_VALUE.VALUE], line[COORDINATE_VALUE.RATE], line[COORDINATE_VALUE.BIAS] = (
                d[k],
                d1[k],
                d2[k],
            )
            # a world axis in body axes is a line of R:  Rᵀe_k
            at, column, e = block + j + j, index(POSE.R) + k + k + k, _axis(k)
            put(grad, at, planar, negative(e), cross(load(pose, a, column), p_A))
            put(grad, at + index(1), planar, e, cross(p_B, load(pose, b, column)))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        planar, g, block = entries[i, ENTRY.PLANAR], entries[i, ENTRY.COORDINATE], entries[i, ENTRY.BLOCK]
        for side in range(2):
            body = entries[i, ENTRY.A + side]
            sign = 2.0 * side - 1.0
            R = rotation_of(pose, body)
            p, w, alpha = load(reals, i, P_A + 3 * side), spin_of(pose, body), load(accel, body, 3)
            p1, p2 = first(w, p), second(w, alpha, p)
            for j in range(entries[i, ENTRY.COUNT]):
                e = _axis(entries[i, ENTRY.X + j])
                y = (sign * e[0], sign * e[1], sign * e[2])
                at = block + 2 * j + side
                put(tang[TAN.RATE_Q], at, planar, ZERO, lever(R, p1, y))
                put(tang[TAN.ACC_Q], at, planar, ZERO, vary_q(R, p, p1, p2, ZERO, ZERO, y))
                put(tang[TAN.ACC_V], at, planar, ZERO, vary_v(R, p, p1, w, ZERO, y))
                k = weight[g + j]
                pair = system.coordinate_functions[g + j, COORDINATE.PAIR] + 3 * side
                if k != 0.0 and stiffness.shape[0] > 0 and bodies[body, BODY.V] >= 0:
                    # (ω × p) × Rᵀy
                    for axis in range(first_turn(planar), 3):
                        torque = lever(R, first(axis_of(axis), p), y)
                        add_turn(stiffness, system, pair, axis, planar, k, torque)


KIND = PrimitiveKind("point", evaluate, tangent, integers=1, reals=6, push=ALONG_AXIS)
