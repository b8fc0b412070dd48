"""Balance of forces at one state: accelerations and multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy

from engine.compiled.layout import Array
from engine.system.assembly.row_factor import RowFactor
from engine.system.assembly.scaling import LARGE, Scales, subspaces
from engine.system.equations.evaluator import Evaluator


@dataclass(frozen=True)
class State:
    """Where the mechanism is, and the references of its tracked angles."""

    t: float
    q: Array
    v: Array
    angles: Array


@dataclass(frozen=True)
class Balance:
    """What a state does by itself."""

    a: Array
    multipliers: Array  # of least norm where rows repeat each other


def balance(evaluator: Evaluator, scales: Scales, state: State) -> Balance:
    """Accelerations and multipliers in the null space, whatever the rank of J:

    a = a_p + N s,   J a_p = γ,   NᵀMN s = Nᵀ(Q − M a_p),   Jᵀλ = M a − Q
    """
    evaluator.at(state.t, state.q, state.v, state.angles)
    if evaluator.mechanism.nv > LARGE:
        return _sparse_balance(evaluator, scales)
    column = scales.column
    space = subspaces(scales.jacobian(evaluator.jacobian))
    mass = evaluator.mass_matrix() * np.outer(column, column)
    load = evaluator.forces() * column
    x = space.solve(evaluator.gamma / scales.row)
    if space.null.shape[1]:
        free = space.null
        x = x + free @ np.linalg.solve(free.T @ mass @ free, free.T @ (load - mass @ x))
    return Balance(x * column, multipliers_for(space, scales, mass @ x - load))


def _sparse_balance(evaluator: Evaluator, scales: Scales) -> Balance:
    """The same of a large mechanism: M a − Jᵀλ = Q, J a = γ over rows that do not repeat others."""
    J = scales.sparse_jacobian(evaluator.sparse_jacobian)
    rows = RowFactor(J, evaluator.row_structure)
    kept = np.flatnonzero(rows.independent)
    load, units = evaluator.forces() * scales.column, scipy.sparse.diags_array(scales.column, format="csr")
    mass = units @ evaluator.sparse_mass() @ units
    matrix = scipy.sparse.block_array([[mass, -J[kept].T], [J[kept], None]], format="csc")
    factor, right = (
        scipy.sparse.linalg.splu(matrix),
        np.concatenate([load, (evaluator.gamma / scales.row)[kept]]),
    )
    found = factor.solve(right)
    found += factor.solve(right - matrix @ found)
    x = found[: len(load)]
    return Balance(x * scales.column, rows.least_multipliers(mass @ x - load) / scales.row)


class LeastNorm(Protocol):
    """A factor of the dimensionless J."""

    def solve_transposed(self, b: Array) -> Array:
        """The shortest λ with Jᵀλ = b."""
        ...


def multipliers_for(space: LeastNorm, scales: Scales, load: Array) -> Array:
    """λ of least norm with Jᵀλ = load; the load is dimensionless, as columns of J are."""
    return (space.solve_transposed(load).T / scales.row).T
