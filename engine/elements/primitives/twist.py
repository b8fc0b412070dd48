"""Axial part of the relative rotation about one axis: the sine of a small rotation of B against A.

s = (v_A·u_B − u_A·v_B)/2, where u × v is the axis (u, v = x, y about z, and cyclic). When B is turned against
A by φ about the unit vector n it equals sin φ times the component of n along the axis: the sine of the
rotation when n is the axis. Held at zero about the shaft it makes a joint of constant velocity; as springs it
makes a bushing.
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
    add_turn,
    axis_of,
    first_turn,
    lever,
    places_of,
    put,
    rotation_of,
    spin_of,
    world_spin_of,
)
from engine.elements.primitives.dot import acceleration_gradients, bias, rate_gradient
from engine.maths.vectors import ZERO, cross, dot, load, mix, rotate, sub

# columns: the two directions across the axis, of A and of B;  s = (v_A·u_B − u_A·v_B)/2
U_A, V_A, U_B, V_B = 0, 3, 6, 9


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        R_A, R_B = rotation_of(pose, a), rotation_of(pose, b)
        ua, va, ub, vb = load(reals, i, U_A), load(reals, i, V_A), load(reals, i, U_B), load(reals, i, V_B)
        s_A, s_B = world_spin_of(pose, a), world_spin_of(pose, b)
        ua_W, va_W, ub_W, vb_W = rotate(R_A, ua), rotate(R_A, va), rotate(R_B, ub), rotate(R_B, vb)
        coordinate[g, COORDINATE_VALUE.VALUE] = 0.5 * (dot(va_W, ub_W) - dot(ua_W, vb_W))
        coordinate[g, COORDINATE_VALUE.RATE] = 0.5 * dot(
            sub(cross(va_W, ub_W), cross(ua_W, vb_W)), sub(s_A, s_B)
        )
        coordinate[g, COORDINATE_VALUE.BIAS] = 0.5 * (bias(va_W, ub_W, s_A, s_B) - bias(ua_W, vb_W, s_A, s_B))
        put(grad, block, planar, ZERO, mix(0.5, lever(R_A, va, ub_W), -0.5, lever(R_A, ua, vb_W)))
        put(grad, block + 1, planar, ZERO, mix(0.5, lever(R_B, ub, va_W), -0.5, lever(R_B, vb, ua_W)))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        R_A, R_B, w_A, w_B = rotation_of(pose, a), rotation_of(pose, b), spin_of(pose, a), spin_of(pose, b)
        al_A, al_B = load(accel, a, 3), load(accel, b, 3)
        ua, va, ub, vb = load(reals, i, U_A), load(reals, i, V_A), load(reals, i, U_B), load(reals, i, V_B)
        fa, fb = rate_gradient(R_A, w_A, va, R_B, w_B, ub)
        ga, gb = rate_gradient(R_A, w_A, ua, R_B, w_B, vb)
        put(tang[TAN.RATE_Q], block, planar, ZERO, mix(0.5, fa, -0.5, ga))
        put(tang[TAN.RATE_Q], block + 1, planar, ZERO, mix(0.5, fb, -0.5, gb))
        fa, fb, fva, fvb = acceleration_gradients(R_A, w_A, al_A, va, R_B, w_B, al_B, ub)
        ga, gb, gva, gvb = acceleration_gradients(R_A, w_A, al_A, ua, R_B, w_B, al_B, vb)
        put(tang[TAN.ACC_Q], block, planar, ZERO, mix(0.5, fa, -0.5, ga))
        put(tang[TAN.ACC_Q], block + 1, planar, ZERO, mix(0.5, fb, -0.5, gb))
        put(tang[TAN.ACC_V], block, planar, ZERO, mix(0.5, fva, -0.5, gva))
        put(tang[TAN.ACC_V], block + 1, planar, ZERO, mix(0.5, fvb, -0.5, gvb))
        k = 0.5 * weight[g]
        if k != 0.0 and stiffness.shape[0] > 0:
            for side in range(2):
                row = bodies[entries[i, ENTRY.A + side], BODY.V]
                pair = system.coordinate_functions[g, COORDINATE.PAIR] + 2 * side
                for axis in range(first_turn(planar), 3 if row >= 0 else 0):
                    w = axis_of(axis)
                    wa, wb = (w, ZERO) if side == 0 else (ZERO, w)
                    fa, fb = rate_gradient(R_A, wa, va, R_B, wb, ub)
                    ga, gb = rate_gradient(R_A, wa, ua, R_B, wb, vb)
                    add_turn(stiffness, system, pair, axis, planar, k, mix(1.0, fa, -1.0, ga))
                    add_turn(stiffness, system, pair + 1, axis, planar, k, mix(1.0, fb, -1.0, gb))


KIND = PrimitiveKind("twist", evaluate, tangent, reals=12)
