"""Open trees joint by joint move as with multipliers, whatever their joints, and push as hard.

The trees have every kind of joint that the recursion knows, met from either end, branches, a body that floats
with one hanging on it, springs, dampers and a torque. RK4 on two joint angles, by equations written by hand,
gives the same numbers to rounding.
"""

import json
import math
from typing import Any

import numpy as np
import pytest

from engine import Scene, SceneError, simulate
from engine.compiled.layout import Array
from engine.model.files.scene_file import loads
from engine.results.sample_layout import SampleLayout
from tests.verification.runs import at_end, energy_error, finished, shipped
from tests.verification.test_minimal_coordinates import double_pendulum

METHOD, WANTED = "recursive/rk4/none", "lagrange/rk4/projection"
# joint, the body that is nearer to the world, whether that is frame A
SPATIAL = (
    ("revolute", "world", True),
    ("prismatic", "b0", False),
    ("cylindrical", "b0", True),
    ("universal", "b1", False),
    ("spherical", "b2", True),
    ("screw", "b4", False),
    ("planar", "b3", False),
    ("fixed", "b6", True),
    ("revolute", "b7", False),
    (None, "", True),
    ("universal", "b9", True),
    ("spherical", "b10", False),
    ("planar", "b9", True),
)
PLANAR = (
    ("revolute", "world", True),
    ("prismatic", "b0", False),
    ("fixed", "b1", True),
    ("spherical", "b2", False),
    (None, "", True),
    ("revolute", "b4", False),
)


def _tree(space: str, joints: tuple[tuple[str | None, str, bool], ...]) -> Scene:
    """Bodies at random places, each on the one that is named; axes across each other in space."""
    rng, planar = np.random.default_rng(7), space == "planar"
    places: dict[str, Any] = {"world": np.zeros(3)}
    turns: dict[str, Any] = {"world": np.eye(3)}
    bodies, made = [], []
    for i, (kind, near, forward) in enumerate(joints):
        name, k = f"b{i}", np.cross(np.eye(3), axis := _unit(rng))
        angle = float(rng.uniform(-1.0, 1.0))
        if planar:
            axis, k = np.array([0.0, 0.0, 1.0]), np.cross(np.eye(3), np.array([0.0, 0.0, 1.0]))
        turns[name] = np.eye(3) - np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k
        places[name] = places.get(near, np.zeros(3)) + rng.uniform(0.2, 0.5, 3) * (1.0, 1.0, not planar)
        body = {"name": name, "position": places[name].tolist(), "mass": 1.0 + 0.2 * i}
        offset = rng.uniform(-0.1, 0.1, 3)
        if planar:
            body |= {"angle": angle, "com": [*offset[:2], 0.0], "inertia": [0.15]}
        else:
            body |= {"orientation": {"axis": axis.tolist(), "angle": angle}, "com": offset.tolist()}
            body["inertia"] = [0.1, 0.15, 0.2]
        if kind is None:
            body |= {
                "velocity": [0.3, 0.2, 0.0],
                "angular_velocity": [0.0, 0.0, 1.0] if planar else [0.5, 1.0, 2.0],
            }
        bodies.append(body)
        if kind is None:
            continue
        a, b = (near, name) if forward else (name, near)
        z = _unit(rng)
        anchor = 0.5 * (places[near] + places[name])
        ends = [{"body": x, "point": (turns[x].T @ (anchor - places[x])).tolist()} for x in (a, b)]
        if not planar:
            ends[0]["axis"] = (turns[a].T @ z).tolist()
            if kind == "universal":
                ends[1]["axis"] = (turns[b].T @ np.cross(z, _unit(rng))).tolist()
        elif kind == "prismatic":
            ends[0]["axis"] = [0.8, 0.6, 0.0]
        joint = {"kind": kind, "name": f"J{i}", "a": ends[0], "b": ends[1]}
        made.append(joint | ({"pitch": 0.3} if kind == "screw" else {}))
    z = 0.0 if planar else 2.0
    spring = {"stiffness": 40.0, "damping": 0.3, "free_length": 0.5}
    forces = [
        {
            "kind": "spring",
            "name": "s1",
            "a": {"body": "world", "point": [1, 1, z]},
            "b": {"body": "b1", "point": [0, 0, 0]},
            **spring,
        },
        {
            "kind": "spring",
            "name": "s2",
            "a": {"body": "b0"},
            "b": {"body": "b4", "point": [0, 0, 0]},
            **spring,
        },
        {"kind": "rotational_spring", "name": "coil", "joint": "J0", "stiffness": 3.0, "damping": 0.1},
        {"kind": "torque", "name": "t", "body": "b2", "components": [0, 0, "0.5*sin(5*t)"]},
    ]
    text = {
        "format": "trammel-scene",
        "version": 1,
        "title": "Tree",
        "space": space,
        "gravity": [0, -9.81, 0],
    }
    return loads(json.dumps(text | {"bodies": bodies, "joints": made, "forces": forces}))


def _unit(rng: np.random.Generator) -> Any:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


@pytest.mark.parametrize(("space", "joints"), [("spatial", SPATIAL), ("planar", PLANAR)])
def test_trees_move_as_with_multipliers(space: str, joints: Any) -> None:
    """Errors of the fourth order against a run with small steps; reactions too."""
    scene = _tree(space, joints)
    wanted = at_end(finished(scene, WANTED, 2.5e-4, 0.2))
    errors = []
    for dt in (0.004, 0.002):
        run = finished(scene, METHOD, dt, 0.2)
        errors.append([float(np.abs(x - y).max()) for x, y in zip(at_end(run), wanted, strict=True)])
        assert run.channel("violation.position").max() < 1e-13
        assert run.channel("violation.velocity").max() < 1e-12
    assert np.all(np.array(errors[1]) < (1e-7, 1e-6, 1e-4))
    assert np.log2(np.array(errors[0]) / errors[1]) == pytest.approx(4.0, abs=0.6)


@pytest.mark.parametrize(
    ("scene", "dt", "duration"),
    [("five_bar_pendulum", 0.01, 10.0), ("tether", 0.002, 1.0), ("spatial_pendulum", 0.01, 4.0)],
)
def test_energy_as_with_multipliers(scene: str, dt: float, duration: float) -> None:
    yardstick = finished(shipped(scene), WANTED, dt, duration)
    assert energy_error(finished(shipped(scene), METHOD, dt, duration)) < 2.0 * energy_error(yardstick)


def test_the_double_pendulum_is_that_of_two_angles() -> None:
    begin, h, steps = np.array([0.0, math.pi / 3, 0.0, 0.0]), 0.01, 100

    def rate(y: Array) -> Array:
        return np.concatenate([y[2:], double_pendulum(0.0, y[:2], y[2:])])

    path = [begin]
    for _ in range(steps):
        y = path[-1]
        f1 = rate(y)
        f2 = rate(y + 0.5 * h * f1)
        f3 = rate(y + 0.5 * h * f2)
        path.append(y + h / 6.0 * (f1 + 2.0 * f2 + 2.0 * f3 + rate(y + h * f3)))
    run = finished(shipped("double_pendulum"), METHOD, h, h * steps)
    for k, joint in enumerate("AB"):
        np.testing.assert_allclose(
            run.channel(f"joint.{joint}.angle"), np.array(path)[:, k] - begin[k], atol=1e-11
        )


@pytest.mark.parametrize("scheme", ["abm4", "trapezoidal", "dopri5"])
def test_other_schemes_step_it(scheme: str) -> None:
    assert energy_error(finished(shipped("spatial_pendulum"), f"recursive/{scheme}/none", 1e-3, 0.5)) < 1e-5


def test_what_is_no_tree_is_refused_by_name() -> None:
    for scene, words in (("four_bar", "closes a loop|closed loops"), ("bicycle", "is of the kind")):
        with pytest.raises(SceneError, match=words):
            simulate(shipped(scene), method=METHOD, dt=1e-3, duration=0.01)


def _chain(space: str, bodies: list[dict[str, Any]], joints: list[dict[str, Any]]) -> Scene:
    numbers = {"mass": 1.0, "inertia": [0.1] if space == "planar" else [0.1, 0.15, 0.2]}
    text = {
        "format": "trammel-scene",
        "version": 1,
        "title": "Chain",
        "space": space,
        "gravity": [0, -9.81, 0],
    }
    return loads(json.dumps(text | {"bodies": [numbers | body for body in bodies], "joints": joints}))


def _starts_as_with_multipliers(scene: Scene) -> None:
    """Poses, velocities, accelerations and reactions of the first sample."""
    found, wanted = (simulate(scene, method=method, dt=1e-3, duration=1e-3) for method in (METHOD, WANTED))
    layout = SampleLayout(wanted.mechanism)
    for part in (layout.q, layout.v, layout.a, layout.multipliers, layout.angles):
        np.testing.assert_allclose(found.samples[0, part], wanted.samples[0, part], rtol=1e-9, atol=1e-9)
    assert not found.message


@pytest.mark.parametrize("kind", ["fixed", "prismatic"])
def test_held_angles_keep_their_whole_turns(kind: str) -> None:
    """In the plane rows hold the angle that is given, with its turns."""
    bodies = [
        {"name": "p", "position": [1.0, 0.0], "angle": 0.3, "com": [0.2, 0.1]},
        {"name": "q", "position": [2.0, 0.0], "angle": 0.3 - 4.0 * math.pi, "com": [0.0, 0.1]},
        {"name": "r", "position": [3.0, 0.0], "angle": 0.3 + 2.0 * math.pi},
    ]
    joints = [
        {"kind": made, "name": f"{a}{b}", "a": {"body": a, "point": [0.1, 0.2]}, "b": {"body": b}}
        for made, a, b in ((kind, "p", "world"), ("revolute", "p", "q"), (kind, "r", "q"))
    ]
    _starts_as_with_multipliers(_chain("planar", bodies, _closed(bodies, joints)))


def _closed(bodies: list[dict[str, Any]], joints: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Joints of planar bodies with the point of `b` where that of `a` is."""
    places = {body["name"]: body for body in bodies} | {"world": {"position": [0.0, 0.0], "angle": 0.0}}

    def turned(x: list[float], angle: float) -> Array:
        c, s = math.cos(angle), math.sin(angle)
        return np.array([[c, -s], [s, c]]) @ x

    for joint in joints:
        a, b = (places[joint[end]["body"]] for end in ("a", "b"))
        where = a["position"] + turned(joint["a"]["point"], a["angle"])
        joint["b"]["point"] = turned(where - b["position"], -b["angle"]).tolist()
    return joints


def test_a_thread_without_advance_keeps_its_place() -> None:
    """Points of a screw may be apart along its axis, also when its pitch is zero."""
    bodies = [{"name": "p", "position": [0.0, 0.0, 0.7], "com": [0.3, 0.0, 0.0]}]
    joint = {
        "kind": "screw",
        "name": "J",
        "a": {"body": "world"},
        "b": {"body": "p", "point": [0.0, 0.0, 0.0]},
    }
    for pitch in (0.0, 0.2):
        _starts_as_with_multipliers(_chain("spatial", bodies, [joint | {"pitch": pitch}]))


@pytest.mark.parametrize("kind", ["fixed", "revolute", "prismatic", "cylindrical", "planar", "screw"])
def test_joints_stay_closed_as_assembly_has_closed_them(kind: str) -> None:
    """Axes that must be parallel may be so both ways; the given poses do not tell which comes out."""
    rng = np.random.default_rng(3)
    closed = 0
    for forward in (True, False) * 6:
        scene = _open_chain(kind, forward, rng)
        try:
            wanted = simulate(scene, method=WANTED, dt=1e-3, duration=1e-3)
        except SceneError:
            continue  # assembly does not close it
        run, layout = simulate(scene, method=METHOD, dt=1e-3, duration=1e-3), SampleLayout(wanted.mechanism)
        for part in (layout.q, layout.v, layout.a):
            np.testing.assert_allclose(run.samples[0, part], wanted.samples[0, part], rtol=1e-8, atol=1e-8)
        closed += 1
    assert closed > 5


def _open_chain(kind: str, forward: bool, rng: np.random.Generator) -> Scene:
    """Two bodies at random poses, with joints along z of all of them."""
    bodies = [
        {
            "name": name,
            "position": rng.uniform(-0.1, 0.1, 3).tolist(),
            "orientation": {"axis": _unit(rng).tolist(), "angle": 3.0 * float(rng.uniform(-1.0, 1.0))},
            "com": rng.uniform(-0.1, 0.1, 3).tolist(),
        }
        for name in "pq"
    ]
    frame = {"axis": [0.0, 0.0, 1.0], "reference": [1.0, 0.0, 0.0], "point": [0.0, 0.0, 0.1]}
    more = {"pitch": 0.3} if kind == "screw" else {}
    joints = []
    for ends in (("world", "p"), ("p", "q")):
        a, b = ends if forward else ends[::-1]
        joints.append(
            {"kind": kind, "name": a + b, "a": {"body": a} | frame, "b": {"body": b} | frame} | more
        )
    return _chain("spatial", bodies, joints)
