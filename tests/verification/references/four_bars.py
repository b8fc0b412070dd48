"""Rows of four-bars, and a planar four-bar in general position."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.verification.references.integration import GRAVITY, Array, OneFreedom

# row of N four-bars [IFToMM 2015, A02]


def n_four_bar(n: int) -> OneFreedom:
    """Parallelogram branch: n + 1 cranks turn alike, n couplers translate with the crank ends."""
    # ((n+1)/3 + n) θ̈ = -((n+1)/2 + n) g cos θ
    return OneFreedom(
        mass=lambda q: (n + 1) / 3 + n + 0.0 * q, potential=lambda q: ((n + 1) / 2 + n) * GRAVITY * np.sin(q)
    )


def n_four_bar_angle(t: Any, n: int = 2, v0: float = 1.0) -> tuple[Array, Array]:
    """Crank angle from the x axis and its rate; upright at t = 0, B0 with v0 along x."""
    theta, rate = n_four_bar(n).motion(t, np.pi / 2, -v0)
    return theta, rate


def n_four_bar_point(t: Any, n: int = 2, v0: float = 1.0) -> tuple[Array, Array, Array, Array]:
    """x, y, vx, vy of B0."""
    theta, rate = n_four_bar_angle(t, n, v0)
    return np.cos(theta), np.sin(theta), -rate * np.sin(theta), rate * np.cos(theta)


# planar four-bar

FOUR_BAR_LENGTHS = (0.1, 0.4, 0.3, 0.4)  # crank, coupler, rocker, ground; uniform bars of 1 kg/m


def four_bar_loop(phi1: Any) -> tuple[Any, Any, Any, Any]:
    """φ2, φ3 and their derivatives by φ1 on the upper branch; φ1 may be complex."""
    a, b, c, d = FOUR_BAR_LENGTHS
    # from B to D, in polar form; the triangle B C D by the cosine rule, C above the diagonal
    ex, ey = d - a * np.cos(phi1), -a * np.sin(phi1)
    r2 = ex * ex + ey * ey
    r = np.sqrt(r2)
    heading = np.arctan(ey / ex)  # ex > 0 always, since d > a
    phi2 = heading + _arccos((b * b + r2 - c * c) / (2 * b * r))
    phi3 = np.pi + heading - _arccos((c * c + r2 - b * b) / (2 * c * r))
    # a sin(φ1 - φ3) + b φ2' sin(φ2 - φ3) = 0 and the like, from the loop projected across each bar
    slope2 = a * np.sin(phi3 - phi1) / (b * np.sin(phi2 - phi3))
    slope3 = a * np.sin(phi2 - phi1) / (c * np.sin(phi2 - phi3))
    return phi2, phi3, slope2, slope3


def _arccos(x: Any) -> Any:
    return np.pi / 2 - np.arctan(x / np.sqrt(1 - x * x))  # analytic, unlike numpy's branch rule on the axis


def _four_bar_mass(phi1: Any) -> Any:
    a, b, c, _ = FOUR_BAR_LENGTHS
    phi2, _, slope2, slope3 = four_bar_loop(phi1)
    # crank and rocker turn about their ends; coupler: v_B, turning about B, and their product
    coupler = b * (a * a + a * b * slope2 * np.cos(phi1 - phi2) + b * b / 3 * slope2 * slope2)
    return a**3 / 3 + coupler + c**3 / 3 * slope3 * slope3


def _four_bar_potential(phi1: Any) -> Any:
    a, b, c, _ = FOUR_BAR_LENGTHS
    phi2, phi3, _, _ = four_bar_loop(phi1)
    height = (
        a * a / 2 * np.sin(phi1) + b * (a * np.sin(phi1) + b / 2 * np.sin(phi2)) + c * c / 2 * np.sin(phi3)
    )
    return GRAVITY * height


FOUR_BAR = OneFreedom(_four_bar_mass, _four_bar_potential)


def four_bar_angle(t: Any) -> tuple[Array, Array]:
    """Crank angle φ1 and its rate; released from rest at 90 degrees."""
    phi, rate = FOUR_BAR.motion(t, np.pi / 2, 0.0)
    return phi, rate
