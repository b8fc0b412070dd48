"""Every command: do, undo gives the equal scene, redo gives the equal scene, the clean flag is right."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from app.document.document import SETTINGS, SIMULATION, Document, Edit, Ref
from app.edits import (
    accept,
    add,
    dependants,
    duplicate,
    free_name,
    remove,
    rename,
    set_field,
    set_parameter,
    set_simulation,
    set_start,
    set_visible,
)
from app.platform.resources import scene_paths
from engine import Scene, SceneError, compile_scene, load_scene, validate
from engine.analyses.answers.result import Mention, Suggestion
from engine.elements.base import Anchor
from engine.elements.bodies.body import Body
from engine.elements.joints.revolute import RevoluteSpec

pytestmark = pytest.mark.usefixtures("qapp")


VIEW = {
    "plots": ["body.left crank.angle", "energy.work.drive", 'body."left crank".angle * 2'],
    "pin": "bodies.left crank",
}


def linkage() -> Scene:
    """A scene in which everything refers to everything else."""
    return (
        Scene(space="planar", view=VIEW)
        .with_parameter("L", 0.5)
        .with_parameter("half", "L/2")
        .with_body(
            "left crank",
            mass="2*L",
            com=["half", 0.0],
            inertia=[0.1],
            points=[{"name": "tip", "position": ["L", 0.0]}],
        )
        .with_body("rod", position=["L", 0.0], mass=1.0, com=[0.3, 0.0], inertia=[0.05])
        .with_joint("revolute", "J1", a={"body": "world"}, b={"body": "left crank", "point": [0.0, 0.0]})
        .with_joint("revolute", "J2", a={"body": "left crank", "point": "tip"}, b={"body": "rod"})
        .with_joint("gear", "mesh", joint_a="J1", joint_b="J2", ratio=2.0)
        .with_force(
            "spring",
            "coil",
            a={"body": "world", "point": [1.0, 1.0]},
            b={"body": "left crank", "point": "tip"},
            stiffness="10*L",
        )
        .with_force("motor", "drive", joint="J1", effort="L*sin(t)")
        .with_trace("path", body="left crank", point="tip")
        .with_measure("expression", "height", expression='body."left crank".point.tip.pos.y + L')
        .with_measure("expression", "work", expression="energy.work.drive + force.drive.power")
        .with_measure("distance", "gap", a={"body": "world"}, b={"body": "left crank", "point": "tip"})
        .with_simulation(stop_when=["joint.J1.angle - 3", 'body."left crank".angle > 9'])
        .add(_group())
    )


def _group() -> object:
    from engine.model.scene import Group

    return Group(name="all", members=("bodies.left crank", "joints.J1"))


TIP = Ref("bodies", "left crank", "tip")
CRANK, ROD, J1 = Ref("bodies", "left crank"), Ref("bodies", "rod"), Ref("joints", "J1")

PIN = RevoluteSpec(name="J1", a=Anchor(body="world"), b=Anchor(body="left crank", point=(0.1, 0.0)))
POSES = {"rod": (np.array([0.4, 0.3, 0.0]), np.eye(3))}

COMMANDS: dict[str, Callable[[Scene], Edit]] = {
    "set_field": lambda s: set_field(s, [CRANK], "mass", 3.0),
    "set_field inside": lambda s: set_field(s, [Ref("joints", "J2")], "a.point", [0.4, 0.1]),
    "set_field of many": lambda s: set_field(s, [CRANK, ROD], "color", "#ff0000"),
    "set_field of a point": lambda s: set_field(
        s, [Ref("bodies", "left crank", "tip")], "position", [0.4, 0.0]
    ),
    "set_field of the scene": lambda s: set_field(s, [Ref(SETTINGS, "")], "gravity", [0.0, -1.6]),
    "set_field of the simulation": lambda s: set_field(s, [Ref(SIMULATION, "")], "dt", 0.01),
    "accept": lambda s: accept(
        s, Suggestion("Other", "", replaced=(("joints", PIN),), removed=(Mention("bodies", "rod"),))
    ),
    "accept poses": lambda s: accept(s, Suggestion("Close", "", poses=POSES)),
    "add": lambda s: add(s, Body(name="rod", mass=1.0, inertia=(1.0,))),
    "remove": lambda s: remove(s, [ROD]),
    "remove a point": lambda s: remove(s, [Ref("bodies", "left crank", "tip")]),
    "duplicate": lambda s: duplicate(s, [CRANK, J1]),
    "rename": lambda s: rename(s, CRANK, "arm"),
    "rename a point": lambda s: rename(s, Ref("bodies", "left crank", "tip"), "end"),
    "rename a parameter": lambda s: rename(s, Ref("parameters", "L"), "length"),
    "set_visible": lambda s: set_visible(s, [CRANK, J1], False),
    "set_simulation": lambda s: set_simulation(s, method="euler", dt=0.002),
    "set_parameter": lambda s: set_parameter(s, "L", 0.7),
    "set_parameter new": lambda s: set_parameter(s, "k", 1.0),
    "set_start": lambda s: set_start(
        s, {"rod": (np.array([1.0, 2.0, 0.0]), np.eye(3))}, {"rod": (np.array([1.0, 2.0, 0.0]), np.zeros(3))}
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_do_undo_redo(name, tmp_path):
    document = Document(autosave=tmp_path)
    before = linkage()
    assert validate(before) == []
    document.load(before)
    changes = []
    document.changed.connect(changes.append)
    document.apply(COMMANDS[name](document.scene))
    after = document.scene
    assert after != before
    assert not document.clean
    assert document.problems == []
    document.stack.undo()
    assert document.scene == before
    assert document.clean
    document.stack.redo()
    assert document.scene == after
    document.stack.undo()
    assert len(changes) == 4
    assert changes[0].added == changes[1].removed
    assert changes[0].removed == changes[1].added
    # a rename there and back
    for ref, new in changes[0].renamed.items():
        there = changes[0].follow(ref)
        assert there is not None
        assert new in (there.name, there.part)
        assert changes[1].follow(there) == ref


def test_renaming_a_body_rewrites_every_reference():
    scene = rename(linkage(), CRANK, "arm-1").after
    assert validate(scene) == []
    assert scene.body("arm-1")
    assert scene.joint("J1").b.body == scene.joint("J2").a.body == scene.force("coil").b.body == "arm-1"
    assert scene.trace("path").body == scene.measure("gap").b.body == "arm-1"
    assert scene.groups[0].members == ("bodies.arm-1", "joints.J1")
    assert scene.measure("height").expression == 'body."arm-1".point.tip.pos.y + L'
    assert scene.simulation.stop_when == ("joint.J1.angle - 3", 'body."arm-1".angle > 9')
    assert scene.view["plots"] == ["body.arm-1.angle", "energy.work.drive", 'body."arm-1".angle * 2']
    assert scene.view["pin"] == "bodies.arm-1"
    compile_scene(scene)


def test_renaming_a_joint_a_force_a_point_and_a_parameter():
    scene = rename(linkage(), J1, "pivot").after
    assert scene.joint("mesh").joint_a == scene.force("drive").joint == "pivot"
    assert scene.simulation.stop_when[0] == "joint.pivot.angle - 3"
    assert scene.groups[0].members[1] == "joints.pivot"
    scene = rename(linkage(), Ref("forces", "drive"), "servo").after
    assert scene.measure("work").expression == "energy.work.servo + force.servo.power"
    assert scene.view["plots"][1] == "energy.work.servo"
    scene = rename(linkage(), Ref("bodies", "left crank", "tip"), "the end").after
    assert scene.joint("J2").a.point == scene.force("coil").b.point == scene.trace("path").point == "the end"
    assert scene.measure("height").expression == 'body."left crank".point."the end".pos.y + L'
    scene = rename(linkage(), Ref("parameters", "L"), "len").after
    assert scene.parameter("half").value == "len/2"
    assert scene.body("left crank").mass == "2*len"
    assert scene.body("left crank").points[0].position[0] == "len"
    assert scene.force("coil").stiffness == "10*len"
    assert scene.force("drive").effort == "len*sin(t)"
    assert scene.measure("height").expression.endswith("+ len")
    assert validate(scene) == []


@pytest.mark.parametrize("name", ["rod", "world", "", "9lives", "a.b", 'quo"te', "x" * 99])
def test_names_that_cannot_be(name):
    with pytest.raises(SceneError):
        rename(linkage(), CRANK, name)


@pytest.mark.parametrize("name", ["t", "sin", "two words", "half"])
def test_names_that_a_parameter_cannot_have(name):
    with pytest.raises(SceneError):
        rename(linkage(), Ref("parameters", "L"), name)


@pytest.mark.parametrize("path", scene_paths().values(), ids=scene_paths())
def test_every_element_of_the_shipped_scenes_can_be_renamed(path):
    scene = load_scene(path)
    for where in ("parameters", "bodies", "joints", "forces", "motions", "traces", "measures"):
        for item in getattr(scene, where):
            after = rename(scene, Ref(where, item.name), "something_else").after
            assert validate(after) == [], (where, item.name)
            back = rename(after, Ref(where, "something_else"), item.name).after
            assert back == scene


def test_removing_takes_along_what_cannot_be_without_it():
    scene = linkage()
    assert set(dependants(scene, [CRANK])) == {
        Ref("joints", "J1"),
        Ref("joints", "J2"),
        Ref("joints", "mesh"),
        Ref("forces", "coil"),
        Ref("forces", "drive"),
        Ref("traces", "path"),
        Ref("measures", "height"),
        Ref("measures", "work"),
        Ref("measures", "gap"),
    }
    after = remove(scene, [CRANK]).after
    assert [body.name for body in after.bodies] == ["rod"]
    assert after.joints == after.forces == after.traces == after.measures == ()
    assert after.groups[0].members == ()
    assert after.simulation.stop_when == ()
    assert validate(after) == []


def test_a_removed_point_leaves_its_coordinates():
    after = remove(linkage(), [Ref("bodies", "left crank", "tip")]).after
    assert after.body("left crank").points == ()
    assert after.joint("J2").a.point == ("L", 0.0)


def test_copies_that_belong_together_refer_to_each_other():
    after = duplicate(linkage(), [CRANK, J1, Ref("parameters", "L")]).after
    assert after.joint("J3").b.body == "left crank 2"
    assert after.parameter("L_2").value == 0.5
    assert validate(after) == []


def test_free_names():
    scene = linkage()
    assert free_name(scene, "bodies", "wheel") == "wheel"
    assert free_name(scene, "bodies", "rod") == "rod 2"
    assert free_name(scene, "joints", "J1") == "J3"
    assert free_name(scene, "parameters", "half") == "half_2"
    assert free_name(add(scene, Body(name="rod 2")).after, "bodies", "rod") == "rod 3"
    assert add(add(scene, Body(name="rod")).after, Body(name="rod 2")).after.bodies[-1].name == "rod 3"


def test_one_drag_is_one_step_and_typed_edits_never_merge(tmp_path):
    document = Document(autosave=tmp_path)
    document.load(linkage())
    drag = object()
    for i in range(5):
        document.apply(set_field(document.scene, [ROD], "position", [0.1 * i, 0.0], key=drag))
    assert document.stack.count() == 1
    document.apply(set_field(document.scene, [ROD], "mass", 2.0))
    document.apply(set_field(document.scene, [ROD], "mass", 3.0))
    assert document.stack.count() == 3
    document.stack.undo()
    document.stack.undo()
    document.stack.undo()
    assert document.scene == linkage()


def test_an_edit_that_changes_nothing_leaves_no_trace(tmp_path):
    document = Document(autosave=tmp_path)
    document.load(linkage())
    document.apply(set_field(document.scene, [ROD], "mass", 1.0))
    assert document.stack.count() == 0


def test_wrong_values_are_refused():
    with pytest.raises(SceneError, match="mas"):
        set_field(linkage(), [ROD], "mas", 1.0)
    with pytest.raises(SceneError):
        set_field(linkage(), [ROD], "position", "here")


def test_a_pose_becomes_the_start():
    turn = 2.0 * math.pi + 0.3
    scene = set_field(linkage(), [ROD], "angle", turn).after
    c, s = math.cos(0.4), math.sin(0.4)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    rod = set_start(scene, {"rod": (np.array([1.0, 2.0, 0.0]), R)}).after.body("rod")
    assert rod.position == (1.0, 2.0, 0.0)
    assert rod.angle == pytest.approx(2.0 * math.pi + 0.4)
    spatial = Scene().with_body("ball", mass=1.0, inertia=[1.0, 1.0, 1.0], angle=1.0)
    ball = set_start(spatial, {"ball": (np.zeros(3), R)}).after.body("ball")
    assert ball.angle == 0.0
    assert ball.orientation == pytest.approx((math.cos(0.2), 0.0, 0.0, math.sin(0.2)))
