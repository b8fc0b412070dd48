"""Distance of two convex bodies, each the hull of points with a radius about it.

The nearest points of the hulls of P and Q are Σ aᵢ pᵢ and Σ bⱼ qⱼ with a, b ≥ 0 and Σ a = Σ b = 1: least
squares with unknowns that are not negative, the two sums as heavy rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array

HEAVY = 1e4  # weight of the sums against the distance, in the size of the two bodies


@dataclass(frozen=True)
class Hull:
    """The hull of points, grown by a radius [m]."""

    points: Array  # (n, 3)
    radius: float

    @property
    def ball(self) -> tuple[Array, float]:
        """Centre and radius of a ball around it."""
        centre = (self.points.min(axis=0) + self.points.max(axis=0)) / 2.0
        return centre, float(np.max(np.linalg.norm(self.points - centre, axis=1))) + self.radius

    def moved(self, R: Array, p: Array) -> Hull:
        return Hull(self.points @ R.T + p, self.radius)


def distance(first: Hull, second: Hull) -> tuple[float, Array]:
    """The gap of two hulls, not positive where they touch, and the place between their nearest points."""
    from scipy.optimize import nnls

    P, Q = first.points, second.points
    middle = P.mean(axis=0)
    size = max(float(np.max(np.abs(P - middle))), float(np.max(np.abs(Q - middle))), 1e-9)
    A = np.zeros((5, len(P) + len(Q)))
    A[:3, : len(P)], A[:3, len(P) :] = (P - middle).T / size, -(Q - middle).T / size
    A[3, : len(P)] = A[4, len(P) :] = HEAVY
    weights, _ = nnls(A, np.array([0.0, 0.0, 0.0, HEAVY, HEAVY]))
    a, b = weights[: len(P)], weights[len(P) :]
    p, q = a @ P / a.sum(), b @ Q / b.sum()
    return float(np.linalg.norm(p - q)) - first.radius - second.radius, (p + q) / 2.0
