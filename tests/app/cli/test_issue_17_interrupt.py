"""After Ctrl-C what goes on is told, and a second Ctrl-C ends it without a file."""

import ctypes
import importlib
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from typing import Any

import pytest

from app.cli import run_command_line
from app.cli.commands import report, run
from app.cli.failure import INTERRUPTED
from app.cli.interrupt import AGAIN, interrupts_arrive
from engine import simulate


@contextmanager
def pressed() -> Iterator[Callable[[], bool]]:
    yield lambda: True


@pytest.fixture(params=[(run, "run", "run.csv"), (report, "report", "page.html")], ids=["run", "report"])
def stopped(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """A command whose simulation was stopped after a second, its words and its file."""
    module, command, name = request.param
    calls = iter([False, False, False, True])
    monkeypatch.setattr(
        module,
        "simulated",
        lambda scene, **settings: simulate(scene, duration=1e3, cancel=lambda: next(calls)),
    )
    file = tmp_path / name
    return module, [command, "pendulum", "--out", str(file)], file


def test_what_was_recorded_is_saved_and_told(stopped: Any, capsys: pytest.CaptureFixture[str]) -> None:
    _, words, file = stopped
    assert run_command_line(words) == INTERRUPTED
    assert f"{file}, Ctrl-C again to leave it" in capsys.readouterr().err
    assert file.is_file()


def test_a_second_interrupt_leaves_no_file(
    stopped: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module, words, file = stopped
    monkeypatch.setattr(module, "cancel_on_interrupt", pressed)
    assert run_command_line(words) == INTERRUPTED
    assert f"stopped; {file} was not saved" in capsys.readouterr().err
    assert not file.exists()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C counts, also where the tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_within_a_call_back_comes_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    """As Ctrl-C while a kernel is being compiled: the compiler calls back into Python."""
    call = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))

    def work() -> None:
        call()
        time.sleep(10.0)

    begin = time.monotonic()
    with interrupts_arrive(), pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - begin < 5.0, "it wakes up what waits"
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("interruptible")
def test_what_fails_behind_an_interrupt_within_a_call_back_is_no_mistake() -> None:
    """The compiler missed what the call should have given it, and the program told a mistake of its own."""
    call = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))

    def work() -> None:
        call()
        raise RuntimeError("no compiled object yet")

    with pytest.raises(KeyboardInterrupt), interrupts_arrive():
        work()
    time.sleep(3.0 * AGAIN)  # and nothing comes again


class Library(ExtensionFileLoader):
    """Ctrl-C comes while a compiled library sets itself up."""

    whole = False

    def exec_module(self, module: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        self.whole = True


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_within_the_loading_of_a_library_comes_behind_it() -> None:
    """VTK ended the process by a segmentation fault."""
    library = Library("library", "library.so")

    def work() -> None:
        library.exec_module(None)
        time.sleep(10.0)

    with interrupts_arrive(), pytest.raises(KeyboardInterrupt):
        work()
    assert library.whole


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_within_an_import_comes_behind_it_once_qt_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt makes its classes when they are imported: an interrupt was lost there, or a class lacked parts."""
    (tmp_path / "imports_qt.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGINT)\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "PySide6", sys)

    def work() -> None:
        importlib.import_module("imports_qt")
        time.sleep(10.0)

    with interrupts_arrive(), pytest.raises(KeyboardInterrupt):
        work()
    assert sys.modules.pop("imports_qt").whole


def test_what_fails_without_an_interrupt_is_told() -> None:
    with pytest.raises(RuntimeError, match="a mistake"), interrupts_arrive():
        raise RuntimeError("a mistake")
