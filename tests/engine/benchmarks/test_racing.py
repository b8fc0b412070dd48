"""Races: lanes in processes, their measures, and who left when."""

import math
import os
import signal
import time

import numpy as np
import pytest

from engine import Scene
from engine.benchmarks.racing.distance import Centres, interpolated
from engine.benchmarks.racing.entry import entry_of, reference_of
from engine.benchmarks.racing.ready import READY
from engine.benchmarks.racing.starter import Starter
from engine.errors import SceneError
from engine.model.files.scene_file import dumps, loads
from engine.model.races import MAX_LANES, Lane, Race
from engine.results.sample_layout import SampleLayout
from engine.system.prepared import prepare

PATIENCE = 90.0  # s; a first run may have to compile
STEP, END = 0.01, 1.0


def stone(**simulation):
    """A body that falls freely: Euler's scheme is g h t / 2 too high at every instant."""
    return (
        Scene(space="planar")
        .with_parameter("g", 9.81)
        .with_body("stone", mass=1.0, inertia=[1.0])
        .with_simulation(dt=STEP, duration=END, **simulation)
    )


@pytest.fixture
def starters():
    made = []

    def start(*args, **kwargs):
        made.append(Starter(*args, **kwargs))
        return made[-1]

    yield start
    assert all(starter.stop(5.0) for starter in made)


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_lanes_are_measured_by_the_reference_and_the_first_to_leave_is_known(starters):
    scene = stone()
    lanes = [
        Lane(name="euler", method="lagrange/euler/none"),
        Lane(name="half", method="lagrange/euler/none", dt=STEP / 2),
        Lane(name="exact", method="lagrange/rk4/none"),
    ]
    starter = starters(lambda: [reference_of(scene), *(entry_of(scene, lane) for lane in lanes)], clock=0.5)
    until(lambda: starter.begun.is_set() and starter.tracks and starter.t >= 0.5)
    time.sleep(0.05)
    # the clock stands, and so do all lanes
    assert all(track.t <= 0.5 + STEP for track in starter.tracks)
    starter.let_run(math.inf)
    until(lambda: starter.over and len(starter.tracks[1].curves) == 1 + round(END / STEP))
    euler, half, exact = starter.tracks[1:]
    until(lambda: len(exact.curves) == 1 + round(END / STEP))
    t, gap = euler.curves[:, 0], euler.curves[:, 6]
    np.testing.assert_allclose(gap, 9.81 * STEP * t / 2.0, atol=1e-9)
    assert half.largest("distance") == pytest.approx(9.81 * STEP * END / 4.0, rel=1e-6)
    assert exact.largest("distance") < 1e-9
    # one per cent of the size of the mechanism, here 1 m: 0.01 = g h t / 2
    assert euler.left is not None
    assert euler.left.t == pytest.approx(2 * 0.01 / (9.81 * STEP), abs=1.1 * STEP)
    assert half.left is not None
    assert half.left.t > euler.left.t
    assert exact.left is None
    assert euler.cost > 0.0


def test_a_lane_whose_process_dies_is_told_and_the_others_go_on(starters):
    scene = stone().with_joint("revolute", "hinge", a={"body": "world"}, b={"body": "stone", "point": [1, 0]})
    entries = [
        entry_of(scene, Lane(name="good")),
        entry_of(scene, Lane(name="killed")),
    ]
    starter = starters(lambda: entries, reference=False, clock=STEP)
    until(lambda: starter.begun.is_set() and all(t.t > 0.0 or t.over for t in starter.tracks))
    os.kill(starter._processes[1].pid, signal.SIGKILL)
    starter.let_run(math.inf)
    until(lambda: starter.over)
    good, killed = starter.tracks
    assert good.status == "finished"
    assert killed.status == "died"
    assert "memory" in killed.message


def test_what_cannot_be_a_lane_is_refused_with_its_remedy():
    scene = stone()
    with pytest.raises(SceneError, match="rk5"):
        entry_of(scene, Lane(name="a", method="rk5"))
    with pytest.raises(SceneError, match="unknown"):
        entry_of(scene, Lane(name="a", values={"parameters.unknown": 1.0}))
    with pytest.raises(SceneError):
        loads(dumps(scene).replace('"version": 1,', f'"version": 1, "races": [{nine()}],'))


def nine():
    lanes = ", ".join(f'{{"name": "{i}"}}' for i in range(MAX_LANES + 1))
    return f'{{"name": "r", "lanes": [{lanes}]}}'


def test_races_are_kept_with_the_scene():
    race = Race(
        name="r", lanes=(Lane(name="a", method="rk4", dt="h/2", values={"parameters.g": 1.6}),), note="n"
    )
    scene = stone().with_parameter("h", 0.01).with_race("r", lanes=race.lanes, note="n")
    assert scene.races == (race,)
    assert loads(dumps(scene)) == scene
    entry = entry_of(scene, race.lanes[0])
    assert entry.dt == 0.005
    assert entry.scene.parameter("g").value == 1.6


def test_between_two_samples_a_fifth_degree_motion_is_exact():
    mechanism = prepare(stone()).mechanism
    layout, centres = SampleLayout(mechanism), Centres(mechanism)
    p = np.polynomial.Polynomial([0.3, -1.0, 2.0, 0.7, -0.4, 0.9])

    def row(t):
        found = np.full(layout.width, np.nan)
        found[0] = t
        for part, k in ((centres.x, 0), (centres.v, 1), (centres.a, 2)):
            found[part[0]] = [(p.deriv(k) if k else p)(t), (-2 * p.deriv(k) if k else -2 * p)(t)]
        return found

    rows = np.array([row(t) for t in (0.0, 0.7, 1.5)])
    t = np.linspace(0.0, 1.5, 23)
    np.testing.assert_allclose(
        interpolated(centres, rows, t)[:, 0], np.column_stack([p(t), -2 * p(t)]), atol=1e-13
    )


@pytest.mark.parametrize("ready", list(READY), ids=lambda ready: ready.name)
def test_ready_races_can_be_entered(ready, shipped_scene):
    scene = shipped_scene(ready.scene)
    assert len(ready.race.lanes) <= MAX_LANES
    assert ready.race.note
    assert [entry_of(scene, lane).name for lane in ready.race.lanes]


@pytest.fixture
def shipped_scene():
    from engine.model.files.scene_file import load_scene
    from tests.paths import ROOT

    return lambda name: load_scene(ROOT / "scenes" / f"{name}.json")
