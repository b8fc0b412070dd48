"""Edits while a session has a run: which act at once, which begin a segment or a new run."""

import math
import time
from collections.abc import Iterator

import numpy as np
import pytest

from app.document.document import Edit, Ref
from app.document.problem_elements import ref_of
from app.edits import add, remove, rename, set_parameter, set_start, set_visible
from app.exchange.film.film import Plan, Studio
from app.exchange.runs.extracts import extract_of
from app.exchange.runs.opening import open_run
from app.session.playing import engine_events
from engine import Problem, Scene, SceneError
from engine.elements.bodies.body import Body
from engine.elements.measures.expression import ExpressionMeasure
from engine.results.files.extract import save
from engine.results.saved_runs import load_trajectory
from tests.app.session.sessions import Watcher, pendulum, watched_session

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def watched(tmp_path) -> Iterator[Watcher]:
    with watched_session(tmp_path) as made:
        yield made


def test_a_number_edit_acts_at_once_from_the_present_instant_on(watched):
    session = watched.session
    watched.load(pendulum())
    session.transport.play()
    watched.until(lambda: session.t > 0.1)
    begin = time.perf_counter()
    session.document.apply(set_parameter(session.document.scene, "m", 30.0))
    watched.until(lambda: len(session.current.record.segments) == 2)
    taken = time.perf_counter() - begin
    assert taken < 1.0
    watched.until(lambda: session.t > session.current.record.segments[1].recorder.t_first + 0.05)
    session.transport.pause()
    assert len(session.runs) == 1
    assert "changed m" in session.current.events[0][1]
    t, kinetic = session.current.channel("energy.kinetic")
    at = session.current.record.segments[0].recorder.count
    assert t[at] == t[at - 1]
    assert kinetic[at] == pytest.approx(10.0 * kinetic[at - 1])
    assert np.abs(session.current.channel("energy.error")[1]).max() < 1e-6
    assert (np.diff(t) >= 0.0).all()
    session.document.stack.undo()  # restores the scene, never time
    watched.settled()
    assert session.t > 0.1
    assert len(session.current.record.segments) == 3


def test_a_slider_dragged_while_it_runs_leaves_one_mark(watched, monkeypatch):
    session = watched.session
    now = 0.0
    monkeypatch.setattr(engine_events.time, "monotonic", lambda: now)
    handle, told = engine_events.EngineNotifications._handle, []
    monkeypatch.setattr(
        engine_events.EngineNotifications,
        "_handle",
        lambda self, event: told.append(event.kind) or handle(self, event),
    )
    watched.load(pendulum())
    session.transport.play()
    for i, pause in enumerate((0.0, 0.1, 0.1, 1.0)):
        now += pause
        watched.until(lambda: session.t > session.current.record.segments[-1].recorder.t_first + 0.01)
        session.document.apply(set_parameter(session.document.scene, "m", 4.0 + i))
        watched.until(lambda n=i + 1: told.count("edited") == n)  # by the clock as it stands
    session.transport.pause()
    marks = [t for t, text in session.current.events if "changed m" in text]
    begins = [segment.recorder.t_first for segment in session.current.record.segments]
    assert marks == [begins[1], begins[4]]  # one for three steps of a hand, one for an edit by itself


def test_a_distance_is_still_read_from_the_past_after_its_body_got_another_name(watched):
    """Found by random use: the measure names the body as it is called now, the recorded part as it was."""
    session = watched.session
    ends = {"a": {"body": "world"}, "b": {"body": "rod"}}
    watched.load(pendulum().with_measure("distance", "away", **ends))
    session.transport.play()
    watched.until(lambda: session.t > 0.05)
    session.document.apply(rename(session.document.scene, Ref("bodies", "rod"), "arm"))
    watched.until(lambda: len(session.current.record.segments) == 2)
    session.transport.pause()
    _, away = session.current.channel("measure.away")
    assert np.isfinite(away).all()


def test_a_method_change_starts_a_segment(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.2)
    session.set_method("euler", dt=0.001)
    watched.settled()
    assert len(session.runs) == 1
    assert session.current.segments[-1].recorded.method == "lagrange/euler/projection"
    assert session.current.segments[-1].recorded.dt == 0.001
    assert session.document.scene.simulation.method == "euler"
    there = session.t
    session.transport.step(2)
    watched.until(lambda: session.t > there)
    watched.settled()
    assert session.t == pytest.approx(there + 0.002)
    assert session.current.method == "lagrange/euler/projection"
    assert session.current.dt == 0.001
    with pytest.raises(SceneError, match="unknown method"):
        session.set_method("oiler")
    with pytest.raises(SceneError, match="option"):
        session.set_method("dopri5", {"nonsense": 1.0})
    session.set_method("dopri5", {"rtol": 1e-9})
    watched.settled()
    assert session.current.segments[-1].recorded.scene.simulation.options == {"rtol": 1e-9}
    session.set_method("rk4")  # options of the other method go
    watched.settled()
    assert session.document.scene.simulation.options == {}
    assert len(session.current.segments) in (3, 4)  # one that never got beyond its start is replaced


def test_a_structural_edit_carries_the_state_over_by_body_name(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.3)
    there, pose = session.t, session.poses()["rod"]
    session.document.apply(add(session.document.scene, Body(name="ball", mass=1.0, inertia=(1.0,))))
    watched.until(lambda: "ball" in session.poses())
    assert session.t == there
    np.testing.assert_allclose(session.poses()["rod"][0], pose[0], atol=1e-12)
    np.testing.assert_allclose(session.poses()["rod"][1], pose[1], atol=1e-12)
    session.document.apply(rename(session.document.scene, Ref("bodies", "rod"), "arm"))
    watched.until(lambda: "arm" in session.poses())
    np.testing.assert_allclose(session.poses()["arm"][1], pose[1], atol=1e-12)
    t, angle = session.current.channel("body.arm.angle")  # the past, by the new name
    assert np.isfinite(angle).all()
    assert t[0] == 0.0
    assert np.isnan(session.current.channel("body.ball.pos.x")[1][0])  # it was not there then
    session.document.apply(remove(session.document.scene, [Ref("bodies", "ball")]))
    watched.until(lambda: "ball" not in session.poses())
    session.transport.step()
    watched.until(lambda: session.t > there)


def test_moving_a_body_edits_the_start_and_rewinds(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.3)
    old = session.current
    session.document.apply(set_start(session.document.scene, session.poses()))
    watched.until(lambda: session.current is not old)
    assert session.t == 0.0
    assert list(session.runs) == [old, session.current]
    np.testing.assert_allclose(session.poses()["rod"][1], old.poses_at(old.t_last)["rod"][1], atol=1e-9)
    session.document.stack.undo()
    watched.settled()
    np.testing.assert_allclose(session.poses()["rod"][1], np.eye(3), atol=1e-12)


def test_looks_and_measures_do_not_touch_the_run(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.2)
    document = session.document
    document.apply(set_visible(document.scene, [Ref("bodies", "rod")], False))
    measure = ExpressionMeasure(name="twice", expression="2*body.rod.angle")
    document.apply(add(document.scene, measure))
    watched.settled()
    assert len(session.current.segments) == 1
    # a channel that is added later shows the whole past
    t, twice = session.current.channel("measure.twice")
    assert len(t) == session.current.count
    np.testing.assert_allclose(twice, 2.0 * session.current.channel("body.rod.angle")[1])
    with pytest.raises(KeyError, match="unknown channel"):
        session.current.channel("body.rod.angel")


def test_a_scene_that_cannot_be_assembled_is_told(watched):
    session = watched.session
    apart = pendulum().with_joint(
        "revolute", "far", a={"body": "world", "point": [9.0, 0.0]}, b={"body": "rod", "point": [1.0, 0.0]}
    )
    session.document.load(apart)
    watched.until(lambda: session.state == "failed")
    assert watched.messages[-1][0] == "error"
    assert set(session.poses()) == {"rod"}
    session.transport.play()
    assert session.state == "failed"
    session.document.apply(remove(session.document.scene, [Ref("joints", "far")]))
    watched.until(lambda: session.state == "ready")


def test_a_broken_edit_waits_for_the_next_one(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.2)
    there = session.t
    broken = session.document.scene.with_force("motor", "M", joint="nowhere", effort=1.0)
    session.document.apply(Edit("break it", broken))
    watched.until(lambda: session.state == "failed")
    assert watched.messages[-1][2] == Ref("forces", "M")
    assert len(session.current.segments) == 1
    session.document.stack.undo()
    watched.until(lambda: session.state == "paused")
    assert session.t == there


def test_problems_name_elements():
    scene = pendulum()
    assert ref_of(scene, Problem('joints[0] "hinge".a', 1, "", "")) == Ref("joints", "hinge")
    assert ref_of(scene, Problem("bodies.rod", 1, "", "")) == Ref("bodies", "rod")
    assert ref_of(scene, Problem("simulation.dt", 1, "", "")) == Ref("simulation", "")
    assert ref_of(scene, Problem("title", 1, "", "")) is None


def test_what_is_recorded_can_be_played_while_the_scene_is_broken(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.2)
    session.document.apply(Edit("break", session.document.scene.with_simulation(method="nonsense")))
    watched.until(lambda: session.state == "failed")
    session.transport.play()
    assert session.state == "failed"
    assert "cannot be simulated" in watched.messages[-1][1]
    told = len(watched.messages)
    session.transport.seek(0.05)
    session.transport.play()
    watched.until(lambda: session.t > 0.1)
    watched.until(lambda: session.state == "failed")  # at the end of the record
    assert session.t == session.current.t_last
    assert len(watched.messages) == told


def test_a_number_being_tried_is_not_given_to_another_scene(watched):
    session = watched.session
    watched.load(pendulum())
    asked, answers = session.document.scene, []
    session.attempt(lambda scene, value: set_parameter(scene, "m", value), 5.0, 3.0, answers.append)
    session.document.load(pendulum(duration=7.0))
    watched.until(lambda: not session.busy)
    assert asked.parameter("m").value == session.document.scene.parameter("m").value == 3.0
    assert answers == []


def test_a_length_that_is_varied_moves_bodies_without_a_warning(watched, monkeypatch):
    """Loops that close elsewhere are what was asked for; a scene that is opened so is still told."""
    monkeypatch.setattr("engine.system.assembly.misfit.NOTABLE_SHIFT", 0.1)

    def told() -> int:
        return sum("assembly moved" in text for _, text, _ in watched.messages)

    watched.load(four_bar_of_length(0.776))
    assert told() == 0
    for length in (1.0, 0.7):
        watched.session.document.apply(set_parameter(watched.session.document.scene, "L", length))
        watched.until(lambda: watched.session.state == "ready" and not watched.session.busy)
        watched.settled()
    assert told() == 0
    watched.load(four_bar_of_length(1.0))
    watched.until(lambda: told() == 1, 20.0)


def four_bar_of_length(length: float) -> Scene:
    """Drawn for a coupler of 0.776 m."""
    B = np.array([0.2 * math.cos(1.3), 0.2 * math.sin(1.3)])
    scene = Scene(space="planar").with_parameter("L", length, unit="m", min=0.1, max=2.0)
    C = rocker_tip(B, np.array([0.7, 0.0]), 0.776, 0.412)
    bars = {
        "crank": ([0, 0], 1.3, 0.2),
        "coupler": (list(B), math.atan2(*(C - B)[::-1]), "L"),
        "rocker": ([0.7, 0], math.atan2(C[1], C[0] - 0.7), 0.412),
    }
    for name, (at, angle, size) in bars.items():
        ends = [{"name": "A", "position": [0, 0]}, {"name": "B", "position": [size, 0]}]
        scene = scene.with_body(name, position=at, angle=angle, mass=1.0, inertia=[0.01], points=ends)
    for name, a, b in (
        ("J1", {"body": "world", "point": [0, 0]}, {"body": "crank", "point": "A"}),
        ("J2", {"body": "crank", "point": "B"}, {"body": "coupler", "point": "A"}),
        ("J3", {"body": "coupler", "point": "B"}, {"body": "rocker", "point": "B"}),
        ("J4", {"body": "world", "point": [0.7, 0]}, {"body": "rocker", "point": "A"}),
    ):
        scene = scene.with_joint("revolute", name, a=a, b=b)
    return scene.with_motion("joint_motion", "motor", joint="J1", function="60 rpm*t")


def rocker_tip(B, D, coupler, rocker):
    """Where two circles meet, the upper point."""
    d = float(np.linalg.norm(D - B))
    along = (coupler**2 - rocker**2 + d**2) / (2.0 * d)
    u = (D - B) / d
    return B + along * u + math.sqrt(coupler**2 - along**2) * np.array([-u[1], u[0]])


def test_a_run_whose_mechanism_changed_is_saved_opened_and_drawn(watched, tmp_path):
    """Samples of its segments have different widths: opening it, and so its picture and film, failed."""
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.2)
    session.document.apply(add(session.document.scene, Body(name="ball", mass=1.0, inertia=(1.0,))))
    watched.until(lambda: "ball" in session.poses())
    watched.run_to(0.4)
    run = session.current
    save(extract_of(run), tmp_path / "run.npz")
    trajectory = load_trajectory(tmp_path / "run.npz")
    assert len(trajectory.segments) > 1
    assert len(trajectory.t) == len(trajectory) == run.count
    fall = trajectory.channel("body.ball.pos.y")
    assert np.isnan(fall[0])
    assert np.isfinite(fall[-1])
    with pytest.raises(KeyError):
        trajectory.channel("body.nobody.pos.y")
    again = open_run(tmp_path / "run.npz", 2)
    assert set(again.poses_at(0.1)) == {"rod"}
    assert [body.name for body in again.scene_at(0.1).bodies] == ["rod"]
    assert [body.name for body in again.scene_at(again.t_last).bodies] == ["rod", "ball"]
    studio = Studio(again, Plan(size=(160, 120), end=0.4), tmp_path)
    try:
        assert studio.picture(0.1).shape == studio.picture(0.35).shape == (120, 160, 3)
    finally:
        studio.close()
