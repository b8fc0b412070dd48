"""No sequence of commands brings a session down."""

import math
import os
import random
import time
from collections.abc import Callable, Iterator

import pytest

from app.document.document import Edit, Ref
from app.edits import add, remove, rename, set_field, set_simulation, set_start, set_visible
from app.platform.resources import scene_paths
from app.session.playing.session_state import State
from engine import Scene, load_scene
from engine.elements.bodies.body import Body
from tests.app.session.sessions import FOUR_BAR, Watcher, watched_session

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def watched(tmp_path) -> Iterator[Watcher]:
    with watched_session(tmp_path) as made:
        yield made


def _commands(watched: Watcher, rng: random.Random) -> dict[str, Callable[[], object]]:
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
        "play": session.transport.play,
        "pause": session.transport.pause,
        "toggle": session.transport.toggle,
        "step": lambda: session.transport.step(rng.choice([1, 5, -1, -20])),
        "reset": session.lifecycle.reset,
        "seek": lambda: session.transport.seek(
            rng.uniform(-0.1, session.current.t_last + 0.1 if session.current else 1.0)
        ),
        "live": session.transport.go_live,
        "speed": lambda: session.transport.set_speed(rng.choice([0.01, 1.0, 10.0, 100.0, math.inf])),
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
                assert session.state in State
                for origin, R in session.poses().values():
                    assert origin.shape == (3,)
                    assert R.shape == (3, 3)
            assert not crashes, crashes[0]
        watched.settled()
        assert not crashes, crashes[0]
        assert session.engine.loop.is_alive()
    except BaseException:
        print(f"TRAMMEL_SEED={seed} turn {turn}: {done}")  # noqa: T201 (to repeat it)
        raise
