"""A race in the session: lanes are runs that are watched together, in step with the playhead."""

from collections.abc import Iterator

import pytest

from app.document.document import Document
from app.edits.races import add_race, change_race, first_race, remove_lanes, remove_race, set_lane
from engine.model.races import MAX_LANES, Lane, Race
from tests.app.session.sessions import Watcher, pendulum, watched_session

pytestmark = pytest.mark.usefixtures("qapp")
RACE = Race(
    name="r",
    lanes=(
        Lane(name="euler", method="lagrange/euler/none", dt=0.01),
        Lane(name="rk4", method="rk4", dt=0.01),
    ),
)


@pytest.fixture
def watched(tmp_path) -> Iterator[Watcher]:
    with watched_session(tmp_path) as made:
        yield made


def test_a_race_is_watched_scrubbed_and_ended(watched):
    session = watched.session
    watched.load(pendulum(duration=1.0))
    session.racing.start(session.document.scene, RACE)
    watched.until(lambda: session.racing.watched)
    assert session.state == "playing"
    assert [run.name for run in session.runs if run.ghost] == ["euler", "rk4"]
    watched.until(lambda: session.t > 0.05)
    # no lane is further than the lead from what is shown, and what is shown is never beyond the slowest
    held = session.current.held_at
    assert held is None or session.t <= held
    session.transport.pause()
    session.transport.set_speed(100.0)
    session.transport.play()
    watched.until(lambda: not session.racing.running)
    watched.until(lambda: session.t == pytest.approx(1.0))
    assert {runner.track.status for runner in session.racing.runners} == {"finished"}
    marks = session.racing.marks()
    assert [mark.text.split()[0] for mark in marks] == ["euler"]
    assert marks[0].color == session.racing.runners[0].run.color
    session.transport.seek(0.5)
    assert all(run.poses_at(session.t) for run in session.runs)
    # back to the start of the race, and from there to a run of the scene
    session.to_start()
    assert (session.t, session.racing.watched) == (0.0, True)
    session.to_start()
    watched.until(lambda: not session.racing.watched)
    assert session.current.kind == "live"


def test_lanes_that_record_few_of_their_steps_begin_and_go_on_in_slow_motion(watched):
    session = watched.session
    watched.load(pendulum(duration=20.0, speed=0.01))
    lane = Lane(name="fine", method="rk4", dt=0.001)
    session.racing.start(session.document.scene, Race(name="r", lanes=(lane,)))
    watched.until(lambda: session.racing.watched)
    assert session.racing.runners[0].track.entry.every > 1
    watched.until(lambda: session.racing.t > 0.015)


def test_an_edit_ends_the_race_and_keeps_what_it_found(watched):
    session = watched.session
    watched.load(pendulum(duration=50.0))
    session.racing.start(session.document.scene, RACE)
    watched.until(lambda: session.racing.watched and session.t > 0.02)
    session.document.apply(add_race(session.document.scene, RACE))
    assert session.racing.running  # the motion is the same
    session.document.load(pendulum(duration=2.0))
    assert not session.racing.running
    assert session.racing.runners == ()


def test_a_race_that_cannot_begin_says_why(watched):
    session = watched.session
    watched.load(pendulum(duration=1.0))
    lane = Lane(name="bad", values={"parameters.unknown": 1.0})
    session.racing.start(session.document.scene, Race(name="r", lanes=(lane,)))
    watched.until(lambda: any("race cannot begin" in text for _, text, _ in watched.messages))
    assert not session.racing.running


def test_edits_of_races_are_undone(tmp_path):
    document = Document(autosave=tmp_path)
    document.load(pendulum())
    start = document.scene
    document.apply(add_race(document.scene, first_race(document.scene)))
    document.apply(add_race(document.scene, first_race(document.scene)))
    assert [race.name for race in document.scene.races] == ["Race", "Race 2"]
    document.apply(set_lane(document.scene, document.scene.races[0], Lane(name="more"), 0))
    document.apply(remove_lanes(document.scene, document.scene.races[0], {1}))
    document.apply(change_race(document.scene, "Race 2", RACE))
    document.apply(remove_race(document.scene, "Race"))
    assert [race.name for race in document.scene.races] == ["r"]
    for _ in range(6):
        document.stack.undo()
    assert document.scene == start
    full = Race(name="full", lanes=tuple(Lane(name=str(i)) for i in range(MAX_LANES)))
    with pytest.raises(ValueError, match="at most"):
        set_lane(start, full, Lane(name="ninth"))
