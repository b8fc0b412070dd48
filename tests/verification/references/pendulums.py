"""The simple pendulum and the double pendulum."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tests.verification.references.integration import GRAVITY, Array, OneFreedom, integrate

# simple pendulum [IFToMM 2015, A01]

# m L² θ̈ = -m g L cos θ, θ from the x axis; starts at (-1, 0) at rest
PENDULUM = OneFreedom(mass=lambda q: 1.0 + 0.0 * q, potential=lambda q: GRAVITY * np.sin(q))


def pendulum_angle(t: Any) -> tuple[Array, Array]:
    """Angle from the x axis and its rate."""
    theta, rate = PENDULUM.motion(t, np.pi, 0.0)
    return theta, rate


def pendulum_mass(t: Any) -> tuple[Array, Array, Array, Array]:
    """x, y, vx, vy of the point mass."""
    theta, rate = pendulum_angle(t)
    return np.cos(theta), np.sin(theta), -rate * np.sin(theta), rate * np.cos(theta)


# double pendulum


class DoublePendulum(NamedTuple):
    """Two bars with centres of mass at mid-length; angles from the x axis."""

    m1: float = 1.0
    m2: float = 0.8
    L1: float = 1.0
    L2: float = 0.8
    I1: float = 1.0 / 12.0
    I2: float = 0.8 * 0.8**2 / 12.0

    def _masses(self, theta1: Any, theta2: Any) -> tuple[float, Any, float]:
        # M11 = I1 + m1 L1²/4 + m2 L1²,  M12 = m2 L1 L2/2 cos(θ1 - θ2),  M22 = I2 + m2 L2²/4
        m11 = self.I1 + self.m1 * self.L1**2 / 4 + self.m2 * self.L1**2
        m12 = self.m2 * self.L1 * self.L2 / 2 * np.cos(theta1 - theta2)
        return m11, m12, self.I2 + self.m2 * self.L2**2 / 4

    def energy(self, theta1: Any, theta2: Any, rate1: Any, rate2: Any) -> Any:
        m11, m12, m22 = self._masses(theta1, theta2)
        kinetic = 0.5 * m11 * rate1**2 + m12 * rate1 * rate2 + 0.5 * m22 * rate2**2
        upper = (self.m1 / 2 + self.m2) * self.L1 * np.sin(theta1)
        return kinetic + GRAVITY * (upper + self.m2 * self.L2 / 2 * np.sin(theta2))

    def rate(self, _: float, y: Array, torque1: Any = 0.0, torque2: Any = 0.0) -> Array:
        # with torques on the bars added on the right:
        # M11 θ̈1 + M12 θ̈2 = -h θ̇2² - g (m1/2 + m2) L1 cos θ1,  h = m2 L1 L2/2 sin(θ1 - θ2)
        # M12 θ̈1 + M22 θ̈2 = +h θ̇1² - g m2 L2/2 cos θ2
        theta1, theta2, rate1, rate2 = y
        m11, m12, m22 = self._masses(theta1, theta2)
        h = self.m2 * self.L1 * self.L2 / 2 * np.sin(theta1 - theta2)
        f1 = -h * rate2**2 - GRAVITY * (self.m1 / 2 + self.m2) * self.L1 * np.cos(theta1) + torque1
        f2 = h * rate1**2 - GRAVITY * self.m2 * self.L2 / 2 * np.cos(theta2) + torque2
        det = m11 * m22 - m12 * m12
        return np.array([rate1, rate2, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det])

    def motion(self, t: Any, theta1: float, theta2: float) -> Array:
        """(θ1, θ2, θ̇1, θ̇2) released from rest, shape (4, *t.shape)."""
        return integrate(self.rate, [theta1, theta2, 0.0, 0.0], t)


def double_pendulum_angles(t: Any) -> tuple[Array, Array, Array, Array]:
    """θ1, θ2, θ̇1, θ̇2 of the scene `double_pendulum`."""
    theta1, theta2, rate1, rate2 = DoublePendulum().motion(t, 0.0, np.pi / 3)
    return theta1, theta2, rate1, rate2


STIFF = DoublePendulum(m1=3.0, m2=0.3, L1=2.0, L2=3.0, I1=3.0 * 4.0 / 12.0, I2=0.3 * 9.0 / 12.0)
# coils and dampers [N·m/rad, N·m·s/rad], of the upper bar and between the bars, and the upper coil at rest
STIFF_COILS, STIFF_DAMPERS, STIFF_REST = (400.0, 3e5), (15.0, 5e4), 1.5 * np.pi


def stiff_double_pendulum_angles(t: Any) -> tuple[Array, Array, Array, Array]:
    """θ1, θ2, θ̇1, θ̇2 of the scene `stiff_double_pendulum`."""

    def rate(time: float, y: Array) -> Array:
        theta1, theta2, rate1, rate2 = y
        between = -STIFF_COILS[1] * (theta2 - theta1) - STIFF_DAMPERS[1] * (rate2 - rate1)
        upper = -STIFF_COILS[0] * (theta1 - STIFF_REST) - STIFF_DAMPERS[0] * rate1
        return STIFF.rate(time, y, upper - between, between)

    theta1, theta2, rate1, rate2 = integrate(
        rate, [STIFF_REST, 23.0 * np.pi / 12.0, 0.0, 10.0], t, stiff=True, tolerance=1e-8
    )
    return theta1, theta2, rate1, rate2
