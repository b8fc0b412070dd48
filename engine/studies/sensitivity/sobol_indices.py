"""Sobol's indices: which share of an objective's variance is due to which variable.

    S_k  = mean(f(B) (f(A_B^k) − f(A))) / Var      alone             [Saltelli 2010, table 2 b]
    ST_k = mean((f(A) − f(A_B^k))²) / 2 Var        with all others   [Jansen 1999]

A and B are two halves of a scrambled Sobol sequence, A_B^k is A with the column k of B: n (d + 2) runs for
d variables. The error is that of the mean over bootstrap samples of the n rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compiled.layout import Array
from engine.errors import Problem, SceneError
from engine.html_table import html_table
from engine.studies.checks import settled
from engine.studies.designs.base import MAX_RUNS, from_shares
from engine.studies.designs.list_ import ListOfRuns
from engine.studies.outcomes.table import Table

if TYPE_CHECKING:
    from engine.studies.study import Study

RESAMPLED = 200  # bootstrap samples
CONFIDENCE = 1.96  # standard deviations: 95 %


@dataclass(frozen=True)
class Index:
    """Shares of the variance of an objective that a variable has, with 95 % errors."""

    objective: str
    variable: str
    alone: float
    alone_error: float
    total: float
    total_error: float


@dataclass(frozen=True)
class SobolIndices:
    """All indices, objective by objective, largest first."""

    title: str
    indices: tuple[Index, ...]
    missing: int  # rows of A, B and all A_B^k that were left out, because a run failed
    table: Table

    HEADINGS = ("objective", "variable", "alone", "± alone", "total", "± total")

    def lines(self) -> list[tuple[Any, ...]]:
        return [
            (i.objective, i.variable, i.alone, i.alone_error, i.total, i.total_error) for i in self.indices
        ]

    def _repr_html_(self) -> str:
        more = f"{self.missing} rows left out: runs failed" if self.missing else ""
        return html_table(f"{self.title or 'study'}: Sobol's indices", self.HEADINGS, self.lines(), more)


def sobol_indices(study: Study, count: int = 256, seed: int = 0, **running: Any) -> SobolIndices:
    """Indices from count · (variables + 2) runs; count is a power of two. Raises SceneError."""
    import msgspec

    if count < 2 or count & (count - 1):
        text = f"{count} is no power of two, as Sobol's sequence needs"
        raise SceneError([Problem("count", count, text, "give 64, 128, 256 …")], study.title or "study")
    if (runs := count * (len(study.vary) + 2)) > MAX_RUNS:
        text = (
            f"{count} points of {len(study.vary)} variables are {runs} runs, at most {MAX_RUNS} are allowed"
        )
        raise SceneError([Problem("count", count, text, "give 64, 128, 256 …")], study.title or "study")
    study.refuse_problems()
    variables = [settled(variable, study.scene) for variable in study.vary]
    rows = from_shares(saltelli(len(variables), count, seed), variables)
    listed = msgspec.structs.replace(study, design=ListOfRuns(rows=tuple(rows)))
    table: Table = listed.run(**running)
    known = {row.values: row.objectives for row in table.rows}
    none = (None,) * len(study.objectives)
    values = np.array([known.get(row, none) for row in rows], dtype=float)  # None becomes NaN
    found, missing = [], 0
    for j, objective in enumerate(study.objectives):
        blocks = values[:, j].reshape(len(variables) + 2, count)
        sound = np.isfinite(blocks).all(axis=0)
        missing = max(missing, int(np.sum(~sound)))
        numbers = indices(blocks[:, sound], seed)
        of_one = [
            Index(objective.name, variable.path, *map(float, four))
            for variable, four in zip(variables, numbers, strict=True)
        ]
        found += sorted(of_one, key=lambda i: -i.total)
    return SobolIndices(study.title, tuple(found), missing, table)


def saltelli(variables: int, count: int, seed: int) -> Array:
    """A, B and all A_B^k below each other, shape (count (variables + 2), variables), in the unit cube."""
    from scipy.stats.qmc import Sobol

    both = Sobol(2 * variables, scramble=True, rng=seed).random(count)
    A, B = both[:, :variables], both[:, variables:]
    mixed = []
    for k in range(variables):
        one = A.copy()
        one[:, k] = B[:, k]
        mixed.append(one)
    return np.vstack([A, B, *mixed])


def indices(blocks: Array, seed: int = 0) -> Array:
    """(alone, error, total, error) per variable from f(A), f(B), f(A_B^1) …, shape (variables + 2, n)."""
    n = blocks.shape[1]
    if n < 2:
        return np.full((len(blocks) - 2, 4), np.nan)
    whole = _indices(blocks)
    draws = np.random.default_rng(seed).integers(0, n, (RESAMPLED, n))
    spread = CONFIDENCE * np.std([_indices(blocks[:, draw]) for draw in draws], axis=0)
    return np.column_stack([whole[0], spread[0], whole[1], spread[1]])


def _indices(blocks: Array) -> Array:
    both = blocks[:2].ravel()
    centred = blocks - both.mean()  # the estimator of S is better about the mean
    A, B, mixed = centred[0], centred[1], centred[2:]
    variance = float(np.var(both))
    if not variance > 0.0:
        return np.zeros((2, len(mixed)))
    alone = np.mean(B * (mixed - A), axis=1) / variance
    total = np.mean((A - mixed) ** 2, axis=1) / (2.0 * variance)
    return np.array([alone, total])
