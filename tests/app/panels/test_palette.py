"""The palette: everything in sight at its usual size, names in full at any width, sections that fold."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.panels.palette.palette import SECTIONS, PalettePanel
from app.panels.palette.sections import name_width, wrapped
from app.platform.appearance import Look
from app.platform.resources import scene_paths
from app.platform.theme import Theme, apply_theme
from app.session.session import Session
from app.tools.suggestions import suggestions
from app.window.actions.insert import ACTIONS
from engine.model.files.scene_file import load_scene

LEFT = Qt.MouseButton.LeftButton
USUAL = (202, 460)  # px in a window of 1280 x 800


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[PalettePanel]:
    apply_theme(QApplication.instance(), Theme(False))
    session = Session(warm=False)
    actions = {entry.id: QAction(entry.text) for entry in ACTIONS}
    made = PalettePanel(session, Look(), actions)
    qtbot.addWidget(made)
    made.resize(*USUAL)
    made.show()
    session.document.load(load_scene(scene_paths()["four_bar"]))
    QApplication.processEvents()
    yield made
    session.close()


def buttons(panel: PalettePanel) -> list[QToolButton]:
    return [button for section in panel.sections for button in section.buttons]


def test_every_section_is_in_sight_and_offers_too(panel: PalettePanel) -> None:
    panel._session.selection.set([Ref("bodies", "coupler")])
    QApplication.processEvents()
    assert panel.verticalScrollBar().maximum() == 0
    low = panel.viewport().height()
    last = len(suggestions(panel._session.document.scene, panel._session.selection.refs)) - 1
    shown = [*buttons(panel), *panel.findChildren(QToolButton, f"palette.offer.{last}")]
    assert len(shown) == sum(map(len, SECTIONS.values())) + 1
    for button in shown:
        assert button.isVisible(), button.text()
        assert button.mapTo(panel.viewport(), button.rect().bottomLeft()).y() < low, button.text()


@pytest.mark.parametrize("low", range(5, 120, 15))
def test_offers_come_to_rest_whether_or_not_there_is_a_scroll_bar(
    panel: PalettePanel, monkeypatch: pytest.MonkeyPatch, low: int
) -> None:
    """At some heights the bar came and went for ever, and the offers were never seen."""
    panel._session.selection.set([Ref("bodies", "coupler")])
    QApplication.processEvents()
    panel.resize(USUAL[0], panel.widget().sizeHint().height() - low)
    panel._session.selection.set([Ref("bodies", "rocker")])
    for _ in range(4):
        QApplication.processEvents()
    laid_out: list[None] = []
    monkeypatch.setattr(panel, "_line", lambda *_: laid_out.append(None))
    for _ in range(8):
        QApplication.processEvents()
    assert not laid_out
    last = len(suggestions(panel._session.document.scene, panel._session.selection.refs)) - 1
    assert panel.findChild(QToolButton, f"palette.offer.{last}").isVisible()


@pytest.mark.parametrize("width", [USUAL[0], 130, 330])
def test_names_are_never_cut_off(panel: PalettePanel, width: int, qtbot: QtBot) -> None:
    panel.resize(width, USUAL[1])
    panel._session.selection.set([Ref("bodies", "crank"), Ref("bodies", "rocker")])
    QApplication.processEvents()
    for button in buttons(panel):
        assert name_width(button) <= button.width(), (button.text(), button.width())
    # layouts inside of each other settle one after the other
    high = [(button, button.sizeHint().height()) for button in buttons(panel)]
    qtbot.waitUntil(lambda: all(button.height() >= height for button, height in high), timeout=2000)
    for button in panel.findChildren(QToolButton):
        if button.objectName().startswith("palette.offer."):
            widest = max(button.fontMetrics().horizontalAdvance(line) for line in button.text().splitlines())
            assert widest + button.iconSize().width() <= button.width(), button.text()


def test_an_offer_is_made_to_what_is_selected_now(panel: PalettePanel) -> None:
    """Two bars are offered the same words: the second was never given anything, the first one was."""
    made = []
    panel.chosen.connect(lambda offer: made.append(offer.make(panel._session.document.scene)))
    for name in ("crank", "rocker"):
        panel._session.selection.set([Ref("bodies", name)])
        trace = next(
            button
            for button in panel.findChildren(QToolButton)
            if button.accessibleName().startswith("Trace of ")
        )
        QTest.mouseClick(trace, LEFT)
    assert [edit.after.traces[-1].body for edit in made] == ["crank", "rocker"]


def test_a_heading_folds_its_section(panel: PalettePanel) -> None:
    bodies = panel.sections[0]
    QTest.mouseClick(bodies.head, LEFT)
    assert not bodies.buttons[0].isVisible()
    assert panel.sections[1].buttons[0].isVisible()
    QTest.mouseClick(bodies.head, LEFT)
    assert bodies.buttons[0].isVisible()


def test_points_stand_side_by_side_and_each_is_its_own_offer(panel: PalettePanel) -> None:
    scene = panel._session.document.scene
    panel._session.selection.set([Ref("bodies", "coupler")])
    QApplication.processEvents()
    taken = []
    panel.chosen.connect(taken.append)
    found = suggestions(scene, panel._session.selection.refs)
    rows = {}
    for i, suggestion in enumerate(found):
        button = panel.findChild(QToolButton, f"palette.offer.{i}")
        QTest.mouseClick(button, LEFT)
        assert taken[-1].text == suggestion.text
        rows.setdefault(suggestion.group, set()).add(button.mapTo(panel, button.rect().topLeft()).y())
    assert len(rows["Pin to the ground"]) == len(rows["Trace of"]) == 1


def test_long_words_are_put_on_lines(panel: PalettePanel) -> None:
    metrics = panel.fontMetrics()
    text = "Distance rod from the left end to the right end"
    found = wrapped(text, metrics, 120)
    assert found.replace("\n", " ") == text
    assert all(metrics.horizontalAdvance(line) <= 120 for line in found.splitlines())


def test_issue_18_rows_are_never_cut_in_half(panel: PalettePanel) -> None:
    """At any height; and with buttons that became higher after they were arranged."""
    for sheet in ("", "QToolButton { padding: 7px; }"):
        panel.setStyleSheet(sheet)
        for height in (USUAL[1], 240):
            panel.resize(USUAL[0], height)
            QApplication.processEvents()
            for section in panel.sections:
                lowest = max(button.geometry().bottom() for button in section.buttons)
                assert lowest < section._inside.height(), (sheet, height)
                assert (
                    min(button.height() for button in section.buttons)
                    >= section.buttons[0].sizeHint().height()
                )
