"""Integration of reference solutions to rounding, and the equation of all problems of one coordinate.

One-coordinate problems share one equation. With the kinetic energy T = m(q) q̇²/2 and the potential V(q),

    m q̈ = -m' q̇²/2 - V',

where the derivatives of m and V come from complex steps: exact to rounding for analytic formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

Array = np.ndarray
Rate = Callable[[float, Array], Any]

GRAVITY = 9.81  # m/s²
TOLERANCE = 3e-14  # relative, of every explicit integration
STIFF_TOLERANCE = 1e-11  # of the implicit one
COMPLEX_STEP = 1e-30


def integrate(
    rate: Rate, start: list[float], t: Any, *, stiff: bool = False, tolerance: float = STIFF_TOLERANCE
) -> Array:
    """State at the times `t`, shape (n, *t.shape). Each wanted time ends a step: no interpolation error.

    `tolerance` is that of stiff problems.
    """
    settings: dict[str, Any] = {"method": "DOP853", "rtol": TOLERANCE, "atol": 0.1 * TOLERANCE}
    if stiff:
        settings = {
            "method": "Radau",
            "rtol": tolerance,
            "atol": 0.1 * tolerance,
            "jac": _jacobian(rate),
        }
    times = np.atleast_1d(np.asarray(t, dtype=float))
    order = np.argsort(times, kind="stable")
    states = np.empty((len(start), times.size))
    now, state = 0.0, np.array(start, dtype=float)
    for i in order:
        if times[i] > now:
            done = solve_ivp(rate, (now, times[i]), state, **settings)
            if not done.success:
                raise RuntimeError(f"reference integration stopped at t = {done.t[-1]}: {done.message}")
            now, state = times[i], done.y[:, -1]
        states[:, i] = state
    return states.reshape(len(start), *np.shape(t))


def _jacobian(rate: Rate) -> Rate:
    """∂rate/∂y by complex steps."""

    def jacobian(t: float, y: Array) -> Array:
        return (
            np.column_stack([rate(t, y + 1j * COMPLEX_STEP * unit).imag for unit in np.eye(len(y))])
            / COMPLEX_STEP
        )

    return jacobian


class OneFreedom(NamedTuple):
    """A mechanism of one degree of freedom: T = mass(q) q̇²/2, V = potential(q); both accept complex
    arguments."""

    mass: Callable[[Any], Any]
    potential: Callable[[Any], Any]

    def acceleration(self, q: float, q_dot: float) -> float:
        # m q̈ = -m' q̇²/2 - V'
        shifted = complex(q, COMPLEX_STEP)
        mass = self.mass(shifted)
        slope = self.potential(shifted).imag / COMPLEX_STEP
        return float((-0.5 * mass.imag / COMPLEX_STEP * q_dot * q_dot - slope) / mass.real)

    def energy(self, q: Any, q_dot: Any) -> Any:
        return 0.5 * self.mass(q) * q_dot**2 + self.potential(q)

    def motion(self, t: Any, q: float, q_dot: float) -> Array:
        """(q, q̇) at the times `t` from the given start, shape (2, *t.shape)."""
        return integrate(lambda _, y: (y[1], self.acceleration(y[0], y[1])), [q, q_dot], t)
