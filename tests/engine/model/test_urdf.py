"""Robots from URDF: poses and inertias against independent formulas, and a list of what is left out."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from engine import check_scene, dumps, loads, simulate, validate
from engine.model.names import clean_name
from engine.model.urdf import UrdfError, load_urdf, read_urdf

# two links in the x-z plane, hinged about y; frames of the inertias are turned
L1, C1, C2, M1, M2 = 0.7, 0.3, 0.25, 2.0, 1.5
J1, J2 = (0.05, 0.02, 0.04), (0.03, 0.06, 0.04)  # principal values in the turned frames
RPY1, RPY2 = (0.0, 0.4, 0.0), (0.3, 0.0, 0.7)
ARM = f"""<robot name="arm">
  <link name="world"/>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="{C1} 0 0" rpy="{RPY1[0]} {RPY1[1]} {RPY1[2]}"/>
      <mass value="{M1}"/>
      <inertia ixx="{J1[0]}" iyy="{J1[1]}" izz="{J1[2]}" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="lower">
    <inertial>
      <origin xyz="{C2} 0 0" rpy="{RPY2[0]} {RPY2[1]} {RPY2[2]}"/>
      <mass value="{M2}"/>
      <inertia ixx="{J2[0]}" iyy="{J2[1]}" izz="{J2[2]}" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="tool"/>
  <joint name="ground" type="fixed"><parent link="world"/><child link="base"/></joint>
  <joint name="shoulder" type="continuous">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  </joint>
  <joint name="elbow" type="revolute">
    <origin xyz="{L1} 0 0"/><parent link="upper"/><child link="lower"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="10" velocity="3"/>
  </joint>
  <joint name="tip" type="fixed">
    <origin xyz="0.5 0 0"/><parent link="lower"/><child link="tool"/>
  </joint>
</robot>"""


def _about_y(values: tuple[float, ...], rpy: tuple[float, ...]) -> float:
    """yᵀ R J Rᵀ y, R of roll, pitch, yaw about fixed axes."""
    R = Rotation.from_euler("xyz", rpy).as_matrix()
    return float((R @ np.diag(values) @ R.T)[1, 1])


def test_the_mass_matrix_of_an_arm_is_the_one_in_the_books() -> None:
    """T = ½ q̇ᵀ M q̇ with M of the planar two-link arm."""
    scene = read_urdf(ARM).scene
    i1, i2 = _about_y(J1, RPY1), _about_y(J2, RPY2)
    q2 = 0.6
    m22 = M2 * C2**2 + i2
    m12 = m22 + M2 * L1 * C2 * math.cos(q2)
    m11 = M1 * C1**2 + i1 + M2 * (L1**2 + C2**2 + 2.0 * L1 * C2 * math.cos(q2)) + i2
    M = np.array([[m11, m12], [m12, m22]])
    for rates in ((1.0, 0.0), (0.0, 1.0), (0.8, -1.3)):
        moving = scene
        for name, value, rate in zip(("shoulder", "elbow"), (0.2, q2), rates, strict=True):
            joint = moving.joint(name)
            start = {"angle": {"value": value, "speed": rate}}
            moving = loads(_with_start(dumps(moving), joint.name, start))
        run = simulate(moving, duration=0.0)
        q, v = np.array([run.channel(f"joint.{n}.angle")[0] for n in ("shoulder", "elbow")]), np.array(rates)
        assert_allclose(q, [0.2, q2], atol=1e-9)
        assert run.channel("energy.kinetic")[0] == pytest.approx(0.5 * v @ M @ v, rel=1e-9)


def _with_start(text: str, name: str, start: object) -> str:
    data = json.loads(text)
    for joint in data["joints"]:
        if joint["name"] == name:
            joint["start"] = start
    return json.dumps(data)


def test_an_arm_swings_and_keeps_its_energy() -> None:
    scene = read_urdf(ARM).scene
    assert not validate(scene)
    assert check_scene(scene).mobility.dof == 2
    run = simulate(scene, duration=1.0, dt=0.001)
    assert np.abs(run.channel("energy.error")).max() < 1e-6 * run.channel("energy.kinetic").max()
    assert run.channel("joint.shoulder.angle")[-1] > 0.5  # about +y the arm falls from +x to -z


def test_links_without_mass_become_points() -> None:
    imported = read_urdf(ARM)
    scene = imported.scene
    assert [body.name for body in scene.bodies] == ["base", "upper", "lower"]
    assert scene.body("base").fixed
    assert scene.body("lower").point("tool").position == (0.5, 0.0, 0.0)
    assert "Limits: lower -2 rad, upper 2 rad, effort 10 N·m, velocity 3 rad/s" in scene.joint("elbow").notes
    assert any("limits -2 … 2 rad do not stop it" in text for _, text in imported.notes)


CHAIN = """<?xml version="1.0"?>
<robot name="chain">
  <link name="base"><visual><geometry><box size="1 2 3"/></geometry></visual></link>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <visual><origin xyz="0.1 0.2 0.3" rpy="0.3 -0.2 0.5"/>
      <geometry><cylinder radius="0.1" length="0.4"/></geometry><material name="red"/></visual></link>
  <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j1" type="revolute"><origin xyz="0.3 -0.2 0.5" rpy="0.2 0.5 -0.7"/>
    <parent link="base"/><child link="a"/><axis xyz="1 2 -1"/><limit effort="1" velocity="1"/></joint>
  <joint name="j2" type="prismatic"><origin xyz="0.1 0.4 -0.3" rpy="-1.1 0.3 0.4"/>
    <parent link="a"/><child link="b"/><axis xyz="0.5 -0.3 1"/>
    <dynamics damping="2.5" friction="0.3"/></joint>
  <joint name="j3" type="revolute"><origin xyz="0 0.2 0.1" rpy="0.6 0 0.2"/>
    <parent link="b"/><child link="c"/><axis xyz="0 0 1"/><dynamics damping="0.7"/>
    <mimic joint="j1" multiplier="-0.5" offset="0.1"/></joint>
  <material name="red"><color rgba="1 0 0 0.5"/></material>
</robot>"""


def _matrix(xyz: tuple[float, ...], R: Rotation) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R.as_matrix(), xyz
    return T


def _origin(xyz: tuple[float, ...], rpy: tuple[float, ...]) -> np.ndarray:
    return _matrix(xyz, Rotation.from_euler("xyz", rpy))


def _along(axis: tuple[float, ...], angle: float = 0.0, way: float = 0.0) -> np.ndarray:
    n = np.array(axis) / np.linalg.norm(axis)
    return _matrix(tuple(way * n), Rotation.from_rotvec(angle * n))


def test_forward_kinematics_is_the_product_of_transforms() -> None:
    """Driven joints: every link is where the product of 4×4 matrices puts it."""
    scene = read_urdf(CHAIN).scene
    scene = scene.with_motion("joint_motion", "m1", joint="j1", function="0.4*t")
    scene = scene.with_motion("joint_motion", "m2", joint="j2", coordinate="displacement", function="0.2*t")
    run = simulate(scene, duration=1.0, dt=0.01)
    q1, q2 = 0.4, 0.2
    T = _origin((0.3, -0.2, 0.5), (0.2, 0.5, -0.7)) @ _along((1, 2, -1), q1)
    _assert_pose(run, "a", T)
    T = T @ _origin((0.1, 0.4, -0.3), (-1.1, 0.3, 0.4)) @ _along((0.5, -0.3, 1), way=q2)
    _assert_pose(run, "b", T)
    T = T @ _origin((0, 0.2, 0.1), (0.6, 0, 0.2)) @ _along((0, 0, 1), -0.5 * q1 + 0.1)
    _assert_pose(run, "c", T)


def _assert_pose(run: object, body: str, T: np.ndarray) -> None:
    def end(name: str) -> float:
        return float(run.channel(f"body.{body}.{name}")[-1])  # type: ignore[attr-defined]

    assert_allclose([end(f"pos.{c}") for c in "xyz"], T[:3, 3], atol=1e-8)
    R = Rotation.from_quat([end(f"quat.{c}") for c in "xyzw"]).as_matrix()
    assert_allclose(R, T[:3, :3], atol=1e-8)


def test_joints_that_mimic_begin_where_those_they_follow_are_at_zero() -> None:
    """q_b = 2 q_a + 0.01 and q_c = q_b + 0.02: assembly moved all of them, a below its limit."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    links = "".join(f'<link name="{name}">{inertial}</link>' for name in ("base", "a", "b", "c"))

    def slide(name: str, mimic: str = "") -> str:
        return (
            f'<joint name="j{name}" type="prismatic"><parent link="base"/><child link="{name}"/>'
            f'<axis xyz="0 1 0"/><limit lower="0" upper="1" effort="1" velocity="1"/>{mimic}</joint>'
        )

    follows = slide("b", '<mimic joint="ja" multiplier="2" offset="0.01"/>')
    follows += slide("c", '<mimic joint="jb" multiplier="1" offset="0.02"/>')
    run = simulate(read_urdf(f"<robot name='r'>{links}{slide('a')}{follows}</robot>").scene, duration=0.0)
    found = [run.channel(f"joint.j{name}.displacement")[0] for name in "abc"]
    assert_allclose(found, [0.0, 0.01, 0.03], atol=1e-12)


def test_looks_and_laws_are_taken_over() -> None:
    imported = read_urdf(CHAIN, stop_stiffness=100.0)
    scene = imported.scene
    (shape,) = scene.body("b").shapes
    assert (shape.radius, shape.length) == (0.1, 0.4)  # type: ignore[attr-defined]
    assert (shape.color, shape.opacity) == ("#ff0000", 0.5)
    R = Rotation.from_quat(np.roll(shape.orientation, -1)).as_matrix()  # type: ignore[arg-type]
    assert_allclose(R, Rotation.from_euler("xyz", (0.3, -0.2, 0.5)).as_matrix(), atol=1e-12)
    laws = {force.name: force for force in scene.forces}
    assert laws["damping of j3"].damping == 0.7  # type: ignore[attr-defined]
    assert laws["damping of j2"].effort == "-2.5*v"  # type: ignore[attr-defined]
    assert laws["friction of j2"].kinetic == 0.3  # type: ignore[attr-defined]
    assert loads(dumps(scene)) == scene
    assert not validate(scene)


def test_stops_push_back() -> None:
    """A stop of stiffness k turns a free wheel round: the way into it is v √(I/k)."""
    text = """<robot name="w"><link name="world"/><link name="wheel"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="2"/></inertial></link>
      <joint name="j" type="revolute"><parent link="world"/><child link="wheel"/><axis xyz="0 0 1"/>
      <limit lower="-1" upper="0.2" effort="1" velocity="1"/></joint></robot>"""
    scene = read_urdf(text, stop_stiffness=200.0).scene
    scene = loads(_with_start(dumps(scene), "j", {"angle": {"speed": 1.0}}))
    run = simulate(scene, duration=1.0, dt=0.001)
    assert [event.t for event in run.events] == pytest.approx([0.2, 0.2 + 0.1 * math.pi], abs=1e-6)
    assert run.channel("joint.j.angle").max() == pytest.approx(0.2 + math.sqrt(2.0 / 200.0), abs=1e-3)
    assert run.channel("joint.j.speed")[-1] == pytest.approx(-1.0, abs=1e-3)


def test_the_list_tells_what_is_left_out(tmp_path: Path) -> None:
    text = """<robot name="odd robot!">
  <link name="base_link">
    <collision><geometry><box size="1 1 1"/></geometry></collision>
    <visual><geometry><mesh filename="package://robot/meshes/base.dae"/></geometry></visual>
    <visual><geometry>
      <mesh filename="package://robot/meshes/base.stl" scale="0.001 0.001 0.001"/></geometry></visual>
  </link>
  <link name="left/wheel"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3"/></inertial></link>
  <link name="ball"/>
  <joint name="wheel.joint" type="continuous"><parent link="base_link"/><child link="left/wheel"/></joint>
  <joint name="free" type="floating"><parent link="base_link"/><child link="ball"/></joint>
  <transmission name="t1"/>
  <gazebo/>
</robot>"""
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "base.stl").write_text("solid\nendsolid\n")
    (tmp_path / "urdf").mkdir()
    (tmp_path / "urdf" / "robot.urdf").write_text(text, encoding="utf-8")
    imported = load_urdf(tmp_path / "urdf" / "robot.urdf")
    told = "\n".join(imported.lines())
    for words in (
        "line 2: the root link 'base_link' is fixed",
        "line 3: link 'base_link': shapes for collision are left out",
        "line 4: mesh package://robot/meshes/base.dae was not found",
        "line 8: link 'left/wheel' is called 'left wheel'",
        "line 8: link 'left/wheel': no body can have this inertia",
        "line 9: link 'ball' has no mass",
        "line 10: joint 'wheel.joint' is called 'wheel joint'",
        "line 11: joint 'free' floats",
        "line 12: <transmission>",
        "line 13: <gazebo>",
    ):
        assert words in told
    (mesh,) = imported.scene.body("base_link").shapes
    assert Path(mesh.file).name == "base.stl"  # type: ignore[attr-defined]
    assert mesh.scale == 0.001  # type: ignore[attr-defined]
    assert not load_urdf(tmp_path / "urdf" / "robot.urdf", free_base=True).scene.body("base_link").fixed
    assert imported.scene.title == "odd robot"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<robot>\n<link name='a'>\n</robot>", "line 3: this is not XML"),
        ("", "line 1: this is not XML"),
        ("<scene/>", "line 1: a robot begins with <robot>"),
        ("<robot/>", "line 1: the robot has no links"),
        ("<robot>\n<link/></robot>", "line 2: <link> has no name"),
        ("<robot><link name='a'/>\n<link name='a'/></robot>", "line 2: there are two links 'a'"),
        ("<robot><link name='a'/>\n<link name='b'/></robot>", "line 2: links 'a'"),
        (
            "<robot><link name='a'/><joint name='j' type='revolute'><parent link='a'/>"
            "\n<child link='c'/></joint></robot>",
            "line 2: joint 'j': there is no link 'c'",
        ),
        (
            "<robot><link name='a'><inertial>\n<mass value='two'/></inertial></link></robot>",
            "line 2: value='two' of <mass> is not a number",
        ),
        (
            "<robot><link name='a'/><link name='b'/>\n<joint name='j' type='ball'><parent link='a'/>"
            "<child link='b'/></joint></robot>",
            "line 2: joint 'j' has the unknown type 'ball'",
        ),
        (
            "<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/>"
            "<child link='b'/>\n<axis xyz='0 0 0'/></joint></robot>",
            "line 2: joint 'j': its axis has no length",
        ),
        (
            "<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/>"
            "<child link='b'/>\n<axis xyz='1.5e308 1.5e308 1e308'/></joint></robot>",
            "line 2: joint 'j': its axis is too long",
        ),
        (
            "<robot><link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/>"
            "<child link='b'/></joint><joint name='k' type='fixed'><parent link='b'/>"
            "<child link='a'/></joint></robot>",
            "line 2: the joints of links 'a', 'b' go round",
        ),
        (
            "<robot xmlns:xacro='x'>\n<xacro:macro name='m'/></robot>",
            "line 2: <xacro:macro> is a macro; write the robot out first",
        ),
        ('<!DOCTYPE r [<!ENTITY a "b">]><robot/>', "line 1: entities"),
    ],
)
def test_bad_files_are_told_with_their_line(text: str, words: str) -> None:
    with pytest.raises(UrdfError, match=words):
        read_urdf(text)


def test_names_of_others_follow_the_rules() -> None:
    assert clean_name("left/wheel.1") == "left wheel 1"
    assert clean_name("1st", ["_1st"]) == "_1st 2"
    assert clean_name("world") == "world_"
    assert clean_name("///") == "element"
