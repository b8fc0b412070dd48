"""Balance of forces at one state: accelerations and multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.compiled.layout import Array
from engine.system.assembly.scaling import Scales, Subspaces, subspaces
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
    space: Subspaces  # of the dimensionless J


def balance(evaluator: Evaluator, scales: Scales, state: State) -> Balance:
    """Accelerations and multipliers in the null space, whatever the rank of J:

    a = a_p + N s,   J a_p = γ,   NᵀMN s = Nᵀ(Q − M a_p),   Jᵀλ = M a − Q
    """
    evaluator.at(state.t, state.q, state.v, state.angles)
    column = scales.column
    space = subspaces(scales.jacobian(evaluator.jacobian))
    mass = evaluator.mass_matrix() * np.outer(column, column)
    load = evaluator.forces() * column
    x = space.solve(evaluator.gamma / scales.row)
    if space.null.shape[1]:
        free = space.null
        x = x + free @ np.linalg.solve(free.T @ mass @ free, free.T @ (load - mass @ x))
    return Balance(x * column, multipliers_for(space, scales, mass @ x - load), space)


class LeastNorm(Protocol):
    """A factor of the dimensionless J."""

    def solve_transposed(self, b: Array) -> Array:
        """The shortest λ with Jᵀλ = b."""
        ...


def multipliers_for(space: LeastNorm, scales: Scales, load: Array) -> Array:
    """λ of least norm with Jᵀλ = load; the load is dimensionless, as columns of J are."""
    return (space.solve_transposed(load).T / scales.row).T
