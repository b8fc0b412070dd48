"""Driven coordinates: what motions and motors move is kept while joints are closed.

A motion at position level is a constraint row and says itself where its coordinate is. A motion at velocity
level and a motor only say how it goes on, so its place is what the pose gives, and closing the rest must not
change it: curves of one linkage with several link lengths begin at the same crank angle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.elements.field_units import coordinate_unit
from engine.model.scene import kind_of
from engine.system.assembly.position_problem import Pose, PositionProblem, Target
from engine.system.compiling.mechanism import Mechanism

MOVED = 1e-9  # rad or lengths: a driven coordinate that closing changed by more is worth a note


@dataclass(frozen=True)
class Driven:
    """The driven coordinates with their values at a pose."""

    by_motions: tuple[Target, ...] = ()
    by_motors: tuple[Target, ...] = ()

    @property
    def tiers(self) -> list[tuple[Target, ...]]:
        """What closing tries to keep: everything, then what motions drive, then nothing."""
        return list(dict.fromkeys([(*self.by_motions, *self.by_motors), self.by_motions, ()]))


def driven_coordinates(problem: PositionProblem, q: Array, angles: Array, wanted: Sequence[Target]) -> Driven:
    """What is driven, and where it is at a pose; a coordinate with a wanted value shall go there instead."""
    mechanism = problem.mechanism
    value = problem.evaluator.at(problem.t, q, angles=angles).work.coordinate[:, COORDINATE_VALUE.VALUE]
    taken = {target.coordinate_function for target in wanted}

    def kept(found: Iterator[tuple[int, str, str, str]]) -> Iterator[Target]:
        for coordinate_function, owner, name, coordinate in found:
            if coordinate_function not in taken:
                taken.add(coordinate_function)
                unit = coordinate_unit(coordinate)
                yield Target(
                    name,
                    coordinate,
                    coordinate_function,
                    float(value[coordinate_function]),
                    problem.scales.coordinate(unit),
                    unit,
                    owner,
                )

    return Driven(tuple(kept(_by_motions(mechanism))), tuple(kept(_by_motors(mechanism))))


def notes_on_moved(problem: PositionProblem, pose: Pose, driven: Driven) -> list[str]:
    """One line for each driven coordinate that could not be kept."""
    value = problem.evaluator.at(problem.t, pose.q, angles=pose.angles).work.coordinate[
        :, COORDINATE_VALUE.VALUE
    ]
    return [
        f"{target.owner} {target.joint!r}: {target.coordinate} is driven, but no closed pose was found with "
        f"it at {target.value:.9g} {target.unit}; it is {value[target.coordinate_function]:.9g} "
        f"{target.unit} now"
        for target in (*driven.by_motions, *driven.by_motors)
        if abs(value[target.coordinate_function] - target.value) > MOVED * max(target.size, abs(target.value))
    ]


def _by_motions(mechanism: Mechanism) -> Iterator[tuple[int, str, str, str]]:
    """Coordinate function, kind and name of the element that has the coordinate, coordinate."""
    for motion in mechanism.scene.motions:
        r = mechanism.motion_rows[motion.name].begin
        if mechanism.rows[r].velocity:
            moved = kind_of(motion).moves(motion)
            own = int(mechanism.system.rows[r, ROW.COORDINATE])
            # whose coordinate has a coordinate function that motors act on, too
            joint = moved.owner == "joint"
            coordinate_function = mechanism.coordinates[moved.name, moved.coordinate] if joint else own
            yield coordinate_function, *moved


def _by_motors(mechanism: Mechanism) -> Iterator[tuple[int, str, str, str]]:
    for force in mechanism.scene.forces:
        driven = kind_of(force).drives(force)
        if driven is not None:
            yield mechanism.coordinates[driven], "joint", *driven
