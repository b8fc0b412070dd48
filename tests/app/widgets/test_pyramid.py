"""Curves of a million samples are drawn from few points that look the same."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.widgets.plots.curves.pyramid import Pyramid
from app.widgets.plots.curves.statistics import spectrum, statistics


def filled(n: int, pieces: int = 1, pixels: int = 0) -> Pyramid:
    """A curve that comes in so many pieces, each drawn on so many pixels when it has come."""
    t = np.arange(n) * 1e-3
    y = np.sin(7.0 * t) + 0.1 * np.cos(900.0 * t)
    made = Pyramid()
    for part in np.array_split(np.arange(n), pieces):
        made.append(t[part], y[part])
        if pixels:
            made.drawn(0.0, np.inf, pixels)
    return made


@given(n=st.integers(1, 3000), pieces=st.integers(1, 40))
def test_it_does_not_matter_in_which_pieces_samples_come(n: int, pieces: int) -> None:
    whole, parts = filled(n), filled(n, pieces, pixels=100)
    for pixels in (40, 200):
        for one, two in zip(
            whole.drawn(0.0, n * 1e-3, pixels), parts.drawn(0.0, n * 1e-3, pixels), strict=True
        ):
            np.testing.assert_array_equal(one, two)


@given(n=st.integers(1000, 5000), seed=st.integers(0, 1000), lost=st.floats(0.0, 0.5))
def test_every_bucket_shows_its_extremes_and_no_others(n: int, seed: int, lost: float) -> None:
    """By all samples: the largest and the smallest of any stretch are drawn within two buckets of it."""
    rng = np.random.default_rng(seed)
    t, y = np.arange(n, dtype=float), rng.normal(size=n)
    y[rng.uniform(size=n) < lost] = np.nan
    made = Pyramid()
    for part in np.array_split(np.arange(n), 7):
        made.append(t[part], y[part])
        made.drawn(0.0, n, 100)
    x, drawn = made.drawn(0.0, n, 100)
    np.testing.assert_array_equal(drawn, y[x.astype(int)])
    width = -(-n // 64)  # more than a bucket has
    for begin in range(0, n - width, width):
        near = (x >= begin - width) & (x <= begin + 2 * width)
        if np.isfinite(y[begin : begin + width]).any():
            assert np.nanmax(drawn[near]) >= np.nanmax(y[begin : begin + width])
            assert np.nanmin(drawn[near]) <= np.nanmin(y[begin : begin + width])


@given(n=st.integers(2, 50_000), a=st.floats(0.0, 1.0), b=st.floats(0.0, 1.0))
def test_the_drawn_points_reach_as_far_as_the_samples(n: int, a: float, b: float) -> None:
    made = filled(n)
    begin, end = sorted((a * n * 1e-3, b * n * 1e-3))
    x, y = made.drawn(begin, end, 100)
    assert len(x) <= 2 * 2 * 200 + 80
    assert np.all(np.diff(x) >= 0.0)
    _, inside = made.between(begin, end)
    if len(inside):
        assert y.min() <= inside.min()
        assert y.max() >= inside.max()


def test_a_million_samples_are_drawn_at_once() -> None:
    made = filled(1_000_000)
    began = time.perf_counter()
    for _ in range(20):
        made.drawn(0.0, 1000.0, 800)
    assert (time.perf_counter() - began) / 20 < 0.005


def test_values_between_samples_and_outside() -> None:
    made = Pyramid()
    made.append(np.array([0.0, 1.0]), np.array([2.0, 4.0]))
    assert made.at(0.25) == pytest.approx(2.5)
    assert np.isnan(made.at(1.5))
    made.append(np.array([0.5, 1.0, 2.0]), np.array([7.0, 9.0, 6.0]))  # the first one is too late
    assert made.at(1.0) == 9.0  # a jump: what is there after it
    assert made.at(0.999) == pytest.approx(3.998)
    assert made.at(2.0) == 6.0


def test_statistics_weigh_time_not_samples() -> None:
    t = np.concatenate([np.linspace(0.0, 1.0, 1001), np.linspace(1.0, 2.0, 11)[1:]])
    found = statistics(t, t)
    assert found is not None
    assert (found.low, found.high) == (0.0, 2.0)
    assert found.mean == pytest.approx(1.0)
    assert found.rms == pytest.approx(np.sqrt(4.0 / 3.0), rel=1e-3)


def test_a_spectrum_finds_frequency_and_amplitude() -> None:
    t = np.linspace(0.0, 10.0, 10_001)
    frequency, amplitude = spectrum(t, 3.0 * np.sin(2.0 * np.pi * 12.5 * t) + 5.0)
    peak = int(np.argmax(amplitude))
    assert frequency[peak] == pytest.approx(12.5, abs=0.1)
    assert amplitude[peak] == pytest.approx(3.0, rel=0.02)
