"""On a machine where nothing is compiled yet the thread of the window compiles nothing: another process does.

Each test is a program of its own, with an empty cache of kernels.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

WINDOW = """
import sys, threading, time
from pathlib import Path

from numba.core import compiler
from PySide6.QtWidgets import QApplication

application = QApplication(["trammel"])
from app.document.document import Ref
from app.platform.resources import scene_paths
from tests.app.window.windows import open_window

here, mine = threading.current_thread(), []
core = compiler.CompilerBase._compile_core

def noted(self):
    if threading.current_thread() is here:
        mine.append(self.state.func_id.func_qualname)
    return core(self)

compiler.CompilerBase._compile_core = noted

def turn(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        application.processEvents()
        time.sleep(0.005)

def turn_until(condition):
    end = time.monotonic() + 900.0
    while not condition():
        assert time.monotonic() < end
        turn(0.02)

with open_window(Path(sys.argv[1])) as window:
    session = window.session
    window.open_path(scene_paths()["four_bar"])
    turn_until(lambda: session.lifecycle.progress)  # another process compiles
    BODY
    assert not mine, mine
    sys.stdout.write("done\\n")
"""
ALIGNED = """
    run = session.current
    assert run is not None and run.moved and not run.names()  # poses that are shipped, without channels
    turn(1.0)
    before = session.document.scene
    session.selection.set([Ref("joints", name) for name in ("A", "D")])
    window.act("edit.align_y")
    turn(1.0)
    assert session.document.scene is before
    assert session.computed.words == "Align" and "Align follows" in window.fields.labels["state"].text()
    body = Ref("bodies", "crank")
    session.selection.set([body])
    turn(0.3)
    {end}
"""
TAKEN_BACK = """
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    QTest.keyClick(window.viewport, Qt.Key.Key_Escape)
    turn(0.5)
    assert not session.computed.words and session.document.scene is before
"""
MADE = """
    turn_until(lambda: not session.computed.words)
    turn_until(lambda: not session.busy)
    assert session.current.names()
"""


def _cold(folder: Path, body: str) -> None:
    program = WINDOW.replace("BODY", body.strip())
    environment = {**os.environ, "TRAMMEL_CACHE_DIR": str(folder / "cache"), "QT_QPA_PLATFORM": "offscreen"}
    words = [sys.executable, "-c", program, str(folder / "window")]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert "done" in done.stdout, done.stderr[-3000:]


def test_what_is_asked_for_meanwhile_can_be_taken_back(tmp_path: Path) -> None:
    _cold(tmp_path, ALIGNED.replace("{end}", TAKEN_BACK.strip()))


@pytest.mark.soak
def test_what_is_asked_for_meanwhile_is_made_when_all_is_there(tmp_path: Path) -> None:
    _cold(tmp_path, ALIGNED.replace("{end}", MADE.strip()))
