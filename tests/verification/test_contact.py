"""Elastic stops, ropes and regularised friction against closed forms; orders across located events."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import gamma

from engine.model.scene import Scene
from engine.model.validate import validate
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

G, M = 9.81, 2.0


def slider(*, height: float = 0.0, speed: float = 0.0, gravity: float = 0.0) -> Scene:
    """A mass on a vertical guide, whose displacement is its height."""
    scene = Scene(space="planar", gravity=(0.0, -gravity))
    scene = scene.with_body("mass", position=[0.0, height], velocity=[0.0, speed], mass=M, inertia=[0.01])
    world = {"body": "world", "point": [0, 0], "axis": [0, 1]}
    return scene.with_joint(
        "prismatic", "guide", a=world, b={"body": "mass", "point": [0, 0], "axis": [0, 1]}
    )


def with_floor(scene: Scene, **fields: object) -> Scene:
    return scene.with_force("stop", "floor", joint="guide", coordinate="displacement", lower=0.0, **fields)


def run(scene: Scene, method: str = "rk4", dt: float = 1e-4, duration: float = 1.0) -> Trajectory:
    found = simulate(scene, method=method, dt=dt, duration=duration)
    assert found.status.name == "FINISHED", found.message
    return found


def instants(found: Trajectory, what: str) -> list[float]:
    return [event.t for event in found.events if event.what.startswith(what)]


def bounce(t: float, k: float, c: float, height: float) -> float:
    """Height after one bounce on a Kelvin–Voigt stop, in free flight again."""
    touch, speed = math.sqrt(2.0 * height / G), math.sqrt(2.0 * height * G)
    sigma = c / (2.0 * M)
    omega = math.sqrt(k / M - sigma * sigma)
    rest = -M * G / k
    b = (-speed - sigma * rest) / omega  # x = rest + e^(−σt)(−rest cos ωt + b sin ωt)

    def x(s: float) -> float:
        return rest + math.exp(-sigma * s) * (-rest * math.cos(omega * s) + b * math.sin(omega * s))

    def v(s: float) -> float:
        cosine = omega * b + sigma * rest
        sine = omega * rest - sigma * b
        return math.exp(-sigma * s) * (cosine * math.cos(omega * s) + sine * math.sin(omega * s))

    end = brentq(lambda s: k * x(s) + c * v(s), 0.5 * math.pi / omega, 1.2 * math.pi / omega, xtol=1e-15)
    free = t - touch - end
    return x(end) + v(end) * free - 0.5 * G * free * free


@pytest.mark.parametrize("damping", [0.0, 20.0])
def test_rk4_keeps_its_order_across_touching_and_leaving(damping: float) -> None:
    """With damping the force jumps at the first touch."""
    scene = with_floor(slider(height=0.3, gravity=G), stiffness=5000.0, damping=damping)
    steps = [4e-3, 2e-3, 1e-3, 5e-4]
    exact = bounce(0.6, 5000.0, damping, 0.3)
    ends = [run(scene, dt=dt, duration=0.6).channel("joint.guide.displacement")[-1] for dt in steps]
    order, _ = np.polyfit(np.log(steps), np.log(np.abs(np.array(ends) - exact)), 1)
    assert order > 3.7


@pytest.mark.parametrize("method", ["abm4", "dopri5", "generalized_alpha"])
def test_other_methods_end_their_steps_on_the_events(method: str) -> None:
    scene = with_floor(slider(height=0.3, gravity=G), stiffness=5000.0, damping=20.0)
    found = run(scene, method, 5e-4, 0.6)
    assert [event.what for event in found.events] == ["touches its lower limit", "leaves its lower limit"]
    assert found.events[0].t == pytest.approx(math.sqrt(0.6 / G), abs=1e-6)
    assert found.channel("joint.guide.displacement")[-1] == pytest.approx(
        bounce(0.6, 5000.0, 20.0, 0.3), abs=2e-4
    )


def test_a_hertz_contact_lasts_and_goes_as_deep_as_it_should() -> None:
    """d = (5 m v²/(4 k))^(2/5), T = 2 (d/v) ∫ dz/√(1 − z^(5/2)) = 2.94327… d/v."""
    k, speed = 1e6, 0.7
    found = run(
        with_floor(slider(height=0.01, speed=-speed), law="hertz", stiffness=k), dt=2e-5, duration=0.05
    )
    deepest = (5.0 * M * speed**2 / (4.0 * k)) ** 0.4
    lasts = 2.0 * deepest / speed * math.sqrt(math.pi) * 0.4 * gamma(0.4) / gamma(0.9)
    (touch,), (leave,) = instants(found, "touches"), instants(found, "leaves")
    assert touch == pytest.approx(0.01 / speed, rel=1e-10)
    assert leave - touch == pytest.approx(lasts, rel=1e-6)
    energy = found.channel("energy.elastic")
    x, v = found.table(["joint.guide.displacement", "joint.guide.speed"]).T
    turn = int(np.argmax(energy))
    # the sample nearest to the turn, carried to it: kinetic energy becomes depth
    still = (5.0 / (2.0 * k) * (energy[turn] + 0.5 * M * v[turn] ** 2)) ** 0.4
    assert still == pytest.approx(deepest, rel=1e-6)
    assert -x[turn] == pytest.approx(deepest, rel=1e-4)


FACTORS = {
    "hunt_crossley": lambda e: 1.5 * (1.0 - e),
    "lankarani_nikravesh": lambda e: 0.75 * (1.0 - e * e),
    "flores": lambda e: 1.6 * (1.0 - e) / e,
}


@pytest.mark.parametrize("law", FACTORS)
@pytest.mark.parametrize("speed", [0.2, 1.1])
def test_restitution_over_speed_follows_its_implicit_form(law: str, speed: float) -> None:
    """χ u (1 + r) = ln((1 + χ u)/(1 − χ u r)) [Hunt 1975]."""
    fields = {"law": law, "stiffness": 1e6, "restitution": 0.6, "impact_speed": 0.5}
    found = run(with_floor(slider(height=0.001, speed=-speed), **fields), dt=2e-5, duration=0.08)
    a = FACTORS[law](0.6) / 0.5 * speed
    r = brentq(lambda r: a * (1.0 + r) - math.log((1.0 + a) / (1.0 - a * r)), 1e-6, min(1.0, 1.0 / a) - 1e-12)
    after = found.channel("joint.guide.speed")[-1]
    assert after / speed == pytest.approx(r, rel=1e-6)
    lost = 0.5 * M * (speed**2 - after**2)
    assert found.channel("energy.loss.contact.floor")[-1] == pytest.approx(lost, rel=1e-6)
    assert np.abs(found.channel("energy.error")).max() < 1e-7


def test_a_relaxing_stop_gives_nothing_back_and_books_it() -> None:
    """Overdamped: the push ends before the depth does."""
    found = run(with_floor(slider(height=0.05, gravity=G), stiffness=2e3, damping=60.0), duration=0.4)
    assert found.channel("force.floor.effort").min() >= 0.0
    assert np.abs(found.channel("energy.error")).max() < 1e-8
    assert found.channel("energy.dissipated")[-1] == pytest.approx(found.channel("energy.loss.contact")[-1])
    assert (np.diff(found.channel("energy.loss.contact")) >= -1e-12).all()


def test_a_slack_rope_lets_its_load_fly() -> None:
    """Thrown upwards from below its hook, a load is in free flight until the rope is taut."""
    scene = Scene(space="planar", gravity=(0.0, -G))
    scene = scene.with_body("load", position=[0.3, -0.4], velocity=[-0.6, 2.0], mass=M, inertia=[0.1])
    ends = {"a": {"body": "world", "point": [0, 0]}, "b": {"body": "load", "point": [0, 0]}}
    scene = scene.with_force("rope", "rope", **ends, longest=0.8, stiffness=4e4, damping=50.0)

    def length(t: float) -> float:
        return math.hypot(0.3 - 0.6 * t, -0.4 + 2.0 * t - 0.5 * G * t * t)

    taut = brentq(lambda t: length(t) - 0.8, 0.45, 0.7, xtol=1e-14)
    found = run(scene, dt=5e-4, duration=1.0)
    assert found.events[0].t == pytest.approx(taut, abs=1e-10)
    before = found.t < taut
    x, y = found.table(["body.load.pos.x", "body.load.pos.y"])[before].T
    t = found.t[before]
    np.testing.assert_allclose(x, 0.3 - 0.6 * t, atol=1e-12)
    np.testing.assert_allclose(y, -0.4 + 2.0 * t - 0.5 * G * t * t, atol=1e-12)
    assert not found.channel("force.rope.force")[before].any()
    assert found.channel("force.rope.force").min() >= 0.0
    assert np.abs(found.channel("energy.error")).max() < 1e-5


def test_dry_friction_takes_the_same_from_every_swing() -> None:
    """Δ = 4 F/k per cycle as the smoothing speed goes to zero."""
    k, friction = 800.0, 2.0
    scene = slider(height=0.1).with_force(
        "friction", "rail", joint="guide", coordinate="displacement", kinetic=friction, smoothing_speed=1e-4
    )
    ends = {"a": {"body": "world", "point": [0, -1]}, "b": {"body": "mass", "point": [0, 0]}}
    scene = scene.with_force("spring", "spring", **ends, stiffness=k, free_length=1.0)
    period = 2.0 * math.pi * math.sqrt(M / k)
    found = run(scene, dt=2e-5, duration=3.0 * period)
    peaks = [
        found.channel("joint.guide.displacement")[np.argmin(np.abs(found.t - n * period))] for n in range(4)
    ]
    np.testing.assert_allclose(np.diff(peaks), -4.0 * friction / k, rtol=5e-3)
    lost = found.channel("energy.loss.friction")
    assert lost[-1] == pytest.approx(0.5 * k * (peaks[0] ** 2 - peaks[3] ** 2), rel=1e-3)
    assert np.abs(found.channel("energy.error")).max() < 1e-6


def test_friction_by_coefficient_preload_and_radius_is_that_by_torque() -> None:
    wheel = Scene(space="planar", gravity=(0.0, 0.0)).with_body(
        "wheel", angular_velocity=[0, 0, 5.0], mass=1.0, inertia=[0.02]
    )
    wheel = wheel.with_joint("revolute", "axle", a={"body": "world", "point": [0, 0]}, b={"body": "wheel"})
    given = wheel.with_force("friction", "brake", joint="axle", coefficient=0.3, preload=40.0, radius=0.02)
    found = run(given, dt=1e-4, duration=0.2)
    # 0.24 N·m on 0.02 kg m²: −12 rad/s²
    assert found.channel("body.wheel.omega.z")[-1] == pytest.approx(5.0 - 12.0 * 0.2, abs=1e-9)


def test_a_condition_stops_a_run_within_a_contact() -> None:
    scene = with_floor(slider(height=0.3, gravity=G), stiffness=5000.0)
    scene = scene.with_simulation(stop_when=["joint.guide.displacement + 0.01"])
    found = simulate(scene, method="rk4", dt=1e-3, duration=1.0)
    assert found.status.name == "STOPPED"
    assert found.channel("joint.guide.displacement")[-1] == pytest.approx(-0.01, abs=1e-10)
    assert [event.what for event in found.events] == ["touches its lower limit"]


def test_a_mass_that_starts_on_its_stop_stays_there() -> None:
    k = 1e4
    found = run(with_floor(slider(height=-M * G / k, gravity=G), stiffness=k, damping=10.0), dt=1e-3)
    assert np.ptp(found.channel("joint.guide.displacement")) < 1e-12
    assert found.events == ()


def test_a_start_beyond_a_limit_is_told() -> None:
    found = run(with_floor(slider(height=-0.2), stiffness=100.0), dt=1e-3, duration=0.01)
    assert "'floor' starts at -0.2, beyond its lower limit 0" in found.message


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("stop", {"lower": 1.0, "upper": 0.5, "stiffness": 1.0}, "lower 1 rad is not below upper 0.5 rad"),
        ("stop", {"stiffness": 1.0}, "neither lower nor upper"),
        ("stop", {"lower": 0.0, "stiffness": -1.0}, "stiffness"),
        ("friction", {"kinetic": -0.1}, "kinetic"),
        (
            "friction",
            {"kinetic": 0.4, "static": 0.3},
            "static friction 0.3 is less than",
        ),
        ("friction", {"kinetic": 0.4, "coefficient": 0.3}, "both given"),
        ("friction", {}, "neither kinetic friction"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(kind: str, fields: dict[str, float], words: str) -> None:
    wheel = Scene(space="planar").with_body("wheel", mass=1.0, inertia=[0.02])
    wheel = wheel.with_joint("revolute", "axle", a={"body": "world", "point": [0, 0]}, b={"body": "wheel"})
    (problem,) = validate(wheel.with_force(kind, "element", joint="axle", **fields))
    assert "element" in problem.path + problem.message or "forces[0]" in problem.path
    assert words in problem.path + problem.message
    assert problem.remedy
