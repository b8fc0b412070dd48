"""A matrix factored and solved in one ordering, timed, and its solution compared with a known one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from engine.analyses.matrices.matrix_kinds import Matrix, MatrixKind, rows_of_entries
from engine.compiled.layout import Array
from engine.maths.sparse import ldl, lu
from engine.maths.sparse.bordered_factor import BorderedFactor
from engine.maths.sparse.orderings import Hints, OrderingKind, Reordering
from engine.maths.sparse.pattern import Ints
from engine.maths.sparse.symbolic import FIRST, START, WIDTH, Symbolic, analyse

BUDGET = 0.02  # s that one measurement may take, beyond the first call
LONG = 0.2  # s from which on the first factor of a library, which is not compiled here, is measure enough
CALLS = 200  # at most
DEPENDENT = 1e-10  # share of its diagonal below which a pivot's row depends on earlier ones
SOLVED = 1e-6  # residual over the right-hand side, above which the matrix counts as singular
DENSE_LIMIT = 1200  # lines; larger matrices are not factored full
PIVOT_THRESHOLD = 0.01  # of SuperLU: how much smaller than the largest a pivot on the diagonal may be


@dataclass(frozen=True)
class Timing:
    """Best times [s], and the largest difference from the known solution, over its largest entry."""

    factor: float = np.nan
    solve: float = np.nan
    error: float = np.nan
    note: str = ""


def best_time(call: Callable[[], object]) -> float:
    """Least of several calls; the first one is not counted, it may compile."""
    call()
    found, begin = np.inf, time.perf_counter()
    for _ in range(CALLS):
        t = time.perf_counter()
        call()
        now = time.perf_counter()
        found = min(found, now - t)
        if now - begin > BUDGET:
            break
    return found


def known_solution(matrix: Matrix) -> tuple[Array, Array]:
    """A solution and its right-hand side, which dependent rows agree with."""
    x = np.random.default_rng(1).standard_normal(matrix.pattern.shape[1])
    return x, np.asarray(matrix.sparse() @ x)


def timed(kind: MatrixKind, matrix: Matrix, ordering: OrderingKind, reordering: Reordering) -> Timing:
    """By the solver that this ordering serves: LDLᵀ or LU of symmetric patterns, else the bordered form."""
    rows, columns = matrix.pattern.shape
    if not rows or not columns:
        return Timing()
    if rows < columns:
        return Timing(note=f"{rows} rows over {columns} columns: no single solution, nothing is timed")
    if not ordering.symmetric or not kind.symmetric:
        return _bordered(matrix, ordering, reordering)
    if kind.definite:
        return _definite(matrix, ordering)
    return _indefinite(matrix, ordering, reordering) if kind.name == "saddle" else _general(matrix, ordering)


def _definite(matrix: Matrix, ordering: OrderingKind) -> Timing:
    """LDLᵀ in supernodes; dependent rows are left out and their solution is zero: so compare the residual."""
    s = analyse(matrix.pattern, ordering.name)
    n = len(s.order)
    rows, columns = rows_of_entries(matrix.pattern), matrix.pattern.columns
    upper = s.position[rows] <= s.position[columns]
    first = np.zeros(s.stored)
    first[s.places_of(rows[upper], columns[upper])] = matrix.values[upper]
    values, inverse, share = np.zeros(s.stored), np.zeros(n), np.zeros(n)

    def factor() -> None:
        values[:] = first
        ldl.factor(s.nodes, s.updates, s.places, values, inverse, share, DEPENDENT)

    t_factor = best_time(factor)
    _, b = known_solution(matrix)
    ordered, y = np.ascontiguousarray(b[s.order]), np.empty(n)

    def solve() -> None:
        y[:] = ordered
        ldl.solve(s.nodes, s.columns, values, inverse, y)

    t_solve = best_time(solve)
    x = np.empty(n)
    x[s.order] = y
    return Timing(t_factor, t_solve, _residual(matrix, x, b))


def _general(matrix: Matrix, ordering: OrderingKind) -> Timing:
    """LU in supernodes with pivots inside each."""
    s = analyse(matrix.pattern, ordering.name)
    n = len(s.order)
    rows, columns = rows_of_entries(matrix.pattern), matrix.pattern.columns
    first = np.zeros(lu.values_length(s))
    lu_places = _lu_places(s, rows, columns)
    first[lu_places] = matrix.values
    values, pivots, line = np.zeros_like(first), np.zeros(n, np.int64), np.zeros(n)

    def factor() -> int:
        values[:] = first
        return lu.factor(s.nodes, s.updates, s.places, values, pivots, line)

    if factor() != lu.FACTORED:
        return Timing(note=f"{ordering.title}: a pivot vanishes, the matrix is singular at this pose")
    t_factor = best_time(factor)
    _, b = known_solution(matrix)
    ordered, y = np.ascontiguousarray(b[s.order]), np.empty(n)

    def solve() -> None:
        y[:] = ordered
        lu.solve(s.nodes, s.updates, values, pivots, y)

    t_solve = best_time(solve)
    x = np.empty(n)
    x[s.order] = y
    return Timing(t_factor, t_solve, _residual(matrix, x, b))


def _lu_places(s: Symbolic, rows: Ints, columns: Ints) -> Ints:
    """Where entries go among the numbers of a general factor: U in the panels, L behind them, transposed."""
    i, j = s.position[rows], s.position[columns]
    nodes = s.nodes[:-1]
    row_node = np.searchsorted(nodes[:, FIRST], i, side="right") - 1
    column_node = np.searchsorted(nodes[:, FIRST], j, side="right") - 1
    inside = (
        nodes[row_node, START]
        + (i - nodes[row_node, FIRST]) * nodes[row_node, WIDTH]
        + (j - nodes[row_node, FIRST])
    )
    outside = s.places_of(rows, columns) + np.where(row_node > column_node, s.stored, 0)
    return np.where(row_node == column_node, inside, outside)


def _indefinite(matrix: Matrix, ordering: OrderingKind, reordering: Reordering) -> Timing:
    """SuperLU in this order, with a preference for pivots on the diagonal."""
    order = reordering.rows
    permuted = scipy.sparse.csc_array(matrix.sparse()[order][:, order])

    def factor() -> Any:
        return scipy.sparse.linalg.splu(
            permuted,
            permc_spec="NATURAL",
            diag_pivot_thresh=PIVOT_THRESHOLD,
            options={"SymmetricMode": True},
        )

    return _by_superlu(matrix, factor, order, order, ordering.title)


def superlu(matrix: Matrix) -> Timing:
    """SuperLU with its own ordering, as a measure for all others."""
    if matrix.pattern.shape[0] != matrix.pattern.shape[1]:
        return Timing()
    given, lines = scipy.sparse.csc_array(matrix.sparse()), np.arange(matrix.pattern.shape[0])
    return _by_superlu(matrix, lambda: scipy.sparse.linalg.splu(given), lines, lines, "COLAMD")


def _by_superlu(
    matrix: Matrix, factor: Callable[[], Any], rows: Ints, columns: Ints, ordering: str
) -> Timing:
    singular = f"{ordering}: SuperLU finds the matrix singular, as rows depend on each other"
    _, b = known_solution(matrix)
    begin = time.perf_counter()
    try:
        made = factor()
    except RuntimeError:
        return Timing(note=singular)
    first = time.perf_counter() - begin
    t_factor = first if first > LONG else best_time(factor)
    ordered = np.ascontiguousarray(b[rows])
    t_solve = best_time(lambda: made.solve(ordered))
    x = np.empty(len(columns))
    x[columns] = made.solve(ordered)
    error = _residual(matrix, x, b)
    if not error < SOLVED:
        return Timing(note=singular)
    return Timing(t_factor, t_solve, error)


def _bordered(matrix: Matrix, ordering: OrderingKind, reordering: Reordering) -> Timing:
    if reordering.border * reordering.bottom > DENSE_LIMIT**2:
        return Timing(note=f"{ordering.title}: the border is too wide to be timed")
    full = matrix.sparse().toarray() if max(matrix.pattern.shape) <= DENSE_LIMIT else None
    made = BorderedFactor(matrix.pattern, ordering, Hints(full))
    made.factor(matrix.values)
    if not made.solves:
        return Timing(note=f"{ordering.title}: singular at this pose")
    t_factor = best_time(lambda: made.factor(matrix.values))
    x, b = known_solution(matrix)
    out = np.empty((len(x), 1))
    sides = np.ascontiguousarray(b[:, None])
    t_solve = best_time(lambda: made.solve(sides, out))
    return Timing(t_factor, t_solve, _residual(matrix, out[:, 0], b))


def dense(matrix: Matrix) -> Timing:
    """LAPACK on the full matrix, least squares where it has more rows than columns."""
    rows, columns = matrix.pattern.shape
    if not columns or rows < columns or rows > DENSE_LIMIT:
        return Timing()
    full = matrix.sparse().toarray()
    _, b = known_solution(matrix)
    if rows > columns:
        seconds = best_time(lambda: scipy.linalg.lstsq(full, b))
        return Timing(seconds, np.nan, _residual(matrix, scipy.linalg.lstsq(full, b)[0], b))
    getrf, getrs = scipy.linalg.get_lapack_funcs(("getrf", "getrs"), (full,))
    given = np.asfortranarray(full)
    made, pivots, singular = getrf(given)
    if singular or not np.isfinite(made).all():
        return Timing(note="LAPACK finds the matrix singular: rows depend on each other")
    t_factor = best_time(lambda: getrf(given))
    t_solve = best_time(lambda: getrs(made, pivots, b))
    error = _residual(matrix, getrs(made, pivots, b)[0], b)
    return Timing(t_factor, t_solve, error) if error < SOLVED else Timing()


def _residual(matrix: Matrix, x: Array, b: Array) -> float:
    """|A x − b| over |b|: the same for every solution of dependent rows."""
    size = float(np.abs(b).max(initial=0.0))
    return float(np.abs(matrix.sparse() @ x - b).max(initial=0.0)) / (size or 1.0)
