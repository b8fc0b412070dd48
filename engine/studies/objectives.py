"""Objectives: expressions of channels over a run, reduced to one number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from engine.compiled.layout import Array
from engine.elements.base import Part
from engine.elements.fields import expression, text
from engine.registry import Registry


class Objective(Part, frozen=True, kw_only=True):
    """A named number of each run."""

    name: Annotated[str, text("Name")]
    expression: Annotated[str, expression("Expression", "", "of channels, parameters and t")]
    reduce: Annotated[str, text("Reduction", "final, max, min, range, mean, rms or time")] = "final"


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

    if x[i + 1] == 0.0:
        return float(t[i + 1])
    first = max(0, min(i - 1, len(t) - 4))
    near = slice(first, first + 4)
    cubic = BarycentricInterpolator(t[near] - t[i], x[near])
    # the cubic passes through both samples, so its zero lies between them
    return float(t[i] + brentq(cubic, 0.0, float(t[i + 1] - t[i]), xtol=float(np.spacing(t[i + 1]))))


REDUCTIONS: Registry[Reduction] = Registry(
    "reduction",
    Reduction("final", "the last value", lambda t, x: float(x[-1])),
    Reduction("max", "the largest value", lambda t, x: float(x.max())),
    Reduction("min", "the smallest value", lambda t, x: float(x.min())),
    Reduction("range", "from the smallest to the largest value", lambda t, x: float(np.ptp(x))),
    Reduction("mean", "the mean over time", _mean),
    Reduction("rms", "the root of the mean square over time", lambda t, x: float(np.sqrt(_mean(t, x * x)))),
    Reduction("time", "when it first changes its sign, or becomes true", _first_crossing),
)
