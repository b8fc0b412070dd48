"""Names typed in the tree while the scene changes: the editor stays until it is done, then all is shown."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.document.document import Edit, Ref
from app.panels.tree import TreePanel
from app.platform.appearance import Look
from tests.app.panels.desk import Desk
from tests.app.viewport.scenes import shipped

CRANK = Ref("bodies", "crank")


@pytest.fixture
def tree(desk: Desk, qtbot: QtBot) -> TreePanel:
    desk.begin(shipped("four_bar"))
    panel = TreePanel(desk, Look())
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def editor(tree: TreePanel) -> QLineEdit:
    found = [line for line in tree.view.findChildren(QLineEdit) if line.isVisible()]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_an_edit_elsewhere_waits_for_the_name(key: Qt.Key, tree: TreePanel, desk: Desk, qtbot: QtBot) -> None:
    tree.rename(CRANK)
    line = editor(tree)
    desk.document.apply(Edit("Title", replace(desk.scene, title="Other")))
    assert editor(tree) is line
    line.setText("arm")
    QTest.keyClick(line, key)
    qtbot.waitUntil(lambda: tree.view.topLevelItem(0).text(0) == "Other")
    renamed = key == Qt.Key.Key_Return
    assert (Ref("bodies", "arm") in tree._items) is renamed
    assert (CRANK in tree._items) is not renamed


def test_an_element_that_goes_while_its_name_is_typed_is_not_renamed(
    tree: TreePanel, desk: Desk, qtbot: QtBot
) -> None:
    tree.rename(CRANK)
    left = tuple(body for body in desk.scene.bodies if body.name != "crank")
    desk.document.apply(Edit("Delete", replace(desk.scene, bodies=left)))
    line = editor(tree)
    line.setText("arm")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: CRANK not in tree._items)
    assert "crank was not renamed" in "".join(desk.told)
    assert not any(body.name == "arm" for body in desk.scene.bodies)
