"""Numbers of the whole mechanism: energies and violation.

The balance:  error = kinetic + potential − (both at the start) − work + dissipated − edits. Dissipated is
what dampers take, and the losses by friction and contact, which are also told by sort and by element.
Violations are the largest of |Φ|, |Φ'|, |Φ''| over all rows as they are, in m or rad (and per second): rows
that exist at velocity level only count from Φ' on.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.columns import quadratures as WORK
from engine.compiled.layout import Array
from engine.model.scene import kind_of
from engine.results.output_evaluation import OutputEvaluation
from engine.results.quantities.base import Channel, Read
from engine.system.compiling.mechanism import LAW_STATES, Mechanism

KINETIC, GRAVITY, ELASTIC = range(3)
LEVELS = (("position", "m, rad"), ("velocity", "m/s, rad/s"), ("acceleration", "m/s², rad/s²"))


def channels(mechanism: Mechanism) -> Iterator[Channel]:
    yield Channel("energy.kinetic", "J", _energy(KINETIC), "energy of motion of all bodies")
    yield Channel(
        "energy.gravity", "J", _energy(GRAVITY), "potential of weight, zero at the origin of the world"
    )
    yield Channel(
        "energy.elastic", "J", _energy(ELASTIC), "potential of springs, bushings and elastic limits"
    )
    yield Channel(
        "energy.potential",
        "J",
        _energy(GRAVITY, ELASTIC),
        "potential of weight, springs, bushings and elastic limits",
    )
    yield Channel("energy.total", "J", _energy(KINETIC, GRAVITY, ELASTIC), "kinetic and potential energy")
    losses = losses_of(mechanism)
    lost = [column for columns in losses.values() for column in columns.values()]
    yield Channel(
        "energy.work",
        "J",
        lambda evaluation: _work(evaluation) - _works(lost)(evaluation),
        "work since the start of motions, motors, applied forces and the mouse",
    )
    yield Channel(
        "energy.dissipated",
        "J",
        lambda evaluation: _damped(evaluation) - _works(lost)(evaluation),
        "lost since the start by dampers, friction, contacts and impacts",
    )
    for sort, by_element in losses.items():
        all_of_them = list(by_element.values())
        yield Channel(f"energy.loss.{sort}", "J", _losses(all_of_them), f"lost since the start by {sort}")
        for name, column in by_element.items():
            meaning = f"lost since the start by {sort} of one element"
            yield Channel(f"energy.loss.{sort}.{name}", "J", _losses([column]), meaning)
    yield Channel(
        "energy.edits",
        "J",
        lambda evaluation: np.full(len(evaluation), evaluation.edits),
        "energy that edits during the run have added",
    )
    yield Channel(
        "energy.error", "J", energy_error, "what the balance of energy is off by: an error of the run"
    )
    for name, columns in work_integrals(mechanism).items():
        yield Channel(f"energy.work.{name}", "J", _works(columns), "work of one element since the start")
    for column, (level, unit) in enumerate(LEVELS):
        meaning = f"largest error of all constraints at the level of {level}"
        yield Channel(f"violation.{level}", unit, _violation(column), meaning)


def work_integrals(mechanism: Mechanism) -> dict[str, list[int]]:
    """Element name → its work integrals; a force and a motion of the same name are counted together."""
    found: dict[str, list[int]] = {}
    lost = {column for columns in losses_of(mechanism).values() for column in columns.values()}
    for (where, name), column in mechanism.quadratures.items():
        if column not in lost and where != LAW_STATES:
            found.setdefault(name, []).append(column)
    return found


def losses_of(mechanism: Mechanism) -> dict[str, dict[str, int]]:
    """Sort of loss → element name → the work integral that has it, with the sign of work."""
    found: dict[str, dict[str, int]] = {}
    for force in mechanism.scene.forces:
        if sort := kind_of(force).loss(force):
            found.setdefault(sort, {})[force.name] = mechanism.quadratures["forces", force.name]
    return found


def energy_error(evaluation: OutputEvaluation) -> Array:
    total = evaluation.tables.energies.sum(axis=1)
    with np.errstate(invalid="ignore"):  # energies may be beyond all numbers; the assessment tells
        error = total - evaluation.start_energy - _work(evaluation) + _damped(evaluation)
    return np.asarray(error - evaluation.edits)


def _energy(*columns: int) -> Read:
    return lambda evaluation: evaluation.tables.energies[:, columns].sum(axis=1)


def _work(evaluation: OutputEvaluation) -> Array:
    return np.asarray(evaluation.works[:, evaluation.mechanism.work_columns].sum(axis=1))


def _damped(evaluation: OutputEvaluation) -> Array:
    return evaluation.works[:, WORK.DISSIPATED]


def _works(columns: list[int]) -> Read:
    return lambda evaluation: evaluation.works[:, columns].sum(axis=1)


def _losses(columns: list[int]) -> Read:
    return lambda evaluation: -evaluation.works[:, columns].sum(axis=1)


def _violation(column: int) -> Read:
    return lambda evaluation: np.abs(evaluation.tables.rows[:, :, column]).max(axis=1, initial=0.0)
