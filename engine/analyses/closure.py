"""Assembly as an analysis: what had to move so that all constraints hold at the start."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from engine.analyses.base import Analysis, Question
from engine.analyses.result import Column, Mention, Result, Table
from engine.elements.fields import number

NOTICEABLE = 1e-9  # m


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
    question.stage(0.0, "assembling")
    start = question.start
    question.stage(1.0, "comparing")
    moved = sorted(
        ((name, distance) for name, distance in start.moved.items() if distance > options.smallest),
        key=lambda pair: -pair[1],
    )
    if moved:
        count = f"{len(moved)} bodies" if len(moved) > 1 else "One body"
        summary = f"{count} moved when the mechanism was assembled, most of all {moved[0][0]}."
    else:
        summary = "The scene is assembled as it is given."
    if start.velocity_changed:
        summary += " Velocities changed to satisfy the constraints."
    return Result(
        summary=summary,
        tables=(
            Table(
                "What moved",
                (Column("Body"), Column("Largest displacement", "m")),
                tuple((Mention("bodies", name), distance) for name, distance in moved),
                empty="Nothing moved.",
            ),
            Table(
                "Largest violation, relative to the size of its row",
                (Column("Constraints"), Column("As given"), Column("Assembled")),
                (
                    ("position", start.violation_before, start.violation_after),
                    ("velocity [1/s]", start.rate_before, start.rate_after),
                ),
            ),
        ),
        remarks=start.remarks,
    )


CLOSURE = Analysis(
    name="assembly",
    title="Assembly",
    summary="What had to move, and by how much, so that all constraints hold at the start.",
    options=ClosureOptions,
    run=run,
)
