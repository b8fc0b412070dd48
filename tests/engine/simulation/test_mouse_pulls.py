"""Pulling with the mouse: the law against differences, motions against closed forms, energy against work."""

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

from engine.compiled.layout import Array, StepStatus
from engine.model.scene import Scene
from engine.results.channels import Channels
from engine.results.saved_runs import load_trajectory
from engine.results.trajectory import Segment, Trajectory
from engine.simulation.live.live_simulation import LiveSimulation
from engine.simulation.stepping.method_driver import Driver
from engine.simulation.stops.messages import unbounded
from engine.solvers.catalogue import find_method
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from engine.system.mouse_pulls import Pull, PullLog, apply_pull, with_mouse
from tests.linkages import jansen_leg


def block(space: str = "spatial") -> Scene:
    """A body that floats, its centre of mass away from its frame."""
    inertia = [0.2] if space == "planar" else [0.2, 0.3, 0.25, 0.02, -0.03, 0.01]
    return Scene(space=space, gravity=[0.0, 0.0, 0.0]).with_body(  # type: ignore[arg-type]
        "block",
        mass=2.0,
        com=[0.1, -0.05, 0.0 if space == "planar" else 0.04],
        inertia=inertia,
        position=[0.3, 0.4, 0.0],
        velocity=[0.2, -0.1, 0.0],
        angular_velocity=[0.0, 0.0, 0.7],
    )


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_the_tangent_is_the_derivative_of_the_force(space: str) -> None:
    mechanism = with_mouse(compile_scene(block(space)))
    target = (0.9, -0.2, 0.0 if space == "planar" else 0.5)
    point = (0.3, 0.2, 0.0 if space == "planar" else -0.1)
    assert apply_pull(mechanism, mechanism.system, Pull("block", point, target, 40.0, 3.0))
    evaluator = Evaluator(mechanism, tangents=True)
    q, v, n = mechanism.q, mechanism.v, mechanism.nv

    def Q(dq: Array, dv: Array) -> Array:
        return evaluator.at(0.0, evaluator.retract(q, dq), v + dv).forces()

    step, zero = 1e-6, np.zeros(n)
    evaluator.at(0.0, q, v).forces()
    stiffness, damping = evaluator.tangents(zero, np.zeros(0))
    by_q = np.column_stack([(Q(step * e, zero) - Q(-step * e, zero)) / (2 * step) for e in np.eye(n)])
    by_v = np.column_stack([(Q(zero, step * e) - Q(zero, -step * e)) / (2 * step) for e in np.eye(n)])
    np.testing.assert_allclose(stiffness, by_q, atol=1e-6)
    np.testing.assert_allclose(damping, by_v, atol=1e-6)


def swinging(stiffness: float, damping: float) -> LiveSimulation:
    """A block pulled at its centre of mass from rest: an oscillator about the target."""
    scene = Scene(gravity=[0.0, 0.0, 0.0]).with_body("block", mass=2.0, inertia=[0.2, 0.3, 0.25])
    run = LiveSimulation(scene.with_simulation(dt=0.002))
    advance(run, 0.1)
    assert run.pull(Pull("block", (0.0, 0.0, 0.0), (0.5, 0.0, 0.0), stiffness, damping))
    return run


def advance(run: LiveSimulation, until: float) -> None:
    while run.t < until - 1e-12:
        assert run.advance(until) is StepStatus.OK, run.message


def test_a_pulled_body_swings_about_the_target() -> None:
    # x = 0.5 (1 − cos(ω t)),  ω² = k/m, from t = 0.1 s on; the work of the mouse is what the body has got
    run = swinging(50.0, 0.0)
    advance(run, 1.1)
    omega = math.sqrt(25.0)
    channels, sample = run.channels, run.sample[None]
    x = channels.values("body.block.pos.x", sample)[0]
    assert x == pytest.approx(0.5 * (1.0 - math.cos(omega)), abs=1e-6)
    assert channels.values("energy.work.mouse", sample)[0] == pytest.approx(
        channels.values("energy.kinetic", sample)[0], abs=1e-7
    )
    force = channels.values("mouse.fx", sample)[0]
    assert force == pytest.approx(50.0 * 0.5 * math.cos(omega), abs=1e-4)
    assert channels.values("energy.elastic", sample)[0] == 0.0


def test_the_balance_of_energy_holds_while_the_target_moves_and_after_letting_go() -> None:
    run = LiveSimulation(jansen_leg())
    advance(run, 0.05)
    start = run.channels.energy(run._segment.recorder.row(0))
    for k in range(30):
        target = (0.3 * math.sin(k / 5.0), -0.5 + 0.1 * math.cos(k / 3.0), 0.0)
        assert run.pull(Pull("foot", (-0.4, -0.8, 0.0), target, 300.0, 10.0))
        advance(run, 0.05 + 0.01 * (k + 1))
    pulled = run.channels.values("energy.work.mouse", run.sample[None])[0]
    assert abs(pulled) > 0.1  # it did something
    assert run.pull(None)
    advance(run, 0.5)
    samples = run._segment.recorder.rows(0, run._segment.recorder.count)
    error = run.channels.values("energy.error", np.array(samples), start_energy=start)
    assert np.abs(error).max() < 1e-6
    force = run.channels.values("mouse.force", np.array(samples))
    t = np.array(samples)[:, 0]
    assert (force[t < 0.05 - 1e-9] == 0.0).all()
    assert (force[t > 0.35 + 1e-9] == 0.0).all()
    assert force[(t > 0.06) & (t < 0.34)].min() > 0.0
    power = run.channels.values("mouse.power", np.array(samples))
    # the work integral of the method against the trapezoidal rule on the recorded power
    parts = 0.5 * (power[1:] + power[:-1]) * np.diff(t)
    jumps = np.isin(np.round(t[:-1], 6), np.round(0.05 + 0.01 * np.arange(31), 6))
    assert parts.sum() == pytest.approx(pulled, abs=0.02 * abs(pulled) + parts[jumps].max(initial=0.0))


def test_an_edit_during_a_pull_goes_on_pulling() -> None:
    run = swinging(50.0, 1.0)
    advance(run, 0.2)
    body = msgspec.structs.replace(run.scene.bodies[0], mass=3.0)
    assert run.refill(msgspec.structs.replace(run.scene, bodies=(body,)))
    assert run.pulled is not None
    advance(run, 0.3)
    assert run.channels.values("mouse.fx", run.sample[None])[0] != 0.0
    bigger = run.scene.with_body("other", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[2.0, 0.0, 0.0])
    after = run.rebuilt(bigger)
    assert after.pulled is not None
    assert after.channels.values("mouse.fx", after.sample[None])[0] != 0.0


def test_what_cannot_be_pulled_is_left_alone() -> None:
    run = swinging(50.0, 1.0)
    assert not run.pull(Pull("nobody", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 0.0))
    assert not run.pull(Pull("block", (0.0, 0.0, 0.0), (math.nan, 0.0, 0.0), 1.0, 0.0))
    assert run.pulled is not None
    assert run.pulled.body == "block"


def test_a_log_knows_what_pulled_when() -> None:
    log = PullLog()
    one = Pull("block", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, 0.0)
    two = Pull("block", (0.0, 0.0, 0.0), (2.0, 0.0, 0.0), 1.0, 0.0)
    for t, pull in ((1.0, one), (2.0, two), (3.0, None)):
        log.note(t, pull)
    assert [log.at(t) for t in (0.5, 1.0, 2.5, 3.0)] == [None, one, two, None]
    spans = log.spans(np.array([0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0]))
    assert spans == [(slice(1, 3), one), (slice(3, 5), two)]
    again = PullLog()
    again.read(log.as_text())
    assert again == log


@pytest.mark.parametrize("ending", ["h5", "npz"])
def test_a_saved_run_still_shows_the_pull(tmp_path: Path, ending: str) -> None:
    run = swinging(50.0, 1.0)
    advance(run, 0.3)
    wanted = run.channels.values("mouse.fx", run.sample[None])[0]
    recorded = run._segment
    rows = np.array(recorded.recorder.rows(0, recorded.recorder.count))
    trajectory = Trajectory(
        (Segment(recorded.mechanism, Channels(recorded.mechanism, recorded.pulls), rows, 0.0),),
        scene=run.scene,
        method=run.method,
        dt=run.dt,
        status=StepStatus.CANCELLED,
        message="",
        counters=run.driver.work.counters.copy(),
        wall_time=0.0,
        time_linear=0.0,
        options={},
    )
    path = tmp_path / f"run.{ending}"
    trajectory.save(path)
    assert load_trajectory(path).channel("mouse.fx")[-1] == pytest.approx(wanted)


def test_the_mouse_is_not_blamed_for_what_is_not_finite() -> None:
    mechanism = with_mouse(compile_scene(block()))
    driver = Driver(mechanism, find_method("rk4"), dt=1e-3)
    sample = np.zeros(driver.width)
    sample[driver.layout.q] = mechanism.q
    sample[driver.layout.v] = 1e200  # beyond all bounds in the gyroscopic moment
    assert unbounded(driver, sample) == f"body {mechanism.bodies[0]!r}"
