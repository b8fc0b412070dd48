"""Whatever a user does, the window goes on. The seed is printed; TRAMMEL_SEED repeats a sequence."""

import os
import random
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.commands import set_field
from app.document import Ref
from app.drive.window import close_dialogs, in_front
from app.main_window import MainWindow
from app.resources import scene_paths
from engine.errors import SceneError
from tests.app.windows import open_window

SCENES = ("four_bar", "double_pendulum", "slider_crank", "stewart_platform")
# these end the program, ask the desktop for a file, or wait for an answer in a loop of their own
LEFT_OUT = (
    "file.quit",
    "file.open",
    "file.save",
    "file.save_as",
    "file.picture",
    "file.export",
    "file.film",
    "file.report",
    "file.python",
    "plots.save",
    "view.fullscreen",
)
METHODS = ("rk4", "euler", "rk2", "dopri5", "lagrange/rk4/baumgarte", "lagrange/euler/none")


class Newcomer:
    """Does something at random."""

    def __init__(self, window: MainWindow, rng: random.Random) -> None:
        self.window, self.rng = window, rng

    def act(self) -> str:
        rng, session = self.rng, self.window.session
        what = rng.choices(
            ("action", "open", "select", "edit", "method", "step", "seek", "speed", "undo"),
            (6.0, 0.3, 2.0, 1.0, 0.7, 0.5, 1.0, 0.5, 1.0),
        )[0]
        scene = session.document.scene
        if what == "action":
            possible = [
                id
                for id, made in self.window.actions_by_id.items()
                if made.isEnabled() and id not in LEFT_OUT
            ]
            what = rng.choice(possible)
            self.window.actions_by_id[what].trigger()
        elif what == "open":
            session.document.open(scene_paths()[rng.choice(SCENES)])
        elif what == "select":
            refs = [Ref(where, item.name) for where in ("bodies", "joints") for item in getattr(scene, where)]
            session.selection.set(rng.sample(refs, min(len(refs), rng.randrange(4))))
        elif what == "edit" and scene.bodies:
            body = Ref("bodies", rng.choice(scene.bodies).name)
            session.document.apply(set_field(scene, [body], "mass", rng.uniform(0.1, 5.0)))
        elif what == "method":
            session.set_method(rng.choice(METHODS))
        elif what == "step":
            session.set_method(dt=rng.choice([1e-4, 1e-3, 5e-3, 2e-2]))
        elif what == "seek" and session.current is not None:
            session.seek(rng.uniform(-0.1, session.current.t_last + 0.1))
        elif what == "speed":
            session.set_speed(rng.choice([0.01, 0.5, 1.0, 20.0, float("inf")]))
        elif what == "undo":
            (session.document.stack.undo if rng.random() < 0.6 else session.document.stack.redo)()
        return what


def _go(steps: int, qtbot: QtBot, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QMessageBox

    seed = int(os.environ.get("TRAMMEL_SEED", 0)) or random.SystemRandom().randrange(10**6)
    rng, done, faults = random.Random(seed), [], []
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    print(f"TRAMMEL_SEED={seed}")  # noqa: T201
    with open_window(folder) as window:
        window.session.message.connect(
            lambda level, text, ref: faults.append(text) if "fault of the program" in text else None
        )
        newcomer = Newcomer(window, rng)
        # dialogs have a loop of their own: whatever opens is left again, as Escape would
        escape = QTimer()
        escape.timeout.connect(lambda: close_dialogs() if in_front() is not None else None)
        escape.start(40)
        window.session.document.open(scene_paths()["four_bar"])
        for _ in range(steps):
            try:
                done.append(newcomer.act())
            except SceneError as error:  # refused with a reason, as an edit in a panel is
                done.append(f"refused: {error}")
            for _ in range(rng.randrange(4)):
                QApplication.processEvents()
                window.session.tick()
        escape.stop()
        assert not faults, (seed, done[-20:], faults)
        assert window.isVisible()


def test_any_sequence_of_actions(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _go(250, qtbot, tmp_path, monkeypatch)


@pytest.mark.soak
@pytest.mark.parametrize("turn", range(3))
def test_thousands_of_actions(
    turn: int, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _go(3000, qtbot, tmp_path, monkeypatch)
