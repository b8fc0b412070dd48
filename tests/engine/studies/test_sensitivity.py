"""Sensitivities against closed forms."""

import math

import numpy as np
import pytest
from scipy.special import ellipe, ellipk

from engine import Scene, Study, set_value
from engine.errors import SceneError
from engine.studies.objectives import REDUCTIONS
from engine.studies.sensitivity.derivatives import extrapolated
from engine.studies.sensitivity.sobol_indices import indices, saltelli
from tests.engine.studies.mechanisms import offset_slider_crank, pendulum
from tests.verification.runs import shipped


def test_stroke_of_the_offset_slider_crank() -> None:
    """s = √((l + r)² − h²) − √((l − r)² − h²): derivatives by r, l and h to 1e-6."""
    scene = offset_slider_crank()
    values = {p.name: float(p.value) for p in scene.parameters}
    r, rod, h = (values[name] for name in "rlh")
    study = Study(scene).with_objective("stroke", "body.slider.pos.x", "range")
    for name in "rlh":
        study = study.with_variable("tolerance", f"parameters.{name}", tolerance=0.005)
    found = study.sensitivities(workers=0)
    far, near = math.sqrt((rod + r) ** 2 - h * h), math.sqrt((rod - r) ** 2 - h * h)
    wanted = {
        "r": (rod + r) / far + (rod - r) / near,
        "l": (rod + r) / far - (rod - r) / near,
        "h": -h / far + h / near,
    }
    for name, value in wanted.items():
        assert found.value("stroke", f"parameters.{name}") == pytest.approx(value, abs=1e-6)
    assert all(one.error < 1e-4 for one in found.derivatives)
    assert found.derivatives[0].variable == "parameters.r"  # the largest effect comes first


def test_period_of_the_pendulum_at_a_right_angle() -> None:
    """A quarter of T = 4 √(l/g) K(k), k = sin θ/2: by l it is T/2l, by θ √(l/g) dK/dk cos(θ/2)/2."""
    scene = pendulum().with_simulation(duration=0.7, dt=0.001)
    scene = set_value(scene, "parameters.swing", math.pi / 2)
    study = (
        Study(scene)
        .with_variable("tolerance", "parameters.L", tolerance=0.05)
        .with_variable("tolerance", "parameters.swing", tolerance=0.05)
        .with_objective("quarter", "body.bob.angle + pi/2", "time")
    )
    found = study.sensitivities(workers=0)
    k = math.sin(math.pi / 4)
    root = math.sqrt(1.0 / 9.81)
    by_k = (ellipe(k * k) / (1.0 - k * k) - ellipk(k * k)) / k
    assert found.value("quarter", "parameters.L") == pytest.approx(root * ellipk(k * k) / 2.0, abs=1e-6)
    by_swing = root * by_k * math.cos(math.pi / 4) / 2.0
    assert found.value("quarter", "parameters.swing") == pytest.approx(by_swing, abs=1e-6)


def test_direct_differentiation() -> None:
    """The same closed forms from one run, and reactions against differences."""
    scene = set_value(pendulum().with_simulation(duration=0.65, dt=0.005), "parameters.swing", math.pi / 2)
    study = (
        Study(scene)
        .with_variable("tolerance", "parameters.swing", tolerance=0.05)
        .with_objective("quarter", "body.bob.angle + pi/2", "time")
        .with_objective("pull", "joint.pin.reaction.fx", "rms")
        .with_objective("end", "body.bob.pos.y + swing", "final")
    )
    found = study.sensitivities(direct=True)
    k = math.sin(math.pi / 4)
    by_k = (ellipe(k * k) / (1.0 - k * k) - ellipk(k * k)) / k
    wanted = math.sqrt(1.0 / 9.81) * by_k * math.cos(math.pi / 4) / 2.0
    assert found.value("quarter", "parameters.swing") == pytest.approx(wanted, abs=1e-6)
    differences = study.sensitivities(workers=0)
    for name in ("pull", "end"):
        one, other = (s.value(name, "parameters.swing") for s in (found, differences))
        assert one == pytest.approx(other, rel=1e-6)
    assert all(one.message == "direct" for one in found.derivatives)


def test_direct_differentiation_in_space() -> None:
    """Closed loops of bodies that turn about all axes, against differences."""
    study = (
        Study(shipped("spatial_slider_crank").with_simulation(duration=0.2, dt=0.0005))
        .with_variable("tolerance", "bodies.crank.mass", tolerance=0.01)
        .with_variable("tolerance", "parameters.omega", tolerance=0.1)
        .with_objective("end", "body.slider.pos.x")
        .with_objective("orientation", "body.rod.quat.y")
        .with_objective("pull", "joint.A.reaction.fy", "rms")
    )
    found, differences = study.sensitivities(direct=True), study.sensitivities(workers=0)
    for one in found.derivatives:
        other = differences.value(one.objective, one.variable)
        assert one.value == pytest.approx(other, rel=1e-6, abs=1e-9), one


def test_free_precession_is_differentiated_by_its_spin() -> None:
    """Euler: in the body ω₁ = ω cos λt, λ = (I₃ − I₁) ω₃ / I₁, so ∂ω₁/∂ω₃ = −ω t (I₃ − I₁)/I₁ sin λt."""
    scene = (
        Scene(space="spatial", gravity=[0, 0, 0])
        .with_parameter("spin", 5.0)
        .with_body("top", mass=1.0, inertia=[2.0, 2.0, 3.0], angular_velocity=[0.7, 0, "spin"])
        .with_simulation(duration=1.0, dt=0.002)
    )
    study = (
        Study(scene)
        .with_variable("tolerance", "parameters.spin", tolerance=0.05)
        .with_objective("in the body", "body.top.omega_body.x")
        .with_objective("in the world", "body.top.omega.x")
    )
    found = study.sensitivities(direct=True)
    wanted = -0.7 * 0.5 * math.sin(2.5)
    assert found.value("in the body", "parameters.spin") == pytest.approx(wanted, rel=1e-8)
    difference = study.sensitivities(workers=0).value("in the world", "parameters.spin")
    assert found.value("in the world", "parameters.spin") == pytest.approx(difference, rel=1e-7)


def test_what_cannot_be_differentiated_directly_is_told() -> None:
    study = (
        Study(pendulum())
        .with_variable("interval", "simulation.dt", low=0.001, high=0.002)
        .with_objective("end", "joint.pin.angle")
    )
    with pytest.raises(SceneError, match="take differences"):
        study.sensitivities(direct=True)


def test_the_error_is_of_the_size_of_the_difference() -> None:
    steps = np.array([0.4, 0.2, 0.1])
    value, error = extrapolated((np.exp(1.0 + steps) - np.exp(1.0 - steps)) / (2 * steps))
    assert abs(value - math.e) < error < 1e-3


def test_indices_of_ishigami() -> None:
    """sin x₁ + 7 sin² x₂ + 0.1 x₃⁴ sin x₁, whose indices have a closed form [Saltelli 2010]."""
    x = -np.pi + 2 * np.pi * saltelli(3, 4096, seed=1)
    y = np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    found = indices(y.reshape(5, -1))
    np.testing.assert_allclose(found[:, 0], [0.3139, 0.4424, 0.0], atol=0.02)
    np.testing.assert_allclose(found[:, 2], [0.5576, 0.4424, 0.2437], atol=0.02)
    assert np.all(np.abs(found[:, 0] - [0.3139, 0.4424, 0.0]) < 2 * found[:, 1] + 0.01)


def test_shares_of_a_pendulum() -> None:
    """The quarter period goes with √L and not with the mass: all of the variance is that of L."""
    study = (
        Study(pendulum())
        .with_variable("interval", "parameters.L", low=0.9, high=1.1)
        .with_variable("interval", "bodies.bob.mass", low=0.5, high=2.0)
        .with_objective("quarter", "joint.pin.angle + pi/2", "time")
    )
    found = study.sobol_indices(16, workers=0)
    assert [i.variable for i in found.indices] == ["parameters.L", "bodies.bob.mass"]
    assert found.indices[0].total == pytest.approx(1.0, abs=0.1)
    assert found.indices[1].total == pytest.approx(0.0, abs=1e-9)
    assert "parameters.L" in found._repr_html_()
    with pytest.raises(SceneError, match="power of two"):
        study.sobol_indices(10)


def test_a_variable_of_words_is_told() -> None:
    study = (
        Study(pendulum())
        .with_variable("choices", "simulation.method", values=["lagrange/rk4/projection", "lagrange/euler"])
        .with_objective("end", "joint.pin.angle")
    )
    with pytest.raises(SceneError, match="no derivative"):
        study.sensitivities(workers=0)


def test_a_derivative_whose_runs_fail_has_their_message() -> None:
    scene = offset_slider_crank()
    study = (
        Study(scene)
        .with_variable("tolerance", "parameters.r", tolerance=0.001)
        .with_variable("tolerance", "parameters.h", tolerance=5.0)
        .with_objective("stroke", "body.slider.pos.x", "range")
    )
    found = study.sensitivities(workers=0)
    by_name = {one.variable: one for one in found.derivatives}
    assert math.isfinite(by_name["parameters.r"].value)
    assert math.isnan(by_name["parameters.h"].value)
    assert by_name["parameters.h"].message


def test_a_top_between_two_samples_is_found() -> None:
    t = np.arange(0.0, 3.0, 0.1) + 0.013
    assert REDUCTIONS["max"].of(t, np.sin(t)) == pytest.approx(1.0, abs=1e-6)
    assert REDUCTIONS["min"].of(t, -np.sin(t)) == pytest.approx(-1.0, abs=1e-6)
    corner = 1.0 - np.abs(t - 1.56)  # no smooth top: the sample counts, or less than the corner
    assert REDUCTIONS["max"].of(t, corner) <= 1.0
