"""Hundreds of scenes and windows leave no thread and no memory behind. Run with -m soak."""

import gc
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.platform.resources import scene_paths
from tests.app.window.windows import open_window, wait

SETTLED = 20  # openings after which all caches are full
LEAK = 20e6  # bytes
SCENES = ("four_bar", "stewart_platform", "bicycle", "cardan_shaft", "pendulum")


def memory() -> int:
    """Bytes of this process that are in memory."""
    gc.collect()
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


def grown(times: int, once: Callable[[int], object]) -> tuple[float, int]:
    """Memory [bytes] and threads that came after the first openings."""
    begin, threads = 0, 0
    for number in range(times):
        once(number)
        QApplication.processEvents()
        if number + 1 == SETTLED:
            begin, threads = memory(), threading.active_count()
    return memory() - begin, threading.active_count() - threads


@pytest.mark.soak
def test_three_hundred_scenes_in_one_window(qtbot: QtBot, tmp_path: Path) -> None:
    paths = scene_paths()
    with open_window(tmp_path) as window:

        def once(number: int) -> None:
            assert window.open_path(paths[SCENES[number % len(SCENES)]])
            wait(qtbot, lambda: window.session.state == "ready")
            window.act("run.toggle")
            wait(qtbot, lambda: window.session.t > 0.0)
            window.viewport.grab()

        size, threads = grown(300, once)
    print(f"300 scenes in one window: {size / 1e6:+.1f} MB, {threads:+d} threads after the {SETTLED}th")  # noqa: T201
    assert threads == 0
    assert size < LEAK


@pytest.mark.soak
def test_a_hundred_windows(qtbot: QtBot, tmp_path: Path) -> None:
    path = scene_paths()["four_bar"]

    def once(number: int) -> None:
        with open_window(tmp_path) as window:
            assert window.open_path(path)
            wait(qtbot, lambda: window.session.state == "ready")
            window.act("run.toggle")
            wait(qtbot, lambda: window.session.t > 0.0)
            window.viewport.grab()

    size, threads = grown(100, once)
    print(f"100 windows: {size / 1e6:+.1f} MB, {threads:+d} threads after the {SETTLED}th")  # noqa: T201
    assert threads == 0
    assert size < LEAK


@pytest.mark.soak
def test_closing_while_running_ends_within_two_seconds(qtbot: QtBot, tmp_path: Path) -> None:
    slowest = 0.0
    for name, path in scene_paths().items():
        with open_window(tmp_path / name) as window:
            assert window.open_path(path)
            wait(qtbot, lambda window=window: window.session.state == "ready")
            window.session.transport.set_speed(float("inf"))
            window.act("run.toggle")
            qtbot.wait(100)
            window.session.document.stack.setClean()
            begin = time.monotonic()
            window.close()
            slowest = max(slowest, time.monotonic() - begin)
    print(f"closing while running: {slowest:.2f} s at most")  # noqa: T201
    assert slowest < 2.0
