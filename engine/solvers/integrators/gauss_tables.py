"""Coefficients of Gauss methods of two and three stages, and the rows of `Work.stages` that they take."""

import numpy as np

from engine.compiled.layout import Array

MAX_STAGES = 3
R3, R15 = np.sqrt(3.0), np.sqrt(15.0)
TABLES = (
    ((1 / 4, 1 / 4 - R3 / 6), (1 / 4 + R3 / 6, 1 / 4)),
    (
        (5 / 36, 2 / 9 - R15 / 15, 5 / 36 - R15 / 30),
        (5 / 36 + R15 / 24, 2 / 9, 5 / 36 - R15 / 24),
        (5 / 36 + R15 / 30, 2 / 9 + R15 / 15, 5 / 36),
    ),
)
WEIGHTS = ((1 / 2, 1 / 2), (5 / 18, 4 / 9, 5 / 18))


def _padded() -> tuple[Array, Array, Array]:
    a, c, d = np.zeros((2, MAX_STAGES, MAX_STAGES)), np.zeros((2, MAX_STAGES)), np.zeros((2, MAX_STAGES))
    for place, (rows, weights) in enumerate(zip(TABLES, WEIGHTS, strict=True)):
        matrix, s = np.array(rows), len(rows)
        a[place, :s, :s], c[place, :s] = matrix, matrix.sum(axis=1)
        d[place, :s] = np.linalg.solve(matrix.T, np.array(weights))
    return a, c, d


def _diagonals() -> Array:
    """γ that stands for all eigenvalues µ of A: the pair that is complex has the least |µ − γ|/γ with it."""
    pairs = [max(np.linalg.eigvals(np.array(rows)), key=lambda mu: mu.imag) for rows in TABLES]
    return np.array([abs(mu) ** 2 / mu.real for mu in pairs])


A, C, D = _padded()
DIAGONAL = _diagonals()
STAGES = np.array([len(rows) for rows in TABLES])
# rows of Work.stages: Z and f of each stage; corrections of all stages one after the other; scratch
Z, RATE, GAPS = 1, 1 + MAX_STAGES, 1 + 2 * MAX_STAGES
STAGE = GAPS + MAX_STAGES
SCRATCH = STAGE + 1
