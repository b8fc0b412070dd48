"""Angles within one turn: gaps at the edges, and nothing else changed (issue 18)."""

import numpy as np
import pytest

from app.widgets.plots.curves.wrapping import within, wrapped


def test_a_turning_crank_is_a_saw_with_gaps() -> None:
    t = np.linspace(0.0, 2.5, 51)
    y, x = wrapped(360.0, 360.0 * t, t)
    gaps = np.flatnonzero(np.isnan(y))
    np.testing.assert_allclose(x[gaps], [1.0, 2.0])  # where 360·t is a whole turn
    np.testing.assert_allclose(y[gaps - 1], 360.0)
    np.testing.assert_allclose(y[gaps + 1], 0.0, atol=1e-9)
    drawn = np.flatnonzero(np.isfinite(y[1:] - y[:-1]))
    steps = (y[1:] - y[:-1])[drawn]
    assert np.abs(steps).max() <= 360.0 * 0.05 + 1e-9  # no line across the plot


def test_turning_backwards_ends_below_and_goes_on_above() -> None:
    t = np.array([0.0, 1.0])
    y, x = wrapped(360.0, np.array([90.0, -90.0]), t)
    np.testing.assert_allclose(y, [90.0, 0.0, np.nan, 360.0, 270.0])
    np.testing.assert_allclose(x, [0.0, 0.5, 0.5, 0.5, 1.0])


def test_what_crosses_no_edge_stays_as_it_is() -> None:
    y, x = wrapped(360.0, np.array([10.0, 350.0]), np.array([0.0, 1.0]))
    np.testing.assert_array_equal(y, [10.0, 350.0])
    np.testing.assert_array_equal(x, [0.0, 1.0])


def test_rounding_noise_below_zero_is_no_turn() -> None:
    y, _ = wrapped(360.0, np.array([-1e-12, 5.0]), np.array([0.0, 1.0]))
    np.testing.assert_allclose(y, [0.0, 5.0], atol=1e-9)
    assert within(360.0, -1e-12) == pytest.approx(0.0, abs=1e-9)


def test_more_than_a_turn_between_two_samples_is_a_band() -> None:
    y, _ = wrapped(360.0, np.array([0.0, 1000.0]), np.array([0.0, 1.0]))
    assert np.isfinite(y).all()
    assert (y.min(), y.max()) == (0.0, 360.0)


@pytest.mark.parametrize(("value", "expected"), [(-90.0, 270.0), (725.0, 5.0), (0.0, 0.0)])
def test_one_value(value: float, expected: float) -> None:
    assert within(360.0, value) == pytest.approx(expected)
    assert within(0.0, value) == value
