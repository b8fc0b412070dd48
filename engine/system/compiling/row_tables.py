"""Tables of constraint rows, those that hold at times behind those that always hold."""

from __future__ import annotations

import numpy as np

from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array, Ints
from engine.system.compiling.collect import Builder
from engine.system.compiling.constraint_rows import Rows


def row_tables(build: Builder, rows: Rows, starts: Ints, size: float) -> tuple[Ints, Array]:
    """Columns of all rows; gaps of places are compared with the size of the mechanism."""
    m = len(rows.info) + len(build.conditional_rows)
    ints = np.zeros((m, ROW.COLUMNS), np.int64)
    reals = np.zeros((m, ROW_REAL.COLUMNS))
    for r, info in enumerate(rows.info):
        program = -1 if rows.programs[r] < 0 else int(starts[rows.programs[r]])
        ints[r] = (rows.coordinate_functions[r], int(rows.velocity[r]), program, 1, rows.quadratures[r])
        reals[r] = (rows.targets[r], _scale(info.unit, size))
    for r, row in enumerate(build.conditional_rows, len(rows.info)):
        ints[r] = (row.coordinate_function, int(row.velocity), -1, 0, -1)
        reals[r] = (row.target, _scale(row.unit, size))
    return ints, reals


def _scale(unit: str, size: float) -> float:
    return size if unit.startswith("m") else 1.0


def in_rows(build: Builder, rows: Rows) -> set[int]:
    """Coordinate functions of rows."""
    return {*rows.coordinate_functions, *(row.coordinate_function for row in build.conditional_rows)}


def coupled(rows: Ints, coordinate_functions: Ints, block_bodies: Ints, world: int) -> list[int]:
    """Bodies that share a row with another body that moves."""
    found: set[int] = set()
    for first, count in coordinate_functions[rows[:, ROW.COORDINATE], : COORDINATE.PAIR]:
        together = set(block_bodies[first : first + count].tolist()) - {world}
        if len(together) > 1:
            found |= together
    return sorted(found)
