"""Samples between the steps of embedded pairs: the order of the states within a step, and what they save."""

import math

import numpy as np
import pytest

from engine import Scene, Trajectory, set_value
from engine.compiled.columns import counters as COUNT
from engine.solvers.integrators.embedded_pairs import BOGACKI_SHAMPINE, DORMAND_PRINCE, PAIRS, A, B, D
from tests.verification.runs import energy_error, finished, shipped, tight

TOLERANCE = 1e-7
PAIR_NAMES = ("bs32", "dopri5", "rkf45")


def run_of(scene: Scene, method: str, dt: float, duration: float, dense: bool) -> Trajectory:
    return finished(scene, method, dt, duration, rtol=TOLERANCE, atol=TOLERANCE, dense=float(dense))


@pytest.mark.parametrize(("pair", "order"), [(DORMAND_PRINCE, 4), (BOGACKI_SHAMPINE, 3)])
def test_order_of_states_within_a_step(pair, order: int) -> None:
    """y' = i y from one: a step by the tables, then r₂ … r₅ as the heading of the scheme has them."""
    place, errors = PAIRS.index(pair), []
    for h in (0.2, 0.1):
        k = [1j]
        for i in range(1, len(pair.b)):
            k.append(1j * (1 + h * sum(A[place, i, j] * k[j] for j in range(i))))
        end = 1 + h * sum(B[place, j] * k[j] for j in range(len(pair.b)))
        k.append(1j * end)
        r2 = end - 1
        r3 = h * k[0] - r2
        r4 = r2 - h * k[-1] - r3
        r5 = h * sum(d * rate for d, rate in zip(D[place], k, strict=False))
        theta = np.linspace(0.0, 1.0, 21)
        rest = 1 - theta
        found = 1 + theta * (r2 + rest * (r3 + theta * (r4 + rest * r5)))
        errors.append(np.abs(found - np.exp(1j * h * theta)).max())
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order + 1, abs=0.1)


@pytest.mark.parametrize("method", PAIR_NAMES)
@pytest.mark.parametrize(("name", "duration"), [("double_pendulum", 2.0), ("bricard", 2.0)])
def test_dense_samples_follow_the_tolerance_and_save_evaluations(
    method: str, name: str, duration: float
) -> None:
    scene = shipped(name)
    exact = tight(scene, duration, dt=0.01)
    dense, ending = (run_of(scene, method, 1e-3, duration, choice) for choice in (True, False))
    assert np.array_equal(dense.t, ending.t)
    share = dense.counters[COUNT.EVALUATIONS] / ending.counters[COUNT.EVALUATIONS]
    assert share < (0.6 if method == "bs32" else 0.3)
    q = dense.segments[-1].channels.layout.q
    assert np.abs(dense.samples[::10, q] - exact.samples[:, q]).max() < 200 * TOLERANCE
    assert energy_error(dense) < 200 * TOLERANCE
    assert dense.channel("violation.position").max() < 1e-11
    assert dense.channel("violation.velocity").max() < 1e-9


def test_steps_are_those_of_the_tolerance_however_dense_the_samples() -> None:
    few, many = (run_of(shipped("bricard"), "dopri5", dt, 2.0, dense=True) for dt in (0.02, 0.0005))
    # two evaluations per sample: its projection, its rate
    own = [run.counters[COUNT.EVALUATIONS] - (len(run) - 1) for run in (few, many)]
    assert own[1] < 1.2 * own[0]
    q = few.segments[-1].channels.layout.q
    np.testing.assert_allclose(many.samples[::40, q], few.samples[:, q], atol=10 * TOLERANCE)


def test_angles_keep_their_count_over_many_turns() -> None:
    """A crank that turns evenly would let steps grow without end."""
    run = run_of(shipped("driven_four_bar"), "dopri5", 1e-3, 3.0, dense=True)
    exact = tight(shipped("driven_four_bar"), 3.0, dt=1e-3)
    for joint in ("A", "B"):
        name = f"joint.{joint}.angle"
        np.testing.assert_allclose(run.channel(name), exact.channel(name), atol=1e-9)


def test_no_step_ahead_passes_a_corner() -> None:
    """A force that sets in at 0.5 s: x = (t − ½)²/2 from then on, exact for a pair that sees no jump."""
    scene = (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("mass", mass=1.0, inertia=[1.0])
        .with_force(
            "force", "push", body="mass", point=[0.0, 0.0], components=["if(t < 0.5, 0, 1)", 0.0, 0.0]
        )
    )
    run = run_of(scene, "dopri5", 0.01, 1.0, dense=True)
    late = np.maximum(run.t - 0.5, 0.0)
    np.testing.assert_allclose(run.channel("body.mass.pos.x"), late**2 / 2, atol=1e-12)


def test_events_are_found_between_steps_too() -> None:
    scene = set_value(shipped("striking_ball"), "simulation.sample_every", 1)
    dense, ending = (run_of(scene, "dopri5", 1e-3, 0.6, choice) for choice in (True, False))
    assert [event.element for event in dense.events] == [event.element for event in ending.events]
    np.testing.assert_allclose(
        [event.t for event in dense.events], [event.t for event in ending.events], atol=1e-5
    )
