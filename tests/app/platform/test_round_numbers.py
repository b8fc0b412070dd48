"""Numbers that are written into scenes: what is meant, not what rounding left."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.edits import set_start
from app.edits.geometry.joint_frames import written
from app.tools.snap_targets import local, targets
from app.tools.snapping import named_plane, snap
from engine import Scene
from engine.maths.round_numbers import exact, exact_angle, nice, tidy


@given(st.integers(-5000, 5000), st.floats(-9e-13, 9e-13))
def test_issue_18_noise_about_a_round_number_is_taken_away(thousandths: int, noise: float) -> None:
    assert exact(thousandths / 1000 + noise) == thousandths / 1000
    assert tidy(thousandths / 1000 + noise) == thousandths / 1000


@given(st.floats(0.01, 1.0))
def test_what_is_not_round_stays_bit_by_bit(value: float) -> None:
    found = exact(value)
    assert found == value or len(repr(found)) <= len("0.123456789")


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 1e3])
def test_noise_is_judged_by_the_size_of_the_scene(size: float) -> None:
    assert exact(-3.29e-13 * size, size) == 0.0
    assert exact(0.3250000000004962 * size, size) == pytest.approx(0.325 * size, rel=1e-15)
    root = math.sqrt(0.5) * size
    assert exact(root, size) == root


@given(st.floats(), st.floats(min_value=0.0))
def test_no_number_is_too_small_or_large_to_be_looked_at(value: float, size: float) -> None:
    """5e-324 of a size ended in the logarithm of zero."""
    found = exact(value, size)
    assert found == value or math.isnan(value) or abs(found - value) <= 1e-11 * size
    assert nice(value) > 0.0


def test_angles_are_round_in_degrees() -> None:
    for degrees in (0, 15, 60, 90, -135, 12.5):
        assert exact_angle(math.radians(degrees) + 4e-13) == math.radians(degrees)
    assert exact_angle(1.0) == 1.0


def shown(scene: Scene) -> Any:
    """A view of a linkage as it is shown: closing has left 5e-13 in its pose."""
    place = np.array([0.3250000000004962, -3.29e-13, 0.0])
    poses = {"world": (np.zeros(3), np.eye(3)), "bar": (place, np.eye(3))}
    stage = SimpleNamespace(scene=scene, planar=True, extent=0.5, poses=poses)
    return SimpleNamespace(stage=stage, queries=SimpleNamespace(position_of=lambda ref: place))


def test_issue_18_an_exact_pin_gives_exact_numbers() -> None:
    scene = Scene(space="planar").with_body("bar", points=[{"name": "A", "position": [0.0, 0.0]}])
    view = shown(scene)
    known = targets(view)
    place = snap(np.array([0.3251, 1e-4, 0.0]), named_plane("xy"), 1e-3, known)
    assert place.kind == "point"
    assert place.point.tolist() == [0.325, 0.0, 0.0]
    assert local(view, "world", place.point) == (0.325, 0.0)
    assert local(view, "bar", place.point) == (0.0, 0.0)


def test_issue_18_the_grid_gives_round_numbers() -> None:
    for k in range(200):
        place = snap(np.array([0.1 * k + 1e-3, -0.1 * k, 0.0]), named_plane("xy"), 1e-3)
        assert all(len(repr(abs(x))) <= 6 for x in place.point.tolist()), place.point


def test_issue_18_a_dropped_linkage_is_written_without_noise() -> None:
    scene = Scene(space="planar").with_body("bar", position=[0.3, 0.1], angle=0.2)
    c, s = math.cos(math.pi / 3 + 3e-13), math.sin(math.pi / 3 + 3e-13)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    after = set_start(scene, {"bar": (np.array([0.3250000000004962, -3.29e-13]), R)}).after
    assert after.body("bar").position == (0.325, 0.0)
    assert after.body("bar").angle == math.radians(60.0)
    assert written(np.array([0.3250000000004962, 2e-16, 0.0]), True) == (0.325, 0.0)
