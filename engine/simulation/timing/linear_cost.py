"""Time spent in linear algebra, estimated: what a run counts is timed here."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numba import types

from engine.compiled.arenas import open_work
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.dispatch import call_factor, call_solve
from engine.compiled.kernel import compiled, kernel
from engine.compiled.layout import F2, I1, PACKED, Array, Ints, Packed
from engine.maths.arrays import copy
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.linsolve.lu import lu_factor

REPEATS = 50
LARGEST_ORDER = 60  # of the elimination that is timed; sparse factors have smaller panels


@kernel
def repeat_factor(packed: Packed, n: int) -> None:
    for _ in range(n):
        call_factor(packed)


@kernel
def repeat_solve(packed: Packed, n: int) -> None:
    work = open_work(packed)
    for _ in range(n):
        # the same right-hand side every time
        work.vectors[VECTOR.FREE][:] = 1.0
        for r in range(work.row.shape[0]):
            work.row[r, ROW_VALUE.SOLVE] = 1.0
        call_solve(packed, 0)


@kernel
def repeat_elimination(matrix: Array, factor: Array, pivots: Ints, n: int) -> None:
    for _ in range(n):
        for i in range(matrix.shape[0]):
            copy(matrix[i], factor[i])
        lu_factor(factor, pivots, matrix.shape[0])


REPEAT = types.void(PACKED, types.int64)
REPEAT_ELIMINATION = types.void(F2, F2, I1, types.int64)


def linear_time(driver: Driver) -> float:
    """Seconds for all factorisations and solutions so far."""
    if driver.work.counters[COUNT.PRODUCTS]:
        return _own_time(driver)
    factorisations, evaluations = (
        int(driver.work.counters[c]) for c in (COUNT.FACTORISATIONS, COUNT.EVALUATIONS)
    )
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


def _own_time(driver: Driver) -> float:
    """Of a method that factors its own matrices: its multiplications, at the speed of one of its size."""
    order = min(max(driver.mechanism.nv, 1), LARGEST_ORDER)
    matrix = np.random.default_rng(0).normal(size=(order, order)) + order * np.eye(order)
    factor, pivots = np.empty_like(matrix), np.zeros(order, np.int64)
    call = compiled(repeat_elimination, REPEAT_ELIMINATION)
    call(matrix, factor, pivots, 1)
    begin = time.perf_counter()
    call(matrix, factor, pivots, REPEATS)
    products = REPEATS * max(order**3 / 3, 1.0)
    return (time.perf_counter() - begin) / products * int(driver.work.counters[COUNT.PRODUCTS])
