"""The session: transport, runs, failures, and how it ends."""

import math
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from app.document.document import Document, Ref
from app.edits import add, remove, set_parameter
from app.platform.resources import scene_paths
from app.session.recorded.run import Run
from app.session.session import Session
from engine.elements.bodies.body import Body
from engine.simulation.live.engine_loop import EngineEvent
from tests.app.session.sessions import FOUR_BAR, Watcher, pendulum, watched_session

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def watched(tmp_path) -> Iterator[Watcher]:
    with watched_session(tmp_path) as made:
        yield made


def test_an_empty_session(watched):
    session = watched.session
    assert session.state == "empty"
    for command in (
        session.transport.play,
        session.transport.pause,
        session.transport.toggle,
        session.transport.step,
        session.lifecycle.reset,
        session.transport.go_live,
    ):
        command()
    session.transport.seek(1.0)
    session.tick()
    assert session.state == "empty"
    assert session.poses() == {}
    assert session.current is None


def test_views_are_told_once_of_many_events(watched):
    """A contact that chatters has thousands in a frame; each of them cost as much as a frame."""
    session = watched.session
    session.document.open(FOUR_BAR)
    watched.until(lambda: session.state == "ready")
    posted, told = session.engine.loop.notifications, []
    for number in range(1000):
        posted.post(EngineEvent(session.current.id, "event", 1e-3 * number, "hit"))

    def view() -> None:
        told.append(len(session.current.events))
        posted.post(EngineEvent(session.current.id, "event", 1.0, "while it is told"))

    session.runs.changed.connect(view)
    session.tick()
    assert told == [1000]


def test_opening_shows_the_given_pose_first_and_the_assembled_one_when_there_is_one(watched):
    session = watched.session
    session.document.open(FOUR_BAR)
    assert session.state == "compiling"
    assert set(session.poses()) == {body.name for body in session.document.scene.bodies}
    watched.until(lambda: session.state == "ready")
    assert session.current.t_first == session.t == 0.0
    assert set(session.poses()) == {body.name for body in session.document.scene.bodies}
    assert session.transport.speed == session.document.scene.simulation.speed
    watched.until(lambda: session.lifecycle.check is not None)
    assert session.lifecycle.check.mobility.dof == 1


def test_play_pause_and_single_steps(watched):
    session = watched.session
    watched.load(pendulum())
    session.transport.play()
    assert session.state == "playing"
    watched.until(lambda: session.t > 0.1)
    assert session.engine.status.playing
    session.transport.toggle()
    watched.settled()
    assert session.state == "paused"
    there = session.t
    watched.until(lambda: True)
    assert session.t == there == session.current.t_last
    session.transport.step(3)
    watched.until(lambda: session.t > there)
    watched.settled()
    assert session.t == pytest.approx(there + 0.006)
    session.transport.step(-2)
    assert session.state == "detached"
    assert session.t == pytest.approx(there + 0.002)
    session.transport.step(1)
    assert session.t == pytest.approx(there + 0.004)
    session.transport.step(1)
    session.transport.step(1)  # beyond the end of the record: the engine makes one more
    watched.until(lambda: session.t > there + 0.007)
    assert session.t == pytest.approx(there + 0.008)
    assert session.state == "paused"


def test_it_keeps_pace_with_the_wall_clock(watched):
    session = watched.session
    watched.load(pendulum())
    session.transport.set_speed(0.5)
    session.transport.play()
    watched.until(lambda: session.t > 0.0)
    begin, first = time.perf_counter(), session.t
    watched.until(lambda: time.perf_counter() > begin + 0.8)
    if not session.engine.status.resynchronised:
        assert session.t - first == pytest.approx(0.5 * (time.perf_counter() - begin), abs=0.1)


def test_slow_motion_moves_between_two_steps(watched):
    session = watched.session
    watched.load(pendulum(dt=0.05))
    session.transport.set_speed(0.05)
    session.transport.play()
    seen: list[float] = []
    watched.until(lambda: seen.append(session.t) or session.t > 0.06)
    assert len(set(seen)) > 20
    assert seen == sorted(seen)


def test_seeking_detaches_the_view_while_the_engine_goes_on(watched):
    session = watched.session
    watched.load(pendulum())
    session.transport.set_speed(20.0)
    session.transport.play()
    watched.until(lambda: session.t > 1.0)
    session.transport.seek(0.25)
    assert session.state == "detached"
    assert session.t == 0.25
    last = session.current.t_last
    watched.until(lambda: session.current.t_last > last + 0.2)
    assert session.t == 0.25
    expected = session.current.poses_at(0.25)["rod"]
    np.testing.assert_array_equal(session.poses()["rod"][0], expected[0])
    session.transport.go_live()
    watched.until(lambda: session.state == "playing" and session.t > last)
    session.transport.seek(-9.0)
    assert session.t == 0.0


def test_playing_a_scrubbed_record_continues_live_at_its_end(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.5)
    end = session.current.t_last
    session.transport.set_speed(5.0)
    session.transport.seek(0.1)
    session.transport.play()
    assert session.state == "playing"
    assert not session.playhead.live
    watched.until(lambda: session.t > 0.2)
    watched.until(lambda: session.playhead.live)
    watched.until(lambda: session.t > end)
    assert session.state == "playing"


def test_a_run_that_has_ended_is_played_again_from_an_instant_or_in_a_loop(watched):
    session = watched.session
    watched.load(pendulum(duration=0.3))
    session.transport.set_speed(math.inf)
    session.transport.play()
    watched.until(lambda: session.state == "paused")
    assert session.t == 0.3
    session.transport.set_speed(2.0)
    session.transport.seek(0.0)
    session.transport.play()
    watched.until(lambda: 0.0 < session.t < 0.2)
    watched.until(lambda: session.state == "paused")
    assert session.t == 0.3
    session.transport.loop = True
    session.transport.play()
    times: list[float] = []
    watched.until(lambda: times.append(session.t) or (np.diff(times) < 0.0).sum() >= 2)
    session.transport.loop = False
    session.transport.pause()
    session.transport.go_live()
    session.transport.set_endless(True)
    watched.settled()
    session.transport.play()
    watched.until(lambda: session.t > 0.4)


def test_reset_keeps_the_old_run(watched):
    session = watched.session
    watched.load(pendulum())
    session.lifecycle.reset()
    watched.settled()
    assert len(session.runs) == 1  # one that never moved is not worth keeping
    watched.run_to(0.2)
    old = session.current
    session.lifecycle.reset()
    watched.settled()
    assert session.state == "ready"
    assert session.t == 0.0
    assert list(session.runs) == [old, session.current]
    assert (old.kind, session.current.kind) == ("finished", "live")
    assert old.t_last >= 0.2
    assert len(old.channel("energy.total")[0]) == old.count
    session.runs.remove(old)
    session.runs.remove(session.current)
    assert list(session.runs) == [session.current]


def test_a_failed_step_pauses_with_the_reason_and_the_offending_element(watched):
    session = watched.session
    watched.load(pendulum().with_force("force", "gust", body="rod", components=["log(0.1 - t)", 0.0]))
    session.transport.play()
    watched.until(lambda: session.state == "failed")
    level, text, ref = watched.messages[-1]
    assert level == "error"
    assert "gust" in text
    assert ref == Ref("forces", "gust")
    assert session.t == session.current.t_last == pytest.approx(0.1, abs=0.005)
    assert np.isfinite(session.poses()["rod"][0]).all()
    told = len(watched.messages)
    session.transport.play()
    assert session.state == "failed"
    assert len(watched.messages) == told + 1
    session.document.apply(remove(session.document.scene, [Ref("forces", "gust")]))
    watched.until(lambda: session.state == "paused")
    session.transport.play()
    watched.until(lambda: session.t > 0.2)


def test_scrubbing_and_channels_agree_with_the_record(watched):
    session = watched.session
    session.document.open(scene_paths()["spatial_slider_crank"])
    watched.until(lambda: session.state == "ready")
    watched.run_to(0.2)
    run = session.current
    body = run.segments[0].mechanism.bodies[0]
    t, x = run.channel(f"body.{body}.pos.x")
    for i in (0, len(t) // 2, len(t) - 1):
        assert run.poses_at(t[i])[body][0][0] == pytest.approx(x[i], abs=1e-12)
        R = run.poses_at(t[i] - 0.3 * run.dt)[body][1]
        np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-12)
    names = (f"body.{body}.pos.x", "energy.error", "energy.kinetic")  # the error counts from the start
    columns = [run.channel(name)[1] for name in names]
    for i in (0, len(t) // 2, len(t) - 1):
        np.testing.assert_allclose(run.values_at(names, t[i]), [c[i] for c in columns], rtol=0, atol=1e-12)
    some, values = run.channel(f"body.{body}.pos.x", t[3], t[9])
    np.testing.assert_array_equal(values, x[3:10])
    np.testing.assert_array_equal(some, t[3:10])
    assert run.unit(f"body.{body}.pos.x") == "m"


def test_what_distinguishes_a_run():
    run = Run(1, pendulum())
    assert run.differs(pendulum()) == ""
    assert run.differs(pendulum(method="euler", dt=0.01)) == "rk4, dt 0.002"
    assert run.differs(pendulum(method="lagrange/rk4/none")) == "projection"  # "rk4" is what both are
    assert run.differs(pendulum(method="radau")) == "rk4"
    assert run.differs(pendulum(method="lagrange/rk4/projection")) == ""
    assert run.differs(set_parameter(pendulum(), "m", 4.0).after) == "m = 3.0"
    assert run.differs(add(pendulum(), Body(name="ball")).after) == "ball"
    both = add(pendulum(method="euler"), Body(name="ball")).after
    assert run.differs(both) == "rk4, ball"  # another method does not hide another mechanism
    assert run.empty
    assert run.poses_at(0.0) == {}
    assert run.names() == ()


def test_another_document_takes_the_place_of_the_first_while_it_runs(watched):
    session = watched.session
    watched.load(pendulum())
    session.transport.play()
    watched.until(lambda: session.t > 0.05)
    session.document.open(FOUR_BAR)
    assert list(session.runs) == []
    assert session.t == 0.0
    watched.until(lambda: session.state == "ready")
    assert "rod" not in session.poses()
    assert [run.name for run in session.runs] == ["Run 1"]  # counted anew in every document
    session.document.new()
    watched.settled()
    assert session.state == "empty"
    assert session.poses() == {}


def test_closing_while_running_ends_all_threads(tmp_path):
    before = set(threading.enumerate())
    session = Session(Document(autosave=tmp_path), warm=False)
    watched = Watcher(session)
    session.document.open(FOUR_BAR)
    watched.until(lambda: session.state == "ready")
    session.transport.set_speed(math.inf)
    session.transport.play()
    watched.until(lambda: session.t > 0.1)
    begin = time.perf_counter()
    assert session.close()
    assert time.perf_counter() - begin < 2.0
    assert session.close()
    session.tick()
    assert set(threading.enumerate()) <= before


def test_a_run_that_is_not_to_be_believed_says_so_once_and_on_its_timeline(watched):
    session = watched.session
    watched.load(pendulum(method="lagrange/euler/projection", duration=6.0))
    session.transport.set_speed(math.inf)
    session.transport.play()
    watched.until(lambda: session.transport.t_end <= session.t)
    watched.settled()  # the engine judges the run after its last step
    said = [text for level, text, _ in watched.messages if level == "warning"]
    assert len([text for text in said if "do not trust this run" in text]) == 1
    assert any("do not trust this run" in text for _, text in session.current.events)
