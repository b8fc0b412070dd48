"""Sharp corners that slide over each other: a box that leaves a table, boxes that stand corner on corner."""

import math

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.integrate import solve_ivp

from engine.model.scene import Scene
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

RK4 = "lagrange/rk4/projection"
G = 9.81
HALF, HIGH = 0.1, 0.05  # m, half of the sides of the box
INERTIA = (HALF**2 + HIGH**2) / 3.0  # of 1 kg
BOX = {"kind": "box", "size": [2.0 * HALF, 2.0 * HIGH, 0.1]}


def table(speed: float, friction: float, angle: float = 0.0, x: float = -0.15, **law: object) -> Scene:
    """A box on a table whose edge is at the origin."""
    lowest = HALF * abs(math.sin(angle)) + HIGH * math.cos(angle)
    scene = Scene(space="planar", gravity=(0.0, -G))
    scene = scene.with_body(
        "table", fixed=True, position=[-0.5, -0.1], shapes=[{"kind": "box", "size": [1.0, 0.2, 0.1]}]
    )
    scene = scene.with_body(
        "box",
        position=[x, lowest],
        angle=angle,
        velocity=[speed, 0.0],
        mass=1.0,
        inertia=[INERTIA],
        shapes=[BOX],
    )
    given = {"law": "rigid", "restitution": 0.0, "friction": friction, **law}
    return scene.with_force("contact", "c", a={"body": "table"}, b={"body": "box"}, **given)


def run(scene: Scene, dt: float, duration: float, method: str = RK4) -> Trajectory:
    found = simulate(scene, method=method, dt=dt, duration=duration)
    assert found.status.name == "FINISHED", found.message
    return found


def leaves(found: Trajectory) -> list[float]:
    return [event.t for event in found.events if event.kind == "leave"]


def tipping(speed: float) -> tuple[float, np.ndarray]:
    """From when its middle is over the edge: a box whose lower side slides over the edge without friction,
    until its rear corner gets there. Duration, and x, y, φ, x', y', φ' then; r·e = HIGH, e across the box."""

    def rate(_: float, s: np.ndarray) -> np.ndarray:
        x, y, phi, u, v, w = s
        e, e1 = np.array([-math.sin(phi), math.cos(phi)]), np.array([-math.cos(phi), -math.sin(phi)])
        J = np.array([e[0], e[1], e1 @ (x, y)])  # of r·e
        bias = 2.0 * w * (e1 @ (u, v)) - w * w * (e @ (x, y))
        mass = np.array([1.0, 1.0, INERTIA])
        push = -(bias + J @ (0.0, -G, 0.0)) / (J @ (J / mass))
        return np.concatenate([s[3:], np.array([0.0, -G, 0.0]) + J * push / mass])

    def rear(_: float, s: np.ndarray) -> float:
        return float(s[0] * math.cos(s[2]) + s[1] * math.sin(s[2]) - HALF)

    rear.terminal = True  # type: ignore[attr-defined]
    start = [0.0, HIGH, 0.0, speed, 0.0, 0.0]
    end = solve_ivp(rate, (0.0, 1.0), start, method="DOP853", rtol=1e-12, atol=1e-14, events=rear)
    return float(end.t[-1]), end.y[:, -1]


@pytest.mark.parametrize("speed", [1.0, 4.0])
def test_a_box_slides_over_the_edge_tips_and_falls(speed: float) -> None:
    """Its front corner passes the edge, its middle does and it tips, its rear corner does and it falls."""
    found = run(table(speed, 0.0), 1e-3, 0.5)
    lasts, (x, y, phi, u, v, w) = tipping(speed)
    gone = 0.15 / speed + lasts
    assert leaves(found) == pytest.approx([0.05 / speed, 0.15 / speed, gone], abs=3e-9)
    assert not [event for event in found.events if event.kind == "impact"]
    flight = 0.5 - gone
    there = [found.channel(f"body.box.{name}")[-1] for name in ("pos.x", "pos.y", "angle", "omega.z")]
    fallen = [x + u * flight, y + v * flight - 0.5 * G * flight**2, phi + w * flight, w]
    assert there == pytest.approx(fallen, abs=1e-7)
    assert np.abs(found.channel("energy.error")).max() < 1e-8


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("angle", [0.3, -0.3])
def test_a_corner_that_slides_off_is_not_held(angle: float, friction: float) -> None:
    found = run(table(1.5, friction, angle), 1e-3, 0.5)
    assert found.channel("body.box.pos.y")[-1] < -0.1
    assert len(found.events) < 20
    assert found.channel("force.c.gap").min() > -1e-9
    assert np.abs(found.channel("energy.error")).max() < 1e-8


def test_a_push_that_goes_through_zero_is_found() -> None:
    """The box flies off while it slips, before its corner has passed: N is small beside the weight."""
    found = run(table(1.0, 0.2), 1e-3, 0.4)
    assert len(leaves(found)) == 3
    assert np.abs(found.channel("energy.error")).max() < 1e-9


@pytest.mark.parametrize("dt", [2e-3, 1e-3])
def test_a_ball_that_slides_over_the_edge_flies_off_with_its_speed(dt: float) -> None:
    """v = v_0 − µ g t and ω = −µ m g r t/I there. Up to the edge m g pushes, behind it m (g − v²/r) pulls."""
    radius, friction, start, way, inertia = 0.1, 0.3, 2.0, 0.3, 0.004
    scene = table(0.0, friction)
    scene = replace(scene, bodies=scene.bodies[:1]).with_body(
        "box",
        position=[-way, radius],
        velocity=[start, 0.0],
        mass=1.0,
        inertia=[inertia],
        shapes=[{"kind": "sphere", "radius": radius}],
    )
    found = run(scene, dt, 0.3)
    gone = (start - math.sqrt(start**2 - 2.0 * friction * G * way)) / (friction * G)
    assert leaves(found) == pytest.approx([gone], abs=3e-9)
    assert found.channel("body.box.vel.x")[-1] == pytest.approx(start - friction * G * gone, abs=1e-8)
    spin = -friction * G * radius * gone / inertia
    assert found.channel("body.box.omega.z")[-1] == pytest.approx(spin, abs=2e-7)
    assert np.abs(found.channel("energy.error")).max() < 1e-12


@pytest.mark.parametrize("speed", [2.0, 4.0])
def test_a_corner_that_slides_over_an_obtuse_edge_keeps_its_energy(speed: float) -> None:
    """Its body lies before both faces that meet there; without friction no push does work."""
    scene, tilt = Scene(space="planar", gravity=(0.0, -G)), 0.1
    down = (0.5 * math.cos(0.5), -0.5 * math.sin(0.5))
    roof = [[-1.0, -0.5], [down[0], down[1] - 0.5], list(down), [0.0, 0.0], [-1.0, 0.0]]
    scene = scene.with_body(
        "roof", fixed=True, shapes=[{"kind": "outline", "points": roof, "thickness": 0.1}]
    ).with_body(
        "box",
        position=[-0.1, 0.1 * math.sqrt(0.5) * math.cos(tilt)],
        angle=math.pi / 4.0 + tilt,
        velocity=[speed, 0.0],
        mass=1.0,
        shapes=[{"kind": "box", "size": [0.1, 0.1, 0.1]}],
    )
    law = {"law": "rigid", "restitution": 0.0, "friction": 0.0}
    found = run(
        scene.with_force("contact", "c", a={"body": "roof"}, b={"body": "box"}, **law),
        2e-3,
        0.1 / speed + 0.01,
    )
    assert len(leaves(found)) == 1
    assert np.abs(found.channel("energy.error")).max() < 1e-9


def test_an_elastic_box_slides_over_the_edge_without_a_blow_from_its_side() -> None:
    """What presses the front corner goes over to that of the table: nothing pushes along the slide but what
    the tilt of 1e-5 rad makes of g t."""
    found = run(table(1.5, 0.0, law="kelvin_voigt", stiffness=1e6), 2e-4, 0.06)
    assert np.abs(found.channel("body.box.vel.x") - 1.5).max() < 1e-5


@pytest.mark.parametrize(
    ("method", "count", "moves"), [("moreau_jean", 10, 1e-5), ("nonsmooth_alpha", 3, 5e-4)]
)
def test_boxes_corner_on_corner_stand_in_time_stepping(method: str, count: int, moves: float) -> None:
    """Each pair is an element of its own; overlaps of a step do not turn their sides into floors, and ten of
    them carry each other with the impulses of the step before: what they give way at first, they keep."""
    scene = Scene(space="planar", gravity=(0.0, -G))
    floor = {"a": {"body": "world", "reference": [0, 1]}, "shape_a": "plane"}
    law = {"law": "rigid", "restitution": 0.0, "friction": 0.5}
    for k in range(count):
        scene = scene.with_body(f"b{k}", position=[0.0, HIGH * (2 * k + 1)], mass=1.0, shapes=[BOX])
        below = floor if k == 0 else {"a": {"body": f"b{k - 1}"}}
        scene = scene.with_force("contact", f"c{k}", **below, b={"body": f"b{k}"}, **law)
    found = run(scene, 2e-3, 1.0, method)
    later = found.t > 0.5
    for k in range(count):
        height = found.channel(f"body.b{k}.pos.y")
        assert abs(height[-1] - height[0]) < 2e-3
        assert np.ptp(height[later]) < moves


def test_a_box_that_rocks_without_friction_comes_to_rest() -> None:
    """Corners hit in turn, ever sooner: the sequence has an end."""
    found = run(table(0.0, 0.0, 0.05, x=-0.4), 2e-3, 0.6)
    assert len(found.events) < 120
    assert found.channel("body.box.angle")[-1] == pytest.approx(0.0, abs=1e-10)
    assert np.abs(found.channel("energy.error")).max() < 1e-9


@pytest.mark.parametrize("overlap", [0.01, 0.03, 0.09])
@pytest.mark.parametrize(("wider", "places"), [(0.0, 4), (1e-3, 2), (-1e-3, 2)])
def test_a_box_deep_in_another_is_pushed_out_where_it_came_in(
    overlap: float, wider: float, places: int
) -> None:
    """Sides that lie in one line are nearer than the face between them: they carried nothing."""
    k, size = 1e5, 0.2
    scene = Scene(space="planar", gravity=(0.0, -G)).with_body(
        "low", fixed=True, position=[0.0, 0.0], shapes=[{"kind": "box", "size": [size, size, 0.1]}]
    )
    scene = scene.with_body(
        "high",
        position=[0.0, size - overlap],
        mass=1.0,
        inertia=[0.01],
        shapes=[{"kind": "box", "size": [size + wider, size, 0.1]}],
    ).with_force("contact", "c", a={"body": "low"}, b={"body": "high"}, law="hertz", stiffness=k)
    found = simulate(scene, method=RK4, dt=1e-4, duration=1e-4)
    assert f"overlap by {overlap:g} m at first" in found.message
    assert found.channel("force.c.gap")[0] == pytest.approx(-overlap, rel=1e-9)
    assert found.channel("force.c.force")[0] == pytest.approx(places * k * overlap**1.5, rel=1e-9)
