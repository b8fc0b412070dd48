"""Scalar product of a direction of A and a direction of B.

s = x·y,  x = R_A x̄, y = R_B ȳ. Held at zero: perpendicular directions. Neighbouring products with the same
direction of A share an entry, since two of them make an axis parallel.
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
    TURNS,
    PrimitiveKind,
    add_turn,
    axis_of,
    first,
    first_turn,
    lever,
    put,
    rotation_of,
    second,
    spin_of,
    vary_q,
    vary_v,
    world_spin_of,
)
from engine.maths.arrays import index
from engine.maths.vectors import (
    ZERO,
    Rotation,
    Vector,
    add,
    cross,
    dot,
    load,
    rotate,
    scale,
    sub,
    unrotate,
)

X, Y = 0, 3  # columns: the direction of A, then up to three of B, in body axes


@kernel
def bias(x: Vector, y: Vector, w_A: Vector, w_B: Vector) -> float:
    """s'' without angular accelerations, from world vectors: x''·y + 2 x'·y' + x·y''.

    With x' = w × x and (w × (w × x))·y = −(w × x)·(w × y) no vector needs to be turned back.
    """
    ax, by = cross(w_A, x), cross(w_B, y)
    return 2.0 * dot(ax, by) - dot(ax, cross(w_A, y)) - dot(cross(w_B, x), by)


@kernel
def rate_gradient(
    R_A: Rotation, w_A: Vector, x: Vector, R_B: Rotation, w_B: Vector, y: Vector
) -> tuple[Vector, Vector]:
    """∂s'/∂q as torques on A and B,  s' = x'·y + x·y'."""
    x1, y1 = first(w_A, x), first(w_B, y)
    on_a = add(lever(R_A, x1, rotate(R_B, y)), lever(R_A, x, rotate(R_B, y1)))
    on_b = add(lever(R_B, y1, rotate(R_A, x)), lever(R_B, y, rotate(R_A, x1)))
    return on_a, on_b


@kernel
def acceleration_gradients(
    R_A: Rotation, w_A: Vector, al_A: Vector, x: Vector, R_B: Rotation, w_B: Vector, al_B: Vector, y: Vector
) -> tuple[Vector, Vector, Vector, Vector]:
    """∂s''/∂q on A and B, ∂s''/∂v on A and B, all torques."""
    x1, x2, y1, y2 = first(w_A, x), second(w_A, al_A, x), first(w_B, y), second(w_B, al_B, y)
    X0, X1, X2 = rotate(R_A, x), scale(2.0, rotate(R_A, x1)), rotate(R_A, x2)
    Y0, Y1, Y2 = rotate(R_B, y), scale(2.0, rotate(R_B, y1)), rotate(R_B, y2)
    return (
        vary_q(R_A, x, x1, x2, Y2, Y1, Y0),
        vary_q(R_B, y, y1, y2, X2, X1, X0),
        vary_v(R_A, x, x1, w_A, Y1, Y0),
        vary_v(R_B, y, y1, w_B, X1, X0),
    )


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(index(begin), index(end)):
        a, b, planar = index(entries[i, ENTRY.A]), index(entries[i, ENTRY.B]), entries[i, ENTRY.PLANAR]
        g, block = index(entries[i, ENTRY.COORDINATE]), index(entries[i, ENTRY.BLOCK])
        R_A, R_B = rotation_of(pose, a), rotation_of(pose, b)
        w_A, w_B = world_spin_of(pose, a), world_spin_of(pose, b)
        x, relative = rotate(R_A, load(reals, i, X)), sub(w_A, w_B)
        x_B, turned = unrotate(R_B, x), cross(relative, x)
        # with w = w_A − w_B all of  s' = w·(x × y),  s'' = w·(x' × y + x × y')  but y is common to an entry:
        # s' = (w × x)·y,  s'' = (w × (w_A × x) + (w × x) × w_B)·y
        bent = add(cross(relative, cross(w_A, x)), cross(turned, w_B))
        for j in range(index(0), index(entries[i, ENTRY.COUNT])):
            y_B = load(reals, i, index(Y) + j + j + j)
            y, line, at = rotate(R_B, y_B), coordinate[g + j], block + j + j
            line[COORDINATE_VALUE.VALUE], line[COORDINATE_VALUE.RATE] = dot(x, y), dot(turned, y)
            line[COORDINATE_VALUE.BIAS] = dot(bent, y)
            put(grad, at, planar, ZERO, unrotate(R_A, cross(x, y)))
            put(grad, at + index(1), planar, ZERO, cross(y_B, x_B))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, bodies, pose = system.entries, system.entry_reals, system.bodies, work.pose
    accel, tang, weight, stiffness = work.accel, work.tangent, work.weight, work.stiffness
    for i in range(begin, end):
        a, b, planar = entries[i, ENTRY.A], entries[i, ENTRY.B], entries[i, ENTRY.PLANAR]
        R_A, R_B, w_A, w_B = rotation_of(pose, a), rotation_of(pose, b), spin_of(pose, a), spin_of(pose, b)
        al_A, al_B, x = load(accel, a, 3), load(accel, b, 3), load(reals, i, X)
        for j in range(entries[i, ENTRY.COUNT]):
            y, block = load(reals, i, Y + 3 * j), entries[i, ENTRY.BLOCK] + 2 * j
            on_a, on_b = rate_gradient(R_A, w_A, x, R_B, w_B, y)
            put(tang[TAN.RATE_Q], block, planar, ZERO, on_a)
            put(tang[TAN.RATE_Q], block + 1, planar, ZERO, on_b)
            q_a, q_b, v_a, v_b = acceleration_gradients(R_A, w_A, al_A, x, R_B, w_B, al_B, y)
            put(tang[TAN.ACC_Q], block, planar, ZERO, q_a)
            put(tang[TAN.ACC_Q], block + 1, planar, ZERO, q_b)
            put(tang[TAN.ACC_V], block, planar, ZERO, v_a)
            put(tang[TAN.ACC_V], block + 1, planar, ZERO, v_b)
            g = entries[i, ENTRY.COORDINATE] + j
            k = weight[g]
            if k == 0.0 or stiffness.shape[0] == 0:
                continue
            for side in range(2):
                row = bodies[entries[i, ENTRY.A + side], BODY.V]
                pair = system.coordinate_functions[g, COORDINATE.PAIR] + 2 * side
                for axis in range(first_turn(planar), 3 if row >= 0 else 0):
                    w = axis_of(axis)
                    wa, wb = (w, ZERO) if side == 0 else (ZERO, w)
                    on_a, on_b = rate_gradient(R_A, wa, x, R_B, wb, y)
                    add_turn(stiffness, system, pair, axis, planar, k, on_a)
                    add_turn(stiffness, system, pair + 1, axis, planar, k, on_b)


KIND = PrimitiveKind("dot", evaluate, tangent, reals=6, push=TURNS)
