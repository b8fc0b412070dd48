"""Objectives: expressions of channels over a run, reduced to one number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from engine.compiled.layout import Array
from engine.elements.base import Part
from engine.elements.fields import expression, number, text
from engine.registry import Registry

AT = "at"  # the one reduction that has a number of its own
ROUNDING = 1e-9


class Objective(Part, frozen=True, kw_only=True):
    """A named number of each run."""

    name: Annotated[str, text("Name")]
    expression: Annotated[str, expression("Expression", "", "of channels, parameters and t")]
    reduce: Annotated[str, text("Reduction", "final, max, min, range, mean, rms, time or at")] = "final"
    at: Annotated[float, number("Instant", "s", "that `at` asks about")] = 0.0

    def of(self, t: Array, x: Array) -> float:
        """The number that the values x at instants t become; NaN where there is none."""
        return value_at(t, x, self.at) if self.reduce == AT else REDUCTIONS[self.reduce].of(t, x)


@dataclass(frozen=True)
class Reduction:
    """How values x at instants t become one number; NaN where there is none."""

    name: str
    summary: str
    of: Callable[[Array, Array], float]


def _mean(t: Array, x: Array) -> float:
    """(1/T) ∫ x dt by trapezoids: samples need not be evenly spaced."""
    span = float(t[-1] - t[0])
    return float(np.trapezoid(x, t)) / span if span > 0.0 else float(x[-1])


def _extreme(t: Array, x: Array, sign: float) -> float:
    """The largest value of sign·x times sign, between samples by the quartic through five of them.

    The parabola through three samples rises above the middle one by at most an eighth of their second
    difference. A polynomial that does more follows a corner, not a smooth top: then the sample counts.
    """
    i = int(np.argmax(sign * x))
    top = float(x[i])
    if not 2 <= i < len(x) - 2:
        return top
    near = slice(i - 2, i + 3)
    h = float(t[i + 1] - t[i - 1]) / 2.0
    if not h > 0.0 or np.any(np.diff(t[near]) <= 0.0):
        return top
    powers = np.polynomial.polynomial.polyfit((t[near] - t[i]) / h, sign * x[near], 4)
    turns = np.roots((powers[1:] * np.arange(1, 5))[::-1])
    inside = turns[(np.abs(turns.imag) < ROUNDING) & (np.abs(turns.real) <= 1.0)].real
    values = np.polynomial.polynomial.polyval(inside, powers)
    rise = float(np.max(values, initial=-np.inf)) - sign * top
    second = abs(float(x[i + 1] - 2.0 * x[i] + x[i - 1]))
    return top + sign * rise if 0.0 <= rise <= second / 4.0 else top


def value_at(t: Array, x: Array, instant: float) -> float:
    """The value at an instant by a cubic through four samples; NaN outside of the run."""
    if not t[0] <= instant <= t[-1]:
        return float("nan")
    i = int(np.searchsorted(t, instant, "right")) - 1
    if t[i] == instant:  # of an event the value after it
        return float(x[i])
    from scipy.interpolate import BarycentricInterpolator

    near = _around(t, i)
    return float(BarycentricInterpolator(t[near] - instant, x[near])(0.0))


def _around(t: Array, i: int) -> slice:
    """Up to four samples around the interval from i to i + 1, none of them beyond an event."""
    first = max(0, min(i - 1, len(t) - 4))
    last = min(first + 4, len(t))
    events = first + np.flatnonzero(np.diff(t[first:last]) <= 0.0)  # two samples of one instant
    first = max([first, *(int(k) + 1 for k in events if k < i)])
    last = min([last, *(int(k) + 1 for k in events if k > i)])
    return slice(first, last)


def _first_crossing(t: Array, x: Array) -> float:
    """When x first changes its sign, or becomes true; between two samples it is a cubic through four."""
    truth = bool(np.isin(x, (0.0, 1.0)).all())
    if truth:
        fired = np.flatnonzero((x[:-1] == 0.0) & (x[1:] == 1.0))
        return float(t[fired[0] + 1]) if len(fired) else float("nan")
    fired = np.flatnonzero((x[:-1] * x[1:] < 0.0) | ((x[1:] == 0.0) & (x[:-1] != 0.0)))
    return _root(t, x, int(fired[0])) if len(fired) else float("nan")


def _root(t: Array, x: Array, i: int) -> float:
    """The zero between samples i and i + 1."""
    from scipy.interpolate import BarycentricInterpolator
    from scipy.optimize import brentq  # slow to import

    if x[i + 1] == 0.0 or t[i + 1] == t[i]:
        return float(t[i + 1])
    near = _around(t, i)
    cubic = BarycentricInterpolator(t[near] - t[i], x[near])
    # the cubic passes through both samples, so its zero lies between them
    return float(t[i] + brentq(cubic, 0.0, float(t[i + 1] - t[i]), xtol=float(np.spacing(t[i + 1]))))


REDUCTIONS: Registry[Reduction] = Registry(
    "reduction",
    Reduction("final", "the last value", lambda t, x: float(x[-1])),
    Reduction("max", "the largest value", lambda t, x: _extreme(t, x, 1.0)),
    Reduction("min", "the smallest value", lambda t, x: _extreme(t, x, -1.0)),
    Reduction(
        "range",
        "from the smallest to the largest value",
        lambda t, x: _extreme(t, x, 1.0) - _extreme(t, x, -1.0),
    ),
    Reduction("mean", "the mean over time", _mean),
    Reduction("rms", "the root of the mean square over time", lambda t, x: float(np.sqrt(_mean(t, x * x)))),
    Reduction("time", "when it first changes its sign, or becomes true", _first_crossing),
    Reduction(AT, "the value at an instant", lambda t, x: float(x[-1])),
)
