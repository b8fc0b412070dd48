"""All runs of a study as a table; those that failed with their message."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from app.panels.study.base import RowsView, ViewKind
from app.platform.appearance import Look
from engine.studies.outcomes.table import Table

MOST = 5000  # rows that are listed; the file has all
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
        self._table: Table | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.view.itemActivated.connect(lambda item, column: self.picked.emit(int(item.data(0, INDEX))))

    def show_table(self, table: Table) -> None:
        names = [*table.variables, *table.objectives, "status", "message"]
        if self._table is table:
            return
        self._table = table
        self.view.setSortingEnabled(False)
        self.view.clear()
        self.view.setHeaderLabels(names)
        self.view.setHeaderHidden(False)
        self.view.addTopLevelItems([self._item(index, table) for index in range(min(len(table), MOST))])
        self.view.setSortingEnabled(True)

    def _item(self, index: int, table: Table) -> QTreeWidgetItem:
        row = table.rows[index]
        cells = [*row.values, *row.objectives, row.status, " ".join(row.message.split())]
        item = _Sorted([_text(cell) for cell in cells])
        item.setData(0, INDEX, index)
        for column, cell in enumerate(cells):
            item.numbers[column] = float(cell) if isinstance(cell, float | int) else None
        if not row.done:
            for column in range(len(cells)):
                item.setForeground(column, self.look.theme.color("danger"))
        item.setToolTip(len(cells) - 1, row.message)
        return item

    def dress(self) -> None:
        if self._table is not None:
            table, self._table = self._table, None
            self.show_table(table)


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


def _text(cell: object) -> str:
    if cell is None:
        return "–"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


VIEW = ViewKind("rows", "Rows", "All runs, with the messages of those that failed", RowsList)
