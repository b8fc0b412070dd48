"""The stiff flyball governor [IFToMM 2015, A05]."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.verification.references.integration import GRAVITY, Array, integrate

GOVERNOR_STIFFNESS, GOVERNOR_DAMPING = 8e5, 4e4  # N/m, N·s/m
_ROD, _BALL, _SLEEVE, _OFFSET, _SIDE = 0.3, 5.0, 3.0, 0.05, 0.01  # kg, kg, kg, m, m
_ARM = _ROD * (1 + _SIDE**2) / 12 + _ROD * 0.25 + _BALL  # an arm about its hinge axis


def governor_inertia(alpha: Any) -> tuple[Any, Any]:
    """Moment of inertia of everything about the shaft, and its derivative by α."""
    # a point at distance ξ on the arm has the radius x0 + ξ cos α; first and second moments of rod and ball
    first, second = _ROD / 2 + _BALL, _ROD / 3 + _BALL
    thick_along, thick_across = _ROD * _SIDE**2 / 6, _ROD * _SIDE**2 / 12
    s, c = np.sin(alpha), np.cos(alpha)
    arm = (_ROD + _BALL) * _OFFSET**2 + 2 * _OFFSET * first * c + second * c * c
    arm = arm + thick_along * s * s + thick_across * c * c
    slope = -2 * _OFFSET * first * s - 2 * second * s * c + 2 * (thick_along - thick_across) * s * c
    fixed = _ROD * _SIDE**2 / 6 + _SLEEVE * 0.1**2 / 6  # shaft and slider
    return fixed + 2 * arm, 2 * slope


def _governor_spring(alpha: Any, s: Any) -> tuple[Any, Any, Any]:
    """Length of a coupler and its derivatives by α and s."""
    # from (x0 + cos α / 2, 1 - sin α / 2) to (x0, s)
    dx, dz = 0.5 * np.cos(alpha), 1 - 0.5 * np.sin(alpha) - s
    d = np.sqrt(dx * dx + dz * dz)
    return d, (-0.5 * np.sin(alpha) * dx - 0.5 * np.cos(alpha) * dz) / d, -dz / d


def _governor_momentum() -> float:
    return float(governor_inertia(np.pi / 6)[0]) * 2 * np.pi


def _governor_rate(_: float, y: Array) -> Array:
    # α: arms below the horizontal, s: slider, ψ: shaft; H = J(α) ψ̇ is constant (free bearing)
    # 2 J_arm α̈ = J' ψ̇²/2 + 2 g (m_rod/2 + m_ball) cos α - 2 F d_α,  F = k (d - l0) + c ḋ
    # m_s s̈ = -m_s g - 2 F d_s
    alpha, s, _, alpha_dot, s_dot, _ = y
    inertia, slope = governor_inertia(alpha)
    d, d_alpha, d_s = _governor_spring(alpha, s)
    d_dot = d_alpha * alpha_dot + d_s * s_dot
    force = GOVERNOR_STIFFNESS * (d - 0.5) + GOVERNOR_DAMPING * d_dot
    psi_dot = _governor_momentum() / inertia
    alpha_acc = 0.25 * slope * psi_dot**2 + GRAVITY * (_ROD / 2 + _BALL) * np.cos(alpha) - force * d_alpha
    s_acc = -GRAVITY - 2 * force * d_s / _SLEEVE
    return np.array([alpha_dot, s_dot, psi_dot, alpha_acc / _ARM, s_acc, 2 * GOVERNOR_DAMPING * d_dot**2])


def governor_state(t: Any) -> Array:
    """α, s, ψ, α̇, ṡ and the energy lost in the dampers, shape (6, *t.shape)."""
    return integrate(_governor_rate, [np.pi / 6, 0.5, 0.0, 0.0, 0.0, 0.0], t, stiff=True)


def governor_slider(t: Any) -> tuple[Array, Array]:
    """Slider height s and its rate."""
    state = governor_state(t)
    return state[1], state[4]


def governor_energy(y: Array) -> Any:
    """Energy of a state of `governor_state`, with what the dampers took added back."""
    alpha, s, _, alpha_dot, s_dot, lost = y
    inertia, _ = governor_inertia(alpha)
    stretch = _governor_spring(alpha, s)[0] - 0.5
    kinetic = 0.5 * _governor_momentum() ** 2 / inertia + _ARM * alpha_dot**2 + 0.5 * _SLEEVE * s_dot**2
    height = _ROD / 2 + 2 * (_ROD * (1 - np.sin(alpha) / 2) + _BALL * (1 - np.sin(alpha))) + _SLEEVE * s
    return kinetic + GRAVITY * height + GOVERNOR_STIFFNESS * stretch**2 + lost
