"""Andrews' squeezer mechanism: published start and end, and its loops."""

from __future__ import annotations

import numpy as np

from tests.verification.references.integration import Array

# [Mazzia 2006], t = 0.03 s (PSIDE at 1e-14); order β, Θ, γ, Φ, δ, Ω, ε
ANDREWS_TIME = 0.03
ANDREWS_START = np.array(
    [
        -0.0617138900142764496,
        0.0,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        -0.222668390165885885,
        1.23054744454982119,
    ]
)
ANDREWS_POSITION = np.array(
    [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ]
)
ANDREWS_VELOCITY = np.array(
    [
        1139.920302151208,
        -1424.379294994111,
        11.03291221937134,
        19.29337464421385,
        0.5735699284790808,
        -19.29337464421385,
        0.3231791658026955,
    ]
)


def andrews_body_angles(q: Array) -> Array:
    """Angles of the bodies K1 … K7 of the scene `andrews` from the test set's seven.

    K4 points from G to E and K7 from A to H, a quarter turn behind Φ + δ and ε.
    """
    beta, theta, gamma, phi, delta, omega, epsilon = q
    return np.array(
        [beta, beta + theta, gamma, phi + delta - np.pi / 2, delta, omega + epsilon, epsilon - np.pi / 2]
    )


def andrews_body_rates(q_dot: Array) -> Array:
    """Angular velocities of K1 … K7 from the test set's seven rates."""
    return andrews_body_angles(q_dot) - andrews_body_angles(np.zeros(7))


def andrews_loops(q: Array) -> Array:
    """The six loop equations of the test set [m], shape (6,)."""
    beta, theta, gamma, phi, delta, omega, epsilon = q
    xa, ya, xb, yb = -0.06934, -0.00227, -0.03635, 0.03273
    d, rr, ss, e, zf, zt, u = 0.028, 0.007, 0.035, 0.02, 0.02, 0.04, 0.04
    x_e = rr * np.cos(beta) - d * np.cos(beta + theta)
    y_e = rr * np.sin(beta) - d * np.sin(beta + theta)
    return np.array(
        [
            x_e - ss * np.sin(gamma) - xb,
            y_e + ss * np.cos(gamma) - yb,
            x_e - e * np.sin(phi + delta) - zt * np.cos(delta) - xa,
            y_e + e * np.cos(phi + delta) - zt * np.sin(delta) - ya,
            x_e - zf * np.cos(omega + epsilon) - u * np.sin(epsilon) - xa,
            y_e - zf * np.sin(omega + epsilon) + u * np.cos(epsilon) - ya,
        ]
    )
