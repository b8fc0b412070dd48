"""Lines of equal value: on a circle, and nowhere near a hole."""

import numpy as np
import pytest

from app.widgets.charts.contours import contour, round_levels


def test_the_line_of_a_cone_is_a_circle() -> None:
    x = np.linspace(-2.0, 2.0, 81)
    cone = np.hypot(*np.meshgrid(x, x, indexing="ij"))
    pieces = contour(x, x, cone, 1.3)
    np.testing.assert_allclose(np.hypot(*pieces.reshape(-1, 2).T), 1.3, atol=1e-3)
    assert np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=1).sum() == pytest.approx(2.6 * np.pi, rel=1e-3)


def test_a_plane_is_cut_straight_and_a_hole_is_left_open() -> None:
    x, y = np.linspace(0.0, 1.0, 11), np.linspace(0.0, 2.0, 21)
    z = np.add.outer(3.0 * x, 0.0 * y)
    z[:, 10:] = np.nan
    pieces = contour(x, y, z, 1.0).reshape(-1, 2)
    np.testing.assert_allclose(pieces[:, 0], 1.0 / 3.0)
    assert pieces[:, 1].max() == pytest.approx(0.9)
    assert len(contour(x, y, z, 5.0)) == 0


def test_levels_are_round() -> None:
    np.testing.assert_allclose(round_levels(0.03, 0.97, 8), [0.2, 0.4, 0.6, 0.8])
    assert round_levels(1.0, 1.0, 8) == []
