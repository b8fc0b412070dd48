"""Assembly: open joints, what closing moves, and the other branches, against closed forms."""

import math

import msgspec
import numpy as np
import pytest

from app.edits import accept
from engine.analyses.answers.result import Result, Suggestion
from engine.analyses.base import Question
from engine.analyses.check import check_scene
from engine.analyses.kinematics.branches import BRANCHES
from engine.analyses.kinematics.closure import CLOSURE
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.progress import Cancelled
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from tests.engine.system.mechanisms import bar, hinge, scene, shipped, solid


def branches(given: Scene, tries: int = 30) -> Result:
    return BRANCHES.run(Question(given, BRANCHES.options(tries=tries)))


def point_at(suggestion: Suggestion, body: str, p: tuple[float, float, float]) -> np.ndarray:
    assert suggestion.poses is not None
    origin, R = suggestion.poses[body]
    return origin + R @ np.array(p)


@pytest.mark.parametrize("name", ["four_bar", "spatial_four_bar"])
def test_a_four_bar_has_two_branches_for_one_crank_angle(name: str) -> None:
    """C lies on the circles of 0.4 about B = (0, 0.1) and of 0.3 about D = (0.4, 0): two points."""
    result = branches(shipped(name))
    assert result.summary == "Found 2 branches in 30 tries; there may be more."
    (other,) = result.suggestions
    b, d, r2, r3 = np.array([0.0, 0.1]), np.array([0.4, 0.0]), 0.4, 0.3
    apart = float(np.linalg.norm(d - b))
    along = (r2**2 - r3**2 + apart**2) / (2 * apart)
    across = math.sqrt(r2**2 - along**2)
    e = (d - b) / apart
    below = b + along * e - across * np.array([-e[1], e[0]])  # the scene is the upper one
    c = point_at(other, "rocker", (0.3, 0.0, 0.0))
    np.testing.assert_allclose(c, [*below, 0.0], atol=1e-9)
    np.testing.assert_allclose(point_at(other, "coupler", (0.4, 0.0, 0.0)), [*below, 0.0], atol=1e-9)
    np.testing.assert_allclose(point_at(other, "crank", (0.1, 0.0, 0.0)), [0.0, 0.1, 0.0], atol=1e-9)
    assert "angle of A" in result.notes[0]


def test_a_branch_that_is_taken_is_the_start() -> None:
    given = shipped("four_bar")
    (other,) = branches(given).suggestions
    after = accept(given, other).after
    assert check_scene(after).start.violation_before < 1e-9
    (back,) = branches(after).suggestions
    origin, R = back.poses["rocker"]
    now = resolve(given).body("rocker")
    assert math.atan2(R[1, 0], R[0, 0]) == pytest.approx(float(now.angle), abs=1e-9)
    np.testing.assert_allclose(origin, now.position, atol=1e-9)


def test_a_slider_crank_has_two() -> None:
    """Crank at 45°: the slider is ahead of its tip or behind it, by the reach of the rod."""
    given = shipped("slider_crank")
    result = branches(given)
    (other,) = result.suggestions
    mechanism = compile_scene(given)
    evaluator = Evaluator(mechanism)
    (guide,) = [g for (joint, _), g in mechanism.coordinates.items() if joint == "guide"]
    now = float(evaluator.at(0.0, mechanism.q).coordinate_functions[guide, 0])
    tip = math.cos(math.pi / 4)
    rod = math.hypot(now - tip, math.sin(math.pi / 4))
    reach = math.sqrt(rod**2 - math.sin(math.pi / 4) ** 2)
    after = compile_scene(accept(given, other).after)
    found = float(Evaluator(after).at(0.0, after.q).coordinate_functions[guide, 0])
    assert sorted([now, found]) == pytest.approx(sorted([tip + reach, tip - reach]), abs=1e-9)


def three_legs() -> Scene:
    """A planar platform on three legs of fixed length (3-RR): up to six poses."""
    plate = bar("plate", (0.25, 0.5), 0.1)
    feet = [(0.0, 0.0), (1.0, 0.0), (0.5, 1.2)]
    tips = [(0.0, 0.0), (0.5, 0.0), (0.25, 0.4)]
    joints = [
        {
            "name": f"leg{k}",
            "kind": "distance",
            "a": {"body": "world", "point": list(foot)},
            "b": {"body": "plate", "point": list(tip)},
        }
        for k, (foot, tip) in enumerate(zip(feet, tips, strict=True))
    ]
    return scene("planar", [plate], joints)


def test_a_platform_on_three_legs_has_several() -> None:
    """Every pose found keeps the lengths of the legs; their number is even and at most six."""
    given = three_legs()
    result = branches(given, tries=60)
    assert 1 <= len(result.suggestions) <= 5
    assert len(result.suggestions) % 2 == 1
    feet = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, 1.2, 0.0)])
    tips = np.array([(0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.25, 0.4, 0.0)])
    c, s = math.cos(0.1), math.sin(0.1)
    placed = np.array([0.25, 0.5, 0.0]) + tips @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    lengths = np.linalg.norm(placed - feet, axis=1)
    for suggestion in result.suggestions:
        found = np.array([point_at(suggestion, "plate", tuple(tip)) for tip in tips])
        np.testing.assert_allclose(np.linalg.norm(found - feet, axis=1), lengths, atol=1e-9)


def test_the_search_can_be_stopped() -> None:
    calls = iter([False] * 5 + [True] * 100)
    with pytest.raises(Cancelled):
        BRANCHES.run(Question(shipped("four_bar"), BRANCHES.options(), cancel=lambda: next(calls)))


# open joints


def moved(given: Scene, body: str, **values: object) -> Scene:
    bodies = tuple(msgspec.structs.replace(b, **values) if b.name == body else b for b in given.bodies)
    return msgspec.structs.replace(given, bodies=bodies)


def test_open_joints_are_measured() -> None:
    """A bar 30 mm off along x and a hinge axis tilted by 0.2 rad."""
    tilted = solid("bar", [0.03, 0, 0], orientation={"axis": [0, 1, 0], "angle": 0.2})
    joint = hinge("A", "world", [0, 0, 0], "bar", [0, 0, 0])
    joint["a"]["axis"] = joint["b"]["axis"] = [0, 0, 1]
    result = CLOSURE.run(Question(scene("spatial", [tilted], [joint]), CLOSURE.options()))
    (row,) = result.tables[1].rows
    assert row[0].name == "A"
    assert row[1:] == pytest.approx((0.03, 0.2), abs=1e-12)
    assert result.summary.startswith("One joint is open as given")
    (close,) = result.suggestions
    assert "moves bar by" in close.effect


def test_the_worst_comes_first_and_closing_closes() -> None:
    given = moved(shipped("four_bar"), "coupler", position=(0.05, 0.2, 0.0), angle=0.3)
    result = CLOSURE.run(Question(given, CLOSURE.options()))
    gaps = [row[1] for row in result.tables[1].rows]
    assert gaps == sorted(gaps, reverse=True)
    assert {row[0].name for row in result.tables[1].rows} == {"B", "C"}
    (close,) = result.suggestions
    after = accept(given, close).after
    again = CLOSURE.run(Question(after, CLOSURE.options()))
    assert again.summary.startswith("The scene is assembled as it is given.")
    assert not again.suggestions


def test_joints_that_contradict_each_other() -> None:
    """A pin at two places of the world 0.1 m apart: 0.05 m stay open at each."""
    joints = [
        hinge("A", "world", [0, 0], "bar", [0, 0], kind="fixed"),
        hinge("B", "world", [0.1, 0], "bar", [0, 0], kind="fixed"),
    ]
    result = CLOSURE.run(Question(scene("planar", [bar("bar", (0.0, 0.0), 0.0)], joints), CLOSURE.options()))
    assert result.summary.startswith("The joints cannot all be closed")
    assert [row[1] for row in result.tables[1].rows] == pytest.approx([0.05, 0.05], rel=1e-6)
    assert not result.suggestions
    found = branches(scene("planar", [bar("bar", (0.0, 0.0), 0.0)], joints), tries=3)
    assert found.summary == "No closed pose was found in 3 tries; there may be one all the same."


def test_without_joints_there_is_one_branch() -> None:
    free = scene("spatial", [solid("stone", [0, 0, 0])], [])
    assert branches(free, tries=2).summary == "Found 1 branch in 2 tries; there may be more."
    assert not CLOSURE.run(Question(free, CLOSURE.options())).suggestions
