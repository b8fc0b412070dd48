"""What linear solvers share: the kind record and products with J and M⁻¹ over the bodies' blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.kernel import inlined, inlined_fast
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
# Pivots below this share of their diagonal mean dependent rows or a pose near a singular one: refine, report.
NEAR_SINGULAR: Final = 1e-7
TINY: Final = 1e-300
LARGE: Final = 1e300  # beyond it a matrix entry counts as not finite


@dataclass(frozen=True)
class SolverKind:
    """Compiled functions of one linear solver, and the order of the matrix it factors."""

    name: str
    factor: Any
    solve: Any
    by_rows: bool  # the matrix has one line per constraint row (else one per velocity)


@inlined
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


@inlined
def apply_mass(system: System, x: Array, out: Array) -> None:
    """out = M x."""
    _blockwise(system, BR_MASS, BR_INERTIA, x, out)


@inlined
def apply_inverse_mass(system: System, x: Array, out: Array) -> None:
    """out = M⁻¹ x; out may be x."""
    _blockwise(system, BR_MASS_INV, BR_INERTIA_INV, x, out)


@inlined
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


@inlined_fast
def envelope_factor(
    matrix: Array, last: Ints, inverse: Array, n: int, regularisation: float, info: Array
) -> None:
    """Factor a symmetric matrix in place, U = D Lᵀ in the upper triangle; inverse[i] = 1/D_i.

    Row i reaches to column last[i] − 1. Every diagonal is raised by the given share of itself, smaller pivots are
    lifted to that value. info: smallest ratio of pivot to diagonal of independent rows; number of dependent ones.
    """
    for i in range(n):
        inverse[i] = matrix[i, i]
    worst, dependent = 1.0, 0
    for i in range(n):
        row, end, diagonal = matrix[i], last[i], inverse[i]
        pivot = row[i] + regularisation * diagonal
        if not pivot > worst * diagonal:
            if pivot > NEAR_SINGULAR * diagonal:
                worst = pivot / diagonal
            else:
                dependent += 1
                pivot = max(pivot, max(diagonal, TINY) * regularisation)
        reciprocal = 1.0 / pivot
        inverse[i] = reciprocal
        for j in range(i + 1, end):
            other, k = matrix[j], row[j] * reciprocal
            for c in range(j, end):
                other[c] -= k * row[c]
    info[0], info[1] = worst, dependent


@inlined
def envelope_solve(matrix: Array, last: Ints, inverse: Array, n: int, x: Array) -> None:
    """Solve in place with the factor of `envelope_factor`."""
    for i in range(n):
        row, k = matrix[i], x[i] * inverse[i]
        for c in range(i + 1, last[i]):
            x[c] -= row[c] * k
    for i in range(n - 1, -1, -1):
        row, total = matrix[i], x[i]
        for c in range(i + 1, last[i]):
            total -= row[c] * x[c]
        x[i] = total * inverse[i]
