"""A session before its kernels are compiled: another process makes them, a stored run is shown."""

import sys
import time
from collections.abc import Iterator

import numpy as np
import pytest

from app.document.document import Document
from app.edits import set_simulation
from app.session.session import Session
from app.session.storage.stored_poses import store_run, stored_run
from engine import load_scene
from tests.app.session.sessions import FOUR_BAR, Watcher, pendulum, watched_session

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def watched(tmp_path) -> Iterator[Watcher]:
    with watched_session(tmp_path) as made:
        yield made


def test_cold_kernels_are_compiled_by_another_process(tmp_path, monkeypatch):
    monkeypatch.setattr("app.session.background.run_builder.kernels_ready", lambda mechanism, method: False)
    program = "import time\nfor i in range(3): print(f'{i}/3 piece', flush=True); time.sleep(0.1)"
    monkeypatch.setattr(
        "app.session.background.run_builder.warmup_command", lambda path: [sys.executable, "-c", program]
    )
    session = Session(Document(autosave=tmp_path))
    watched = Watcher(session)
    told: set[str] = set()
    session.advanced.connect(lambda: told.add(session.lifecycle.progress))
    session.document.load(pendulum())
    session.transport.play()  # remembered until it can
    watched.until(lambda: session.state == "playing")
    assert watched.states == ["compiling", "ready", "playing"] or watched.states == ["compiling", "playing"]
    assert any(text.endswith("/3 piece") for text in told)
    session.document.load(pendulum())
    watched.until(lambda: session.lifecycle.progress != "")
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
    monkeypatch.setattr("app.session.storage.stored_poses.data_folder", lambda name: tmp_path)
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

    monkeypatch.setattr("app.session.background.run_builder.kernels_ready", lambda mechanism, method: False)
    program = "import time\nfor i in range(9): print(f'{i}/9 piece', flush=True); time.sleep(0.1)"
    monkeypatch.setattr(
        "app.session.background.run_builder.warmup_command", lambda path: [sys.executable, "-c", program]
    )
    session.lifecycle.builder.warm = True
    session.document.open(FOUR_BAR)
    watched.until(
        lambda: session.current is not None and session.current.kind == "replay" and session.t > 0.1
    )
    assert session.state == "compiling"
    watched.until(lambda: session.state == "ready")
    assert session.current.kind == "live"
    assert session.t == 0.0
    assert list(session.runs) == [session.current]


def test_the_default_scene_has_a_stored_run():
    # after an edit of the scene: python -m app.session.storage.stored_poses four_bar
    run = stored_run(load_scene(FOUR_BAR), "four_bar", 1)
    assert run is not None
    assert run.t_last > 1.0


def test_a_fault_of_the_program_ends_the_wait_for_a_run(monkeypatch, watched):
    """It is told, nothing hangs, and the next attempt works; with an earlier run, that one stays."""
    session = watched.session

    def faulty(*args: object, **options: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("app.session.background.run_builder.LiveSimulation", faulty)
        session.document.load(pendulum())
        watched.until(lambda: watched.messages)
        assert session.state == "empty"
    session.lifecycle.reset()
    watched.until(lambda: session.state == "ready")
    watched.run_to(0.1)
    run = session.current
    with monkeypatch.context() as patch:
        patch.setattr("app.session.background.run_builder.LiveSimulation", faulty)
        session.lifecycle.reset()
        watched.until(lambda: len(watched.messages) == 2)
    assert session.state == "paused"
    assert session.current is run
    assert all("ZeroDivisionError" in text for _, text, _ in watched.messages)


def test_a_fault_of_a_check_does_not_end_the_wait_for_a_run(monkeypatch, watched):
    session = watched.session

    def faulty(scene: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.session.background.run_builder.kernels_ready", lambda mechanism, method: False)
    monkeypatch.setattr(
        "app.session.background.run_builder.warmup_command",
        lambda path: [sys.executable, "-c", "import time; time.sleep(0.5)"],
    )
    monkeypatch.setattr("app.session.background.validation.prepare", faulty)
    session.lifecycle.builder.warm = True
    session.document.load(pendulum())
    watched.until(lambda: watched.messages)
    assert session.state == "compiling"
    watched.until(lambda: session.state == "ready")
