"""Refusals and stops: the true element is named, and the remedy works when it is followed (issue 17)."""

import json
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from scipy.integrate import solve_ivp

from engine import apply_edits, check_scene, load_scene, set_value, simulate
from engine.compiled.layout import StepStatus
from engine.errors import Problem, SceneEdit, SceneError
from engine.model.files.scene_file import loads
from engine.model.scene import Scene
from tests.engine.simulation.scenes import rod_pendulum
from tests.paths import SCENES as SHIPPED

CASES = Path(__file__).parents[1] / "cases"


def refusal(scene: Scene) -> Problem:
    """The first problem with which a scene is refused."""
    with pytest.raises(SceneError) as caught:
        check_scene(scene)
    assert caught.value.problems, "an error without a problem"
    assert f"{len(caught.value.problems)} problem" in str(caught.value)
    return caught.value.problems[0]


def case(name: str) -> Scene:
    return load_scene(CASES / f"{name}.json")


REFUSED = {
    "motion_elsewhere": ("motion 'push' begins at 0 m", "the nearest pose that closes has 3.83903 m"),
    "motion_sqrt_t": ("motion 'drive'", "a rate of inf at t = 0 s"),
    "motion_1_over_t": ("motion 'drive'", "of inf at t = 0 s"),
    "over_1e-09": ("joint 'B3'", "by 1e-09 m"),
    "over_1e-06": ("joint 'B3'", "by 1e-06 m"),
    "rolling_default_axis": ("joint 'roll'", "lies flat"),
    "rolling_nearflat": ("joint 'roll'", "lies flat"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_issue_17_a_refused_scene_runs_once_its_remedy_is_followed(name: str) -> None:
    scene = case(name)
    problem = refusal(scene)
    for part in REFUSED[name]:
        assert part in problem.message
    assert problem.edits
    mended = apply_edits(scene, problem.edits)
    check_scene(mended)
    run = simulate(mended, duration=0.1)
    assert run.status is StepStatus.FINISHED, run.message


STOPPED = {
    "dead_centre_motion": ("motion 'push' asks for", "they reach 0.2 m"),
    "motion_conflict": ("motion 'm1' and motion 'm2'",),
    "two_tables": ("force 'short'", "0 to 0.1 s"),
    "motion_pole": ("motion 'drive' asks for a value of inf at t = 0.05 s",),
    "driven_inf_torque": ("force 'T' is too large at t = 0.005 s", "move body 'coupler' by"),
    "heavy_slider": ("body 'slider' of 1e+12 kg is 8.3e+12 times as heavy as body 'crank'",),
    "heavy_slider_planar": ("body 'slider' of 1e+12 kg is", "times as heavy as body 'crank'"),
    "motion_ends": ("motion 'drive' asks for a rate of -inf at t = 0.05 s",),
}


@pytest.mark.parametrize("name", STOPPED)
def test_issue_17_a_stopped_run_finishes_once_its_remedy_is_followed(name: str) -> None:
    scene = case(name)
    run = simulate(scene)
    assert run.status.failed
    assert run.problem is not None
    for part in STOPPED[name]:
        assert part in run.problem.message
        assert part in run.message
    again = simulate(apply_edits(scene, run.problem.edits))
    assert again.status is StepStatus.FINISHED, again.message


def test_issue_17_the_slider_is_stopped_where_the_stretched_crank_and_rod_end() -> None:
    # 3.8 + 0.3 t reaches the stretched length 1 + 3 at t = 2/3
    run = simulate(case("dead_centre_motion"))
    assert run.t[-1] == pytest.approx(2.0 / 3.0, abs=2e-3)


def test_a_motion_that_does_not_lead_out_of_a_dead_centre_is_told_so() -> None:
    """The stretched crank and rod reach 4 m; 4 − t²/2 is within their reach, but not by a way from there."""
    scene = case("dead_centre_motion")
    scene = scene.replace(structs.replace(scene.body("crank"), angle=0.0))
    scene = scene.replace(structs.replace(scene.body("rod"), position=(1.0, 0.0), angle=0.0))
    scene = scene.replace(structs.replace(scene.body("slider"), position=(4.0, 0.0)))
    run = simulate(set_value(scene, "motions.push.function", "-t^2/2"), duration=0.1)
    assert run.status.failed
    assert "motion 'push' cannot move the mechanism on from its pose at t = 0 s, a dead centre" in run.message


def test_what_cannot_move_at_all_is_told_so() -> None:
    """Two bars and the ground make a triangle; with a slider in place of a pin it moves."""
    scene = Scene(space="planar")
    for name, x, angle in (("left", 0.0, np.pi / 3.0), ("right", 1.0, 2.0 * np.pi / 3.0)):
        scene = scene.with_body(name, mass=1, inertia=[0.1], position=[x, 0], angle=angle)
        foot = {"body": "world", "point": [x, 0]}
        scene = scene.with_joint("revolute", name, a=foot, b={"body": name, "point": [0, 0]})
    top = {"a": {"body": "left", "point": [1, 0]}, "b": {"body": "right", "point": [1, 0]}}
    (remark,) = check_scene(scene.with_joint("revolute", "top", **top)).to_dict()["remarks"]
    assert remark.startswith("nothing can move: the joints leave no degree of freedom")
    assert check_scene(scene.with_joint("point_on_line", "top", **top)).to_dict()["remarks"] == []


def test_a_remark_is_told_once() -> None:
    """Boxes in the plane that overlap at the start were told twice."""
    box = {"kind": "box", "size": [1, 1, 1]}
    scene = Scene(space="planar").with_body("floor", fixed=True, shapes=[box])
    small = {"kind": "box", "size": [0.4, 1, 1]}
    scene = scene.with_body("box", mass=1, inertia=[1], position=[0, 0.9], shapes=[small])
    sides = {"a": {"body": "floor"}, "b": {"body": "box"}}
    remarks = check_scene(scene.with_force("contact", "c", **sides, law="hertz", stiffness=1e5)).of_method
    assert [remark for remark in remarks if "overlap" in remark] == list(remarks)
    assert len(remarks) == 1


PLAIN = {
    "no_bodies": ("bodies", "no bodies", "add a body"),
    "only_fixed": ("bodies.a.fixed", "all bodies are fixed", "'a'"),
    "tiny_rod": ("length", "1e-14 m", "ball joint"),
    "gear_self": ("joints[1]", "joint 'J1' with itself", "two joints"),
    "wheel_pushed_flat": ("joints.roll", "no derivative", "motion 'sink'"),
}


@pytest.mark.parametrize("name", PLAIN)
def test_issue_17_a_refusal_names_element_and_remedy(name: str) -> None:
    problem = refusal(case(name)) if name not in ("tiny_rod", "gear_self") else _refused_by_reading(name)
    path, message, remedy = PLAIN[name]
    assert path in problem.path
    assert message in problem.message
    assert remedy in problem.remedy


def _refused_by_reading(name: str) -> Problem:
    with pytest.raises(SceneError) as caught:
        case(name)
    return caught.value.problems[0]


def test_issue_17_every_coupling_with_itself_is_refused() -> None:
    data = json.loads((CASES / "gear_self.json").read_text())
    term = {"joint": "J1", "coordinate": "angle"}
    for fields in (
        {"kind": "belt", "joint_a": "J1", "joint_b": "J1", "radius_a": 1, "radius_b": 2},
        {"kind": "coupler", "terms": [term, {**term, "factor": -2}]},
    ):
        data["joints"][1] = {"name": "g", **fields}
        with pytest.raises(SceneError, match="with itself"):
            loads(json.dumps(data))
    data["joints"][1] = {"name": "g", "kind": "coupler", "terms": [term]}
    loads(json.dumps(data))


def test_issue_17_a_gramme_beside_a_hundred_tonnes_swings() -> None:
    # the big body, held at its centre of mass, is moved by 1e-8 of what the small one does: a pendulum with
    # (I + m d²) φ'' = −m g d sin φ, φ from the vertical
    d, m, inertia = 0.01, 1e-3, 1e-8
    run = simulate(case("crane_clip"), dt=2.5e-4, duration=0.3)
    g = float(np.linalg.norm(run.mechanism.scene.gravity))
    frequency2 = m * g * d / (inertia + m * d**2)
    exact = solve_ivp(
        lambda _, y: [y[1], -frequency2 * np.sin(y[0])],
        (0.0, 0.3),
        [np.pi / 2, 0.0],
        t_eval=run.t,
        rtol=1e-10,
        atol=1e-12,
    )
    found = run.channel("body.tiny.angle") + np.pi / 2
    assert found == pytest.approx(exact.y[0], abs=1e-5)


def test_an_element_without_mass_is_still_refused() -> None:
    data = json.loads((CASES / "crane_clip.json").read_text())
    data["bodies"][1].update(mass=0, inertia=[0])
    assert "body 'tiny' can move without moving any mass" in refusal(loads(json.dumps(data))).message


def test_edits_refuse_what_is_not_there() -> None:
    with pytest.raises(SceneError, match="no such element"):
        apply_edits(Scene(), [SceneEdit("joints.J", remove=True)])


def test_issue_13_a_wheel_without_a_point_has_its_centre_at_the_body_s_origin() -> None:
    scene = Scene().with_body("wheel", mass=1.0, inertia=[0.1, 0.1, 0.2], position=[0.0, 0.0, 0.3])
    scene = scene.with_joint(
        "rolling", "roll", a={"body": "world"}, b={"body": "wheel", "axis": [0.0, 1.0, 0.0]}, radius=0.3
    )
    report = check_scene(scene)
    assert report.start.moved["wheel"] == 0.0
    assert report.start.violation_before == 0.0


def test_issue_13_a_start_that_assembly_moves_far_is_said() -> None:
    scene = Scene(space="planar").with_body("arm", mass=1.0, inertia=[0.1], position=[0.9, 0.0])
    scene = scene.with_joint(
        "revolute", "hinge", a={"body": "world"}, b={"body": "arm", "point": [-0.5, 0.0]}
    )
    (note,) = check_scene(scene).start.notes
    assert "body 'arm' by 0.4 m" in note
    assert "joint 'hinge'" in note
    assert "assembly moved body 'arm'" in simulate(scene, duration=0.01).message


def test_issue_13_a_lock_holds_an_angle() -> None:
    scene = Scene(space="planar").with_body("arm", mass=1.0, inertia=[0.1], angle=0.2)
    held = scene.with_joint("lock", "L", b={"body": "arm"}, coordinates=["angle", "x"], angle=0.5)
    run = simulate(held, duration=0.2)
    assert run.channel("body.arm.angle") == pytest.approx(np.full(len(run), 0.5), abs=1e-12)
    # x held, angle held: what is left is the free fall y = −g t²/2
    g = -float(run.mechanism.scene.gravity[1])
    fallen = run.channel("body.arm.pos.y")
    assert fallen - fallen[0] == pytest.approx(-0.5 * g * run.t**2, abs=1e-9)
    as_given = scene.with_joint("lock", "L", b={"body": "arm"}, coordinates=["angle"])
    assert simulate(as_given, duration=0.1).channel("body.arm.angle")[-1] == pytest.approx(0.2, abs=1e-12)


def test_issue_13_a_lock_of_an_angle_is_for_the_plane() -> None:
    scene = Scene().with_body("arm", mass=1.0, inertia=[0.1, 0.1, 0.1])
    scene = scene.with_joint("lock", "L", b={"body": "arm"}, coordinates=["angle"])
    assert "planar scenes only" in refusal(scene).message


def test_issue_17_gravity_beyond_all_stars_is_named() -> None:
    """A joint gave way, and the remedy was a smaller step, which did not help."""
    scene = loads((SHIPPED / "four_bar.json").read_text(encoding="utf-8"))
    run = simulate(apply_edits(scene, [SceneEdit("gravity", [0.0, -1e40])]), duration=0.04)
    assert run.status.failed
    assert run.problem is not None
    assert "gravity is 1e+40 m/s²" in run.message
    mended = simulate(apply_edits(scene, run.problem.edits), duration=0.04)
    assert mended.status is StepStatus.FINISHED


@pytest.mark.parametrize("method", ["rk4", "radau"])
def test_issue_17_a_velocity_that_no_step_follows_is_named(method: str) -> None:
    """A joint gave way, and the remedy was a smaller step; a turn takes 6e-9 s."""
    scene = rod_pendulum(angular_velocity=[0.0, 0.0, 1e9])
    run = simulate(scene, method=method, duration=0.04)
    assert run.status.failed
    assert run.problem is not None
    assert run.problem.path == "bodies.rod.angular_velocity"
    assert "body 'rod'" in run.message
    assert "too fast for steps of 0.001 s" in run.message
    mended = simulate(apply_edits(scene, run.problem.edits), method=method, duration=0.04)
    assert mended.status is StepStatus.FINISHED


def wedged(spin: float) -> Scene:
    """A plate on a hinge, one of whose points slides along a line across: free to first order only."""
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body(
        "plate", mass=1.0, inertia=[0.1], angular_velocity=[0.0, 0.0, spin]
    )
    scene = scene.with_joint("revolute", "hinge", a={"body": "world"}, b={"body": "plate"})
    across = {"body": "world", "point": [0.0, 0.1], "axis": [1.0, 0.0, 0.0]}
    return scene.with_joint("point_on_line", "line", a=across, b={"body": "plate", "point": [0.0, 0.1]})


@pytest.mark.parametrize("method", ["rk4", "radau"])
def test_issue_17_a_pose_that_lets_nothing_go_on_is_named(method: str) -> None:
    run = simulate(wedged(0.7), method=method, duration=0.1)
    assert run.status.failed
    assert "joint 'line'" in run.message
    assert "the pose is singular" in run.message
    for better in (apply_edits(wedged(0.7), run.problem.edits), wedged(0.0)):
        assert simulate(better, method=method, duration=0.1).message == ""


def test_issue_17_rows_that_nearly_repeat_each_other_ask_for_no_velocity() -> None:
    """Rows that count as repeated may be off by RANK: 1.4e-9 m/s were refused as a contradiction."""
    body = {
        "position": [1.72, 1.03], "angle": 1.3, "velocity": [-0.5, 0.2], "angular_velocity": [0, 0, 0.7],
        "mass": 2.3, "com": [-0.05, 0.08], "inertia": [0.24],
    }  # fmt: skip
    on = {"body": "world", "point": [0.21, -0.13]}
    rod = {"a": {**on, "reference": [0.6, 0.7]}, "b": {"body": "one", "point": [-0.34, 0.26]}, "length": 0.91}
    blade = {**on, "axis": [0.7, -0.4]}
    edge = {"a": blade, "b": {"body": "two", "point": [-0.34, 0.26], "axis": [0.6, -0.3]}}
    scene = Scene(space="planar", gravity=(1.7, -9.2)).with_body("one", **body).with_body("two", **body)
    scene = scene.with_joint("revolute_revolute", "rod", **rod).with_joint("knife_edge", "edge", **edge)
    scene = scene.with_joint(
        "point_on_line", "line", a={"body": "one", "point": [0.0, 0.1]}, b={"body": "two"}
    )
    scene = scene.with_joint("revolute", "hinge", a={"body": "two", "point": [0.0, 0.0]}, b={"body": "one"})
    check_scene(scene)
