"""What a crash has left: the question can be left without losing anything."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.recovery import Answer, ask_recovery


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("answer", [*Answer, None])
def test_only_delete_deletes(answer: Answer | None, count: int, qtbot: QtBot, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    copies = [tmp_path / f"{i}.json" for i in range(count)]
    for copy in copies:
        copy.write_text("{}")

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        if answer is None:
            QTest.keyClick(box, Qt.Key.Key_Escape)
        else:
            box.findChild(QPushButton, f"recovery.{answer.name.lower()}").click()

    QTimer.singleShot(50, press)
    assert ask_recovery(parent, copies) is (answer or Answer.LATER)
