"""The help window: contents and search on the left, the page on the right."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QImage, QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QSplitter,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.help.citations import entry
from app.dialogs.help.help_pages import LAWS, METHODS, Shortcut, Topic, topics
from app.platform.appearance import button_box
from app.platform.resources import data_folder
from app.widgets.action_property import menu_of

KEY = Qt.ItemDataRole.UserRole
GAP = 14.0  # px above a heading

PAGE, MARGIN = 560.0, 30.0  # px: the least width of the page, and what lists take of it
WIDTH, HEIGHT = 1180, 720  # px: formulas of the pages have room without scrolling
SCROLLBAR = 28  # px, and the frame


def shortcuts_of(actions: Sequence[QAction]) -> list[Shortcut]:
    """Lines of the shortcut sheet, from the actions of a window."""
    return [
        Shortcut(
            menu_of(action).split("/")[0], action.shortcut().toString(), action.text(), action.statusTip()
        )
        for action in actions
        if not action.shortcut().isEmpty()
    ]


class HelpDialog(QDialog):
    """All pages of `app.dialogs.help.help_pages`; `page` is the one to begin with."""

    def __init__(self, parent: QWidget, page: str = "guide") -> None:
        super().__init__(parent)
        self.setObjectName("help")
        self.setWindowTitle("Help")
        self.resize(WIDTH, HEIGHT)
        self.topics = {topic.key: topic for topic in topics(shortcuts_of(parent.window().actions()))}
        self.search = QLineEdit()
        self.search.setObjectName("help.search")
        self.search.setPlaceholderText("Search all pages")
        self.search.setClearButtonEnabled(True)
        self.contents = QTreeWidget()
        self.contents.setObjectName("help.contents")
        self.contents.setHeaderHidden(True)
        self.contents.setIndentation(14)
        self.browser = QTextBrowser()
        self.browser.setObjectName("help.page")
        self.browser.setOpenLinks(False)
        docs = data_folder("docs")
        # where the pictures of the pages are
        self.browser.setSearchPaths([str(docs), str(docs / METHODS), str(docs / LAWS)])
        self._items: dict[str, QTreeWidgetItem] = {}
        for topic in self.topics.values():
            self._list(topic)
        self.contents.expandAll()
        wide = self.contents.sizeHintForColumn(0) + SCROLLBAR  # the longest title of a method

        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.search)
        column.addWidget(self.contents, 1)
        parts = QSplitter()
        parts.addWidget(left)
        parts.addWidget(self.browser)
        parts.setSizes([wide, WIDTH - wide])
        parts.setStretchFactor(1, 1)
        buttons = button_box(QDialogButtonBox.StandardButton.Close, "help")
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(parts, 1)
        column.addWidget(buttons)

        self.contents.currentItemChanged.connect(self._show)
        self.browser.anchorClicked.connect(self._follow)
        self.search.textChanged.connect(self._filter)
        self.show_page(page)

    def show_page(self, key: str) -> None:
        """Go to a page."""
        self.contents.setCurrentItem(self._items[key])

    def _list(self, topic: Topic) -> None:
        item = QTreeWidgetItem([topic.title])
        item.setToolTip(0, topic.title)
        item.setData(0, KEY, topic.key)
        above = self._items.get(topic.parent)
        if above is None:
            self.contents.addTopLevelItem(item)
        else:
            above.addChild(item)
        self._items[topic.key] = item

    def _show(self, item: QTreeWidgetItem, *_: object) -> None:
        text = self.topics[item.data(0, KEY)].text()
        document = self.browser.document()
        document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        _loosen(document)
        self._fit_pictures()
        # changes of formats leave blocks at the end of long pages without a place (seen in Qt 6.11)
        document.markContentsDirty(0, document.characterCount())
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)
        if self.search.text():
            self.browser.find(self.search.text())

    def _fit_pictures(self) -> None:
        """Pictures are no wider than the page."""
        room = PAGE - 2.0 * MARGIN
        block: Any = self.browser.document().begin()
        while block.isValid():
            pieces = [piece.fragment() for piece in block]
            for piece in (piece for piece in pieces if piece.charFormat().isImageFormat()):
                shape = piece.charFormat().toImageFormat()
                found = self.browser.loadResource(
                    QTextDocument.ResourceType.ImageResource, QUrl(shape.name())
                )
                image = QImage.fromData(found) if found is not None else QImage()
                if image.width() > room:
                    shape.setWidth(room)
                    shape.setHeight(room * image.height() / image.width())
                    cursor = QTextCursor(self.browser.document())
                    cursor.setPosition(piece.position())
                    cursor.setPosition(piece.position() + piece.length(), QTextCursor.MoveMode.KeepAnchor)
                    cursor.setCharFormat(shape)
            block = block.next()

    def _follow(self, link: QUrl) -> None:
        """Pages point at each other by file names, as they do outside of the program."""
        key = link.path().removeprefix("../").removesuffix(".md").removesuffix("/README")
        known = next((k for k in (key, f"{METHODS}/{key}", f"{LAWS}/{key}") if k in self.topics), None)
        if known is not None:
            self.show_page(known)
            if link.hasFragment():
                self._show_entry(entry(link.fragment()))

    def _show_entry(self, text: str) -> None:
        """Go to a line of the page and mark it."""
        line = self.browser.document().find(text)
        if line.isNull():
            return
        line.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        self.browser.moveCursor(QTextCursor.MoveOperation.End)  # so that the line comes to the top
        self.browser.setTextCursor(line)
        line.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        self.browser.setTextCursor(line)

    def _filter(self, text: str) -> None:
        """Show the pages that contain every word, and what they lie below."""
        words = text.lower().split()
        fits = {
            key
            for key, topic in self.topics.items()
            if all(word in f"{topic.title} {topic.text()}".lower() for word in words)
        }
        above = {self.topics[key].parent for key in fits}
        above |= {self.topics[key].parent for key in above if key}
        for key, item in self._items.items():
            item.setHidden(key not in fits | above)
        if words and fits and self.contents.currentItem() not in [self._items[key] for key in fits]:
            self.show_page(next(key for key in self.topics if key in fits))


def _loosen(document: QTextDocument) -> None:
    """Room around the page and above its headings, which Markdown does not ask for."""
    document.setDocumentMargin(12.0)
    room = QTextBlockFormat()
    room.setTopMargin(GAP)
    block = document.begin().next()
    while block.isValid():
        if block.blockFormat().headingLevel():
            QTextCursor(block).mergeBlockFormat(room)
        block = block.next()
