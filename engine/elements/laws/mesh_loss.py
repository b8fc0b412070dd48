"""Losses of a mesh of teeth, a belt or a thread, by its efficiency each way.

The row of the mesh is f_a a + f_b b = const, so that its multiplier λ puts the efforts f_a λ and f_b λ on two
coordinates. What gives power to the mesh gives all of it; what gets power from it gets the share η:

    mesh drives b:   effort −(1 − η_ab) |f_b λ| against b'
    mesh drives a:   effort −(1 − η_ba) |f_a λ| against a'

At rest a row on b holds, with an effort h, until one of the two ways begins: b is driven beyond
(1 − η_ab) |f_b λ| where h is against what the mesh does to b, and drives beyond (1/η_ba − 1) |f_b λ| where it
helps the mesh to hold b. All of it is lost. [Müller 1998]
"""

import math

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array, Packed, System, Work
from engine.elements.laws.base import LawKind, no_force, push_along
from engine.elements.laws.held_friction import BACKWARD, FORWARD, SLACK, STICKING, STILL, told

STATE, ROW, MESH, MESH_END, COUNT = range(LAW.X, LAW.X + 5)  # MESH: its row; COUNT: two functions, b and a
# columns of force_reals; the losses are 1 − η; SLACK as that of held friction
LOSS_AB, LOSS_BA, FACTOR_A, FACTOR_B = range(4)


@inlined
def _direction(system: System, work: Work, i: int) -> float:
    """Of the slip of b; 0 where nothing moves."""
    state = system.forces[i, STATE]
    if state == FORWARD:
        return 1.0
    if state == BACKWARD:
        return -1.0
    speed = work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
    if state == STICKING or abs(speed) < STILL:
        return 0.0
    return 1.0 if speed > 0.0 else -1.0


@inlined
def mesh_load(system: System, work: Work, i: int) -> float:
    """|λ| of the mesh."""
    return float(abs(work.row[system.forces[i, MESH], ROW_VALUE.LAMBDA]))


@inlined
def holds_up_to(law: Array, mesh: float, held: float) -> float:
    """Largest effort on b that holds, where the mesh has the multiplier λ and the held effort this sign."""
    drive = law[FACTOR_B] * mesh
    if held * drive < 0.0:
        return float(law[LOSS_AB] * abs(drive))
    return float(law[LOSS_BA] / (1.0 - law[LOSS_BA]) * abs(drive))


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        direction, law, b = _direction(system, work, i), system.force_reals[i], system.forces[i, LAW.A]
        if direction == 0.0:
            continue
        mesh = work.row[system.forces[i, MESH], ROW_VALUE.LAMBDA]
        drive = law[FACTOR_B] * mesh
        if drive * direction > 0.0:
            target, effort = b, -direction * law[LOSS_AB] * abs(drive)
        else:
            back = -direction * math.copysign(1.0, law[FACTOR_A] * law[FACTOR_B])  # of a
            target, effort = b + 1, -back * law[LOSS_BA] * abs(law[FACTOR_A] * mesh)
        work.power[system.forces[i, LAW.QUADRATURE]] += (
            effort * work.coordinate[target, COORDINATE_VALUE.RATE]
        )
        push_along(system, work, target, effort)


@kernel
def switch(packed: Packed, begin: int, end: int, settle: int) -> float:
    system, work = open_system(packed), open_work(packed)
    smallest = 1.0
    for i in range(begin, end):
        law, state, margin = system.force_reals[i], system.forces[i, STATE], 1.0
        speed = work.coordinate[system.forces[i, LAW.A], COORDINATE_VALUE.RATE]
        if state == STICKING:
            held = work.row[system.forces[i, ROW], ROW_VALUE.LAMBDA]
            mesh = work.row[system.forces[i, MESH], ROW_VALUE.LAMBDA]
            margin = holds_up_to(law, mesh, held) - abs(held) + law[SLACK]
        elif state == FORWARD:
            margin = speed + law[SLACK]
        elif state == BACKWARD:
            margin = law[SLACK] - speed
        smallest = min(smallest, margin)
    return smallest


KIND = LawKind(
    "mesh_loss",
    force,
    no_force,  # methods that take friction by reactions do not ask for tangents
    integers=5,
    reals=5,
    first_program=5,
    switch=switch,
    told=told,
    row=ROW,
    functions=COUNT,
    reaction=MESH,
    holds=frozenset({STICKING}),
)
