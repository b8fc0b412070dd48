"""An event has two samples of one instant, before and after it: nobody has to interpolate across a jump.

A mass falls from h = 1 m on a rigid stop: t₁ = √(2h/g), v⁻ = −g t₁, v⁺ = −e v⁻, both at the height 0.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from app.exchange.runs.opening import replay_of
from engine.model.scene import Scene
from engine.results.assessment.error_measures import on_instants
from engine.results.sample_layout import SampleLayout
from engine.results.saved_runs import load_trajectory
from engine.results.trajectory import Trajectory
from engine.simulation.live.live_simulation import LiveSimulation, recorder_for
from engine.simulation.simulation import simulate
from engine.simulation.streaming import stream
from engine.studies.objectives import Objective

G, E, HEIGHT, DT = 9.81, 0.8, 1.0, 1e-2
FALL = math.sqrt(2.0 * HEIGHT / G)
SECOND = FALL * (1.0 + 2.0 * E)
PLACE, SPEED = "joint.guide.displacement", "body.mass.vel.y"


def ball() -> Scene:
    world = {"body": "world", "point": [0, 0], "axis": [0, 1]}
    return (
        Scene(space="planar", gravity=(0.0, -G))
        .with_body("mass", position=[0.0, HEIGHT], mass=2.0, inertia=[0.01])
        .with_joint("prismatic", "guide", a=world, b={"body": "mass", "point": [0, 0], "axis": [0, 1]})
        .with_force(
            "stop", "stop", joint="guide", coordinate="displacement", law="rigid", lower=0.0, restitution=E
        )
        .with_simulation(dt=DT, duration=1.5)
    )


@pytest.fixture(scope="module")
def found() -> Trajectory:
    return simulate(ball())


def sides(run: Trajectory, t: float) -> tuple[float, float]:
    """Speeds at an instant, before and after."""
    here = np.flatnonzero(np.abs(run.t - t) < 1e-10)
    assert len(here) == 2
    assert run.t[here[0]] == run.t[here[1]]
    before, after = run.channel(SPEED)[here]
    return float(before), float(after)


def test_both_sides_of_an_impact_are_recorded(found: Trajectory) -> None:
    for n, t in enumerate((FALL, SECOND)):
        speed = G * FALL * E**n
        assert sides(found, t) == (pytest.approx(-speed, rel=1e-9), pytest.approx(E * speed, rel=1e-9))
    there = np.isin(found.t, [event.t for event in found.events])
    assert np.abs(found.channel(PLACE)[there]).max() < 1e-10
    # the grid stays, whatever happens between its points
    grid = np.arange(151) * DT
    assert np.isclose(found.t[:, None], grid).any(axis=0).all()
    assert len(found) == len(grid) + np.count_nonzero(there)


@pytest.mark.parametrize("every", [1, 7])
def test_events_are_recorded_however_sparse_the_samples_are(every: int) -> None:
    run = simulate(ball(), sample_every=every)
    assert sides(run, FALL)[1] == pytest.approx(E * G * FALL, rel=1e-9)
    off = [t for t in run.t if abs(t / DT - round(t / DT)) > 1e-6]
    assert len(off) == 2 * len({event.t for event in run.events})


def test_the_playhead_at_an_event_and_beside_it(found: Trajectory, tmp_path: Path) -> None:
    found.save(tmp_path / "ball.npz")
    run = replay_of(load_trajectory(tmp_path / "ball.npz"), 1, name="ball")
    assert [event.text for event in run.happened] == [event.text for event in found.events]
    second = run.happened[1].t
    assert run.values_at([PLACE, SPEED], second) == pytest.approx([0.0, E * E * G * FALL], abs=1e-9)
    # between samples velocities lie on straight lines: exact under gravity alone
    for shift in (-0.3 * DT, 0.3 * DT):
        t = second + shift
        exact = -G * (t - second) + (E * E if shift > 0.0 else -E) * G * FALL
        assert run.values_at([SPEED], t)[0] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("name", ["ball.npz", "ball.h5", "ball.mat", "ball.json", "ball.csv"])
def test_files_hold_both_sides(found: Trajectory, tmp_path: Path, name: str) -> None:
    found.save(tmp_path / name, [PLACE, SPEED])
    if name.endswith((".npz", ".h5")):
        again = load_trajectory(tmp_path / name)
        assert again.events == found.events
        np.testing.assert_array_equal(again.channel(SPEED), found.channel(SPEED))
        assert again.accuracy_warning == ""
    found.save(tmp_path / f"even.{name}", [SPEED], resample=0.05)


def test_a_streamed_run_tells_its_events(tmp_path: Path) -> None:
    stream(ball(), tmp_path / "ball.h5")
    again = load_trajectory(tmp_path / "ball.h5")
    assert [event.kind for event in again.events[:2]] == ["impact", "impact"]
    assert sides(again, FALL)[1] == pytest.approx(E * G * FALL, rel=1e-9)


def test_a_live_run_has_the_same_samples(found: Trajectory) -> None:
    live = LiveSimulation(ball())
    while live.t < 1.5:
        live.advance(min(live.grid_ahead(3), 1.5))
    rows, layout = live.record.segments[0].recorder.samples(), SampleLayout(found.mechanism)
    for columns in (slice(0, 1), layout.q, layout.v, layout.a):  # it has room for the mouse, too
        np.testing.assert_array_equal(rows[:, columns], found.samples[:, columns])


def test_a_condition_that_the_impact_meets_stops_there() -> None:
    scene = ball().with_simulation(dt=DT, duration=1.5, stop_when=[f"{SPEED} - 1"])
    run = simulate(scene)
    assert run.status.name == "STOPPED"
    assert run.t[-1] == pytest.approx(FALL, abs=1e-10)
    assert run.channel(SPEED)[-1] == pytest.approx(E * G * FALL, rel=1e-9)
    assert run.channel(SPEED)[-2] == pytest.approx(-G * FALL, rel=1e-9)


def test_cubics_end_at_an_event() -> None:
    t = np.array([0.0, 1.0, 2.0, 2.0, 3.0, 4.0])
    jumps = np.array([0.0, 1.0, 2.0, 7.0, 6.0, 5.0])[:, None]
    instants = np.array([0.5, 1.9, 2.0, 2.1, 3.5])
    np.testing.assert_allclose(on_instants(t, jumps, instants)[:, 0], [0.5, 1.9, 7.0, 6.9, 5.5], atol=1e-12)


def test_a_recorder_shows_the_later_side(found: Trajectory) -> None:
    recorder = recorder_for(found.mechanism)
    recorder.append(found.samples)
    hit = found.events[0].t
    twice = recorder.rows(*recorder.span(hit, hit))
    assert len(twice) == 2
    np.testing.assert_array_equal(recorder.at(hit), twice[1])


def test_objectives_do_not_look_across_an_event(found: Trajectory) -> None:
    hit = found.events[0].t
    speed = found.channel(SPEED)
    values = [
        Objective(name="v", expression=SPEED, reduce="at", at=t).of(found.t, speed)
        for t in (hit - 1e-4, hit, hit + 1e-4)
    ]
    assert values == pytest.approx([-G * (FALL - 1e-4), E * G * FALL, E * G * FALL - G * 1e-4], abs=1e-9)
    when = Objective(name="t", expression=SPEED, reduce="time")
    assert when.of(found.t, speed - 1.0) == hit  # the jump itself
    down = when.of(found.t[found.t > hit], speed[found.t > hit])
    assert down == pytest.approx(FALL * (1.0 + E), abs=1e-9)  # at the top of the first bounce
