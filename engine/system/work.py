"""Scratch arrays and compiled kernels for a mechanism: what every evaluation needs, whoever asks for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.elements.laws import LAWS
from engine.elements.laws.base import nothing as no_law
from engine.elements.primitives import PRIMITIVES
from engine.elements.primitives.base import no_tangent
from engine.kernel import compiled
from engine.maths.functions import stack_size
from engine.problems import (
    C_COLUMNS,
    EN_COLUMNS,
    EVALUATE,
    FORCE,
    FORCE_TANGENT,
    GV_COLUMNS,
    LD_COLUMNS,
    OPTIONS,
    P_COLUMNS,
    RV_COLUMNS,
    S_GAUGES,
    S_QUADRATURES,
    S_ROWS,
    TANGENT,
    V_COLUMNS,
    Array,
    Kinds,
    Signatures,
    Work,
    signatures,
)
from engine.system.mechanism import Mechanism

HISTORY = 8  # numbers that a scheme keeps
STACK_OUT = 16  # room for the widest jet


def kind_signatures() -> Signatures:
    """Signatures for the registered kinds."""
    return signatures(len(PRIMITIVES), len(LAWS))


def new_work(
    mechanism: Mechanism,
    *,
    stages: int = 0,
    state: int = 0,
    tangents: bool = False,
    options: Array | None = None,
    history: int = HISTORY,
) -> Work:
    """Scratch for one run, allocated once."""
    system = mechanism.system
    nb, nv, m, g = len(mechanism.bodies), mechanism.nv, int(system.sizes[S_ROWS]), int(system.sizes[S_GAUGES])
    blocks = len(system.block_bodies)
    order = m if mechanism.solver_by_rows else nv
    full = nv if tangents else 0
    pose = np.zeros((nb + 1, P_COLUMNS))
    pose[:, [0, 4, 8]] = 1.0
    return Work(
        pose=pose,
        accel=np.zeros((nb + 1, 6)),
        gauge=np.zeros((g, GV_COLUMNS)),
        grad=np.zeros((blocks, 6)),
        tangent=np.zeros((3, blocks if tangents else 0, 6)),
        weight=np.zeros(g),
        row=np.zeros((m, RV_COLUMNS)),
        vectors=np.zeros((V_COLUMNS, nv)),
        matrix=np.zeros((order, order)),
        diagonal=np.zeros((LD_COLUMNS, max(order, 1))),
        stiffness=np.zeros((full, full)),
        damping=np.zeros((full, full)),
        stages=np.zeros((stages, state)),
        energy=np.zeros(EN_COLUMNS),
        power=np.zeros(int(system.sizes[S_QUADRATURES])),
        stack=np.zeros((2, max(stack_size(mechanism.programs), STACK_OUT))),
        options=np.zeros(OPTIONS) if options is None else options,
        counters=np.zeros(C_COLUMNS, np.int64),
        history=np.zeros(history),
    )


def kinds_of(mechanism: Mechanism, *, tangents: bool = False) -> Kinds:
    """The compiled kernels of the kinds that this mechanism uses; others are stood in for and never called."""
    ranges = mechanism.system.ranges
    used = {k.name for i, k in enumerate((*PRIMITIVES, *LAWS)) if ranges[i, 1] > ranges[i, 0]}
    some = next((k for k in PRIMITIVES if k.name in used), next(iter(PRIMITIVES)))
    filler = compiled(no_law, FORCE)

    def law(kernel: Any, name: str, signature: Any) -> Any:
        return compiled(kernel, signature) if name in used else filler

    evaluate = tuple(compiled((k if k.name in used else some).evaluate, EVALUATE) for k in PRIMITIVES)
    force = tuple(law(k.force, k.name, FORCE) for k in LAWS)
    if not tangents:
        return Kinds(
            evaluate, (compiled(no_tangent, TANGENT),) * len(PRIMITIVES), force, (filler,) * len(LAWS)
        )
    tangent = tuple(compiled((k if k.name in used else some).tangent, TANGENT) for k in PRIMITIVES)
    return Kinds(evaluate, tangent, force, tuple(law(k.tangent, k.name, FORCE_TANGENT) for k in LAWS))
