"""Methods that keep the energy: to rounding, at any step, over long runs; and momenta where nothing acts."""

import numpy as np
import pytest

from engine import Scene, Trajectory, simulate
from engine.compiled.layout import Array, StepStatus
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.system.equations.evaluator import Evaluator
from tests.verification.convergence import errors, slopes
from tests.verification.runs import energy_error, finished, shipped
from tests.verification.test_implicit_methods import COMPARED, RATES, oscillator, seen

ORDER = 0.1  # allowed distance from the stated order


@pytest.mark.parametrize("mechanism", COMPARED)
def test_energy_momentum_has_order_two(mechanism: str) -> None:
    found = errors(mechanism, "energy_momentum", RATES[mechanism] if mechanism != "bricard" else (200, 400))
    assert slopes(found)[list(COMPARED[mechanism])] == pytest.approx(2.0, abs=ORDER), found


@pytest.mark.parametrize("omega_h", [0.3, 3.0, 30.0])
def test_an_oscillator_turns_by_the_angle_of_the_cayley_map(omega_h: float) -> None:
    # x + i x'/ω is multiplied by (1 + i ωh/2)/(1 − i ωh/2) in every step: amplitude kept, angle 2 atan(ωh/2)
    turns = 2.0 * np.arctan(0.5 * omega_h) * np.arange(13)
    assert seen("energy_momentum", omega_h) == pytest.approx(0.1 * np.cos(turns), abs=1e-9)


# steps that are too long for accuracy
CASES = {
    "double_pendulum": 0.02,
    "four_bar": 0.02,
    "slider_crank": 0.01,
    "spatial_slider_crank": 0.005,
    "bricard": 0.02,
    "double_four_bar": 0.02,
    "flyball_governor": 0.002,
    "four_bar_spring_damper": 0.02,
    "driven_four_bar": 0.02,
    "cardan_shaft": 0.02,
    "spinning_top": 0.005,
    "bicycle": 0.01,
}
ROUNDING = 1e-11  # of the energy that is there


@pytest.mark.parametrize("name", CASES)
def test_the_balance_of_energy_is_kept_at_any_step(name: str) -> None:
    """Across singular configurations, too, where the motion itself is not to be trusted."""
    options = {"singular_poses": 1.0}
    run = finished(shipped(name), "energy_momentum", CASES[name], 400 * CASES[name], **options)
    there = max(np.abs(run.channel(f"energy.{part}")).max() for part in ("kinetic", "potential"))
    assert energy_error(run) < ROUNDING * there
    assert np.abs(run.channel("violation.position")).max() < 1e-13


def test_springs_across_the_motion_are_kept_as_well() -> None:
    scene = oscillator(3.0).with_force(
        "spring",
        "coil across",
        a={"body": "world", "point": [0.0, 0.3]},
        b={"body": "weight", "point": [0.0, 0.0]},
        stiffness=40.0,
        free_length=0.5,
    )
    run = finished(scene, "energy_momentum", 0.05, 20.0)
    assert energy_error(run) < 1e-13


def floating(space: str) -> Scene:
    """Two bodies with a hinge, a third one on a spring, without gravity."""
    turn = [0.4, 1.5, -2.0] if space == "spatial" else [0.0, 0.0, 1.5]
    back = [-1.0, 0.3, 2.5] if space == "spatial" else [0.0, 0.0, -2.0]
    out = 0.1 if space == "spatial" else 0.0
    lift = [out] if space == "spatial" else []
    inertia = [0.11, 0.08, 0.13] if space == "spatial" else [0.11]
    gravity = (0.0, 0.0, 0.0) if space == "spatial" else (0.0, 0.0)
    still = [0.0] if space == "spatial" else []
    return (
        Scene(space=space, gravity=gravity)
        .with_body("one", mass=1.3, inertia=inertia, velocity=[0.2, 0.1, *lift], angular_velocity=turn)
        .with_body("two", position=[0.6, 0.1, *lift], mass=0.7, inertia=inertia, velocity=[0.2, 1.0, *lift],
                   angular_velocity=back)
        .with_body("three", position=[1.4, 0.2, *lift], mass=0.5, inertia=inertia, angular_velocity=turn)
        .with_joint("revolute", "hinge", a={"body": "one", "point": [0.4, 0.1, *still]},
                    b={"body": "two", "point": [-0.2, 0.0, *still]})
        .with_force("spring", "coil", a={"body": "two", "point": [0.2, 0.1, *lift]},
                    b={"body": "three", "point": [-0.1, 0.2, *lift]}, stiffness=60.0, free_length=0.4)
    )  # fmt: skip


def momenta(run: Trajectory, scene: Scene) -> Array:
    """Linear momentum and moment of momentum about the origin, shape (samples, 6)."""
    layout, evaluator = run.segments[-1].channels.layout, Evaluator(run.segments[-1].mechanism)
    total = np.zeros((len(run), 6))
    for found, row in zip(total, run.samples, strict=True):
        evaluator.at(row[layout.t], row[layout.q], row[layout.v], row[layout.angles])
        for body, pose in zip(scene.bodies, evaluator.work.pose, strict=False):
            R, r, v, w = pose[:9].reshape(3, 3), pose[9:12], pose[12:15], pose[15:18]
            inertia = np.resize(np.asarray(body.inertia, dtype=float), 3)
            found[:3] += float(body.mass) * v
            found[3:] += float(body.mass) * np.cross(r, v) + R @ (inertia * w)
    return total


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_momenta_of_floating_mechanisms_are_kept_with_the_energy(space: str) -> None:
    scene = floating(space)
    run = finished(scene, "energy_momentum", 0.02, 4.0)
    found = momenta(run, scene)
    assert np.abs(found - found[0]).max() < 1e-11
    assert energy_error(run) < 1e-11
    # the midpoint rule without discrete gradients keeps neither
    other = finished(scene, "implicit_midpoint", 0.02, 4.0)
    assert np.abs(momenta(other, scene) - found[0])[:, 5].max() > 1e-6


def long_run(name: str, method: str, steps: int) -> Trajectory:
    run = simulate(shipped(name), method=method, dt=0.01, duration=0.01 * steps, sample_every=steps // 1000)
    assert run.status is StepStatus.FINISHED, run.message
    return run


def test_energy_and_joints_over_a_hundred_thousand_steps() -> None:
    run = long_run("four_bar", "energy_momentum", 100_000)
    assert energy_error(run) < 1e-11
    assert np.abs(run.channel("violation.position")).max() < 1e-14


@pytest.mark.soak
@pytest.mark.parametrize("method", ["energy_momentum", "lagrange/rk4/projection_energy"])
@pytest.mark.parametrize("name", ["pendulum", "four_bar", "double_pendulum"])
def test_energy_and_joints_over_a_million_steps(name: str, method: str) -> None:
    """At most one rounding of the energy, 1.1e-16, per step; energy–momentum leaves a seventh of that."""
    run = long_run(name, method, 1_000_000)
    there = np.abs(run.channel("energy.kinetic")).max()
    assert energy_error(run) < 1e6 * 1.1e-16 * there
    assert np.abs(run.channel("violation.position")).max() < 1e-12


@pytest.mark.parametrize(
    "name", ["double_pendulum", "slider_crank", "bricard", "bicycle", "four_bar_spring_damper"]
)
def test_projection_onto_the_energy_keeps_it_with_a_scheme_that_does_not(name: str) -> None:
    wrong, right = (
        finished(shipped(name), f"lagrange/rk2/{s}", 0.01, 2.0) for s in ("projection", "projection_energy")
    )
    assert energy_error(wrong) > 1e-6
    assert energy_error(right) < 1e-12 * max(np.abs(right.channel("energy.kinetic")).max(), 1.0)
    assert np.abs(right.channel("violation.position")).max() < 1e-12


def test_projection_onto_the_energy_works_where_bodies_stand_still() -> None:
    """A pendulum that swings up to rest again and again: velocities alone could not bring energy back."""
    run = finished(shipped("pendulum"), "lagrange/euler/projection_energy", 1e-3, 4.0)
    assert energy_error(run) < 1e-12
    assert np.abs(run.channel("energy.kinetic"))[1:].min() < 1e-3 * run.channel("energy.kinetic").max()


def test_projection_without_masses_takes_the_pseudo_inverse() -> None:
    """One correction of velocities that violate the rows, beside NumPy's least-norm solution."""
    start = finished(shipped("four_bar"), "rk4", 1e-3, 1e-3)
    layout = start.segments[-1].channels.layout
    driver = Driver(start.segments[-1].mechanism, find_method("lagrange/rk4/projection_unweighted"), dt=1e-3)
    q, v = start.samples[0, layout.q], start.samples[0, layout.v]
    off = v + np.linspace(-0.1, 0.1, len(v))
    driver.start(0.0, q, off, start.samples[0, layout.angles])
    y = driver.y.copy()
    assert driver.method.functions["project"](driver.packed, 0.0, y) == 0
    evaluator = Evaluator(driver.mechanism)
    evaluator.at(0.0, q, off, start.samples[0, layout.angles])
    J = evaluator.jacobian
    wanted = off - np.linalg.pinv(J) @ (J @ off)
    assert y[len(q) : len(q) + len(v)] == pytest.approx(wanted, abs=1e-9)
