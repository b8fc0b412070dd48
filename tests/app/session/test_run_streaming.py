"""The window writes a run to a file while it runs."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import h5py
import pytest
from numpy.testing import assert_array_equal
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.edits import set_field
from app.platform.resources import scene_paths
from app.window.main_window import MainWindow
from engine import load_trajectory
from tests.app.window.windows import open_window, wait


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with open_window(tmp_path / "own", warm=False) as window:
        assert window.open_path(scene_paths()["double_pendulum"])
        wait(qtbot, lambda: window.session.state == "ready")
        window.session.transport.set_endless(True)
        yield window


def _count(path: Path) -> int:
    """Rows in a file that is not complete."""
    with h5py.File(path) as file:
        last = max(file["segments"], key=int)
        return int(file[f"segments/{last}/count"][0])


def test_a_run_is_written_while_it_runs(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session, path = window.session, tmp_path / "run.h5"
    told: list[str] = []
    session.message.connect(lambda level, text, ref: told.append(text))
    session.transport.play()
    assert session.streaming.start(path, ["energy.total", "joint.B.angle"])
    assert not session.streaming.start(path, [])
    assert window.recording.isVisible()
    assert not window.menus.actions["file.stream"].isEnabled()
    wait(qtbot, lambda: path.exists() and _count(path) > 50)  # it opens while it grows
    run = session.current
    assert run is not None
    scene = session.document.scene
    session.document.apply(set_field(scene, [Ref("bodies", "lower")], "mass", 3.0))
    wait(qtbot, lambda: len(run.segments) == 2 and run.segments[1].recorder.count > 100)
    session.transport.pause()
    wait(qtbot, lambda: session.state == "paused")
    window.act("file.stream_stop")
    wait(qtbot, lambda: session.streaming.stream is None)
    assert any("run.h5 is complete" in text for text in told)
    assert not window.recording.isVisible()
    again = load_trajectory(path)
    assert len(again.segments) == 2
    assert_array_equal(again.t, run.channel("energy.total")[0][: len(again.t)])
    assert len(again.t) > 150
    with h5py.File(path) as file:
        assert "count" not in file["segments/1"]
        assert_array_equal(file["channels/energy.total"], run.channel("energy.total")[1][: len(again.t)])
        assert_array_equal(file["t"], again.t)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["own", "run.h5"]


def test_another_run_and_the_end_complete_the_file(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session = window.session
    session.transport.play()
    session.streaming.start(tmp_path / "a.h5", [])
    wait(qtbot, lambda: session.streaming.stream is not None and session.streaming.stream.samples > 20)
    session.lifecycle.reset()
    wait(qtbot, lambda: session.streaming.stream is None)
    assert load_trajectory(tmp_path / "a.h5").t[0] == 0.0
    wait(qtbot, lambda: session.state == "ready")
    session.transport.play()
    session.streaming.start(tmp_path / "b.h5", [])
    wait(qtbot, lambda: session.streaming.stream is not None and session.streaming.stream.samples > 20)
    window.session.document.stack.setClean()
    window.close()
    with h5py.File(tmp_path / "b.h5") as file:
        assert "count" not in file["segments/0"]
        assert len(file["t"]) > 20


def test_a_full_disk_ends_the_file_and_not_the_run(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, path = window.session, tmp_path / "run.h5"
    told: list[tuple[str, str]] = []
    session.message.connect(lambda level, text, ref: told.append((level, text)))
    session.transport.play()
    session.streaming.start(path, [])
    wait(qtbot, lambda: session.streaming.stream is not None and session.streaming.stream.samples > 20)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("engine.results.files.stream_file._write_at", full)
        wait(qtbot, lambda: session.streaming.stream is None)
    assert told[-1][0] == "error"
    assert "No space left on device; what was written until then is kept" in told[-1][1]
    run = session.current
    assert run is not None
    reached = run.t_last
    wait(qtbot, lambda: run.t_last > reached + 0.05)  # the run goes on
    assert len(load_trajectory(path).t) > 20
    session.streaming.start(tmp_path / "none" / "run.h5", [])
    wait(qtbot, lambda: session.streaming.stream is None)
    assert "No such file" in told[-1][1]
