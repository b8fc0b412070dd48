"""The shapes of a group of bodies as one table of numbers, for compiled code that finds out which touch.

number of shapes; of each shape the columns below; then, by offsets from the beginning of the table:
its core as `nearest` reads it, its corners and edges as `crossing` reads them, and the numbers of the
shapes that it may not touch
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.elements.gaps.cores import Core, compiled_point, lines_of, thinnest

if TYPE_CHECKING:
    from engine.elements.coordinates.frames import Place

BODY: Final = 0  # number of its body
SORT: Final = 1  # of its core
RADIUS: Final = 2
TABLE: Final = 3  # offset of its core
LINES: Final = 4  # offset of its corners and edges
THIN: Final = 5  # depth at which edges have passed each other
SIDES: Final = 6  # 1: of the group, 2: of those that the group may touch, 3: of both
BARRED: Final = 7  # offset of the number of shapes that it may not touch, and their numbers
CENTRE: Final = 8  # middle of its corners, body axes
WIDTH: Final = 11  # longest way through
COLUMNS: Final = 12
FIRST: Final = 1  # where the columns of the first shape begin


class GroupShape(NamedTuple):
    """A shape of a body of a group."""

    body: str
    core: Core
    place: Place
    sides: int


def shape_table(shapes: Sequence[GroupShape], barred: Sequence[Sequence[int]]) -> tuple[float, ...]:
    """`barred`: for each shape the numbers of those that it may not touch."""
    table = [float(len(shapes))]
    table += [0.0] * (COLUMNS * len(shapes))
    known: dict[tuple[float, ...], int] = {}

    def placed(numbers: tuple[float, ...]) -> float:
        if numbers not in known:
            known[numbers] = len(table)
            table.extend(numbers)
        return float(known[numbers])

    for k, (shape, others) in enumerate(zip(shapes, barred, strict=True)):
        core, place = shape.core, shape.place
        middle = compiled_point(place, core.points.mean(axis=0))
        columns = (
            float(place.index),
            float(core.sort),
            core.radius,
            placed(core.table(place)),
            placed(tuple(lines_of(core, place))),
            thinnest(core),
            float(shape.sides),
            placed((float(len(others)), *map(float, others))),
            *map(float, np.asarray(middle)),
            core.extent,
        )
        at = FIRST + COLUMNS * k
        table[at : at + COLUMNS] = columns
    return tuple(table)
