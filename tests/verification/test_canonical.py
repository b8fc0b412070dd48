"""Hamilton's canonical equations against [Celej 2018], [Mazzia 2006] and minimal coordinates.

Figures "measured" were recomputed with a separate program of the same equations (double pendulum and Andrews'
squeezer; norms are Euclidean): the source has its results in drawings only. (a) Lagrange multipliers with
Baumgarte, (b) canonical equations with multipliers, (c) augmented Lagrangian, (d) trapezoidal rule.
"""

from functools import cache

import numpy as np
import pytest

from engine import Trajectory, simulate
from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import Array, StepStatus
from engine.system.equations.evaluator import Evaluator
from tests.verification import references as ref
from tests.verification.runs import energy_error, finished, shipped

HANGING, UPRIGHT = "double_pendulum_hanging", "double_pendulum_upright"
B, C, D = "canonical/{}/none", "canonical_augmented/{}/none", "canonical_trapezoidal"
PARAMETERS = {  # [Celej 2018, §6.1.2]
    "a": ("lagrange/{}/baumgarte", {"alpha": 100.0, "beta": 10.0}),  # ξ = ω = 10
    "b": (B, {"xi": 10.0, "omega": 1.0}),
    "c": (C, {"penalty": 1e7, "weights": 1.0, "xi": 1.0, "omega": 10.0}),
    "d": (D, {"penalty": 1e8, "weights": 1.0, "xi": 1e4, "omega": 1.0}),
}
FREE = {"feedback": 2.0}
TIGHT = {"rtol": 1e-12, "atol": 1e-12}
DEFAULT = {"rtol": 1e-3, "atol": 1e-6}  # of MATLAB's ode45

# φ1, φ2 at 1 … 5 s: minimal coordinates, DOP853 at 1e-13
ANGLES = {
    HANGING: [
        (-0.7850816148, -0.4452230311),
        (-0.2549952898, -0.4211910812),
        (1.1790206352, 0.5468687102),
        (-0.5114052747, -1.5844312640),
        (0.3622250095, 0.0402431571),
    ],
    UPRIGHT: [
        (-1.3070587185, -2.6766279263),
        (-5.2662773965, -6.8449931953),
        (-9.2795310066, -10.3807530758),
        (-9.9996957817, -6.4754004972),
        (-7.1356837008, -1.7850618307),
    ],
}


@cache
def pendulum(scene: str, form: str) -> Trajectory:
    """Five seconds at a millisecond with the parameters of the source."""
    method, options = PARAMETERS[form]
    return finished(shipped(scene), method.format("rk4"), 1e-3, 5.0, **options)


def residuals(run: Trajectory, every: int = 5) -> tuple[float, float]:
    """Largest |Φ| and |Φ'|."""
    layout, evaluator, worst = run.segments[-1].channels.layout, Evaluator(run.mechanism), np.zeros(2)
    for row in run.samples[::every]:
        evaluator.at(row[layout.t], row[layout.q], row[layout.v], row[layout.angles])
        sizes = [np.linalg.norm(evaluator.phi), np.linalg.norm(evaluator.phi_rate)]
        worst = np.maximum(worst, sizes)
    return float(worst[0]), float(worst[1])


@cache
def first_centre(scene: str) -> Array:
    """x, y of the first link's centre, every 25 ms, in minimal coordinates."""
    reference = ref.DoublePendulum(m1=6.0, m2=10.0, L1=1.0, L2=1.5, I1=1.0, I2=1.6)
    start = (-np.pi / 4, 0.0) if scene == HANGING else (np.pi / 4, np.pi / 2)
    theta = reference.motion(np.linspace(0.0, 5.0, 201), *start)[0]
    return 0.5 * np.array([np.cos(theta), np.sin(theta)])


def within_factor_two(found: float, measured: float) -> bool:
    return measured / 2.0 <= found <= 2.0 * measured


@pytest.mark.parametrize(
    ("scene", "form", "energy", "position", "velocity", "distance"),
    [
        (HANGING, "a", 1.4e-6, 7.8e-10, 1.6e-7, 2.9e-8),
        (HANGING, "b", 1.4e-7, 2.5e-10, 5.0e-9, 1.2e-9),
        (HANGING, "c", 1.6e-7, 2.2e-10, 3.4e-9, 1.4e-9),
        (HANGING, "d", 2.8e-3, 1.9e-9, 3.8e-5, 8.6e-6),
        (UPRIGHT, "a", 6.1e-5, 1.2e-8, 2.3e-6, 1.0e-4),
        (UPRIGHT, "b", 8.9e-6, 2.6e-9, 5.1e-8, 1.2e-5),
        (UPRIGHT, "c", 8.6e-6, 2.5e-9, 3.8e-8, 1.2e-5),
        (UPRIGHT, "d", 2.3e-2, 3.0e-8, 5.9e-4, 1.4e-4),
    ],
)
def test_double_pendulum_as_measured(
    scene: str, form: str, energy: float, position: float, velocity: float, distance: float
) -> None:
    run = pendulum(scene, form)
    x, y = (run.channel(f"body.link1.com.{axis}")[::25] for axis in "xy")
    apart = float(np.abs(np.array([x, y]) - first_centre(scene)).max())
    found = (energy_error(run), *residuals(run), apart)
    for value, measured in zip(found, (energy, position, velocity, distance), strict=True):
        assert within_factor_two(value, measured), found


@pytest.mark.parametrize("method", [B, C])
@pytest.mark.parametrize(("scene", "tolerance"), [(HANGING, 1e-9), (UPRIGHT, 1e-8)])
def test_double_pendulum_with_tight_tolerance(method: str, scene: str, tolerance: float) -> None:
    run = finished(shipped(scene), method.format("dopri5"), 1.0, 5.0, rtol=1e-13, atol=1e-13)
    found = np.column_stack([run.channel(f"body.link{k}.angle")[1:] for k in (1, 2)])
    assert found == pytest.approx(np.array(ANGLES[scene]), abs=tolerance)


@pytest.mark.parametrize("method", [B, C])
def test_andrews_with_tight_tolerance(method: str) -> None:
    run = finished(shipped("andrews"), method.format("dopri5"), 1e-3, ref.ANDREWS_TIME, **TIGHT)
    found = [run.channel(f"body.K{k}.angle")[-1] for k in range(1, 8)]
    assert found == pytest.approx(ref.andrews_body_angles(ref.ANDREWS_POSITION), abs=1e-8)


def test_reactions_are_the_rate_of_sigma() -> None:
    """Those of the multiplier formulation at the same state."""
    options = {**TIGHT, **FREE}
    wanted = finished(shipped("andrews"), "lagrange/dopri5/projection", 1e-3, 0.01, **TIGHT)
    for method in (B, C):
        found = finished(shipped("andrews"), method.format("dopri5"), 1e-3, 0.01, **options)
        for joint in ("O", "E3", "A5"):
            name = f"joint.{joint}.reaction.fx"
            assert found.channel(name) == pytest.approx(wanted.channel(name), rel=1e-6, abs=1e-6)


def test_trapezoidal_rule_on_andrews() -> None:
    """[Celej 2018, §6.3.3]: about 2e-6 J at 1 µs with α = 1e9, ξ = 1e6, ω = 1; measured 1.97e-6 J."""
    options = {"penalty": 1e9, "weights": 1.0, "xi": 1e6, "omega": 1.0}
    fine = finished(shipped("andrews"), D, 1e-6, 0.05, **options)
    coarse = finished(shipped("andrews"), D, 1e-5, 0.05, **options)
    assert energy_error(fine) == pytest.approx(1.97e-6, rel=0.1)
    ratios = np.array(residuals(coarse, every=1)) / np.array(residuals(fine, every=10))
    assert ratios == pytest.approx(100.0, rel=0.1)


def test_sigma_reset_calms_the_energy_and_leaves_the_constraints() -> None:
    """0.05 s of the squeezer at 10 µs: 1.8e-4 J without, 1.0e-4 J with a reset at 4 N s (measured)."""
    options = {"penalty": 1e8, "weights": 1.0, "xi": 1e4, "omega": 1.0}
    without = finished(shipped("andrews"), D, 1e-5, 0.05, **options)
    reset = finished(shipped("andrews"), D, 1e-5, 0.05, reset=4.0, **options)
    assert energy_error(without) == pytest.approx(1.84e-4, rel=0.1)
    assert energy_error(reset) == pytest.approx(1.0e-4, rel=0.1)
    assert residuals(reset) == pytest.approx(residuals(without), rel=0.02)


def test_basic_form_is_stiff_the_extended_one_is_not() -> None:
    """31,064 against 1,364 evaluations were measured."""
    _, options = PARAMETERS["c"]
    evaluations = [
        finished(
            shipped(HANGING), C.format("dopri5"), 5.0, 5.0, rtol=1e-6, atol=1e-9, form=form, **options
        ).counters[COUNT.EVALUATIONS]
        for form in (0.0, 1.0)
    ]
    assert evaluations[1] > 10 * evaluations[0]


def test_penalty_alone_leaves_more() -> None:
    """One pass against the iteration: the constraints yield by about 1/penalty, and energy is lost."""
    method, options = PARAMETERS["c"]
    runs = [
        finished(
            shipped(HANGING), method.format("dopri5"), 1e-2, 5.0, rtol=1e-8, atol=1e-10, passes=p, **options
        )
        for p in (0.0, 1.0)
    ]
    iterated, single = (energy_error(run) for run in runs)
    assert single > 10.0 * iterated


@pytest.mark.parametrize("tolerance", [DEFAULT, {"rtol": 1e-8, "atol": 1e-10}])
def test_drift_without_stabilisation_is_smaller_than_that_of_newton_and_euler(
    tolerance: dict[str, float],
) -> None:
    """Measured: 3.5e-3 m against 6.6e-2 m, and 6.7e-9 m against 4.7e-8 m with tight tolerance."""
    scene = shipped(HANGING)
    newton_euler = residuals(finished(scene, "lagrange/dopri5/none", 1e-2, 5.0, **tolerance), every=1)
    momenta = residuals(finished(scene, B.format("dopri5"), 1e-2, 5.0, **tolerance, **FREE), every=1)
    assert momenta[0] < newton_euler[0] / 2.0
    assert momenta[1] < 1e-12  # velocities satisfy the rows at every evaluation


@pytest.mark.parametrize("method", ["lagrange/rk4/projection", B.format("rk4")])
def test_multipliers_report_the_bifurcation(method: str) -> None:
    """Equal crank and rod, through the aligned poses again and again."""
    run = finished(shipped("slider_crank"), method, 1e-3, 2.0)
    assert run.counters[COUNT.NEAR_SINGULAR] > 0
    assert "singular configuration" in run.message


def test_augmented_lagrangian_continues_through_the_bifurcation() -> None:
    run = finished(shipped("slider_crank"), C.format("rk4"), 1e-3, 2.0)
    x, _ = ref.slider_crank_slider(run.t[::100])
    # σ does not converge where rows depend on each other: each passage costs about 1e-6 m
    assert run.channel("body.slider.pos.x")[::100] == pytest.approx(x, abs=1e-5)


def test_trapezoidal_rule_continues_through_the_bifurcation() -> None:
    """It goes on with closed joints; at this step it may leave by the other branch, as its page says."""
    run = finished(shipped("slider_crank"), D, 1e-3, 2.0)
    assert residuals(run)[0] < 1e-6


@pytest.mark.parametrize("scene", ["bricard", "spatial_slider_crank"])
def test_trapezoidal_rule_in_space(scene: str) -> None:
    """Six momenta per body and quaternions: order two towards the run with multipliers."""
    exact = finished(shipped(scene), "dopri5", 0.1, 0.5, **TIGHT)
    errors = []
    for dt in (2e-3, 1e-3):
        run = finished(shipped(scene), D, dt, 0.5)
        layout = run.segments[-1].channels.layout
        errors.append(float(np.abs(run.samples[-1, layout.q] - exact.samples[-1, layout.q]).max()))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    assert errors[1] < 1e-4


@pytest.mark.parametrize(
    ("scene", "dt", "share"),
    # at these steps a sample falls next to a singular configuration; away from it the error is this share of
    # h²
    [("double_four_bar", 1e-3, 4860.0), ("slider_crank", 1e-3, 2264.0), ("slider_crank", 7e-4, 2264.0)],
)
def test_trapezoidal_rule_passes_singular_poses(scene: str, dt: float, share: float) -> None:
    """The error of ten seconds is that of the rule, of order two, as if there were no such pose."""
    run = finished(shipped(scene), "canonical_trapezoidal", dt, 10.0)
    assert run.near_singular > 0
    assert abs(run.channel("energy.error")).max() == pytest.approx(share * dt * dt, rel=0.02)


def test_the_printed_recursion_has_the_limit_of_the_residual_form_and_amplifies_rounding() -> None:
    """[Celej 2018, eq. 5.35]: with a penalty of 1e8 the separate program finds a floor of 5e-5 to 1.2e-4 J on
    the squeezer, and some 5e-8 J for the residual form; with 1e2 both agree."""
    numbers = {"weights": 1.0, "xi": 1e3, "omega": 1.0, "passes": 10.0}
    heavy, light = (
        [
            energy_error(
                finished(shipped("andrews"), C.format("rk4"), 1e-5, 0.02, form=f, penalty=p, **numbers)
            )
            for f in (0.0, 2.0)
        ]
        for p in (1e8, 1e2)
    )
    assert heavy[0] < 1e-6
    assert 1e-5 < heavy[1] < 1e-3
    assert light[1] == pytest.approx(light[0], rel=0.2)


@pytest.mark.parametrize("scene", [HANGING, "spatial_slider_crank"])
def test_the_zero_of_sigma_is_arbitrary(scene: str) -> None:
    """Newton's residual holds for any σ₀: the motion is the same up to what the rule leaves, of order h²."""
    apart = []
    for h in (2e-3, 1e-3):
        runs = [finished(shipped(scene), D, h, 0.5, sigma=s) for s in (0.0, 3.0)]
        apart.append(np.abs(np.diff([run.samples[-1, 1:8] for run in runs], axis=0)).max())
    assert apart[1] < 1e-4
    assert apart[0] / apart[1] == pytest.approx(4.0, rel=0.2)


def test_the_limit_of_iterations_is_the_user_s() -> None:
    run = simulate(shipped(HANGING), method=D, dt=1e-3, duration=0.01, options={"iterations": 1.0})
    assert run.status is StepStatus.NOT_SOLVED
