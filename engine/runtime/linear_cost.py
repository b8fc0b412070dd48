"""Time spent in linear algebra, estimated: factor and solve are timed at the present state and counted."""

from __future__ import annotations

import time
from typing import Any

from numba import types

from engine.calls import call_factor, call_solve
from engine.kernel import compiled, kernel
from engine.packing import open_work
from engine.problems import C_EVALUATIONS, C_FACTORISATIONS, PACKED, RV_SOLVE, V_FREE, Packed
from engine.runtime.driver import Driver

REPEATS = 50


@kernel
def repeat_factor(packed: Packed, n: int) -> None:
    for _ in range(n):
        call_factor(packed)


@kernel
def repeat_solve(packed: Packed, n: int) -> None:
    work = open_work(packed)
    for _ in range(n):
        # the same right-hand side every time
        work.vectors[V_FREE][:] = 1.0
        for r in range(work.row.shape[0]):
            work.row[r, RV_SOLVE] = 1.0
        call_solve(packed, 0)


REPEAT = types.void(PACKED, types.int64)


def linear_time(driver: Driver) -> float:
    """Seconds for all factorisations so far, and for one solution per evaluation."""
    factorisations, evaluations = (int(driver.work.counters[c]) for c in (C_FACTORISATIONS, C_EVALUATIONS))
    total = 0.0
    for function, count in ((repeat_factor, factorisations), (repeat_solve, evaluations)):
        copies: tuple[Any, ...] = tuple(array.copy() for array in driver.packed)
        packed = Packed(*copies)
        call = compiled(function, REPEAT)
        call(packed, 1)
        begin = time.perf_counter()
        call(packed, REPEATS)
        total += (time.perf_counter() - begin) / REPEATS * count
    return total
