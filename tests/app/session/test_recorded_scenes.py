"""A recorded run belongs to the scenes that it was computed from: labels and picture say so."""

from collections.abc import Iterator

import numpy as np
import pytest

from app.document.document import Ref
from app.edits import remove, rename, set_parameter, set_visible
from app.exchange.runs.extracts import extract_of
from engine import load_scene
from tests.app.session.sessions import FOUR_BAR, Watcher, pendulum, watched_session

pytestmark = pytest.mark.usefixtures("qapp")
ROD = Ref("bodies", "rod")


@pytest.fixture
def watched(tmp_path) -> Iterator[Watcher]:
    with watched_session(tmp_path) as made:
        yield made


def test_issue_18_a_run_is_labelled_by_what_computed_it(watched):
    session = watched.session
    watched.load(pendulum(method="lagrange/rk4/projection"))
    watched.run_to(0.1)
    session.set_method("lagrange/rk4/none")
    watched.settled()
    now = session.current
    assert now.method == "lagrange/rk4/projection"  # nothing was computed with the other one yet
    session.lifecycle.reset()
    watched.until(lambda: session.state == "ready" and session.current is not now)
    assert now.methods == "lagrange/rk4/projection"
    assert now.differs(session.document.scene) == "projection"  # formulation and scheme are the same


def test_issue_18_an_edit_that_still_compiles_is_not_what_computed_the_run(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.1)
    run = session.current
    session.document.apply(set_parameter(session.document.scene, "m", 30.0))
    assert run.differs(session.document.scene) == "m = 3.0"  # at once, whatever the engine does meanwhile
    assert run.scene.parameters[0].value == 3.0


def test_issue_18_several_methods_are_told_with_their_spans(watched):
    session = watched.session
    watched.load(pendulum(method="lagrange/rk4/projection"))
    watched.run_to(0.1)
    session.set_method("lagrange/euler/projection")
    watched.settled()
    watched.run_to(session.t + 0.1)
    run, (first, second) = session.current, session.current.record.segments
    assert run.methods == (
        f"0 to {first.recorder.t_last:.3g} s: lagrange/rk4/projection; "
        f"from {first.recorder.t_last:.3g} s: lagrange/euler/projection"  # it may go on
    )
    session.lifecycle.reset()
    watched.until(lambda: session.state == "ready" and session.current is not run)
    assert run.methods.endswith(
        f"{first.recorder.t_last:.3g} to {second.recorder.t_last:.3g} s: lagrange/euler/projection"
    )
    assert run.differs(session.document.scene).endswith("s: nothing")


def test_issue_18_looking_back_shows_the_scene_of_that_instant(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.1)
    before = session.document.scene
    session.document.apply(rename(before, ROD, "arm"))
    watched.settled()
    watched.run_to(session.t + 0.1)
    assert session.scene is session.document.scene
    session.transport.seek(0.02)
    assert session.scene is before
    assert set(session.poses()) == {body.name for body in session.scene.bodies} == {"rod"}
    session.transport.go_live()
    assert session.scene is session.document.scene


def test_looks_are_those_of_the_document_at_every_instant(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.1)
    session.transport.seek(0.02)
    session.document.apply(set_visible(session.document.scene, [ROD], False))
    assert session.state == "detached"
    assert session.scene is session.document.scene


def test_an_edit_while_looking_back_shows_where_it_acts(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.1)
    end = session.t
    session.transport.seek(0.02)
    session.document.apply(set_parameter(session.document.scene, "m", 30.0))
    watched.settled()
    assert session.playhead.live
    assert session.t == end
    assert any("acts at the end of Run 1" in text for _, text, _ in watched.messages)


def test_issue_18_undo_of_a_removed_body_inside_a_run(watched):
    session = watched.session
    watched.load(load_scene(FOUR_BAR))
    session.document.apply(remove(session.document.scene, [Ref("bodies", "rocker")]))
    watched.until(lambda: session.state == "ready")
    without = session.document.scene
    watched.run_to(0.3)
    t, before = session.current.channel("energy.kinetic")
    session.document.stack.undo()
    watched.settled()
    run = session.current
    assert np.array_equal(run.channel("energy.kinetic", end=float(t[-2]))[1], before[:-1])
    session.transport.seek(0.1)
    assert session.scene is without
    assert "rocker" not in session.poses()


def test_issue_18_a_run_is_saved_with_how_it_ended(watched):
    session = watched.session
    watched.load(pendulum(duration=0.1))
    watched.run_to(0.02)
    whole = session.current
    if whole.t_last < 0.1:
        assert extract_of(whole, ()).facts["status"] == "cancelled"
    watched.run_to(0.1)
    assert extract_of(whole, ()).facts["status"] == "finished"
    session.lifecycle.reset()
    watched.until(lambda: session.state == "ready" and session.current is not whole)
    session.transport.step(3)
    watched.until(lambda: session.t > 0.0)
    broken_off = session.current
    session.lifecycle.reset()
    watched.until(lambda: session.state == "ready" and session.current is not broken_off)
    assert extract_of(whole, ()).facts["status"] == "finished"
    assert extract_of(broken_off, ()).facts["status"] == "cancelled"


def test_issue_18_play_at_the_end_says_what_can_be_done(watched):
    session = watched.session
    watched.load(pendulum(duration=0.1))
    watched.run_to(0.1)
    session.transport.play()
    watched.settled()
    assert session.state == "paused"
    assert session.t == session.current.t_last
    assert "has ended" in watched.messages[-1][1]
    session.transport.seek(0.02)
    session.transport.play()  # the record, from an instant that was chosen
    assert session.state == "playing"
    session.transport.pause()


def test_issue_18_runs_have_colours_of_their_own_and_none_is_dropped_without_a_word(watched, monkeypatch):
    monkeypatch.setattr("app.session.recorded.run_list.KEPT_RUNS", 2)
    session = watched.session
    watched.load(pendulum())
    for _ in range(4):
        session.transport.step(3)
        watched.until(lambda: session.t > 0.0)
        before = session.current
        session.lifecycle.reset()
        watched.until(lambda now=before: session.state == "ready" and session.current is not now)
    assert len({run.color for run in session.runs}) == len(session.runs) == 3
    assert [text for _, text, _ in watched.messages if "was dropped" in text]


def test_a_dragged_slider_is_one_mark_on_the_timeline(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.1)
    for value in (3.1, 3.2, 3.3):
        session.document.apply(set_parameter(session.document.scene, "m", value))
        watched.settled()
    assert [text for _, text in session.current.events] == ["changed m"]
