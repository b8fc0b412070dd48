"""What linear solvers share: the kind record and products with J and M⁻¹ over the bodies' blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.kernel import fast_kernel, kernel
from engine.problems import (
    B_NV,
    B_PLANAR,
    B_V,
    BR_INERTIA,
    BR_INERTIA_INV,
    BR_MASS,
    BR_MASS_INV,
    G_BLOCK,
    G_BLOCKS,
    R_GAUGE,
    Array,
    Ints,
    System,
    Work,
)

# Relative weight that is added to the diagonal. It bounds the multipliers of dependent rows and at singular poses;
# refinement takes its effect out again wherever the rows do determine the answer.
REGULARISATION: Final = 1e-9
# Pivots below this share of their diagonal mean dependent rows or a pose near a singular one: refine, and report.
NEAR_SINGULAR: Final = 1e-7
LARGE: Final = 1e300  # beyond it a matrix entry counts as not finite


@dataclass(frozen=True)
class SolverKind:
    """Compiled functions of one linear solver, and the order of the matrix it factors."""

    name: str
    factor: Any
    solve: Any
    by_rows: bool  # the matrix has one line per constraint row (else one per velocity)


@kernel
def times_jacobian(system: System, work: Work, r: int, x: Array) -> float:
    """Row r of J times a velocity vector."""
    total = 0.0
    g = system.rows[r, R_GAUGE]
    begin = system.gauges[g, G_BLOCK]
    for block in range(begin, begin + system.gauges[g, G_BLOCKS]):
        body = system.block_bodies[block]
        at = system.bodies[body, B_V]
        if at >= 0:
            for c in range(system.bodies[body, B_NV]):
                total += work.grad[block, c] * x[at + c]
    return total


@kernel
def apply_mass(system: System, x: Array, out: Array) -> None:
    """out = M x."""
    _blockwise(system, BR_MASS, BR_INERTIA, x, out)


@kernel
def apply_inverse_mass(system: System, x: Array, out: Array) -> None:
    """out = M⁻¹ x; out may be x."""
    _blockwise(system, BR_MASS_INV, BR_INERTIA_INV, x, out)


@kernel
def _blockwise(system: System, mass: int, inertia: int, x: Array, out: Array) -> None:
    for b in range(system.bodies.shape[0] - 1):
        at, real = system.bodies[b, B_V], system.body_reals[b]
        k = real[mass]
        out[at], out[at + 1] = k * x[at], k * x[at + 1]
        if system.bodies[b, B_PLANAR]:
            out[at + 2] = real[inertia + 8] * x[at + 2]
        else:
            out[at + 2] = k * x[at + 2]
            a, c, d = x[at + 3], x[at + 4], x[at + 5]
            for m in range(3):
                j = inertia + 3 * m
                out[at + 3 + m] = real[j] * a + real[j + 1] * c + real[j + 2] * d


@fast_kernel
def envelope_cholesky(matrix: Array, first: Ints, inverse: Array, n: int, regularisation: float) -> float:
    """Factor the lower triangle in place, row by row inside the envelope; inverse[i] = 1/L_ii.

    Every diagonal is raised by the given share of itself; smaller pivots are lifted to that value. Returns the
    smallest ratio of pivot to diagonal.
    """
    worst = 1.0
    for i in range(n):
        row, start = matrix[i], first[i]
        diagonal = row[i]
        for j in range(start, i):
            other = matrix[j]
            total = row[j]
            for k in range(max(start, first[j]), j):
                total -= row[k] * other[k]
            row[j] = total * inverse[j]
        pivot = diagonal * (1.0 + regularisation)
        for k in range(start, i):
            pivot -= row[k] * row[k]
        ratio = pivot / diagonal
        worst = min(worst, ratio)
        if not ratio > regularisation:
            pivot = max(diagonal, 1e-300) * regularisation
        inverse[i] = 1.0 / pivot**0.5
    return worst


@fast_kernel
def envelope_solve(matrix: Array, first: Ints, inverse: Array, n: int, x: Array) -> None:
    """Solve L Lᵀ x = b in place."""
    for i in range(n):
        total = x[i]
        for k in range(first[i], i):
            total -= matrix[i, k] * x[k]
        x[i] = total * inverse[i]
    for i in range(n - 1, -1, -1):
        x[i] *= inverse[i]
        for k in range(first[i], i):
            x[k] -= matrix[i, k] * x[i]
