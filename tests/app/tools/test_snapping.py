"""Snapping: what attracts, in which order, and that planes are hit where lines of sight cross them."""

import numpy as np
import pytest

from app.tools.snapping import Target, WorkPlane, grid_step, named_plane, snap
from engine.maths.round_numbers import nice

PX = 0.001  # m: the cell of the grid is then 50 mm wide
PLANE = WorkPlane()
PIN = Target(np.array([0.123, 0.077, 0.0]), "pin A", "joints", "A")


def test_steps_are_round_numbers() -> None:
    assert [nice(x) for x in (0.011, 0.02, 0.3, 7.0)] == pytest.approx([0.02, 0.02, 0.5, 10.0])
    assert grid_step(PX) == pytest.approx(0.05)
    assert grid_step(float("nan")) == 1.0


def test_a_point_attracts_before_the_grid() -> None:
    found = snap(PIN.point + np.array([0.008, -0.004, 0.0]), PLANE, PX, [PIN])
    assert found.target is PIN
    assert found.point == pytest.approx(PIN.point)
    far = snap(PIN.point + np.array([0.02, 0.0, 0.0]), PLANE, PX, [PIN])
    assert far.target is None


def test_of_two_points_the_one_of_lower_rank_is_taken() -> None:
    end = Target(PIN.point, "end B", "bodies", "bar 1", "B", rank=1)
    assert snap(PIN.point, PLANE, PX, [end, PIN]).target is PIN


def test_near_a_crossing_the_grid_attracts() -> None:
    found = snap(np.array([0.104, -0.046, 0.0]), PLANE, PX)
    assert found.kind == "grid"
    assert found.point == pytest.approx([0.1, -0.05, 0.0])


def test_directions_from_the_start_are_multiples_of_15_degrees() -> None:
    angle, length = np.radians(46.0), 0.1775
    p = np.array([length * np.cos(angle), length * np.sin(angle), 0.0])
    found = snap(p, PLANE, PX, start=np.zeros(3))
    assert found.kind == "direction"
    assert np.degrees(np.arctan2(found.point[1], found.point[0])) == pytest.approx(45.0)
    assert np.linalg.norm(found.point) == pytest.approx(0.18)


def test_level_with_another_point() -> None:
    found = snap(np.array([0.327, 0.075, 0.0]), PLANE, PX, [PIN], grid=False)
    assert found.kind == "line"
    assert found.point == pytest.approx([0.327, 0.077, 0.0])


def test_between_crossings_coordinates_are_round() -> None:
    found = snap(np.array([0.1239, 0.0761, 0.0]), PLANE, PX)
    assert found.kind == "free"
    assert found.point == pytest.approx([0.125, 0.075, 0.0])


def test_between_crossings_the_whole_grid_takes_the_nearest_one_and_the_fine_one_none() -> None:
    p = np.array([0.1239, 0.0761, 0.0])
    assert snap(p, PLANE, PX, whole=True).point == pytest.approx([0.1, 0.1, 0.0])
    near = np.array([0.104, -0.046, 0.0])  # a crossing would attract it
    assert snap(near, PLANE, PX, whole=True, fine=True).point == pytest.approx([0.105, -0.045, 0.0])


def test_along_a_direction_the_whole_grid_counts_too() -> None:
    p = np.array([0.121, 0.003, 0.0])  # between two crossings of a level bar
    assert snap(p, PLANE, PX, start=np.zeros(3), whole=True).point == pytest.approx([0.1, 0.0, 0.0])
    fine = snap(p, PLANE, PX, start=np.zeros(3), whole=True, fine=True)
    assert fine.point == pytest.approx([0.12, 0.0, 0.0])


def test_nothing_attracts_what_is_switched_off() -> None:
    p = np.array([0.101, 0.051, 0.0])
    assert snap(p, PLANE, PX, [PIN], points=False, grid=False, lines=False).point == pytest.approx(p)


def test_a_line_of_sight_meets_the_plane() -> None:
    plane = named_plane("yz", np.array([0.3, 9.0, -4.0]))
    assert plane.normal == pytest.approx([1.0, 0.0, 0.0])
    direction = np.array([-1.0, 0.25, 0.5])
    found = plane.hit(np.array([2.3, 0.5, -1.0]), direction)
    assert found == pytest.approx([0.3, 1.0, 0.0])
    assert plane.world(plane.local(found)) == pytest.approx(found)
    assert plane.hit(np.array([2.3, 0.5, -1.0]), -direction) is None  # behind the viewer
    assert plane.hit(np.zeros(3), np.array([0.0, 1.0, 0.0])) is None  # along the plane
