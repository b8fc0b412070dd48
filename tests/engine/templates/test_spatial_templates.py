"""Spatial templates against closed forms and published facts."""

import math

import numpy as np
import pytest

from engine import check_scene, simulate
from engine.templates import TEMPLATES
from engine.templates.double_wishbone import points, roll_centre
from engine.templates.flyball_governor import balance_speed


@pytest.mark.parametrize("start", [0.0, 0.7])
def test_hookes_joint_has_its_speed_ratio(start):
    # ω2/ω1 = cos β/(1 - sin²β cos²θ); θ = 0: the input fork lies in the plane of the bend
    bend, speed = math.radians(40.0), 5.0
    made = TEMPLATES["cardan_shaft"].make(joints=0, bend=bend, speed=speed, start=start)
    run = simulate(made.scene, duration=1.0)
    theta = start + speed * run.t
    omega = np.array([run.channel(f"body.output.omega.{axis}") for axis in "xyz"]).T
    along = omega @ np.array([math.cos(bend), 0.0, -math.sin(bend)])
    expected = speed * math.cos(bend) / (1.0 - math.sin(bend) ** 2 * np.cos(theta) ** 2)
    np.testing.assert_allclose(along, expected, atol=1e-8)


def test_two_joints_in_line_run_evenly():
    run = simulate(TEMPLATES["cardan_shaft"].make(speed=5.0).scene, duration=1.0)
    np.testing.assert_allclose(run.channel("body.output.omega.x"), 5.0, atol=1e-8)
    assert np.ptp(run.channel("body.middle.omega.x")) > 0.5


def test_bennett_keeps_his_condition_and_moves_against_the_count():
    a, b, twist = 0.5, 0.35, 0.9
    made = TEMPLATES["bennett"].make(a=a, b=b, twist=twist)
    beta = next(fact.value for fact in made.facts if fact.title == "Twist of the links b")
    assert a / math.sin(twist) == pytest.approx(b / math.sin(beta), rel=1e-14)
    found = check_scene(made.scene).mobility
    assert (found.mobility, found.gruebler) == (1, -2)  # 3·6 - 4·5
    # opposite angles stay opposite along the motion
    run = simulate(made.scene, duration=2.0)
    turn = [run.channel(f"joint.P{i}.angle") for i in (1, 2, 3, 4)]
    for one, two in ((0, 2), (1, 3)):
        np.testing.assert_allclose(np.diff(turn[one]), -np.diff(turn[two]), atol=1e-9)


@pytest.mark.parametrize("twist", [math.pi / 2, 1.2])
def test_bricard_has_one_freedom_against_the_count(twist):
    made = TEMPLATES["bricard"].make(twist=twist, start=1.3)
    found = check_scene(made.scene).mobility
    assert (found.mobility, found.gruebler, found.redundant) == (1, 0, 1)
    run = simulate(made.scene, duration=1.0)
    # threefold symmetry is kept, though gravity is not symmetric
    turn = [run.channel(f"joint.P{i}.angle") for i in range(1, 7)]
    for i in range(2):
        np.testing.assert_allclose(turn[i] - turn[i][0], turn[i + 2] - turn[i + 2][0], atol=1e-7)
    assert np.ptp(turn[0]) > 0.05


def test_the_stewart_platform_has_six_freedoms_and_follows_its_legs():
    made = TEMPLATES["stewart_platform"].make(tilt=0.0, heave=0.1, pace=2.0)
    assert made.mobility == 6
    run = simulate(made.scene, duration=1.0)
    # equal legs: the platform only rises, h² = l² - d² with d the offset of heads and feet
    at = {name: np.array(made.scene.joint(name).a.point) for name in ("foot 1",)}
    head = np.array(made.scene.body("platform").point("head 1").position)
    flat = np.hypot(*(head - at["foot 1"])[:2])
    leg = np.hypot(flat, 1.1) + 0.1 * (1.0 - np.cos(2.0 * run.t)) / 2.0
    np.testing.assert_allclose(run.channel("body.platform.pos.x"), 0.0, atol=1e-9)
    np.testing.assert_allclose(
        run.channel("body.platform.point.centre.pos.z"), np.sqrt(leg**2 - flat**2), atol=1e-9
    )


def test_the_governor_stays_where_its_speed_balances():
    template = TEMPLATES["flyball_governor"]
    for values in ({"start": 0.6}, {"start": 1.0, "sleeve": 0.5, "offset": 0.0}):
        speed = balance_speed({**template.defaults, **values}, values["start"])
        made = template.make(**values, speed=speed, damping=0.0)
        run = simulate(made.scene, duration=1.0)
        assert np.ptp(run.channel("joint.right hinge.angle")) < 1e-6
        angle = next(fact.value for fact in made.facts if "take at this speed" in fact.title)
        assert angle == pytest.approx(values["start"], abs=1e-9)
    # without an offset: the law of the conical pendulum, g/ω² is the height, here with Porter's load
    plain = {**template.defaults, "offset": 0.0, "sleeve": 1e-12}
    assert balance_speed(plain, 0.7) == pytest.approx(
        math.sqrt(9.81 / (plain["arm"] * math.cos(0.7))), rel=1e-9
    )


def test_the_suspension_has_two_freedoms_and_moves_as_drawn():
    template = TEMPLATES["double_wishbone"]
    made = template.make(travel=0.06, steer=0.03)
    found = check_scene(made.scene).mobility
    assert (found.mobility, found.dof, found.redundant) == (2, 0, 0)
    run = simulate(made.scene, duration=2.0)
    assert run.channel("body.upright.point.hub.pos.z").max() == pytest.approx(0.31 + 0.06, abs=1e-4)
    assert abs(run.channel("joint.rack guide.displacement")).max() == pytest.approx(0.03, abs=1e-4)
    facts = {fact.title: fact.value for fact in made.facts}
    assert facts["Caster"] == pytest.approx(math.atan(0.03 / 0.28))
    assert np.ptp(run.channel("measure.axle to forward")) > math.radians(5.0)  # it steers


def test_parallel_level_arms_put_the_roll_centre_on_the_road():
    # textbook: equal, parallel and level arms have their roll centre on the ground, and keep the camber
    values = {"lower": 0.3, "upper": 0.3, "shift": 0.0, "caster": 0.0, "steer": 0.0}
    values |= {"low_in": 0.2, "low_out": 0.2, "up_in": 0.45, "up_out": 0.45}
    template = TEMPLATES["double_wishbone"]
    assert roll_centre(points({**template.defaults, **values})) == pytest.approx(0.0, abs=1e-12)
    run = simulate(template.make(**values).scene, duration=1.0)
    np.testing.assert_allclose(run.channel("measure.axle to vertical"), math.pi / 2, atol=1e-7)
