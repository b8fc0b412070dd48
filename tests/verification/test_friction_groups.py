"""Boxes on planes in space: several contacts hold and slip as one, whatever the directions.

Against closed forms, a point mass with the same friction, and the best way to share a load, by linear
programs.
"""

import math

import numpy as np
import pytest
from msgspec.structs import replace
from numba import types
from scipy.integrate import solve_ivp
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

from engine.compiled.kernel import compiled
from engine.compiled.layout import F2, I2, Array
from engine.elements.laws.limit_surface import BOUND, NEXT, PLACE, reserve_of
from engine.model.scene import Scene
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

G, MU, MASS = 9.81, 0.2, 1.0
SIZE = (0.4, 0.3, 0.2)
RESERVE = types.UniTuple(types.float64, 4)(I2, F2, types.int64, types.float64, types.float64, types.float64)
SIDES = 256  # of the polygons that circles are bounded by
AZIMUTHS = (0.0, 0.5, 1.2, 2.5)


def tilt(degrees: float, azimuth: float) -> Rotation:
    """A slope that falls towards an azimuth."""
    return Rotation.from_rotvec(
        math.radians(degrees) * np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    )


def box(slope: Rotation, yaw: float = 0.0, velocity: tuple[float, float] = (0.0, 0.0)) -> Scene:
    """A box on a slope, turned on it; the velocity is along and across the slope's own axes."""
    turn = slope * Rotation.from_rotvec([0.0, 0.0, yaw])
    vector = turn.as_rotvec()
    angle = float(np.linalg.norm(vector))
    axis = vector / angle if angle > 0.0 else np.array([0.0, 0.0, 1.0])
    scene = Scene(space="spatial", gravity=(0.0, 0.0, -G)).with_body(
        "box",
        mass=MASS,
        shapes=[{"kind": "box", "size": list(SIZE)}],
        position=slope.apply([0.0, 0.0, SIZE[2] / 2.0]).tolist(),
        orientation={"axis": axis.tolist(), "angle": angle},
        velocity=slope.apply([*velocity, 0.0]).tolist(),
    )
    plane = {"body": "world", "axis": slope.apply([0.0, 0.0, 1.0]).tolist()}
    return scene.with_force(
        "contact", "floor", a=plane, b={"body": "box"}, shape_a="plane", law="rigid", friction=MU
    )


def run(scene: Scene, dt: float, duration: float) -> Trajectory:
    found = simulate(scene, method="lagrange/rk4/projection", dt=dt, duration=duration)
    assert found.status.name == "FINISHED", found.message
    assert "do not trust" not in found.message
    return found


def path(found: Trajectory) -> Array:
    return np.column_stack([found.channel(f"body.box.pos.{axis}") for axis in "xyz"])


@pytest.mark.parametrize("yaw", [0.0, 0.4])
@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_a_box_stands_on_a_ramp_of_any_direction(azimuth: float, yaw: float) -> None:
    found = run(box(tilt(10.0, azimuth), yaw), 0.1, 60.0)
    assert np.ptp(path(found), axis=0).max() < 1e-12
    assert not found.events


@pytest.mark.parametrize("yaw", [0.0, 0.4])
@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_a_box_slides_down_a_steep_ramp_of_any_direction(azimuth: float, yaw: float) -> None:
    way = path(run(box(tilt(20.0, azimuth), yaw), 0.01, 0.5))
    a = G * (math.sin(math.radians(20.0)) - MU * math.cos(math.radians(20.0)))
    moved = way[-1] - way[0]
    downhill = tilt(20.0, azimuth).apply([math.cos(azimuth), math.sin(azimuth), 0.0])
    assert np.allclose(moved, 0.5 * a * 0.25 * downhill, rtol=0.0, atol=1e-10)


def puck(degrees: float, azimuth: float, velocity: tuple[float, float]) -> tuple[float, Array]:
    """Where and when a point mass comes to rest on a slope, in its axes."""
    angle = math.radians(degrees)
    pull = G * math.sin(angle) * np.array([math.cos(azimuth), math.sin(azimuth)])

    def rate(_: float, y: Array) -> Array:
        return np.concatenate([y[2:], pull - MU * G * math.cos(angle) * y[2:] / np.linalg.norm(y[2:])])

    def slow(_: float, y: Array) -> float:
        return float(np.linalg.norm(y[2:])) - 1e-6

    slow.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(rate, (0.0, 10.0), [0.0, 0.0, *velocity], "DOP853", events=slow, rtol=1e-11, atol=1e-13)
    return float(found.t[-1]), found.y[:2, -1]


@pytest.mark.parametrize("velocity", [(0.5, 0.0), (0.3, 0.2)])
@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_a_box_slides_to_rest_where_a_point_mass_does(azimuth: float, velocity: tuple[float, float]) -> None:
    """A box that slides without spin is a point mass: friction acts through the centre of pressure."""
    slope = tilt(10.0, azimuth)
    t, place = puck(10.0, azimuth, velocity)
    found = run(box(slope, 0.3, velocity), 1e-3, t + 0.2)
    sticks = [event for event in found.events if event.kind == "stick"]
    assert 0.0 <= sticks[-1].t - sticks[0].t < 1e-9
    # the last 1e-6 m/s are lost at no less than the difference of friction and weight
    rest = 1e-6 / (G * (MU * math.cos(math.radians(10.0)) - math.sin(math.radians(10.0))))
    assert sticks[0].t == pytest.approx(t, abs=2.0 * rest)
    way = path(found)
    assert np.allclose(slope.inv().apply(way[-1] - way[0])[:2], place, rtol=0.0, atol=1e-7)
    assert np.ptp(way[found.t > sticks[0].t], axis=0).max() < 1e-12
    assert np.abs(found.channel("energy.error")).max() < 1e-7


def test_a_box_that_slides_and_spins_comes_to_rest() -> None:
    """Slip and spin end together, as its corners turn about each other ever faster; not before v/(µ g), as
    friction of no body is more than µ m g, and with all of its energy lost to friction."""
    scene, mu, velocity = box(Rotation.identity()), 0.4225, np.array([0.61, 0.616, 0.0])
    body = replace(
        scene.bodies[0],
        shapes=(replace(scene.bodies[0].shapes[0], size=(0.1857, 0.1162, 0.215)),),
        position=(0.0, 0.0, 0.1075),
        velocity=tuple(velocity),
        angular_velocity=(0.0, 0.0, 0.3065),
    )
    scene = replace(scene, bodies=(body,), forces=(replace(scene.forces[0], friction=mu, restitution=0.0),))
    found = run(scene, 2e-3, 0.8)
    slides = np.linalg.norm([found.channel(f"body.box.vel.{axis}") for axis in "xyz"], axis=0)
    spin = np.abs(found.channel("body.box.omega.z"))
    rests = found.t[np.argmax(slides < 1e-10)]
    assert rests > np.linalg.norm(velocity) / (mu * G)
    assert (spin[found.t < rests - 1e-5] > 1e-5).all()
    assert slides[found.t > rests + 1e-6].max() < 1e-12
    assert spin[found.t > rests + 1e-6].max() < 1e-12
    assert np.abs(found.channel("energy.error")).max() < 1e-6
    assert len(found.events) < 60


@pytest.mark.parametrize("yaw", [0.0, 0.7])
def test_a_growing_moment_turns_a_box_when_all_corners_are_at_their_bounds(yaw: float) -> None:
    """All corners are as far from the middle: the largest moment is µ m g r."""
    scene = box(Rotation.identity(), yaw).with_force(
        "torque", "turn", body="box", components=[0.0, 0.0, "0.5*t"]
    )
    found = run(scene, 0.01, 1.2)
    largest = MU * MASS * G * math.hypot(*SIZE[:2]) / 2.0
    assert found.events[0].kind == "slip"
    assert found.events[0].t == pytest.approx(largest / 0.5, abs=1e-8)


def by_programs(places: Array, bounds: Array, load: Array, outside: bool) -> float:
    """Largest factor of a load (force, moment about the origin) that forces within polygons can make."""
    angles = np.arange(SIDES) * 2.0 * math.pi / SIDES
    reach = 1.0 if outside else math.cos(math.pi / SIDES)
    sides = np.column_stack([np.cos(angles), np.sin(angles)])
    n = len(places)
    inequality = np.zeros((n * SIDES, 2 * n + 1))
    for k in range(n):
        inequality[k * SIDES : (k + 1) * SIDES, 2 * k : 2 * k + 2] = sides
    equality = np.zeros((3, 2 * n + 1))
    equality[0, 0 : 2 * n : 2] = equality[1, 1 : 2 * n : 2] = 1.0
    equality[2, 0 : 2 * n : 2], equality[2, 1 : 2 * n : 2] = -places[:, 1], places[:, 0]
    equality[:, -1] = -load
    found = linprog(
        np.append(np.zeros(2 * n), -1.0),
        inequality,
        np.repeat(bounds * reach, SIDES),
        equality,
        np.zeros(3),
        bounds=[(None, None)] * (2 * n) + [(0.0, None)],
    )
    return float(found.x[-1])


@pytest.mark.parametrize("seed", range(12))
def test_the_limit_of_a_group_is_that_of_the_best_way_to_share(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    places, bounds = rng.normal(size=(n, 2)), rng.uniform(0.1, 2.0, n)
    load = rng.normal(size=3)
    forces, reals = np.zeros((n, 10), np.int64), np.zeros((n, 9))
    forces[:, NEXT], reals[:, PLACE : PLACE + 2], reals[:, BOUND] = np.roll(np.arange(n), -1), places, bounds
    low, high = (by_programs(places, bounds, load, outside) for outside in (False, True))
    reserve = compiled(reserve_of, RESERVE)
    tolerance = 1e-6 * bounds.sum()
    assert reserve(forces, reals, 0, *(low * (1.0 - 1e-6) * load))[0] > -tolerance
    assert reserve(forces, reals, 0, *(high * (1.0 + 1e-6) * load))[0] < tolerance


@pytest.mark.parametrize("gap", [0.0, 1e-3])
def test_a_box_against_a_smooth_wall_is_held_along_it_by_the_floor_alone(gap: float) -> None:
    """Pushed to the wall by more than friction holds, which leaves all of µ m g along it; what goes on is
    y = c (t − t_0)³/6 under a load c t that is µ m g at t_0."""
    mu, grows, push = 0.4, 20.0, 8.0
    scene = Scene(space="spatial", gravity=(0.0, 0.0, -G))
    box = {"kind": "box", "size": [0.2, 0.2, 0.1]}
    scene = scene.with_body("box", position=[-0.1 - gap, 0.0, 0.05], mass=1.0, shapes=[box])
    for name, normal, friction in (("floor", [0, 0, 1], mu), ("wall", [-1, 0, 0], 0.0)):
        side = {"body": "world", "point": [0, 0, 0], "axis": normal}
        law = {"shape_a": "plane", "law": "rigid", "restitution": 0.0, "friction": friction}
        scene = scene.with_force("contact", name, a=side, b={"body": "box"}, **law)
    load = [push, f"{grows}*t", 0]
    scene = scene.with_force("force", "load", body="box", point=[0, 0, 0], components=load)
    result = simulate(scene, method="lagrange/rk4/projection", dt=2e-3, duration=0.3)
    assert not result.status.failed, result.message
    begins = mu * G / grows
    y = result.channel("body.box.pos.y")
    before = result.t < begins - 1e-4
    assert np.ptp(y[before & (result.t > 0.05)]) < 1e-12
    assert y[-1] - y[before][-1] == pytest.approx(grows * (0.3 - begins) ** 3 / 6.0, rel=2e-3)
    assert np.abs(result.channel("energy.error")).max() < 1e-9
