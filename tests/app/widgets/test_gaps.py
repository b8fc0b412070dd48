"""Curves end at a jump and go on behind it; what is continuous goes on through events."""

import numpy as np

from app.widgets.plots.curves.gaps import with_gaps

T = np.array([0.0, 1.0, 1.5, 1.5, 2.0, 3.0])
JUMPS = np.array([0.0, 1.0, 1.5, -1.5, -1.0, 0.0])


def test_a_velocity_has_a_gap_at_an_impact_and_the_height_has_none() -> None:
    t, y = with_gaps(T, JUMPS)
    (gap,) = np.flatnonzero(np.isnan(y))
    assert t[gap - 1] == t[gap] == t[gap + 1] == 1.5
    np.testing.assert_array_equal(np.delete(y, gap), JUMPS)
    assert not np.isnan(with_gaps(T, np.abs(T - 1.5))[1]).any()


def test_one_over_another_has_a_gap_where_either_jumps() -> None:
    t, x, y = with_gaps(T, T, JUMPS)
    assert np.isnan(x).sum() == np.isnan(y).sum() == 1
    assert len(t) == len(T) + 1


def test_rounding_is_no_jump_and_steep_is_none() -> None:
    assert not np.isnan(with_gaps(T, np.where(np.arange(6) == 3, 1e-12, 0.0) + T)[1]).any()
    assert not np.isnan(with_gaps(np.arange(6.0), JUMPS)[1]).any()
