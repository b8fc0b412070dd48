"""The engine thread: pace, commands, live edits, failures, the end."""

import math
import threading
import time
from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import pytest

from engine import Scene, SceneError, simulate
from engine.compiled.layout import StepStatus
from engine.results.body_states import body_states
from engine.results.channels import Channels
from engine.results.sample_layout import SampleLayout
from engine.simulation.live.engine_loop import RESYNC_LAG, EngineEvent, EngineLoop
from engine.simulation.live.live_simulation import LiveSimulation, Record, culprit
from engine.simulation.live.mailbox import Snapshot
from engine.simulation.warmup import all_pieces, compile_pieces, kernels_ready, main
from engine.solvers.catalogue import METHODS
from engine.system.compiling.compile import compile_scene
from tests.engine.simulation.scenes import driven_crank, rod_pendulum

PATIENCE = 60.0  # s; a first run may have to compile


@pytest.fixture
def loop() -> Iterator[EngineLoop]:
    thread = EngineLoop()
    thread.start()
    yield thread
    assert thread.stop(PATIENCE)  # a kernel that is just being compiled cannot be broken off
    assert thread not in threading.enumerate()


def wait(condition: Callable[[], object]) -> None:
    end = time.perf_counter() + PATIENCE
    while not condition():
        assert time.perf_counter() < end, "it never happened"
        time.sleep(0.002)


def adopted(loop: EngineLoop, scene: Scene, **options: float) -> LiveSimulation:
    simulation = LiveSimulation(scene)
    loop.adopt(simulation, 1, **options)
    wait(lambda: loop.mailbox.peek() is not None and snapshot(loop).sample.shape == simulation.sample.shape)
    return simulation


def snapshot(loop: EngineLoop) -> Snapshot:
    found = loop.mailbox.peek()
    assert found is not None
    return found


def notifications(loop: EngineLoop, kind: str) -> EngineEvent:
    found: list[EngineEvent] = []

    def seen() -> bool:
        found.extend(item for item in loop.notifications.read() if item.kind in (kind, "crashed"))
        return bool(found)

    wait(seen)
    assert found[0].kind == kind, found[0].text
    return found[0]


def recorded(live):
    """Samples of the first segment without the work of the mouse, which only watched runs have."""
    segment = live.record.segments[0]
    rows, column = segment.recorder.samples(), SampleLayout(segment.mechanism).works.stop - 1
    assert (rows[:, column] == 0.0).all()
    return np.delete(rows, column, axis=1)


def test_as_fast_as_possible_it_records_what_a_run_without_window_records(loop):
    scene = rod_pendulum().with_simulation(dt=0.004, duration=2.0)
    live = adopted(loop, scene, limit=2.0)
    loop.set_speed(math.inf)
    loop.play()
    assert notifications(loop, "finished").t == 2.0
    assert snapshot(loop).status is StepStatus.FINISHED
    assert not snapshot(loop).playing
    np.testing.assert_array_equal(recorded(live), simulate(scene).samples)


def test_paced_it_keeps_to_the_wall_clock_and_to_the_step_grid(loop):
    scene = rod_pendulum().with_simulation(dt=0.004, duration=2.0)
    live = adopted(loop, scene, limit=100.0)
    loop.set_speed(2.0)
    loop.play()
    wait(lambda: snapshot(loop).playing)
    begin, first = time.perf_counter(), snapshot(loop).t
    wait(lambda: time.perf_counter() > begin + 0.6)
    passed, done = time.perf_counter() - begin, snapshot(loop).t - first
    loop.pause()
    wait(lambda: not snapshot(loop).playing)
    # twice as fast as the clock; a busy machine may let it fall behind by the lag at which it resynchronises,
    # and the snapshot is older by a slice and a rest
    if not snapshot(loop).resynchronised:
        assert done == pytest.approx(2.0 * passed, abs=2.0 * (RESYNC_LAG + 0.05))
    rows = recorded(live)
    np.testing.assert_array_equal(rows[: 500 + 1], simulate(scene).samples[: len(rows)][: 500 + 1])


def test_slow_motion_stays_a_step_ahead_of_the_clock(loop):
    adopted(loop, rod_pendulum().with_simulation(dt=0.05))
    loop.set_speed(0.1)
    loop.play()
    wait(lambda: snapshot(loop).t >= 0.05)
    seen = [snapshot(loop)]
    wait(lambda: seen.append(snapshot(loop)) or snapshot(loop).t >= 0.15)
    assert all(s.shown <= s.t <= s.shown + 0.05 + 0.1 * 0.2 for s in seen)
    assert len({s.shown for s in seen}) > 5  # the picture moves between two steps


def test_single_steps(loop):
    adopted(loop, rod_pendulum().with_simulation(dt=0.01))
    loop.step(1)
    wait(lambda: snapshot(loop).t > 0.0 and not snapshot(loop).playing)
    assert snapshot(loop).t == pytest.approx(0.01)
    loop.step(7)
    wait(lambda: snapshot(loop).t > 0.02 and not snapshot(loop).playing)
    assert snapshot(loop).t == pytest.approx(0.08)
    assert snapshot(loop).steps == 8


def test_a_snapshot_cannot_be_written(loop):
    adopted(loop, rod_pendulum())
    with pytest.raises(ValueError, match="read-only"):
        snapshot(loop).sample[0] = 1.0


def test_falling_behind_is_shown_and_forgotten(loop):
    adopted(loop, rod_pendulum().with_simulation(dt=1e-5))
    loop.set_speed(1000.0)
    loop.play()
    wait(lambda: snapshot(loop).resynchronised >= 2)
    assert 0.0 < snapshot(loop).real_time_factor < 1000.0
    assert snapshot(loop).load > 0.3


def test_a_number_edit_acts_from_the_present_instant_on(loop):
    scene = rod_pendulum().with_simulation(dt=0.005)
    live = adopted(loop, scene)
    loop.step(40)
    wait(lambda: snapshot(loop).t > 0.19 and not snapshot(loop).playing)
    before = snapshot(loop).sample
    rod = msgspec.structs.replace(scene.body("rod"), mass=9.0, com=(0.3, 0.0), inertia=(0.2,))
    heavier = scene.replace(rod)
    loop.edit(heavier, text="heavier")
    assert notifications(loop, "edited").text == "heavier"
    segments = live.record.segments
    assert len(segments) == 2
    assert segments[1].recorder.t_first == before[0]
    # the body frame stays where it is, so the new centre of mass lies elsewhere
    old, new = (body_states(s.mechanism, s.recorder.row(s.recorder.count - 1)) for s in segments)
    old_origin = old[0][0] - old[1][0] @ segments[0].mechanism.com[0]
    new_origin = new[0][0] - new[1][0] @ segments[1].mechanism.com[0]
    np.testing.assert_allclose(new_origin, old_origin, atol=1e-12)
    loop.step(20)
    wait(lambda: snapshot(loop).t > 0.29 and not snapshot(loop).playing)
    assert _energy_error(live.record) < 1e-6


def _energy_error(record: Record) -> float:
    first = record.segments[0]
    start = Channels(first.mechanism).energy(first.recorder.row(0).copy())
    return max(
        np.abs(
            Channels(s.mechanism).values(
                "energy.error", s.recorder.samples().copy(), start_energy=start, edits=s.edits
            )
        ).max()
        for s in record.segments
    )


def test_a_structural_edit_carries_the_state_over_by_name(loop):
    scene = driven_crank().with_simulation(method="rk4", dt=0.002, options={})
    live = adopted(loop, scene)
    loop.step(250)
    wait(lambda: snapshot(loop).t > 0.49 and not snapshot(loop).playing)
    then = snapshot(loop).sample
    longer = scene.with_body("flag", position=[5.0, 5.0], mass=1.0, inertia=[1.0]).remove("forces", "load")
    loop.edit(longer, renamed={("bodies", "old"): "new"})
    assert notifications(loop, "edited").t == then[0]
    old, new = live.record.segments
    assert new.mechanism.bodies == ("crank", "link", "slider", "flag")
    np.testing.assert_allclose(
        body_states(new.mechanism, new.recorder.row(0))[0][:3],
        body_states(old.mechanism, then)[0],
        atol=1e-12,
    )
    np.testing.assert_allclose(body_states(new.mechanism, new.recorder.row(0))[0][3], [5.0, 5.0, 0.0])
    loop.step(50)
    wait(lambda: snapshot(loop).t > 0.59 and not snapshot(loop).playing)
    assert _energy_error(live.record) < 1e-6  # with the work of the load that is gone


def test_whole_turns_and_work_survive_a_change_of_method(loop):
    scene = driven_crank().with_simulation(method="rk4", dt=0.005, options={})
    live = adopted(loop, scene)
    loop.step(700)  # 3.5 s: more than one and a half turns
    wait(lambda: snapshot(loop).t > 3.49 and not snapshot(loop).playing)
    loop.edit(scene.with_simulation(method="euler", dt=0.001))
    notifications(loop, "edited")
    old, new = live.record.segments
    assert (old.method, new.method) == ("lagrange/rk4/projection", "lagrange/euler/projection")
    for name in ("joint.A.angle", "energy.work", "energy.work.motor"):
        one, two = (
            Channels(s.mechanism).values(name, s.recorder.rows(i, i + 1).copy())[0]
            for s, i in ((old, old.recorder.count - 1), (new, 0))
        )
        assert one == pytest.approx(two, abs=1e-9)
    assert one != 0.0


def test_an_edit_that_cannot_be_is_refused_and_nothing_changes(loop):
    scene = driven_crank().with_simulation(method="rk4", options={})
    live = adopted(loop, scene)
    loop.step(10)
    wait(lambda: snapshot(loop).steps == 10 and not snapshot(loop).playing)
    apart = scene.with_joint("distance", "rope", a={"body": "world"}, b={"body": "slider"}, length=9.0)
    loop.edit(apart)
    assert notifications(loop, "refused").problems
    assert len(live.record.segments) == 1
    loop.step(5)
    wait(lambda: snapshot(loop).t > 0.014 and not snapshot(loop).playing)


def test_a_failed_step_pauses_with_the_reason_and_the_culprit(loop):
    scene = rod_pendulum().with_force("force", "gust", body="rod", components=["log(0.1 - t)", 0.0])
    live = adopted(loop, scene)
    loop.set_speed(math.inf)
    loop.play()
    event = notifications(loop, "failed")
    last = snapshot(loop)
    assert last.status.failed
    assert not last.playing
    assert last.offender == ("forces", "gust")
    assert "gust" in event.text
    assert np.isfinite(last.sample[1:4]).all()
    # an edit mends it
    loop.edit(scene.remove("forces", "gust"))
    notifications(loop, "edited")
    loop.step(5)
    wait(lambda: snapshot(loop).t > last.t and not snapshot(loop).playing)
    assert len(live.record.segments) == 2


def test_a_stop_condition_ends_the_run(loop):
    adopted(loop, rod_pendulum().with_simulation(dt=0.002, stop_when=["body.rod.angle + 0.5"]))
    loop.set_speed(math.inf)
    loop.play()
    assert "condition" in notifications(loop, "stopped").text
    assert snapshot(loop).status is StepStatus.STOPPED


def test_a_fault_in_a_command_is_told_and_the_thread_goes_on(loop):
    adopted(loop, rod_pendulum())
    loop.post(lambda: 1 / 0)
    assert "ZeroDivisionError" in notifications(loop, "crashed").text
    loop.step(1)
    wait(lambda: snapshot(loop).t > 0.0)


def test_it_ends_at_once_while_running_fast(loop):
    adopted(loop, rod_pendulum())
    loop.set_speed(math.inf)
    loop.play()
    wait(lambda: snapshot(loop).t > 0.5)
    begin = time.perf_counter()
    assert loop.stop()
    assert time.perf_counter() - begin < 2.0


def test_culprits_of_messages():
    assert culprit("stopped at t = 1 s; joint 'J 1' (x follows): …") == ("joints", "J 1")
    assert culprit("body 'crank': …") == ("bodies", "crank")
    assert culprit("no name here") is None


def test_a_scene_that_cannot_run_raises():
    with pytest.raises(SceneError):
        LiveSimulation(rod_pendulum().with_simulation(method="nonsense"))


def test_warm_up_tells_its_progress_and_is_remembered(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("engine.simulation.warmup._marks", lambda: tmp_path / "ready")
    from engine import save_scene

    scene = rod_pendulum()
    save_scene(scene, tmp_path / "rod.json")
    mechanism = compile_scene(scene)
    assert not kernels_ready(mechanism, "rk4")
    assert main([str(tmp_path / "rod.json")]) == 0
    lines = capsys.readouterr().out.splitlines()
    total = len(lines) - 1
    assert lines[0].startswith(f"0/{total} ")
    assert lines[-1] == f"{total}/{total} ready"
    assert kernels_ready(mechanism, "rk4")
    assert not kernels_ready(mechanism, "euler")
    assert not kernels_ready(compile_scene(driven_crank()), "rk4")


def test_idle_warm_up_leaves_out_what_is_there(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("engine.simulation.warmup._marks", lambda: tmp_path / "ready")
    monkeypatch.setattr("engine.simulation.warmup._give_way", lambda: None)  # this process goes on
    done = []
    pieces = [(name, lambda name=name: done.append(name)) for name in ("first", "second")]
    monkeypatch.setattr("engine.simulation.warmup.all_pieces", lambda: pieces)
    compile_pieces(pieces[:1], lambda *_: None)
    assert main(["--idle"]) == 0
    assert done == ["first", "second"]
    assert capsys.readouterr().out.splitlines() == ["0/1 second", "1/1 ready"]


def test_warm_up_begins_with_direct_methods_and_has_every_piece():
    names = [name for name, _ in all_pieces()]
    assert len(names) == len(set(names))
    composed = names.index("solvers.integrators.euler.step")
    for method in (method for method in METHODS if not method.pieces):
        step = method.functions["step"].py_func
        assert names.index(f"{step.__module__}.{step.__qualname__}".removeprefix("engine.")) < composed


def test_warm_up_stops_at_a_broken_scene(tmp_path, capsys):
    (tmp_path / "broken.json").write_text("{")
    assert main([str(tmp_path / "broken.json")]) == 1
    assert "broken.json" in capsys.readouterr().err


def test_pieces_are_remembered_one_by_one(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.simulation.warmup._marks", lambda: tmp_path / "ready")
    told: list[tuple[int, int, str]] = []
    made: list[str] = []
    compile_pieces([("a", lambda: made.append("a"))], lambda *line: told.append(line))
    assert made == ["a"]
    assert told == [(0, 1, "a"), (1, 1, "ready")]
    assert len(list((tmp_path / "ready").iterdir())) == 1


@pytest.mark.parametrize(("method", "told"), [("lagrange/rk4/none", 1), ("lagrange/rk4/projection", 0)])
def test_a_change_that_is_not_looked_ahead_of_is_told_once(loop, method, told):
    scene = rod_pendulum().with_simulation(method=method)
    adopted(loop, scene)
    found: list[EngineEvent] = []
    for mass in (2.0, 3.0, 4.0):
        body = msgspec.structs.replace(scene.bodies[0], mass=mass)
        loop.edit(msgspec.structs.replace(scene, bodies=(body, *scene.bodies[1:])), text=f"mass {mass}")
        wait(
            lambda mass=mass: (
                found.extend(loop.notifications.read()) or f"mass {mass}" in [i.text for i in found]
            )
        )
    warnings = [
        item.text for item in found if item.kind == "warning" and "singular configurations" in item.text
    ]
    assert len(warnings) == told


def test_a_run_that_loses_its_energy_is_doubted_while_it_goes_on(loop):
    """Euler's method gains energy with every swing; fourth order does not. Once is enough."""
    told = {}
    for method in ("lagrange/euler/projection", "lagrange/rk4/projection"):
        adopted(loop, rod_pendulum().with_simulation(dt=0.002, method=method), limit=8.0)
        loop.notifications.read()
        loop.set_speed(math.inf)
        loop.play()
        found: list[EngineEvent] = []

        def over(found: list[EngineEvent] = found) -> bool:
            found.extend(loop.notifications.read())
            return any(item.kind == "finished" for item in found)

        wait(over)
        told[method] = [item for item in found if item.kind == "doubt"]
    (accuracy_warning,) = told.pop("lagrange/euler/projection")
    assert "do not trust this run: its energy balance is off by" in accuracy_warning.text
    assert "smaller step" in accuracy_warning.text
    assert told == {"lagrange/rk4/projection": []}
