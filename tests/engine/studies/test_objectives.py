"""Reductions against closed forms."""

import math

import numpy as np
import pytest

from engine.studies.objectives import REDUCTIONS

T = np.linspace(0.0, 2.0 * math.pi, 2001)
EVEN = 2e-6  # trapezoids and samples: h²/8 of the curvature


@pytest.mark.parametrize(
    ("name", "of_sine"),
    [("final", 0.0), ("max", 1.0), ("min", -1.0), ("range", 2.0), ("mean", 0.0), ("rms", math.sqrt(0.5))],
)
def test_of_a_sine(name: str, of_sine: float) -> None:
    assert REDUCTIONS[name].of(T, np.sin(T)) == pytest.approx(of_sine, abs=EVEN)


def test_the_mean_counts_time_and_not_samples() -> None:
    t = np.concatenate([np.linspace(0.0, 0.1, 1000), [1.0]])
    assert REDUCTIONS["mean"].of(t, t) == pytest.approx(0.5, abs=1e-9)


def test_the_time_of_a_crossing_lies_between_the_samples() -> None:
    t = np.linspace(0.0, 3.0, 100)
    # cubic through four points: h⁴ max|x⁗| / (24 · 16/9 …) < 1e-7
    assert REDUCTIONS["time"].of(t, np.cos(t)) == pytest.approx(math.pi / 2.0, abs=1e-7)


def test_a_comparison_becomes_true_at_a_sample() -> None:
    t = np.linspace(0.0, 1.0, 11)
    assert REDUCTIONS["time"].of(t, (t > 0.45).astype(float)) == pytest.approx(0.5)


def test_what_never_happens_has_no_time() -> None:
    assert math.isnan(REDUCTIONS["time"].of(T, 2.0 + np.sin(T)))
