"""Rigid stops, ropes and held friction against closed forms: instants, orders, losses, rest."""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from engine.errors import SceneError
from engine.maths.complementarity import solve as complementary
from engine.model.scene import Scene
from engine.model.validate import validate
from engine.results.trajectory import Trajectory
from engine.simulation.rigid.frictionless import impulses
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


def with_stop(scene: Scene, **fields: object) -> Scene:
    given = {"joint": "guide", "coordinate": "displacement", "law": "rigid", **fields}
    return scene.with_force("stop", "stop", **given)


def with_spring(scene: Scene, stiffness: float) -> Scene:
    """A spring that is slack at the height 0."""
    ends = {"a": {"body": "world", "point": [0, -1]}, "b": {"body": "mass", "point": [0, 0]}}
    return scene.with_force("spring", "spring", **ends, stiffness=stiffness, free_length=1.0)


def with_friction(scene: Scene, joint: str = "guide", **fields: object) -> Scene:
    given = {"joint": joint, "coordinate": "displacement", "model": "held", **fields}
    return scene.with_force("friction", "friction", **given)


def run(scene: Scene, method: str = "rk4", dt: float = 1e-3, duration: float = 1.0) -> Trajectory:
    found = simulate(scene, method=method, dt=dt, duration=duration)
    assert found.status.name == "FINISHED", found.message
    return found


def instants(found: Trajectory, kind: str) -> list[float]:
    return [event.t for event in found.events if event.kind == kind]


# impacts


def test_a_bouncing_ball_hits_when_it_should_and_comes_to_rest() -> None:
    """t₁ = √(2h/g), then flights of 2 t₁ eⁿ: at rest after t₁ (1 + 2 e/(1 − e))."""
    e, fall = 0.8, math.sqrt(2.0 / G)
    found = run(with_stop(slider(height=1.0, gravity=G), lower=0.0, restitution=e), dt=1e-2, duration=5.0)
    exact = fall + 2.0 * fall * np.array([sum(e**k for k in range(1, n + 1)) for n in range(10)])
    hits = instants(found, "impact")
    np.testing.assert_allclose(hits[:10], exact, rtol=0.0, atol=1e-10)
    (rest,) = instants(found, "touch")
    assert rest == pytest.approx(fall * (1.0 + 2.0 * e / (1.0 - e)), abs=1e-7)
    after = found.t > rest
    assert np.abs(found.channel("joint.guide.displacement")[after]).max() < 1e-14
    np.testing.assert_allclose(found.channel("force.stop.effort")[after], M * G, rtol=1e-12)
    assert found.channel("energy.loss.impact.stop")[-1] == pytest.approx(M * G, rel=1e-12)
    assert np.abs(found.channel("energy.error")).max() < 1e-12
    first = found.events[0]
    speed = G * fall
    assert first.impulse == pytest.approx(M * (1.0 + e) * speed, rel=1e-12)
    assert first.loss == pytest.approx(0.5 * M * (1.0 - e * e) * speed**2, rel=1e-12)


def bounced(t: float, omega: float, wall: float, e: float, x: float) -> float:
    """A mass on a spring, let go at x, against a wall below: position at t."""
    v, now = 0.0, 0.0
    while True:
        amplitude, phase = math.hypot(x, v / omega), math.atan2(-v / omega, x)
        # x = A cos(ωs + φ) reaches the wall at the angle that goes down through it
        angle = math.acos(wall / amplitude)
        hit = ((angle - phase) % (2.0 * math.pi)) / omega or 2.0 * math.pi / omega
        if now + hit > t:
            return amplitude * math.cos(omega * (t - now) + phase)
        now += hit
        v = e * omega * amplitude * math.sin(angle)
        x = wall


def test_issue_17_an_impact_at_the_very_start_is_booked_once() -> None:
    """v → −e v costs ½ m v² (1 − e²) before the first sample; it was counted as gained."""
    found = run(with_stop(slider(speed=-2.0), lower=0.0, restitution=0.5), duration=0.01)
    assert instants(found, "impact") == [0.0]
    assert found.channel("body.mass.vel.y")[-1] == pytest.approx(1.0, rel=1e-12)
    assert found.channel("energy.loss.impact")[-1] == pytest.approx(0.5 * M * 4.0 * 0.75, rel=1e-12)
    assert np.abs(found.channel("energy.error")).max() < 1e-12


@pytest.mark.parametrize(
    ("method", "order"),
    [
        ("rk4", 4),
        ("rk2", 2),
        ("lagrange/implicit_midpoint/projection", 2),
        ("generalized_alpha", 2),
    ],
)
def test_methods_keep_their_order_across_impacts(method: str, order: int) -> None:
    scene = with_stop(with_spring(slider(height=0.1), 800.0), lower=-0.03, restitution=0.7)
    steps = [8e-3, 4e-3, 2e-3] if order > 2 else [2e-3, 1e-3, 5e-4]
    exact = bounced(0.7, 20.0, -0.03, 0.7, 0.1)
    ends = [run(scene, method, dt, 0.7).channel("joint.guide.displacement")[-1] for dt in steps]
    slope, _ = np.polyfit(np.log(steps), np.log(np.abs(np.array(ends) - exact)), 1)
    assert slope > order - 0.35


def test_a_mass_between_two_walls_keeps_its_energy() -> None:
    """Without losses: 2 · 0.4 m / 1.7 m/s between hits of the same wall."""
    scene = with_stop(slider(height=0.1, speed=1.7), lower=-0.2, upper=0.2, restitution=1.0)
    found = run(scene, dt=7e-3, duration=2.0)
    hits = np.array(instants(found, "impact"))
    np.testing.assert_allclose(hits, (0.1 + 0.4 * np.arange(len(hits))) / 1.7, atol=1e-12)
    assert {event.what for event in found.events} == {"hits its upper limit", "hits its lower limit"}
    assert np.abs(found.channel("energy.error")).max() < 1e-13
    assert np.abs(found.channel("joint.guide.displacement")).max() < 0.2 + 1e-12


def test_a_rigid_rope_takes_the_radial_speed_and_then_holds() -> None:
    """Inelastic: what moves along the rope is lost, then a pendulum of its length swings."""
    scene = Scene(space="planar", gravity=(0.0, -G))
    scene = scene.with_body("load", position=[0.3, -0.4], velocity=[-0.6, 2.0], mass=M, inertia=[0.1])
    ends = {"a": {"body": "world", "point": [0, 0]}, "b": {"body": "load", "point": [0, 0]}}
    scene = scene.with_force("rope", "rope", **ends, longest=0.8, law="rigid", restitution=0.0)

    def at(t: float) -> tuple[float, float]:
        return 0.3 - 0.6 * t, -0.4 + 2.0 * t - 0.5 * G * t * t

    taut = brentq(lambda t: math.hypot(*at(t)) - 0.8, 0.45, 0.7, xtol=1e-14)
    found = run(scene, dt=2e-3, duration=1.2)
    hit, touch = found.events[:2]
    assert hit.t == touch.t == pytest.approx(taut, abs=1e-11)
    x, y = at(taut)
    radial = (x * -0.6 + y * (2.0 - G * taut)) / 0.8
    assert hit.loss == pytest.approx(0.5 * M * radial**2, rel=1e-9)
    held = found.t > hit.t  # at that instant there is a sample before the impact, too
    assert np.abs(found.channel("force.rope.length")[held] - 0.8).max() < 1e-11
    assert found.channel("force.rope.force")[held].min() > 0.0
    assert np.abs(found.channel("energy.error")).max() < 1e-8


def test_a_swinging_mass_leaves_its_rope_where_the_pull_ends() -> None:
    """From the lowest point with v² = 3.5 g L the pull ends at cos θ = −(v² − 2 g L)/(3 g L)."""
    length, speed = 0.5, math.sqrt(3.5 * G * 0.5)
    scene = Scene(space="planar", gravity=(0.0, -G))
    scene = scene.with_body("load", position=[0.0, -length], velocity=[speed, 0.0], mass=M, inertia=[0.1])
    ends = {"a": {"body": "world", "point": [0, 0]}, "b": {"body": "load", "point": [0, 0]}}
    scene = scene.with_force("rope", "rope", **ends, longest=length, law="rigid", restitution=0.0)
    found = run(scene, dt=1e-3, duration=0.6)
    (leave,) = instants(found, "leave")
    i = int(np.searchsorted(found.t, leave))
    y = found.channel("body.load.pos.y")
    between = np.interp(leave, found.t[i - 1 : i + 1], y[i - 1 : i + 1])
    assert between == pytest.approx(length * 0.5, abs=1e-6)  # cos θ = −1/2


def test_several_impacts_never_add_energy() -> None:
    random = np.random.default_rng(3)
    for _ in range(300):
        n = int(random.integers(1, 6))
        D = random.normal(size=(n, int(random.integers(1, 6))))
        mass = np.diag(random.uniform(0.2, 3.0, D.shape[1]))
        G_ = D @ np.linalg.inv(mass) @ D.T
        v = random.normal(size=D.shape[1])
        impulse = impulses(G_, D @ v, random.uniform(0.0, 1.0, n))
        after = v + np.linalg.solve(mass, D.T @ impulse)
        assert impulse.min() >= 0.0
        assert (D @ after).min() > -1e-6
        assert after @ mass @ after <= v @ mass @ v * (1.0 + 1e-12)


def test_lemke_finds_what_trying_all_sets_finds() -> None:
    random = np.random.default_rng(5)
    for _ in range(100):
        n = int(random.integers(1, 6))
        root = random.normal(size=(n, n))
        matrix, q = root @ root.T, random.normal(size=n)
        z = complementary(matrix, q)
        assert z is not None
        for active in itertools.product([False, True], repeat=n):
            chosen = np.flatnonzero(active)
            exact = np.zeros(n)
            exact[chosen] = np.linalg.solve(matrix[np.ix_(chosen, chosen)], -q[chosen])
            if exact.min() >= 0.0 and (matrix @ exact + q).min() > -1e-9:
                np.testing.assert_allclose(z, exact, atol=1e-8 * (1.0 + np.abs(exact).max()))
                break


# friction


def ramp(degrees: float, **friction: object) -> Scene:
    angle = math.radians(degrees)
    axis = [math.cos(angle), math.sin(angle)]
    scene = Scene(space="planar", gravity=(0.0, -G)).with_body("box", mass=M, inertia=[0.05])
    scene = scene.with_joint(
        "prismatic",
        "ramp",
        a={"body": "world", "point": [0, 0], "axis": axis},
        b={"body": "box", "point": [0, 0], "axis": axis},
    )
    return with_friction(scene, "ramp", **friction)


@pytest.mark.parametrize("dt", [1e-2, 0.5])
def test_a_box_on_a_shallow_ramp_does_not_move(dt: float) -> None:
    scene = ramp(10.0, coefficient=0.2, preload=M * G * math.cos(math.radians(10.0)))
    found = run(scene, dt=dt, duration=60.0)
    assert np.abs(found.channel("joint.ramp.displacement")).max() < 1e-12
    held = M * G * math.sin(math.radians(10.0))
    np.testing.assert_allclose(found.channel("force.friction.effort"), held, rtol=1e-12)
    assert found.events == ()


def test_a_box_on_a_steep_ramp_slides() -> None:
    angle = math.radians(15.0)
    scene = ramp(15.0, coefficient=0.2, preload=M * G * math.cos(angle))
    found = run(scene, dt=1e-2)
    a = -G * (math.sin(angle) - 0.2 * math.cos(angle))
    assert found.channel("joint.ramp.displacement")[-1] == pytest.approx(0.5 * a, rel=1e-12)
    assert np.abs(found.channel("energy.error")).max() < 1e-12


def test_the_friction_oscillator_rests_where_its_closed_form_says() -> None:
    """Every half swing ends 2 F/k nearer, until the spring cannot overcome static friction."""
    k, kinetic, static, x = 800.0, 2.1, 2.6, 0.1
    scene = with_spring(slider(height=x), k)
    scene = with_friction(scene, kinetic=kinetic, static=static, stribeck_speed=0.0)
    found = run(scene, dt=1e-3, duration=20.0)
    swings = 0
    while k * abs(x) > static:
        x, swings = -math.copysign(abs(x) - 2.0 * kinetic / k, x), swings + 1
    place = found.channel("joint.guide.displacement")
    assert found.events[-1].kind == "stick"
    assert found.events[-1].t == pytest.approx(swings * math.pi / math.sqrt(k / M), abs=1e-7)
    assert place[-1] == pytest.approx(x, abs=1e-9)
    assert np.ptp(place[found.t > found.events[-1].t]) < 1e-14
    assert np.abs(found.channel("energy.error")).max() < 1e-7


def test_a_mass_on_a_belt_sticks_and_slips_as_long_as_it_should() -> None:
    """Sticks until k x = F_s; then slips about F_k/k at ω until the speeds agree again."""
    k, speed, static, kinetic = 50.0, 0.1, 6.0, 4.0
    omega = math.sqrt(k / M)
    along = {"axis": [1, 0]}
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    scene = scene.with_body("belt", velocity=[speed, 0.0], mass=1.0, inertia=[1.0])
    scene = scene.with_body("mass", velocity=[speed, 0.0], mass=M, inertia=[1.0])
    scene = scene.with_joint(
        "prismatic", "drum", a={"body": "world", **along}, b={"body": "belt", **along}
    ).with_joint("prismatic", "pad", a={"body": "belt", **along}, b={"body": "mass", **along})
    scene = scene.with_motion(
        "joint_motion", "drive", joint="drum", coordinate="displacement", function=f"{speed}*t"
    )
    ends = {"a": {"body": "world", "point": [-1, 0]}, "b": {"body": "mass", "point": [0, 0]}}
    scene = scene.with_force("spring", "spring", **ends, stiffness=k, free_length=1.0)
    scene = with_friction(scene, "pad", kinetic=kinetic, static=static, stribeck_speed=0.0)
    found = run(scene, dt=2e-3, duration=12.0)
    slips, sticks = np.array(instants(found, "slip")), np.array(instants(found, "stick"))
    assert slips[0] == pytest.approx(static / k / speed, abs=1e-8)
    rise = (static - kinetic) / k
    slipping = 2.0 / omega * (math.pi - math.atan2(rise * omega, speed))
    sticking = 2.0 * rise / speed
    assert len(sticks) >= 3
    np.testing.assert_allclose(sticks - slips[: len(sticks)], slipping, atol=1e-8)
    np.testing.assert_allclose(slips[1:] - sticks[: len(slips) - 1], sticking, atol=1e-8)
    assert np.abs(found.channel("energy.error")).max() < 1e-8


def test_a_wheel_is_held_by_friction_until_the_torque_breaks_it_loose() -> None:
    wheel = Scene(space="planar", gravity=(0.0, 0.0)).with_body("wheel", mass=1.0, inertia=[0.02])
    wheel = wheel.with_joint("revolute", "axle", a={"body": "world", "point": [0, 0]}, b={"body": "wheel"})
    wheel = wheel.with_force("torque", "drive", body="wheel", components=[0, 0, "0.3*t"])
    scene = wheel.with_force(
        "friction", "friction", joint="axle", model="held", coefficient=0.3, preload=40.0, radius=0.02
    )
    found = run(scene, dt=1e-2, duration=2.0)
    (slip,) = instants(found, "slip")
    assert slip == pytest.approx(0.24 / 0.3, abs=1e-10)
    # ω = ∫ (0.3 t − 0.24)/0.02 dt
    assert found.channel("body.wheel.omega.z")[-1] == pytest.approx(0.15 * 1.2**2 / 0.02, rel=1e-9)


@pytest.mark.parametrize("degrees", [10.0, 15.0])
def test_friction_by_the_reaction_is_that_by_the_preload_it_amounts_to(degrees: float) -> None:
    angle = math.radians(degrees)
    found = run(ramp(degrees, coefficient=0.2, normal="reaction"), dt=2e-2)
    a = -G * max(math.sin(angle) - 0.2 * math.cos(angle), 0.0)
    assert found.channel("joint.ramp.displacement")[-1] == pytest.approx(0.5 * a, abs=1e-13)
    effort = M * G * min(math.sin(angle), 0.2 * math.cos(angle))
    np.testing.assert_allclose(found.channel("force.friction.effort")[1:], effort, rtol=1e-9)


def rod_in_a_bearing(friction: float, arm: float) -> Scene:
    scene = Scene(space="planar", gravity=(0.0, -G)).with_body("rod", com=[arm, 0.0], mass=M, inertia=[0.2])
    scene = scene.with_joint(
        "revolute", "pin", a={"body": "world", "point": [0, 0]}, b={"body": "rod", "point": [0, 0]}
    )
    bearing = {"coefficient": friction, "normal": "reaction", "radius": 0.03, "stribeck_speed": 0.0}
    return scene.with_force("friction", "bearing", joint="pin", model="held", **bearing)


def test_a_bearing_brakes_by_the_load_that_it_carries() -> None:
    """θ″ from the torque µ r |R|, R from the acceleration of the centre: solved for apart."""
    mu, arm = 0.3, 0.5
    about = 0.2 + M * arm**2

    def rate(t: float, state: np.ndarray) -> list[float]:
        angle, omega = state

        def brake(alpha: float) -> float:
            ax = -arm * (omega**2 * math.cos(angle) + alpha * math.sin(angle))
            ay = arm * (alpha * math.cos(angle) - omega**2 * math.sin(angle))
            return mu * 0.03 * M * math.hypot(ax, ay + G)

        def balance(alpha: float) -> float:
            return about * alpha + M * G * arm * math.cos(angle) - brake(alpha)  # it falls: ω < 0

        return [omega, brentq(balance, -100.0, 100.0, xtol=1e-14)]

    exact = solve_ivp(rate, (0.0, 0.4), [0.0, 0.0], rtol=1e-11, atol=1e-12).y[0, -1]
    found = run(rod_in_a_bearing(mu, arm), dt=2e-3, duration=0.4)
    assert found.channel("joint.pin.angle")[-1] == pytest.approx(exact, abs=1e-9)
    assert np.abs(found.channel("energy.error")).max() < 1e-8


def test_methods_without_reactions_refuse_friction_that_depends_on_them() -> None:
    with pytest.raises(SceneError, match="friction 'bearing' depends on reactions"):
        simulate(rod_in_a_bearing(0.3, 0.5), method="generalized_alpha", dt=1e-3, duration=0.1)


def test_friction_of_an_undetermined_reaction_says_so() -> None:
    """Two guides on one line: how they share the load is anyone's guess."""
    scene = ramp(15.0, coefficient=0.2, normal="reaction")
    axis = scene.joints[0].a.axis
    ends = {"a": {"body": "world", "point": [0, 0], "axis": axis}, "b": {"body": "box", "axis": axis}}
    found = run(scene.with_joint("prismatic", "second", **ends), dt=1e-2, duration=0.1)
    assert "friction 'friction' depends on the reaction of joint 'ramp'" in found.message


def on_an_upright_axis(kind: str, **fields: object) -> Scene:
    moves = {"velocity": [0, 0, 1.0], "angular_velocity": [0, 0, 4.0]} if kind == "cylindrical" else {}
    scene = Scene(space="spatial", gravity=(0.0, 0.0, -G))
    scene = scene.with_body("nut", mass=M, inertia=[0.02, 0.02, 0.03], **moves)
    ends = {
        name: {"body": body, "point": [0, 0, 0], "axis": [0, 0, 1]}
        for name, body in (("a", "world"), ("b", "nut"))
    }
    return scene.with_joint(kind, "axis", **ends, **fields)


def test_friction_holds_both_coordinates_of_a_cylindrical_joint() -> None:
    """Each comes to rest by itself: v/(F/m + g), and ω J/T."""
    scene = on_an_upright_axis("cylindrical")
    for coordinate, kinetic in (("angle", 0.06), ("displacement", 25.0)):
        given = {"joint": "axis", "coordinate": coordinate, "kinetic": kinetic, "stribeck_speed": 0.0}
        scene = scene.with_force("friction", coordinate, model="held", **given)
    found = run(scene, dt=1e-2, duration=2.5)
    assert [event.element for event in found.events] == ["displacement", "angle"]
    rests = [event.t for event in found.events]
    np.testing.assert_allclose(rests, [1.0 / (25.0 / M + G), 4.0 * 0.03 / 0.06], atol=1e-9)


@pytest.mark.parametrize("torque", [0.05, 0.07])
def test_a_screw_is_self_locking_when_its_friction_is_more_than_its_load(torque: float) -> None:
    """m g p/2π = 0.0625 N·m turn it."""
    scene = on_an_upright_axis("screw", pitch=0.02)
    given = {"joint": "axis", "kinetic": torque, "stribeck_speed": 0.0}
    found = run(scene.with_force("friction", "thread", model="held", **given), dt=1e-2, duration=1.0)
    lead = 0.02 / (2.0 * math.pi)
    alpha = max(M * G * lead - torque, 0.0) / (0.03 + M * lead**2)
    assert found.channel("joint.axis.angle")[-1] == pytest.approx(-0.5 * alpha, abs=1e-12)


# bad input


def test_a_start_beyond_a_rigid_limit_is_refused() -> None:
    with pytest.raises(SceneError, match=r"'stop' starts at -0.2, beyond its rigid lower limit 0"):
        simulate(with_stop(slider(height=-0.2), lower=0.0), dt=1e-3, duration=0.1)


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("stop", {"lower": 1.0, "upper": 0.5, "law": "rigid"}, "lower 1 rad is not below upper 0.5 rad"),
        ("stop", {"lower": 0.0, "law": "rigid", "restitution": 1.2}, "restitution"),
        ("stop", {"lower": 0.0, "law": "rigid", "restitution": -0.1}, "restitution"),
        ("stop", {"lower": 0.0}, "needs a stiffness"),
        ("stop", {"lower": 0.0, "stiffness": 1.0, "law": "flores", "restitution": 0.0}, "divides by"),
        ("friction", {"kinetic": -0.1, "model": "held"}, "kinetic"),
        ("friction", {"kinetic": 0.1, "stribeck_speed": 0.0}, "cannot fall from static to kinetic"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(kind: str, fields: dict[str, object], words: str) -> None:
    wheel = Scene(space="planar").with_body("wheel", mass=1.0, inertia=[0.02])
    wheel = wheel.with_joint("revolute", "axle", a={"body": "world", "point": [0, 0]}, b={"body": "wheel"})
    (problem,) = validate(wheel.with_force(kind, "element", joint="axle", **fields))
    assert words in problem.path + problem.message
    assert problem.remedy


# play between gears


def gears(play: float, **law: object) -> Scene:
    """Wheel A is driven with 2 rad/s, wheel B turns half as fast the other way, after half its play."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, x, speed in (("A", 0.0, 2.0), ("B", 0.3, 0.0)):
        scene = scene.with_body(
            name, position=[x, 0.0], angular_velocity=[0.0, 0.0, speed], mass=1.0, inertia=[0.02]
        )
        scene = scene.with_joint("revolute", name, a={"body": "world", "point": [x, 0]}, b={"body": name})
    scene = scene.with_motion("joint_motion", "drive", joint="A", coordinate="angle", function="2*t")
    mesh = [{"joint": "A", "coordinate": "angle", "factor": 0.5}]
    limits = {"lower": -0.5 * play, "upper": 0.5 * play}
    return scene.with_force("stop", "mesh", joint="B", coordinate="angle", against=mesh, **limits, **law)


def test_a_gear_with_play_is_taken_along_when_the_play_is_used_up() -> None:
    """½ play = ½ 2 rad/s t: then, without restitution, both turn together, and the blow costs J ω²/2."""
    found = run(gears(0.1, law="rigid", restitution=0.0), dt=7e-3, duration=0.5)
    (hit,) = found.events  # nothing loads the flank from then on
    assert hit.t == pytest.approx(0.05, abs=1e-12)
    assert hit.loss == pytest.approx(0.5 * 0.02 * 1.0, rel=1e-12)
    assert found.channel("body.B.omega.z")[-1] == pytest.approx(-1.0, abs=1e-12)
    assert found.channel("joint.B.angle")[-1] == pytest.approx(-(0.5 - 0.05), abs=1e-11)
    assert np.abs(found.channel("energy.error")).max() < 1e-12


def test_an_elastic_mesh_with_play_bounces_between_its_flanks() -> None:
    """Without losses B rebounds with twice the speed of the mesh and crosses its play, again and again."""
    found = run(gears(0.1, law="rigid", restitution=1.0), dt=3e-3, duration=0.4)
    hits = instants(found, "impact")
    # relative speed 1 rad/s between flanks 0.1 rad apart
    np.testing.assert_allclose(hits, 0.05 + 0.1 * np.arange(len(hits)), atol=1e-11)
    assert len(hits) == 4
