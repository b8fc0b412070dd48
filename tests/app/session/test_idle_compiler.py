"""Methods are compiled ahead by another process, which gives way to what a run waits for (issue 18)."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.session import idle_compiler
from app.session.idle_compiler import IdleCompiler
from app.session.session import Session

WAITS = "import time; print('0/2 a', flush=True); time.sleep(600)"
ENDS = "print('0/2 a'); print('1/2 b'); print('2/2 ready')"


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setattr(idle_compiler, "DELAY", 0)
    made = Session(Document(autosave=tmp_path), warm=False)
    yield made
    made.close()


@pytest.fixture
def compiler(session: Session, qtbot: QtBot) -> Iterator[IdleCompiler]:
    made = IdleCompiler(session)
    yield made
    made.stop()


def obeys(monkeypatch: pytest.MonkeyPatch, program: str) -> list[tuple[str, ...]]:
    """The child runs this program instead; what it was asked for."""
    asked: list[tuple[str, ...]] = []

    def command(*arguments: str) -> list[str]:
        asked.append(arguments)
        return [sys.executable, "-c", program]

    monkeypatch.setattr(idle_compiler, "warmup_command", command)
    return asked


def test_progress_is_told_until_all_is_there(
    compiler: IdleCompiler, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = obeys(monkeypatch, ENDS)
    compiler.start()
    qtbot.waitUntil(lambda: compiler.total > 0 and not compiler.active)
    assert (compiler.done, compiler.total) == (2, 2)
    assert asked == [("--idle",)]


def test_it_makes_way_for_a_run_and_comes_back(
    compiler: IdleCompiler, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = obeys(monkeypatch, WAITS)
    compiler.start()
    qtbot.waitUntil(lambda: compiler.total == 2)
    session.state_changed.emit("compiling")
    assert not compiler.active
    session.state_changed.emit("ready")
    qtbot.waitUntil(lambda: compiler.active)
    assert len(asked) == 2


def test_a_click_ends_it_for_good(
    compiler: IdleCompiler, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = obeys(monkeypatch, WAITS)
    compiler.start()
    qtbot.waitUntil(lambda: compiler.active)
    compiler.stop()
    assert not compiler.active
    session.state_changed.emit("ready")
    qtbot.wait(50)
    assert len(asked) == 1
