"""The popup to choose a method from: pieces side by side, direct methods, a search over everything.

A click takes a piece at once, and the popup stays for another one; Return takes and closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.help.help_pages import METHODS as PAGES
from app.panels.transport.method_choice import (
    DIRECT_METHODS,
    PIECES,
    SORTS,
    Choice,
    choice,
    facts,
    kinds_of,
    search,
)
from app.platform.appearance import Look, label
from app.platform.settings.recent_methods import KEPT, RecentMethods
from engine.solvers.catalogue import METHODS, USUAL, USUAL_METHOD, Method, preset_words

NAME = Qt.ItemDataRole.UserRole
RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
SHOWN = 80  # results of a search
SIZE = QSize(1080, 560)  # of the search; the lists may need more width
MARGIN = 10  # px beside the lists
EDGE = 4  # px that are left free at the edges of the screen
NARROWEST = 140  # px of a list: four of them fit on a screen of 1024
ICON = 14  # px, before a name
# whether a method is compiled for the scene at hand; None where nobody knows
Compiled = Callable[[Method], bool | None]
READY = {
    True: ("check", "Compiled: it starts at once"),
    False: ("recent", "Compiled when it is first used: up to a minute"),
}


class MethodPopup(QFrame):
    """All methods. `chosen` tells full names, `help_wanted` the key of a page of the help window."""

    chosen = Signal(str)
    help_wanted = Signal(str)

    def __init__(
        self, parent: QWidget, look: Look, recent: RecentMethods, name: str, compiled: Compiled
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._compiled = compiled
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.resize(SIZE)
        self._look, self._recent = look, recent
        self._method: Method = METHODS[USUAL_METHOD]
        self._page = PAGES
        self.search = QLineEdit()
        self.search.setObjectName(f"{name}.search")
        self.search.setPlaceholderText("Search all methods: rk4, implicit, null space …")
        self.search.setClearButtonEnabled(True)
        self.columns = tuple(self._list(f"{name}.{sort}") for sort in SORTS)
        self.direct = self._list(f"{name}.direct")
        self.results = self._list(f"{name}.results")
        self.about = QLabel()
        self.about.setObjectName(f"{name}.about")
        self.about.setWordWrap(True)
        self.about.setTextFormat(Qt.TextFormat.RichText)
        self.about.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.about.setMinimumHeight(5 * self.fontMetrics().lineSpacing())
        self._recent_title = label("Recent", "muted", f"{name}.recent.title")
        self._recents = [self._recent_button(at) for at in range(KEPT)]
        self._lay_out(name)

        for column, registry in zip(self.columns, PIECES, strict=True):
            _fill(column, registry)
        _fill(self.direct, DIRECT_METHODS)
        self.search.installEventFilter(self)
        self.search.textChanged.connect(self._filter)
        self.about.linkActivated.connect(self._help)

    # how it is built

    def _list(self, name: str) -> QListWidget:
        made = QListWidget()
        made.setObjectName(name)
        made.setMinimumWidth(NARROWEST)
        made.setIconSize(QSize(ICON, ICON))
        made.setMouseTracking(True)  # what is under the pointer is described
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setTextElideMode(Qt.TextElideMode.ElideRight)
        made.installEventFilter(self)
        made.itemEntered.connect(lambda item: self._describe(made, item))
        made.currentItemChanged.connect(lambda item, _: self._describe(made, item) if item else None)
        made.itemClicked.connect(lambda item: self._take(made, item, close=made not in self.columns))
        return made

    def _lay_out(self, name: str) -> None:
        pieces = QWidget()
        grid = QGridLayout(pieces)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(label("Composed", "section", f"{name}.composed.title"), 0, 0, 1, 3)
        grid.addWidget(label("Direct methods", "section", f"{name}.direct.title"), 0, 3)
        grid.addWidget(label("whole steps, one name", "muted", f"{name}.direct.hint"), 1, 3)
        for at, (sort, column) in enumerate(zip(SORTS, self.columns, strict=True)):
            grid.addWidget(label(sort.capitalize(), "muted", f"{name}.{sort}.title"), 1, at)
            grid.addWidget(column, 2, at)
        grid.addWidget(self.direct, 2, 3)
        self._grid = grid
        self._pages = QStackedWidget()
        self._pages.addWidget(pieces)
        self._pages.addWidget(self.results)
        recents = QHBoxLayout()
        recents.addWidget(self._recent_title)
        for button in self._recents:
            recents.addWidget(button)
        recents.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(MARGIN, 10, MARGIN, 8)
        whole.addWidget(self.search)
        whole.addLayout(recents)
        whole.addWidget(self._pages, 1)
        whole.addWidget(self.about)

    def _recent_button(self, at: int) -> QPushButton:
        made = QPushButton()
        made.setObjectName(f"{self.objectName()}.recent.{at}")
        made.clicked.connect(lambda: self._choose(self._recent.names[at], close=True))
        return made

    def _show_recents(self) -> None:
        names = self._recent.names
        self._recent_title.setVisible(bool(names))
        for at, button in enumerate(self._recents):
            button.setVisible(at < len(names))
            if at < len(names):
                method = METHODS[names[at]]
                button.setText(method.short_name)
                button.setToolTip(f"{method.title}\n{facts(method)}")

    # what is shown

    def open_at(self, button: QWidget, method: Method) -> None:
        """Show it beside a button, on the side where there is room, with the present method marked."""
        self.show_method(method)
        self._show_recents()
        self.search.clear()
        screen = button.screen().availableGeometry().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        # before it was ever shown its layout has not asked for room yet, and the place depends on the size
        self.ensurePolished()
        # a window may be wider than its screen, as one that spans two of them
        window = button.window().size().shrunkBy(QMargins(EDGE, EDGE, EDGE, EDGE))
        self._give_room(screen.size().expandedTo(window))
        below = button.mapToGlobal(QPoint(0, button.height() + 2))
        above = button.mapToGlobal(QPoint(0, -self.height() - 2))
        y = below.y() if below.y() + self.height() <= screen.bottom() else max(above.y(), screen.top())
        x = max(screen.left(), min(below.x(), screen.right() - self.width()))
        self.move(x, y)
        self.show()
        self.search.setFocus()

    def _give_room(self, most: QSize) -> None:
        """As wide as the names need, or as the screen; the lists share what there is by what they need."""
        lists = (*self.columns, self.direct)
        for found in lists:
            found.ensurePolished()  # else its font is not yet the one that it is drawn with
        needs = [_width(found) for found in lists]
        for at, need in enumerate(needs):
            self._grid.setColumnStretch(at, need)
        gaps = 3 * self._grid.horizontalSpacing() + 2 * (MARGIN + self.frameWidth())
        self.resize(QSize(sum(needs) + gaps, SIZE.height()).boundedTo(most))

    def show_method(self, method: Method) -> None:
        """Mark a method as the present one, and grey what does not go with the rest of it."""
        self._method = method
        pieces = method.pieces or USUAL
        muted, normal = self._look.theme.color("ghost"), self._look.theme.color("text")
        for place, column in enumerate(self.columns):
            for item in _items(column):
                led = choice(pieces, place, item.data(NAME))
                kind = PIECES[place][item.data(NAME)]
                item.setForeground(normal if led and not led.reason else muted)
                item.setToolTip(f"{kind.name}: {kind.summary}" + (f"\n{led.reason}" if led else ""))
                self._show_ready(item, led.method if led else None)
                _mark(item, bool(method.pieces) and item.data(NAME) == method.pieces[place])
        for item in _items(self.direct):
            item.setToolTip(f"{item.data(NAME)}: {METHODS[item.data(NAME)].summary}")
            self._show_ready(item, METHODS[item.data(NAME)])
            _mark(item, item.data(NAME) == method.name)
        self._select_present()
        self._tell(Choice(method))

    def _show_ready(self, item: QListWidgetItem, method: Method | None) -> None:
        """A sign before the name: whether a run with it can begin at once."""
        ready = self._compiled(method) if method is not None else None
        if ready is None:
            item.setIcon(QIcon())
            return
        image, words = READY[ready]
        item.setIcon(self._look.icon(image, "muted" if ready else "ghost"))
        item.setToolTip(f"{item.toolTip()}\n{words}")

    def _select_present(self) -> None:
        """The lines of the present method are the current ones again."""
        for view in (*self.columns, self.direct):
            blocked = view.blockSignals(True)
            view.setCurrentRow(-1)
            for item in _items(view):
                if item.font().bold():
                    view.setCurrentItem(item)
            view.blockSignals(blocked)

    def _describe(self, view: QListWidget, item: QListWidgetItem) -> None:
        led = self._led(view, item)
        if led is not None:
            place = self.columns.index(view) if view in self.columns else None
            self._tell(led, place)

    def _led(self, view: QListWidget, item: QListWidgetItem) -> Choice | None:
        name = item.data(NAME)
        if view in self.columns:
            return choice(self._method.pieces or USUAL, self.columns.index(view), name)
        return Choice(METHODS[name])

    def _tell(self, led: Choice, place: int | None = None) -> None:
        """Name, order, nature and summary of a method, with links to the help pages of its pieces."""
        method, theme = led.method, self._look.theme
        kinds = kinds_of(method)
        focus = kinds[place] if place is not None else kinds[min(1, len(kinds) - 1)]
        self._page = f"{PAGES}/{focus.name}"
        short = f" · short: {escape(method.short_name)}" if method.short_name != method.name else ""
        text = f"<b>{escape(method.name)}</b>{short} · {escape(facts(method))}<br>{escape(focus.summary)}"
        ready = self._compiled(method)
        if ready is not None:
            text += f"<br>{escape(READY[ready][1])}."
        if led.reason:
            text += f"<br><span style='color:{theme['warning']}'>{escape(led.reason)}</span>"
        links = " · ".join(
            f"<a style='color:{theme['accent']}' href='{PAGES}/{kind.name}'>{escape(kind.title)}</a>"
            for kind in kinds
        )
        self.about.setText(f"{text}<br>Read about: {links}")

    def _filter(self, text: str) -> None:
        self._pages.setCurrentIndex(1 if text.strip() else 0)
        if not text.strip():
            self._tell(Choice(self._method))
            return
        self.results.clear()
        for method in search(text)[:SHOWN]:
            item = QListWidgetItem(f"{method.short_name}   {method.title}")
            item.setData(NAME, method.name)
            item.setToolTip(f"{method.summary}\n{facts(method)}")
            self._show_ready(item, method)
            self.results.addItem(item)
        if self.results.count():
            self.results.setCurrentRow(0)
        else:
            self.about.setText(f"No method has all the words of “{escape(text)}”.")

    # what is done

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_F1:
                self._help(self._page)
                return True
            if watched is self.search:
                return self._key_in_search(event)
            if isinstance(watched, QListWidget):
                return self._key_in_list(watched, event)
        elif event.type() == QEvent.Type.FocusOut and watched in self.columns:
            self._select_present()
        return bool(super().eventFilter(watched, event))

    def _key_in_search(self, event: QKeyEvent) -> bool:
        searching = self._pages.currentIndex() == 1
        if event.key() in RETURN:
            item = self.results.currentItem() if searching else None
            if item is not None:
                self._take(self.results, item, close=True)
            return True
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            if searching:
                row = self.results.currentRow() + (1 if event.key() == Qt.Key.Key_Down else -1)
                self.results.setCurrentRow(min(max(row, 0), self.results.count() - 1))
            elif event.key() == Qt.Key.Key_Down:
                (self.columns[1] if self._method.pieces else self.direct).setFocus()
            return True
        return False

    def _key_in_list(self, view: QListWidget, event: QKeyEvent) -> bool:
        lists = [*self.columns, self.direct]
        if event.key() in RETURN and view.currentItem() is not None:
            self._take(view, view.currentItem(), close=True)
            return True
        if event.key() == Qt.Key.Key_Space and view.currentItem() is not None:
            self._take(view, view.currentItem(), close=False)
            return True
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and view in lists:
            to = lists.index(view) + (1 if event.key() == Qt.Key.Key_Right else -1)
            after = lists[min(max(to, 0), len(lists) - 1)]
            after.setFocus()
            if after.currentItem() is None and after.count():
                after.setCurrentRow(0)
            return True
        return False

    def _take(self, view: QListWidget, item: QListWidgetItem, *, close: bool) -> None:
        led = self._led(view, item)
        if led is None:
            return
        place = self.columns.index(view) if view in self.columns else None
        self._choose(led.method.name, close=close)
        if not close:
            self._tell(led, place)

    def _choose(self, name: str, *, close: bool) -> None:
        self._recent.add(name)
        if close:
            self.hide()
        elif name != self._method.name:
            self.show_method(METHODS[name])
        self.chosen.emit(name)

    def _help(self, page: str) -> None:
        self.hide()
        self.help_wanted.emit(page)


def _items(view: QListWidget) -> list[QListWidgetItem]:
    return [view.item(row) for row in range(view.count())]


def _mark(item: QListWidgetItem, present: bool) -> None:
    font = item.font()
    font.setBold(present)
    item.setFont(font)


def _fill(view: QListWidget, kinds: Iterable[Any]) -> None:
    for kind in kinds:
        _, _, preset = kind.name.partition("/")  # listed below the method that it sets numbers of
        item = QListWidgetItem(f"    {preset_words(preset)}" if preset else kind.title)
        item.setData(NAME, kind.name)
        view.addItem(item)


def _width(column: QListWidget) -> int:
    """In which no title is cut off, the bold one of the present method included."""
    bold = QFont(column.font())
    bold.setBold(True)
    icons = ICON + 6 if any(not item.icon().isNull() for item in _items(column)) else 0
    titles = icons + max(QFontMetrics(bold).horizontalAdvance(item.text()) for item in _items(column))
    margins = 2 * column.frameWidth() + column.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
    return titles + margins
