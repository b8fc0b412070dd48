"""Angle between two planar bodies: linear in the unwrapped angles, so all second derivatives vanish.

s = θ_B − θ_A + offset.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import tangents as TAN
from engine.compiled.kernel import kernel
from engine.compiled.layout import Packed
from engine.elements.primitives.base import TURNS, PrimitiveKind, put
from engine.maths.vectors import ZERO

OFFSET = 0  # column


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, reals, pose, coordinate = system.entries, system.entry_reals, work.pose, work.coordinate
    grad = work.grad
    for i in range(begin, end):
        g, block = entries[i, ENTRY.COORDINATE], entries[i, ENTRY.BLOCK]
        coordinate[g, COORDINATE_VALUE.VALUE] = (
            pose[entries[i, ENTRY.B], POSE.ANGLE] - pose[entries[i, ENTRY.A], POSE.ANGLE] + reals[i, OFFSET]
        )
        coordinate[g, COORDINATE_VALUE.RATE] = (
            pose[entries[i, ENTRY.B], POSE.W + 2] - pose[entries[i, ENTRY.A], POSE.W + 2]
        )
        coordinate[g, COORDINATE_VALUE.BIAS] = 0.0
        put(grad, block, 1, ZERO, (0.0, 0.0, -1.0))
        put(grad, block + 1, 1, ZERO, (0.0, 0.0, 1.0))


@kernel
def tangent(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    entries, tang = system.entries, work.tangent
    for i in range(begin, end):
        block = entries[i, ENTRY.BLOCK]
        tang[: TAN.ACTING, block : block + 2, :] = 0.0


KIND = PrimitiveKind("planar_angle", evaluate, tangent, reals=1, push=TURNS)
