"""The session: transport, runs, live edits, failures; whatever the order of commands."""

import math
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from app.commands import add, remove, rename, set_field, set_parameter, set_simulation, set_start, set_visible
from app.document import Document, Edit, Ref
from app.problems import ref_of
from app.resources import scene_paths
from app.run import Run
from app.session import Session
from app.stored import store_run, stored_run
from app.watched import STATES
from engine import Problem, Scene, SceneError, load_scene
from engine.elements.bodies import Body
from engine.elements.measures import ExpressionMeasure

pytestmark = pytest.mark.usefixtures("qapp")

PATIENCE = 90.0  # s; a first run may have to compile
FOUR_BAR = scene_paths()["four_bar"]


def pendulum(**simulation: object) -> Scene:
    return (
        Scene(space="planar")
        .with_parameter("m", 3.0)
        .with_body("rod", mass="m", com=[0.6, 0.0], inertia=["0.12*m"])
        .with_joint("revolute", "hinge", a={"body": "world"}, b={"body": "rod", "point": [0.0, 0.0]})
        .with_simulation(**{"dt": 0.002, "duration": 100.0, **simulation})
    )


class Watched:
    """A session with what it has told."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.messages: list[tuple[str, str, Ref | None]] = []
        self.states: list[str] = []
        session.message.connect(lambda level, text, ref: self.messages.append((level, text, ref)))
        session.state_changed.connect(self.states.append)

    def until(self, condition: Callable[[], object], patience: float = PATIENCE) -> None:
        end = time.perf_counter() + patience
        while True:
            self.session.tick()
            assert self.session.state in STATES
            if condition():
                return
            assert time.perf_counter() < end, (self.session.state, self.session.t, self.messages)
            time.sleep(0.004)

    def load(self, scene: Scene) -> None:
        self.session.document.load(scene)
        self.until(lambda: self.session.state == "ready")

    def settled(self) -> None:
        """Until all that was posted has been done."""
        done = threading.Event()
        self.session._engine.post(done.set)
        self.until(
            lambda: not self.session._builder.worker.busy and not self.session._building and done.is_set()
        )
        again = threading.Event()
        self.session._engine.post(again.set)
        self.until(again.is_set)
        self.session.tick()

    def run_to(self, t: float) -> None:
        self.session.set_speed(math.inf)
        self.session.play()
        self.until(lambda: self.session.t >= t)
        self.session.pause()
        self.settled()


@pytest.fixture
def watched(tmp_path) -> Iterator[Watched]:
    before = set(threading.enumerate())
    session = Session(Document(autosave=tmp_path), warm=False)
    made = Watched(session)
    yield made
    begin = time.perf_counter()
    assert session.close()
    assert time.perf_counter() - begin < 2.0
    session.document.forget_autosave()
    assert set(threading.enumerate()) <= before, "a thread is left"


def test_an_empty_session(watched):
    session = watched.session
    assert session.state == "empty"
    for command in (
        session.play,
        session.pause,
        session.toggle,
        session.step,
        session.reset,
        session.go_live,
    ):
        command()
    session.seek(1.0)
    session.tick()
    assert session.state == "empty"
    assert session.poses() == {}
    assert session.current is None


def test_opening_shows_the_given_pose_first_and_the_assembled_one_when_there_is_one(watched):
    session = watched.session
    session.document.open(FOUR_BAR)
    assert session.state == "compiling"
    assert set(session.poses()) == {body.name for body in session.document.scene.bodies}
    watched.until(lambda: session.state == "ready")
    assert session.current.t_first == session.t == 0.0
    assert set(session.poses()) == {body.name for body in session.document.scene.bodies}
    assert session.speed == session.document.scene.simulation.speed
    watched.until(lambda: session.check is not None)
    assert session.check.mobility.dof == 1


def test_play_pause_and_single_steps(watched):
    session = watched.session
    watched.load(pendulum())
    session.play()
    assert session.state == "playing"
    watched.until(lambda: session.t > 0.1)
    assert session.status.playing
    session.toggle()
    watched.settled()
    assert session.state == "paused"
    there = session.t
    watched.until(lambda: True)
    assert session.t == there == session.current.t_last
    session.step(3)
    watched.until(lambda: session.t > there)
    watched.settled()
    assert session.t == pytest.approx(there + 0.006)
    session.step(-2)
    assert session.state == "detached"
    assert session.t == pytest.approx(there + 0.002)
    session.step(1)
    assert session.t == pytest.approx(there + 0.004)
    session.step(1)
    session.step(1)  # beyond the end of the record: the engine makes one more
    watched.until(lambda: session.t > there + 0.007)
    assert session.t == pytest.approx(there + 0.008)
    assert session.state == "paused"


def test_it_keeps_pace_with_the_wall_clock(watched):
    session = watched.session
    watched.load(pendulum())
    session.set_speed(0.5)
    session.play()
    watched.until(lambda: session.t > 0.0)
    begin, first = time.perf_counter(), session.t
    watched.until(lambda: time.perf_counter() > begin + 0.8)
    if not session.status.resynchronised:
        assert session.t - first == pytest.approx(0.5 * (time.perf_counter() - begin), abs=0.1)


def test_slow_motion_moves_between_two_steps(watched):
    session = watched.session
    watched.load(pendulum(dt=0.05))
    session.set_speed(0.05)
    session.play()
    seen: list[float] = []
    watched.until(lambda: seen.append(session.t) or session.t > 0.06)
    assert len(set(seen)) > 20
    assert seen == sorted(seen)


def test_seeking_detaches_the_view_while_the_engine_goes_on(watched):
    session = watched.session
    watched.load(pendulum())
    session.set_speed(20.0)
    session.play()
    watched.until(lambda: session.t > 1.0)
    session.seek(0.25)
    assert session.state == "detached"
    assert session.t == 0.25
    last = session.current.t_last
    watched.until(lambda: session.current.t_last > last + 0.2)
    assert session.t == 0.25
    expected = session.current.poses_at(0.25)["rod"]
    np.testing.assert_array_equal(session.poses()["rod"][0], expected[0])
    session.go_live()
    watched.until(lambda: session.state == "playing" and session.t > last)
    session.seek(-9.0)
    assert session.t == 0.0


def test_playing_a_scrubbed_record_continues_live_at_its_end(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.5)
    end = session.current.t_last
    session.set_speed(5.0)
    session.seek(0.1)
    session.play()
    assert session.state == "playing"
    assert not session.playhead.live
    watched.until(lambda: session.t > 0.2)
    watched.until(lambda: session.playhead.live)
    watched.until(lambda: session.t > end)
    assert session.state == "playing"


def test_at_its_end_a_run_is_played_again(watched):
    session = watched.session
    watched.load(pendulum(duration=0.3))
    session.set_speed(math.inf)
    session.play()
    watched.until(lambda: session.state == "paused")
    assert session.t == 0.3
    session.set_speed(2.0)
    session.play()
    watched.until(lambda: 0.0 < session.t < 0.2)
    watched.until(lambda: session.state == "paused")
    assert session.t == 0.3
    session.loop = True
    session.play()
    times: list[float] = []
    watched.until(lambda: times.append(session.t) or (np.diff(times) < 0.0).sum() >= 2)
    session.loop = False
    session.pause()
    session.go_live()
    session.set_endless(True)
    watched.settled()
    session.play()
    watched.until(lambda: session.t > 0.4)


def test_reset_keeps_the_old_run(watched):
    session = watched.session
    watched.load(pendulum())
    session.reset()
    watched.settled()
    assert len(session.runs) == 1  # one that never moved is not worth keeping
    watched.run_to(0.2)
    old = session.current
    session.reset()
    watched.settled()
    assert session.state == "ready"
    assert session.t == 0.0
    assert session.runs == [old, session.current]
    assert (old.kind, session.current.kind) == ("finished", "live")
    assert old.t_last >= 0.2
    assert len(old.channel("energy.total")[0]) == old.count
    session.remove_run(old)
    session.remove_run(session.current)
    assert session.runs == [session.current]


def test_a_number_edit_acts_at_once_from_the_present_instant_on(watched):
    session = watched.session
    watched.load(pendulum())
    session.play()
    watched.until(lambda: session.t > 0.1)
    begin = time.perf_counter()
    session.document.apply(set_parameter(session.document.scene, "m", 30.0))
    watched.until(lambda: len(session.current.record.segments) == 2)
    taken = time.perf_counter() - begin
    assert taken < 1.0
    watched.until(lambda: session.t > session.current.record.segments[1].recorder.t_first + 0.05)
    session.pause()
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


def test_a_method_change_starts_a_segment(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.2)
    session.set_method("euler", dt=0.001)
    watched.settled()
    assert len(session.runs) == 1
    assert session.current.method == "lagrange/euler/projection"
    assert session.current.dt == 0.001
    assert session.document.scene.simulation.method == "euler"
    there = session.t
    session.step(2)
    watched.until(lambda: session.t > there)
    watched.settled()
    assert session.t == pytest.approx(there + 0.002)
    with pytest.raises(SceneError, match="unknown method"):
        session.set_method("oiler")
    with pytest.raises(SceneError, match="option"):
        session.set_method("dopri5", {"nonsense": 1.0})
    session.set_method("dopri5", {"rtol": 1e-9})
    watched.settled()
    assert session.current.options == {"rtol": 1e-9}
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
    session.step()
    watched.until(lambda: session.t > there)


def test_moving_a_body_edits_the_start_and_rewinds(watched):
    session = watched.session
    watched.load(pendulum())
    watched.run_to(0.3)
    old = session.current
    session.document.apply(set_start(session.document.scene, session.poses()))
    watched.until(lambda: session.current is not old)
    assert session.t == 0.0
    assert session.runs == [old, session.current]
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


def test_a_failed_step_pauses_with_the_reason_and_the_guilty_element(watched):
    session = watched.session
    watched.load(pendulum().with_force("force", "gust", body="rod", components=["log(0.1 - t)", 0.0]))
    session.play()
    watched.until(lambda: session.state == "failed")
    level, text, ref = watched.messages[-1]
    assert level == "error"
    assert "gust" in text
    assert ref == Ref("forces", "gust")
    assert session.t == session.current.t_last == pytest.approx(0.1, abs=0.005)
    assert np.isfinite(session.poses()["rod"][0]).all()
    told = len(watched.messages)
    session.play()
    assert session.state == "failed"
    assert len(watched.messages) == told + 1
    session.document.apply(remove(session.document.scene, [Ref("forces", "gust")]))
    watched.until(lambda: session.state == "paused")
    session.play()
    watched.until(lambda: session.t > 0.2)


def test_a_scene_that_cannot_be_assembled_is_told(watched):
    session = watched.session
    apart = pendulum().with_joint(
        "revolute", "far", a={"body": "world", "point": [9.0, 0.0]}, b={"body": "rod", "point": [1.0, 0.0]}
    )
    session.document.load(apart)
    watched.until(lambda: session.state == "failed")
    assert watched.messages[-1][0] == "error"
    assert set(session.poses()) == {"rod"}
    session.play()
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
    some, values = run.channel(f"body.{body}.pos.x", t[3], t[9])
    np.testing.assert_array_equal(values, x[3:10])
    np.testing.assert_array_equal(some, t[3:10])
    assert run.unit(f"body.{body}.pos.x") == "m"


def test_what_distinguishes_a_run():
    run = Run(1, pendulum())
    assert run.differs(pendulum()) == ""
    assert run.differs(pendulum(method="euler", dt=0.01)) == "rk4, dt 0.002"
    assert run.differs(set_parameter(pendulum(), "m", 4.0).after) == "m = 3.0"
    assert run.differs(add(pendulum(), Body(name="ball")).after) == "ball"
    assert run.empty
    assert run.poses_at(0.0) == {}
    assert run.names() == ()


def test_problems_name_elements():
    scene = pendulum()
    assert ref_of(scene, Problem('joints[0] "hinge".a', 1, "", "")) == Ref("joints", "hinge")
    assert ref_of(scene, Problem("bodies.rod", 1, "", "")) == Ref("bodies", "rod")
    assert ref_of(scene, Problem("simulation.dt", 1, "", "")) == Ref("simulation", "")
    assert ref_of(scene, Problem("title", 1, "", "")) is None


def test_another_document_takes_the_place_of_the_first_while_it_runs(watched):
    session = watched.session
    watched.load(pendulum())
    session.play()
    watched.until(lambda: session.t > 0.05)
    session.document.open(FOUR_BAR)
    assert session.runs == []
    assert session.t == 0.0
    watched.until(lambda: session.state == "ready")
    assert "rod" not in session.poses()
    session.document.new()
    watched.settled()
    assert session.state == "empty"
    assert session.poses() == {}


def test_closing_while_running_ends_all_threads(tmp_path):
    before = set(threading.enumerate())
    session = Session(Document(autosave=tmp_path), warm=False)
    watched = Watched(session)
    session.document.open(FOUR_BAR)
    watched.until(lambda: session.state == "ready")
    session.set_speed(math.inf)
    session.play()
    watched.until(lambda: session.t > 0.1)
    begin = time.perf_counter()
    assert session.close()
    assert time.perf_counter() - begin < 2.0
    assert session.close()
    session.tick()
    assert set(threading.enumerate()) <= before


def test_cold_kernels_are_compiled_by_another_process(tmp_path, monkeypatch):
    monkeypatch.setattr("app.builder.kernels_ready", lambda mechanism, method: False)
    program = "import time\nfor i in range(3): print(f'{i}/3 piece', flush=True); time.sleep(0.1)"
    monkeypatch.setattr("app.builder.warmup_command", lambda path: [sys.executable, "-c", program])
    session = Session(Document(autosave=tmp_path))
    watched = Watched(session)
    told: set[str] = set()
    session.advanced.connect(lambda: told.add(session.progress))
    session.document.load(pendulum())
    session.play()  # remembered until it can
    watched.until(lambda: session.state == "playing")
    assert watched.states == ["compiling", "ready", "playing"] or watched.states == ["compiling", "playing"]
    assert any(text.endswith("/3 piece") for text in told)
    session.document.load(pendulum())
    watched.until(lambda: session.progress != "")
    begin = time.perf_counter()
    assert session.close()
    assert time.perf_counter() - begin < 2.0


def test_a_stored_run_is_shown_while_kernels_are_compiled(tmp_path, monkeypatch, watched):
    session = watched.session
    session.document.open(FOUR_BAR)
    watched.until(lambda: session.state == "ready")
    watched.run_to(0.5)
    ran = session.current
    store_run(ran, tmp_path / "runs" / "four_bar.npz")
    monkeypatch.setattr("app.stored.data_folder", lambda name: tmp_path)
    scene = session.document.scene
    again = stored_run(scene, "four_bar", 7)
    assert again is not None
    assert again.kind == "replay"
    t = 0.3 + 1.0 / 60.0 / 3.0
    for name, (origin, R) in ran.poses_at(t).items():
        np.testing.assert_allclose(again.poses_at(t)[name][0], origin, atol=2e-3)
        np.testing.assert_allclose(again.poses_at(t)[name][1], R, atol=2e-2)
    assert stored_run(set_simulation(scene, dt=0.5).after, "four_bar", 8) is None
    assert stored_run(scene, "five_bar", 8) is None

    monkeypatch.setattr("app.builder.kernels_ready", lambda mechanism, method: False)
    program = "import time\nfor i in range(9): print(f'{i}/9 piece', flush=True); time.sleep(0.1)"
    monkeypatch.setattr("app.builder.warmup_command", lambda path: [sys.executable, "-c", program])
    session._builder.warm = True
    session.document.open(FOUR_BAR)
    watched.until(
        lambda: session.current is not None and session.current.kind == "replay" and session.t > 0.1
    )
    assert session.state == "compiling"
    watched.until(lambda: session.state == "ready")
    assert session.current.kind == "live"
    assert session.t == 0.0
    assert session.runs == [session.current]


def test_the_default_scene_has_a_stored_run():
    # after an edit of the scene: python -m app.stored four_bar
    run = stored_run(load_scene(FOUR_BAR), "four_bar", 1)
    assert run is not None
    assert run.t_last > 1.0


def _commands(watched: Watched, rng: random.Random) -> dict[str, Callable[[], object]]:
    session = watched.session
    document = session.document

    def edit(make: Callable[[Scene], Edit]) -> Callable[[], object]:
        return lambda: document.apply(make(document.scene))

    def any_body(scene: Scene) -> Ref:
        return Ref("bodies", rng.choice([body.name for body in scene.bodies]))

    def drop_ball(scene: Scene) -> Edit:
        balls = [Ref("bodies", body.name) for body in scene.bodies if body.name.startswith("ball")]
        return remove(scene, balls[:1])

    def scene_file() -> None:
        document.load(load_scene(scene_paths()[rng.choice(["four_bar", "pendulum", "slider_crank"])]))

    return {
        "play": session.play,
        "pause": session.pause,
        "toggle": session.toggle,
        "step": lambda: session.step(rng.choice([1, 5, -1, -20])),
        "reset": session.reset,
        "seek": lambda: session.seek(
            rng.uniform(-0.1, session.current.t_last + 0.1 if session.current else 1.0)
        ),
        "live": session.go_live,
        "speed": lambda: session.set_speed(rng.choice([0.01, 1.0, 10.0, 100.0, math.inf])),
        "loop": lambda: setattr(session, "loop", rng.random() < 0.3),
        "method": lambda: session.set_method(rng.choice(["rk4", "euler", "rk2", "dopri5"])),
        "dt": lambda: session.set_method(dt=rng.choice([0.001, 0.003, 0.01])),
        "mass": edit(lambda s: set_field(s, [any_body(s)], "mass", rng.uniform(0.5, 3.0))),
        "gravity": edit(lambda s: set_field(s, [Ref("scene", "")], "gravity", [0.0, rng.uniform(-9.0, 0.0)])),
        "duration": edit(lambda s: set_simulation(s, duration=rng.uniform(0.2, 5.0))),
        "pose": edit(lambda s: set_start(s, session.poses()) if not document.problems else Edit("", s)),
        "look": edit(lambda s: set_visible(s, [any_body(s)], rng.random() < 0.5)),
        "ball": edit(lambda s: add(s, Body(name="ball", position=(3.0, 3.0), mass=1.0, inertia=(0.1,)))),
        "drop": edit(drop_ball),
        "rename": edit(lambda s: rename(s, any_body(s), f"body_{rng.randrange(10**6)}")),
        "undo": document.stack.undo,
        "redo": document.stack.redo,
        "open": scene_file,
        "read": lambda: session.current and session.current.channel("energy.total"),
        "poses": session.poses,
    }


@pytest.mark.parametrize("turn", range(2))
def test_any_sequence_of_commands(watched, turn):
    seed = int(os.environ.get("TRAMMEL_SEED", 0)) or random.SystemRandom().randrange(10**6)
    steps = int(os.environ.get("TRAMMEL_STEPS", 150))
    rng = random.Random(seed + turn)
    session = watched.session
    session.document.load(load_scene(FOUR_BAR))
    commands = _commands(watched, rng)
    names = list(commands)
    weights = [0.3 if name == "open" else 1.0 for name in names]
    done: list[str] = []
    crashes: list[str] = []
    session.message.connect(lambda level, text, ref: "fault of the program" in text and crashes.append(text))
    try:
        for _ in range(steps):
            name = rng.choices(names, weights)[0]
            done.append(name)
            commands[name]()
            for _ in range(rng.choice([0, 0, 1, 3])):
                session.tick()
                time.sleep(0.002)
                assert session.state in STATES
                for origin, R in session.poses().values():
                    assert origin.shape == (3,)
                    assert R.shape == (3, 3)
            assert not crashes, crashes[0]
        watched.settled()
        assert not crashes, crashes[0]
        assert session._engine.is_alive()
    except BaseException:
        print(f"TRAMMEL_SEED={seed} turn {turn}: {done}")  # noqa: T201 (to repeat it)
        raise
