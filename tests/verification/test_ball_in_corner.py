"""A ball between two or three walls at once: it rests there, rolls along, and goes on from any motion."""

import math

import numpy as np
import pytest

from engine.model.scene import Scene
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

RK4 = "lagrange/rk4/projection"
G, RADIUS = 9.81, 0.1
FLOOR, WALL, BACK = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
ASLANT = math.sqrt(0.5)
BALL = {"mass": 1.0, "inertia": [0.4 * RADIUS**2] * 3, "shapes": [{"kind": "sphere", "radius": RADIUS}]}


def between_planes(normals: list[tuple[float, float, float]], **law: object) -> Scene:
    scene = Scene(gravity=(0.0, 0.0, -G)).with_body("ball", **BALL)
    for k, normal in enumerate(normals):
        wall = {"body": "world", "axis": list(normal)}
        scene = scene.with_force(
            "contact", f"wall {k}", a=wall, shape_a="plane", b={"body": "ball"}, law="rigid", **law
        )
    return scene


def between_boxes(normals: list[tuple[float, float, float]], **law: object) -> Scene:
    """The same walls as faces of boxes that belong to one group with the ball."""
    scene = Scene(gravity=(0.0, 0.0, -G)).with_body("ball", **BALL)
    for k, normal in enumerate(normals):
        # the x axis of the box is the normal: turned from x by half way round about the bisector
        way = np.array(normal) + np.array([1.0, 0.0, 0.0])
        turn = [0.0, *(way / np.linalg.norm(way))]
        scene = scene.with_body(
            f"wall {k}",
            fixed=True,
            position=[-0.5 * x for x in normal],
            orientation=turn,
            shapes=[{"kind": "box", "size": [1.0, 8.0, 8.0]}],
        )
    return scene.with_force("contact_group", "all", law="rigid", **law)


def run(
    scene: Scene, place: list[float], velocity: list[float], spin: list[float], **given: float
) -> Trajectory:
    from msgspec.structs import replace

    ball = replace(scene.bodies[0], position=place, velocity=velocity, angular_velocity=spin)
    scene = replace(scene, bodies=(ball, *scene.bodies[1:]))
    found = simulate(scene, method=RK4, **{"dt": 1e-3, "duration": 1.0, **given})
    assert found.status.name == "FINISHED", found.message
    return found


@pytest.mark.parametrize("walls", [between_planes, between_boxes])
def test_a_ball_slides_along_a_groove_until_it_rolls(walls: object) -> None:
    """Each side of 45° presses with m g/√2 at the height r/√2 below the middle: it rolls after
    v/(9/4 √2 µ g), with 5/9 of its speed."""
    v, friction = 0.4, 0.2
    scene = walls([(ASLANT, 0.0, ASLANT), (-ASLANT, 0.0, ASLANT)], restitution=0.0, friction=friction)  # type: ignore[operator]
    found = run(scene, [0.0, 0.0, RADIUS / ASLANT], [0.0, v, 0.0], [0.0, 0.0, 0.0], duration=0.5)
    rolls = v / (2.25 * math.sqrt(2.0) * friction * G)
    sticks = [event.t for event in found.events if event.kind == "stick"]
    assert sticks == pytest.approx([rolls] * len(sticks), abs=1e-9)
    assert sticks
    assert found.channel("body.ball.vel.y")[-1] == pytest.approx(5.0 / 9.0 * v, abs=1e-9)
    assert np.abs(found.channel("body.ball.pos.x")).max() < 1e-12
    assert np.abs(found.channel("energy.error")).max() < 1e-10


MOTIONS = {
    "along": ([FLOOR, WALL], [0.3, 0.0, 0.1], [-1.0, 0.3, 0.0], [0.0, -10.0, 0.0]),
    "across": ([FLOOR, WALL], [0.3, 0.0, 0.1], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    "corner": ([FLOOR, WALL, BACK], [0.2, 0.25, 0.3], [-0.5, -0.6, 0.0], [0.0, 0.0, 0.0]),
    "groove": ([(ASLANT, 0.0, ASLANT), (-ASLANT, 0.0, ASLANT)], [0.02, 0.0, 0.3], [0.0, 0.2, 0.0], [0.0] * 3),
}


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("motion", MOTIONS)
def test_a_ball_that_comes_into_a_corner_goes_on(motion: str, friction: float, restitution: float) -> None:
    """Two walls that rub press each other's contacts: pushes that were not agreed upon ended the run."""
    normals, place, velocity, spin = MOTIONS[motion]
    law = {"friction": friction, "restitution": restitution}
    found = run(between_planes(normals, **law), place, velocity, spin)
    assert all(event.loss >= -1e-12 for event in found.events)
    assert len(found.events) < 200
    for k in range(len(normals)):
        assert found.channel(f"force.wall {k}.gap").min() > -1e-9
    assert np.abs(found.channel("energy.error")).max() < 1e-6
    twin = run(between_boxes(normals, **law), place, velocity, spin)
    for name in ("pos.x", "pos.y", "pos.z"):
        assert np.abs(twin.channel(f"body.ball.{name}")[-1] - found.channel(f"body.ball.{name}")[-1]) < 1e-6


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_a_ball_rests_in_a_corner(friction: float) -> None:
    scene = between_boxes([FLOOR, WALL, BACK], friction=friction, restitution=0.0)
    found = run(scene, [RADIUS] * 3, [0.0] * 3, [0.0] * 3)
    assert not found.events
    assert np.abs(found.channel("body.ball.pos.z") - RADIUS).max() < 1e-13
