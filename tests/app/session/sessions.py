"""What tests of the session share: a session that is watched without a window, and a small scene."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.document.document import Document, Ref
from app.platform.resources import scene_paths
from app.session.playing.session_state import State
from app.session.session import Session
from engine import Scene

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


class Watcher:
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
            assert self.session.state in State
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
        self.session.engine.loop.post(done.set)
        self.until(
            lambda: (
                not self.session.lifecycle.builder.worker.busy
                and self.session.state != "compiling"
                and done.is_set()
            )
        )
        again = threading.Event()
        self.session.engine.loop.post(again.set)
        self.until(again.is_set)
        self.session.tick()

    def run_to(self, t: float) -> None:
        self.session.transport.set_speed(math.inf)
        self.session.transport.play()
        self.until(lambda: self.session.t >= t)
        self.session.transport.pause()
        self.settled()


@contextmanager
def watched_session(folder: Path) -> Iterator[Watcher]:
    """A session of its own; all its threads have ended after it, in time."""
    before = set(threading.enumerate())
    session = Session(Document(autosave=folder), warm=False)
    yield Watcher(session)
    begin = time.perf_counter()
    assert session.close()
    assert time.perf_counter() - begin < 2.0
    session.document.forget_autosave()
    assert set(threading.enumerate()) <= before, "a thread is left"
