"""A spinning top on its tip, pushed sideways."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.verification.references.integration import GRAVITY, Array, integrate

TOP_MASS, TOP_HEIGHT = 1.7355017e-2, 0.03993  # kg, m
TOP_ACROSS, TOP_ALONG = 3.256544e-6 + TOP_MASS * TOP_HEIGHT**2, 1.99486e-6  # kg·m² about the tip
TOP_SPIN = 523.6  # rad/s


def top_push(t: float) -> float:
    """Sideways force at the centre of mass along world x [N]."""
    return 0.01 * np.exp(-((t - 0.6) ** 2) / (2 * 0.1**2))


def _top_rate(t: float, y: Array) -> Array:
    # Two angles tilt the axis away from the vertical: u = Rx(a) Ry(b) z, regular at the upright pose where
    # the usual nutation angle is not:  u = (sin b, -sin a cos b, cos a cos b).
    # ω in the non-spinning frame: (ȧ cos b, ḃ, ȧ sin b + ċ); spin momentum p = J3 (ȧ sin b + ċ) is constant.
    # T = J1/2 (ȧ² cos² b + ḃ²) + J3/2 (ȧ sin b + ċ)²,  V = m g h cos a cos b,  force f along x at h u
    a, b, a_dot, b_dot, _ = y
    p = TOP_ALONG * TOP_SPIN
    weight = TOP_MASS * GRAVITY * TOP_HEIGHT
    sa, ca, sb, cb = np.sin(a), np.cos(a), np.sin(b), np.cos(b)
    # J1 d/dt(ȧ cos² b) + p ḃ cos b = m g h sin a cos b
    a_acc = (weight * sa * cb - p * b_dot * cb + 2 * TOP_ACROSS * a_dot * b_dot * sb * cb) / (
        TOP_ACROSS * cb * cb
    )
    # J1 b̈ + J1 ȧ² sin b cos b - p ȧ cos b = m g h cos a sin b + f h cos b
    b_acc = (
        weight * ca * sb + top_push(t) * TOP_HEIGHT * cb + p * a_dot * cb
    ) / TOP_ACROSS - a_dot**2 * sb * cb
    return np.array([a_dot, b_dot, a_acc, b_acc, TOP_SPIN - a_dot * sb])


def top_angles(t: Any) -> Array:
    """Tilts a, b, their rates, and the spin angle c: R_WB = Rx(a) Ry(b) Rz(c); shape (5, *t.shape)."""
    return integrate(_top_rate, [0.0, 0.0, 0.0, 0.0, 0.0], t)


def top_centre(t: Any) -> tuple[Array, Array, Array]:
    """x, y, z of the centre of mass."""
    a, b, *_ = top_angles(t)
    return TOP_HEIGHT * np.sin(b), -TOP_HEIGHT * np.sin(a) * np.cos(b), TOP_HEIGHT * np.cos(a) * np.cos(b)


def top_angular_velocity(t: Any) -> Array:
    """ω in the axes of the spinning body, shape (3, *t.shape)."""
    _, b, a_dot, b_dot, c = top_angles(t)
    w1, w2 = a_dot * np.cos(b), b_dot
    return np.array(
        [w1 * np.cos(c) + w2 * np.sin(c), -w1 * np.sin(c) + w2 * np.cos(c), np.full_like(c, TOP_SPIN)]
    )


def top_energy(y: Array) -> Any:
    """Kinetic and potential energy of a state of `top_angles` (the push adds to it while it acts)."""
    a, b, a_dot, b_dot, _ = y
    kinetic = 0.5 * TOP_ACROSS * (a_dot**2 * np.cos(b) ** 2 + b_dot**2) + 0.5 * TOP_ALONG * TOP_SPIN**2
    return kinetic + TOP_MASS * GRAVITY * TOP_HEIGHT * np.cos(a) * np.cos(b)
