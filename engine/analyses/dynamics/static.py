"""Static equilibrium: where the mechanism comes to rest, whether it stays there, what its joints carry."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from msgspec import Struct

from engine.analyses.answers.result import Column, Mention, Motion, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.dynamics.equilibrium import LIMIT, Equilibrium, Search
from engine.analyses.dynamics.large_equilibrium import LargeSearch
from engine.analyses.instant.joint_reactions import JointReactions
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.elements.field_units import COORDINATE_UNITS
from engine.elements.fields import text
from engine.system.assembly.scaling import LARGE, Scales, scales_of
from engine.system.equations.evaluator import Evaluator

HELD = 1.0  # s that the pose is shown for
HELD_DRIVEN = 1e-6  # s, where motions would go on


class StaticOptions(Struct, frozen=True, kw_only=True):
    """Which equilibrium."""

    wanted: Annotated[
        Literal["stable", "nearest"],
        text("Wanted", "stable: downhill from this pose, as friction would bring it to rest; nearest: any"),
    ] = "stable"


def run(question: Question) -> Result:
    """Search from the pose that is asked about; velocities do not count."""
    options = question.options
    assert isinstance(options, StaticOptions)
    question.stage(0.0, "assembling")
    mechanism, start = question.mechanism, question.start
    question.stage(0.1, "searching")
    evaluator = Evaluator(mechanism, tangents=True)

    def searching(share: float) -> None:
        question.stage(0.1 + 0.8 * share, "searching")

    search = search_of(evaluator, scales_of(mechanism), question.t)
    found = search.find(start.q, start.angles, stable=options.wanted == "stable", visit=searching)
    if not found.found:
        return Result(missing(found), notes=start.notes)
    question.stage(0.95, "finding reactions")
    state = found.state
    evaluator.at(state.t, state.q, angles=state.angles)
    t = np.array([state.t, state.t + (HELD_DRIVEN if mechanism.motion_rows else HELD)])
    rest = np.zeros((2, mechanism.nv))
    at_rest = Motion(
        "Equilibrium", mechanism, t, np.tile(state.q, (2, 1)), rest, rest, np.tile(found.multipliers, (2, 1))
    )
    return Result(
        _summary(found),
        tables=(*_coordinates(evaluator), *_held(evaluator, found), _carried(evaluator, found)),
        motions=(at_rest,),
        notes=(*start.notes, *found.notes),
    )


def search_of(evaluator: Evaluator, scales: Scales, t: float) -> Search | LargeSearch:
    """The search that fits the size of a mechanism; the evaluator must be one with tangents."""
    return (LargeSearch if evaluator.mechanism.nv > LARGE else Search)(evaluator, scales, t)


def missing(found: Equilibrium) -> str:
    """What is said when there is none."""
    words = f"No equilibrium was found in {found.steps} steps"
    if found.steps >= LIMIT:
        return f"{words}: {found.loosest} keeps moving. Give it something that holds it."
    return f"{words}: {found.loosest} comes to a singular configuration. Start at another pose."


def _summary(found: Equilibrium) -> str:
    dof = found.dof_here
    if not dof:
        return "The mechanism cannot move, so it is in equilibrium."
    pushed = int(np.sum(found.squares.real < -found.flat))
    words = {
        "stable": "Stable equilibrium: every small push is answered by a force back.",
        "indifferent": "Indifferent equilibrium: pushed in some direction, it stays where it is put.",
        "unstable": f"Unstable equilibrium: a small push grows in {pushed or 'some'} of {dof} "
        f"degree{'s' if dof > 1 else ''} of freedom.",
    }
    return words[found.stability]


def _coordinates(evaluator: Evaluator) -> tuple[Table, ...]:
    """Joint coordinates at rest, as they could be written into the scene as start values."""
    mechanism, values = evaluator.mechanism, evaluator.work.coordinate[:, COORDINATE_VALUE.VALUE]
    found = []
    for name, unit in COORDINATE_UNITS.items():
        rows = tuple(
            (Mention("joints", joint), float(values[coordinate_function]))
            for (joint, coordinate), coordinate_function in mechanism.coordinates.items()
            if coordinate == name
        )
        if rows:
            found.append(
                Table(f"{name.capitalize()}s at rest", (Column("Joint"), Column("Value", unit)), rows)
            )
    return tuple(found)


def _held(evaluator: Evaluator, found: Equilibrium) -> tuple[Table, ...]:
    """Efforts with which motions hold their coordinates."""
    mechanism = evaluator.mechanism
    tables = []
    for title, begins, unit in (("Holding torques", "rad", "N·m"), ("Holding forces", "m", "N")):
        rows = tuple(
            (Mention("motions", row.name), float(found.multipliers[r]))
            for r, row in enumerate(mechanism.rows)
            if row.owner == "motion" and row.unit.startswith(begins)
        )
        if rows:
            tables.append(Table(title, (Column("Motion"), Column("Effort", unit)), rows))
    return tuple(tables)


def _carried(evaluator: Evaluator, found: Equilibrium) -> Table:
    carried = JointReactions(evaluator.mechanism)
    force, torque = (np.linalg.norm(x, axis=1) for x in carried.at(evaluator, found.multipliers))
    return Table(
        "What the joints carry",
        (Column("Joint"), Column("Force", "N"), Column("Torque", "N·m")),
        tuple(
            (Mention("joints", name), float(force[i]), float(torque[i]))
            for i, name in enumerate(carried.names)
        ),
        empty="There is no joint.",
    )


STATIC = Analysis(
    name="static",
    title="Static equilibrium",
    summary="Where the mechanism is at rest under its loads and springs, and whether it would stay there.",
    options=StaticOptions,
    run=run,
    anywhere=True,
)
