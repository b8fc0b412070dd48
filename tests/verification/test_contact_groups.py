"""Groups of bodies that may touch: the same as their pairs, and many of them found anew in each step."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from engine.compiled.columns import poses as POSE
from engine.compiled.columns import sizes as SIZE
from engine.elements.gaps.cores import core_of
from engine.elements.gaps.nearest import HULL, OUTLINE
from engine.elements.gaps.places import contact_places
from engine.errors import SceneError
from engine.model.mass import rotation
from engine.model.scene import Scene
from engine.model.validate import validate
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.solvers.contacts import records as REC
from engine.solvers.contacts.detection import BESIDE, CROSSINGS, FEATURES, find_contacts
from engine.system.compiling.compile import compile_scene
from tests.bench.spheres import HALF, RADIUS, pile

RK4 = "lagrange/rk4/projection"
G = 9.81
BALL = {"kind": "sphere", "radius": 0.05}


def run(scene: Scene, dt: float, duration: float, method: str) -> Trajectory:
    found = simulate(scene, method=method, dt=dt, duration=duration)
    assert found.status.name == "FINISHED", found.message
    return found


def row_of_balls(count: int = 4) -> Scene:
    """A ball rolls into others that hang in a row, a little apart; nothing else acts."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for k in range(count):
        moving = {"velocity": [1.0, 0.0]} if k == 0 else {}
        place = [0.13 * k - (0.3 if k == 0 else 0.0), 0.01 * k]
        scene = scene.with_body(f"b{k}", position=place, mass=1.0, inertia=[1e-3], shapes=[BALL], **moving)
    return scene


def test_a_group_is_the_same_as_its_pairs() -> None:
    law = {"law": "rigid", "restitution": 0.7}
    scene = row_of_balls()
    group = run(scene.with_force("contact_group", "all", **law), 0.01, 1.0, RK4)
    for a, b in combinations([body.name for body in scene.bodies], 2):
        scene = scene.with_force("contact", f"{a} on {b}", a={"body": a}, b={"body": b}, **law)
    pairs = run(scene, 0.01, 1.0, RK4)
    hits = [[event.t for event in found.events if event.kind == "impact"] for found in (group, pairs)]
    assert len(hits[0]) >= 3
    assert hits[0] == pytest.approx(hits[1], abs=1e-12)
    assert group.channel("force.all.gap").min() > -1e-12


def test_impacts_that_are_found_anew_are_listed_as_located_ones() -> None:
    """A blow goes along a row of more balls than are followed pair by pair; each pair hits once."""
    law, count = {"law": "rigid", "restitution": 0.7}, 26
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for k in range(count):
        moving = {"velocity": [1.0, 0.0]} if k == 0 else {}
        scene = scene.with_body(
            f"b{k}", position=[0.13 * k, 0.0], mass=1.0, inertia=[1e-3], shapes=[BALL], **moving
        )
    pairs = scene
    for k in range(count - 1):
        ends = {"a": {"body": f"b{k}"}, "b": {"body": f"b{k + 1}"}}
        pairs = pairs.with_force("contact", f"c{k}", **ends, **law)
    exact = run(pairs, 0.01, 0.25, RK4)
    for method in ("moreau_jean", "nonsmooth_alpha"):
        found = run(scene.with_force("contact_group", "all", **law), 1e-3, 0.25, method)
        assert len(found.events) == len(exact.events) >= 4
        for event, located in zip(found.events, exact.events, strict=True):
            k = int(located.element[1:])
            assert event.element == "all"
            assert event.what == f"hits (b{k} and b{k + 1})"
            assert event.t == pytest.approx(located.t, abs=2e-3 * (k + 1))
            assert event.impulse == pytest.approx(located.impulse, rel=1e-9)
            assert event.loss == pytest.approx(located.loss, rel=1e-9)


def test_an_inelastic_blow_within_steps_is_one_event() -> None:
    """Whole impulse and loss, though the gap that is left takes part of it in the next step."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for k in range(26):
        moving = {"velocity": [1.0, 0.0]} if k == 0 else {}
        place = [0.13 * k + (0.5 if k > 1 else 0.0), 0.0]
        scene = scene.with_body(f"b{k}", position=place, mass=1.0, inertia=[1e-3], shapes=[BALL], **moving)
    law = {"law": "rigid", "restitution": 0.0}
    for dt in (1e-3, 0.9e-3, 1.1e-3):
        found = run(scene.with_force("contact_group", "all", **law), dt, 0.1, "moreau_jean")
        (event,) = (event for event in found.events if event.kind == "impact")
        assert event.impulse == pytest.approx(0.5, rel=1e-9)
        assert event.loss == pytest.approx(0.25, rel=1e-9)


def test_only_the_other_group_is_touched_and_no_neighbour() -> None:
    """Two balls fly through each other and bounce off a third, which the other group has."""
    scene = Scene(space="planar", gravity=(0.0, 0.0))
    for name, x, speed in (("one", 0.0, 1.0), ("two", 0.02, 1.0), ("wall", 0.5, 0.0)):
        fixed = (
            {"fixed": True} if name == "wall" else {"velocity": [speed, 0.0], "mass": 1.0, "inertia": [1e-3]}
        )
        scene = scene.with_body(name, position=[x, 0.0], shapes=[BALL], **fixed)
    scene = scene.with_group("flying", members=["bodies.one", "bodies.two"])
    scene = scene.with_group("standing", members=["bodies.wall"])
    law = {"law": "rigid", "restitution": 1.0}
    touched = scene.with_force("contact_group", "c", group="flying", other="standing", **law)
    found = run(touched, 0.01, 0.6, RK4)
    assert found.channel("body.one.vel.x")[-1] == pytest.approx(-1.0, abs=1e-9)
    hits = [event.t for event in found.events if event.kind == "impact"]
    assert hits == pytest.approx([0.38, 0.4], abs=1e-9)
    # bodies that a joint holds together do not touch, unless they shall
    anchors = {"a": {"body": "one"}, "b": {"body": "two"}}
    joined = touched.with_joint("revolute", "J", **anchors).with_force("contact_group", "all", **law)
    assert run(joined, 0.01, 0.1, RK4).channel("force.all.gap").min() > 0.25
    told = scene.with_joint("revolute", "J", **anchors).with_force(
        "contact_group", "all", neighbours=True, **law
    )
    with pytest.raises(SceneError, match=r"'all' overlap by 0\.08"):
        simulate(told, method=RK4, dt=0.01, duration=0.1)


MIXED: tuple[dict[str, Any], ...] = (
    {"kind": "box", "size": [0.3, 0.2, 0.25]},
    {"kind": "sphere", "radius": 0.15},
    {"kind": "capsule", "radius": 0.08, "length": 0.3},
    {"kind": "cylinder", "radius": 0.1, "length": 0.25},
)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_detection_finds_what_a_search_through_all_pairs_finds(space: str) -> None:
    """Bodies of all shapes in any pose, close together."""
    random, planar = np.random.default_rng(3), space == "planar"
    scene = Scene(space=space)  # type: ignore[arg-type]
    count = 24
    for k in range(count):
        turn: dict[str, Any] = {"angle": float(random.uniform(0, 6))}
        if not planar:
            turn = {"orientation": {"axis": random.normal(size=3).tolist(), "angle": turn["angle"]}}
        place = random.uniform(-0.5, 0.5, 2 if planar else 3).tolist()
        inertia = [0.1] if planar else [0.1, 0.2, 0.15]
        shape = MIXED[k % len(MIXED)]
        scene = scene.with_body(f"b{k}", position=place, mass=1.0, inertia=inertia, shapes=[shape], **turn)
    scene = scene.with_force("contact_group", "all", law="rigid")
    mechanism = compile_scene(scene)
    driver = Driver(mechanism, find_method("moreau_jean"), dt=1e-3)
    driver.start(0.0, mechanism.q, mechanism.v)
    found = find_contacts(driver.packed, 0)
    records = [_record(driver, c) for c in range(found)]
    gaps = np.array([rec[REC.GAP] for rec in records])
    corners = np.array([rec[REC.KEY] % FEATURES < FEATURES - CROSSINGS for rec in records])
    # all pairs, all corners
    cores, poses = [], []
    for body, pose in zip(mechanism.scene.bodies, driver.work.pose, strict=False):
        shape = body.shapes[0]
        cores.append(core_of(shape, planar, rotation(shape.orientation, float(shape.angle))))
        poses.append((pose[POSE.P : POSE.P + 3], pose[POSE.R : POSE.R + 9].reshape(3, 3)))
    expected = []
    for i, j in combinations(range(count), 2):
        margin = 0.01 * min(cores[i].extent, cores[j].extent)
        if cores[i].sort == cores[j].sort in (HULL, OUTLINE):
            heights = [*_over_faces(cores, poses, i, j, margin), *_over_faces(cores, poses, j, i, margin)]
        else:
            places = contact_places(cores[i], cores[j], poses[i], poses[j], planar)
            heights = [place.gap for place in places]
        expected += [gap for gap in heights if gap <= margin]
    assert driver.system.sizes[SIZE.ROWS] == 0  # no rows: a table
    assert len(gaps) >= 40
    away = np.abs(gaps[:, None] - np.array(expected))
    assert away.min(axis=0).max() < 1e-9  # all that the search finds
    assert away.min(axis=1)[corners].max() < 1e-9  # and nothing else, but for edges of hulls


def _over_faces(cores: Any, poses: Any, i: int, j: int, margin: float) -> Iterator[float]:
    """Heights of the corners of shape j over the face of shape i by which each of them comes in."""
    (p_i, R_i), (p_j, R_j) = poses[i], poses[j]
    points = cores[i].points
    corners = (cores[j].points @ R_j.T + p_j - p_i) @ R_i
    middle = corners.mean(axis=0)
    if cores[i].sort == HULL:
        faces = [points[list(triangle)] for triangle in cores[i].triangles]
        normals = np.array([np.cross(b - a, c - a) for a, b, c in faces])
    else:
        faces = [(a, b) for a, b in zip(points, np.roll(points, -1, axis=0), strict=True)]
        normals = np.array([np.cross(b - a, [0.0, 0.0, 1.0]) for a, b in faces])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    for p in corners:
        heights = ((p - np.array([face[0] for face in faces])) * normals).sum(axis=1)
        before = normals @ (middle - p) > 0.0
        near = np.linalg.norm(p - points.mean(axis=0)) <= 0.5 * cores[i].extent + margin
        if near and heights[~before].max(initial=-np.inf) <= BESIDE * margin:
            yield float(heights[before].max())


def _record(driver: Driver, c: int) -> Any:
    s = driver.work.scratch
    per_row = s.shape[1] // REC.RECORD
    return s[REC.POOL + c // per_row, c % per_row * REC.RECORD :]


@pytest.mark.parametrize("method", ["moreau_jean"])
def test_a_pile_of_spheres_rests_without_overlaps_and_energy_closes(method: str) -> None:
    scene = pile(27)
    found = run(scene, 2e-3, 0.4, method)
    p = np.array([[found.channel(f"body.sphere {k}.pos.{c}")[-1] for c in "xyz"] for k in range(27)])
    i, j = np.triu_indices(27, 1)
    assert (np.linalg.norm(p[i] - p[j], axis=1) - 2.0 * RADIUS).min() > -2e-6
    assert (p[:, 2] - RADIUS).min() > -2e-6
    assert (HALF - RADIUS - np.abs(p[:, :2])).min() > -2e-6
    total = found.channel("energy.total")
    assert np.diff(total).max() < 1e-4 * total[0]  # what is parted is lifted
    assert np.abs(found.channel("energy.error")).max() < 1e-6 * total[0]
    assert found.channel("energy.loss.contact.pile")[-1] > 0.0
    # the floor carries them: the momentum stays where it is
    assert abs(sum(found.channel(f"body.sphere {k}.acc.z")[-50:].mean() for k in range(27))) < 2.0


def stack(size: tuple[float, ...], count: int = 10) -> Scene:
    """Equal boxes on each other, corner on corner; in the plane with two sizes."""
    planar = len(size) == 2
    scene = Scene(space="planar" if planar else "spatial")
    floor, across = [3.0, 0.1, 0.1] if planar else [3.0, 3.0, 0.1], [0.0] * (len(size) - 1)
    scene = scene.with_body(
        "floor", fixed=True, position=[*across, -0.05], shapes=[{"kind": "box", "size": floor}]
    )
    for k in range(count):
        shape = {"kind": "box", "size": [*size, 0.1] if planar else list(size)}
        scene = scene.with_body(f"box{k}", position=[*across, size[-1] * (k + 0.5)], mass=1.0, shapes=[shape])
    return scene.with_force("contact_group", "pile", law="rigid", restitution=0.0, friction=0.5)


FLAT, CUBES, PLANAR = (0.3, 0.3, 0.1), (0.2, 0.2, 0.2), (0.3, 0.1)


def shift_of(found: Trajectory, size: tuple[float, ...]) -> float:
    axes = "xyz"[: len(size)]
    places = (found.channel(f"body.box{k}.pos.{axis}") for k in range(10) for axis in axes)
    return max(float(np.abs(place - place[0]).max()) for place in places)


@pytest.mark.parametrize("size", [FLAT, PLANAR], ids=["space", "plane"])
def test_ten_boxes_stand_on_each_other(size: tuple[float, ...]) -> None:
    found = run(stack(size), 2e-3, 0.5, "moreau_jean")
    assert shift_of(found, size) < 1e-4
    speeds = [found.channel(f"body.box{k}.vel.{axis}")[-1] for k in range(10) for axis in "xyz"[: len(size)]]
    assert np.abs(speeds).max() < 1e-4
    assert np.abs(found.channel("energy.error")).max() < 1e-10


def test_many_places_are_refused_by_methods_that_follow_each() -> None:
    with pytest.raises(SceneError, match=r"contact group 'pile' can touch at more places"):
        simulate(pile(27), method="rk4", dt=2e-3, duration=0.1)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"group": "nobody"}, "there is no group 'nobody'"),
        ({"group": "bare"}, "no body of it has a shape"),
        ({"group": "alone"}, "nothing in it can touch"),
        ({"static_friction": 0.1, "friction": 0.2}, "static friction 0.1 is less"),
        ({"restitution": 1.1}, "restitution"),
    ],
)
def test_groups_that_cannot_be_are_told(fields: dict[str, Any], words: str) -> None:
    scene = row_of_balls().with_body("bare", mass=1.0, inertia=[1e-3])
    scene = scene.with_group("bare", members=["bodies.bare"]).with_group("alone", members=["bodies.b0"])
    scene = scene.with_force("contact_group", "c", **{"law": "rigid", **fields})
    assert any(words in f"{problem.path} {problem.message}" for problem in validate(scene))
