"""Multipliers of rows that repeat others, as what they stand for shares its load.

A run finds one of many; samples have the one that is told. Rows of joints that make others repeat carry what
the difference asks of them: with r_k − c_k r_0 = Jᵀ x_k they take −x_k for every unit that row k takes more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array, Ints

REPEATED = 1e-12  # of the largest singular value: rows that repeat others


@dataclass(frozen=True)
class Sharing:
    """How multipliers of rows that repeat others change where they are shared: λ[to] += change λ[held]."""

    held: Ints
    to: Ints
    change: Array

    @classmethod
    def of(cls, rates: Array, shares: Array, held: Ints, slips: Array, joints: Ints, J: Array) -> Sharing:
        """Rows `held` with the gradients `slips`, which follow each other by `rates` as the rows `joints`
        with the gradients J want it; `shares`: their multipliers for the load 1 along the first."""
        change = np.outer(shares, rates) - np.eye(len(held))
        beside = slips - np.outer(rates, slips[0])
        by_joints = np.linalg.lstsq(J.T, beside.T, rcond=REPEATED)[0]
        return cls(held, np.concatenate([held, joints]), np.vstack([change, -by_joints @ change]))

    def take(self, multipliers: Array) -> None:
        """Of samples, one behind the other."""
        multipliers[:, self.to] += multipliers[:, self.held] @ self.change.T
