"""What linear solvers share: the kind record and products with J and M⁻¹ over the bodies' blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import diagonals as DIAGONAL
from engine.compiled.columns import pivot_info as PIVOT
from engine.compiled.columns import rows as ROW
from engine.compiled.kernel import inlined, inlined_fast
from engine.compiled.layout import Array, Ints, System, Work
from engine.maths.arrays import index

# Shares of the diagonal to which a pivot may fall (they are squares of singular values of the scaled rows):
REPEATED: Final = 1e-4  # below: a row that repeated others at the start still does, but for the violation
DEPENDENT: Final = 1e-11  # below: the row is redundant at this pose, and its multiplier is zero
NEAR_SINGULAR: Final = 1e-7  # below: the pose is near a singular one; regularise, refine, report
REGULARISATION: Final = 1e-9  # what such pivots are raised by; it bounds the multipliers
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
    g = system.rows[r, ROW.COORDINATE]
    begin = system.coordinate_functions[g, COORDINATE.BLOCK]
    for block in range(begin, begin + system.coordinate_functions[g, COORDINATE.BLOCKS]):
        body = system.block_bodies[block]
        at = system.bodies[body, BODY.V]
        if at >= 0:
            for c in range(system.bodies[body, BODY.NV]):
                total += work.grad[block, c] * x[at + c]
    return total


@inlined
def apply_mass(system: System, x: Array, out: Array) -> None:
    """out = M x."""
    _blockwise(system, BODY_REAL.MASS, BODY_REAL.INERTIA, x, out)


@inlined
def apply_inverse_mass(system: System, x: Array, out: Array) -> None:
    """out = M⁻¹ x; out may be x."""
    _blockwise(system, BODY_REAL.MASS_INV, BODY_REAL.INERTIA_INV, x, out)


@inlined
def _blockwise(system: System, mass: int, inertia: int, x: Array, out: Array) -> None:
    for b in range(system.bodies.shape[0] - 1):
        at, real = system.bodies[b, BODY.V], system.body_reals[b]
        k = real[mass]
        out[at], out[at + 1] = k * x[at], k * x[at + 1]
        if system.bodies[b, BODY.PLANAR]:
            out[at + 2] = real[inertia + 8] * x[at + 2]
        else:
            out[at + 2] = k * x[at + 2]
            a, c, d = x[at + 3], x[at + 4], x[at + 5]
            for m in range(3):
                j = inertia + 3 * m
                out[at + 3 + m] = real[j] * a + real[j + 1] * c + real[j + 2] * d


@inlined_fast
def _reciprocal(pivot: float, i: int, diagonals: Array, dependent: float, near: float) -> float:
    """1/pivot, or zero for a row that is left out; keeps the account of DIAGONAL.INFO."""
    diagonal, info = diagonals[DIAGONAL.INVERSE, i], diagonals[DIAGONAL.INFO]
    if diagonals[DIAGONAL.MASK, i] != 0.0 and not pivot > REPEATED * diagonal:
        info[PIVOT.LEFT_OUT] += 1.0
        return 0.0
    if not pivot > near * diagonal:
        if not pivot > dependent * diagonal:
            info[PIVOT.LEFT_OUT] += 1.0
            return 0.0
        info[PIVOT.WORST] = min(info[PIVOT.WORST], pivot / diagonal)
        info[PIVOT.RAISED] += 1.0
        return float(1.0 / (pivot + REGULARISATION * diagonal))
    if pivot < info[PIVOT.WORST] * diagonal:
        info[PIVOT.WORST] = pivot / diagonal
    return 1.0 / pivot


@inlined_fast
def envelope_factor(
    matrix: Array, first: Ints, last: Ints, diagonals: Array, n: int, dependent: float, near: float
) -> None:
    """Factor a symmetric matrix in place, U = D Lᵀ in the upper triangle; inverse[i] = 1/D_i.

    Row i reaches from column i to column last[i] − 1; its column c is number first[i] + c of the matrix.
    Pivots below the share `dependent` of their diagonal are left out, those below `near` are raised a little;
    rows that repeated others at the start are left out already below `REPEATED`. DIAGONAL.INFO: smallest
    ratio of the pivots that are kept to their diagonals; how many are left out or raised. Rows of one joint
    reach equally far and are taken two at a time, which halves the passes over the rest.
    """
    inverse, info = diagonals[DIAGONAL.INVERSE], diagonals[DIAGONAL.INFO]
    info[PIVOT.WORST], info[PIVOT.LEFT_OUT], info[PIVOT.RAISED] = 1.0, 0.0, 0.0
    i, one, size = index(0), index(1), index(n)
    while i < size:
        inverse[i] = matrix[index(first[i]) + i]
        i += one
    i = index(0)
    while i < size:
        row, end = matrix[index(first[i]) :], index(last[i])
        reciprocal = _reciprocal(row[i], i, diagonals, dependent, near)
        inverse[i] = reciprocal
        following = i + one
        if following < end and index(last[following]) == end:
            second_row, k = matrix[index(first[following]) :], row[following] * reciprocal
            for c in range(following, end):
                second_row[c] -= k * row[c]
            second = _reciprocal(second_row[following], following, diagonals, dependent, near)
            inverse[following] = second
            for j in range(following + one, end):
                other, k, other_k = matrix[index(first[j]) :], row[j] * reciprocal, second_row[j] * second
                for c in range(j, end):
                    other[c] -= k * row[c] + other_k * second_row[c]
            i = following + one
        else:
            for j in range(following, end):
                other, k = matrix[index(first[j]) :], row[j] * reciprocal
                for c in range(j, end):
                    other[c] -= k * row[c]
            i = following


@inlined_fast
def envelope_solve(matrix: Array, first: Ints, last: Ints, inverse: Array, n: int, x: Array) -> None:
    """Solve in place with the factor of `envelope_factor`; rows that reach equally far go two at a time."""
    i, one, size = index(0), index(1), index(n)
    while i < size:
        row, end, k, following = matrix[index(first[i]) :], index(last[i]), x[i] * inverse[i], i + one
        if following < end and index(last[following]) == end:
            x[following] -= row[following] * k
            second_row, second = matrix[index(first[following]) :], x[following] * inverse[following]
            for c in range(following + one, end):
                x[c] -= row[c] * k + second_row[c] * second
            i = following + one
        else:
            for c in range(following, end):
                x[c] -= row[c] * k
            i = following
    back = index(n)
    while back > index(0):
        i = back - one
        row, end, total = matrix[index(first[i]) :], index(last[i]), x[i]
        if i > index(0) and index(last[i - one]) == end:
            before = i - one
            row_before, total_before = matrix[index(first[before]) :], x[before]
            for c in range(back, end):
                total -= row[c] * x[c]
                total_before -= row_before[c] * x[c]
            x[i] = total * inverse[i]
            x[before] = (total_before - row_before[i] * x[i]) * inverse[before]
            back = before
        else:
            for c in range(back, end):
                total -= row[c] * x[c]
            x[i] = total * inverse[i]
            back = i


@inlined
def near_singular(info: Array) -> bool:
    """Whether the factor just made belongs to a pose near a singular one; remembers what is usual."""
    if info[PIVOT.USUAL] == 0.0:
        info[PIVOT.FEWEST] = info[PIVOT.LEFT_OUT]
    info[PIVOT.FEWEST] = min(info[PIVOT.FEWEST], info[PIVOT.LEFT_OUT])
    info[PIVOT.USUAL] = max(info[PIVOT.USUAL], info[PIVOT.WORST])
    return bool(info[PIVOT.RAISED] > 0.0 or info[PIVOT.LEFT_OUT] > info[PIVOT.FEWEST])


@inlined
def note_singular(work: Work, share: float) -> None:
    """How far a pose is from a singular one, by a method that factors J itself.

    `share` is the smallest over the largest length of rows in that factor; the solvers' pivots are squares.
    """
    info = work.diagonal[DIAGONAL.INFO]
    info[PIVOT.WORST], info[PIVOT.LEFT_OUT] = share * share, info[PIVOT.FEWEST]
    work.counters[COUNT.NEAR_SINGULAR] += share * share < NEAR_SINGULAR
