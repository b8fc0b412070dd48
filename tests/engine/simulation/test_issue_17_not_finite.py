"""A number that is not finite ends the run, with the element and the instant, whatever the method."""

import numpy as np
import pytest

from engine import Scene, simulate
from engine.compiled.layout import StepStatus
from engine.model.files.scene_file import loads
from engine.solvers.catalogue import METHODS
from tests.engine.simulation.scenes import shipped

POLE = 0.25  # s, where the torque on a body that a motion leads has no bound
DRIVEN = (
    "lagrange/rk4/projection",
    "null_space/rk4/none",
    "independent_velocities/rk4/none",
    "newmark_nullspace",
    "central_differences",
    "hht",
)


def driven_pole() -> Scene:
    """All degrees of freedom are driven: the torque shows in reactions and work only."""
    return shipped("driven_four_bar").with_force(
        "torque", "T", body="coupler", components=[0.0, 0.0, f"1/(t - {POLE})"]
    )


@pytest.mark.parametrize("method", DRIVEN)
def test_a_torque_without_bound_on_a_driven_body_ends_the_run(method: str) -> None:
    options = {"singular_poses": 1.0} if METHODS[method].knows("singular_poses") else {}
    run = simulate(driven_pole(), method=method, dt=1e-3, duration=0.5, options=options)
    assert run.status is StepStatus.NOT_FINITE
    assert run.status.failed
    assert "force 'T'" in run.message
    assert f"stopped at t = {POLE - 1e-3:g} s" in run.message
    assert run.t[-1] == pytest.approx(POLE - 1e-3)
    assert np.isfinite(run.samples).all()
    assert np.isfinite(run.summary()["energy_error_max"])


@pytest.mark.parametrize(
    ("function", "reason"),
    [("1/(t - 0.05)", "1 / 0 divides by zero"), ("1 + log(0.05 - t)", "is not a real number")],
)
def test_the_function_is_told_and_its_remedy_works(function: str, reason: str) -> None:
    torque = {"body": "coupler", "components": [0.0, 0.0, function]}
    scene = shipped("driven_four_bar").with_force("torque", "T", **torque)
    run = simulate(scene.with_simulation(dt=1e-3, duration=0.1))
    assert run.problem.path == "forces.T.components.2"
    assert f"force 'T' has no value at t = 0.05 s: in {function!r}" in run.message
    assert reason in run.message
    (edit,) = run.problem.edits
    assert simulate(scene, dt=1e-3, duration=edit.value).status is StepStatus.FINISHED


def test_samples_between_which_it_happens_do_not_hide_it() -> None:
    run = simulate(driven_pole(), method="newmark_nullspace", dt=1e-3, duration=0.5, sample_every=20)
    assert run.status is StepStatus.NOT_FINITE
    assert run.t[-1] == pytest.approx(POLE - 1e-3)


def test_a_force_on_a_fixed_body_beyond_its_table_is_named() -> None:
    scene = loads(
        """{"format": "trammel-scene", "version": 1,
        "bodies": [{"name": "base", "fixed": true}, {"name": "bob", "mass": 1, "inertia": [0.1, 0.1, 0.1]}],
        "forces": [{"name": "push", "kind": "force", "body": "base",
                    "components": [{"points": [[0, 0], [0.05, 1]], "outside": "error"}, 0, 0]}]}"""
    )
    run = simulate(scene, duration=0.2)
    assert run.status is StepStatus.OUTSIDE_TABLE
    assert "force 'push'" in run.message
    assert run.t[-1] == pytest.approx(0.05)
    assert np.isfinite(run.samples).all()


def test_a_start_that_is_not_finite_is_no_run() -> None:
    scene = driven_pole().with_force("torque", "T0", body="rocker", components=[0.0, 0.0, "1/t"])
    run = simulate(scene, method="newmark_nullspace", dt=1e-3, duration=0.1)
    assert run.status is StepStatus.NOT_FINITE
    assert "stopped at t = 0 s" in run.message
    assert "'T0'" in run.message or "'rocker'" in run.message
