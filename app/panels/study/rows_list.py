"""All runs of a study as a table; those that failed with their message."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from app.panels.study.base import RowsView, ViewKind
from app.panels.study.shown_table import ShownTable
from app.platform.appearance import Look

MAX_LISTED = 5000  # rows that are listed; the file has all
WIDEST = 280  # px of a column, unless the user draws it wider
INDEX = Qt.ItemDataRole.UserRole


class RowsList(RowsView):
    """A double-click opens a run."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "study.rows")
        self.view = QTreeWidget()
        self.view.setObjectName("study.rows.view")
        self.view.setRootIsDecorated(False)
        self.view.setHeaderHidden(True)  # until there is something to head
        self.view.setUniformRowHeights(True)
        self.view.setSortingEnabled(True)
        self.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)  # the order of the design
        self.view.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.view.header().setStretchLastSection(True)
        self._listed: ShownTable | None = None
        self._widths_for: list[str] = []  # the headings whose columns were made to fit
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.view.itemActivated.connect(lambda item, column: self.picked.emit(int(item.data(0, INDEX))))

    def fill(self, shown: ShownTable) -> None:
        if self._listed is not None and self._listed.same_as(shown):
            return
        self._listed = shown
        names = [*(shown.heading(name) for name in shown.names), "status", "message"]
        self.view.setSortingEnabled(False)
        self.view.clear()
        self.view.setHeaderLabels(names)
        self.view.setHeaderHidden(False)
        self.view.addTopLevelItems([self._item(index, shown) for index in range(min(len(shown), MAX_LISTED))])
        self.view.setSortingEnabled(True)
        if self._widths_for != names:  # those that the user has drawn stay
            self._widths_for = names
            for column in range(len(names) - 1):
                self.view.resizeColumnToContents(column)
                self.view.setColumnWidth(column, min(self.view.columnWidth(column), WIDEST))

    def _item(self, index: int, shown: ShownTable) -> QTreeWidgetItem:
        row = shown.table.rows[index]
        numbers = [*row.values, *row.objectives]
        cells = [*numbers, row.status, " ".join(row.message.split())]
        texts = [shown.text(name, cell) for name, cell in zip(shown.names, numbers, strict=True)]
        item = _Sorted([*texts, *map(str, cells[len(numbers) :])])
        item.setData(0, INDEX, index)
        for column, cell in enumerate(cells):
            item.numbers[column] = float(cell) if isinstance(cell, float | int) else None
        if not row.done:
            for column in range(len(cells)):
                item.setForeground(column, self.look.theme.color("danger"))
        item.setToolTip(len(cells) - 1, row.message)
        return item

    def dress(self) -> None:
        self._listed = None  # the colours are other ones, too
        super().dress()


class _Sorted(QTreeWidgetItem):
    """Numbers by their size, words by the alphabet."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__(texts)
        self.numbers: dict[int, float | None] = {}

    def __lt__(self, other: QTreeWidgetItem) -> bool:
        tree = self.treeWidget()
        column = tree.sortColumn() if tree is not None else 0
        mine = self.numbers.get(column)
        theirs = other.numbers.get(column) if isinstance(other, _Sorted) else None
        if mine is not None and theirs is not None:
            return mine < theirs
        return self.text(column) < other.text(column)


VIEW = ViewKind("rows", "Rows", "All runs, with the messages of those that failed", RowsList)
