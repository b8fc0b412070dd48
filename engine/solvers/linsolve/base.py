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
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, System, Work
from engine.maths.arrays import copy

# Shares of the diagonal to which a pivot may fall (they are squares of singular values of the scaled rows):
DEPENDENT: Final = 1e-11  # below: the row is redundant at this pose, and its multiplier is zero
NEAR_SINGULAR: Final = 1e-7  # below: the pose is near a singular one; regularise, refine, report
TINY: Final = 1e-300
LARGE: Final = 1e300  # beyond it a matrix entry counts as not finite


@dataclass(frozen=True)
class SolverKind:
    """Compiled functions of one linear solver, and the order of the matrix it factors."""

    name: str
    factor: Any
    solve: Any
    accelerate: Any
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


@inlined
def load_motion(system: System, work: Work) -> None:
    """Q and γ for `solve`."""
    copy(work.vectors[VECTOR.Q], work.vectors[VECTOR.FREE])
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.SOLVE] = work.row[r, ROW_VALUE.GAMMA]


@inlined
def keep_motion(system: System, work: Work) -> None:
    """What `solve` has found are accelerations and multipliers."""
    copy(work.vectors[VECTOR.FREE], work.vectors[VECTOR.A])
    for r in range(system.rows.shape[0]):
        work.row[r, ROW_VALUE.LAMBDA] = work.row[r, ROW_VALUE.SOLVE]


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
