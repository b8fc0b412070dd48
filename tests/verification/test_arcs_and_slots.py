"""Arcs and slots in the plane against closed forms and an independent integration."""

import math
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from engine.elements.forces.contact_pairs import cores_of_side
from engine.elements.gaps.places import contact_places
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.model.validate import validate
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.frames import Frames
from engine.system.equations.evaluator import Evaluator
from tests.contract.numerics import evaluate, random_state, same
from tests.contract.test_rows import along_motion, velocity_level
from tests.contract.test_tangents import check_tangents

RK4 = "lagrange/rk4/projection"
G = 9.81
PIN = 0.02  # m, radius of the pin
HALF = 0.025  # m, half width of slots
BEND = 0.3  # m


def pin_scene(
    place: tuple[float, float], velocity: tuple[float, float] = (0.0, 0.0), **contact: Any
) -> Scene:
    """A disc of 1 kg and a shape of the world whose middle is at the origin, along x."""
    scene = Scene(space="planar", gravity=(0.0, -contact.pop("down", G)))
    inertia = 0.5 * PIN * PIN
    scene = scene.with_body(
        "pin", position=list(place), velocity=list(velocity), mass=1.0, inertia=[inertia], color="#888888"
    )
    given = {
        "a": {"body": "world", "point": [0, 0], "reference": [1, 0]},
        "law": "rigid",
        "shape_b": "sphere",
    }
    ball = {"b": {"body": "pin", "point": [0, 0]}, "radius_b": PIN}
    return scene.with_force("contact", "guide", **{**given, **ball, "radius_a": HALF, **contact})


def run(scene: Scene, dt: float, duration: float) -> Trajectory:
    result = simulate(scene, method=RK4, dt=dt, duration=duration)
    assert not result.status.failed, result.message
    return result


def swing_time(length: float, share: float, phi: float) -> float:
    """From rest at phi to the lowest place, where the angular acceleration is share·g/length·sin φ."""
    rate = 2.0 * share * G / length
    substituted = quad(
        lambda s: 2.0 * s / math.sqrt(rate * (math.cos(phi - s * s) - math.cos(phi))), 0.0, math.sqrt(phi)
    )
    return float(substituted[0])


@pytest.mark.parametrize(("friction", "share"), [(0.0, 1.0), (5.0, 2.0 / 3.0)], ids=["slides", "rolls"])
def test_a_pin_in_a_round_slot_swings_as_a_pendulum(friction: float, share: float) -> None:
    """On the outer wall its middle is on a circle; rolling, a disc has 3/2 of its inertia."""
    phi, away = 0.9, BEND + HALF - PIN
    place = (away * math.sin(phi), BEND - away * math.cos(phi))
    bent = {"shape_a": "slot", "bend_a": BEND, "length_a": 2.4 * BEND}
    whole = 2.0 * swing_time(away, share, phi)  # to rest at the other side
    result = run(pin_scene(place, friction=friction, **bent), 5e-4, whole)
    x, y = result.channel("body.pin.pos.x"), result.channel("body.pin.pos.y")
    assert (x[-1], y[-1]) == pytest.approx((-place[0], place[1]), abs=1e-9)
    assert np.abs(np.hypot(x, y - BEND) - away).max() < 1e-12
    assert np.abs(result.channel("energy.error")).max() < 1e-9


def test_a_pin_between_the_walls_of_a_straight_slot_hits_them_in_turn() -> None:
    clearance, length, vx, vy = HALF - PIN, 0.2, 0.1, 0.07
    straight = {"shape_a": "slot", "length_a": length, "restitution": 1.0, "down": 0.0}
    result = run(pin_scene((0.0, 0.0), (vx, vy), **straight), 0.01, 0.9)
    instants = [event.t for event in result.events if event.kind == "impact"]
    expected = clearance / vy * (2.0 * np.arange(6) + 1.0)
    assert instants == pytest.approx(expected[: len(instants)], abs=1e-12)
    assert len(instants) == 6
    ended = run(pin_scene((0.0, 0.0), (0.5, 0.0), **straight), 0.01, 0.4)
    (hit,) = ended.events
    assert hit.t == pytest.approx((0.5 * length + clearance) / 0.5, abs=1e-12)
    assert ended.channel("body.pin.vel.x")[-1] == pytest.approx(-0.5, abs=1e-12)


def test_a_bead_leaves_a_dome_where_its_closed_form_says() -> None:
    """cos φ = (2 + v²/(g r))/3 from the top, without friction."""
    away, speed = BEND + HALF + PIN, 0.4
    dome = {"shape_a": "arc", "bend_a": -BEND, "length_a": 2.8 * BEND}
    result = run(pin_scene((0.0, HALF + PIN), (speed, 0.0), **dome), 1e-3, 0.5)
    (left,) = (event for event in result.events if event.kind == "leave")
    k = int(np.searchsorted(result.t, left.t))
    x, y = result.channel("body.pin.pos.x")[k], result.channel("body.pin.pos.y")[k] + BEND
    assert math.hypot(x, y) == pytest.approx(away, abs=1e-12)
    assert y / away == pytest.approx((2.0 + speed**2 / (G * away)) / 3.0, abs=1e-9)


@pytest.mark.parametrize("law", ["rigid", "hertz"])
def test_a_pin_that_falls_on_an_arc_bounces_from_it(law: str) -> None:
    """From above the middle of its hollow side, straight up and down again."""
    height = 0.05
    up = {"shape_a": "arc", "bend_a": BEND, "length_a": BEND, "restitution": 0.5, "stiffness": 1e6}
    result = run(pin_scene((0.0, HALF + PIN + height), law=law, **up), 1e-4, 0.15)
    first = next(event for event in result.events if event.kind in ("impact", "touch"))
    assert first.t == pytest.approx(math.sqrt(2.0 * height / G), abs=1e-10)
    assert np.abs(result.channel("body.pin.pos.x")).max() < 1e-12


def rocker_scene(
    phi: float, speed: float = 0.0, friction: float = 5.0, half: float = 1.2, **law: Any
) -> Scene:
    """A bent bar of 1 kg whose centre of mass is 0.1 m below the centre of its bend, on a plane."""
    outer, low = BEND + HALF, 0.1
    place = [low * math.sin(phi) - outer * phi, outer - low * math.cos(phi)]
    scene = Scene(space="planar", gravity=(0.0, -G)).with_body(
        "rocker",
        position=place,
        angle=phi,
        velocity=[(low * math.cos(phi) - outer) * speed, low * math.sin(phi) * speed],
        angular_velocity=[0.0, 0.0, speed],
        mass=1.0,
        inertia=[0.02],
    )
    bar = {"shape_b": "arc", "radius_b": HALF, "bend_b": BEND, "length_b": 2.0 * half * BEND}
    ground = {"body": "world", "point": [0, 0], "reference": [0, 1]}
    at = {"body": "rocker", "point": [0.0, low - BEND], "reference": [1, 0]}
    given = {"law": "rigid", **law}
    return scene.with_force(
        "contact", "ground", a=ground, shape_a="plane", b=at, friction=friction, **bar, **given
    )


def test_a_rocker_rolls_on_its_outside_as_an_independent_integration_says() -> None:
    """(I + m s²) φ″ + m R l sin φ φ′² = −m g l sin φ,  s² = R² + l² − 2 R l cos φ."""
    outer, low, phi = BEND + HALF, 0.1, 0.8

    def rates(t: float, y: Any) -> list[float]:
        inertia = 0.02 + outer**2 + low**2 - 2.0 * outer * low * math.cos(y[0])
        return [y[1], -(outer * low * y[1] ** 2 + G * low) * math.sin(y[0]) / inertia]

    result = run(rocker_scene(phi), 1e-3, 1.5)
    expected = solve_ivp(rates, (0.0, 1.5), [phi, 0.0], rtol=1e-12, atol=1e-13, method="DOP853").y[0, -1]
    assert result.channel("body.rocker.angle")[-1] == pytest.approx(expected, abs=1e-9)
    assert np.abs(result.channel("energy.error")).max() < 1e-9


@pytest.mark.parametrize(("law", "friction", "speed"), [("rigid", 5.0, 4.0), ("kelvin_voigt", 0.0, 6.0)])
def test_a_rocker_goes_over_to_its_end(law: str, friction: float, speed: float) -> None:
    """Beyond the end of its bend it turns about that end: no jump of the motion, no loss, no gain."""
    half = 0.6
    scene = rocker_scene(0.0, speed, friction, half, law=law, stiffness=1e6)
    result = run(scene, 2e-4, 0.3)
    assert result.channel("body.rocker.angle")[-1] > half + 0.05
    assert np.abs(result.channel("force.ground.gap")).max() < 5e-5
    energy = result.channel("energy.total")
    assert abs(energy[-1] - energy[0]) < 2e-7  # of 2.8 J; the radius of the curve jumps within a step


SHAPES: dict[str, dict[str, Any]] = {
    "arc": {"radius": 0.12, "length": 1.7, "bend": 0.6},
    "slot": {"radius": 2.5, "length": 0.6, "bend": 0.0},
    "bent slot": {"radius": 2.5, "length": 1.4, "bend": -2.9},
    "capsule": {"radius": 0.1, "length": 0.9},
    "sphere": {"radius": 0.3},
}


@pytest.mark.parametrize(
    "pair",
    [("arc", "sphere"), ("arc", "capsule"), ("arc", "arc"), ("slot", "capsule"), ("bent slot", "sphere")],
    ids="-".join,
)
def test_their_gaps_and_slips_have_the_derivatives_that_differences_say(pair: tuple[str, str]) -> None:
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, place in (("a", [0.2, -0.3]), ("b", [0.9, 1.4])):
        scene = scene.with_body(name, position=place, mass=1.0, inertia=[0.3])
    law = {"law": "kelvin_voigt", "stiffness": 3.0, "damping": 0.4, "friction": 0.3, "smoothing_speed": 9.0}
    fields: dict[str, Any] = {}
    for side, name in zip("ab", pair, strict=True):
        fields[side] = {"body": side, "point": [0.1, -0.05], "reference": [1.0, 0.4]}
        fields[f"shape_{side}"] = name.removeprefix("bent ")
        fields |= {f"{key}_{side}": value for key, value in SHAPES[name].items()}
    scene = scene.with_force("contact", "c", **fields, **law)
    ev = Evaluator(compile_scene(scene), tangents=True)
    for seed in range(3):
        state = random_state(ev, seed, shift=0.1, turn=0.3)
        evaluate(ev, state)
        gradients, (gap, rate, bias) = ev.coordinate_gradients, ev.coordinate_functions.T.copy()
        along = along_motion(ev, state).coordinate_functions[0]
        holonomic = ~velocity_level(ev)
        same("s' = grad·v", rate, gradients @ state.v)
        same("s' = ds/dt", rate[holonomic], along[holonomic, 0])
        same("bias = ds'/dt without accelerations", bias, along[:, 1])
        check_tangents(ev, state, 1e-7)
        found = gap[holonomic]
        expected = plain_gaps(ev, scene)
        assert np.abs(np.sort(found[found < 900.0]) - np.sort(expected)).max() < 1e-12


def plain_gaps(ev: Evaluator, scene: Scene) -> list[float]:
    """By the search in plain numbers, which shares nothing with the compiled one but the cores."""
    from engine.compiled.columns import poses as POSE

    class Build:
        planar = True
        frames_of = staticmethod(Frames(resolve(scene)).pair)

    spec = resolve(scene).forces[0]
    build: Any = Build()
    cores = [cores_of_side(spec, side, build)[0] for side in "ab"]
    poses = [
        (pose[POSE.P : POSE.P + 3], pose[POSE.R : POSE.R + 9].reshape(3, 3)) for pose in ev.work.pose[:2]
    ]
    return [place.gap for place in contact_places(cores[0], cores[1], poses[0], poses[1], True)]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"radius_b": HALF}, "does not fit into the slot"),
        ({"bend_a": 0.02}, "less than its half width"),
        ({"bend_a": BEND, "length_a": 2.0}, "more than once around"),
        ({"shape_b": "bore"}, "have no corners"),
    ],
)
def test_slots_that_cannot_be_are_told(fields: dict[str, Any], words: str) -> None:
    scene = pin_scene((0.0, 0.0), shape_a="slot", length_a=0.2)
    scene = scene.replace(msgspec.structs.replace(scene.forces[0], **fields))
    assert any(words in problem.message for problem in validate(scene))


def test_a_slot_is_for_planar_scenes() -> None:
    scene = Scene(space="spatial").with_body("pin", mass=1.0, inertia=[1.0, 1.0, 1.0])
    ends = {"a": {"body": "world", "point": [0, 0, 0]}, "b": {"body": "pin", "point": [0, 0, 0]}}
    scene = scene.with_force("contact", "c", shape_a="slot", shape_b="sphere", radius_b=0.01, **ends)
    assert any("lies in a plane" in problem.message for problem in validate(scene))
