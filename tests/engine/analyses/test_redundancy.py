"""The redundancy doctor on mechanisms whose answers are known by hand."""

import math
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from app.edits import accept
from engine.analyses.answers.result import Result, Suggestion
from engine.analyses.base import Question
from engine.analyses.check import check_scene
from engine.analyses.kinematics.kinematic import KINEMATIC
from engine.analyses.redundancy.doctor import REDUNDANCY
from engine.elements.drivers.joint_motion import JointMotionSpec
from engine.elements.joints.base import Start
from engine.model.scene import Scene
from engine.simulation.analysis_motions import trajectory_of
from engine.system.assembly.scaling import scales_of
from engine.system.equations.evaluator import Evaluator
from tests.engine.analyses.doctor_scenes import door, parallelogram
from tests.engine.system.mechanisms import hinge, scene, shipped, solid

ROWS = {"revolute": 5, "spherical": 3, "cylindrical": 4, "universal": 4, "point_on_line": 2}


@cache
def answer(name: str) -> tuple[Scene, Result]:
    made = {"door": door, "parallelogram": parallelogram}
    given = made[name]() if name in made else shipped(name)
    return given, doctor(given)


def doctor(given: Scene, **options: Any) -> Result:
    return REDUNDANCY.run(Question(given, REDUNDANCY.options(**options)))


def rows_named(result: Result) -> Counter[tuple[str, str]]:
    """(joint, label) of every row in the table of dependencies."""
    found: Counter[tuple[str, str]] = Counter()
    for row, others, _ in result.tables[0].rows:
        for mention in (row, *others):
            joint, label = mention.words.split(": ", 1)
            assert joint == mention.name
            found[joint, label] += 1
    return found


def suggestion(result: Result, title: str) -> Suggestion:
    (found,) = [one for one in result.suggestions if one.title == title]
    return found


def driven(given: Scene, *functions: str) -> Scene:
    """With motors on joint A, which is at some angle already."""
    (angle,) = [value for name, value in coordinates(given).items() if name == "A"]
    motors = [
        JointMotionSpec(name=f"motor {k + 1}", joint="A", coordinate="angle", function=f"{angle!r} + {text}")
        for k, text in enumerate(functions)
    ]
    return given.add(*motors)


def coordinates(given: Scene) -> dict[str, float]:
    """Angles of the joints at the start."""
    report = check_scene(given)
    coordinate_functions = Evaluator(report.mechanism).at(0.0, report.start.q).coordinate_functions[:, 0]
    return {joint: float(coordinate_functions[g]) for (joint, _), g in report.mechanism.coordinates.items()}


def counted(given: Scene) -> tuple[int, int]:
    found = check_scene(given).mobility
    return found.dof, found.redundant


# which rows


def test_spatial_four_bar_the_rows_out_of_the_plane() -> None:
    """Hinges along z: what each says of z, and of turning out of the plane, the loop says thrice."""
    _, result = answer("spatial_four_bar")
    out_of_plane = ("translation along z", "rotation about x", "rotation about y")
    assert set(rows_named(result)) == {(joint, label) for joint in "ABCD" for label in out_of_plane}
    assert [when for _, _, when in result.tables[0].rows] == ["always"] * 3
    assert result.summary.startswith("1 degree of freedom; 3 of 20 rows are redundant at every pose.")


def test_bricard_one_dependency_of_all_its_rows() -> None:
    """30 rows, 30 velocities, one degree of freedom: the closure of the loop is one condition short, in
    every row."""
    _, result = answer("bricard")
    named = rows_named(result)
    assert len(named) == 30
    assert {joint for joint, _ in named} == {f"P{k}" for k in range(6)}
    assert [when for _, _, when in result.tables[0].rows] == ["always"]


def test_door_every_further_hinge_repeats_all_it_says() -> None:
    """Rank 5 of 15 rows, so 10 repeat. The hinges' line is common: what one says along it and of turning
    across it, each other one says again, row by row; sideways it follows from the place and the direction."""
    _, result = answer("door")
    assert len(result.tables[0].rows) == 10
    assert result.summary.startswith("1 degree of freedom; 10 of 15 rows are redundant at every pose.")
    labels = [f"translation along {axis}" for axis in "xyz"] + ["rotation about x", "rotation about y"]
    found = {(row.name, row.words.split(": ")[1]) for row, _, _ in result.tables[0].rows}
    assert found == {(joint, label) for joint in ("H2", "H3") for label in labels}
    for row, others, when in result.tables[0].rows:
        assert when == "always"
        assert {other.name for other in others} == {"H1"}  # all is said there, none of it elsewhere
        if "rotation" in row.words:
            assert all("rotation" in other.words for other in others)


def test_parallelogram_one_row_at_every_pose() -> None:
    """Rods carry forces along themselves only: three parallel ones balance on the coupler in one way,
    and every pin takes part in it."""
    _, result = answer("parallelogram")
    ((_, _, when),) = result.tables[0].rows
    assert when == "always"
    assert {joint for joint, _ in rows_named(result)} == set("ABCDEF")
    assert result.summary.startswith("1 degree of freedom; 1 of 12 rows is redundant at every pose.")


def test_parallelogram_with_a_bar_of_another_length_is_a_frame() -> None:
    result = doctor(parallelogram(foot=0.7))
    assert result.summary == "No row is redundant: 0 degrees of freedom, 12 independent rows."
    assert not result.tables[0].rows
    assert not result.suggestions


def test_parallelogram_laid_flat_one_more_at_that_pose_only() -> None:
    """All pins on one line: tips move across it, so the coupler shifts and turns: 2 degrees of freedom, rank
    10."""
    result = doctor(parallelogram(angle=0.0))
    assert sorted(when for _, _, when in result.tables[0].rows) == ["always", "at this pose only"]
    assert any("singular" in note for note in result.notes)


# remedies


def test_the_best_cure_of_the_spatial_four_bar_is_a_ball_and_a_sleeve() -> None:
    given, result = answer("spatial_four_bar")
    first = result.suggestions[0]
    assert first.mark == ""
    assert sorted(kind(item) for _, item in first.replaced) == ["cylindrical", "spherical"]
    for each in result.suggestions[:10]:
        assert sum(ROWS[kind(joint)] for joint in accept(given, each).after.joints) == 18 - 1
    assert counted(accept(given, first).after) == (1, 0)
    sleeve_alone = suggestion(result, "B: revolute → cylindrical")
    assert "2 of 3 redundant rows left" in sleeve_alone.effect
    assert counted(accept(given, sleeve_alone).after) == (1, 2)


def test_the_cured_four_bar_turns_like_a_plane_one() -> None:
    """Driven through a whole turn, against the closed form of the loop A B C D."""
    given, result = answer("spatial_four_bar")
    remedied = accept(given, result.suggestions[0]).after
    options = KINEMATIC.options(duration=1.0, step=0.02)
    found = KINEMATIC.run(Question(driven(remedied, "2*pi*t"), options))
    run = trajectory_of(found.motions[0])
    assert run.t[-1] == pytest.approx(1.0)
    phi = math.pi / 2 + 2 * math.pi * run.t
    bx, by = 0.1 * np.cos(phi) - 0.4, 0.1 * np.sin(phi)
    # the tip C is 0.4 from B and 0.3 from D; the branch above the diagonal
    r = np.hypot(bx, by)
    angle = np.arctan2(by, bx) - np.arccos((0.3**2 + r**2 - 0.4**2) / (2 * 0.3 * r))
    x, y = 0.4 + 0.3 * np.cos(angle), 0.3 * np.sin(angle)
    np.testing.assert_allclose(run.channel("body.rocker.point.C.pos.x"), x, atol=1e-9)
    np.testing.assert_allclose(run.channel("body.rocker.point.C.pos.y"), y, atol=1e-9)


def test_two_balls_on_the_coupler_let_it_spin_idly() -> None:
    """A rod between a ball and a cross: with two balls it spins about its own line."""
    crank, rod = solid("crank", [0, 0, 0]), solid("rod", [0.2, 0, 0])
    slide = solid("slide", [1, 0, 0])
    joints = [
        hinge("A", "world", [0, 0, 0], "crank", [0, 0, 0]),
        hinge("B", "crank", [0.2, 0, 0], "rod", [0, 0, 0]),
        hinge("C", "rod", [0.8, 0, 0], "slide", [0, 0, 0], kind="spherical"),
        {
            "name": "D",
            "kind": "prismatic",
            "a": {"body": "world", "point": [1, 0, 0], "axis": [1, 0, 0]},
            "b": {"body": "slide", "axis": [1, 0, 0]},
        },
    ]
    crank["orientation"] = {"axis": [0, 0, 1], "angle": 0.0}
    result = doctor(scene("spatial", [crank, rod, slide], joints))
    spinning = [one for one in result.suggestions if "spins idly" in one.effect]
    assert spinning
    assert all("idle spin" in one.mark for one in spinning)
    assert any(one.title == "B: revolute → spherical" for one in spinning)
    assert "rod spins idly about the line through" in spinning[0].effect


def test_a_door_needs_one_hinge_or_a_ball_and_a_sleeve() -> None:
    given, result = answer("door")
    middle = suggestion(result, "remove H2")
    assert middle.mark == ""
    assert "5 of 10 redundant rows left" in middle.effect
    assert counted(accept(given, middle).after) == (1, 5)
    exact = [one for one in result.suggestions if "no redundant row is left" in one.effect]
    assert exact[0].mark == ""
    assert exact[0].title == "remove H2; remove H3"
    for one in exact:
        after = accept(given, one).after
        assert sum(ROWS[kind(joint)] for joint in after.joints) == 6 - 1
        assert counted(after) == (1, 0)


def test_slots_that_cure_the_parallelogram_and_slots_that_jam() -> None:
    """The third crank stands at angle θ like the others. A slot along the coupler holds its tip at the height
    L sin θ: dead where the crank is upright. A slot along the crank itself only gives it the direction."""
    given, result = answer("parallelogram")
    along_crank = suggestion(result, "F: revolute → point on line, a slot in third along it")
    along_coupler = suggestion(result, "F: revolute → point on line, a slot in coupler along it")
    assert along_crank.mark == ""
    assert along_coupler.mark == "goes singular on the way"
    start = 0.9 - coordinates(given)["A"]  # what the angle of A counts from
    upright = [round(math.degrees(turn * math.pi / 2 - start)) for turn in (1, -1)]
    assert any(f"near A = {degrees}°" in along_coupler.effect for degrees in upright)
    spare = suggestion(result, "remove third with its joints")
    assert spare.mark == ""
    for one in (along_crank, spare):
        assert counted(accept(given, one).after) == (1, 0)
    # a slot across the crank takes away what nothing else says: it remedies nothing
    assert not [one for one in result.suggestions if "a slot in third across it" in one.title]


def test_the_jam_is_where_it_is_told() -> None:
    """The cured linkage put together at that very pose: its crank has a degree of freedom of its own."""
    _, result = answer("parallelogram")
    along_coupler = suggestion(result, "F: revolute → point on line, a slot in coupler along it")
    assert counted(accept(parallelogram(angle=math.pi / 2), along_coupler).after) == (2, 1)
    assert counted(accept(parallelogram(angle=1.0), along_coupler).after) == (1, 0)


def test_a_sleeve_in_the_bricard_loop_lets_go_at_a_right_angle() -> None:
    """The weakest singular value of the cured mechanism, set up at angles before it, goes to zero there."""
    given, result = answer("bricard")
    sleeve = suggestion(result, "P2: revolute → cylindrical")
    assert sleeve.mark == "goes singular on the way"
    assert "near P0 = 90°" in sleeve.effect
    weakest = []
    for degrees in (86.0, 88.0):
        turned = Start(value=math.radians(degrees))
        joints = [replace(j, start={"angle": turned}) if j.name == "P0" else j for j in given.joints]
        report = check_scene(accept(replace(given, joints=tuple(joints)), sleeve).after)
        J = Evaluator(report.mechanism).at(0.0, report.start.q).jacobian
        J = scales_of(report.mechanism).jacobian(J)
        weakest.append(np.linalg.svd(J, compute_uv=False)[-1])
    assert weakest[1] / weakest[0] == pytest.approx(0.5, rel=0.01)


@pytest.mark.parametrize("name", ["bricard", "spatial_four_bar", "door", "parallelogram"])
def test_what_is_promised_is_what_the_check_finds(name: str) -> None:
    """The offers are compiled and counted anew; those that change the degrees of freedom are marked, no
    others."""
    given, result = answer(name)
    before, _ = counted(given)
    for one in result.suggestions[::4]:
        dof, redundant = counted(accept(given, one).after)
        assert ("freedom" in one.mark or "idle" in one.mark) == (dof != before), one.title
        assert ("no redundant row is left" in one.effect) == (redundant == 0), one.title


def test_a_driven_joint_keeps_the_coordinate_that_drives_it() -> None:
    """No remedy takes the angle away from a motor, and none removes the joint under it."""
    result = doctor(driven(shipped("spatial_four_bar"), "t"))
    of_a = [item for one in result.suggestions for _, item in one.replaced if item.name == "A"]
    assert of_a
    assert {kind(item) for item in of_a} == {"cylindrical"}


def test_a_joint_whose_angle_is_measured_keeps_it() -> None:
    given = shipped("spatial_four_bar").with_measure("expression", "swing", expression="joint.D.angle * 2")
    of_d = [item for one in doctor(given).suggestions for _, item in one.replaced if item.name == "D"]
    assert {kind(item) for item in of_d} == {"cylindrical"}


def test_two_motors_on_one_freedom() -> None:
    result = doctor(driven(shipped("four_bar"), "t", "t"))
    assert suggestion(result, "remove the motion motor 1").mark == ""
    assert suggestion(result, "remove the motion motor 2").mark == ""


def test_degrees_of_freedom_without_motions_are_called_so() -> None:
    driven_once = doctor(driven(shipped("four_bar"), "t")).summary
    assert driven_once == "No row is redundant: 1 degree of freedom without motions, 9 independent rows."


def test_nothing_to_cure() -> None:
    free = scene("spatial", [solid("stone", [0, 0, 0])], [])
    assert doctor(free).summary == "No row is redundant: 6 degrees of freedom, 0 independent rows."
    assert not doctor(shipped("double_pendulum")).suggestions


def kind(joint: Any) -> str:
    return str(joint.__struct_config__.tag)
