"""Directions of symbols, and scenes with nothing to point at."""

import numpy as np
import pytest

from app.viewport.canvas import primitive_surfaces as solids


@pytest.mark.parametrize("z", [(0.0, 0.0, 2.0), (1.0, -2.0, 0.5), (0.0, -3.0, 0.0)])
def test_a_symbol_turns_to_its_direction(z: tuple[float, ...]) -> None:
    R = solids.along(z)
    np.testing.assert_allclose(R @ [0.0, 0.0, 1.0], np.array(z) / np.linalg.norm(z), atol=1e-15)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-15)
    assert np.linalg.det(R) == pytest.approx(1.0)


def test_points_that_coincide_have_no_direction() -> None:
    np.testing.assert_array_equal(solids.along((0.0, 0.0, 0.0)), np.eye(3))
