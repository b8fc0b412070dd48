"""The scene tree: every element by its list, with problems marked, names edited in place."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QPoint,
    QSignalBlocker,
    Qt,
    QTimer,
)
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.document.channels.channel_prefix import channel_prefix
from app.document.document import Ref, SceneChange, find
from app.document.element_words import kind_title, reason
from app.edits import members, rename, set_visible
from app.panels.base import PanelKind
from app.platform.appearance import Look
from app.platform.icons import pixmap
from app.platform.plain_text import as_plain
from app.session.session import Session
from app.widgets.edit_in_place import edit_in_place
from app.widgets.show_once import show_once
from engine.errors import Problem, SceneError
from engine.model.scene import KINDS, Group, Scene

GROUPS = (
    ("parameters", "Parameters", "parameter"),
    ("bodies", "Bodies", "body"),
    ("joints", "Joints", "joint"),
    ("forces", "Forces", "force"),
    ("motions", "Motions", "motion"),
    ("traces", "Traces", "trace"),
    ("measures", "Measures", "measure"),
    ("groups", "Groups", "group"),
)
IMAGES = {where: image for where, _, image in GROUPS}
MIME = "application/x-trammel-channels"
REF = Qt.ItemDataRole.UserRole
NAME, EYE = 0, 1
Menu = Callable[[], Iterable[QAction | None]]  # actions for the selection; None is a separator
_EYE_WIDTH = 26  # px


class _Tree(QTreeWidget):
    """Drags tell the channels of the dragged elements."""

    def __init__(self, prefix: Callable[[Ref], str]) -> None:
        super().__init__()
        self._prefix = prefix

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, items: Any) -> QMimeData:
        data = QMimeData()
        refs = [item.data(NAME, REF) for item in items]
        prefixes = [prefix for ref in refs if ref and (prefix := self._prefix(ref))]
        data.setData(MIME, "\n".join(prefixes).encode())
        return data


class TreePanel(QWidget):
    """World, bodies, joints, forces, motions, traces and measures."""

    def __init__(self, session: Session, look: Look, menu: Menu | None = None) -> None:
        super().__init__()
        self.setObjectName("tree")
        self._session, self._look = session, look
        self._menu_of = menu
        self._items: dict[Ref, QTreeWidgetItem] = {}
        self._closed: set[str] = {"parameters"}
        self._syncing = False
        self._is_late = False  # rebuilt when the name that is being typed is done
        self._shown: tuple[Any, ...] = ()
        self.search = QLineEdit()
        self.search.setObjectName("tree.search")
        self.search.setPlaceholderText("Search elements")
        self.search.setClearButtonEnabled(True)
        self.view = _Tree(lambda ref: channel_prefix(session.document.scene, ref))
        self.view.setObjectName("tree.view")
        self.view.setColumnCount(2)
        self.view.setHeaderHidden(True)
        self.view.setIndentation(12)
        self.view.setUniformRowHeights(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.view.setDragEnabled(True)
        self.view.setMouseTracking(True)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(EYE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(EYE, _EYE_WIDTH)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 2)
        column.setSpacing(4)
        column.addWidget(self.search)
        column.addWidget(self.view, 1)

        self.search.textChanged.connect(self._filter)
        self.view.itemSelectionChanged.connect(self._selected)
        self.view.itemChanged.connect(self._renamed)
        self.view.itemDelegate().closeEditor.connect(self._typed)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.rebuild)
        self.view.itemClicked.connect(self._clicked)
        self.view.itemEntered.connect(self._hovered)
        self.view.itemCollapsed.connect(self._note_closed)
        self.view.itemExpanded.connect(self._note_closed)
        self.view.customContextMenuRequested.connect(self._menu)
        session.document.changed.connect(self._follow)
        session.faults.changed.connect(self.refresh)
        session.selection.changed.connect(self._show_selection)
        look.changed.connect(self.rebuild)
        self.rebuild()

    # what is shown

    def _follow(self, change: SceneChange) -> None:
        if change.reset:
            self.search.clear()  # what was sought was sought in the scene before
        if change.large:
            QTimer.singleShot(0, self, self.refresh)
        else:
            self.refresh()

    def refresh(self, *_: Any) -> None:
        """Follow the document; a number that the tree does not show leaves it as it is."""
        facts = self._facts()
        if facts != self._shown:
            self._rebuild(facts)

    def _facts(self) -> tuple[Any, ...]:
        """All that the tree shows."""
        scene: Scene = self._session.document.scene
        items = tuple(
            (
                Ref(where, item.name),
                _tip(where, item),
                getattr(item, "color", ""),
                _visible(scene, item),
            )
            for where, _, _ in GROUPS
            for item in getattr(scene, where)
        )
        return scene.title, items, self._session.faults.by_element()

    def rebuild(self, *_: Any) -> None:
        """Show everything anew."""
        self._rebuild(self._facts())

    def _rebuild(self, facts: tuple[Any, ...]) -> None:
        """While a name is typed, when that is done: the editor must not go under it."""
        if self.view.state() == QAbstractItemView.State.EditingState:
            self._is_late = True
            return
        self._is_late = False
        scene: Scene = self._session.document.scene
        self._shown = facts
        faults = self._session.faults.by_element()
        scroll = self.view.verticalScrollBar().value()
        with QSignalBlocker(self.view):
            self.view.clear()
            self._items = {}
            world = self._add(
                self.view.invisibleRootItem(), Ref("scene", ""), scene.title or "World", "world"
            )
            world.setFirstColumnSpanned(True)
            about = "\n".join(filter(None, (scene.title, "The scene: gravity, simulation, parameters")))
            self._badge(world, faults.get(None, []), "world", about)
            for where, title, image in GROUPS:
                self._add_group(scene, where, title, image, faults)
        self._filter(self.search.text())
        self._show_selection()
        self.view.verticalScrollBar().setValue(scroll)

    def _add_group(
        self, scene: Scene, where: str, title: str, image: str, faults: dict[Ref | None, list[Problem]]
    ) -> None:
        items = getattr(scene, where)
        group = QTreeWidgetItem(self.view.invisibleRootItem(), [f"{title} ({len(items)})", ""])
        group.setData(NAME, REF + 1, where)
        group.setIcon(NAME, self._look.icon(image, "muted"))
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = group.font(NAME)
        font.setBold(True)
        group.setFont(NAME, font)
        for item in items:
            ref = Ref(where, item.name)
            picture = icon_name(where, item, image)
            leaf = self._add(group, ref, item.name, picture)
            leaf.setFlags(leaf.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled)
            color = getattr(item, "color", "")
            if color and where == "bodies":
                leaf.setIcon(NAME, _tinted(picture, color, self._look.theme["on_accent"]))
            self._badge(leaf, faults.get(ref, []), picture, _tip(where, item))
            visible = _visible(scene, item)
            if visible is not None:
                leaf.setIcon(EYE, self._look.icon("eye" if visible else "eye-off", "muted"))
                leaf.setToolTip(EYE, "Hide" if visible else "Show")
                if not visible:
                    leaf.setForeground(NAME, self._look.theme.color("ghost"))
            if isinstance(item, Group):
                self._add_members(leaf, scene, item)
        group.setFirstColumnSpanned(True)
        group.setHidden(not items)
        group.setExpanded(where not in self._closed)

    def _add_members(self, leaf: QTreeWidgetItem, scene: Scene, group: Group) -> None:
        """Below a group, its members once more: a click selects the element itself."""
        for ref in members(scene, group):
            child = QTreeWidgetItem(leaf, [ref.name, ""])
            child.setData(NAME, REF, ref)
            child.setIcon(
                NAME, self._look.icon(icon_name(ref.where, find(scene, ref), IMAGES[ref.where]), "muted")
            )
            child.setToolTip(NAME, kind_title(ref.where, find(scene, ref)))
        leaf.setExpanded(f"groups.{group.name}" not in self._closed)
        leaf.setData(NAME, REF + 1, f"groups.{group.name}")

    def _add(self, parent: QTreeWidgetItem, ref: Ref, text: str, image: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(parent, [text, ""])
        item.setData(NAME, REF, ref)
        item.setIcon(NAME, self._look.icon(image))
        self._items[ref] = item
        return item

    def _badge(self, item: QTreeWidgetItem, faults: list[Problem], image: str, tip: str) -> None:
        item.setToolTip(NAME, tip)
        if faults:
            item.setIcon(NAME, _with_badge(image, self._look.theme["text"], self._look.theme["danger"]))
            item.setForeground(NAME, self._look.theme.color("danger"))
            told = "\n".join(f"{fault.message}\n→ {fault.remedy}" for fault in faults)
            item.setToolTip(NAME, as_plain(told))

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        root: Any = self.view.invisibleRootItem()
        for i in range(root.childCount()):
            group = root.child(i)
            shown = 0
            for j in range(group.childCount()):
                leaf = group.child(j)
                about = f"{leaf.text(NAME)} {leaf.toolTip(NAME)}".lower()
                hidden = not all(word in about for word in words)
                leaf.setHidden(hidden)
                shown += not hidden
            if group.childCount():
                group.setHidden(not shown)
                if words:
                    group.setExpanded(True)

    # selection, both ways

    def _show_selection(self) -> None:
        if self._syncing:
            return
        chosen = {Ref(ref.where, ref.name) for ref in self._session.selection.refs}
        with QSignalBlocker(self.view):
            items = [item for ref, item in self._items.items() if ref in chosen]
            first = items[0] if items else None
            self._select_rows(items)
        if first is not None:
            parent = first.parent()
            if parent is not None:
                parent.setExpanded(True)
            self.view.scrollToItem(first)
        self.view.viewport().update()

    def _select_rows(self, items: Sequence[QTreeWidgetItem]) -> None:
        """Select these at once: neighbours become one range, of which thousands of rows make few."""
        ranges = QItemSelection()
        begin = end = QModelIndex()
        for index in map(self.view.indexFromItem, items):
            if end.isValid() and index.parent() == end.parent() and index.row() == end.row() + 1:
                end = index
                continue
            if begin.isValid():
                ranges.select(begin, end)
            begin = end = index
        if begin.isValid():
            ranges.select(begin, end)
        flags = QItemSelectionModel.SelectionFlag
        self.view.selectionModel().select(ranges, flags.ClearAndSelect | flags.Rows)

    def _selected(self) -> None:
        refs = [item.data(NAME, REF) for item in self.view.selectedItems()]
        self._syncing = True
        try:
            self._session.selection.set(ref for ref in refs if ref is not None and ref.where != "scene")
        finally:
            self._syncing = False

    def _hovered(self, item: QTreeWidgetItem) -> None:
        ref = item.data(NAME, REF)
        self._session.selection.set_hover(ref if ref is not None and ref.where != "scene" else None)

    # edits

    def rename(self, ref: Ref) -> None:
        """Begin to edit the name in place."""
        item = self._items.get(ref)
        if item is None:
            return
        if item.isHidden():  # by the search
            self.search.clear()
        self.view.scrollToItem(item)  # which opens its group
        edit_in_place(self.view, item, NAME)

    def _renamed(self, item: QTreeWidgetItem, column: int) -> None:
        ref = item.data(NAME, REF)
        if column != NAME or ref is None or ref.where == "scene":
            return
        name = item.text(NAME).strip()
        if name == ref.name:
            return
        document = self._session.document
        try:
            if not name:
                raise ValueError("a name is needed")
            document.apply(rename(document.scene, ref, name))
        except (SceneError, ValueError, KeyError) as error:
            self._session.message.emit("warning", f"{ref.name} was not renamed: {reason(error)}", ref)
            with QSignalBlocker(self.view):
                item.setText(NAME, ref.name)

    def _typed(self, *_: Any) -> None:
        """A name was typed or left; the editor goes when its event is over."""
        if self._is_late:
            self._soon.start()

    def _clicked(self, item: QTreeWidgetItem, column: int) -> None:
        ref = item.data(NAME, REF)
        if column != EYE or ref is None or ref.where == "scene":
            return
        document = self._session.document
        element = find(document.scene, ref)
        visible = _visible(document.scene, element)
        if visible is not None:
            document.apply(set_visible(document.scene, [ref], not visible))

    def _note_closed(self, item: QTreeWidgetItem) -> None:
        where = item.data(NAME, REF + 1)
        if where and not self.search.text():
            (self._closed.discard if item.isExpanded() else self._closed.add)(where)

    def _menu(self, at: QPoint) -> None:
        if self._menu_of is None:
            return
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for action in self._menu_of():
            menu.addAction(action) if action is not None else menu.addSeparator()
        show_once(menu, self.view.viewport().mapToGlobal(at))


PANEL = PanelKind(
    "tree", "Scene", "tree", "left", lambda given: TreePanel(given.session, given.look, given.context_actions)
)


def _visible(scene: Scene, item: Any) -> bool | None:
    """Whether an element is shown, of a group whether any member is; None for what cannot be seen."""
    if isinstance(item, Group):
        shown = [getattr(find(scene, ref), "visible", None) for ref in members(scene, item)]
        known = [one for one in shown if one is not None]
        return any(known) if known else None
    return getattr(item, "visible", None)


def icon_name(where: str, item: Any, default: str) -> str:
    """The icon of an element's kind."""
    tag = item.__struct_config__.tag
    if where in KINDS and tag in KINDS[where]:
        return str(KINDS[where][tag].icon) or default
    return default


def _tip(where: str, item: Any) -> str:
    lines = [kind_title(where, item)]
    for part in ("a", "b"):
        anchor: Any = getattr(item, part, None)
        if hasattr(anchor, "body"):
            lines.append(f"{part}: {anchor.body}")
    if isinstance(item, Group):
        lines.append(", ".join(text.partition(".")[2] for text in item.members))
    lines += [text for text in (getattr(item, "notes", ""), getattr(item, "note", "")) if text]
    return "\n".join(lines)


def _tinted(image: str, color: str, selected: str) -> QIcon:
    made = QIcon(pixmap(image, color, 32))
    made.addPixmap(pixmap(image, selected, 32), QIcon.Mode.Selected)
    return made


def _with_badge(image: str, color: str, badge: str) -> QIcon:
    picture = QPixmap(pixmap(image, color, 32))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(badge))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(17, 17, 14, 14)
    painter.end()
    return QIcon(picture)
