"""Degrees of freedom and redundancy of a scene as an analysis."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from engine.analyses.answers.result import Column, Mention, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.mobility.mobility import Dependency, mobility
from engine.analyses.mobility.visited_poses import POSES
from engine.elements.fields import number
from engine.system.compiling.mechanism import RowInfo

MAX_POSES = 50


class DofOptions(Struct, frozen=True, kw_only=True):
    """How thoroughly to look."""

    poses: Annotated[
        int,
        number("Other poses", description="poses visited beside the start", ge=0.0, le=float(MAX_POSES)),
    ] = POSES


def run(question: Question) -> Result:
    """Count at the pose that is asked about and at poses around it."""
    options = question.options
    assert isinstance(options, DofOptions)
    question.stage(0.0, "compiling")
    mechanism = question.mechanism
    question.stage(0.2, "assembling")
    start = question.start

    def visit(share: float) -> None:
        question.stage(0.4 + 0.6 * share, "visiting poses")

    found = mobility(
        mechanism, start, evaluator=question.evaluator, poses=options.poses, visit=visit, t=question.t
    )
    counts: tuple[tuple[str, float, float], ...] = (
        ("Degrees of freedom", float(found.dof), float(found.generic_dof)),
        ("Redundant rows", float(found.redundant), float(found.generic_redundant)),
    )
    plain = (
        ("Velocities of the bodies", float(mechanism.nv), ""),
        ("Constraint rows", float(found.rows), ""),
        ("Grübler count", float(found.gruebler), ""),
        ("Degrees of freedom without motions", float(found.mobility), ""),
    )
    return Result(
        summary=_summary(found.dof, found.redundant, found.singular_pose, found.poses),
        tables=(
            Table(
                "Redundant rows",
                (Column("Row"), Column("Repeats"), Column("Holds")),
                tuple(_row(dependency) for dependency in found.dependencies),
                empty="No row is redundant.",
            ),
            Table("Counts", (Column("Count"), Column("At this pose"), Column("In general")), counts + plain),
        ),
        notes=(*start.notes, *found.notes),
    )


def _summary(dof: int, redundant: int, singular: bool, poses: int) -> str:
    words = f"{dof} degree{'s' if dof != 1 else ''} of freedom, "
    words += f"{redundant} redundant row{'s' if redundant != 1 else ''}" if redundant else "no redundant row"
    if singular:
        return f"{words} at this pose; it is a singular one, other poses differ."
    return f"{words}, the same at all {poses} visited poses." if poses > 1 else f"{words} at this pose."


def _row(dependency: Dependency) -> tuple[Mention, tuple[Mention, ...], str]:
    others = tuple(_mention(row) for row in dependency.rows if row != dependency.removable)
    return _mention(dependency.removable), others, "always" if dependency.generic else "at this pose only"


def _mention(row: RowInfo) -> Mention:
    return Mention(f"{row.owner}s", row.name, str(row))


DEGREES_OF_FREEDOM = Analysis(
    name="freedoms",
    title="Degrees of freedom",
    summary="How many ways the mechanism can move, and which constraint rows repeat what others say.",
    options=DofOptions,
    run=run,
    anywhere=True,
)
