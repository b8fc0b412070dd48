"""About: what can be copied from it."""

from pathlib import Path

from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import app
from app.dialogs.about import AboutDialog

CITATION = Path(app.__file__).resolve().parents[1] / "CITATION.cff"


def test_the_citation_names_this_version(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = AboutDialog(parent, "")
    button = dialog.findChild(QPushButton, "about.cite")
    assert button is not None
    button.click()
    copied = QApplication.clipboard().text()
    assert copied.startswith("@software{")
    assert copied.count("{") == copied.count("}")
    assert f"version = {{{app.__version__}}}" in copied
    title = "Trammel: a desktop simulator of mechanisms"
    assert title in copied
    assert title in CITATION.read_text(encoding="utf-8")
