"""Days on which nothing works: unreadable files, full disks, killed compilers, crashes, explosions."""

import errno
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app.dialogs.recovery import Answer
from app.document.document import Edit, Ref
from app.edits import set_field
from app.platform.resources import scene_paths
from app.window.main_window import MainWindow
from tests.app.window.windows import open_window, wait
from tests.paths import ROOT


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with open_window(tmp_path) as made:
        yield made


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What message boxes say, instead of waiting for someone to read it."""
    texts: list[str] = []

    def tell(parent: object, title: str, text: str, *_: object) -> None:
        texts.append(f"{title}: {text}")

    monkeypatch.setattr(QMessageBox, "warning", tell)
    monkeypatch.setattr(QMessageBox, "critical", tell)
    return texts


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    none = Qt.KeyboardModifier.NoModifier
    window.dropEvent(
        QDropEvent(QPointF(QPoint(5, 5)), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, none)
    )


def changed(window: MainWindow) -> None:
    document = window.session.document
    document.apply(Edit("Add", document.scene.with_parameter("work", 1.0)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.json", b"{"),
        ("picture.png", bytes(range(256))),
        ("empty.json", b""),
        ("list.json", b"[1, 2]"),
        ("field.json", b'{"format": "trammel-scene", "version": 1, "bodies": [{"name": "a", "mas": 1}]}'),
        ("later.json", b'{"format": "trammel-scene", "version": 999}'),
    ],
)
def test_a_file_that_cannot_be_read(
    window: MainWindow, told: list[str], tmp_path: Path, name: str, content: bytes
) -> None:
    assert window.open_path(scene_paths()["pendulum"])
    before = window.session.document.scene
    path = tmp_path / name
    path.write_bytes(content)
    drop(window, path)
    assert len(told) == 1
    assert name in told[0]
    assert "Traceback" not in told[0]
    assert window.session.document.scene is before
    assert window.session.document.path == scene_paths()["pendulum"]


def test_a_folder_and_a_file_that_is_gone(window: MainWindow, told: list[str], tmp_path: Path) -> None:
    drop(window, tmp_path)
    drop(window, tmp_path / "gone.json")
    assert len(told) == 2


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(window: MainWindow, told: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "sealed"
    folder.mkdir(mode=0o500)
    changed(window)
    assert not window.handlers.saving.save_to(folder / "mine.json")
    assert "mine.json" in told[0]
    assert str(folder) in told[0]
    assert not window.session.document.clean


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (errno.ENOSPC, "the disk is full; free some room"),
        (errno.EROFS, "cannot be written to; choose another"),
        (errno.EACCES, "cannot be written to; choose another"),
        (errno.EIO, os.strerror(errno.EIO)),
    ],
)
def test_a_full_or_sealed_disk_keeps_the_old_file_and_the_work(
    window: MainWindow,
    told: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    reason: int,
    words: str,
) -> None:
    path = tmp_path / "mine.json"
    changed(window)
    assert window.handlers.saving.save_to(path)
    saved = path.read_bytes()
    changed_again = window.session.document
    changed_again.apply(Edit("Add", changed_again.scene.with_parameter("more", 2.0)))

    def full(file: int) -> None:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr("engine.model.files.scene_file.os.fsync", full)
    assert not window.handlers.saving.save()
    assert words.lower() in told[0].lower()
    assert path.read_bytes() == saved
    assert not window.session.document.clean
    assert not list(tmp_path.glob("*.part"))
    assert window.session.document.autosave() is None  # and the copy for crashes does not fail loudly


def test_numbers_that_explode_pause_the_run(window: MainWindow, qtbot: QtBot) -> None:
    messages: list[tuple[str, str]] = []
    session = window.session
    assert window.open_path(scene_paths()["double_pendulum"])
    wait(qtbot, lambda: session.state == "ready")
    session.message.connect(lambda level, text, ref: messages.append((level, text)))
    session.set_method("lagrange/euler/baumgarte", {"alpha": 1e6, "beta": 1e6})
    session.transport.set_speed(float("inf"))
    session.transport.play()
    wait(qtbot, lambda: session.state == "failed" or any(level == "error" for level, _ in messages))
    wait(qtbot, lambda: session.state == "failed")
    assert any(level == "error" and text for level, text in messages)
    # the last good state is kept, and what cannot be drawn any more does not spoil the picture
    assert all(math.isfinite(number) for p, R in session.poses().values() for number in (*p, *R.ravel()))
    assert not window.viewport.grab().isNull()
    session.lifecycle.reset()
    wait(qtbot, lambda: session.state == "ready")


def test_closing_while_a_kernel_is_being_compiled(qtbot: QtBot, tmp_path: Path) -> None:
    with open_window(tmp_path) as window:
        begin = _compile_something(window, qtbot)
        window.close()
        assert time.monotonic() - begin < 2.0


def _compile_something(window: MainWindow, qtbot: QtBot) -> float:
    """Let the window believe that kernels are missing; a process that sleeps stands in for the compiler."""
    code = "import time; print('1/9 asleep', flush=True); time.sleep(60)"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.session.background.run_builder.kernels_ready", lambda *_: False)
        patch.setattr(
            "app.session.background.run_builder.warmup_command", lambda path: [sys.executable, "-c", code]
        )
        assert window.open_path(scene_paths()["pendulum"])
        wait(qtbot, lambda: window.session.lifecycle.progress)
    assert window.session.state == "compiling"
    return time.monotonic()


def test_a_compiler_that_is_killed_is_told_and_can_be_tried_again(window: MainWindow, qtbot: QtBot) -> None:
    messages: list[str] = []
    session = window.session
    session.message.connect(lambda level, text, ref: messages.append(text) if level == "error" else None)
    _compile_something(window, qtbot)
    process = session.lifecycle.builder.compiler.process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    wait(qtbot, lambda: session.state != "compiling")
    assert any("compil" in text and "again" in text for text in messages), messages
    window.act("run.reset")  # the kernels are there in truth: this time it works
    wait(qtbot, lambda: session.state == "ready")


CRASH = """
import os, signal, sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from app.document.document import Edit
from app.cli.driving.private_window import own_window
from app.platform.resources import scene_paths
from app.platform.application import application
from app.session.session import Session
from app.document.document import Document
from app.window.main_window import MainWindow
from app.platform.settings import Settings

folder = Path(sys.argv[1])
application(offscreen=True)
session = Session(Document(autosave=folder / "autosave"), warm=False)
window = MainWindow(session, Settings(folder / "settings.ini"))
window.show()
window.open_path(scene_paths()["pendulum"])
document = window.session.document
document.apply(Edit("Add", document.scene.with_parameter("lost", 7.0)))
window._autosave.timeout.emit()
while not list((folder / "autosave").glob("*.json")):  # written on a thread of its own
    time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_work_comes_back_after_a_kill(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(ROOT)
    done = subprocess.run(
        [sys.executable, "-c", CRASH, str(tmp_path)], env={**os.environ, "PYTHONPATH": root}, timeout=120
    )
    assert done.returncode == -signal.SIGKILL
    (copy,) = (tmp_path / "autosave").glob("*.json")
    assert json.loads(copy.read_text())["parameters"][-1]["name"] == "lost"
    monkeypatch.setattr("app.window.handlers.file.ask_recovery", lambda parent, copies: Answer.LATER)
    window.handlers.file.offer_recovery()
    assert copy.is_file()
    monkeypatch.setattr("app.window.handlers.file.ask_recovery", lambda parent, copies: Answer.OPEN)
    window.handlers.file.offer_recovery()
    document = window.session.document
    assert document.scene.parameter("lost").value == 7.0
    assert document.path == scene_paths()["pendulum"]
    assert not document.clean
    document.apply(set_field(document.scene, [Ref("bodies", document.scene.bodies[0].name)], "notes", "back"))
