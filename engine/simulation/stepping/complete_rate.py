"""Rates with what some laws ask for: reactions that agree with friction, and numbers of laws.

Friction that depends on the reactions of a joint: rates are evaluated until force and reaction agree. Slip
adds the effort ∓µ N(λ) to the forces, and λ follows from the forces. The law takes N from the multipliers of
the evaluation before, so that evaluating again is a fixed-point iteration; it contracts where friction does
not jam the joint, and takes two evaluations where N does not depend on it.

The pushes of contacts that slip are affine functions of those that their friction was evaluated with, and
may answer them by as much or more. So the changes of the last rounds are kept, and the next round begins
where they say that nothing is left to change [Anderson 1965]: with one more round than contacts slip that is
the end of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import PLACES, address, call_bare_rate
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import RATE, Array, Ints, Packed, StepStatus, System, Work
from engine.elements.laws import LAWS, cone, friction, held_friction, lugre, mesh_loss
from engine.elements.laws.mesh_loss import mesh_load
from engine.elements.laws.sliding import FACE, load
from engine.simulation.stepping.law_demands import by_reaction, in_cones
from engine.solvers.catalogue import Method
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.law_states import has_law_states, take_law_states

OK, NOT_CONVERGED = int(StepStatus.OK), int(StepStatus.NOT_CONVERGED)
HELD, SMOOTH, BRISTLES, MESH = (
    LAWS.names.index(law.KIND.name) for law in (held_friction, friction, lugre, mesh_loss)
)
CONE = LAWS.names.index(cone.KIND.name)
ROUNDS = 200
QUICK_ROUNDS = 60  # before them, with what the last rounds tell; then steps are halved where they swing
SAME_CHANGE = 1e-20  # of its square: what is left of a change that is no more than those before it
AT_SAME_STATE = 2  # constraints and feedback stay as they are
AGREED = 1e-13  # of the normal force
ROUNDED = 1e-14  # of the largest reaction or force: what a normal force that goes through zero is known to


@inlined
def _normals(system: System, work: Work) -> tuple[float, float]:
    """Sum of the normal forces, with weights that tell one from the other but for contacts, and without."""
    mixed, total = 0.0, 0.0
    for k in range(3):
        kind = HELD if k == 0 else SMOOTH if k == 1 else BRISTLES
        first = held_friction.REACTION if k == 0 else friction.REACTION if k == 1 else lugre.REACTION
        span = system.ranges[system.sizes[SIZE.PRIMITIVES] + kind]
        for i in range(span[SPAN.BEGIN], span[SPAN.END]):
            if system.forces[i, first + 1] > system.forces[i, first]:
                # a face counts along one function, where the column is not that of a third bend
                one = k < 2 or system.forces[i, lugre.COUNT] == 1
                n = load(system, work, i, first, system.force_reals[i, FACE] if one else 0.0)
                mixed += (1.0 + 0.1 * (i - span[SPAN.BEGIN])) * n
                total += n
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + MESH]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        n = mesh_load(system, work, i)
        mixed += (1.0 + 0.1 * (i - span[SPAN.BEGIN])) * n
        total += n
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + CONE]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        if system.forces[i, cone.STATE] == cone.SLIPPING:
            total += abs(cone.normal_push(system, work, i))
    return mixed, total


@inlined
def _moved(system: System, work: Work) -> float:
    """By how much the pushes of contacts that slip are others than in the round before, all together: of two
    that press each other (a ball in a corner) the sum may grow while both come nearer to their ends."""
    moved, span = 0.0, system.ranges[system.sizes[SIZE.PRIMITIVES] + CONE]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        if system.forces[i, cone.STATE] == cone.SLIPPING:
            moved += abs(cone.normal_push(system, work, i) - system.force_reals[i, cone.PUSH])
    return moved


@inlined
def _largest(work: Work) -> float:
    """Of the reactions, and of the forces that they answer."""
    largest = 0.0
    for r in range(work.row.shape[0]):
        largest = max(largest, abs(work.row[r, ROW_VALUE.LAMBDA]))
    for c in range(work.vectors.shape[1]):
        largest = max(largest, abs(work.vectors[VECTOR.Q, c]))
    return largest


@kernel
def settled_rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system, work = open_system(packed), open_work(packed)
    take_law_states(system, y[y.shape[0] - system.sizes[SIZE.QUADRATURES] :])
    status = call_bare_rate(packed, t, y, dy)
    if _slips(system) == 0 and not _rubs_by_reaction(system):
        return int(status)
    before, _ = _normals(system, work)
    share, last, kept = 1.0, np.inf, 0
    for k in range(QUICK_ROUNDS + ROUNDS):
        if status != OK:
            return int(status)
        _remember(system, work)
        work.counters[COUNT.FRESH] = AT_SAME_STATE
        status = call_bare_rate(packed, t, y, dy)
        now, total = _normals(system, work)
        change = abs(now - before) + _moved(system, work)
        if change <= AGREED * total + ROUNDED * _largest(work) or not np.isfinite(change):
            return int(status)
        if k < QUICK_ROUNDS:
            kept = _keep_change(system, work, kept, k)
            _end_changes(system, work, kept)
        else:
            share = 1.0 if k == QUICK_ROUNDS else 0.5 * share if change > last else share
            _draw_near(system, work, share)
        last = change
        before, _ = _normals(system, work)
    return NOT_CONVERGED


@inlined
def _slips(system: System) -> int:
    """How many contacts do."""
    span, count = system.ranges[system.sizes[SIZE.PRIMITIVES] + CONE], 0
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        count += system.forces[i, cone.STATE] == cone.SLIPPING
    return count


@inlined
def _rubs_by_reaction(system: System) -> bool:
    """Whether friction in a joint or the loss of a mesh counts by a reaction."""
    for k in range(3):
        kind = HELD if k == 0 else SMOOTH if k == 1 else BRISTLES
        first = held_friction.REACTION if k == 0 else friction.REACTION if k == 1 else lugre.REACTION
        span = system.ranges[system.sizes[SIZE.PRIMITIVES] + kind]
        for i in range(span[SPAN.BEGIN], span[SPAN.END]):
            if system.forces[i, first + 1] > system.forces[i, first]:
                return True
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + MESH]
    return bool(span[SPAN.END] > span[SPAN.BEGIN])


@inlined
def _remember(system: System, work: Work) -> None:
    """The pushes that slip is evaluated with."""
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + CONE]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        system.force_reals[i, cone.PUSH] = cone.normal_push(system, work, i)


@kernel
def _keep_change(system: System, work: Work, kept: int, k: int) -> int:
    """How what was left to the pushes answered their last change, beside those that are kept: orthogonal to
    them and of the length 1. Returns how many there are; the oldest give way all at once."""
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + CONE]
    begin, end = span[SPAN.BEGIN], span[SPAN.END]
    kept = 0 if kept == cone.KEPT else kept
    at = cone.CHANGES + 2 * kept
    whole = 0.0
    for i in range(begin, end):
        if system.forces[i, cone.STATE] == cone.SLIPPING:
            law = system.force_reals[i]
            law[cone.LEFT] = cone.normal_push(system, work, i) - law[cone.PUSH]
            law[at] = law[cone.PUSH] - law[cone.FORMER_PUSH]
            law[at + 1] = law[cone.LEFT] - law[cone.FORMER_LEFT]
            law[cone.FORMER_PUSH], law[cone.FORMER_LEFT] = law[cone.PUSH], law[cone.LEFT]
            whole += law[at + 1] ** 2
    if k == 0:
        return 0
    for j in range(kept):
        _take_away(system, begin, end, at, cone.CHANGES + 2 * j)
    size = 0.0
    for i in range(begin, end):
        if system.forces[i, cone.STATE] == cone.SLIPPING:
            size += system.force_reals[i, at + 1] ** 2
    if size <= SAME_CHANGE * whole:
        return kept
    for i in range(begin, end):
        if system.forces[i, cone.STATE] == cone.SLIPPING:
            system.force_reals[i, at] /= np.sqrt(size)
            system.force_reals[i, at + 1] /= np.sqrt(size)
    return kept + 1


@inlined
def _take_away(system: System, begin: int, end: int, at: int, other: int) -> None:
    """Leave of one change what is orthogonal to another, in what was left to the pushes."""
    product = 0.0
    for i in range(begin, end):
        if system.forces[i, cone.STATE] == cone.SLIPPING:
            product += system.force_reals[i, at + 1] * system.force_reals[i, other + 1]
    for i in range(begin, end):
        if system.forces[i, cone.STATE] == cone.SLIPPING:
            system.force_reals[i, at] -= product * system.force_reals[i, other]
            system.force_reals[i, at + 1] -= product * system.force_reals[i, other + 1]


@kernel
def _end_changes(system: System, work: Work, kept: int) -> None:
    """The pushes to go on with: those that end what is left as far as the changes that are kept can, and all
    that they cannot."""
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + CONE]
    begin, end = span[SPAN.BEGIN], span[SPAN.END]
    for i in range(begin, end):
        if system.forces[i, cone.STATE] == cone.SLIPPING:
            law = system.force_reals[i]
            work.row[system.forces[i, cone.NORMAL_ROW], ROW_VALUE.LAMBDA] = law[cone.PUSH] + law[cone.LEFT]
    for j in range(kept):
        at, product = cone.CHANGES + 2 * j, 0.0
        for i in range(begin, end):
            if system.forces[i, cone.STATE] == cone.SLIPPING:
                product += system.force_reals[i, at + 1] * system.force_reals[i, cone.LEFT]
        for i in range(begin, end):
            if system.forces[i, cone.STATE] == cone.SLIPPING:
                change = system.force_reals[i, at] + system.force_reals[i, at + 1]
                work.row[system.forces[i, cone.NORMAL_ROW], ROW_VALUE.LAMBDA] -= product * change


@inlined
def _draw_near(system: System, work: Work, share: float) -> None:
    """Go on with a share of what is new: rounds swing ever wider where friction presses a contact by more
    than its push, as of a steep rod that slides."""
    span = system.ranges[system.sizes[SIZE.PRIMITIVES] + CONE]
    for i in range(span[SPAN.BEGIN], span[SPAN.END]):
        if system.forces[i, cone.STATE] == cone.SLIPPING:
            row, before = system.forces[i, cone.NORMAL_ROW], system.force_reals[i, cone.PUSH]
            new = work.row[row, ROW_VALUE.LAMBDA]
            work.row[row, ROW_VALUE.LAMBDA] = before + share * (new - before)


@kernel
def stateful_rate(packed: Packed, t: float, y: Array, dy: Array) -> int:
    system = open_system(packed)
    take_law_states(system, y[y.shape[0] - system.sizes[SIZE.QUADRATURES] :])
    return int(call_bare_rate(packed, t, y, dy))


def complete_rate(mechanism: Mechanism, method: Method, table: Ints) -> Any:
    """The rate of a method with what the laws of the mechanism ask for; it is put into its place."""
    bare = method.functions.get("rate")
    if bare is None:
        return None
    if len(by_reaction(mechanism)) or len(in_cones(mechanism)):
        whole: Any = settled_rate
    elif has_law_states(mechanism.system):
        whole = stateful_rate
    else:
        return bare
    table[PLACES["bare_rate"][0]] = address(bare, RATE)
    table[PLACES["rate"][0]] = address(whole, RATE)
    return whole
