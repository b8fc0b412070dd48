"""A start that assembly had to move far: a note, or a refusal where redundant constraints do not agree.

Redundant constraints whose dimensions differ by a nanometre fit at few poses only, often far from the given
one. Assembly that went there has obeyed the numbers and missed what was meant. The signature is a
displacement out of all proportion: bodies move by about |Φ| at a regular pose, by about √|Φ| at a singular
one, all in characteristic lengths.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.elements.coordinates.coordinate_functions import Along
from engine.elements.joints import JOINTS
from engine.errors import CompileError, Problem, SceneEdit
from engine.system.assembly.position_problem import Pose, PositionProblem
from engine.system.assembly.scaling import subspaces
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.pose_table import centre, point, rotation

# characteristic lengths: a start moved by more is worth a note; editing a length moves less
NOTABLE_SHIFT = 0.5
NOT_SMALL = 0.1  # characteristic lengths: what a misfit of redundant constraints must have moved to be one
OUT_OF_PROPORTION = 10.0  # times √|Φ|: no singular configuration asks for so much
TAKES_PART = 0.25  # of the largest share of a row in what does not agree; of three pins in line it is a half
AS_LARGE = 0.5  # of the largest misfit among them: the row that comes last is named
DIGITS = 15  # of a proposed coordinate


def judge_misfit(problem: PositionProblem, before: Pose, moved: Mapping[str, float]) -> None:
    """Raises CompileError where redundant constraints fit only far from the given pose."""
    length = problem.scales.length
    body, distance = max(moved.items(), key=lambda item: item[1])
    if distance <= NOT_SMALL * length or distance <= OUT_OF_PROPORTION * np.sqrt(before.open) * length:
        return
    row = _disagreeing(problem, before)
    if row is None:
        return
    info, gap = problem.mechanism.rows[row], abs(_residual(problem, before)[row])
    text = (
        f"{info.owner} {info.name!r} ({info.label}) misses what the other constraints ask for by {gap:.3g} "
        f"{info.unit}, and all of them fit only where body {body!r} has moved by {distance:.3g} m"
    )
    path = f"{info.owner}s.{info.name}"
    edit = _fitting(problem, before, row) if info.owner == "joint" else None
    if edit is None:
        edit, remedy = SceneEdit(path, remove=True), "correct its numbers by as much, or take it away"
    else:
        remedy = (
            f"set {edit.path} to {edit.value}, or replace the joint by one that leaves this direction free"
        )
    raise CompileError([Problem(edit.path, float(gap), text, remedy, (edit,))])


def far_note(problem: PositionProblem, before: Pose, moved: Mapping[str, float]) -> tuple[str, ...]:
    """What to say of a start that was moved far; nothing where a motion asks for another position."""
    body, distance = max(moved.items(), key=lambda item: item[1])
    if distance <= NOTABLE_SHIFT * problem.scales.length:
        return ()
    phi = np.abs(_residual(problem, before))
    row = int(np.argmax(phi / problem.scales.row))
    worst = problem.mechanism.rows[row]
    if worst.owner == "motion":
        return ()
    others = sum(distance > 0.0 for distance in moved.values()) - 1
    also = f" (and {others} more)" if others else ""
    gap = f"is open by {phi[row]:.3g} {worst.unit}" if np.isfinite(phi[row]) else "has no value"
    return (
        f"assembly moved body {body!r} by {distance:.3g} m{also}: as given, {worst.owner} {worst.name!r} "
        f"({worst.label}) {gap}. If this is not what was meant, check that "
        f"joint's anchors, or give poses nearer to the assembled ones.",
    )


def _residual(problem: PositionProblem, pose: Pose) -> Array:
    """Φ of the position rows at a pose."""
    return problem.residual(pose.q, pose.angles, ()) * problem.scales.row


def _disagreeing(problem: PositionProblem, pose: Pose) -> int | None:
    """The row that misses most among those whose misfit no small motion can take away."""
    r = problem.residual(pose.q, pose.angles, ())
    left = subspaces(problem.matrix((), problem.scales.column)).left_null
    if not left.shape[1]:
        return None
    share = np.abs(left @ (left.T @ r))
    rows = np.flatnonzero(share >= TAKES_PART * float(np.max(share)))
    if not float(np.max(share)) > 0.0:
        return None
    sizes = np.abs(r[rows])
    return int(rows[np.flatnonzero(sizes >= AS_LARGE * float(np.max(sizes)))[-1]])


def _fitting(problem: PositionProblem, pose: Pose, row: int) -> SceneEdit | None:
    """Where the joint's point would have to be, by the pose of all others; None for rows of another sort."""
    mechanism: Mechanism = problem.mechanism
    name = mechanism.rows[row].name
    spec: Any = mechanism.scene.joint(name)
    kind = JOINTS[str(spec.__struct_config__.tag)]
    coordinate_function = kind.rows_in(mechanism.scene.space, spec)[row - mechanism.joint_rows[name].begin]
    if (
        not isinstance(coordinate_function.coordinate_function, Along)
        or coordinate_function.target != 0.0
        or name not in mechanism.joint_frames
    ):
        return None
    others = problem.without(name).solve(pose.q, pose.angles, columns=problem.scales.column)
    if not others.closed:
        return None
    A, B = mechanism.joint_frames[name]
    moving = len(mechanism.bodies)
    side, own, other = ("b", B, A) if B.body < moving else ("a", A, B)
    table = problem.evaluator.at(problem.t, others.q).work.pose
    arm = point(table, other.body, other.point) - centre(table, own.body)
    meeting = rotation(table, own.body).T @ arm + mechanism.com[own.body]
    size = 2 if mechanism.planar else 3
    value = [round(float(x), DIGITS) + 0.0 for x in meeting[:size]]
    return SceneEdit(f"joints.{name}.{side}.point", value)
