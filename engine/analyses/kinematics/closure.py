"""Assembly as an analysis: which joints are open as the scene gives it, and what moves when they close."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.result import Cell, Column, Mention, Result, Suggestion, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.kinematics.poses import Gap, body_poses, gaps
from engine.compiled.layout import Array
from engine.elements.fields import number
from engine.errors import CompileError
from engine.system.assembly.assemble import Start
from engine.system.assembly.position_problem import PositionProblem
from engine.system.assembly.scaling import scales_of
from engine.system.assembly.strategies import references, wanted_values

NOTICEABLE = 1e-9  # m
SHOWN = 3  # bodies named in a sentence


class ClosureOptions(Struct, frozen=True, kw_only=True):
    """What is worth telling."""

    smallest: Annotated[
        float,
        number("Smallest displacement", "m", "bodies that moved less are left out", ge=0.0),
    ] = NOTICEABLE


def run(question: Question) -> Result:
    """Assemble the start and compare it with what the scene gives."""
    options = question.options
    assert isinstance(options, ClosureOptions)
    question.stage(0.0, "looking at the joints")
    problem, given, angles = _given(question)
    as_given = gaps(problem, given, angles) if question.mechanism.rows else []
    question.stage(0.2, "assembling")
    try:
        start = question.start
    except CompileError as error:
        if not as_given:
            raise
        return _stays_open(question, problem, as_given, error)
    question.stage(1.0, "comparing")
    moved = sorted(
        ((name, distance) for name, distance in start.moved.items() if distance > options.smallest),
        key=lambda pair: -pair[1],
    )
    return Result(
        summary=_summary(start, as_given, moved),
        tables=(
            Table(
                "What moved",
                (Column("Body"), Column("Largest displacement", "m")),
                tuple((Mention("bodies", name), distance) for name, distance in moved),
                empty="Nothing moved.",
            ),
            _open_table("Open joints, as given", as_given),
            Table(
                "Largest violation, relative to the size of its row",
                (Column("Constraints"), Column("As given"), Column("Assembled")),
                (
                    ("position", start.violation_before, start.violation_after),
                    ("velocity [1/s]", start.rate_before, start.rate_after),
                ),
            ),
        ),
        notes=start.notes,
        suggestions=(_close(question, start, moved),) if moved else (),
    )


def _given(question: Question) -> tuple[PositionProblem, Array, Array]:
    """The position problem with what the scene, or the instant that is asked about, gives."""
    mechanism, evaluator = question.mechanism, question.evaluator
    scales = scales_of(mechanism)
    q = np.array(mechanism.q if question.instant is None else question.instant.q, dtype=float)
    targets = wanted_values(mechanism, scales) if question.instant is None else []
    angles = references(mechanism, evaluator, question.t, q, targets)
    return PositionProblem(evaluator, scales, question.t), q, angles


def _summary(start: Start, as_given: list[Gap], moved: list[tuple[str, float]]) -> str:
    if moved:
        count = f"{len(moved)} bodies" if len(moved) > 1 else "One body"
        summary = f"{count} moved when the mechanism was assembled, most of all {moved[0][0]}."
        if as_given:
            many = f"{len(as_given)} joints are" if len(as_given) > 1 else "One joint is"
            summary = f"{many} open as given, most of all {as_given[0].element}. {summary}"
    else:
        summary = "The scene is assembled as it is given."
    if start.velocity_changed:
        summary += " Velocities changed to satisfy the constraints."
    return summary


def _open_table(title: str, found: list[Gap]) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple((gap.element, gap.length, gap.angle) for gap in found)
    columns = (Column("Joint"), Column("Gap", "m"), Column("Angle", "rad"))
    return Table(title, columns, rows, empty="All joints are closed.")


def _close(question: Question, start: Start, moved: list[tuple[str, float]]) -> Suggestion:
    some = ", ".join(f"{name} by {distance:.3g} m" for name, distance in moved[:SHOWN])
    rest = len(moved) - SHOWN
    return Suggestion(
        title="Close the joints",
        effect=f"moves {some}" + (f" and {rest} more" if rest > 0 else ""),
        concerns=tuple(Mention("bodies", name) for name, _ in moved),
        poses=body_poses(question.evaluator, start.q),
    )


def _stays_open(
    question: Question, problem: PositionProblem, as_given: list[Gap], error: CompileError
) -> Result:
    """What is left open at the nearest pose that was found."""
    _, given, angles = _given(question)
    nearest = problem.solve(given, angles, columns=problem.scales.column)
    left = gaps(problem, nearest.q, nearest.angles)
    return Result(
        "The joints cannot all be closed: "
        + "; ".join(str(problem.message) for problem in error.problems)
        + ".",
        tables=(
            _open_table("Open joints, as given", as_given),
            _open_table("Open joints at the nearest pose that was found", left),
        ),
        notes=tuple(dict.fromkeys(_sentence(problem.remedy) for problem in error.problems)),
    )


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


CLOSURE = Analysis(
    name="assembly",
    title="Assembly",
    summary="Which joints are open at the start as it is given, and what moves so that all are closed.",
    options=ClosureOptions,
    run=run,
)
