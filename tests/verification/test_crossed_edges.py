"""Edges that cross: a box that slides over the edge of a table, boxes that carry each other turned."""

import math

import numpy as np
import pytest

from engine.model.scene import Scene
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

RK4 = "lagrange/rk4/projection"
G = 9.81
HALF, HIGH, WIDE = 0.1, 0.05, 0.1  # m, half of two sides of the box, and its third
INERTIA = [(HIGH**2 + WIDE**2 / 4.0) / 3.0, (HALF**2 + WIDE**2 / 4.0) / 3.0, (HALF**2 + HIGH**2) / 3.0]
SIZE = [2.0 * HALF, 2.0 * HIGH, WIDE]


def table(space: str, wide: float, speed: float, **law: object) -> Scene:
    """A box on a table whose edge is at the origin, in the plane and in space."""
    planar = space == "planar"
    scene = Scene(space=space, gravity=(0.0, -G) if planar else (0.0, -G, 0.0))  # type: ignore[arg-type]
    last = [] if planar else [0.0]
    shape = {"kind": "box", "size": [1.0, 0.2, wide]}
    scene = scene.with_body("table", fixed=True, position=[-0.5, -0.1, *last], shapes=[shape])
    scene = scene.with_body(
        "box",
        position=[-0.15, HIGH, *last],
        velocity=[speed, 0.0, *last],
        mass=1.0,
        inertia=INERTIA[2:] if planar else INERTIA,
        shapes=[{"kind": "box", "size": SIZE}],
    )
    return scene.with_force("contact", "c", a={"body": "table"}, b={"body": "box"}, **law)


def run(scene: Scene, dt: float, duration: float, method: str = RK4) -> Trajectory:
    found = simulate(scene, method=method, dt=dt, duration=duration)
    assert found.status.name == "FINISHED", found.message
    return found


@pytest.mark.parametrize("wide", [0.3, 0.06])
@pytest.mark.parametrize(("speed", "friction"), [(1.0, 0.0), (1.0, 0.2), (4.0, 0.0), (4.0, 0.2)])
def test_a_box_slides_over_an_edge_in_space_as_in_the_plane(
    wide: float, speed: float, friction: float
) -> None:
    """On a wide table its long sides cross the edge, on a narrow one the corners of the table carry it; the
    twin in the plane agrees with an independent integration (`test_sharp_corners.py`)."""
    law = {"law": "rigid", "restitution": 0.0, "friction": friction}
    plane, space = (run(table(kind, wide, speed, **law), 1e-3, 0.5) for kind in ("planar", "spatial"))
    expected = sorted({round(event.t, 8) for event in plane.events})
    instants = np.array([event.t for event in space.events])
    away = np.abs(instants[:, None] - np.array(expected))
    assert len(expected) == 3
    assert away.min(axis=0).max() < 1e-8
    assert max(event.impulse for event in space.events) < 1e-6  # what carries is handed over, not hit
    assert sum(event.loss for event in space.events) < 1e-8
    for name in ("pos.x", "pos.y", "vel.x", "vel.y", "omega.z"):
        channel = f"body.box.{name}"
        assert np.abs(space.channel(channel)[-1] - plane.channel(channel)[-1]) < 2e-7
    for name in ("pos.z", "omega.x", "omega.y"):  # four places are handed over one by one
        assert np.abs(space.channel(f"body.box.{name}")).max() < 1e-5
    assert np.abs(space.channel("energy.error")).max() < 1e-8


def test_an_elastic_box_does_not_roll_about_one_of_its_sides() -> None:
    """Both sides are pressed where they cross the edge, not the one that is deeper by rounding."""
    law = {"law": "kelvin_voigt", "stiffness": 1e6, "damping": 200.0}
    found = run(table("spatial", 0.3, 1.5, **law), 1e-4, 0.12)
    for name in ("omega.x", "omega.y", "pos.z"):
        assert np.abs(found.channel(f"body.box.{name}")).max() < 1e-9
    assert found.channel("body.box.pos.x")[-1] > 0.02


LAWS = {
    "rigid": {"law": "rigid", "restitution": 0.0, "friction": 0.4},
    "elastic": {"law": "kelvin_voigt", "stiffness": 1e6, "damping": 100.0, "friction": 0.4},
}


@pytest.mark.parametrize("law", LAWS)
def test_a_box_stands_on_another_that_is_turned(law: str) -> None:
    """By 45°: no corner of one lies on the other, they carry each other where eight pairs of edges cross."""
    scene, cube = Scene(gravity=(0.0, 0.0, -G)), {"kind": "box", "size": [0.2, 0.2, 0.2]}
    scene = scene.with_body("below", fixed=True, position=[0.0, 0.0, -0.1], shapes=[cube])
    scene = scene.with_body(
        "box",
        position=[0.0, 0.0, 0.1],
        orientation=[math.cos(math.pi / 8.0), 0.0, 0.0, math.sin(math.pi / 8.0)],
        mass=1.0,
        inertia=[1.0 / 150.0] * 3,
        shapes=[cube],
    )
    scene = scene.with_force("contact", "c", a={"body": "below"}, b={"body": "box"}, **LAWS[law])
    found = run(scene, 2e-3 if law == "rigid" else 1e-4, 0.1)
    sinks = G / 8e6 if law == "elastic" else 0.0
    p = np.array([found.channel(f"body.box.pos.{c}") for c in "xyz"])
    assert np.abs(p[:2]).max() < 1e-12
    assert p[2, -1] == pytest.approx(0.1 - sinks, abs=1e-10)
    assert max(np.abs(found.channel(f"body.box.omega.{c}")).max() for c in "xyz") < 1e-9
    assert np.abs(found.channel("energy.error")).max() < 1e-9
