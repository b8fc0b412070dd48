"""Long notes in the inspector: no word lies under the scroll bar of their field."""

from pathlib import Path

from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.platform.resources import find_scene
from tests.app.window.windows import open_window


def test_the_notes_of_a_scene_stay_beside_their_scroll_bar(qtbot: QtBot, tmp_path: Path) -> None:
    with open_window(tmp_path, warm=False) as window:
        window.resize(1600, 1000)
        for name in ("double_pendulum", "stiff_double_pendulum"):
            window.open_path(find_scene(name))
            qtbot.wait(200)
        box = window.findChild(QPlainTextEdit, "inspector.notes")
        assert box is not None
        assert box.verticalScrollBar().isVisible()
        widest, block = 0.0, box.document().begin()
        while block.isValid():
            lines = block.layout()
            widest = max([widest, *(lines.lineAt(i).naturalTextWidth() for i in range(lines.lineCount()))])
            block = block.next()
        assert 0.0 < widest <= box.viewport().width()
