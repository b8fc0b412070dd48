"""The length of a bar: where its far pin goes, what becomes of its mass, and which lengths can be."""

import math

import numpy as np
import pytest

from app.document.document import Ref
from app.edits.building.bars.bar_length import set_length
from app.edits.building.bars.find_bars import find_bar
from app.edits.building.bars.length_parameter import has_plain_length, length_parameter
from app.platform.resources import scene_paths
from engine import Scene, SceneError, compile_scene, load_scene, resolve, validate
from engine.model.mass import mass_properties
from engine.system.assembly.assemble import assemble


def shipped(name: str) -> Scene:
    return load_scene(scene_paths()[name])


def test_bars_of_shipped_scenes_are_found():
    found = {
        (name, body.name): find_bar(scene, body.name)
        for name in ("four_bar", "slider_crank", "flyball_governor", "double_pendulum", "andrews")
        for scene in [shipped(name)]
        for body in scene.bodies
    }
    assert found["four_bar", "crank"].length == "L1"
    assert found["four_bar", "coupler"].length == "L2"
    assert found["slider_crank", "slider"] is None
    assert found["flyball_governor", "right arm"].now == pytest.approx(1.0)
    assert found["double_pendulum", "lower"].now == pytest.approx(0.8)


def test_a_length_that_is_a_parameter_of_its_own_changes_the_parameter():
    scene = shipped("four_bar")
    edit = set_length(scene, Ref("bodies", "crank"), 0.08)
    assert edit.text == "Change length of crank"
    assert edit.after.parameter("L1").value == 0.08
    assert edit.after.bodies == scene.bodies
    with pytest.raises(SceneError, match=r"from 0.05 m to 0.12 m"):
        set_length(scene, Ref("bodies", "crank"), 0.5)


def test_a_shared_parameter_is_left_alone():
    """Crank and rod of the slider-crank are both L long: only the one that is edited changes."""
    scene = shipped("slider_crank")
    after = set_length(scene, Ref("bodies", "crank"), 0.5).after
    assert after.parameters == scene.parameters
    assert find_bar(after, "rod").now == pytest.approx(1.0)
    crank = resolve(after).body("crank")
    assert crank.point("P2").position == pytest.approx((0.5, 0.0, 0.0))
    assert crank.com == pytest.approx((0.25, 0.0, 0.0))
    # half as long, of the same section: m/2, and m L²/12 is an eighth
    assert crank.mass == pytest.approx(0.5)
    assert crank.inertia[0] == pytest.approx(1.0 / 12.0 / 8.0)
    assert validate(after) == []
    start = assemble(compile_scene(after))
    assert start.violation_after < 1e-12
    # twice makes a factor, not a tower of them
    back = set_length(after, Ref("bodies", "crank"), 1.0).after
    assert resolve(back).body("crank").mass == pytest.approx(1.0, rel=1e-12)
    assert back.body("crank").mass == "m"


def test_a_bar_whose_mass_comes_from_its_shape_has_that_of_a_uniform_bar():
    r, density = 0.02, 7800.0
    scene = Scene().with_body(
        "bar",
        points=[{"name": "A", "position": [0, 0, 0]}, {"name": "B", "position": [0, 0.3, 0.4]}],
        shapes=[{"kind": "rod", "start": [0, 0, 0], "end": [0, 0.3, 0.4], "radius": r, "density": density}],
    )
    for length in (0.25, 1.0):
        after = set_length(scene, Ref("bodies", "bar"), length).after
        body = resolve(after).body("bar")
        got = mass_properties(body)
        u = np.array([0.0, 0.6, 0.8])
        m = density * math.pi * r * r * length
        assert got.mass == pytest.approx(m, rel=1e-12)
        np.testing.assert_allclose(got.com, u * length / 2.0, atol=1e-12)
        across = m * (3.0 * r * r + length * length) / 12.0
        assert u @ got.inertia @ u == pytest.approx(m * r * r / 2.0, rel=1e-9)
        assert got.inertia[0, 0] == pytest.approx(across, rel=1e-9)
        np.testing.assert_allclose(body.point("B").position, u * length, atol=1e-12)


def test_given_spatial_inertia_becomes_that_of_the_same_material():
    """A brick of given mass: its inertia follows m (b² + c²)/12 when one side changes."""
    m, a, b, c = 2.0, 0.6, 0.05, 0.03
    box = {"kind": "box", "size": [a, b, c], "position": [0.25, 0.0, 0.0]}
    inertia = [m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12]
    scene = Scene().with_body(
        "link",
        mass=m,
        com=[0.25, 0.0, 0.0],
        inertia=inertia,
        points=[{"name": "A", "position": [0, 0, 0]}, {"name": "B", "position": [0.5, 0, 0]}],
        shapes=[box],
    )
    after = resolve(set_length(scene, Ref("bodies", "link"), 0.8).after).body("link")
    a2 = a + 0.3
    m2 = m * a2 / a
    assert after.shapes[0].size[0] == pytest.approx(a2)  # as far beyond its pins as before
    assert after.shapes[0].position[0] == pytest.approx(0.4)
    assert after.com[0] == pytest.approx(0.4)
    assert after.mass == pytest.approx(m2)
    expected = [m2 * (b * b + c * c) / 12, m2 * (a2 * a2 + c * c) / 12, m2 * (a2 * a2 + b * b) / 12]
    assert after.inertia == pytest.approx(expected)


def test_what_is_taken_from_the_pose_stays_where_it_was():
    scene = (
        Scene(space="planar")
        .with_body(
            "bar",
            mass=1.0,
            com=[0.5, 0.0],
            inertia=[0.1],
            shapes=[{"kind": "rod", "start": [0, 0], "end": [1, 0], "radius": 0.01}],
        )
        .with_body("tip", position=[1.0, 0.0], mass=1.0, inertia=[0.1])
        .with_joint("revolute", "J", a={"body": "bar", "point": [1.0, 0.0]}, b={"body": "tip"})
        .with_joint("revolute", "K", a={"body": "tip", "point": [0.0, 0.0]}, b={"body": "bar"})
        .with_force(
            "spring", "S", a={"body": "world", "point": [1.0, 1.0]}, b={"body": "bar", "point": [1.0, 0.0]}
        )
    )
    after = set_length(scene, Ref("bodies", "bar"), 1.5).after
    assert after.joint("J").a.point == (1.5, 0.0)
    assert after.joint("J").b.point == (0.0, 0.0)  # the same place of the other body
    assert after.joint("K").b.point == (1.5, 0.0)
    assert after.force("S").b.point == (1.5, 0.0)
    assert after.force("S").free_length == pytest.approx(1.0)
    assert assemble(compile_scene(after)).violation_after < 1e-12


def test_an_expression_can_be_the_length():
    scene = shipped("four_bar").with_parameter("k", 2.0)
    after = set_length(scene, Ref("bodies", "rocker"), "k*0.15").after
    assert find_bar(after, "rocker").length == "k*0.15"
    assert find_bar(after, "rocker").now == pytest.approx(0.3)


@pytest.mark.parametrize("length", [0.0, -1.0, math.nan, math.inf, "nothing", "0*3"])
def test_lengths_that_cannot_be(length):
    with pytest.raises(SceneError):
        set_length(shipped("double_pendulum").with_parameter("m", 1.0), Ref("bodies", "upper"), length)
    with pytest.raises(SceneError, match="no bar"):
        set_length(shipped("slider_crank"), Ref("bodies", "slider"), 1.0)


def four_bar(crank=0.1, coupler=0.7, rocker=0.3, ground=0.8):
    """A four-bar by numbers, closed by assembly from a rough pose."""

    def bar(length, angle, at):
        return {
            "position": at,
            "angle": angle,
            "points": [{"name": "A", "position": [0, 0]}, {"name": "B", "position": [length, 0]}],
            "shapes": [
                {"kind": "rod", "start": [0, 0], "end": [length, 0], "radius": 0.01, "density": 1000.0}
            ],
        }

    return (
        Scene(space="planar")
        .with_simulation(duration=1000.0)
        .with_body("crank", **bar(crank, 1.0, [0.0, 0.0]), angular_velocity=[0.0, 0.0, 3.0])
        .with_body("coupler", **bar(coupler, 0.1, [0.05, 0.08]))
        .with_body("rocker", **bar(rocker, 1.8, [ground, 0.0]))
        .with_joint("revolute", "A", a={"body": "world"}, b={"body": "crank", "point": "A"})
        .with_joint("revolute", "B", a={"body": "crank", "point": "B"}, b={"body": "coupler", "point": "A"})
        .with_joint("revolute", "C", a={"body": "coupler", "point": "B"}, b={"body": "rocker", "point": "B"})
        .with_joint(
            "revolute", "D", a={"body": "world", "point": [ground, 0.0]}, b={"body": "rocker", "point": "A"}
        )
    )


@pytest.mark.parametrize(
    ("bar", "wanted", "low", "high"),
    [
        # four bars close when the longest is not longer than the others together
        ("coupler", 2.0, 0.8 - 0.1 - 0.3, 0.8 + 0.1 + 0.3),
        ("crank", 3.0, 0.0, 0.7 + 0.3 + 0.8),
    ],
)
def test_the_admissible_range_is_that_of_four_closed_bars(bar, wanted, low, high):
    from app.session.background.length_trials import Trial, admissible, closes

    scene, ref = four_bar(), Ref("bodies", bar)
    trial = Trial(lambda x: set_length(scene, ref, x).after, wanted, find_bar(scene, bar).now, None)
    assert not closes(trial, wanted)
    found = admissible(trial)
    assert found[0] == pytest.approx(low, abs=1e-3)
    assert found[1] == pytest.approx(high, abs=1e-3)
    assert closes(trial, found[1])
    assert low <= found[0] <= found[1] <= high + 1e-9


def test_the_length_is_edited_while_it_runs_and_what_cannot_be_is_refused_with_the_range(qtbot, tmp_path):
    from PySide6.QtWidgets import QLabel, QLineEdit

    from tests.app.window.windows import open_window, wait

    with open_window(tmp_path, warm=False) as window:
        session = window.session
        said = []
        session.message.connect(lambda *told: said.append(told))
        session.document.load(four_bar())
        wait(qtbot, lambda: session.state == "ready")
        session.selection.set([Ref("bodies", "coupler")])
        window.act("run.toggle")
        wait(qtbot, lambda: session.t > 0.02)

        def type_length(text):
            line = window.docks.panels["inspector"].findChild(QLineEdit, "inspector.bar.length")
            line.selectAll()
            qtbot.keyClicks(line, text)
            qtbot.keyClick(line, "\r")

        # not 0.6: crank and ground would be as long as coupler and rocker, and the run would fail where all
        # of them lie in line, sooner or later on a busy machine
        type_length("0.65")
        wait(qtbot, lambda: find_bar(session.document.scene, "coupler").now == pytest.approx(0.65))
        t = session.t
        wait(qtbot, lambda: session.t > t + 0.02)
        assert session.state == "playing"
        _, violation = session.current.channel("violation.position", t)
        assert len(violation)
        assert np.max(violation) < 1e-9  # closed at once, and ever since
        before = session.document.scene
        type_length("2")

        def reason():
            found = window.docks.panels["inspector"].findChild(QLabel, "inspector.bar.length.reason")
            return found.text() if found is not None else ""

        wait(qtbot, lambda: "give" in reason())
        assert not [text for level, text, _ in said if level == "error"]
        low, high = (float(word) for word in reason().replace(" m", "").split("give ")[1].split(" to "))
        assert (low, high) == pytest.approx((0.4, 1.2), abs=2e-3)
        assert session.document.scene is before
        assert session.state == "playing"


def test_issue_18_the_length_of_a_drawn_bar_becomes_a_slider():
    """Nothing moves when a length gets a name; then the parameter is the length, within a range about it."""
    given = four_bar()
    edit = length_parameter(given, "coupler")
    (ref,) = edit.made
    made = next(item for item in edit.after.parameters if item.name == ref.name)
    assert (made.name, made.value, made.unit) == ("L_coupler", pytest.approx(0.7, abs=1e-15), "m")
    assert made.min < 0.7 < made.max
    before, after = (compile_scene(scene) for scene in (given, edit.after))
    np.testing.assert_allclose(after.q, before.q, atol=1e-15)
    assert has_plain_length(given, "coupler")
    assert not has_plain_length(edit.after, "coupler")
    longer = set_length(edit.after, Ref("bodies", "coupler"), 0.75).after
    assert find_bar(longer, "coupler").now == pytest.approx(0.75)
    assert next(p.value for p in longer.parameters if p.name == "L_coupler") == 0.75
    again = length_parameter(edit.after, "rocker")
    assert not validate(again.after)
    with pytest.raises(SceneError, match="is no bar"):
        length_parameter(given, "nobody")
