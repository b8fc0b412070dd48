"""Methods that do not pass singular configurations: refused at the start, by a look ahead, or warned of."""

import msgspec
import numpy as np
import pytest
from scipy.integrate import quad

from engine import Scene, SceneError, simulate
from engine.results.assessment.assess import GOOD
from engine.simulation.checks import lookahead
from engine.simulation.live.live_simulation import LiveSimulation
from engine.solvers.catalogue import METHODS
from tests.engine.simulation.scenes import G, shipped

FAILING = "lagrange/rk4/none"


def upright() -> float:
    """When the crank of the slider-crank stands upright, from its energy alone [s].

    Crank and rod are slender, 1 kg and 1 m, mirror images of each other: with θ the angle of the crank
    T = (1/3 + 1/12 + (9 sin² θ + cos² θ)/4) ω²/2 and V = g sin θ.
    """

    def inertia(angle: float) -> float:
        return 1 / 3 + 1 / 12 + (9 * np.sin(angle) ** 2 + np.cos(angle) ** 2) / 4

    start = np.pi / 4
    omega = 4 / (2 * np.sin(start))
    energy = inertia(start) * omega**2 / 2 + G * np.sin(start)
    return float(
        quad(
            lambda a: 1 / np.sqrt(2 * (energy - G * np.sin(a)) / inertia(a)), start, np.pi / 2, epsabs=1e-12
        )[0]
    )


def refusal(scene: Scene, **settings: object) -> str:
    with pytest.raises(SceneError) as caught:
        simulate(scene, method=FAILING, **settings)
    (problem,) = caught.value.problems
    assert problem.path == "simulation.method"
    assert "lagrange/rk4/projection" in problem.remedy
    assert '"Singular configurations" (singular_poses) to "go on" (1)' in problem.remedy
    return problem.message


@pytest.mark.parametrize("dt", [0.001, 0.005, 0.01])
def test_the_refusal_names_instant_joints_and_reason(dt: float) -> None:
    message = refusal(shipped("slider_crank"), dt=dt)
    assert f"t = {upright():.5f}"[:11] in message  # 0.1 ms
    assert "where joints 'P1', 'P2', 'P3', 'guide' hold against each other" in message
    assert "drift" in message


def test_the_look_ahead_ends_where_the_run_ends() -> None:
    scene, before = shipped("slider_crank"), upright() - 0.02
    assert "singular" not in simulate(scene, method=FAILING, duration=before).message
    stopped = scene.with_simulation(stop_when=["body.crank.angle > 1.5"])
    assert simulate(stopped, method=FAILING).t[-1] < upright()
    refusal(scene.with_simulation(stop_when=["body.crank.angle > 1.6"]))


def test_a_mechanism_that_comes_near_is_not_refused() -> None:
    """With a rod 1 mm longer than the crank there is no second motion, and no doubt about the first."""
    scene = shipped("slider_crank")
    rod = next(body for body in scene.bodies if body.name == "rod")
    points = tuple(
        msgspec.structs.replace(p, position=(1.001, 0.0)) if p.name == "P3" else p for p in rod.points
    )
    longer = msgspec.structs.replace(rod, points=points)
    bodies = tuple(longer if body is rod else body for body in scene.bodies)
    run = simulate(msgspec.structs.replace(scene, bodies=bodies), method=FAILING, duration=1.0)
    assert run.message == ""
    assert run.channel("body.crank.angle")[-1] > np.pi / 2


def test_who_wants_to_see_it_fail_may_and_is_told() -> None:
    run = simulate(shipped("slider_crank"), method=FAILING, options={"singular_poses": 1})
    assert run.message.startswith(f"{FAILING} does not pass the singular configuration at t = 0.3917")
    assert "its energy balance is off by" in run.accuracy_warning
    with pytest.raises(SceneError, match="has no option 'singular_poses'"):
        simulate(shipped("slider_crank"), options={"singular_poses": 1})


def test_a_watched_run_is_refused_too() -> None:
    with pytest.raises(SceneError, match="does not pass the singular configuration"):
        LiveSimulation(shipped("slider_crank").with_simulation(method=FAILING))


@pytest.mark.parametrize("dt", [0.005, 0.01, 0.02])
def test_a_branch_that_keeps_the_energy_is_doubted(dt: float) -> None:
    """The double four-bar can leave its singular configuration by motions that have the same energy; by
    which of them it does so is a matter of rounding."""
    scene = shipped("double_four_bar").with_simulation(duration=1.5)
    method, options = "null_space/dopri5/projection", {"singular_poses": 1}
    run = simulate(scene, method=method, options=options, dt=dt)
    kinetic, error = np.abs(run.table(["energy.kinetic", "energy.error"])).max(axis=0)
    share = error / kinetic
    assert share < GOOD
    right, place = simulate(scene, dt=0.001), "body.coupler1.point.B0.pos.x"
    assert np.abs(run.channel(place) - np.interp(run.t, right.t, right.channel(place))).max() > 1.0
    assert "do not trust this run from t = 0.7" in run.accuracy_warning


def test_the_default_method_is_not_doubted_at_its_poses() -> None:
    for name in ("double_four_bar", "slider_crank"):
        for every in (1, 10):
            assert simulate(shipped(name), dt=0.005, duration=2.0, sample_every=every).accuracy_warning == ""


def test_methods_that_fail_at_singular_configurations_have_the_option() -> None:
    for method in METHODS:
        names = {option.name for option in method.options}
        assert ("singular_poses" in names) == bool(
            method.singular_failure or method.singular_failure_controlled
        ), method.name
    assert not METHODS["lagrange/rk4/projection"].singular_failure
    assert METHODS["lagrange/bdf2/baumgarte"].singular_failure
    assert not METHODS["lagrange/rk4/baumgarte"].singular_failure


@pytest.mark.parametrize("method", ["wilson_theta", "canonical_trapezoidal"])
def test_controlled_steps_are_refused_where_they_lead_astray(method: str) -> None:
    options = {"step_control": 1.0, "rtol": 1e-5, "atol": 1e-5}
    with pytest.raises(SceneError, match="does not pass the singular configuration"):
        simulate(shipped("double_four_bar"), method=method, options=options, duration=1.0)
    assert simulate(shipped("double_four_bar"), method=method, duration=0.01).status.name == "FINISHED"


@pytest.mark.parametrize("dt", [0.5, 0.05])
def test_the_step_of_the_run_does_not_blind_the_look_ahead(dt: float) -> None:
    message = refusal(shipped("slider_crank"), dt=dt)
    assert float(message.split("t = ")[1].split(" s")[0]) == pytest.approx(upright(), abs=1e-4)


def test_an_open_chain_with_a_large_step_gets_no_empty_warning() -> None:
    run = simulate(shipped("five_bar_pendulum"), method=FAILING, dt=0.2)
    assert "further was not looked" not in run.message


def test_joints_are_named_alike_in_large_mechanisms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookahead, "LARGE", 0)
    assert "where joints 'P1', 'P2', 'P3', 'guide' hold against each other" in refusal(
        shipped("slider_crank"), dt=0.005
    )
