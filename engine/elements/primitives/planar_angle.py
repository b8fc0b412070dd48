"""Angle between two planar bodies: linear in the unwrapped angles, so all second derivatives vanish.

s = θ_B − θ_A + offset.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.kernel import kernel
from engine.compiled.layout import (
    E_A,
    E_B,
    E_BLOCK,
    E_GAUGE,
    GV_BIAS,
    GV_RATE,
    GV_VALUE,
    P_ANGLE,
    P_W,
    Packed,
)
from engine.elements.primitives.base import PrimitiveKind, put
from engine.maths.vectors import ZERO

OFFSET = 0  # column


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, gauge = system.entries, system.entry_reals, work.pose, work.gauge
    grad = work.grad
    for i in range(begin, end):
        g, block = entries[i, E_GAUGE], entries[i, E_BLOCK]
        gauge[g, GV_VALUE] = (
            pose[entries[i, E_B], P_ANGLE] - pose[entries[i, E_A], P_ANGLE] + reals[i, OFFSET]
        )
        gauge[g, GV_RATE] = pose[entries[i, E_B], P_W + 2] - pose[entries[i, E_A], P_W + 2]
        gauge[g, GV_BIAS] = 0.0
        put(grad, block, 1, ZERO, (0.0, 0.0, -1.0))
        put(grad, block + 1, 1, ZERO, (0.0, 0.0, 1.0))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, tang = system.entries, work.tangent
    for i in range(begin, end):
        block = entries[i, E_BLOCK]
        tang[:, block : block + 2, :] = 0.0


KIND = PrimitiveKind("planar_angle", evaluate, tangent)
