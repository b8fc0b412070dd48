"""Rotation matrices and quaternions against SciPy's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from engine.elements.base import AxisAngle
from engine.maths.rotations import about, about_axis, cross_matrix, of_quaternion, quaternion_of
from engine.model.mass import rotation

seeds = st.integers(0, 10_000)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_about_a_coordinate_axis(axis: int) -> None:
    angles = np.linspace(-7.0, 7.0, 12).reshape(3, 4)
    wanted = Rotation.from_euler("xyz"[axis], angles.reshape(-1, 1)).as_matrix().reshape(3, 4, 3, 3)
    np.testing.assert_allclose(about(axis, angles), wanted, atol=1e-15)
    np.testing.assert_allclose(about(axis, 0.3), about_axis(np.eye(3)[axis], 0.3), atol=1e-15)


@given(seeds)
@settings(max_examples=30)
def test_about_any_axis(seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(5, 3))
    angles = np.linalg.norm(vectors, axis=1)
    found = about_axis(vectors / angles[:, None], angles)
    np.testing.assert_allclose(found, Rotation.from_rotvec(vectors).as_matrix(), atol=1e-14)
    given = AxisAngle(axis=tuple(vectors[0].tolist()), angle=float(angles[0]))
    np.testing.assert_allclose(rotation(given), found[0], atol=1e-14)
    np.testing.assert_allclose(cross_matrix(vectors[1]) @ vectors[2], np.cross(vectors[1], vectors[2]))


@given(seeds)
@settings(max_examples=30)
def test_of_quaternions_of_any_length(seed: int) -> None:
    q = np.random.default_rng(seed).normal(size=(2, 3, 4)) * 10.0
    wanted = Rotation.from_quat(np.roll(q.reshape(-1, 4), -1, axis=1)).as_matrix().reshape(2, 3, 3, 3)
    np.testing.assert_allclose(of_quaternion(q), wanted, atol=1e-14)
    np.testing.assert_allclose(rotation(tuple(q[0, 0].tolist())), wanted[0, 0], atol=1e-14)


@pytest.mark.parametrize("turn", [0.0, 1e-9, 1e-3, 2.0, np.pi - 1e-9, np.pi])
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, -1, 0), (0, 0, 1), (0.6, 0.0, -0.8), (-0.48, 0.6, 0.64)])
def test_a_quaternion_and_back(axis: tuple[float, float, float], turn: float) -> None:
    """Half turns too, where the scalar part vanishes."""
    R = about_axis(axis, turn)
    q = quaternion_of(R)
    assert q[0] >= 0.0
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_allclose(of_quaternion(q), R, atol=1e-15)
