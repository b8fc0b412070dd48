"""Curves end at a jump and go on behind it; what is continuous goes on through events."""

import numpy as np

from app.widgets.plots.curves.gaps import with_gaps


def test_a_velocity_has_a_gap_at_an_impact_and_the_height_has_none() -> None:
    t = np.linspace(0.0, 1.0, 101)
    hit = 0.453
    speed = np.where(t < hit, -9.81 * t, 0.8 * 9.81 * hit - 9.81 * (t - hit))
    height = np.where(
        t < hit, -4.905 * t**2, -4.905 * hit**2 + 0.8 * 9.81 * hit * (t - hit) - 4.905 * (t - hit) ** 2
    )
    x, y = with_gaps(t, speed, np.array([hit]))
    (gap,) = np.flatnonzero(np.isnan(y))
    assert 0.45 < x[gap] < 0.46
    assert len(x) == len(t) + 1
    assert not np.isnan(with_gaps(t, height, np.array([hit]))[1]).any()


def test_several_events_between_two_samples_make_one_gap() -> None:
    t, y = np.arange(6.0), np.array([0.0, 0.0, 0.0, 5.0, 5.0, 5.0])
    assert np.isnan(with_gaps(t, y, np.array([2.2, 2.4, 2.9]))[1]).sum() == 1


def test_events_outside_the_curve_change_nothing() -> None:
    t, y = np.arange(6.0), np.array([0.0, 0.0, 0.0, 5.0, 5.0, 5.0])
    assert not np.isnan(with_gaps(t, y, np.array([-1.0, 9.0, 0.5]))[1]).any()
