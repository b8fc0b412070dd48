"""The complement of the rows, kept to those that are active: rows that are switched off cost nothing in it.

`System` has order, envelope and incidence of all rows that may ever hold. A subset in the same order fits
into the envelope of all, so nothing is allocated and no kernel knows: rows that hold come first, the others
behind them with nothing but their diagonal, and bodies list only what holds.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.columns import alike as ALIKE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Ints, System


class ActiveRows:
    """Keeps the arrays of one system, which it owns, at the rows that are active."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._order, self._ends = system.order.copy(), system.row_ends.copy()
        self._incidence, self._starts = system.incidence.copy(), system.incidence_starts.copy()
        self._alike, self._alike_starts = system.alike.copy(), system.alike_starts.copy()
        self._active = np.ones(len(system.rows), dtype=bool)

    def follow(self) -> None:
        """After rows were switched."""
        system, active = self._system, self._system.rows[:, ROW.ACTIVE] != 0
        if np.array_equal(active, self._active):
            return
        self._active = active
        holds = active[self._order]  # by position
        before = np.concatenate([[0], np.cumsum(holds)])  # positions that hold before each
        count = int(before[-1])
        ends = np.arange(1, len(holds) + 1)
        ends[:count] = before[self._ends[holds]]
        system.order[:] = np.concatenate([self._order[holds], self._order[~holds]])
        system.row_ends[:] = ends
        lengths = ends - np.arange(len(holds))
        system.row_starts[:] = np.cumsum(lengths) - lengths - np.arange(len(holds))
        kept = holds[self._incidence[:, 0]]
        own = self._incidence[kept]
        system.incidence[: len(own), 0] = before[own[:, 0]]
        system.incidence[: len(own), 1] = own[:, 1]
        numbers = _counted(kept)
        system.incidence_starts[:] = numbers[self._starts]
        both = kept[self._alike[:, ALIKE.FIRST]] & kept[self._alike[:, ALIKE.SECOND]]
        pairs = system.alike[: int(both.sum())]
        pairs[:] = self._alike[both]
        first, second = numbers[pairs[:, ALIKE.FIRST]], numbers[pairs[:, ALIKE.SECOND]]
        pairs[:, ALIKE.FIRST], pairs[:, ALIKE.SECOND] = first, second
        pairs[:, ALIKE.PLACE] = system.row_starts[system.incidence[first, 0]] + system.incidence[second, 0]
        system.alike_starts[:] = _counted(both)[self._alike_starts]


def _counted(kept: np.ndarray) -> Ints:
    return np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)
