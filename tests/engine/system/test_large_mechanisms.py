"""What large mechanisms are set up with, sparse factors, against the singular values that small ones use."""

from __future__ import annotations

import numpy as np
import pytest

from engine import set_value, simulate
from engine.errors import CompileError
from engine.model.files.scene_file import load_scene
from engine.results.assessment import conditioning, uniqueness
from engine.results.assessment.conditioning import Conditioning
from engine.system.assembly import position_problem, velocity_problem
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from tests.paths import ROOT

SCENES = ["double_four_bar", "bricard", "stewart_platform", "bicycle", "five_bar_pendulum", "driven_four_bar"]


@pytest.fixture
def all_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every mechanism counts as large."""
    for module in (position_problem, velocity_problem, uniqueness, conditioning):
        monkeypatch.setattr(module, "LARGE", 0)


@pytest.mark.parametrize("name", SCENES)
def test_sparse_jacobian_is_the_jacobian(name: str) -> None:
    mechanism = compile_scene(load_scene(ROOT / "scenes" / f"{name}.json"))
    evaluator = Evaluator(mechanism).at(0.0, mechanism.q)
    assert np.array_equal(evaluator.sparse_jacobian.toarray(), evaluator.jacobian)
    for number, row in enumerate(evaluator.coordinate_gradients):
        assert np.array_equal(evaluator.coordinate_gradient(number), row)


@pytest.mark.parametrize("name", SCENES)
def test_velocities_of_a_disturbed_start(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    mechanism = compile_scene(load_scene(ROOT / "scenes" / f"{name}.json"))
    v = mechanism.v + np.random.default_rng(3).normal(size=mechanism.nv)
    plain = assemble(mechanism, v=v)
    request.getfixturevalue("all_large")
    monkeypatch.setattr(velocity_problem, "_by_singular_values", None)  # it must do without
    found = assemble(mechanism, v=v)
    np.testing.assert_allclose(found.v, plain.v, atol=1e-9 * np.abs(v).max())
    assert found.rate_after < 1e-11 * max(1.0, np.abs(found.v).max())


@pytest.mark.parametrize("name", SCENES)
def test_poses_that_must_be_closed(name: str, request: pytest.FixtureRequest) -> None:
    mechanism = compile_scene(load_scene(ROOT / "scenes" / f"{name}.json"))
    q = assemble(mechanism).q
    kick = 1e-3 * np.random.default_rng(5).normal(size=mechanism.nv)
    q = Evaluator(mechanism).retract(q, kick)
    plain = assemble(mechanism, q=q)
    request.getfixturevalue("all_large")
    found = assemble(mechanism, q=q)
    # both are the nearest closed pose, up to the path that the damping takes
    np.testing.assert_allclose(found.q, plain.q, atol=2e-5)
    assert found.violation_after < 1e-11


@pytest.mark.usefixtures("all_large")
def test_start_speeds_that_the_joints_do_not_allow_are_named_as_before() -> None:
    scene = load_scene(ROOT / "scenes" / "driven_four_bar.json")
    scene = set_value(scene, "bodies.coupler.hold", "velocity")
    scene = set_value(scene, "bodies.coupler.velocity", [7.0, 3.0])
    with pytest.raises(CompileError, match="held velocity contradicts the constraints"):
        assemble(compile_scene(scene))


@pytest.mark.parametrize("name", ["spatial_four_bar", "bricard", "double_four_bar", "stewart_platform"])
def test_open_reactions_and_rank(name: str, request: pytest.FixtureRequest) -> None:
    run = simulate(load_scene(ROOT / "scenes" / f"{name}.json"), duration=0.2)
    plain = run.not_unique
    pivots = Conditioning(run.mechanism, run.samples)
    request.getfixturevalue("all_large")
    again = simulate(load_scene(ROOT / "scenes" / f"{name}.json"), duration=0.2)
    assert again.not_unique == plain
    found = Conditioning(run.mechanism, run.samples)
    assert (found.rank, found.dof, found.redundant) == (pivots.rank, pivots.dof, pivots.redundant)
    assert np.array_equal(found.near_singular, pivots.near_singular)
