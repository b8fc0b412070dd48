"""Held frictions that hold the same motions, where nothing says how they share the load.

Those with given efforts that hold one motion let go together (`engine/simulation/rigid/shared_motion.py`).
The bound of a friction by the reaction of its joint depends on how the load is shared, and frictions of
several directions, or more of them than the motions that they hold, share in one of many ways: each lets go
by its own share.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.layout import Array, Ints
from engine.elements.laws import held_friction
from engine.simulation.rigid.contact_problem import INDEPENDENT, ContactProblem
from engine.simulation.stepping.method_driver import Driver
from engine.system.assembly.scaling import LARGE, subspaces

SHARES = 1e-6  # of a combination of slips that is no motion: a friction takes part in it


def held_together(driver: Driver, t: float, q: Array, v: Array, angles: Array) -> Iterator[str]:
    """A warning to a run that begins at this state."""
    lines = [int(i) for i in driver.with_rows if driver.law_kind(int(i)) is held_friction.KIND]
    if len(lines) < 2 or driver.mechanism.nv > LARGE:
        return
    slips, owners = _free_slips(driver, lines, (t, q, v, angles))
    doubtful = sorted({int(line) for line in owners[_repeated(slips)]})
    if len(doubtful) < 2 or _known_shares(driver, slips, owners, doubtful):
        return
    names = ", ".join(repr(driver.law_name(line)) for line in doubtful)
    yield (
        f"frictions {names} hold the same motion, and nothing says how they share its load: each lets go by "
        "a share that is one of many, together perhaps at less than they could hold; give those that count "
        "by a reaction an effort or a preload, or make one friction of them."
    )


def _free_slips(
    driver: Driver, lines: list[int], state: tuple[float, Array, Array, Array]
) -> tuple[Array, Ints]:
    """Unit gradients of all slips over the motions that joints leave, and whose they are; those that joints
    hold already are left out."""
    problem, held = ContactProblem(driver), driver.held
    rows = [(row, i) for i in lines for row in held_friction.KIND.rows_of(driver.system.forces[i])]
    problem.at(*state, np.array([row for row, _ in rows], np.int64))
    nv = driver.mechanism.nv
    J = np.array([problem.gradient(int(r)) for r in problem.permanent]).reshape(-1, nv)
    slips = np.array([problem.gradient(row) for row, _ in rows]).reshape(-1, nv)
    driver.held = held
    slips /= np.maximum(np.linalg.norm(slips, axis=1), np.finfo(float).tiny)[:, None]
    free = slips @ subspaces(J).null
    sizes = np.linalg.norm(free, axis=1)
    moves = sizes > INDEPENDENT
    return free[moves] / sizes[moves, None], np.array([i for _, i in rows], np.int64)[moves]


def _repeated(slips: Array) -> Array:
    """Whether each of the slips takes part in a combination that is no motion."""
    idle = subspaces(slips, tolerance=INDEPENDENT).left_null
    return np.asarray(np.abs(idle).max(axis=1, initial=0.0) > SHARES)


def _known_shares(driver: Driver, slips: Array, owners: Ints, doubtful: list[int]) -> bool:
    """Whether all have given efforts along one direction, and one motion each that others of them follow."""
    forces, column = driver.system.forces, held_friction.REACTION
    for line in doubtful:
        by_reaction = forces[line, column + 1] > forces[line, column]
        if by_reaction or len(held_friction.KIND.rows_of(forces[line])) > 1:
            return False
    own = slips[np.isin(owners, doubtful)]
    motions: list[Array] = []
    for slip in own:
        if all(abs(abs(float(slip @ motion)) - 1.0) > INDEPENDENT for motion in motions):
            motions.append(slip)
    return bool(np.linalg.matrix_rank(np.array(motions), tol=INDEPENDENT) == len(motions))
