"""Friction that depends on the reactions of a joint: rates are evaluated until force and reaction agree.

Slip adds the effort ∓µ N(λ) to the forces, and λ follows from the forces. The law takes N from the
multipliers of the evaluation before, so that evaluating again is a fixed-point iteration; it contracts where
friction does not jam the joint, and takes two evaluations where N does not depend on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.compiled.dispatch import PLACES, _call, address
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import RATE, Array, Ints, Packed, StepStatus, System, Work
from engine.elements.laws import LAWS, held_friction
from engine.elements.laws.held_friction import REACTION_BEGIN, REACTION_END, normal
from engine.errors import Problem, SceneError
from engine.solvers.catalogue import Method
from engine.system.compiling.mechanism import Mechanism

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
BARE_RATE = max(place for place, _ in PLACES.values()) + 1  # a free place of the table: the method's own rate
KIND = LAWS.names.index(held_friction.KIND.name)
ROUNDS = 200
AGREED = 1e-13  # of the normal force
WITH_REACTIONS = ("augmented_lagrangian", "lagrange", "null_space", "udwadia_kalaba")  # at every evaluation


def _bare_rate(typingctx: Any, packed: Any, t: Any, y: Any, dy: Any) -> Any:
    """Code that calls what stands at the place of the method's own rate."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        where = context.get_constant(types.intp, BARE_RATE)
        return _call(context, builder, args[0], where, RATE, list(args))

    return RATE, codegen


call_bare_rate: Any = intrinsic(_bare_rate)


@inlined
def _normals(system: System, work: Work) -> tuple[float, float]:
    """Sum of the normal forces, with weights that tell one from the other, and without."""
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + KIND]
    mixed, total = 0.0, 0.0
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        if system.forces[i, REACTION_END] > system.forces[i, REACTION_BEGIN]:
            n = normal(system, work, i)
            mixed += (1.0 + 0.1 * (i - span[SPAN.BEGIN])) * n
            total += n
    return mixed, total


@kernel
def settled_rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    status = call_bare_rate(packed, t, y, dy)
    before, _ = _normals(system, work)
    for _ in range(ROUNDS):
        if status != OK:
            return int(status)
        status = call_bare_rate(packed, t, y, dy)
        now, total = _normals(system, work)
        if abs(now - before) <= AGREED * total or not np.isfinite(now):
            return int(status)
        before = now
    return NOT_CONVERGED


def by_reaction(system: System) -> Ints:
    """Lines of the frictions that depend on reactions."""
    span = system.ranges[int(system.sizes[SIZE.PRIMITIVES]) + KIND]
    lines = np.arange(span[SPAN.BEGIN], span[SPAN.END])
    table = system.forces[lines]
    return np.asarray(lines[table[:, REACTION_END] > table[:, REACTION_BEGIN]])


def settle_reactions(mechanism: Mechanism, method: Method, table: Ints) -> None:
    """Let the rate of the method agree with the reactions that friction depends on.

    Raises SceneError where the method does not give reactions at every evaluation.
    """
    lines = by_reaction(mechanism.system)
    if not len(lines):
        return
    if not method.pieces or method.pieces[0] not in WITH_REACTIONS:
        column = mechanism.system.forces[lines[0], LAW.QUADRATURE]
        name = next(name for (_, name), c in mechanism.quadratures.items() if c == column)
        reason = f"friction {name!r} depends on reactions, which this method gives only after a step"
        remedy = f"choose a method that begins with one of {', '.join(WITH_REACTIONS)}; or give a preload"
        raise SceneError([Problem("simulation.method", method.name, reason, remedy)])
    table[BARE_RATE] = address(method.functions["rate"], RATE)
    table[PLACES["rate"][0]] = address(settled_rate, RATE)
