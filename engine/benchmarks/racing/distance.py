"""How far a run is from another one of the same bodies, at the instants of the first.

The other run is interpolated between two of its samples by the quintic that has their positions, velocities
and accelerations: with s = (t − t₀)/h

    x = Σ H_k(s) [x₀, h x₀′, h² x₀″, h² x₁″, h x₁′, x₁],

whose error is h⁶/46080 of the sixth derivative: far below what is measured here.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.layout import Array
from engine.results.sample_layout import SampleLayout
from engine.system.compiling.mechanism import Mechanism


class Centres:
    """Which columns of a sample are the centres of mass, by body, and their rates."""

    def __init__(self, mechanism: Mechanism) -> None:
        layout, n = SampleLayout(mechanism), 2 if mechanism.planar else 3
        bodies = mechanism.system.bodies[: len(mechanism.bodies)]
        along = np.arange(n)
        self.x = layout.q.start + bodies[:, [BODY.Q]] + along  # shape (bodies, n)
        self.v = layout.v.start + bodies[:, [BODY.V]] + along
        self.a = layout.a.start + bodies[:, [BODY.V]] + along
        self.names = tuple(mechanism.bodies)


def distances(centres: Centres, samples: Array, other: Centres, reference: Array) -> Array:
    """Largest distance of a centre of mass that both have [m], per sample; NaN beyond the reference."""
    found = np.full(len(samples), np.nan)
    both = [name for name in centres.names if name in other.names]
    if not both or not len(reference):
        return found
    mine = [centres.names.index(name) for name in both]
    theirs = [other.names.index(name) for name in both]
    t = samples[:, 0]
    inside = (t >= reference[0, 0]) & (t <= reference[-1, 0])
    if not inside.any():
        return found
    there = interpolated(other, reference, t[inside])[:, theirs]
    gap = samples[inside][:, centres.x[mine]] - there
    found[inside] = np.linalg.norm(gap, axis=2).max(axis=1)
    return found


def interpolated(centres: Centres, rows: Array, t: Array) -> Array:
    """Centres of mass at instants between the samples `rows`, shape (len(t), bodies, n)."""
    if len(rows) == 1:
        return np.repeat(rows[:1, centres.x], len(t), axis=0)
    i = np.clip(np.searchsorted(rows[:, 0], t, "right") - 1, 0, len(rows) - 2)
    before, after = rows[i], rows[i + 1]
    h = after[:, 0] - before[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        s = np.where(h > 0.0, (t - before[:, 0]) / h, 0.0)
    s3, s4, s5 = s**3, s**4, s**5
    weights = (
        1 - 10 * s3 + 15 * s4 - 6 * s5,
        h * (s - 6 * s3 + 8 * s4 - 3 * s5),
        h**2 * (0.5 * s**2 - 1.5 * s3 + 1.5 * s4 - 0.5 * s5),
        h**2 * (0.5 * s3 - s4 + 0.5 * s5),
        h * (-4 * s3 + 7 * s4 - 3 * s5),
        10 * s3 - 15 * s4 + 6 * s5,
    )
    parts = (
        before[:, centres.x],
        before[:, centres.v],
        before[:, centres.a],
        after[:, centres.a],
        after[:, centres.v],
        after[:, centres.x],
    )
    return np.asarray(sum(w[:, None, None] * part for w, part in zip(weights, parts, strict=True)))
