"""The Jacobian as a sparse matrix: its structure once, its values from the gradient blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array, System
from engine.system.compiling.patterns import jacobian_pattern


class SparseRows:
    """J of one mechanism in compressed rows; blocks count as full, so the structure never changes."""

    def __init__(self, system: System) -> None:
        self.pattern = jacobian_pattern(system)
        first, width = system.bodies[:, BODY.V].tolist(), system.bodies[:, BODY.NV].tolist()
        bodies = system.block_bodies.tolist()
        source: list[int] = []  # number of a gradient's component: 6 · block + component
        rows: list[int] = []
        columns: list[int] = []
        for r, number in enumerate(system.rows[:, ROW.COORDINATE]):
            begin = int(system.coordinate_functions[number, COORDINATE.BLOCK])
            count = int(system.coordinate_functions[number, COORDINATE.BLOCKS])
            for block in range(begin, begin + count):
                at = first[bodies[block]]
                if at >= 0:
                    wide = width[bodies[block]]
                    source += range(6 * block, 6 * block + wide)
                    columns += range(at, at + wide)
                    rows += [r] * wide
        self._source = np.array(source, np.int64)
        lines = np.repeat(np.arange(self.pattern.shape[0]), np.diff(self.pattern.starts))
        keys = lines * self.pattern.shape[1] + self.pattern.columns
        wanted = np.array(rows, np.int64) * self.pattern.shape[1] + np.array(columns, np.int64)
        self._where = np.searchsorted(keys, wanted)

    def matrix(self, grad: Array) -> Any:
        """J from the gradient blocks, shape (m, nv)."""
        weights = grad.ravel()[self._source]  # a body that is met twice has two blocks: they add up
        data = np.bincount(self._where, weights, minlength=self.pattern.entries)
        return scipy.sparse.csr_array(
            (data, self.pattern.columns, self.pattern.starts), shape=self.pattern.shape
        )
