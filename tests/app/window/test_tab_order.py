"""Going through the window with the Tab key: what has the keys is in sight, and is seen to have them."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDockWidget, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot

from app.platform.appearance import Look, ToolButton
from app.platform.theme import Theme, apply_theme
from tests.app.window.windows import open_window

ROUND = 150  # steps; more than there are fields


def in_sight(widget: QWidget) -> bool:
    """Whether its panel, if it is in one, lies within the window and in front."""
    dock: QWidget | None = widget
    while dock is not None and not isinstance(dock, QDockWidget):
        dock = dock.parentWidget()
    if dock is None:
        return True
    return dock.window().rect().contains(dock.mapTo(dock.window(), QPoint(1, 1)))


@pytest.mark.parametrize("forward", [True, False])
def test_tab_passes_over_panels_behind_others(qtbot: QtBot, tmp_path: Path, *, forward: bool) -> None:
    """Seventeen steps in turn went to buttons of panels that nobody sees."""
    with open_window(tmp_path, warm=False) as window:
        qtbot.waitUntil(lambda: not window.docks["plots"].visibleRegion().isEmpty())
        QApplication.processEvents()
        seen = []
        for _ in range(ROUND):
            assert window.focusNextPrevChild(forward)
            widget = window.focusWidget()
            assert widget is not None
            assert in_sight(widget), widget.objectName()
            seen.append(widget.objectName())
        assert {"plots.add", "transport.dt"} <= set(seen)


@pytest.mark.parametrize("dark", [False, True])
def test_a_button_or_list_shows_that_it_has_the_keys(qtbot: QtBot, qapp: QApplication, *, dark: bool) -> None:
    apply_theme(qapp, Theme(dark=dark))
    window = QWidget()
    qtbot.addWidget(window)
    button, tree = ToolButton(Look(), "play"), QTreeWidget(window)
    button.setParent(window)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setGeometry(10, 10, 27, 27)
    tree.setGeometry(10, 50, 100, 60)
    window.resize(200, 120)
    window.show()
    window.activateWindow()
    pictures: list[QImage] = []
    for has in (button, tree):
        has.setFocus()
        qtbot.waitUntil(has.hasFocus)
        pictures.append(window.grab().toImage())
    for widget in (button, tree):
        first, second = (picture.copy(widget.geometry()) for picture in pictures)
        assert first != second
    apply_theme(qapp, Theme())
