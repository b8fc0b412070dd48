"""States between recorded ones: fourth order in the coordinates, which their rates make possible."""

from __future__ import annotations

import numpy as np

from engine.compiled.layout import Array
from engine.results.sample_layout import SampleLayout
from engine.system.compiling.mechanism import Mechanism


def resampled(mechanism: Mechanism, samples: Array, times: Array) -> Array:
    """Rows at other instants, which lie within those of the samples, shape (len(times), width).

    Coordinates and velocities follow the cubic that has the recorded rates at both ends; the rest lies on
    straight lines. At recorded instants the recorded row comes back, of an event the one after it.
    """
    if len(samples) < 2 or not len(times):
        nearest = np.clip(np.searchsorted(samples[:, 0], times), 0, max(0, len(samples) - 1))
        return np.array(samples[nearest])
    layout = SampleLayout(mechanism)
    i = np.clip(np.searchsorted(samples[:, 0], times, "right") - 1, 0, len(samples) - 2)
    before, after = samples[i], samples[i + 1]
    h = after[:, :1] - before[:, :1]
    s = np.clip((times[:, None] - before[:, :1]) / np.where(h > 0.0, h, 1.0), 0.0, 1.0)
    s[h == 0.0] = 1.0  # an event at the end
    found = np.asarray(before + s * (after - before))
    r0, r1 = _rates(mechanism, layout, before), _rates(mechanism, layout, after)
    found[:, layout.q] = _cubic(before[:, layout.q], after[:, layout.q], r0, r1, h, s)
    found[:, layout.v] = _cubic(
        before[:, layout.v], after[:, layout.v], before[:, layout.a], after[:, layout.a], h, s
    )
    if not mechanism.planar:
        turned = found[:, layout.q].reshape(len(times), -1, 7)
        turned[..., 3:] /= np.linalg.norm(turned[..., 3:], axis=-1, keepdims=True)
        found[:, layout.q] = turned.reshape(len(times), -1)
    for edge, rows in ((0.0, before), (1.0, after)):
        there = s[:, 0] == edge
        found[there] = rows[there]
    found[:, layout.t] = times
    return found


def _cubic(x0: Array, x1: Array, r0: Array, r1: Array, h: Array, s: Array) -> Array:
    # x(s) = x0 + (3s² - 2s³)(x1 - x0) + h s(1 - s)² r0 - h s²(1 - s) r1               (Hermite)
    return np.asarray(
        x0 + s * s * (3.0 - 2.0 * s) * (x1 - x0) + h * s * (1.0 - s) * ((1.0 - s) * r0 - s * r1)
    )


def _rates(mechanism: Mechanism, layout: SampleLayout, rows: Array) -> Array:
    """Time derivatives of the coordinates."""
    v = rows[:, layout.v]
    if mechanism.planar:
        return v
    q, v = rows[:, layout.q].reshape(len(rows), -1, 7), v.reshape(len(rows), -1, 6)
    # ė = ½ e ∘ (0, ω),  ω in the body frame
    w, x, y, z = np.moveaxis(q[..., 3:], -1, 0)
    a, b, c = np.moveaxis(v[..., 3:], -1, 0)
    turning = 0.5 * np.stack(
        [-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a], -1
    )
    return np.concatenate([v[..., :3], turning], -1).reshape(len(rows), -1)
