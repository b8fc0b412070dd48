"""Systems with Φ_q^d, full or reordered, with the time they take: what the source compares."""

from __future__ import annotations

import time
from typing import Protocol

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.maths.sparse.bordered_factor import BorderedFactor
from engine.maths.sparse.orderings import ORDERINGS, Hints
from engine.maths.sparse.pattern import Pattern


class DependentSolver(Protocol):
    """Factor Φ_q^d by its entries, then solve for several right-hand sides; `seconds`: processor time."""

    seconds: float

    def factor(self, values: Array) -> None: ...
    def solve(self, sides: Array) -> Array: ...


class Reordered:
    """In the bordered form of an ordering, pivot rows chosen by the values at the start."""

    def __init__(self, pattern: Pattern, values: Array, ordering: str = "bordered") -> None:
        full = np.zeros(pattern.shape)
        full[np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.starts)), pattern.columns] = values
        self._factor = BorderedFactor(pattern, ORDERINGS[ordering], Hints(full))
        self.seconds = 0.0

    @property
    def form(self) -> BorderedFactor:
        return self._factor

    def factor(self, values: Array) -> None:
        begin = time.thread_time()
        self._factor.factor(values)
        self.seconds += time.thread_time() - begin

    def solve(self, sides: Array) -> Array:
        begin = time.thread_time()
        found = self._factor.solve(sides)
        self.seconds += time.thread_time() - begin
        return found


class Full:
    """As a full matrix by LAPACK; least squares where rows are redundant."""

    def __init__(self, pattern: Pattern) -> None:
        self._at = (np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.starts)), pattern.columns)
        self._matrix = np.zeros(pattern.shape, order="F")
        self._square = pattern.shape[0] == pattern.shape[1]
        self._getrf, self._getrs = scipy.linalg.get_lapack_funcs(("getrf", "getrs"), (self._matrix,))
        self.seconds = 0.0

    def factor(self, values: Array) -> None:
        begin = time.thread_time()
        self._matrix[self._at] = values
        if self._square:
            self._lu, self._pivots, _ = self._getrf(self._matrix)
        self.seconds += time.thread_time() - begin

    def solve(self, sides: Array) -> Array:
        begin = time.thread_time()
        if self._square:
            found: Array = self._getrs(self._lu, self._pivots, sides)[0]
        else:
            found = scipy.linalg.lstsq(self._matrix, sides, lapack_driver="gelsy", check_finite=False)[0]
        self.seconds += time.thread_time() - begin
        return found
