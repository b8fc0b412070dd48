"""Momenta, σ and ∫Φ of canonical methods as channels, against what they are by definition."""

from pathlib import Path

import numpy as np
import pytest

from engine import Trajectory
from engine.results.saved_runs import load_trajectory
from tests.verification.runs import finished, shipped

MASSES = {"link1": 6.0, "link2": 10.0}  # kg, of the hanging double pendulum
METHODS = {"canonical/rk4/none": {}, "canonical_trapezoidal": {"xi": 10.0}}


@pytest.fixture(scope="module", params=METHODS, ids=lambda name: name.split("/")[0])
def run(request: pytest.FixtureRequest) -> Trajectory:
    return finished(shipped("double_pendulum_hanging"), request.param, 1e-3, 0.5, **METHODS[request.param])


def test_canonical_momenta_of_translation_know_the_weight_alone(run: Trajectory) -> None:
    """J of a revolute joint is constant for translations: p' = Q − J'ᵀσ leaves p_y = −m g t and p_x = 0."""
    for body, mass in MASSES.items():
        scene = {part.name: float(part.mass) for part in run.mechanism.scene.bodies}
        assert scene[body] == mass
        np.testing.assert_allclose(
            run.channel(f"body.{body}.canonical.y"), -mass * 9.81 * run.t, rtol=1e-11, atol=1e-11
        )
        np.testing.assert_allclose(run.channel(f"body.{body}.canonical.x"), 0.0, atol=1e-12)


def test_sigma_is_the_integral_of_the_reaction(run: Trajectory) -> None:
    """σ' = λ: Simpson's rule over the reactions of the joint, world axes being those of its rows."""
    force = np.stack([run.channel(f"joint.A.reaction.f{axis}") for axis in "xy"])
    sigma = np.stack([run.channel(f"joint.A.sigma.{k}") for k in (1, 2)])
    h, n = float(run.t[1]), len(run.t) - 1 - (len(run.t) - 1) % 2
    weights = np.ones(n + 1)
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    whole = h / 3.0 * force[:, : n + 1] @ weights
    np.testing.assert_allclose(np.abs(sigma[:, n]), np.abs(whole), rtol=2e-5)
    total = sum(run.channel(f"joint.{joint}.sigma.{k}") ** 2 for joint in "AB" for k in (1, 2))
    np.testing.assert_allclose(run.channel("method.sigma"), np.sqrt(total), rtol=1e-13)


def test_integrals_of_the_violation(run: Trajectory) -> None:
    """Where Φ is all but zero, so is its integral; it begins with zero."""
    for joint in "AB":
        for k in (1, 2):
            values = run.channel(f"joint.{joint}.integral.{k}")
            assert values[0] == 0.0
            assert np.abs(values).max() < 1e-6


def test_resets_are_counted_and_leave_the_motion_alone(tmp_path: Path) -> None:
    method, scene = "canonical_trapezoidal", shipped("double_pendulum_hanging")
    one = finished(scene, method, 1e-3, 0.5, xi=10.0)
    many = finished(scene, method, 1e-3, 0.5, xi=10.0, reset=5.0)
    counts, sigma = many.channel("method.resets"), many.channel("method.sigma")
    assert one.channel("method.resets")[-1] == 0.0
    assert counts[-1] == np.count_nonzero(np.diff(counts)) == np.count_nonzero(sigma[1:] == 0.0)
    assert counts[-1] >= 10.0
    np.testing.assert_allclose(
        many.channel("body.link2.com.x"), one.channel("body.link2.com.x"), rtol=0.0, atol=1e-6
    )
    many.save(tmp_path / "run.npz")
    again = load_trajectory(tmp_path / "run.npz")
    np.testing.assert_array_equal(again.channel("method.resets"), counts)
    np.testing.assert_array_equal(
        again.channel("body.link1.canonical.turn.z"), many.channel("body.link1.canonical.turn.z")
    )


def test_other_methods_have_no_such_channels() -> None:
    run = finished(shipped("double_pendulum_hanging"), "rk4", 1e-3, 0.01)
    assert not [name for name in run.names() if "sigma" in name or "canonical" in name]
