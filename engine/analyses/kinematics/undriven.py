"""Degrees of freedom that motions leave open, and which coordinates would drive them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analyses.answers.result import Column, Mention, Result, Table
from engine.analyses.base import Question
from engine.analyses.kinematics.driven import Driven, Follower
from engine.analyses.mobility.mobility import mobility
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.layout import Array, Ints
from engine.elements.field_units import coordinate_unit
from engine.system.assembly.position_problem import Target
from engine.system.assembly.scaling import Scales, scales_of
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State

MOVES = 1e-6  # smallest share of a degree of freedom in which a coordinate takes part
SHOWN = 6  # coordinates that are named in a sentence
GOOD = 0.5  # of the largest motion: the first coordinate of the scene that moves this much is proposed


@dataclass(frozen=True, eq=False)
class Coordinate:
    """Something a motion could prescribe, and its gradient over dimensionless velocities, zeros left out."""

    where: str  # list of the scene
    name: str
    coordinate: str
    columns: Ints
    gradient: Array

    @property
    def words(self) -> str:
        return f"{self.coordinate} of {self.name}"

    def rates(self, motions: Array) -> Array:
        """Its rate in each of the motions, columns of velocities."""
        return np.asarray(self.gradient @ motions[self.columns])


def begin(question: Question) -> tuple[Follower, Driven | Result]:
    """The start of a driven motion, or the answer that says why there is none."""
    question.stage(0.0, "assembling")
    start, evaluator = question.start, question.evaluator
    follower = Follower(evaluator, scales_of(question.mechanism))
    first = follower.state(question.t, start.q, start.angles)
    if first.regular:
        return follower, first
    question.stage(0.1, "looking for degrees of freedom")
    found = mobility(question.mechanism, start, evaluator=evaluator, t=question.t)
    if not found.generic_dof:
        return follower, Result(
            "The start is a singular configuration, at which the motions do not determine how the "
            "mechanism goes on. "
            "Start at another pose.",
            notes=start.notes,
        )
    return follower, _left_open(evaluator, follower.scales, first)


def _left_open(evaluator: Evaluator, scales: Scales, state: Driven) -> Result:
    null = state.rows.null
    known = coordinates(evaluator, scales, state)
    chosen = drivers(known, null)
    names = " and ".join(coordinate.words for coordinate in chosen[:SHOWN])
    names += f" and {len(chosen) - SHOWN} more" if len(chosen) > SHOWN else ""
    count = null.shape[1]
    left = "1 degree of freedom is" if count == 1 else f"{count} degrees of freedom are"
    add = "a motion that prescribes" if count == 1 else "motions that prescribe"
    moving = [(c, float(np.linalg.norm(c.rates(null)))) for c in known if c.where == "joints" or c in chosen]
    rows = tuple(
        (Mention(c.where, c.name), c.coordinate, share, "yes" if c in chosen else "")
        for c, share in sorted(moving, key=lambda pair: -pair[1])
        if share > MOVES
    )
    return Result(
        f"The motion is not determined: {left} not driven. Add {add}, for instance, the {names}.",
        tables=(
            Table(
                "What is still free",
                (
                    Column("Element"),
                    Column("Coordinate"),
                    Column("Moves (rad or lengths)"),
                    Column("Would drive it"),
                ),
                rows,
            ),
        ),
    )


def coordinates(evaluator: Evaluator, scales: Scales, state: State) -> list[Coordinate]:
    """Joint coordinates first, then those of the bodies."""
    evaluator.at(state.t, state.q, state.v, state.angles)
    return coordinates_here(evaluator, scales)


def coordinates_here(evaluator: Evaluator, scales: Scales) -> list[Coordinate]:
    """The same at the last evaluation."""
    mechanism, found = evaluator.mechanism, []
    for (joint, name), coordinate_function in mechanism.coordinates.items():
        columns, gradient = evaluator.sparse_gradient(coordinate_function)
        gradient = gradient * scales.column[columns] / scales.coordinate(coordinate_unit(name))
        found.append(Coordinate("joints", joint, name, columns, gradient))
    names = ("x", "y", "angle") if mechanism.planar else ("x", "y", "z")
    width = 3 if mechanism.planar else 6
    return found + [
        Coordinate("bodies", body, name, np.array([width * b + i]), np.ones(1))
        for b, body in enumerate(mechanism.bodies)
        for i, name in enumerate(names)
    ]


def target_of(evaluator: Evaluator, scales: Scales, coordinate: Coordinate) -> Target | None:
    """The coordinate of a joint at its value in the last evaluation; None for coordinates of bodies."""
    if coordinate.where != "joints":
        return None
    coordinate_function = evaluator.mechanism.coordinates[coordinate.name, coordinate.coordinate]
    unit = coordinate_unit(coordinate.coordinate)
    value = float(evaluator.work.coordinate[coordinate_function, COORDINATE_VALUE.VALUE])
    size = scales.coordinate(unit)
    return Target(coordinate.name, coordinate.coordinate, coordinate_function, value, size, unit)


def drivers(known: list[Coordinate], null: Array, good: float = GOOD) -> list[Coordinate]:
    """As many independent coordinates as there are degrees of freedom; those of joints if they suffice.

    The first one is taken that moves at least as much as this share of the largest motion.
    """
    chosen: list[Coordinate] = []
    driven: list[Array] = []  # orthonormal: parts of the null space that are driven by then
    for where in ("joints", "bodies"):
        own = [coordinate for coordinate in known if coordinate.where == where]
        rates = np.array([coordinate.rates(null) for coordinate in own]).reshape(len(own), null.shape[1])
        for direction in driven:
            rates = _without(rates, direction)
        while own and len(chosen) < null.shape[1]:
            moves = np.linalg.norm(rates, axis=1)
            largest = float(moves.max())
            if largest <= MOVES:
                break
            k = int(np.flatnonzero(moves >= good * largest)[0])
            chosen.append(own[k])
            driven.append(rates[k] / moves[k])
            rates = _without(rates, driven[-1])
    return chosen


def _without(rates: Array, direction: Array) -> Array:
    """Rows without their part along a unit vector."""
    return np.asarray(rates - np.outer(rates @ direction, direction))
