"""Scratch arrays and compiled kernels for a mechanism: what every evaluation needs, whoever asks for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.arenas import pack
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import options as SLOT
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import poses as POSE
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import tangents as TAN
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.layout import HISTORY, Array, Ints, Room, Work
from engine.elements.laws import LAWS
from engine.elements.primitives import PRIMITIVES
from engine.maths.functions import stack_size
from engine.maths.sparse import symbolic
from engine.system.compiling.mechanism import Mechanism
from engine.system.compiling.ordering import envelope_entries

PANEL = 12  # numbers per line: a block, and the block over the mass
STACK_OUT = 16  # room for the widest jet


def new_work(
    mechanism: Mechanism,
    *,
    stages: int = 0,
    state: int = 0,
    tangents: bool = False,
    options: Array | None = None,
    history: int = HISTORY,
    room: Room = Room(),  # noqa: B008 (a frozen value)
    newton: int = 0,
) -> tuple[Work, Ints, Array]:
    """Scratch for one run, allocated once: views by name, and the arenas that kernels take."""
    system = mechanism.system
    nb, nv, m, g = (
        len(mechanism.bodies),
        mechanism.nv,
        int(system.sizes[SIZE.ROWS]),
        int(system.sizes[SIZE.COORDINATES]),
    )
    blocks = len(system.block_bodies)
    order = m if mechanism.solver_by_rows else nv
    nodes = system.velocity_nodes
    entries = int(nodes[-1, symbolic.START]) * (1 if len(nodes) <= 2 else 2)  # of a matrix over velocities
    full = entries if tangents else 0
    implicit = newton * state  # stages of an implicit scheme that are solved together
    length = max(room.order, mechanism.nq, m, int(system.sizes[SIZE.QUADRATURES]))
    pose = np.zeros((nb + 1, POSE.COLUMNS))
    pose[:, [0, 4, 8]] = 1.0
    arrays = dict(
        pose=pose,
        accel=np.zeros((nb + 1, 6)),
        coordinate=np.zeros((g, COORDINATE_VALUE.COLUMNS)),
        grad=np.zeros((blocks, 6)),
        tangent=np.zeros((TAN.COLUMNS, blocks if tangents else 0, 6)),
        weight=np.zeros(g),
        row=np.zeros((m, ROW_VALUE.COLUMNS)),
        vectors=np.zeros((VECTOR.COLUMNS, nv)),
        matrix=np.zeros(envelope_entries(system) if mechanism.solver_by_rows else entries),
        diagonal=np.zeros((DIAGONAL.COLUMNS, max(order, PIVOT.COLUMNS))),
        stiffness=np.zeros(full),
        damping=np.zeros(full),
        factors=np.zeros((room.factors, entries)),
        factor_pivots=np.zeros((room.factors, nv), np.int64),
        ordered=np.zeros(nv),
        stages=np.zeros((stages, state)),
        energy=np.zeros(ENERGY.COLUMNS),
        power=np.zeros(int(system.sizes[SIZE.QUADRATURES])),
        stack=np.zeros((2, max(stack_size(mechanism.programs), STACK_OUT))),
        options=np.zeros(SLOT.COLUMNS) if options is None else options,
        counters=np.zeros(COUNT.COLUMNS, np.int64),
        history=np.zeros(history),
        panel=np.zeros((max(len(system.incidence), 1), PANEL)),
        dense=np.zeros((room.matrices, room.order, room.order)),
        scratch=np.zeros((room.vectors, length)),
        pivots=np.zeros((room.matrices, length), np.int64),
        newton=np.zeros((implicit, implicit)),
        newton_pivots=np.zeros(implicit, np.int64),
    )
    return pack(Work, arrays)


def kind_functions(mechanism: Mechanism, *, tangents: bool = False) -> dict[str, dict[int, Any]]:
    """The kernels of the kinds that this mechanism uses, by sort and number, as `new_table` takes them."""
    ranges, first = mechanism.system.ranges, len(PRIMITIVES)
    used = [k for k in range(len(ranges)) if ranges[k, SPAN.END] > ranges[k, SPAN.BEGIN]]
    primitives = {k: kind for k, kind in enumerate(PRIMITIVES) if k in used}
    laws = {k: law for k, law in enumerate(LAWS) if first + k in used}
    found: dict[str, dict[int, Any]] = {
        "evaluate": {k: kind.evaluate for k, kind in primitives.items()},
        "force": {k: law.force for k, law in laws.items()},
    }
    if any(law.switches for law in laws.values()):
        found["switch"] = {k: law.switch for k, law in laws.items()}
    if tangents:
        found["tangent"] = {k: kind.tangent for k, kind in primitives.items()}
        found["force_tangent"] = {k: law.tangent for k, law in laws.items()}
    return found
