"""Workspace: where a point can come, over all poses that the joints allow.

A walk on the constraints: from each pose a step in a random direction of the null space, closed again by
assembly; a pose that does not close, or has jumped, is not taken. Motions and stops do not count.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.analyses.answers.chart import Axis, Chart, Series
from engine.analyses.answers.result import Column, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.machines.tolerance_band import traced_point
from engine.compiled.layout import Array
from engine.elements.fields import number, text
from engine.errors import SceneError
from engine.system.assembly.assemble import assemble
from engine.system.assembly.scaling import scales_of, subspaces
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import point as point_of
from engine.system.prepared import prepare

STEP = 0.25  # rad or lengths, of one step
JUMP = 3.0  # steps: a pose further away lies on another branch
STUCK = 1e-9  # of a direction: too little of it is left to go on
FLAT = 1e-9  # m: points that differ less in height lie in the plane
TURNED = 12  # steps in one direction before another is taken


class WorkspaceOptions(Struct, frozen=True, kw_only=True):
    """Of which point, and how many poses."""

    trace: Annotated[str, text("Trace", "whose point is looked at; empty: the first of the scene")] = ""
    poses: Annotated[int, number("Poses", "", ge=10, le=100_000)] = 800


def run(question: Question) -> Result:
    """Walk, and tell the extent and the area that was covered."""
    options = question.options
    assert isinstance(options, WorkspaceOptions)
    question.stage(0.0, "assembling")
    trace = traced_point(question.scene, options.trace)
    if trace is None:
        return Result("There is nothing to look at: add a trace to a moving body.")
    free = replace(question.scene, motions=())
    mechanism = prepare(free).refuse_problems().mechanism
    body = mechanism.bodies.index(trace[0])
    evaluator, scales = Evaluator(mechanism), scales_of(mechanism)
    start = assemble(mechanism, evaluator=evaluator)
    q, rng = start.q, np.random.default_rng(0)
    found: list[Array] = []
    direction = np.zeros(0)
    failed = 0
    while len(found) < options.poses and failed < options.poses:
        question.stage(len(found) / options.poses, f"{len(found)} poses")
        evaluator.at(0.0, q)
        found.append(np.array(point_of(evaluator.work.pose, body, np.asarray(trace[1]))))
        null = subspaces(scales.jacobian(evaluator.jacobian)).null
        if not null.shape[1]:
            return Result("The mechanism cannot move, so its workspace is a point.")
        if len(found) % TURNED == 1 or direction.shape != (mechanism.nv,):
            direction = null @ rng.normal(size=null.shape[1])
        along = null @ (null.T @ direction)  # as straight on as the joints allow
        size = float(np.max(np.abs(along)))
        if size < STUCK:
            direction = np.zeros(0)
            failed += 1
            continue
        direction = along / size
        try:
            closed = assemble(
                mechanism,
                q=evaluator.retract(q, STEP * direction * scales.column),
                v=np.zeros(mechanism.nv),
                evaluator=evaluator,
            )
        except SceneError:
            direction, failed = np.zeros(0), failed + 1
            continue
        moved = np.max(np.abs(evaluator.difference(q, closed.q) / scales.column))
        if moved > JUMP * STEP:
            direction, failed = -direction, failed + 1
            continue
        q = closed.q
    points = np.array(found)
    return _result(points, null.shape[1])


def _result(points: Array, dof: int) -> Result:
    low, high = points.min(axis=0), points.max(axis=0)
    rows = tuple(
        (axis, float(a), float(b), float(b - a)) for axis, a, b in zip("xyz", low, high, strict=True)
    )
    flat = np.ptp(points[:, 2]) < FLAT
    sides = (0, 1) if flat else (0, 2)
    words = f"{len(points)} poses of {dof} degree{'' if dof == 1 else 's'} of freedom"
    return Result(
        f"{words}: the point comes from {low[0]:.4g} to {high[0]:.4g} m in x, "
        f"{low[1]:.4g} to {high[1]:.4g} m in y"
        + ("." if flat else f", {low[2]:.4g} to {high[2]:.4g} m in z."),
        tables=(
            Table(
                "Extent",
                (Column("Axis"), Column("From", "m"), Column("To", "m"), Column("Range", "m")),
                rows,
            ),
        ),
        charts=(
            Chart(
                "Workspace",
                Axis("xyz"[sides[0]], "m"),
                Axis("xyz"[sides[1]], "m"),
                (Series("", points[:, sides[0]], points[:, sides[1]], "points"),),
                equal=True,
            ),
        ),
        notes=("the walk is random but repeatable; more poses fill it more evenly",),
    )


WORKSPACE = Analysis(
    name="workspace",
    title="Workspace",
    summary="Where a traced point can come, over all poses that the joints allow.",
    options=WorkspaceOptions,
    run=run,
)
