"""Angle of rotation about the common axis, from the x direction of A to that of B, unwrapped.

With C = x_A·x_B, S = y_A·x_B and z = C + iS the coordinate function is s = Im ln z, so with u = z'/z and a =
z''/z

    s' = Im u,   s'' = Im(a − u²),   δs' = Im[(δz' − u δz)/z],   δs'' = Im[(δz'' − 2u δz' + (2u² − a) δz)/z].

It is exact also where the two axes are not quite parallel. Whole turns are added so that the value stays next
to the one after the last accepted step.
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import tangents as TAN
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Packed
from engine.elements.primitives.base import (
    TURNS,
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
from engine.maths.vectors import ZERO, Rotation, Vector, dot, load, mix, rotate

X_A, Y_A, X_B = 0, 3, 6  # columns: directions in body axes
FULL_TURN = 2.0 * math.pi


@kernel
def _imaginary(p: complex, c: Vector, s: Vector) -> Vector:
    """Im(p·(c + i s)) of two vectors."""
    return mix(p.imag, c, p.real, s)


@inlined
def _products(
    R_A: Rotation, w_A: Vector, s_A: Vector, xa: Vector, ya: Vector,
    R_B: Rotation, w_B: Vector, s_B: Vector, xb: Vector,
) -> tuple[complex, complex, complex, Vector, Vector, Vector, Vector]:  # fmt: skip
    """z, z', z'' without accelerations; ∂C/∂θ of A and of B, ∂S/∂θ of A and of B."""
    xa_W, ya_W, xb_W = rotate(R_A, xa), rotate(R_A, ya), rotate(R_B, xb)
    ca, cb = lever(R_A, xa, xb_W), lever(R_B, xb, xa_W)
    sa, sb = lever(R_A, ya, xb_W), lever(R_B, xb, ya_W)
    z = complex(dot(xa_W, xb_W), dot(ya_W, xb_W))
    z1 = complex(dot(ca, w_A) + dot(cb, w_B), dot(sa, w_A) + dot(sb, w_B))
    z2 = complex(bias(xa_W, xb_W, s_A, s_B), bias(ya_W, xb_W, s_A, s_B))
    return z, z1, z2, ca, cb, sa, sb


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        R_A, R_B, w_A, w_B = rotation_of(pose, a), rotation_of(pose, b), spin_of(pose, a), spin_of(pose, b)
        xa, ya, xb = load(reals, i, X_A), load(reals, i, Y_A), load(reals, i, X_B)
        s_A, s_B = world_spin_of(pose, a), world_spin_of(pose, b)
        z, z1, z2, ca, cb, sa, sb = _products(R_A, w_A, s_A, xa, ya, R_B, w_B, s_B, xb)
        angle = math.atan2(z.imag, z.real)
        coordinate[g, COORDINATE_VALUE.VALUE] = angle + FULL_TURN * round(
            (coordinate[g, COORDINATE_VALUE.REFERENCE] - angle) / FULL_TURN
        )
        coordinate[g, COORDINATE_VALUE.RATE] = (z1 / z).imag
        coordinate[g, COORDINATE_VALUE.BIAS] = (z2 / z - (z1 / z) ** 2).imag
        put(grad, block, planar, ZERO, _imaginary(1.0 / z, ca, sa))
        put(grad, block + 1, planar, ZERO, _imaginary(1.0 / z, cb, sb))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        a, b, planar, g, block = places_of(entries, i)
        R_A, R_B, w_A, w_B = rotation_of(pose, a), rotation_of(pose, b), spin_of(pose, a), spin_of(pose, b)
        al_A, al_B = load(accel, a, 3), load(accel, b, 3)
        xa, ya, xb = load(reals, i, X_A), load(reals, i, Y_A), load(reals, i, X_B)
        s_A, s_B = world_spin_of(pose, a), world_spin_of(pose, b)
        z, z1, z2, ca, cb, sa, sb = _products(R_A, w_A, s_A, xa, ya, R_B, w_B, s_B, xb)
        z2 += complex(dot(ca, al_A) + dot(cb, al_B), dot(sa, al_A) + dot(sb, al_B))
        u = z1 / z
        c1a, c1b = rate_gradient(R_A, w_A, xa, R_B, w_B, xb)
        s1a, s1b = rate_gradient(R_A, w_A, ya, R_B, w_B, xb)
        c2a, c2b, cva, cvb = acceleration_gradients(R_A, w_A, al_A, xa, R_B, w_B, al_B, xb)
        s2a, s2b, sva, svb = acceleration_gradients(R_A, w_A, al_A, ya, R_B, w_B, al_B, xb)
        p0, p1, p2 = 1.0 / z, -2.0 * u / z, (2.0 * u * u - z2 / z) / z
        for side in range(2):
            c, s = (ca, sa) if side == 0 else (cb, sb)
            c1, s1 = (c1a, s1a) if side == 0 else (c1b, s1b)
            c2, s2 = (c2a, s2a) if side == 0 else (c2b, s2b)
            cv, sv = (cva, sva) if side == 0 else (cvb, svb)
            rate = mix(1.0, _imaginary(p0, c1, s1), 1.0, _imaginary(0.5 * p1, c, s))
            acc = mix(
                1.0, _imaginary(p0, c2, s2), 1.0, mix(1.0, _imaginary(p1, c1, s1), 1.0, _imaginary(p2, c, s))
            )
            # δz'' and δz' both follow δv
            vel = mix(1.0, _imaginary(p0, cv, sv), 1.0, _imaginary(p1, c, s))
            put(tang[TAN.RATE_Q], block + side, planar, ZERO, rate)
            put(tang[TAN.ACC_Q], block + side, planar, ZERO, acc)
            put(tang[TAN.ACC_V], block + side, planar, ZERO, vel)
        k = weight[g]
        if k != 0.0 and stiffness.shape[0] > 0:
            for side in range(2):
                row = bodies[entries[i, ENTRY.A + side], BODY.V]
                pair = system.coordinate_functions[g, COORDINATE.PAIR] + 2 * side
                for axis in range(first_turn(planar), 3 if row >= 0 else 0):
                    w = axis_of(axis)
                    wa, wb = (w, ZERO) if side == 0 else (ZERO, w)
                    c1a, c1b = rate_gradient(R_A, wa, xa, R_B, wb, xb)
                    s1a, s1b = rate_gradient(R_A, wa, ya, R_B, wb, xb)
                    un = complex(dot(ca, wa) + dot(cb, wb), dot(sa, wa) + dot(sb, wb)) / z
                    on_a = mix(1.0, _imaginary(p0, c1a, s1a), 1.0, _imaginary(-un / z, ca, sa))
                    on_b = mix(1.0, _imaginary(p0, c1b, s1b), 1.0, _imaginary(-un / z, cb, sb))
                    add_turn(stiffness, system, pair, axis, planar, k, on_a)
                    add_turn(stiffness, system, pair + 1, axis, planar, k, on_b)


KIND = PrimitiveKind("angle", evaluate, tangent, reals=9, counts_turns=True, push=TURNS)
