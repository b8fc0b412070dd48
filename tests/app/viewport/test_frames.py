"""What a frame and an edit cost, counted rather than timed."""

import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document, Edit, Ref
from app.platform.resources import scene_paths
from app.platform.settings import Settings
from app.session.frame_clock import FRAME, MAX_INTERVAL, SHARE, frame_time
from app.session.session import Session
from app.window.main_window import MainWindow
from engine import Problem, Scene, set_value, validate

PATIENCE = 90_000  # ms; a first run may have to compile


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    made = MainWindow(Session(Document(autosave=tmp_path / "autosave")), Settings(tmp_path / "settings.ini"))
    with qtbot.waitExposed(made):
        made.show()
    assert made.open_path(scene_paths()["four_bar"])
    qtbot.waitUntil(lambda: made.session.state == "ready", timeout=PATIENCE)
    yield made
    made.session.document.stack.setClean()
    made.close()
    made.deleteLater()


def counted(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[str]:
    """Calls of a method from now on."""
    calls: list[str] = []
    real = getattr(owner, name)

    def call(*args: Any, **options: Any) -> Any:
        calls.append(name)
        return real(*args, **options)

    monkeypatch.setattr(owner, name, call)
    return calls


def test_a_number_edit_while_playing_rebuilds_nothing(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, view = window.session, window.viewport.view
    session.selection.set([Ref("bodies", "crank")])
    session.transport.set_endless(True)
    session.transport.play()
    qtbot.waitUntil(lambda: session.t > 0.3, timeout=PATIENCE)
    built, length = view.visuals_built, max(len(path) for path in view._drawn.traces.paths())
    assert length > 10
    calls = [
        counted(monkeypatch, view, "set_scene"),
        counted(monkeypatch, view, "_rebuild"),
        counted(monkeypatch, window.docks.panels["inspector"], "_build"),
        counted(monkeypatch, window.docks.panels["tree"], "rebuild"),
    ]
    waited = counted(monkeypatch, session, "tick")
    before = session.document.scene
    session.document.apply(Edit("heavier", set_value(before, "bodies.crank.mass", 3.0)))
    assert not waited
    qtbot.waitUntil(lambda: len(session.current.segments) > 1, timeout=PATIENCE)
    qtbot.waitUntil(lambda: session.t > session.current.record.segments[-1].recorder.t_first + 0.05)
    assert not any(calls), calls
    assert view.visuals_built == built
    assert max(len(path) for path in view._drawn.traces.paths()) > length


def test_problems_are_found_behind_the_edit_and_only_those_of_the_newest_scene_count(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, session = window.session.document, window.session
    checkers = []

    def checked(scene: Scene) -> list[Problem]:
        checkers.append(threading.current_thread())
        return validate(scene)

    monkeypatch.setattr("engine.system.prepared.validate", checked)
    sound = document.scene
    for mass in (-1.0, -2.0, -3.0):
        document.apply(Edit("wrong", set_value(sound, "bodies.crank.mass", mass)))
    assert threading.main_thread() not in checkers, "an edit waited for the checks"
    qtbot.waitUntil(lambda: Ref("bodies", "crank") in session.faults.by_element(), timeout=PATIENCE)
    (problem,) = session.faults.by_element()[Ref("bodies", "crank")]
    assert "-3" in problem.message
    document.apply(Edit("mend it", sound))
    qtbot.waitUntil(lambda: not session.faults.by_element(), timeout=PATIENCE)


def test_a_frame_is_painted_once_and_only_when_something_changed(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: not window.session.busy, timeout=PATIENCE)
    qtbot.wait(100)
    renders = counted(monkeypatch, window.viewport.view, "_prepare")
    qtbot.wait(200)
    assert not renders, "nothing moves"
    ticks = counted(monkeypatch, window.session, "tick")
    window._frames.timeout.disconnect()
    window._frames.timeout.connect(lambda: window.session.tick())
    window.session.transport.set_endless(True)
    window.session.transport.play()
    qtbot.waitUntil(lambda: window.session.t > 0.3, timeout=PATIENCE)
    window.session.transport.pause()
    assert 0 < len(renders) <= len(ticks) + 1


def test_at_full_speed_drawing_has_its_share() -> None:
    assert frame_time(0.0) == FRAME
    assert frame_time(0.012) == round(12.0 / SHARE)
    assert frame_time(1.0) == MAX_INTERVAL


def test_a_reset_is_not_ready_before_its_run_is_there(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.transport.set_speed(math.inf)
    session.transport.play()
    qtbot.waitUntil(lambda: session.t > 0.1, timeout=PATIENCE)
    old = session.current
    session.lifecycle.reset()
    assert session.state == "compiling"
    qtbot.waitUntil(lambda: session.state == "ready", timeout=PATIENCE)
    assert session.current is not old
    assert session.t == 0.0
