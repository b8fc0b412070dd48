"""Names that are edited where they stand."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem, QTreeWidget, QTreeWidgetItem


def edit_in_place(
    view: QTreeWidget | QTableWidget, item: QTreeWidgetItem | QTableWidgetItem, column: int = 0
) -> None:
    """Open the editor of an item; nothing where it is open already or may not be: Qt would complain."""
    if view.state() == QAbstractItemView.State.EditingState or not item.flags() & Qt.ItemFlag.ItemIsEditable:
        return
    if isinstance(view, QTreeWidget) and isinstance(item, QTreeWidgetItem):
        view.editItem(item, column)
    elif isinstance(view, QTableWidget) and isinstance(item, QTableWidgetItem):
        view.editItem(item)
