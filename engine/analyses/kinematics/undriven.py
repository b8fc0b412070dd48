"""Degrees of freedom that motions leave open, and which coordinates would drive them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analyses.base import Question
from engine.analyses.force_balance import State
from engine.analyses.kinematics.driven import Driven, Follower
from engine.analyses.mobility.mobility import mobility
from engine.analyses.result import Column, Mention, Result, Table
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.layout import Array
from engine.elements.field_units import coordinate_unit
from engine.system.assembly.position_problem import Target
from engine.system.assembly.scaling import Scales, scales_of
from engine.system.equations.evaluator import Evaluator

MOVES = 1e-6  # smallest share of a degree of freedom in which a coordinate takes part
GOOD = 0.5  # of the largest motion: the first coordinate of the scene that moves this much is proposed


@dataclass(frozen=True, eq=False)
class Coordinate:
    """Something a motion could prescribe, and its rate as a row over dimensionless velocities."""

    where: str  # list of the scene
    name: str
    coordinate: str
    row: Array

    @property
    def words(self) -> str:
        return f"{self.coordinate} of {self.name}"


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
    null = state.space.null
    known = coordinates(evaluator, scales, state)
    chosen = drivers(known, null)
    names = " and ".join(coordinate.words for coordinate in chosen)
    count = null.shape[1]
    left = "1 degree of freedom is" if count == 1 else f"{count} degrees of freedom are"
    add = "a motion that prescribes" if count == 1 else "motions that prescribe"
    moving = [(c, float(np.linalg.norm(c.row @ null))) for c in known if c.where == "joints" or c in chosen]
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
    mechanism = evaluator.mechanism
    gradients = evaluator.coordinate_gradients * scales.column
    found = [
        Coordinate(
            "joints",
            joint,
            name,
            gradients[coordinate_function] / scales.coordinate(coordinate_unit(name)),
        )
        for (joint, name), coordinate_function in mechanism.coordinates.items()
    ]
    names = ("x", "y", "angle") if mechanism.planar else ("x", "y", "z")
    width = 3 if mechanism.planar else 6
    unit = np.eye(mechanism.nv)
    return found + [
        Coordinate("bodies", body, name, unit[width * b + i])
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
    rest = null
    for where in ("joints", "bodies"):
        own = [coordinate for coordinate in known if coordinate.where == where]
        while own and rest.shape[1]:
            moves = [float(np.linalg.norm(coordinate.row @ rest)) for coordinate in own]
            if max(moves) <= MOVES:
                break
            k = next(i for i, move in enumerate(moves) if move >= good * max(moves))
            chosen.append(own[k])
            direction = own[k].row @ rest
            rest = rest @ np.linalg.svd(direction[None])[2][1:].T
    return chosen
