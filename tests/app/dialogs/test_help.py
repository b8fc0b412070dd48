"""Help is complete: a page with all headings for every method there is, and every link leads somewhere."""

import re
from collections import Counter
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.help.help_pages import HEADINGS, METHODS, method_kinds, topics
from app.dialogs.help.help_window import HelpDialog
from app.platform.resources import data_folder
from app.window.actions import ACTIONS
from app.window.menus import qt_action
from tests.paths import ROOT

KINDS = [kind for kinds in method_kinds().values() for kind in kinds]
FOLDER = data_folder("docs") / METHODS


def test_names_are_those_of_one_page_each() -> None:
    assert max(Counter(kind.name for kind in KINDS).values()) == 1


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_every_method_has_a_page_with_all_headings(kind: Any) -> None:
    path = FOLDER / f"{kind.name}.md"
    assert path.is_file(), f"write docs/methods/{kind.name}.md; docs/methods/README.md says how"
    text = path.read_text(encoding="utf-8")
    bare = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    assert tuple(re.findall(r"^## (.+)$", bare, re.MULTILINE)) == HEADINGS
    assert len(re.findall(r"^# .+$", bare, re.MULTILINE)) == 1
    for heading, body in zip(HEADINGS, re.split(r"^## .+$", text, flags=re.MULTILINE)[1:], strict=True):
        assert len(body.strip()) > 6, heading


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_every_page_has_a_picture_that_its_script_drew(kind: Any) -> None:
    text = (FOLDER / f"{kind.name}.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^]]+\]\((\S+)\)", text)
    assert f"plots/{kind.name}.svg" in pictures, f"python -m docs.methods.plots.pages {kind.name}"
    for picture in pictures:
        drawn = (FOLDER / picture).read_text(encoding="utf-8")
        assert drawn.startswith("<svg")
        assert len(drawn) < 60_000
        assert "nan" not in drawn


def test_pictures_are_shown(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = HelpDialog(parent, f"{METHODS}/rk4")
    shown = dialog.browser.loadResource(QTextDocument.ResourceType.ImageResource, QUrl("plots/rk4.svg"))
    image = QImage.fromData(shown)
    assert image.width() > 500
    assert image.height() > 200


def test_every_page_belongs_to_a_method() -> None:
    pages = {path.stem for path in FOLDER.glob("*.md")} - {"README"}
    assert pages <= {kind.name for kind in KINDS}


def hidden_lines(dialog: HelpDialog) -> list[str]:
    """Paragraphs of the page that have no height, so that nobody can scroll to them."""
    document, found = dialog.browser.document(), []
    block = document.begin()
    while block.isValid():
        if block.text() and document.documentLayout().blockBoundingRect(block).height() == 0.0:
            found.append(block.text())
        block = block.next()
    return found


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    """A window with all actions."""
    made = QWidget()
    made.addActions([qt_action(entry, made) for entry in ACTIONS])
    qtbot.addWidget(made)
    return made


def test_every_page_is_shown_and_every_link_followed(parent: QWidget) -> None:
    dialog = HelpDialog(parent)
    dialog.show()
    followed: set[tuple[str, str]] = set()  # folder of the page, link: those of a folder mean the same
    for topic in topics():
        dialog.show_page(topic.key)
        QApplication.processEvents()
        assert dialog.browser.horizontalScrollBar().maximum() == 0, f"{topic.key} has lines that are too long"
        plain = dialog.browser.toPlainText()
        assert len(plain) > 100
        assert "|---" not in plain  # tables are tables
        assert hidden_lines(dialog) == [], topic.key
        for link in re.findall(r"(?<!!)\[[^]]*\]\((\S+?)\)", topic.text()):
            if (where := (topic.key.rpartition("/")[0], link)) in followed:
                continue
            followed.add(where)
            dialog.show_page(topic.key)
            dialog._follow(QUrl(link))
            assert dialog.contents.currentItem() is not dialog._items[topic.key], link


def test_a_citation_leads_to_its_entry(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = HelpDialog(parent, f"{METHODS}/baumgarte")
    dialog.show()
    links = re.findall(r"\[Flores 2012[^]]*\]\((\S+)\)", dialog.topics[f"{METHODS}/baumgarte"].text())
    assert links
    dialog._follow(QUrl(links[0]))
    assert dialog.contents.currentItem() is dialog._items["references"]
    marked = dialog.browser.textCursor().selectedText()
    assert marked.startswith("[Flores 2012] P. Flores")
    assert dialog.browser.cursorRect().intersects(dialog.browser.viewport().rect())


def test_links_of_the_documents_lead_to_files() -> None:
    root = ROOT
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "scenes").glob("*.md")]
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if "://" not in link
    ]
    assert len(links) > 50
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_all_keys_stand_in_the_shortcut_sheet(parent: QWidget) -> None:
    dialog = HelpDialog(parent, "shortcuts")
    plain = dialog.browser.toPlainText()
    assert all(action.shortcut in plain for action in ACTIONS if action.shortcut)


def test_search_finds_words_inside_pages(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = HelpDialog(parent)
    dialog.search.setText("heun")
    shown = [key for key, item in dialog._items.items() if not item.isHidden()]
    assert shown == ["methods", "Schemes", "methods/rk2", "references"]
    assert dialog.contents.currentItem() is dialog._items["methods"]


def test_pages_show_their_pictures(parent: QWidget) -> None:
    """Every picture that a page names is in the help window, and no wider than it."""
    dialog = HelpDialog(parent, "building")
    text = dialog.topics["building"].text()
    names = re.findall(r"\]\((pictures/[^)]+)\)", text)
    assert len(names) >= 4
    for name in names:
        picture = dialog.browser.loadResource(QTextDocument.ResourceType.ImageResource, QUrl(name))
        image = QImage.fromData(picture)
        assert not image.isNull(), name
        assert image.width() <= 820
