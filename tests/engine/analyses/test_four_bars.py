"""Grashof's classes, transmission angles by the law of cosines, instant centres by Aronhold and Kennedy."""

import itertools

import numpy as np
import pytest
from msgspec.structs import replace

from app.document.document import Ref
from app.edits.building.transmission import measure_transmission
from engine import SceneError, simulate
from engine.analyses.kinematics.four_bars import four_bars
from engine.analyses.kinematics.instant_centres import Twists
from engine.analyses.kinematics.polygons import polygons
from engine.model.scene import Scene
from engine.results.channels import Channels
from engine.system.prepared import prepare
from tests.linkages import linkage, third


def four_bar(a: float, b: float, c: float, d: float, phi: float = 1.0) -> Scene:
    A, D = np.zeros(2), np.array([d, 0.0])
    B = a * np.array([np.cos(phi), np.sin(phi)])
    C = third(B, D, b, c, 1.0)
    p = {name: tuple(at) for name, at in zip("ABCD", (A, B, C, D), strict=True)}
    bodies = {"crank": "AB", "coupler": "BC", "rocker": "CD"}
    return linkage(
        {name: {key: p[key] for key in keys} for name, keys in bodies.items()}, {"A": p["A"], "D": p["D"]}
    )


CLASSES = [  # Norton: s + l against p + q, and which bar is the shortest
    ((0.1, 0.35, 0.3, 0.4), "crank-rocker", "crank"),
    ((0.3, 0.35, 0.32, 0.1), "double crank", "the ground"),
    ((0.3, 0.12, 0.32, 0.35), "double rocker", "coupler"),
    ((0.3, 0.32, 0.34, 0.6), "triple rocker", "no bar"),
    ((0.2, 0.4, 0.2, 0.4), "change point", "line"),
]


@pytest.mark.parametrize(("lengths", "name", "word"), CLASSES)
def test_the_class_of_grashof_and_its_reason(lengths: tuple[float, ...], name: str, word: str) -> None:
    (loop,) = four_bars(four_bar(*lengths))
    assert sorted(loop.lengths) == pytest.approx(sorted(lengths))
    found, why = loop.grashof
    assert found == name
    assert word in why


@pytest.mark.parametrize("turned", [0.0, 0.4])
def test_lengths_are_those_of_the_bars_where_the_pose_is_not_closed(turned: float) -> None:
    """After an edit on the way the start is as it was: lengths between its places were the old ones."""
    scene = four_bar(0.1, 0.35, 0.3, 0.4)
    rocker = scene.body("rocker")
    moved = replace(rocker, angle=float(rocker.angle) + turned)
    bodies = tuple(moved if body.name == "rocker" else body for body in scene.bodies)
    (loop,) = four_bars(replace(scene, bodies=bodies))
    assert sorted(loop.lengths) == pytest.approx([0.1, 0.3, 0.35, 0.4])


def test_the_measured_transmission_angle_follows_the_crank() -> None:
    """The channel against the law of cosines over a turn of the crank."""
    a, b, c, d = 0.1, 0.35, 0.3, 0.4
    scene = four_bar(a, b, c, d).with_motion("joint_motion", "motor", joint="A crank", function="6*t")
    scene = measure_transmission(scene, [Ref("bodies", "rocker")]).after
    run = simulate(scene, duration=1.0, dt=5e-3)
    phi = 1.0 + 6.0 * np.asarray(run.t)
    cosine = (b * b + c * c - a * a - d * d + 2.0 * a * d * np.cos(phi)) / (2.0 * b * c)
    np.testing.assert_allclose(np.cos(run.channel("measure.angle 1")), cosine, atol=1e-7)
    with pytest.raises(SceneError, match="no four-bar"):
        measure_transmission(Scene(space="planar"))


def test_polygons_close_with_what_the_turning_of_each_body_adds() -> None:
    scene = four_bar(0.1, 0.35, 0.3, 0.4).with_motion(
        "joint_motion", "motor", joint="A crank", function="5*t"
    )
    run = simulate(scene, duration=0.1, dt=1e-3)
    channels = Channels(prepare(scene).mechanism)
    evaluation = channels.evaluation(run.samples[-1][None])
    v, a = polygons(evaluation)
    place = {name: float_pair(run, f"body.{body}.point.{p}") for name, body, p in PINS}
    for p, q, body in v.edges:
        r = place[q] - place[p]
        w = float(run.channel(f"body.{body}.omega.z")[-1])
        alpha = float(run.channel(f"body.{body}.alpha.z")[-1])
        across = np.array([-r[1], r[0]])
        np.testing.assert_allclose(v.tips[q] - v.tips[p], w * across, atol=1e-8)
        np.testing.assert_allclose(a.tips[q] - a.tips[p], alpha * across - w * w * r, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(v.tips["B crank coupler"]), 5.0 * 0.1, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(a.tips["B crank coupler"]), 25.0 * 0.1, atol=1e-6)
    assert len(v.edges) == 3


PINS = (
    ("A crank", "crank", "A"),
    ("B crank coupler", "crank", "B"),
    ("C coupler rocker", "coupler", "C"),
    ("D rocker", "rocker", "D"),
)


def float_pair(run, prefix: str) -> np.ndarray:
    return np.array([float(run.channel(f"{prefix}.pos.{axis}")[-1]) for axis in "xy"])


def test_instant_centres_lie_where_aronhold_and_kennedy_put_them() -> None:
    """That of the coupler is where the lines of crank and rocker cross; three of three bodies lie in line."""
    scene = four_bar(0.1, 0.35, 0.3, 0.4).with_motion(
        "joint_motion", "motor", joint="A crank", function="2*t"
    )
    run = simulate(scene, duration=0.02, dt=1e-3)
    names = ("crank", "coupler", "rocker")
    k = 10

    def at(channel: str) -> float:
        return float(run.channel(channel)[k])

    places = np.array([[at(f"body.{n}.com.x"), at(f"body.{n}.com.y")] for n in names])
    v = np.array(
        [[at(f"body.{n}.com.vel.x"), at(f"body.{n}.com.vel.y"), at(f"body.{n}.omega.z")] for n in names]
    )
    twists = Twists.of(names, places, v)
    A, D = np.zeros(2), np.array([0.4, 0.0])
    B, C = twists.centre("crank", "coupler"), twists.centre("coupler", "rocker")
    np.testing.assert_allclose(twists.centre("crank"), A, atol=1e-9)
    np.testing.assert_allclose(twists.centre("rocker"), D, atol=1e-9)
    # crossing of the lines AB and DC
    s = np.linalg.solve(np.column_stack([B - A, -(C - D)]), D - A)
    np.testing.assert_allclose(twists.centre("coupler"), A + s[0] * (B - A), atol=1e-8)
    for one, two, three in itertools.combinations(("world", *names), 3):
        p, q, r = twists.centre(one, two), twists.centre(two, three), twists.centre(one, three)
        (x1, y1), (x2, y2) = q - p, r - p
        assert abs(x1 * y2 - y1 * x2) < 1e-8 * max(np.linalg.norm(q - p), np.linalg.norm(r - p), 1.0) ** 2
