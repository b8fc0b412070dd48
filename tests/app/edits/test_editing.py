"""Clipboard, joints, groups and what is shown: commands without a window."""

import numpy as np
import pytest

from app.document.document import Ref
from app.edits import (
    as_text,
    change_joint_kind,
    fragment,
    from_text,
    group,
    isolate,
    kinds_for,
    members,
    merge_joints,
    paste,
    set_members,
    show_all,
    split_joints,
    ungroup,
)
from app.platform.resources import scene_paths
from engine import JOINTS, Scene, SceneError, compile_scene, load_scene, validate


def shipped(name: str) -> Scene:
    return load_scene(scene_paths()[name])


def bodies(*names: str) -> list[Ref]:
    return [Ref("bodies", name) for name in names]


# clipboard


def test_a_copied_linkage_goes_through_text_into_another_scene():
    scene = shipped("four_bar")
    piece = from_text(
        as_text(
            fragment(
                scene, [Ref("joints", j.name) for j in scene.joints] + bodies("crank", "coupler", "rocker")
            )
        )
    )
    edit = paste(Scene(space="planar"), piece)
    assert validate(edit.after) == []
    assert {b.name for b in edit.after.bodies} == {"crank", "coupler", "rocker"}
    assert {p.name for p in edit.after.parameters} == {p.name for p in scene.parameters}  # all are used
    assert edit.after.joints == scene.joints
    assert edit.notes == ()
    # an empty scene takes the space of what is pasted
    assert paste(Scene(), piece).after.space == "planar"


def test_pasting_beside_the_original_renames_and_refers_to_the_copies():
    scene = shipped("four_bar")
    piece = fragment(scene, bodies("crank", "coupler"))
    assert [joint.name for joint in piece.joints] == ["B"]  # what acts between them comes along
    edit = paste(scene, piece)
    assert validate(edit.after) == []
    joint = edit.after.joint("B 2")
    assert (joint.a.body, joint.b.body) == ("crank 2", "coupler 2")
    assert len(edit.after.parameters) == len(scene.parameters)  # the same values serve both


def test_a_parameter_of_another_value_comes_under_a_new_name():
    scene = shipped("four_bar")
    other = scene.replace(type(scene.parameters[0])(name="L1", value=0.08))
    edit = paste(other, fragment(scene, bodies("crank")))
    assert edit.after.parameter("L1").value == 0.08
    assert edit.after.parameter("L2").value == 0.4  # taken
    new = [p for p in edit.after.parameters if p.value == 0.1]
    assert len(new) == 1
    assert edit.after.body("crank 2").points[1].position[0] == new[0].name
    assert validate(edit.after) == []


def test_what_has_no_partner_here_is_left_out_and_told():
    scene = shipped("four_bar")
    piece = fragment(scene, [Ref("joints", "B"), *bodies("crank")])
    edit = paste(Scene(space="planar"), piece)
    assert [joint.name for joint in edit.after.joints] == []
    assert edit.notes == ("B was left out: there is no body 'coupler' here",)
    edit = paste(scene, piece)  # here there is one
    assert edit.after.joint("B 2").b.body == "coupler"
    assert edit.after.joint("B 2").a.body == "crank 2"


@pytest.mark.parametrize(
    "text", ["", "crank", "{}", "[1, 2]", '{"format": "trammel-scene", "version": 1, "bodies": [{}]}']
)
def test_other_texts_are_no_fragment(text):
    with pytest.raises(SceneError):
        from_text(text)


def test_space_and_plane_do_not_mix():
    with pytest.raises(SceneError, match="planar"):
        paste(shipped("cardan_shaft"), fragment(shipped("four_bar"), bodies("crank")))


# joints

RODS = ("distance", "revolute_revolute", "revolute_spherical")


def door() -> Scene:
    """A frame, a door on two hinges of one axis, and a stay on the same pin as the upper one."""
    hinge = {"axis": [0.0, 0.0, 1.0]}
    return (
        Scene()
        .with_body(
            "door", mass=1.0, inertia=[1.0, 1.0, 1.0], points=[{"name": "top", "position": [0.0, 0.0, 1.0]}]
        )
        .with_body("stay", position=[0.0, 0.0, 1.0], mass=1.0, inertia=[1.0, 1.0, 1.0])
        .with_joint(
            "revolute", "H1", a={"body": "world", "point": [0.0, 0.0, 1.0], **hinge}, b={"body": "door"}
        )
        .with_joint(
            "revolute", "H2", a={"body": "door", "point": "top", "axis": [0, 0, -1]}, b={"body": "world"}
        )
        .with_joint(
            "spherical", "S", a={"body": "door", "point": "top"}, b={"body": "stay", "point": [0, 0, 0]}
        )
        .with_force("motor", "drive", joint="H2", effort=1.0)
    )


def test_repeated_joints_become_one_and_what_acted_on_the_others_acts_on_it():
    after = merge_joints(door(), [Ref("joints", "H1"), Ref("joints", "H2")]).after
    assert [joint.name for joint in after.joints] == ["H1", "S"]
    assert after.force("drive").joint == "H1"
    assert validate(after) == []
    compile_scene(after)


def test_joints_that_meet_on_a_body_get_one_point_and_can_be_split_again():
    after = merge_joints(door(), [Ref("joints", "H1"), Ref("joints", "S")]).after
    assert after.joint("H1").b.point == after.joint("S").a.point == "top"
    split = split_joints(after, [Ref("joints", "S")]).after
    own = split.joint("S").a.point
    assert own != "top"
    assert split.body("door").point(own).position == split.body("door").point("top").position
    assert validate(split) == []
    with pytest.raises(SceneError, match="nothing to split"):
        split_joints(split, [Ref("joints", "S")])
    with pytest.raises(SceneError, match="apart"):
        merge_joints(shipped("four_bar"), [Ref("joints", "A"), Ref("joints", "B")])


@pytest.mark.parametrize("space", ["spatial", "planar"])
def test_every_kind_of_joint_can_become_every_other_one_at_the_same_place(space):
    point = [0.3, 0.2, 0.1][: 3 if space == "spatial" else 2]
    scene = (
        Scene(space=space)
        .with_body("rod", mass=1.0, inertia=[1.0] if space == "planar" else [1.0, 1.0, 1.0])
        .with_joint("revolute", "J", a={"body": "world", "point": point}, b={"body": "rod"})
    )
    here = {"body": "rod", "point": [0.0] * len(point)}
    apart = scene.remove("joints", "J").with_joint(
        "revolute", "J", a={"body": "world", "point": point}, b=here
    )
    names = [kind.name for kind in kinds_for(scene)]
    assert "revolute" in names
    assert "gear" not in names
    for first in names:
        once = change_joint_kind(apart if first in RODS else scene, Ref("joints", "J"), first).after
        for second in names:
            if second in RODS and first not in RODS:
                with pytest.raises(SceneError, match="no length"):
                    change_joint_kind(once, Ref("joints", "J"), second)
                continue
            after = change_joint_kind(once, Ref("joints", "J"), second).after
            assert validate(after) == [], (first, second)
            joint = after.joint("J")
            assert JOINTS[second].spec is type(joint)
            assert joint.a.point == scene.joint("J").a.point
            compile_scene(after)


def test_a_driven_joint_keeps_its_coordinate():
    with pytest.raises(SceneError, match="'drive' acts on the angle of 'H2'"):
        change_joint_kind(door(), Ref("joints", "H2"), "prismatic")
    after = change_joint_kind(door(), Ref("joints", "H2"), "cylindrical").after
    assert validate(after) == []


# groups and what is shown


def test_groups_hold_members_and_let_them_go():
    scene = shipped("four_bar")
    edit = group(scene, [*bodies("crank", "coupler"), Ref("joints", "B")], "drive")
    after = edit.after
    assert edit.made == (Ref("groups", "drive"),)
    assert members(after, after.groups[0]) == (*bodies("crank", "coupler"), Ref("joints", "B"))
    assert validate(after) == []
    fewer = set_members(after, Ref("groups", "drive"), bodies("rocker")).after
    assert fewer.groups[0].members == ("bodies.rocker",)
    assert ungroup(after, [Ref("groups", "drive")]).after == scene
    with pytest.raises(SceneError, match="members"):
        group(scene, [])


def test_isolating_hides_the_rest_and_show_all_brings_it_back():
    scene = shipped("four_bar")
    after = isolate(scene, bodies("crank", "coupler")).after
    assert [body.visible for body in after.bodies] == [True, True, False]
    assert {joint.name: joint.visible for joint in after.joints} == {
        "A": False,
        "B": True,
        "C": False,
        "D": False,
    }
    assert show_all(after).after == scene
    assert show_all(scene).after is scene
    grouped = group(scene, bodies("rocker"), "output").after
    assert [b.visible for b in isolate(grouped, [Ref("groups", "output")]).after.bodies] == [
        False,
        False,
        True,
    ]


def test_the_frame_of_a_joint_stays_when_its_bodies_are_swapped():
    from app.edits import swap_bodies
    from app.edits.geometry.joint_frames import frames_of

    scene = door()
    for name in ("H1", "S"):
        before = frames_of(scene, scene.joint(name))
        after = swap_bodies(scene, [Ref("joints", name)]).after
        new = frames_of(after, after.joint(name))
        np.testing.assert_allclose(new[0].p_W, before[1].p_W, atol=1e-12)
        assert abs(new[0].axes_W[:, 2] @ before[0].axes_W[:, 2]) == pytest.approx(1.0)
