"""Implicit methods at steps far too long for the start, where forces are out of balance.

The stiff double pendulum starts with a damper of 16 µs at 10 rad/s: constant acceleration over a step of 5 ms
would turn its light bar by a full turn. The reference is the same in two angles, by SciPy's Radau.
"""

from functools import cache

import numpy as np
import pytest

from engine import Trajectory
from engine.compiled.layout import Array
from tests.verification import references as ref
from tests.verification.runs import shipped_run

STEPS = (5e-4, 1e-3, 2e-3, 5e-3)
DURATION = 0.5
FOX_GOODWIN = "newmark_nullspace/fox_goodwin"
# They do not damp the mode of the damper, but flip it from step to step: accurate at no such step, but sound.
UNDAMPED = (FOX_GOODWIN, "newmark_nullspace", "trapezoidal", "hht", "generalized_alpha")
# order, and error of the angles at the end [rad] over the step to that power (measured: half of it)
DAMPED = {
    "implicit_euler": (1, 15.0),
    "implicit_midpoint": (2, 600.0),
    "bdf2": (2, 600.0),
    "bdf_dae": (2, 600.0),
    "radau": (2, 100.0),
}


@cache
def wanted() -> Array:
    return np.array(ref.stiff_double_pendulum_angles(DURATION)[:2])


def found(run: Trajectory) -> Array:
    return np.array([run.channel(f"body.{name}.angle")[-1] for name in ("upper", "lower")])


@pytest.mark.parametrize("dt", STEPS)
@pytest.mark.parametrize("method", UNDAMPED)
def test_runs_without_damping_of_the_fast_mode(method: str, dt: float) -> None:
    """They come to the end, with closed joints, on the grid; at short steps near the true angles."""
    run = shipped_run("stiff_double_pendulum", method, dt, DURATION)
    assert np.allclose(np.diff(run.t), dt, rtol=1e-9)
    assert run.channel("violation.position").max() < 1e-8
    if method != FOX_GOODWIN and dt <= 5e-4:
        assert np.abs(found(run) - wanted()).max() < 0.02


@pytest.mark.parametrize("dt", STEPS)
@pytest.mark.parametrize("method", DAMPED)
def test_methods_that_damp_it_are_accurate(method: str, dt: float) -> None:
    order, factor = DAMPED[method]
    run = shipped_run("stiff_double_pendulum", method, dt, DURATION)
    assert np.abs(found(run) - wanted()).max() < factor * dt**order


def test_a_divided_step_is_told() -> None:
    """Five milliseconds are beyond the stability limit of Fox and Goodwin, h ω ≤ 2.449."""
    run = shipped_run("stiff_double_pendulum", FOX_GOODWIN, 5e-3, DURATION)
    assert "taken in parts" in run.message
    assert len(run) == 1 + round(DURATION / 5e-3)


def test_nothing_is_divided_where_steps_can_be_solved() -> None:
    run = shipped_run("stiff_double_pendulum", "implicit_euler", 5e-3, DURATION)
    assert "parts" not in run.message
