"""Wheels that are not round, roads that are not even, and wheels that lean on a body that moves."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from engine import Scene, SceneError
from engine.results.trajectory import Trajectory
from engine.system.compiling.compile import compile_scene
from tests.contract.cases import quick
from tests.verification.runs import G, energy_error, finished

UP = {"body": "world", "reference": [0.0, 1.0]}  # the way along y of this frame is −x of the world


def on_a_road(radius: object, road: object = 0.0, **wheel: object) -> Scene:
    return (
        Scene(space="planar", gravity=(0.0, -G))
        .with_body("wheel", mass=2.0, inertia=[0.05], **wheel)
        .with_joint("road_wheel", "rolls", a=UP, b={"body": "wheel"}, radius=radius, road=road)
    )


def coordinates(run: Trajectory) -> tuple[np.ndarray, ...]:
    """Turn, way and height of the wheel."""
    return tuple(
        run.channel(name) for name in ("joint.rolls.angle", "joint.rolls.displacement", "body.wheel.pos.y")
    )


def test_an_elliptic_wheel_on_a_line_rolls_as_its_roulette() -> None:
    """The centre is as high as the tangent is far from it, p(φ), and has gone ∫p dφ."""
    a, b = 0.3, 0.15
    outline = f"{a * b!r}/sqrt(({b!r}*cos(x))^2 + ({a!r}*sin(x))^2)"
    run = finished(on_a_road(outline, position=[0.0, a], angular_velocity=[0.0, 0.0, 16.0]), "rk4", 5e-4, 1.5)
    turn, way, height = coordinates(run)

    def support(x: float) -> float:
        return math.hypot(a * math.cos(x), b * math.sin(x))

    assert abs(turn[-1] - turn[0]) > 2.0 * math.pi
    np.testing.assert_allclose(height, [support(x) for x in turn], atol=1e-11)
    for i in (600, 1800, len(turn) - 1):
        gone = quad(support, turn[0], turn[i], epsabs=1e-13, limit=200)[0]
        assert abs(way[i] - way[0] - gone) < 1e-8
    assert energy_error(run) < 1e-8


def test_a_wheel_on_a_wavy_road_keeps_its_energy_and_does_not_slip() -> None:
    """Arcs of equal length pass the contact: ρ (turn + turn of the slope) is the length of the road."""
    rho, deep, k = 0.1, 0.05, 4.0  # the hollows have a radius of 1/(deep k²) = 1.25 m
    start = {"velocity": [-2.0, 0.0], "angular_velocity": [0.0, 0.0, 20.0]}
    scene = on_a_road(rho, f"{deep}*cos({k}*x)", position=[0.0, 0.15], **start)
    run = finished(scene, "rk4", 1e-3, 2.0)
    turn, way, height = coordinates(run)

    def slope(w: float) -> float:
        return -deep * k * math.sin(k * w)

    def touched(i: int) -> float:
        """The centre stands ρ away along the normal of the road."""
        w = angle = 0.0
        for _ in range(60):
            angle = math.atan(slope(w))
            w = way[i] + rho * math.sin(angle)
        assert abs(height[i] - deep * math.cos(k * w) - rho * math.cos(angle)) < 1e-11
        return float(w)

    begin, end = touched(0), touched(len(turn) - 1)
    length = quad(lambda w: math.hypot(1.0, slope(w)), begin, end, epsabs=1e-12, limit=200)[0]
    tilt = math.atan(slope(end)) - math.atan(slope(begin))
    assert abs(length) > 3.0
    assert abs(rho * (turn[-1] - turn[0] + tilt) - length) < 1e-7
    assert energy_error(run) < 1e-7


def test_a_wheel_of_any_outline_touches_where_nothing_is_nearer() -> None:
    """The gap is the least distance of the two curves, found by trying their points."""
    scene = on_a_road("0.3 + 0.03*cos(2*x) + 0.01*sin(3*x)", "0.05*sin(2*x)", position=[0.2, 0.6], angle=0.7)
    ev = quick(compile_scene(scene))
    ev.at(0.0, ev.mechanism.q, np.zeros(3))
    frame = ev.mechanism.joint_frames["rolls"][1]
    theta, w = np.linspace(0.0, 2.0 * np.pi, 4001), np.linspace(-1.0, 0.6, 3001)
    r = 0.3 + 0.03 * np.cos(2 * theta) + 0.01 * np.sin(3 * theta)
    x, y = frame.axes_W[:2, 0], frame.axes_W[:2, 1]
    rim = np.array([0.2, 0.6]) + np.outer(r * np.cos(theta), x) + np.outer(r * np.sin(theta), y)
    road = np.stack([-w, 0.05 * np.sin(2 * w)], axis=1)
    least = min(float(np.hypot(*(road - point).T).min()) for point in rim)
    assert abs(ev.phi[0] - least) < 1e-6


def disc_on(plate: str, shift: tuple[float, float, float]) -> Scene:
    """A disc that leans and runs on the world, on a heavy plate that drifts, or on one that floats."""
    lean, spin = math.radians(25.0), np.array([0.3, 4.0, 0.5])
    contact = -0.3 * np.array([0.0, -math.sin(lean), math.cos(lean)])  # from the centre
    velocity = np.array(shift) - np.cross(spin, contact)
    scene = Scene(gravity=(0.0, 0.0, 0.0)).with_body(
        "disc",
        position=[0.1, 0.2, 0.3 * math.cos(lean)],
        mass=1.5,
        inertia=[0.05] * 3,
        velocity=velocity.tolist(),
        angular_velocity=spin.tolist(),
    )
    if plate != "world":
        heavy = 1e9 if plate == "drifting" else 1.0
        scene = scene.with_body(
            plate,
            position=[0.0, 0.0, -0.1],
            mass=4.0 * heavy,
            inertia=[1.1 * heavy] * 3,
            velocity=list(shift),
            angular_velocity=[0.0, 0.0, 0.0] if plate == "drifting" else [0.2, -0.1, 0.3],
            hold="both",
        )
    return scene.with_joint(
        "rolling",
        "contact",
        a={"body": plate, "point": [0.0, 0.0, 0.0 if plate == "world" else 0.1]},
        b={"body": "disc", "axis": [0.0, math.cos(lean), math.sin(lean)]},
        radius=0.3,
    )


def test_a_leaning_disc_and_the_plate_it_rolls_on_keep_momentum_and_energy() -> None:
    """Nothing acts from outside: linear and angular momentum and the energy stay as they are."""
    run = finished(disc_on("floating", (0.0, 0.0, 0.0)), "rk4", 1e-3, 1.0)
    linear, angular = np.zeros((len(run.t), 3)), np.zeros((len(run.t), 3))
    for body, mass, inertia in (("disc", 1.5, 0.05), ("floating", 4.0, 1.1)):
        p, v, w = (
            np.stack([run.channel(f"body.{body}.{what}.{axis}") for axis in "xyz"], axis=1)
            for what in ("pos", "com.vel", "omega")
        )
        linear += mass * v
        angular += mass * np.cross(p, v) + inertia * w
    assert np.ptp(run.channel("body.floating.omega.x")) > 0.04  # the plate is pushed about
    np.testing.assert_allclose(linear - linear[0], 0.0, atol=1e-11)
    np.testing.assert_allclose(angular - angular[0], 0.0, atol=1e-10)
    assert energy_error(run) < 1e-10


def test_a_disc_on_a_plate_that_drifts_rolls_as_on_one_at_rest() -> None:
    """Galilei: the run is that on the world, carried along."""
    shift = (0.7, -0.4, 0.25)
    carried = finished(disc_on("drifting", shift), "rk4", 1e-3, 1.0)
    fixed = finished(disc_on("world", (0.0, 0.0, 0.0)), "rk4", 1e-3, 1.0)
    for axis, along in zip("xyz", shift, strict=True):
        moved = fixed.channel(f"body.disc.pos.{axis}") + along * fixed.t
        np.testing.assert_allclose(carried.channel(f"body.disc.pos.{axis}"), moved, atol=1e-7)


@pytest.mark.parametrize(
    ("outline", "words"),
    [
        ("0.1 + 0.02*cos(x/2)", "does not close"),
        ("abs(cos(x))", "corner at 90"),
        ("0.1/max(abs(cos(x)), abs(sin(x)))", "corner at"),
        ("0.1 + 0.05*cos(2*x)", "hollow"),
    ],
)
def test_outlines_over_which_nothing_rolls_are_refused(outline: str, words: str) -> None:
    with pytest.raises(SceneError, match=words) as refused:
        compile_scene(on_a_road(outline))
    remedy = refused.value.problems[0].remedy
    if "as 0.1" in remedy:  # which works when it is followed
        compile_scene(on_a_road(remedy.split(", as ")[1]))


def test_a_start_at_which_no_contact_is_found_is_told_in_words() -> None:
    run = finished(on_a_road(0.1, "-abs(x - 0.05)", position=[0.0, 0.1]), "rk4", 1e-3, 1e-3)
    assert "(height over the road) has no value" in run.message
