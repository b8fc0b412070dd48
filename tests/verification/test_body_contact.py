"""Contact between bodies against closed forms: bouncing, Hertz, rolling and sliding, rocking, billiards."""

import math
from typing import Any

import msgspec
import numpy as np
import pytest

from engine.compiled.columns import poses as POSE
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.model.validate import validate
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from engine.templates import TEMPLATES
from tests.contract.numerics import evaluate, random_state, same
from tests.contract.test_rows import along_motion, velocity_level
from tests.contract.test_tangents import check_tangents

RK4 = "lagrange/rk4/projection"
G = 9.81
R = 0.1  # m, radius of a ball
SPACES = ("planar", "spatial")


def vector(space: str, x: float, up: float) -> list[float]:
    return [x, up] if space == "planar" else [x, 0.0, up]


def floor(space: str, slope: float = 0.0) -> dict[str, Any]:
    """Anchor of a plane whose normal leans back by the slope."""
    direction = "reference" if space == "planar" else "axis"
    return {
        "body": "world",
        "point": vector(space, 0.0, 0.0),
        direction: vector(space, -math.sin(slope), math.cos(slope)),
    }


def ball_scene(
    space: str,
    height: float,
    *,
    vx: float = 0.0,
    up: float = 0.0,
    slope: float = 0.0,
    down: float = G,
    **contact: Any,
) -> Scene:
    """A ball of 1 kg above a plane."""
    inertia = 0.4 * R * R
    scene = Scene(space=space, gravity=tuple(vector(space, 0.0, -down)))  # type: ignore[arg-type]
    away = R + height
    scene = scene.with_body(
        "ball",
        position=vector(space, -away * math.sin(slope), away * math.cos(slope)),
        velocity=vector(space, vx, up),
        mass=1.0,
        inertia=[inertia] if space == "planar" else [inertia] * 3,
    )
    ball = {"body": "ball", "point": vector(space, 0.0, 0.0)}
    return scene.with_force(
        "contact",
        "floor",
        a=floor(space, slope),
        b=ball,
        shape_a="plane",
        shape_b="sphere",
        radius_b=R,
        **contact,
    )


def box_scene(
    space: str, slope: float, size: tuple[float, float], body: dict[str, Any] | None = None, **contact: Any
) -> Scene:
    """A box of 1 kg, `size` along and across the plane, on it, unless its body is placed otherwise."""
    long, high = size
    scene = Scene(space=space, gravity=tuple(vector(space, 0.0, -G)))  # type: ignore[arg-type]
    turn: dict[str, Any] = {"angle": slope}
    if space == "spatial":
        turn = {"orientation": {"axis": [0.0, -1.0, 0.0], "angle": slope}}
    placed = {"position": vector(space, -high / 2.0 * math.sin(slope), high / 2.0 * math.cos(slope)), **turn}
    shape = {"kind": "box", "size": [long, high, 0.1] if space == "planar" else [long, 0.1, high]}
    scene = scene.with_body("box", mass=1.0, shapes=[shape], **(body or placed))
    return scene.with_force(
        "contact", "floor", a=floor(space, slope), b={"body": "box"}, shape_a="plane", **contact
    )


def run(scene: Scene, dt: float, duration: float, method: str = RK4) -> Trajectory:
    result = simulate(scene, method=method, dt=dt, duration=duration)
    assert not result.status.failed, result.message
    return result


def closed(result: Trajectory, tolerance: float) -> None:
    """The balance of energy with all losses."""
    assert np.abs(result.channel("energy.error")).max() <= tolerance


@pytest.mark.parametrize("space", SPACES)
def test_a_bouncing_ball_hits_the_floor_when_its_series_says(space: str) -> None:
    height, e = 0.9, 0.8
    result = run(ball_scene(space, height, law="rigid", restitution=e), 0.01, 5.0)
    speed = math.sqrt(2.0 * G * height)
    first = speed / G
    flights = 2.0 * speed / G * e ** np.arange(1, 10)
    expected = first + np.concatenate([[0.0], np.cumsum(flights)])
    hits = [event.t for event in result.events if event.kind == "impact"]
    assert np.abs(np.array(hits[:10]) - expected).max() < 1e-10
    rest = first + 2.0 * speed / G * e / (1.0 - e)
    assert hits[-1] <= rest + 1e-9
    assert result.channel("force.floor.force")[-1] == pytest.approx(G, rel=1e-9)
    assert abs(result.channel("force.floor.gap")[-1]) < 1e-12
    closed(result, 1e-9)


def test_hertz_contact_has_its_depth_and_duration() -> None:
    """½ m v² = k δ^(5/2)·2/5, duration 2.9432675… δ/v [Flores 2016]."""
    k, v = 1e6, 0.7
    scene = ball_scene("spatial", 1e-3, up=-v, law="hertz", stiffness=k, down=0.0)
    result = run(scene, 2e-6, 0.02)
    depth = (1.25 * v * v / k) ** 0.4
    touch, leave = (event.t for event in result.events)
    assert [event.what for event in result.events] == ["touches", "leaves"]
    duration = 2.0 * depth / v * math.sqrt(math.pi) * math.gamma(1.4) / math.gamma(0.9)
    assert leave - touch == pytest.approx(duration, rel=1e-6)
    assert -result.channel("force.floor.gap").min() == pytest.approx(depth, rel=1e-6)
    closed(result, 1e-9)


@pytest.mark.parametrize("space", SPACES)
def test_a_sliding_ball_begins_to_roll(space: str) -> None:
    """After t = 2 v/(7 µ g), with 5/7 of its speed."""
    mu, v = 0.2, 2.0
    result = run(ball_scene(space, 0.0, vx=v, law="rigid", friction=mu), 0.01, 0.6)
    (event,) = result.events
    assert event.kind == "stick"
    assert event.t == pytest.approx(2.0 * v / (7.0 * mu * G), abs=1e-9)
    assert result.channel("body.ball.vel.x")[-1] == pytest.approx(5.0 / 7.0 * v, abs=1e-9)
    closed(result, 1e-9)


@pytest.mark.parametrize(("mu", "rolls"), [(0.2, False), (0.4, True)])
@pytest.mark.parametrize("space", SPACES)
def test_a_ball_on_a_ramp_rolls_or_slides_as_friction_says(space: str, mu: float, rolls: bool) -> None:
    """It rolls while tan slope ≤ 7/2 µ."""
    slope = math.radians(45.0)
    result = run(ball_scene(space, 0.0, slope=slope, law="rigid", friction=mu), 0.01, 0.5)
    a = G * math.sin(slope) * 5.0 / 7.0 if rolls else G * (math.sin(slope) - mu * math.cos(slope))
    moved = result.channel("body.ball.pos.x")
    assert (moved[-1] - moved[0]) == pytest.approx(-0.5 * a * 0.25 * math.cos(slope), rel=1e-9)
    closed(result, 1e-9)


@pytest.mark.parametrize("step", [1e-3, 0.1])
@pytest.mark.parametrize("space", SPACES)
def test_a_box_stands_on_a_ramp(space: str, step: float) -> None:
    scene = box_scene(space, math.radians(10.0), (0.4, 0.2), law="rigid", friction=0.2)
    result = run(scene, step, 1.0 if step < 0.01 else 60.0)
    moved = [np.ptp(result.channel(f"body.box.pos.{axis}")) for axis in "xy"]
    assert max(moved) < 1e-12
    assert not result.events


@pytest.mark.parametrize("space", SPACES)
def test_a_box_slides_down_a_steep_ramp(space: str) -> None:
    slope, mu = math.radians(20.0), 0.2
    result = run(box_scene(space, slope, (0.4, 0.2), law="rigid", friction=mu), 0.01, 0.5)
    x = result.channel("body.box.pos.x")
    a = G * (math.sin(slope) - mu * math.cos(slope))
    assert x[-1] - x[0] == pytest.approx(-0.5 * a * 0.25 * math.cos(slope), rel=1e-9)
    closed(result, 1e-9)


def test_a_rocking_block_loses_what_housner_says() -> None:
    """ω⁺/ω⁻ = 1 − 3/2 sin²α, α the angle from the height to the diagonal [Housner 1963]."""
    long, high, tilt = 0.2, 0.6, 0.1
    arm = np.array([long / 2.0, high / 2.0])
    # about the right corner
    turn = np.array([[math.cos(tilt), math.sin(tilt)], [-math.sin(tilt), math.cos(tilt)]])
    centre = np.array([long / 2.0, 0.0]) + turn @ (arm * (-1.0, 1.0))
    placed = {"position": centre.tolist(), "angle": -tilt}
    scene = box_scene("planar", 0.0, (long, high), placed, law="rigid", friction=0.9, restitution=0.0)
    result = run(scene, 1e-3, 1.2)
    hits = [event for event in result.events if event.kind == "impact"]
    assert len(hits) >= 2
    alpha = math.atan2(long, high)
    ratio = 1.0 - 1.5 * math.sin(alpha) ** 2
    drop = G * (float(centre[1]) - high / 2.0)  # energy of the first swing
    energy = drop
    for hit in hits[:2]:
        assert hit.loss == pytest.approx(energy * (1.0 - ratio**2), rel=1e-9)
        energy *= ratio**2
    closed(result, 1e-8)


def test_billiard_balls_keep_momentum_and_energy() -> None:
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    places = {"cue": (-1.0, 0.03), "one": (0.0, 0.0), "two": (0.3, -0.1), "three": (0.3, -0.4)}
    for name, place in places.items():
        speed = [3.0, 0.0] if name == "cue" else [0.0, 0.0]
        scene = scene.with_body(name, position=list(place), velocity=speed, mass=0.2, inertia=[8e-4])
    names = list(places)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            sides = {"a": {"body": a, "point": [0, 0]}, "b": {"body": b, "point": [0, 0]}}
            shapes = {"shape_a": "sphere", "shape_b": "sphere", "radius_a": 0.05, "radius_b": 0.05}
            scene = scene.with_force("contact", f"{a}-{b}", **sides, **shapes, law="rigid", restitution=1.0)
    result = run(scene, 0.01, 1.0)
    assert len([event for event in result.events if event.kind == "impact"]) >= 2
    p = sum(0.2 * result.channel(f"body.{name}.vel.x") for name in names)
    assert np.ptp(p) < 1e-12
    assert np.ptp(result.channel("energy.kinetic")) < 1e-12


@pytest.mark.parametrize("gap", [0.0, 1e-3])
def test_a_blow_goes_through_a_row_of_balls(gap: float) -> None:
    """Newton's cradle: the last ball flies off with the speed of the first, whether they touch or not."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for k in range(5):
        place, speed = ([-0.2, 0.0], [1.0, 0.0]) if k == 0 else ([k * (0.1 + gap), 0.0], [0.0, 0.0])
        shape = {"kind": "sphere", "radius": 0.05}
        scene = scene.with_body(
            f"b{k}", position=place, velocity=speed, mass=1.0, inertia=[1e-3], shapes=[shape]
        )
    scene = scene.with_force("contact_group", "row", law="rigid", restitution=1.0)
    result = run(scene, 0.01, 0.6)
    speeds = [result.channel(f"body.b{k}.vel.x")[-1] for k in range(5)]
    assert speeds == pytest.approx([0.0, 0.0, 0.0, 0.0, 1.0], abs=1e-12)
    assert np.ptp(result.channel("energy.kinetic")) < 1e-12


def test_restitution_and_friction_never_add_energy() -> None:
    """Boxes that fall on an edge at random, with any restitution and friction."""
    rng = np.random.default_rng(5)
    for _ in range(6):
        placed = {
            "position": [0.0, 0.5],
            "angle": rng.uniform(-3, 3),
            "velocity": rng.uniform(-3, 3, 2).tolist(),
            "angular_velocity": [0.0, 0.0, rng.uniform(-20, 20)],
        }
        law = {"law": "rigid", "friction": rng.uniform(0, 2), "restitution": rng.uniform(0, 1)}
        scene = box_scene("planar", 0.0, (0.4, 0.2), placed, **law)
        result = run(scene, 2e-3, 1.0)
        assert all(event.loss >= -1e-12 for event in result.events)
        assert result.events
        assert np.diff(result.channel("energy.total")).max() < 1e-9
        closed(result, 1e-8)


BODY_SHAPES: dict[str, list[dict[str, Any]]] = {
    "box": [{"kind": "box", "size": [0.7, 0.5, 0.9], "position": [0.1, 0.2, 0.0]}],
    "capsule": [
        {
            "kind": "capsule",
            "radius": 0.2,
            "length": 0.8,
            "orientation": {"axis": [1.0, 0.3, 0.0], "angle": 1.2},
        }
    ],
    "outline": [
        {"kind": "outline", "points": [[0, 0], [0.9, 0.1], [0.8, 0.7], [0.2, 0.6]], "thickness": 0.3}
    ],
    "rod": [{"kind": "rod", "start": [0.1, 0.2, 0.0], "end": [0.9, -0.3, 0.0], "radius": 0.1}],
    "sphere": [{"kind": "sphere", "radius": 0.4, "position": [0.1, 0.3, 0.0]}],
}


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(
    "pair", [("box", "sphere"), ("box", "box"), ("capsule", "rod"), ("outline", "capsule")], ids="-".join
)
def test_gaps_and_slips_have_the_derivatives_that_differences_say(pair: tuple[str, str], space: str) -> None:
    scene = Scene(space=space, gravity=tuple(vector(space, 0.0, 0.0)))  # type: ignore[arg-type]
    for name, place in (("a", (0.2, -0.3)), ("b", (2.3, 1.1))):
        shape = BODY_SHAPES[pair["ab".index(name)]]
        scene = scene.with_body(
            name,
            position=vector(space, *place),
            mass=1.0,
            inertia=[0.3] if space == "planar" else [0.3, 0.2, 0.4],
            shapes=shape,
        )
    check_derivatives(scene)


def test_crossed_edges_have_the_derivatives_that_differences_say() -> None:
    scene = Scene(space="spatial", gravity=(0.0, 0.0, 0.0))
    rod = {"kind": "rod", "start": [-2.0, 0.1, 0.2], "end": [2.0, 0.3, -0.2], "radius": 0.4}
    turned = {"orientation": {"axis": [0.1, 0.2, 0.9], "angle": 1.3}}
    scene = scene.with_body("a", mass=1.0, inertia=[0.3, 0.2, 0.4], shapes=[rod])
    scene = scene.with_body(
        "b", position=[0.1, -0.2, 0.9], mass=1.0, inertia=[0.3, 0.2, 0.4], shapes=[rod], **turned
    )
    ev = check_derivatives(scene)
    assert ev.coordinate_functions[:, 0].min() < 1.0  # they cross


def check_derivatives(scene: Scene) -> Evaluator:
    """Of all gaps and slips between the bodies a and b, at states about that of the scene."""
    law = {"law": "kelvin_voigt", "stiffness": 3.0, "damping": 0.4, "friction": 0.3, "smoothing_speed": 9.0}
    scene = scene.with_force("contact", "c", a={"body": "a"}, b={"body": "b"}, **law)
    ev = Evaluator(compile_scene(scene), tangents=True)
    for seed in range(3):
        state = random_state(ev, seed, shift=0.1, turn=0.3)
        evaluate(ev, state)
        gradients, (_, rate, bias) = ev.coordinate_gradients, ev.coordinate_functions.T.copy()
        along = along_motion(ev, state).coordinate_functions[0]
        holonomic = ~velocity_level(ev)
        _same_gaps(ev, scene)
        same("s' = grad·v", rate, gradients @ state.v)
        same("s' = ds/dt", rate[holonomic], along[holonomic, 0])
        same("bias = ds'/dt without accelerations", bias, along[:, 1])
        check_tangents(ev, state, 1e-7)
    return ev


def _same_gaps(ev: Evaluator, scene: Scene) -> None:
    """The compiled search finds the gaps that a search through all edges and triangles does."""
    from engine.elements.gaps.cores import core_of
    from engine.elements.gaps.places import contact_places
    from engine.model.mass import rotation

    planar = scene.space == "planar"
    cores, poses = [], []
    for body, com, pose in zip(scene.bodies, ev.mechanism.com, ev.work.pose, strict=False):
        shape = body.shapes[0]
        core = core_of(shape, planar, rotation(shape.orientation, float(shape.angle)))
        assert core is not None
        R = pose[POSE.R : POSE.R + 9].reshape(3, 3)
        cores.append(core)
        poses.append((pose[POSE.P : POSE.P + 3] - R @ com, R))
    found = [place.gap for place in contact_places(*cores, *poses, planar)]
    gaps = ev.coordinate_functions[~velocity_level(ev), 0]
    near = gaps[gaps < 900.0]  # where no edges cross there is no gap
    assert np.abs(near[: len(found)] - np.array(found)[: len(near)]).max() < 1e-12


def test_bodies_that_overlap_at_the_start_are_named() -> None:
    scene = ball_scene("planar", -0.02, law="rigid")
    with pytest.raises(SceneError, match=r"'floor' overlap by 0\.02 m"):
        simulate(scene, method=RK4, dt=0.01, duration=0.1)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"friction": -0.1}, "friction"),
        ({"restitution": 1.2}, "restitution"),
        ({"friction": 0.3, "static_friction": 0.2}, "static friction 0.2 is less"),
        ({"shape_b": "plane"}, "have no corners"),
        ({"shape_b": "shapes"}, "has no shape that can touch"),
    ],
)
def test_contacts_that_cannot_be_are_told(fields: dict[str, Any], words: str) -> None:
    scene = ball_scene("planar", 0.1, law="rigid")
    scene = scene.replace(msgspec.structs.replace(scene.forces[0], **fields))
    assert any(words in f"{problem.path} {problem.message}" for problem in validate(scene))


@pytest.mark.parametrize("duration", [2.0, pytest.param(60.0, marks=pytest.mark.soak)])
def test_ten_boxes_stand_on_each_other(duration: float) -> None:
    side = 0.2
    scene = Scene(space="planar", gravity=(0.0, -G))
    for i in range(10):
        shape = {"kind": "box", "size": [0.3, side, 0.3]}
        scene = scene.with_body(f"box{i}", position=[0.0, side * (i + 0.5)], mass=1.0, shapes=[shape])
        below = {"a": {"body": f"box{i - 1}"}} if i else {"a": floor("planar"), "shape_a": "plane"}
        law = {"law": "rigid", "friction": 0.5, "restitution": 0.0}
        scene = scene.with_force("contact", f"on{i}", b={"body": f"box{i}"}, **below, **law)
    result = run(scene, 0.05, duration)
    for i in range(10):
        assert np.ptp(result.channel(f"body.box{i}.pos.y")) < 1e-12
    assert result.channel("force.on0.force")[-1] == pytest.approx(10.0 * G, rel=1e-9)


def test_crossed_capsules_rest_on_each_other() -> None:
    """A capsule lies across two that are fixed: each carries half."""
    scene = Scene(space="spatial", gravity=(0.0, 0.0, -G))
    lying = {"kind": "rod", "start": [0.0, -1.0, 0.0], "end": [0.0, 1.0, 0.0], "radius": 0.1}
    bar = {"kind": "rod", "start": [-1.0, 0.0, 0.0], "end": [1.0, 0.0, 0.0], "radius": 0.1}
    scene = scene.with_body("bar", position=[0.0, 0.0, 0.3], mass=2.0, shapes=[bar])
    for name, x in (("left", -0.5), ("right", 0.5)):
        scene = scene.with_body(name, position=[x, 0.0, 0.0], fixed=True, shapes=[lying])
        law = {"law": "rigid", "restitution": 0.0, "friction": 0.4}
        scene = scene.with_force("contact", f"on {name}", a={"body": name}, b={"body": "bar"}, **law)
    result = run(scene, 0.01, 1.0)
    for name in ("left", "right"):
        assert result.channel(f"force.on {name}.force")[-1] == pytest.approx(G, rel=1e-9)
    assert result.channel("body.bar.pos.z")[-1] == pytest.approx(0.2, abs=1e-10)
    hits = [event.t for event in result.events if event.kind == "impact"]
    assert hits[0] == pytest.approx(math.sqrt(2.0 * 0.1 / G), abs=1e-10)


def test_edges_of_boxes_meet_where_the_distance_of_their_lines_says() -> None:
    """A box on its edge falls on the edge of another that lies across."""
    half = math.sqrt(0.5) * 0.2
    scene = Scene(space="spatial", gravity=(0.0, 0.0, -G))
    shape = {"kind": "box", "size": [1.0, 0.2, 0.2]}
    on_edge = {"axis": [1.0, 0.0, 0.0], "angle": math.pi / 4.0}
    turned = {"position": [0.0, 0.0, 0.0], "orientation": {"axis": [0.0, 0.0, 1.0], "angle": math.pi / 2.0}}
    lower = [{**shape, "orientation": on_edge}]
    scene = scene.with_body("lower", fixed=True, shapes=lower, **turned)
    scene = scene.with_body("upper", position=[0.0, 0.0, 2.0 * half + 0.05], mass=1.0, shapes=lower)
    sides = {"a": {"body": "lower"}, "b": {"body": "upper"}}
    scene = scene.with_force("contact", "edges", **sides, law="rigid", restitution=0.5)
    result = run(scene, 0.01, 0.3)
    hits = [event.t for event in result.events if event.kind == "impact"]
    assert hits[0] == pytest.approx(math.sqrt(2.0 * 0.05 / G), abs=1e-10)
    assert result.channel("body.upper.pos.z").min() > 2.0 * half - 1e-9


def test_a_geneva_wheel_turns_by_a_quarter_per_turn_of_its_crank() -> None:
    made = TEMPLATES["geneva_wheel"].make()
    result = run(made.scene, 2.5e-4, 1.0)
    turned = result.channel("joint.bearing.angle")
    assert abs(turned[-1]) == pytest.approx(math.pi / 2.0, abs=0.02)  # play and bounce
    before = result.t < 0.2
    assert np.ptp(turned[before]) < 1e-15  # the brake holds it
    closed(result, 1e-5)
