"""Rounding noise in the tables of an answer: what is shown as zero."""

from __future__ import annotations

from engine.analyses.answers.result import Cell, Column, Result
from engine.model.rounding_noise import largest, length_of, noise_floor
from engine.model.scene import Scene


def noise_floors(result: Result, scene: Scene) -> dict[str, float]:
    """Below which size numbers of a unit are rounding noise in this result.

    What they are made from are the largest numbers of their unit; for moments also forces times lengths.
    """
    numbers: dict[str, list[float]] = {}
    for table in result.tables:
        for row in table.rows:
            for cell, column in zip(row, table.columns, strict=True):
                if isinstance(cell, float) and column.unit:
                    numbers.setdefault(column.unit, []).append(cell)
    sizes = {unit: largest(values) for unit, values in numbers.items()}
    if "N·m" in sizes and "N" in sizes:
        sizes["N·m"] = max(sizes["N·m"], sizes["N"] * length_of(scene))
    return {unit: noise_floor(size) for unit, size in sizes.items()}


def without_noise(cell: Cell, column: Column, floors: dict[str, float]) -> Cell:
    """A cell as it is shown."""
    return 0.0 if isinstance(cell, float) and abs(cell) < floors.get(column.unit, 0.0) else cell
