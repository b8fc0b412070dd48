"""Controlled steps of direct methods: error and tolerance, where steps are short, joints, refusals."""

import numpy as np
import pytest

from engine import Scene, Trajectory, simulate
from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import StepStatus
from engine.errors import SceneError
from engine.solvers.catalogue import METHODS
from tests.verification import references as ref
from tests.verification.runs import energy_error, finished, shipped

# tolerances at which the order of the method rules the step
TOLERANCES = {
    "augmented_index3": (1e-4, 1e-5),
    "canonical_trapezoidal": (1e-4, 1e-5),
    "generalized_alpha": (1e-4, 1e-5),
    "hht": (1e-4, 1e-5),
    "newmark_nullspace": (1e-4, 1e-5),
    "newmark_nullspace/midstep": (1e-4, 1e-5),
    "radau": (1e-7, 1e-8),
    "wilson_theta": (1e-4, 1e-5),
}
GRID = 0.02  # s: samples, and the largest step


def controlled(scene: Scene, method: str, tolerance: float, duration: float, dt: float = GRID) -> Trajectory:
    return finished(scene, method, dt, duration, step_control=1, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("method", TOLERANCES)
def test_error_is_proportional_to_the_tolerance(method: str) -> None:
    """Angles of the double pendulum against their own equations, integrated apart from the engine."""
    errors = []
    for tolerance in TOLERANCES[method]:
        run = controlled(shipped("double_pendulum"), method, tolerance, 1.0)
        wanted = ref.double_pendulum_angles(run.t)[:2]
        found = [run.channel(f"body.{body}.angle") for body in ("upper", "lower")]
        errors.append(float(np.abs(np.array(found) - wanted).max()))
        assert errors[-1] < 10 * tolerance
        assert run.channel("violation.position").max() < (
            1e-8 if method.startswith(("wil", "can")) else 1e-13
        )
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.4)


def test_steps_are_short_where_the_motion_is_fast() -> None:
    """A torque of 10 ms at 0.5 s on a body on an axle; before and after it little happens."""
    scene = (
        Scene(space="planar", gravity=(0.0, -0.5))
        .with_body("bob", position=[0.0, -1.0], mass=1.0, inertia=[0.1])
        .with_joint("revolute", "O", a={"body": "world"}, b={"body": "bob", "point": [0.0, 1.0]})
        .with_force("torque", "knock", body="bob", components=[0.0, 0.0, "20*exp(-((t - 0.5)/0.005)^2)"])
    )
    for method in ("newmark_nullspace", "generalized_alpha", "radau"):
        run = controlled(scene, method, 1e-5, 1.0)
        step = run.channel("method.step")
        knock = np.abs(run.t - 0.5) < 0.015
        assert step[knock].max() < 0.25 * step[(run.t > 0.2) & (run.t < 0.4)].min(), method
        assert step[run.t > 0.7].min() > 4 * step[knock].min(), method
        assert step.max() <= GRID * (1 + 1e-9)
        # ∫ τ dt = 20 · 0.005 √π turns the body at rest with I = 0.1 + 1
        speed = run.channel("body.bob.omega.z")
        assert speed.max() == pytest.approx(0.1 * np.sqrt(np.pi) / 1.1, rel=1e-2)


@pytest.mark.parametrize("method", ["augmented_index3", "generalized_alpha", "newmark_nullspace", "radau"])
@pytest.mark.parametrize(("scene", "limit"), [("bricard", 1e-3), ("double_four_bar", 0.1)])
def test_redundant_rows_and_singular_poses(scene: str, limit: float, method: str) -> None:
    """The limits of the benchmark library; the double four-bar passes three singular configurations on its
    branch."""
    run = controlled(shipped(scene), method, 1e-4, 3.5, dt=0.01)
    assert energy_error(run) < limit
    assert run.channel("violation.position").max() < 1e-6
    if scene == "double_four_bar":
        x, y, _, _ = ref.n_four_bar_point(3.5)
        found = [run.channel(f"body.crank0.point.B0.pos.{axis}")[-1] for axis in "xy"]
        assert found == pytest.approx([float(x), float(y)], abs=0.05)  # the other branch is a metre away


def test_velocity_rows() -> None:
    run = controlled(shipped("bicycle"), "generalized_alpha", 1e-6, 0.5)
    energy = run.channel("energy.total")
    assert 100 * np.ptp(energy) / energy[0] < 1e-3
    assert run.channel("violation.velocity").max() < 1e-8


def test_rejected_steps_are_counted_and_runs_repeat_bit_by_bit() -> None:
    first, second = (controlled(shipped("double_pendulum"), "radau", 1e-8, 1.0) for _ in range(2))
    assert first.counters[COUNT.REJECTED] > 0
    assert np.array_equal(first.samples, second.samples)


def test_a_tolerance_out_of_reach_stops_the_run_with_the_last_good_state() -> None:
    options = {"step_control": 1, "rtol": 1e-9, "atol": 1e-9, "smallest": 2e-3}
    run = simulate(shipped("double_pendulum"), method="hht", dt=GRID, duration=1.0, options=options)
    assert run.status is StepStatus.STEP_TOO_SMALL
    assert "tolerance" in run.message
    assert np.isfinite(run.samples).all()


@pytest.mark.parametrize("method", ["bdf_dae", "central_differences", "newmark_index3"])
def test_methods_that_need_equal_steps_say_so(method: str) -> None:
    assert METHODS[method].equal_steps
    with pytest.raises(SceneError, match="cannot be controlled: ") as refused:
        simulate(shipped("pendulum"), method=method, options={"step_control": 1})
    assert METHODS[method].equal_steps in str(refused.value)


def test_steps_stay_fixed_unless_control_is_asked_for() -> None:
    run = finished(shipped("double_pendulum"), "radau", GRID, 0.2, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(run.channel("method.step")[1:], GRID)
