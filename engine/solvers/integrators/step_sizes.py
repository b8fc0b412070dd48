"""Sizes of controlled steps, for all schemes that estimate their error: a PI controller [Hairer 1996, §IV.2].

The error is in units of the tolerance, 1 is just acceptable; `power` is the power of h in it.
"""

import numpy as np

from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import options as SLOT
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, Option

RTOL, ATOL = SLOT.SCHEME, SLOT.SCHEME + 1
OPTIONS = (
    Option("rtol", RTOL, 1e-8, "Relative tolerance"),
    Option("atol", ATOL, 1e-10, "Absolute tolerance"),
)
SAFETY, SHRINK, GROW = 0.9, 0.2, 5.0
PROPORTIONAL, INTEGRAL = 0.7, 0.4  # over the power
SMALLEST_ERROR = 1e-10  # a smaller one says nothing about the next step
MIN_STEP = 1e-13  # of the sampling interval (or of time itself): below it the step is given up


@inlined
def proposed_size(clock: Array, first: float) -> float:
    """What the last step has proposed; at the start a share of the sampling interval."""
    return float(clock[CLOCK.NEXT] if clock[CLOCK.NEXT] > 0.0 else first * clock[CLOCK.STEP])


@inlined
def smallest_size(clock: Array) -> float:
    return float(max(MIN_STEP * clock[CLOCK.STEP], 4.0 * np.spacing(abs(clock[CLOCK.NOW]))))


@inlined
def over_tolerance(error: float, old: float, new: float, rtol: float, atol: float) -> float:
    return float(abs(error) / (atol + rtol * max(abs(old), abs(new))))


@inlined
def shrink(error: float, power: float) -> float:
    """Factor of a step whose error was too large; one that has no error, as it failed, is cut most."""
    return float(max(SHRINK, SAFETY * error ** (-1.0 / power)) if error < np.inf else SHRINK)


@inlined
def change(error: float, before: float, power: float) -> float:
    """Factor of the step after an accepted one; `before`: the error of the one before it, 0 if none."""
    damped = before ** (INTEGRAL / power) if before > 0.0 else 1.0
    wanted = SAFETY * max(error, SMALLEST_ERROR) ** (-PROPORTIONAL / power) * damped
    return float(min(GROW, max(SHRINK, wanted)))


@inlined
def propose(clock: Array, size: float, proposed: float, factor: float) -> None:
    """Tell the next step; one cut short by the end of the interval says little about it."""
    clock[CLOCK.NEXT] = factor * size if size >= proposed else max(proposed, factor * size)
    clock[CLOCK.USED] = size
