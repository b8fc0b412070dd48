"""Assembly as an analysis: what had to move so that all constraints hold at the start."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from engine.analyses.base import Analysis, Cancel, Column, Mention, Progress, Result, Table, stage
from engine.elements.fields import number
from engine.model.scene import Scene
from engine.system.assembly import assemble
from engine.system.compile import compile_scene
from engine.system.evaluator import Evaluator

NOTICEABLE = 1e-9  # m


class ClosureOptions(Struct, frozen=True, kw_only=True):
    """What is worth telling."""

    smallest: Annotated[
        float,
        number("Smallest displacement", "m", "bodies that moved less are left out", ge=0.0),
    ] = NOTICEABLE


def run(scene: Scene, options: Struct, progress: Progress, cancel: Cancel) -> Result:
    """Assemble the start and compare it with what the scene gives."""
    assert isinstance(options, ClosureOptions)
    stage(progress, cancel, 0.0, "compiling")
    mechanism = compile_scene(scene)
    stage(progress, cancel, 0.3, "assembling")
    start = assemble(mechanism, evaluator=Evaluator(mechanism))
    stage(progress, cancel, 1.0, "comparing")
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
