"""Dragging against geometry: circles, dead centres, coupler curves, and branches that must not change."""

import math

import numpy as np
import pytest

from engine.analyses.drag import gripped
from engine.analyses.drag.dragging import Dragging
from engine.analyses.drag.gripped import GrippedLinkage
from engine.analyses.drag.grips import Grip
from engine.compiled.layout import Array
from engine.model.scene import Scene
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene
from engine.templates import TEMPLATES
from tests.linkages import JANSEN_DYADS, jansen_corners, jansen_leg, linkage, side, third


@pytest.fixture(autouse=True, params=["small", "large"])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to the tangent space: by QR, and by the sparse factor that large linkages have."""
    monkeypatch.setattr(gripped, "LARGE", 0 if request.param == "large" else 10**6)
    return str(request.param)


def grab(scene: Scene, body: str, point: str | Array) -> Dragging:
    mechanism = compile_scene(scene)
    start = assemble(mechanism)
    p_B = scene.body(body).point(point).position if isinstance(point, str) else point
    p_B = np.array([*p_B, 0.0])[:3]
    b = mechanism.bodies.index(body)
    grip = Grip(b, p_B - mechanism.com[b])
    return Dragging(GrippedLinkage(mechanism, [grip], t=0.0, q=start.q, angles=start.angles))


def corner(dragging: Dragging, body: str, point: str) -> Array:
    """Where a named point of a body is, worked out from q."""
    mechanism = dragging.linkage.mechanism
    b = mechanism.bodies.index(body)
    x, y, angle = dragging.linkage.q[3 * b : 3 * b + 3]
    p = np.array(mechanism.scene.body(body).point(point).position)[:2] - mechanism.com[b][:2]
    c, s = math.cos(angle), math.sin(angle)
    return np.array([x + c * p[0] - s * p[1], y + s * p[0] + c * p[1]])


def pendulum(length: float = 0.7) -> Scene:
    return linkage({"rod": {"P": (0.2, 0.1), "T": (0.2 + length, 0.1)}}, {"P": (0.2, 0.1)})


@pytest.mark.parametrize("angle", [-2.9, -1.0, 0.4, 1.7, 3.0])
@pytest.mark.parametrize("far", [0.3, 1.0, 40.0])
def test_a_pendulum_stops_where_its_circle_is_nearest_to_the_target(angle: float, far: float):
    dragging = grab(pendulum(), "rod", "T")
    way = np.array([math.cos(angle), math.sin(angle), 0.0])
    pivot = np.array([0.2, 0.1, 0.0])
    reached = dragging.follow(pivot + far * way, steps=60)
    assert reached.arrived
    assert reached.violation <= 1e-9
    np.testing.assert_allclose(reached.place, pivot + 0.7 * way, atol=1e-6)
    assert reached.distance == pytest.approx(abs(far - 0.7), abs=1e-6)


def test_the_tangent_is_that_of_the_circle():
    dragging = grab(pendulum(), "rod", "T")
    assert dragging.linkage.dof == 1
    np.testing.assert_allclose(np.abs(dragging.linkage.directions), [[0.0, 1.0, 0.0]], atol=1e-12)


def slider_crank(r: float = 0.2, rod: float = 0.5, angle: float = 0.7) -> Scene:
    A = (r * math.cos(angle), r * math.sin(angle))
    x = A[0] + math.sqrt(rod * rod - A[1] ** 2)
    scene = linkage(
        {"crank": {"O": (0.0, 0.0), "A": A}, "rod": {"A": A, "B": (x, 0.0)}, "piston": {"B": (x, 0.0)}},
        {"O": (0.0, 0.0)},
    )
    return scene.with_joint(
        "prismatic", "guide", a={"body": "world", "axis": [1.0, 0.0]}, b={"body": "piston"}
    )


def test_a_piston_stops_at_its_dead_centres_and_can_be_led_back():
    dragging = grab(slider_crank(), "piston", "B")
    above = math.copysign(1.0, corner(dragging, "crank", "A")[1])
    out = dragging.follow(np.array([5.0, 3.0, 0.0]), steps=60)
    assert out.arrived
    assert out.place[0] == pytest.approx(0.7, abs=1e-9)
    back = dragging.follow(np.array([0.5, 0.0, 0.0]), steps=60)
    np.testing.assert_allclose(back.place, [0.5, 0.0, 0.0], atol=1e-9)
    inner = dragging.follow(np.array([-3.0, 0.0, 0.0]), steps=60)
    assert inner.place[0] == pytest.approx(0.3, abs=1e-9)
    assert inner.violation <= 1e-9
    assert above == 1.0


def test_a_free_body_moves_without_turning():
    scene = Scene(space="planar").with_body("block", mass=2.0, inertia=[0.1], position=[0.3, 0.4], angle=0.6)
    dragging = grab(scene, "block", np.array([0.2, 0.0]))
    target = np.array([-1.0, 2.0, 0.0])
    reached = dragging.follow(target, steps=60)
    np.testing.assert_allclose(reached.place, target, atol=1e-9)
    assert reached.q[2] == 0.6


def test_a_truss_cannot_move():
    at = {"P": (0.0, 0.0), "R": (1.0, 0.0), "T": (0.4, 0.8)}
    bars = {"left": {"P": at["P"], "T": at["T"]}, "right": {"R": at["R"], "T": at["T"]}}
    dragging = grab(linkage(bars, {"P": at["P"], "R": at["R"]}), "left", "T")
    assert dragging.linkage.dof == 0
    assert not len(dragging.linkage.directions)
    before = dragging.linkage.q.copy()
    reached = dragging.follow(np.array([2.0, 2.0, 0.0]))
    assert reached.arrived
    np.testing.assert_array_equal(reached.q, before)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_target_that_is_no_place_moves_nothing(bad: float):
    dragging = grab(pendulum(), "rod", "T")
    before = dragging.linkage.q.copy()
    np.testing.assert_array_equal(dragging.follow(np.array([bad, 0.0, 0.0])).q, before)


def test_motions_hold_unless_the_point_needs_their_freedom():
    # an arm of two bars: with the shoulder driven the hand still turns about the elbow
    at = {"S": (0.0, 0.0), "E": (0.5, 0.0), "H": (0.5, 0.4)}
    arm = linkage({"upper": {k: at[k] for k in "SE"}, "lower": {k: at[k] for k in "EH"}}, {"S": at["S"]})
    driven = arm.with_motion("joint_motion", "shoulder", joint="S upper", function="0.0")
    hand = grab(driven, "lower", "H")
    assert hand.linkage.released == ()
    reached = hand.follow(np.array([2.0, 0.0, 0.0]), steps=60)
    np.testing.assert_allclose(reached.place, [0.9, 0.0, 0.0], atol=1e-7)
    elbow = grab(driven, "upper", "E")
    assert elbow.linkage.released == ("shoulder",)
    reached = elbow.follow(np.array([0.0, 2.0, 0.0]), steps=60)
    np.testing.assert_allclose(reached.place, [0.0, 0.5, 0.0], atol=1e-7)


def test_a_wheel_rolls_while_it_is_led():
    wheel = (
        Scene(space="planar")
        .with_body("wheel", mass=1.0, inertia=[0.1], position=[0.0, 0.25])
        .with_joint(
            "rolling",
            "road",
            a={"body": "world", "axis": [0.0, 1.0]},
            b={"body": "wheel", "point": [0.0, 0.0]},
            radius=0.25,
        )
    )
    dragging = grab(wheel, "wheel", np.array([0.0, 0.0]))
    reached = dragging.follow(np.array([0.8, 0.25, 0.0]), steps=60)
    np.testing.assert_allclose(reached.place, [0.8, 0.25, 0.0], atol=1e-9)
    assert reached.q[2] == pytest.approx(-0.8 / 0.25, rel=2e-2)  # the path is followed in steps


def parallelogram(angle: float) -> Scene:
    crank = 0.3 * np.array([math.cos(angle), math.sin(angle)])
    A, B = tuple(crank), tuple(crank + np.array([0.8, 0.0]))
    bodies = {
        "left": {"O": (0.0, 0.0), "A": A},
        "coupler": {"A": A, "B": B},
        "right": {"Q": (0.8, 0.0), "B": B},
    }
    return linkage(bodies, {"O": (0.0, 0.0), "Q": (0.8, 0.0)})


@pytest.mark.parametrize("seconds", [math.inf, 0.0])
def test_a_parallelogram_passes_its_flat_pose_and_stays_one(seconds: float, monkeypatch: pytest.MonkeyPatch):
    """In updates without end, and in those of one try each, as those of a large linkage are."""
    factored = []
    plain = GrippedLinkage.factor
    monkeypatch.setattr(GrippedLinkage, "factor", lambda self: (factored.append(1), plain(self)))
    dragging = grab(parallelogram(0.9), "left", "A")
    for angle in np.linspace(0.9, -1.3, 67):
        for _ in range(300):
            factored.clear()
            reached = dragging.follow(
                0.3 * np.array([math.cos(angle), math.sin(angle), 0.0]), seconds=seconds
            )
            assert reached.violation <= 1e-9
            assert seconds > 0.0 or len(factored) <= 4  # a try; the shortest are made at once, and a leap
            if reached.arrived:
                break
    A, B = corner(dragging, "left", "A"), corner(dragging, "right", "B")
    np.testing.assert_allclose(A, 0.3 * np.array([math.cos(-1.3), math.sin(-1.3)]), atol=1e-6)
    np.testing.assert_allclose(B - A, [0.8, 0.0], atol=1e-6)  # the crossed branch would be askew


def test_a_random_walk_on_a_jansen_leg_stays_on_its_branch_and_on_the_curve_of_its_foot():
    dragging = grab(jansen_leg(0.3), "foot", "F")
    start = jansen_corners(0.3)
    signs = [math.copysign(1.0, side(*(start[key] for key in dyad))) for dyad in JANSEN_DYADS]
    random = np.random.default_rng(5)
    bodies = {"A": "crank", "B": "rocker", "C": "foot", "D": "rocker", "E": "foot", "F": "foot", "P": "stay"}
    target = np.array([*start["F"], 0.0])
    for _ in range(150):
        target = target + np.array([*random.normal(size=2), 0.0]) * 0.08
        reached = dragging.follow(target)
        assert reached.violation <= 1e-9
        places = {key: corner(dragging, body, key) for key, body in bodies.items()}
        now = [math.copysign(1.0, side(*(places[key] for key in dyad))) for dyad in JANSEN_DYADS]
        assert now == signs
        crank = math.atan2(places["A"][1], places["A"][0])
        np.testing.assert_allclose(places["F"], jansen_corners(crank)["F"], atol=1e-7)


def test_a_dead_centre_is_left_again():
    dragging = grab(slider_crank(angle=1e-9), "piston", "B")
    reached = dragging.follow(np.array([0.55, 0.0, 0.0]), steps=60)
    np.testing.assert_allclose(reached.place, [0.55, 0.0, 0.0], atol=1e-8)


def test_along_the_line_of_sight_the_point_goes_where_it_must():
    # a hinge about an axis askew to the picture: seen along z the point still meets the cursor
    scene = (
        Scene()
        .with_body("door", mass=1.0, inertia=[0.1, 0.1, 0.1], com=[0.3, 0.0, 0.0])
        .with_joint("revolute", "hinge", a={"body": "world", "axis": [0.3, 0.5, 1.0]}, b={"body": "door"})
    )
    dragging = grab(scene, "door", np.array([0.8, 0.1, 0.0]))
    axis = np.array([0.3, 0.5, 1.0]) / math.sqrt(1.34)
    p = np.array([0.8, 0.1, 0.0])
    turn = 0.6  # Rodrigues
    wanted = (
        p * math.cos(turn) + np.cross(axis, p) * math.sin(turn) + axis * (axis @ p) * (1 - math.cos(turn))
    )
    aside = wanted + np.array([0.0, 0.0, 0.4])  # another depth under the same pixel
    reached = dragging.follow(aside, sight=np.array([0.0, 0.0, 1.0]), steps=60)
    assert np.linalg.norm(reached.place[:2] - wanted[:2]) < 1e-4
    assert reached.violation <= 1e-9


def test_the_third_corner_of_a_triangle():
    np.testing.assert_allclose(third(np.zeros(2), np.array([4.0, 0.0]), 3.0, 5.0, 1.0), [0.0, 3.0])


def test_a_chain_of_three_hundred_bars_is_led_without_a_basis_of_its_null_space(size: str) -> None:
    if size == "small":
        return
    scene = TEMPLATES["pendulum_chain"].make(count=300, length=0.02, start=0.4, bend=0.01).scene
    dragging = grab(scene, "bar 300", "P300")
    assert dragging.linkage.dof == 300
    assert dragging.linkage.basis.shape[1] <= 3
    target = dragging.linkage.places[0] + np.array([0.1, 0.2, 0.0])
    before = float(np.linalg.norm(dragging.linkage.places[0] - target))
    reached = dragging.follow(target)
    assert reached.violation < 1e-9
    assert reached.distance < 0.2 * before
