"""Time stepping over impacts and friction against event-driven runs and closed forms."""

import math

import msgspec
import numpy as np
import pytest

from engine.model.scene import Scene
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.templates import TEMPLATES
from tests.verification.convergence import errors, slopes
from tests.verification.test_body_contact import ball_scene
from tests.verification.test_rigid_contact import (
    G,
    M,
    gears,
    ramp,
    slider,
    with_friction,
    with_spring,
    with_stop,
)

PLACE = "joint.guide.displacement"
METHODS = ("moreau_jean", "nonsmooth_alpha")


def run(scene: Scene, dt: float, duration: float, method: str = "moreau_jean") -> Trajectory:
    found = simulate(scene, method=method, dt=dt, duration=duration)
    assert found.status.name == "FINISHED", found.message
    return found


@pytest.mark.parametrize("method", METHODS)
def test_it_agrees_with_events_to_the_order_of_the_step(method: str) -> None:
    scene = with_stop(with_spring(slider(height=0.1), 800.0), lower=-0.03, restitution=0.7)
    exact = run(scene, 1e-3, 1.0, "rk4")
    steps, errors = [2e-3, 1e-3, 5e-4, 2.5e-4], []
    for dt in steps:
        off = []
        for part in np.linspace(0.7, 1.0, 8):  # where within a step an impact falls is a matter of chance
            found = run(scene, float(part * dt), 1.0, method)
            exactly = np.interp(found.t, exact.t, exact.channel(PLACE))
            off.append(np.abs(found.channel(PLACE) - exactly).mean())
            assert np.abs(found.channel("energy.error")).max() < 0.02
        errors.append(np.mean(off))
    slope, _ = np.polyfit(np.log(steps), np.log(errors), 1)
    assert 0.8 < slope < 1.4


def test_a_ball_comes_to_rest_and_the_balance_of_energy_closes() -> None:
    """All of M g h is lost in impacts, but for what the floor has given way: the way of a step."""
    found = run(with_stop(slider(height=1.0, gravity=G), lower=0.0, restitution=0.5), 1e-3, 2.0)
    assert np.abs(found.channel("energy.error")).max() < 1e-11
    assert found.channel(PLACE).min() > -1e-3 * math.sqrt(2.0 * G)
    assert np.ptp(found.channel(PLACE)[-200:]) < 1e-4
    assert found.channel("energy.loss.impact")[-1] == pytest.approx(M * G, rel=1e-4)
    np.testing.assert_allclose(found.channel("force.stop.effort")[-50:].mean(), M * G, rtol=1e-6)


def test_the_non_smooth_rule_leaves_nothing_beyond_its_limit() -> None:
    """Neither positions nor velocities, at rest neither; the balance of energy closes."""
    scene = with_stop(slider(height=1.0, gravity=G), lower=0.0, restitution=0.5)
    found = run(scene, 1e-3, 2.0, "nonsmooth_alpha")
    place, speed = found.channel(PLACE), found.channel("joint.guide.speed")
    assert place.min() > -1e-12
    assert np.abs(speed[-100:]).max() < 1e-12
    assert np.abs(found.channel("energy.error")).max() < 1e-10
    assert found.channel("energy.loss.impact")[-1] == pytest.approx(M * G, rel=1e-9)
    np.testing.assert_allclose(found.channel("force.stop.effort")[-50:].mean(), M * G, rtol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_the_list_of_events_is_that_of_located_ones_to_a_step(method: str) -> None:
    scene = with_stop(slider(height=0.5, gravity=G), lower=0.0, restitution=0.5)
    located, found = run(scene, 1e-3, 0.9, "rk4"), run(scene, 1e-3, 0.9, method)
    hits = [[event for event in each.events if event.kind == "impact"] for each in (located, found)]
    for exact, stepped in zip(*(listed[:3] for listed in hits), strict=True):
        assert stepped.t == pytest.approx(exact.t, abs=3e-3)
        assert stepped.impulse == pytest.approx(exact.impulse, rel=0.02)
        assert stepped.loss == pytest.approx(exact.loss, rel=0.02)
        assert stepped.element == "stop"
    rests = run(scene, 1e-3, 2.0, method).events[-1]
    assert rests.kind == "touch"


@pytest.mark.parametrize("dt", [1e-2, 0.1])
def test_a_box_on_a_shallow_ramp_does_not_move(dt: float) -> None:
    scene = ramp(10.0, coefficient=0.2, preload=M * G * math.cos(math.radians(10.0)))
    assert np.abs(run(scene, dt, 10.0).channel("joint.ramp.displacement")).max() < 1e-12


def test_the_friction_oscillator_rests_and_loses_what_it_had() -> None:
    k, kinetic = 800.0, 2.1
    scene = with_friction(with_spring(slider(height=0.1), k), kinetic=kinetic, stribeck_speed=0.0)
    events, found = run(scene, 1e-3, 20.0, "rk4"), run(scene, 1e-3, 20.0)
    assert found.channel(PLACE)[-1] == pytest.approx(events.channel(PLACE)[-1], abs=1e-4)
    assert np.ptp(found.channel(PLACE)[-1000:]) < 1e-14
    lost = "energy.loss.friction.friction"
    assert found.channel(lost)[-1] == pytest.approx(events.channel(lost)[-1], rel=1e-3)


def test_many_limits_at_once_never_add_energy() -> None:
    """A rod between stops of many ropes with all restitutions; nothing else acts."""
    random = np.random.default_rng(7)
    for case in range(4):
        scene = Scene(space="planar", gravity=(0.0, 0.0))
        for i in range(3):
            v, w = random.normal(size=2), float(random.normal())
            scene = scene.with_body(
                f"b{i}",
                position=[0.3 * i, 0.05 * i],
                velocity=list(v),
                angular_velocity=[0.0, 0.0, w],
                mass=float(random.uniform(0.5, 2.0)),
                inertia=[0.02],
            )
        for i in range(3):
            for j in range(3):
                point = list(random.uniform(-0.2, 0.2, 2))
                other = "world" if j == i else f"b{j}"
                ends = {"a": {"body": f"b{i}", "point": point}, "b": {"body": other, "point": [0.3 * j, 0.4]}}
                e = float(random.uniform(0.0, 1.0))
                scene = scene.with_force("rope", f"r{i}{j}", **ends, longest=1.1, law="rigid", restitution=e)
        found = run(scene, 2e-3, 2.0)
        kinetic = found.channel("energy.kinetic")
        assert np.diff(kinetic).max() < 1e-9 * kinetic[0], case
        assert found.channel("energy.loss.impact")[-1] > 0.0
        assert np.abs(found.channel("energy.error")).max() < 1e-10


def test_a_closed_loop_with_a_stop_ends_where_events_say() -> None:
    scene = msgspec.structs.replace(TEMPLATES["four_bar"].make().scene, motions=())
    scene = scene.with_force(
        "stop", "stop", joint="A", coordinate="angle", lower=-1.5, law="rigid", restitution=0.5
    )
    found = run(scene, 1e-3, 2.0)
    assert found.channel("joint.A.angle")[-1] == pytest.approx(-1.5, abs=1e-3)
    assert np.abs(found.channel("violation.position")).max() < 1e-9


def _stopped_slider_crank() -> Scene:
    """It swings on by its weight until its piston meets a stop, and bounces there."""
    scene = msgspec.structs.replace(TEMPLATES["slider_crank"].make().scene, motions=())
    stop = {"joint": "guide", "coordinate": "displacement", "upper": 0.385, "law": "rigid"}
    return scene.with_force("stop", "stop", **stop, restitution=0.5)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("scene", "channel", "duration"),
    [
        (_stopped_slider_crank(), "joint.A.angle", 1.5),
        (TEMPLATES["rocking_block"].make().scene, "body.block.angle", 0.9),
    ],
    ids=["slider-crank", "rocking block"],
)
def test_mechanisms_agree_with_events_to_the_order_of_the_step(
    scene: Scene, channel: str, duration: float, method: str
) -> None:
    exact = run(scene, 1e-3, duration, "rk4")
    assert any(event.kind == "impact" for event in exact.events)
    off = []
    for dt in (2e-3, 2.5e-4):
        for part in (1.0, 0.9, 0.8):
            found = run(scene, part * dt, duration, method)
            exactly = np.interp(found.t, exact.t, exact.channel(channel))
            off.append(np.abs(found.channel(channel) - exactly).mean())
    assert np.mean(off[3:]) < np.mean(off[:3]) / 5.0


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_sliding_ball_begins_to_roll(space: str) -> None:
    """Rolls with 5/7 of its speed, at any step; the rest is lost, but for what turns."""
    found = run(ball_scene(space, 0.0, vx=1.4, law="rigid", restitution=0.0, friction=0.3), 1e-3, 0.6)
    assert found.channel("body.ball.vel.x")[-1] == pytest.approx(1.0, abs=2e-3)
    assert np.abs(found.channel("energy.error")).max() < 1e-9


def test_a_ball_on_a_ramp_slides_as_friction_says() -> None:
    """tan 30° is more than 7/2 of 0.1: it slides with g (sin − µ cos)."""
    slope, mu = math.radians(30.0), 0.1
    found = run(ball_scene("spatial", 0.0, slope=slope, law="rigid", restitution=0.0, friction=mu), 1e-3, 0.5)
    a = G * (math.sin(slope) - mu * math.cos(slope))
    assert np.hypot(found.channel("body.ball.vel.x"), found.channel("body.ball.vel.z"))[-1] == pytest.approx(
        0.5 * a, rel=5e-3
    )


def test_a_driven_gear_takes_another_along_through_its_play() -> None:
    """Its drive works in the blow: half of that is lost, half turns the other wheel."""
    found = run(gears(0.1, law="rigid", restitution=0.0), 1e-3, 0.5)
    assert found.channel("body.B.omega.z")[-1] == pytest.approx(-1.0, abs=1e-9)
    assert found.channel("energy.loss.impact")[-1] == pytest.approx(0.01, rel=1e-9)
    assert np.abs(found.channel("energy.error")).max() < 1e-12


def test_a_pivot_carries_all_of_the_swing() -> None:
    """At the lowest point m g + m v²/r, v² = 2 m g r²/(I + m r²) r; held level at the start."""
    r, inertia = 0.5, 0.02
    scene = (
        Scene(space="planar", gravity=(0.0, -G))
        .with_body("bob", position=[r, 0.0], mass=M, inertia=[inertia])
        .with_joint("revolute", "pivot", a={"body": "world"}, b={"body": "bob", "point": [-r, 0.0]})
    )
    found = run(scene, 1e-3, 1.0)
    lowest = M * G + 2.0 * (M * r) ** 2 * G / (inertia + M * r**2)
    assert found.channel("joint.pivot.reaction.fy").max() == pytest.approx(lowest, rel=1e-3)


def test_a_drive_does_the_work_that_the_balance_asks_for() -> None:
    """A bar turned at ω against its weight: torque m g r cos φ, pull m r ω² along it, no energy lost."""
    r, speed = 0.5, 10.0
    scene = (
        Scene(space="planar", gravity=(0.0, -G))
        .with_body("bar", position=[r, 0.0], mass=M, inertia=[0.02], angular_velocity=[0.0, 0.0, speed])
        .with_joint("revolute", "axle", a={"body": "world"}, b={"body": "bar", "point": [-r, 0.0]})
        .with_motion("joint_motion", "drive", joint="axle", function=f"{speed}*t")
    )
    dt = 1e-3
    found = run(scene, dt, 2.0)
    middle = speed * (found.t[1:] - 0.5 * dt)  # impulses are those of a step
    np.testing.assert_allclose(
        found.channel("motion.drive.effort")[1:], M * G * r * np.cos(middle), atol=1e-4 * M * G * r
    )
    pull = found.channel("joint.axle.reaction.fx")[1:]
    np.testing.assert_allclose(pull, -M * r * speed**2 * np.cos(middle), atol=1e-4 * M * r * speed**2)
    assert np.abs(found.channel("energy.error")).max() < 1e-5 * M * G * r


# steps per second; the slider-crank in space has gyroscopic torques, taken at the beginning of a step
ORDERS = {
    "double_pendulum": ((1000, 2000), (2, 2, 1, 1)),
    "four_bar": ((1000, 2000), (2, 2, 1, 1)),
    "spatial_slider_crank": ((8000, 16000), (1, 1, 1, 1)),
}


@pytest.mark.parametrize("mechanism", ORDERS)
def test_order_of_positions_velocities_and_reactions_of_a_smooth_motion(mechanism: str) -> None:
    rates, orders = ORDERS[mechanism]
    found = errors(mechanism, "moreau_jean", rates)
    assert slopes(found) == pytest.approx(np.array(orders), abs=0.1), found
