"""The yardstick: Newmark and central differences for equations without constraints, ẍ = f(t, x, ẋ).

A mechanism in minimal coordinates, as far as somebody writes down its equations. Plain Python, for tests and
for the plots of the method pages: what a method with constraints should come near.
"""

from collections.abc import Callable

import numpy as np

from engine.compiled.layout import Array

Acceleration = Callable[[float, Array, Array], Array]
DIFFERENCE = 1e-7  # of the unknown, for the Newton matrix
TOLERANCE = 1e-12
MAX_ITERATIONS = 30
ESCAPED = 1e6  # a solution beyond this is unstable; what follows is no longer looked for


def newmark(
    acceleration: Acceleration, x: Array, v: Array, *, h: float, steps: int, beta: float, gamma: float
) -> Array:
    """x, ẋ, ẍ at 0, h, 2h …, shape (steps + 1, 3, n); NaN from where it escapes or fails to converge."""
    out = np.full((steps + 1, 3, len(x)), np.nan)
    out[0] = x, v, acceleration(0.0, x, v)
    for k in range(steps):
        x, v, old = out[k]
        t, a = (k + 1) * h, old.copy()

        def state(a: Array, x: Array = x, v: Array = v, old: Array = old) -> tuple[Array, Array]:
            return x + h * v + h * h * ((0.5 - beta) * old + beta * a), v + h * (
                (1 - gamma) * old + gamma * a
            )

        for _ in range(MAX_ITERATIONS):
            residual = acceleration(t, *state(a)) - a
            matrix = np.empty((len(a), len(a)))
            for j in range(len(a)):
                shift = DIFFERENCE * max(1.0, abs(a[j])) * np.eye(len(a))[j]
                moved = acceleration(t, *state(a + shift)) - a - shift
                matrix[:, j] = (moved - residual) / shift[j]
            step = -np.linalg.solve(matrix, residual)
            a = a + step
            if np.max(np.abs(step)) < TOLERANCE * max(1.0, float(np.max(np.abs(a)))):
                break
        else:
            return out
        out[k + 1] = *state(a), a
        if not np.max(np.abs(out[k + 1])) < ESCAPED:
            return out
    return out


def central_differences(acceleration: Acceleration, x: Array, v: Array, *, h: float, steps: int) -> Array:
    """The same with β = 0 and γ = ½, explicit but for forces that depend on the velocity."""
    return newmark(acceleration, x, v, h=h, steps=steps, beta=0.0, gamma=0.5)
