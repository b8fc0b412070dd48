"""What jams by friction stays, what rests after ever shorter bounces rests, whatever holds it besides."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine.model.scene import Scene
from engine.simulation.simulation import simulate

G = 9.81
RK4 = "lagrange/rk4/projection"
HIGH, WIDE, LOAD, FRICTION = 0.2, 0.04, 10.0, 0.3  # m, m, N


def bracket_scene(arm: float, ramp: str = "0") -> Scene:
    """A sleeve of 1 kg on a post that touches it above and below; one load on an arm, one on its axis."""
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body("sleeve", mass=1.0, inertia=[0.01])
    for name, side in (("upper", -1.0), ("lower", 1.0)):
        post = {"body": "world", "point": [side * WIDE / 2, 0.0], "reference": [side, 0.0]}
        edge = {"body": "sleeve", "point": [side * WIDE / 2, -side * HIGH / 2]}
        law = {"shape_a": "plane", "shape_b": "point", "law": "rigid", "friction": FRICTION}
        scene = scene.with_force("contact", name, a=post, b=edge, **law)
    for name, x, size in (("load", arm, repr(-LOAD)), ("ramp", 0.0, ramp)):
        scene = scene.with_force("force", name, body="sleeve", point=[x, 0.0], components=[0, size, 0])
    return scene


@pytest.mark.parametrize("arm", [0.2, 0.33, 0.334, 0.5])
def test_a_sleeve_jams_where_friction_says(arm: float) -> None:
    """N = P x/h on either side: it stays if 2 µ N ≥ P, from x = h/(2 µ) on, and else slides by the rest."""
    result = simulate(bracket_scene(arm), method=RK4, dt=5e-3, duration=1.0)
    assert not result.status.failed
    assert not result.message
    drop = 0.5 * max(LOAD - 2.0 * FRICTION * LOAD * arm / HIGH, 0.0)
    assert result.channel("body.sleeve.pos.y")[-1] == pytest.approx(-drop, abs=1e-12)


def test_a_jam_lets_go_at_the_load_that_is_too_much() -> None:
    """A load that grows by 1 N/s: 2 µ P x/h − P is what is left, 5 N."""
    result = simulate(bracket_scene(0.5, "-t"), method=RK4, dt=0.01, duration=6.0)
    slips = [event for event in result.events if event.kind == "slip"]
    assert {event.element for event in slips} == {"upper", "lower"}
    assert [event.t for event in slips] == pytest.approx([5.0, 5.0], abs=2e-6)
    assert result.channel("body.sleeve.pos.y")[-1] == pytest.approx(-1.0 / 6.0, abs=1e-11)


def wedge_scene(slope: float, friction: float, normal: str) -> Scene:
    """A wedge on a rail that rubs, under a load in an upright guide; it is drawn out ever stronger."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, axis, guide in (("wedge", [1, 0], "rail"), ("load", [0, 1], "guide")):
        scene = scene.with_body(name, mass=1.0, inertia=[0.1])
        ends = {"a": {"body": "world", "point": [0, 0], "axis": axis}, "b": {"body": name, "point": [0, 0]}}
        scene = scene.with_joint("prismatic", guide, **ends)
    face = {"body": "wedge", "point": [0, 0], "reference": [-math.sin(slope), math.cos(slope)]}
    law = {"shape_a": "plane", "shape_b": "point", "law": "rigid", "restitution": 0.0, "friction": friction}
    scene = scene.with_force("contact", "face", a=face, b={"body": "load", "point": [0, 0]}, **law)
    rubs = {"joint": "rail", "coordinate": "displacement", "model": "held", "stribeck_speed": 0.0}
    pressed = {"normal": "reaction"} if normal == "reaction" else {"preload": LOAD}
    scene = scene.with_force("friction", "rub", coefficient=friction, **rubs, **pressed)
    scene = scene.with_force("force", "load", body="load", point=[0, 0], components=[0, -LOAD])
    return scene.with_force("force", "pull", body="wedge", point=[0, 0], components=["t", 0])


@pytest.mark.parametrize("normal", ["reaction", "preload"])
def test_a_wedge_is_held_by_its_face_and_its_rail_together(normal: str) -> None:
    """Neither could alone: it locks itself at a slope α below 2 φ, up to a pull W (µ + tan(φ − α))."""
    slope, friction = math.radians(12.0), 0.15
    result = simulate(wedge_scene(slope, friction, normal), method=RK4, dt=0.01, duration=1.0)
    assert not result.status.failed, result.message
    lets_go = LOAD * (friction + math.tan(math.atan(friction) - slope))
    slips = [event for event in result.events if event.kind == "slip"]
    assert {event.element for event in slips} == {"face", "rub"}
    assert [event.t for event in slips] == pytest.approx([lets_go, lets_go], abs=2e-6)
    assert np.abs(result.channel("body.wedge.pos.x")[result.t < lets_go - 1e-5]).max() < 1e-12


@pytest.mark.parametrize(
    ("friction", "half", "omega"), [((0.5, 0.5), 0.4, 0.7), ((0.9, 0.35), 0.4, -0.7), ((0.2, 0.35), 0.4, 1.0)]
)
def test_a_rod_turns_on_its_point_in_a_notch_until_no_friction_holds_it(
    friction: tuple[float, float], half: float, omega: float
) -> None:
    """Both sides touch at one place, and how they share what they hold is open: they hold every force
    between the outer edges of their cones. The turn about the point is integrated apart."""
    arm, inertia = 0.5, 0.05
    scene = Scene(space="planar", gravity=(0.0, -G)).with_body(
        "rod",
        position=[0.0, arm],
        velocity=[-omega * arm, 0.0],
        angular_velocity=[0.0, 0.0, omega],
        mass=1.0,
        inertia=[inertia],
    )
    law = {"shape_a": "plane", "shape_b": "point", "law": "rigid", "restitution": 0.0}
    for name, side, mu in (("left", 1.0, friction[0]), ("right", -1.0, friction[1])):
        wall = {"body": "world", "point": [0, 0], "reference": [side * math.sin(half), math.cos(half)]}
        tip = {"body": "rod", "point": [0, -arm]}
        scene = scene.with_force("contact", name, a=wall, b=tip, friction=mu, **law)
    share = arm / (inertia + arm**2)

    def rates(t: float, state: np.ndarray) -> list[float]:
        return [state[1], G * share * math.sin(state[0])]

    def reserve(t: float, state: np.ndarray) -> float:
        """Of the force on the rod, from the nearer edge; it leans to the left by the angle."""
        s, c, alpha = math.sin(state[0]), math.cos(state[0]), G * share * math.sin(state[0])
        x, y = -arm * (alpha * c - state[1] ** 2 * s), G - arm * (alpha * s + state[1] ** 2 * c)
        lean = math.atan2(x, y)
        return min(half + math.atan(friction[0]) - lean, half + math.atan(friction[1]) + lean)

    reserve.terminal = True  # type: ignore[attr-defined]
    turn = solve_ivp(rates, (0.0, 2.0), [0.0, omega], rtol=1e-12, atol=1e-13, events=reserve)
    instant, angle = float(turn.t[-1]), float(turn.y[0, -1])
    result = simulate(scene, method=RK4, dt=2e-3, duration=instant + 0.01)
    assert not result.status.failed, result.message
    (slip,) = (event for event in result.events if event.kind == "slip")
    assert slip.t == pytest.approx(instant, abs=1e-7)
    k = int(np.searchsorted(result.t, instant - 1e-6))
    at_slip = np.interp(instant, result.t[k - 1 : k + 2], result.channel("body.rod.angle")[k - 1 : k + 2])
    assert at_slip == pytest.approx(angle, abs=1e-6)
    assert np.abs(result.channel("energy.error")).max() < 1e-8


@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_bounces_against_what_leans_on_a_stop_come_to_an_end(friction: float) -> None:
    """B is pulled away from A against a stop, by more than A is: A comes to rest as on a wall all the same.

    Without friction the blow goes to B and from there to the stop: A comes back with
    e' = (e m_B − m_A)/(m_A + m_B) of its speed; with friction both limits answer at once, with e.
    """
    e, m_A, m_B, pull, speed, away = 0.5, 0.2, 1.0, 2.0, 1.0, 0.3
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, x, mass in (("A", 0.2 + away, m_A), ("B", 0.0, m_B)):
        velocity = [-speed if name == "A" else 0.0, 0.0]
        scene = scene.with_body(name, position=[x, 0.0], velocity=velocity, mass=mass, inertia=[0.01])
        ends = {"a": {"body": "world", "point": [0, 0], "axis": [1, 0]}, "b": {"body": name, "point": [0, 0]}}
        scene = scene.with_joint("prismatic", f"rail {name}", **ends)
    for name, size in (("A", -pull), ("B", -50.0)):
        scene = scene.with_force("force", f"pull {name}", body=name, point=[0, 0], components=[size, 0, 0])
    balls = {f"shape_{side}": "sphere" for side in "ab"} | {f"radius_{side}": 0.1 for side in "ab"}
    between = {"a": {"body": "B", "point": [0, 0]}, "b": {"body": "A", "point": [0, 0]}, **balls}
    scene = scene.with_force("contact", "between", law="rigid", restitution=e, friction=friction, **between)
    lean = {"joint": "rail B", "coordinate": "displacement", "lower": 0.0, "law": "rigid", "restitution": 0.0}
    result = simulate(scene.with_force("stop", "stop", **lean), method=RK4, dt=0.01, duration=2.0)
    assert not result.status.failed
    share = e if friction else (e * m_B - m_A) / (m_A + m_B)
    a = pull / m_A
    hit = math.sqrt(speed**2 + 2.0 * a * away)
    rest = (hit - speed) / a + 2.0 * hit / a * share / (1.0 - share)
    last = max(event.t for event in result.events if event.kind in ("impact", "touch"))
    assert last == pytest.approx(rest, abs=1e-6)
    assert np.abs(result.channel("body.A.pos.x")[result.t > rest + 1e-3] - 0.2).max() < 1e-11
    assert np.abs(result.channel("energy.error")).max() < 1e-9
