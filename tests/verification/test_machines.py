"""Balance, clearance, transmission angle, workspace and tolerance bands against closed forms."""

import math

import numpy as np
import pytest

from engine import Scene, load_scene, simulate
from engine.analyses.base import Question
from engine.analyses.machines.balancing import BALANCING, BalancingOptions, shaking
from engine.analyses.machines.clearance import CLEARANCE, ClearanceOptions
from engine.analyses.machines.convex_distance import Hull, distance
from engine.analyses.machines.followed import follow
from engine.analyses.machines.tolerance_band import TOLERANCE_BAND, BandOptions
from engine.analyses.machines.transmission import (
    TRANSMISSION,
    TransmissionOptions,
    transmission_angles,
    worst_angle,
)
from engine.analyses.machines.workspace import WORKSPACE, WorkspaceOptions
from engine.errors import SceneError
from tests.paths import ROOT
from tests.verification.runs import G, shipped


def slider_crank() -> Scene:
    """Of the page on studies, with masses: crank r, rod l, slider; a turn a second."""
    return load_scene(ROOT / "docs" / "studies" / "offset_slider_crank.json")


def test_shaking_force_of_a_turning_mass() -> None:
    """m r ω² outwards, and no moment about the axle."""
    scene = (
        Scene(space="planar", gravity=(0.0, -G))
        .with_body("rotor", mass=2.0, inertia=[0.1], com=[0.3, 0.0])
        .with_joint("revolute", "axle", a={"body": "world"}, b={"body": "rotor"})
        .with_motion("joint_motion", "turn", joint="axle", function="10*t")
        .with_simulation(duration=1.0)
    )
    followed = follow(Question(scene, BalancingOptions()), scene, 0.0)
    force, moment = shaking(followed)
    angle = 10.0 * followed.t
    np.testing.assert_allclose(force[:, 0], 2.0 * 0.3 * 100.0 * np.cos(angle), atol=1e-9)
    np.testing.assert_allclose(force[:, 1], 2.0 * 0.3 * 100.0 * np.sin(angle), atol=1e-9)
    np.testing.assert_allclose(moment, 0.0, atol=1e-9)
    result = BALANCING.run(Question(scene, BalancingOptions(radius=0.2)))
    (row,) = result.tables[-1].rows
    assert row[1] == pytest.approx(3.0, rel=1e-9)  # m r = 0.6 kg·m at 0.2 m
    assert row[2] == pytest.approx(-0.2, rel=1e-9)


def test_a_slider_crank_is_balanced_by_two_counterweights() -> None:
    """That of the rod brings rod and slider to the crank pin, that of the crank all to the axle."""
    scene = slider_crank()
    question = Question(scene, BalancingOptions(radius=0.05, duration=1.0))
    before, _ = shaking(follow(question, scene, 1.0))
    result = BALANCING.run(question)
    assert "2 counterweights" in result.summary
    (suggestion,) = result.suggestions
    balanced = scene
    for _, body in suggestion.replaced:
        balanced = balanced.replace(body)
    after, _ = shaking(follow(question, balanced, 1.0))
    assert np.max(np.abs(after)) < 1e-10 * np.max(np.abs(before))


def test_bodies_for_counterweights_are_named() -> None:
    with pytest.raises(SceneError, match="no moving body 'krank'"):
        BALANCING.run(Question(slider_crank(), BalancingOptions(bodies="krank", duration=1.0)))


def test_distances_of_hulls() -> None:
    box = Hull(np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]), 0.0)
    ball = Hull(np.array([[3.0, 0.5, 0.2]]), 0.4)
    assert distance(box, ball)[0] == pytest.approx(1.6, abs=1e-7)
    rods = [
        Hull(np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), 0.1),
        Hull(np.array([[0.2, -1.0, 0.5], [0.2, 1.0, 0.5]]), 0.1),
    ]
    assert distance(*rods)[0] == pytest.approx(0.3, abs=1e-7)
    assert distance(box, Hull(np.array([[0.5, 0.5, 0.5]]), 0.0))[0] == pytest.approx(0.0, abs=1e-7)


def test_a_pendulum_passes_a_post() -> None:
    """A ball of 0.1 m at 1 m below the pin swings past a post of 0.05 m at 1.3 m: 0.15 m are left."""
    scene = (
        Scene(space="planar", gravity=(0.0, -G))
        .with_body(
            "bob", mass=1.0, inertia=[0.01], com=[0.0, -1.0], angle=0.6,
            shapes=[{"kind": "sphere", "position": [0.0, -1.0, 0.0], "radius": 0.1}],
        )
        .with_body(
            "post", mass=1.0, inertia=[0.01], position=[0.0, -1.3],
            shapes=[{"kind": "sphere", "radius": 0.05}],
        )
        .with_joint("revolute", "pin", a={"body": "world"}, b={"body": "bob"})
        .with_joint("prismatic", "guide", a={"body": "world", "point": [0.0, -1.3]}, b={"body": "post"})
        .with_simulation(duration=1.0)
    )  # fmt: skip
    options = ClearanceOptions(wanted=0.2)
    result = CLEARANCE.run(Question(scene, options, simulate=simulate))
    (row,) = result.tables[0].rows
    assert row[2] == pytest.approx(0.15, abs=1e-3)
    assert row[4] == "too near"
    assert "Nothing clashes" in result.summary


def test_transmission_angles_of_a_four_bar() -> None:
    """Extremes where crank and ground lie in line: cos μ = (b² + c² − (d ± a)²)/2bc."""
    a, b, c, d = 0.1, 0.3, 0.25, 0.28
    _, mu = transmission_angles(a, b, c, d)
    ends = [math.acos((b * b + c * c - (d + s * a) ** 2) / (2 * b * c)) for s in (-1, 1)]
    assert np.nanmin(mu) == pytest.approx(min(ends), abs=1e-9)
    assert np.nanmax(mu) == pytest.approx(max(ends), abs=1e-9)
    assert worst_angle(a, b, c, d) == pytest.approx(min(min(x, math.pi - x) for x in ends), abs=1e-12)
    assert worst_angle(0.3, 0.1, 0.1, 0.3) == 0.0
    result = TRANSMISSION.run(Question(shipped("four_bar"), TransmissionOptions()))
    assert len(result.tables[0].rows) == 1


def test_workspace_of_an_arm_with_two_links() -> None:
    """Between the circles of |l₁ − l₂| and l₁ + l₂ about the shoulder."""
    scene = (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("upper", mass=1.0, inertia=[0.1])
        .with_body("lower", mass=1.0, inertia=[0.1], position=[0.5, 0.0])
        .with_joint("revolute", "shoulder", a={"body": "world"}, b={"body": "upper"})
        .with_joint("revolute", "elbow", a={"body": "upper", "point": [0.5, 0.0]}, b={"body": "lower"})
        .with_trace("hand", body="lower", point=[0.3, 0.0])
    )
    result = WORKSPACE.run(Question(scene, WorkspaceOptions(poses=400)))
    series = result.charts[0].series[0]
    reach = np.hypot(series.x, series.y)
    assert np.all(reach < 0.8 + 1e-9)
    assert np.all(reach > 0.2 - 1e-9)
    assert reach.max() > 0.75
    assert reach.min() < 0.3


def test_tolerance_band_of_a_crank_pin() -> None:
    """A pin on a crank of r ± Δ runs on circles: the band is ±Δ at most, and Δ to first order."""
    scene = (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_parameter("r", 0.1, unit="m")
        .with_body("crank", mass=1.0, inertia=[0.1], points=[{"name": "pin", "position": ["r", 0]}])
        .with_joint("revolute", "axle", a={"body": "world"}, b={"body": "crank"})
        .with_motion("joint_motion", "turn", joint="axle", function="2*pi*t")
        .with_trace("pin", body="crank", point="pin")
        .with_simulation(duration=1.0)
    )
    options = BandOptions(
        tolerances="parameters.r = 0.002", shape="uniform", count=20, channel="body.crank.point.pin.pos.x"
    )
    result = TOLERANCE_BAND.run(Question(scene, options))
    by_name = {str(row[0]): row for row in result.tables[0].rows}
    assert by_name["parameters.r"][2] == pytest.approx(0.002, rel=1e-3)
    assert by_name["all, worst case"][2] == pytest.approx(0.002, rel=1e-3)
    band = result.charts[1].series[0]
    assert band.upper is not None
    assert 0.0017 < np.max(band.upper) <= 0.002 + 1e-9
    assert len(result.paths) == 2
    radii = np.linalg.norm(result.paths[0], axis=1)
    assert np.all(np.abs(radii - 0.1) < 0.0021)
    with pytest.raises(SceneError, match="no tolerance"):
        TOLERANCE_BAND.run(Question(scene, BandOptions(tolerances="parameters.r")))
