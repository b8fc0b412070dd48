"""Whatever a user does, the window goes on. The seed is printed; TRAMMEL_SEED repeats a sequence."""

import os
import random
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.platform.resources import scene_paths
from engine import load_scene
from tests.app.use.monkey import Monkey, no_desktop
from tests.app.window.windows import open_window

EVERYDAY = 4711  # seed of the quick test, which must say the same of the same code; the soak draws its own


def _go(steps: int, folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int = 0) -> None:
    seed = int(os.environ.get("TRAMMEL_SEED", 0)) or seed or random.SystemRandom().randrange(10**6)
    rng, done, faults = random.Random(seed), [], []
    print(f"TRAMMEL_SEED={seed}")  # noqa: T201
    no_desktop(monkeypatch)
    with open_window(folder) as window:
        window.session.message.connect(
            lambda level, text, ref: faults.append(text) if "fault of the program" in text else None
        )
        monkey = Monkey(window, seed)
        monkey.keep_answering()
        window.session.document.load(load_scene(scene_paths()["four_bar"]))
        for step in range(steps):
            done.append(monkey.act())
            for _ in range(rng.randrange(3)):
                QApplication.processEvents()
                window.session.tick()
            if window.session.state in ("ready", "paused") and step % 10 == 0:
                window.session.transport.play()  # most of it while it runs
            assert not faults, (seed, done[-20:], faults)
        monkey.calm = True
        assert window.isVisible()


def test_any_sequence_of_actions(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _go(150, tmp_path, monkeypatch, seed=EVERYDAY)


@pytest.mark.soak
def test_five_thousand_actions(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _go(5000, tmp_path, monkeypatch)
