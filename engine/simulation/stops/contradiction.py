"""What stopped a run whose constraints could not be met any more: motions beyond reach, or at odds.

The constraints are solved anew at the next instants, from the last good pose. Where that fails, each element
that follows a function of time is left out in turn: those without which the rest closes are the ones to name.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.errors import Problem, SceneEdit
from engine.simulation.stepping.method_driver import Driver
from engine.system.assembly.position_problem import Pose, PositionProblem
from engine.system.assembly.scaling import Scales, scales_of, subspaces
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.prescribed.not_finite import end_before

STEPS_AHEAD = (1, 4, 16)  # instants that are tried: next to a limit a step may fail shortly before it
# velocities: the search takes dense singular values, whose cost grows with the cube of it
MAX_VELOCITIES = 600
KICK = 0.05  # of the sizes of the coordinates, away from a dead centre
KICKS = 4
UNMET = 1e-6  # of the largest velocity: rows that stay off by more contradict others


def contradiction(driver: Driver, sample: Array, step: float) -> Problem | None:
    """The motions that nothing can follow from here on, or None when the constraints can be met."""
    mechanism = driver.mechanism
    if mechanism.nv > MAX_VELOCITIES or not (driver.system.rows[:, ROW.PROGRAM] >= 0).any():
        return None
    t, q, _, angles, _ = driver.layout.state(sample)
    evaluator, scales = Evaluator(mechanism), scales_of(mechanism)
    for ahead in STEPS_AHEAD:
        then = t + ahead * step
        problem = PositionProblem(evaluator, scales, then)
        pose = problem.solve(q, angles, columns=scales.column)
        if not np.isfinite(pose.open):
            return None
        if not pose.closed:
            return _at_odds(problem, pose, t)
        at_rate = _rates_at_odds(mechanism, evaluator, scales, then, pose)
        if at_rate:
            return _told(mechanism, at_rate, t, f"at t = {then:.6g} s, in their rates")
    return None


def _moving(mechanism: Mechanism) -> dict[str, int]:
    """Joints and motions that follow a function of time, and their row."""
    rows = np.flatnonzero(mechanism.system.rows[:, ROW.PROGRAM] >= 0)
    return {mechanism.rows[int(r)].name: int(r) for r in rows}


def _at_odds(problem: PositionProblem, stuck: Pose, t: float) -> Problem | None:
    mechanism, column = problem.mechanism, problem.scales.column
    found: dict[str, Pose] = {}
    for name in _moving(mechanism):
        pose = problem.without(name).solve(stuck.q, stuck.angles, columns=column)
        if pose.closed:
            found[name] = pose
    if len(found) > 1:
        return _told(mechanism, list(found), t, f"at t = {problem.t:.6g} s")
    if not found:
        return None
    # one motion beyond reach: say what it asks for and how far the others let it come
    ((name, pose),) = found.items()
    row = _moving(mechanism)[name]
    info = mechanism.rows[row]
    if _elsewhere(problem, stuck):
        return _dead_centre(name, info.owner, t)
    problem.evaluator.at(problem.t, pose.q, angles=pose.angles)
    asked = float(problem.evaluator.work.row[row, ROW_VALUE.F])
    reached = float(
        problem.evaluator.work.coordinate[mechanism.system.rows[row, ROW.COORDINATE], COORDINATE_VALUE.VALUE]
    )
    text = (
        f"{info.owner} {name!r} asks for {asked:.6g} {info.unit} at t = {problem.t:.6g} s, which the joints "
        f"do not allow; they reach {reached:.6g} {info.unit}"
    )
    remedy = "keep its function within reach"
    end = end_before(mechanism.scene, t)
    edits = (SceneEdit("simulation.duration", end),) if end > 0.0 else ()
    remedy += f", or end the run before: duration {end:g} s" if edits else ""
    return Problem(f"{info.owner}s.{name}", asked, text, remedy, edits)


def _elsewhere(problem: PositionProblem, stuck: Pose) -> bool:
    """Whether there is a pose near by that the constraints allow, though none leads there from here."""
    random, column = np.random.default_rng(1), problem.scales.column
    for _ in range(KICKS):
        kick = random.normal(size=len(column)) * column * KICK
        guess = problem.evaluator.retract(stuck.q, kick)
        if problem.solve(guess, stuck.angles, columns=column).closed:
            return True
    return False


def _dead_centre(name: str, owner: str, t: float) -> Problem:
    text = f"{owner} {name!r} cannot move the mechanism on from its pose at t = {t:.6g} s, a dead centre"
    remedy = "start at another pose, or drive another joint"
    return Problem(f"{owner}s.{name}", t, text, remedy)


def _rates_at_odds(
    mechanism: Mechanism, evaluator: Evaluator, scales: Scales, t: float, pose: Pose
) -> list[str]:
    """Elements that follow a function whose rates contradict each other at a pose."""
    evaluator.at(t, pose.q, angles=pose.angles)
    b = -evaluator.phi_rate / scales.row
    space = subspaces(scales.jacobian(evaluator.jacobian))
    miss = np.abs(space.left_null @ (space.left_null.T @ b))
    size = max(float(np.max(np.abs(b), initial=0.0)), np.finfo(float).tiny)
    return [name for name, row in _moving(mechanism).items() if miss[row] > UNMET * size]


def _told(mechanism: Mechanism, names: list[str], t: float, when: str) -> Problem:
    owners = [mechanism.rows[_moving(mechanism)[name]].owner for name in names]
    listed = " and ".join(f"{owner} {name!r}" for owner, name in zip(owners, names, strict=True))
    text = f"{listed} ask for what cannot be had together {when}"
    path = f"{owners[-1]}s.{names[-1]}"
    remedy = f"take one of them away, for instance {names[-1]!r}, or let their functions agree"
    return Problem(path, t, text, remedy, (SceneEdit(path, remove=True),))
