"""Steps that a method bears: limits in closed form, and runs on both sides of them."""

import math

import numpy as np
import pytest

from app.edits.accept_remedy import accept
from engine import Scene, simulate
from engine.analyses.answers.result import Result
from engine.analyses.base import Question
from engine.analyses.dynamics.stability import STABILITY, StabilityOptions
from engine.errors import SceneError
from engine.solvers.direct import DIRECT
from engine.solvers.stability_map import stability_map
from tests.verification.runs import finished

OMEGA = 10.0


def wheel(damping: float = 0.0, dt: float = 1e-3, method: str = "rk4") -> Scene:
    """A wheel on a torsional spring, turned by 0.1 rad: x″ + 2ζω x′ + ω² x = 0 with ω = 10/s."""
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("wheel", mass=1.0, inertia=[1.0])
        .with_joint("revolute", "axle", a={"body": "world"}, b={"body": "wheel", "point": [0.0, 0.0]})
        .with_force(
            "rotational_spring",
            "twist",
            joint="axle",
            stiffness=OMEGA**2,
            free_angle=0.1,
            damping=2.0 * damping * OMEGA,
        )
        .with_simulation(dt=dt, method=method)
    )


def ask(scene: Scene, **options: object) -> Result:
    return STABILITY.run(Question(scene, StabilityOptions(**options), simulate=simulate))  # type: ignore[arg-type]


def limit(scene: Scene, **options: object) -> float:
    rows = ask(scene, **options).tables[0].rows
    size = rows[1][1]
    assert isinstance(size, float)
    return size


# method → largest ωh of an undamped oscillation
FREQUENCIES = {
    "rk4": math.sqrt(8.0),
    "bs32": math.sqrt(3.0),
    "velocity_verlet": 2.0,
    "central_differences": 2.0,
    "newmark_nullspace/fox_goodwin": math.sqrt(6.0),
    "newmark_nullspace/linear_acceleration": math.sqrt(12.0),
    "newmark_nullspace": math.inf,
    "generalized_alpha": math.inf,
    "gauss2": math.inf,
}


@pytest.mark.parametrize("method", FREQUENCIES)
def test_limits_of_an_oscillation_are_those_in_closed_form(method: str) -> None:
    assert limit(wheel(), method=method) == pytest.approx(FREQUENCIES[method] / OMEGA, rel=1e-3)


@pytest.mark.parametrize("damping", [0.3, 1.0, 4.0])
def test_euler_with_damping(damping: float) -> None:
    """|1 + h s| ≤ 1 for both exponents: h ≤ 2ζ/ω where they swing, else 2 over the faster one."""
    fastest = damping + math.sqrt(max(damping**2 - 1.0, 0.0))
    wanted = 2.0 * min(damping, 1.0 / fastest) / OMEGA
    assert limit(wheel(damping), method="euler") == pytest.approx(wanted, rel=1e-3)


def test_a_step_that_fits_is_offered_and_taken() -> None:
    scene = wheel(dt=0.4)
    result = ask(scene)
    assert "unstable" in result.summary
    (suggestion,) = result.suggestions
    after = accept(scene, suggestion).after
    assert after.simulation.dt == 0.031  # twenty points of 2π/10 s are 0.0314 s
    assert not ask(after).suggestions


@pytest.mark.parametrize("side", [-0.02, 0.02])
def test_a_run_says_the_same(side: float) -> None:
    h = (1.0 + side) * limit(wheel(), method="central_differences")
    run = simulate(wheel(), method="central_differences", dt=h, duration=300 * h)
    largest = (
        float(np.abs(run.channel("joint.axle.angle") - 0.1).max()) if not run.status.failed else math.inf
    )
    assert (largest > 10.0) == (side > 0.0)


def test_baumgarte_gains_are_marked_in_their_map() -> None:
    charts = ask(wheel(method="lagrange/rk4/baumgarte")).charts
    assert "Baumgarte" in charts[2].title
    (own,) = charts[2].series
    assert own.x == pytest.approx(0.02)  # the usual gain of 20/s, and steps of 1 ms
    field = charts[2].field
    assert field is not None
    assert field.marked == 1.0
    assert (field.z[field.x < -1e-9, 0] > 1.0).all()  # negative damping alone lets violations grow


# [Flores 2012, table 1], Euler's rule at 1 ms; the fifth line of it is a misprint
@pytest.mark.parametrize(
    ("alpha", "beta", "printed"),
    [(-5.0, -5.0, 1.005), (5.0, 5.0, 0.995), (20.0, 20.0, 0.98), (10.0, 14.0, 0.99), (0.8, 2100.0, 2.326)],
)
def test_any_gains_may_be_asked_about(alpha: float, beta: float, printed: float) -> None:
    result = ask(wheel(), method="euler", alpha=alpha, beta=beta)
    ((_, _, growth, verdict),) = result.tables[2].rows
    assert growth == pytest.approx(printed, abs=6e-4)
    assert verdict == ("stable" if printed <= 1.0 else "unstable")
    field = result.charts[2].field
    assert field is not None
    assert field.x[0] <= alpha * 1e-3 <= field.x[-1]
    assert field.y[-1] >= (beta * 1e-3) ** 2


def test_the_phase_of_central_differences_in_closed_form() -> None:
    """cos Θ = 1 − (ωh)²/2 below the limit: periods come out short."""
    chart = ask(wheel(dt=0.05), method="central_differences", step=0.05).charts[1]
    curve, own = chart.series
    below = curve.x < 1.99
    np.testing.assert_allclose(
        curve.y[below], np.arccos(1.0 - curve.x[below] ** 2 / 2.0) / curve.x[below], rtol=1e-9
    )
    assert own.x == pytest.approx([0.5], rel=1e-6)


def test_a_method_that_is_not_there() -> None:
    with pytest.raises(SceneError, match="rk5") as error:
        ask(wheel(), method="rk5")
    assert error.value.problems[0].path == "options.method"


@pytest.mark.parametrize("method", [kind.name for kind in DIRECT if kind.growth is not None])
@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_direct_methods_do_to_an_oscillation_what_their_analysis_says(method: str, damping: float) -> None:
    """A linear map of k numbers leaves x(n) with a recurrence of length k; its largest root is the growth."""
    wh = 0.8
    run = finished(wheel(damping), method, wh / OMEGA, 60 * wh / OMEGA)
    x = run.channel("joint.axle.angle")[6:] - 0.1
    order = 4
    rows = np.stack([x[k : len(x) - order + k] for k in range(order)], axis=1)
    scale = np.abs(rows).max(axis=1, keepdims=True)
    coefficients, *_ = np.linalg.lstsq(rows / scale, x[order:] / scale[:, 0], rcond=1e-11)
    found = np.abs(np.roots([1.0, *(-coefficients[::-1])])).max()
    numbers = stability_map(method, np.array([damping * wh]), np.array([wh**2]))
    assert found == pytest.approx(float(numbers[0, 0]), abs=2e-4)


def test_growths_and_turns_ask_for_short_steps_too() -> None:
    """A pendulum upside down: s = √(m g l / I); a rotor: its own turns, though nothing pulls it."""
    bar = {"mass": 1.0, "inertia": [0.5], "position": [0.0, 0.4]}
    upright = (
        Scene(space="planar", gravity=(0.0, -9.81))
        .with_body("bar", **bar)
        .with_joint("revolute", "pin", a={"body": "world"}, b={"body": "bar", "point": [0.0, -0.4]})
    )
    s = math.sqrt(9.81 * 0.4 / (0.5 + 0.4**2))
    assert ask(upright).tables[0].rows[2][1] == pytest.approx(2.0 * math.pi / s / 20.0, rel=1e-6)
    rotor = Scene(space="planar").with_body(
        "rotor", mass=1.0, inertia=[1.0], angular_velocity=[0.0, 0.0, 300.0]
    )
    assert ask(rotor).tables[0].rows[2][1] == pytest.approx(2.0 * math.pi / 300.0 / 20.0, rel=1e-9)
