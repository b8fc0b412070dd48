"""Slider-cranks: planar with singular configurations, and spatial."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tests.verification.references.integration import GRAVITY, Array, OneFreedom

# planar slider-crank with singular configurations

# branch φ_rod = -θ: G_rod = (3/2 cos θ, 1/2 sin θ), slider at 2 cos θ, massless; slender bars 1 kg, 1 m
# m = 1/3 + (9 sin² + cos²)/4 + 1/12,  V = g sin θ
SLIDER_CRANK = OneFreedom(mass=lambda q: 2 / 3 + 2 * np.sin(q) ** 2, potential=lambda q: GRAVITY * np.sin(q))


def slider_crank_angle(t: Any) -> tuple[Array, Array]:
    """Crank angle and its rate; starts at 45 degrees, the slider with 4 m/s towards the pivot."""
    theta, rate = SLIDER_CRANK.motion(t, np.pi / 4, 2 * np.sqrt(2.0))
    return theta, rate


def slider_crank_slider(t: Any) -> tuple[Array, Array]:
    """Slider position and velocity."""
    theta, rate = slider_crank_angle(t)
    return 2 * np.cos(theta), -2 * rate * np.sin(theta)


# spatial slider-crank

Vector = tuple[Any, Any, Any]


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _dot(a: Vector, b: Vector) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]  # no conjugate: stays analytic


class SpatialSliderCrank(NamedTuple):
    """Crank about x at A, rod with a ball at B and a cross at C, slider on the x axis; θ from the z axis.

    `arm` is the arm of the cross that the slider carries; the other is perpendicular to it and to the rod.
    """

    rod_inertia: tuple[float, float] = (4e-4, 4e-3)  # along and across the rod
    arm: tuple[float, float, float] = (1.0, 0.0, 0.0)

    def kinematics(self, theta: Any) -> tuple[Any, Any, Vector, Vector]:
        """Slider x, dx/dθ, rod direction u from B to C, and ω_rod/θ̇."""
        radius, length = 0.08, 0.3
        # B = A + r (0, -sin θ, cos θ), A = (0, 0.1, 0.12); |C - B| = l with C = (x, 0, 0)
        y, z = 0.1 - radius * np.sin(theta), 0.12 + radius * np.cos(theta)
        y_t, z_t = -radius * np.cos(theta), -radius * np.sin(theta)
        x = np.sqrt(length * length - y * y - z * z)
        x_t = -(y * y_t + z * z_t) / x
        u = (x / length, -y / length, -z / length)
        u_t = (x_t / length, -y_t / length, -z_t / length)
        # ω = u × u' + σ u: the rod's arm b = e × u stays perpendicular to the slider's arm e, which does
        # not turn, so ω · (b × e) = 0 gives the spin σ
        normal = _cross(_cross(self.arm, u), self.arm)
        swing = _cross(u, u_t)
        spin = -_dot(swing, normal) / _dot(u, normal)
        return x, x_t, u, (swing[0] + spin * u[0], swing[1] + spin * u[1], swing[2] + spin * u[2])

    def mass(self, theta: Any) -> Any:
        x_t, u, w = self.kinematics(theta)[1:]
        # centre of the rod = C - l/2 u, so its velocity is x' - l/2 u'; crank: I + m (r/2)² about x
        u_t = _cross(w, u)
        v = (x_t - 0.15 * u_t[0], -0.15 * u_t[1], -0.15 * u_t[2])
        along, across = self.rod_inertia
        spin = _dot(w, u)
        rod = 0.5 * _dot(v, v) + across * (_dot(w, w) - spin * spin) + along * spin * spin
        return 1e-4 + 0.12 * 0.04**2 + rod + 2.0 * x_t * x_t

    def potential(self, theta: Any) -> Any:
        z = 0.12 + 0.08 * np.cos(theta)
        return GRAVITY * (0.12 * (0.12 + 0.04 * np.cos(theta)) + 0.5 * z / 2)

    def freedom(self) -> OneFreedom:
        return OneFreedom(self.mass, self.potential)


def spatial_slider_crank_angle(t: Any, crank: SpatialSliderCrank | None = None) -> tuple[Array, Array]:
    """Crank angle and its rate; starts at 0 with 6 rad/s."""
    theta, rate = (crank or SpatialSliderCrank()).freedom().motion(t, 0.0, 6.0)
    return theta, rate


def spatial_slider_crank_slider(t: Any, crank: SpatialSliderCrank | None = None) -> tuple[Array, Array]:
    """Slider position and velocity."""
    crank = crank or SpatialSliderCrank()
    theta, rate = spatial_slider_crank_angle(t, crank)
    x, x_t, _, _ = crank.kinematics(theta)
    return x, x_t * rate
