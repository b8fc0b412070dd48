"""The redundancy doctor: which rows are redundant, always or at this pose only, and what would remedy it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from msgspec import Struct

from engine.analyses.answers.result import Cell, Column, Mention, Result, Suggestion, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.instant.row_arrows import RowArrow, row_arrows
from engine.analyses.mobility.continuation import FULL, STEP, Continuation, ContinuationPoint, directions
from engine.analyses.mobility.mobility import Dependency, Mobility, mobility
from engine.analyses.mobility.visited_poses import POSES
from engine.analyses.redundancy.local_remedies import local_remedies
from engine.analyses.redundancy.remedies import Remedies, Remedy, find_remedies
from engine.elements.fields import number
from engine.model.scene import Scene
from engine.system.assembly.scaling import LARGE, scales_of
from engine.system.compiling.mechanism import RowInfo

WALKS = 4  # in different directions, where there are several degrees of freedom
MAX_POINTS = 100  # at which remedies are judged; dips in between are looked for
MIN_POINTS = 8
WALK_LENGTH = 2.0  # rad or lengths: of each of these walks
MAX_WALKED_VELOCITIES = 40  # velocities up to which the whole way is walked
ALL_GONE, OF_LOOPS = "Remedies that leave no redundant row", "Remedies of single loops"
WIDEST = 3.0  # times FULL that an option may ask for


class RedundancyOptions(Struct, frozen=True, kw_only=True):
    """How thoroughly to look."""

    poses: Annotated[
        int, number("Other poses", description="poses at which rows are compared", ge=0.0, le=50.0)
    ] = POSES
    reach: Annotated[
        float,
        number(
            "Way along the motion",
            description="how far remedies are followed each way, in rad or lengths of what moves most",
            gt=0.0,
            le=WIDEST * FULL,
        ),
    ] = FULL


def run(question: Question) -> Result:
    """Dependencies, then remedies that are followed along the motion."""
    options = question.options
    assert isinstance(options, RedundancyOptions)
    question.stage(0.0, "assembling")
    mechanism, start, evaluator = question.mechanism, question.start, question.evaluator
    found = mobility(
        mechanism,
        start,
        evaluator=evaluator,
        poses=options.poses,
        visit=lambda share: question.stage(0.1 + 0.1 * share, "comparing poses"),
        t=question.t,
    )
    if not any(dependency.generic for dependency in found.dependencies):
        return _result(question, found, Remedies((), (), True))
    if mechanism.nv <= LARGE:
        return _result(question, found, _remedies(question, found, options.reach))

    def of_loop(scene: Scene) -> Remedies:
        small = Question(scene, options, cancel=question.cancel)
        counted = mobility(small.mechanism, small.start, evaluator=small.evaluator, poses=options.poses)
        return _remedies(small, counted, options.reach)

    remedies, note = local_remedies(
        question.scene, found, of_loop, lambda share: question.stage(0.2 + 0.8 * share, "trying remedies")
    )
    result = _result(question, found, remedies)
    return replace(result, notes=(*result.notes, note))


def _remedies(question: Question, found: Mobility, reach: float) -> Remedies:
    """Remedies that are followed along the motion."""
    continuation = Continuation(question.evaluator, scales_of(question.mechanism), question.t)
    return find_remedies(
        question.scene,
        question.mechanism,
        found.dependencies,
        continuation,
        _way(question, continuation, reach),
        lambda share: question.stage(0.5 + 0.5 * share, "trying remedies"),
    )


def _way(question: Question, continuation: Continuation, reach: float) -> list[ContinuationPoint]:
    """Poses along the motion, both ways; where there are several degrees of freedom, walks in several
    directions."""
    start = question.start
    ways = directions(continuation.null_space(start.q, start.angles), WALKS)
    points: list[ContinuationPoint] = []
    length = reach if len(ways) < 2 else min(reach, WALK_LENGTH)
    # a step costs like the cube of the size: large mechanisms are looked at on a shorter way, in longer steps
    share = min(1.0, (MAX_WALKED_VELOCITIES / max(question.mechanism.nv, 1)) ** 1.5)
    length, step = max(share * length, 4.0 * STEP), STEP if share > 0.5 else 2.0 * STEP
    for k, direction in enumerate(ways):

        def told(share: float, k: int = k) -> None:
            question.stage(0.2 + 0.3 * (k + share) / len(ways), "walking along the motion")

        points += continuation.both_ways(
            ContinuationPoint(start.q, start.angles, direction, 0.0), length, step, told=told
        )
    if not points:
        points = [ContinuationPoint(start.q, start.angles, start.v * 0.0, 0.0)]
    most = max(MIN_POINTS, int(share * MAX_POINTS))
    return points[:: 1 + len(points) // most]


def _result(question: Question, found: Mobility, remedies: Remedies) -> Result:
    notes = [*question.start.notes, *found.notes]
    arrows = row_arrows(question.mechanism, question.evaluator, question.t, question.start.q)
    if found.singular_pose:
        notes.append(
            "Rows that depend on each other at this pose only need no remedy: the pose is singular, motions "
            "cross or a dead point is reached there. Start elsewhere, or let the method lead through it."
        )
    if not remedies.complete:
        notes.append("Not every combination of changes was tried: there may be simpler remedies.")
    if found.generic_redundant and not remedies.sets:
        notes.append(
            "No set of changes was found that leaves the degrees of freedom as they are. Redundant rows "
            "do no harm to "
            "the motion; what single joints carry is then not unique."
        )
    return Result(
        _summary(found, remedies),
        tables=(
            Table(
                "What is held more than once",
                (Column("Row"), Column("Follows from"), Column("Holds")),
                tuple(_row(dependency, arrows) for dependency in found.dependencies),
                empty="No row is redundant.",
            ),
            *_remedy_tables(remedies),
        ),
        notes=tuple(notes),
        suggestions=tuple(_suggestion(remedy) for remedy in (*remedies.sets, *remedies.single)),
    )


def _summary(found: Mobility, remedies: Remedies) -> str:
    dof = f"{found.mobility} degree{'s' if found.mobility != 1 else ''} of freedom"
    if found.mobility != found.dof:  # which the window shows beside the clock
        dof += " without motions"
    if not found.dependencies:
        return f"No row is redundant: {dof}, {found.rows} independent rows."
    always = sum(dependency.generic for dependency in found.dependencies)
    here = len(found.dependencies) - always
    parts = []
    if always:
        parts.append(
            f"{always} of {found.rows} rows {'is' if always == 1 else 'are'} redundant at every pose"
        )
    if here:
        parts.append(f"{here} depend{'s' if here == 1 else ''} on others at this pose only")
    words = f"{dof}; {', '.join(parts)}."
    best = next((remedy for remedy in remedies.sets if remedy.good), None)
    if best is None:
        return words
    return f"{words} {'Remedy' if best.exact else 'Remedy in the first loop'}: {best.title}."


def _row(dependency: Dependency, arrows: Mapping[RowInfo, RowArrow]) -> tuple[Cell, ...]:
    def mention(row: RowInfo) -> Mention:
        return Mention(f"{row.owner}s", row.name, str(row), arrows.get(row))

    others = tuple(mention(row) for row in dependency.rows if row != dependency.removable)
    return mention(dependency.removable), others, "always" if dependency.generic else "at this pose only"


def _remedy_tables(remedies: Remedies) -> list[Table]:
    columns = (
        Column("Change"),
        Column("Redundant"),
        Column("Degrees of freedom"),
        Column("Mind"),
        Column("Effect"),
    )
    tables = []
    for title, listed in (
        (ALL_GONE if all(remedy.exact for remedy in remedies.sets) else OF_LOOPS, remedies.sets),
        ("Single changes", remedies.single),
    ):
        if listed:
            tables.append(Table(title, columns, tuple(_line(remedy) for remedy in listed)))
    return tables


def _line(remedy: Remedy) -> tuple[Cell, ...]:
    found = remedy.outcome
    return (
        remedy.title,
        f"{remedy.redundant_before} → {found.redundant}",
        f"{remedy.dof_before} → {found.dof}",
        remedy.mark or "–",
        remedy.effect,
    )


def _suggestion(remedy: Remedy) -> Suggestion:
    return Suggestion(
        title=remedy.title,
        effect=remedy.effect,
        mark=remedy.mark,
        concerns=tuple(Mention(change.where, change.name) for change in remedy.changes),
        replaced=tuple((change.where, change.spec) for change in remedy.changes if change.spec is not None),
        removed=tuple(Mention(change.where, change.name) for change in remedy.changes if change.spec is None),
    )


REDUNDANCY = Analysis(
    name="redundancy",
    title="Redundancy doctor",
    summary="Which constraints are redundant, always or at this pose only, and what would remedy it.",
    options=RedundancyOptions,
    run=run,
    anywhere=True,
)
