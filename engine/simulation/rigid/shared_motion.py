"""Held frictions of joints that hold one and the same motion, and how they share its load.

Of two slips that follow each other (both shafts of a gear pair, all pins of a four-bar) the responses
G_ij = r_i M_b⁻¹ r_jᵀ depend on each other: G_ij² = G_ii G_jj. Only Σ c_k λ_k of their efforts is certain,
with c_k the rates where the first goes at 1. Of all ways to share it the one is taken that uses the least
share of every bound: λ_k = sign(c_k) F_k Σ c λ / Σ |c| F. All of them let go at once, where virtual work
says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array, Ints

SAME = 1e-12  # by how much the square of the cosine between two slips of one motion may differ from 1


@dataclass(frozen=True)
class SharedMotion:
    """Places of its frictions among those that are asked for, their rates and what each can hold."""

    at: Ints
    rates: Array  # c_k; the first is 1
    bounds: Array

    @property
    def most(self) -> float:
        """Load that all can hold together, as an effort along the first."""
        return float(np.abs(self.rates) @ self.bounds)

    @property
    def shares(self) -> Array:
        """Efforts for the load 1."""
        return np.asarray(np.sign(self.rates) * self.bounds / self.most)


def shared_motions(G: Array, bounds: Array) -> list[SharedMotion]:
    """Those that several frictions hold; `bounds`: of each, 0 for those that share with none."""
    size, found = np.diag(G), []
    alone = [k for k in range(len(bounds)) if bounds[k] > 0.0 and size[k] > 0.0]
    while alone:
        first, *others = alone
        same = [k for k in others if G[first, k] ** 2 >= (1.0 - SAME) * size[first] * size[k]]
        alone = [k for k in others if k not in same]
        if same:
            at = np.array([first, *same])
            found.append(SharedMotion(at, G[first, at] / size[first], bounds[at]))
    return found
