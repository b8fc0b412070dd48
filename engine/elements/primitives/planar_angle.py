"""Angle between two planar bodies: linear in the unwrapped angles, so all second derivatives vanish.

s = θ_B − θ_A + offset.
"""

from engine.elements.primitives.base import PrimitiveKind, put
from engine.kernel import kernel
from engine.maths.vectors import ZERO
from engine.problems import (
    E_A,
    E_B,
    E_BLOCK,
    E_GAUGE,
    GV_BIAS,
    GV_VALUE,
    P_ANGLE,
    Array,
    Ints,
)

OFFSET = 0  # column


@kernel
def evaluate(
    entries: Ints,
    reals: Array,
    links: Ints,
    link_reals: Array,
    pose: Array,
    gauge: Array,
    grad: Array,
    begin: int,
    end: int,
) -> None:
    for i in range(begin, end):
        g, block = entries[i, E_GAUGE], entries[i, E_BLOCK]
        gauge[g, GV_VALUE] = (
            pose[entries[i, E_B], P_ANGLE] - pose[entries[i, E_A], P_ANGLE] + reals[i, OFFSET]
        )
        gauge[g, GV_BIAS] = 0.0
        put(grad, block, 1, ZERO, (0.0, 0.0, -1.0))
        put(grad, block + 1, 1, ZERO, (0.0, 0.0, 1.0))


@kernel
def tangent(
    entries: Ints,
    reals: Array,
    links: Ints,
    link_reals: Array,
    bodies: Ints,
    pose: Array,
    accel: Array,
    gauge: Array,
    grad: Array,
    tang: Array,
    weight: Array,
    stiffness: Array,
    begin: int,
    end: int,
) -> None:
    for i in range(begin, end):
        block = entries[i, E_BLOCK]
        tang[:, block : block + 2, :] = 0.0


KIND = PrimitiveKind("planar_angle", evaluate, tangent)
