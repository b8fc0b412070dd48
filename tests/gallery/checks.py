"""What a picture must not have: text cut off, faint or with raw markup, and texts that lie on each other."""

import re
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QTableView,
    QToolButton,
    QTreeView,
    QWidget,
)

from app.panels.status.status_line import StatusLine
from tests.contrast import contrast

READABLE = 4.5  # contrast of words and ground
SLACK = 1  # px that rounding may take
MARKUP = re.compile(r"</|<br|&nbsp;|&lt;")


def cut_texts(top: QWidget) -> list[str]:
    """Everything visible below `top` whose text does not fit, told as `object name: text`."""
    found = []
    for widget in (top, *top.findChildren(QWidget)):
        if widget.isVisible() and not widget.visibleRegion().isEmpty():
            found += [f"{_path(widget)}: {text!r}" for text in _cut(widget)]
    return found


def overlaps(top: QWidget) -> list[str]:
    """Neighbours with text that lie on each other."""
    found = []
    for parent in (top, *top.findChildren(QWidget)):
        shown = [
            child
            for child in parent.children()
            if isinstance(child, QLabel | QAbstractButton | QLineEdit | QComboBox)
            and child.isVisible()
            and not child.isWindow()
        ]
        if isinstance(parent, QTabBar | QComboBox | QLineEdit | QHeaderView):
            continue  # they place their own buttons
        for one, two in combinations(shown, 2):
            if one.geometry().intersects(two.geometry()):
                found.append(f"{_path(one)} and {_path(two)}")
    return found


def raw_markup(top: QWidget) -> list[str]:
    """Labels of plain text that were given markup, which is then shown as it is written."""
    return [
        f"{_path(label)}: {label.text()!r} is shown raw"
        for label in top.findChildren(QLabel)
        if label.textFormat() == Qt.TextFormat.PlainText and MARKUP.search(label.text())
    ]


def faint_texts(top: QWidget) -> list[str]:
    """Labels, buttons and fields whose words do not stand out from their ground, as they are painted."""
    picture = top.grab()
    ratio, pixels = picture.devicePixelRatio(), _pixels(picture.toImage())
    whole = QRect(0, 0, pixels.shape[1], pixels.shape[0])
    found = []
    for widget in top.findChildren(QWidget):
        if not isinstance(widget, QLabel | QAbstractButton | QLineEdit | QComboBox) or not widget.isEnabled():
            continue
        words = widget.currentText() if isinstance(widget, QComboBox) else widget.text()
        bare = isinstance(widget, QToolButton) and widget.toolButtonStyle() == _ICON_ONLY
        seen = widget.visibleRegion().boundingRect()
        if bare or not words.strip(" …–") or seen != widget.rect():  # the words may be in the part not seen
            continue
        at = widget.mapTo(top, QPoint(0, 0))
        area = QRect(at * ratio, seen.size() * ratio).intersected(whole)
        if area.isEmpty():
            continue
        strongest = _strongest(pixels[area.top() : area.bottom() + 1, area.left() : area.right() + 1])
        if strongest < READABLE:
            found.append(f"{_path(widget)}: {words!r} is faint, {strongest:.2f}")
    return found


def _pixels(picture: QImage) -> np.ndarray:
    """Colours as 0xRRGGBB, shape (height, width)."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.bytesPerLine() // 4)
    return rows[:, : plain.width()] & 0xFFFFFF


def _strongest(pixels: np.ndarray) -> float:
    """Largest contrast in a part of a picture with the colour that most of it has."""
    colors, counts = np.unique(pixels, return_counts=True)
    ground = f"#{colors[counts.argmax()]:06x}"
    return max(contrast(ground, f"#{color:06x}") for color in colors)


def _path(widget: QWidget) -> str:
    names: list[str] = []
    at: QWidget | None = widget
    while at is not None and len(names) < 3:
        names.append(at.objectName() or type(at).__name__)
        at = at.parentWidget()
    return " < ".join(names)


def _cut(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel):
        yield from _cut_label(widget)
    elif isinstance(widget, QToolButton) and not widget.text().strip("&"):
        return
    elif isinstance(widget, QToolButton):
        if widget.toolButtonStyle() != _ICON_ONLY and _tool_width(widget) > widget.width() + SLACK:
            yield widget.text()
    elif isinstance(widget, QAbstractButton):
        if widget.text() and widget.sizeHint().width() > widget.width() + SLACK:
            yield widget.text()
    elif isinstance(widget, QComboBox):
        yield from _cut_combo(widget)
    elif isinstance(widget, QLineEdit):
        shown = widget.text() or widget.placeholderText()
        told = bool(widget.text()) and shown in widget.toolTip()  # an expression may be longer than any field
        inner = isinstance(widget.parent(), QComboBox)
        if not (inner or told) and _width(widget, shown) > widget.width() - 6:
            yield shown
    elif isinstance(widget, QTabBar):
        for i in range(widget.count()):
            if _width(widget, widget.tabText(i).replace("&", "")) > widget.tabRect(i).width() - 4:
                yield widget.tabText(i)
    elif isinstance(widget, QDockWidget) and widget.titleBarWidget() is None:
        if _width(widget, widget.windowTitle()) > widget.width() - 40:
            yield widget.windowTitle()
    elif isinstance(widget, QHeaderView):
        yield from _cut_header(widget)
    elif isinstance(widget, StatusLine):
        if _width(widget, widget.currentMessage()) > widget.room:
            yield widget.currentMessage()
    elif isinstance(widget, QAbstractItemView):
        yield from _cut_items(widget)


_ICON_ONLY = Qt.ToolButtonStyle.ToolButtonIconOnly


def _width(widget: QWidget, text: str) -> int:
    return max((widget.fontMetrics().horizontalAdvance(line) for line in text.splitlines()), default=0)


def _tool_width(button: QToolButton) -> int:
    """What words and icon of a button take; its own wish has more around them than it needs."""
    beside = button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    icon = button.iconSize().width() + 4 if beside and not button.icon().isNull() else 0
    return _width(button, button.text().replace("&", "")) + icon


def _cut_label(label: QLabel) -> Iterator[str]:
    if not label.text():
        return
    room = label.contentsRect()
    if label.wordWrap():
        if label.heightForWidth(label.width()) > label.height() + SLACK:
            yield label.text()
    elif label.textFormat() == Qt.TextFormat.RichText or label.text().startswith("<"):
        if label.sizeHint().width() > label.width() + SLACK:
            yield label.text()
    elif _width(label, label.text()) > room.width() + SLACK:
        yield label.text()
    if label.text().endswith("…"):
        yield label.text()


def _cut_combo(combo: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    field = combo.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, combo
    )
    if _width(combo, combo.currentText()) > field.width() + SLACK:
        yield combo.currentText()


def _cut_header(header: QHeaderView) -> Iterator[str]:
    model = header.model()
    if header.orientation() != Qt.Orientation.Horizontal or model is None:
        return
    for i in range(header.count()):
        text = str(model.headerData(i, Qt.Orientation.Horizontal) or "")
        hidden = header.isSectionHidden(i) or not text
        if not hidden and _width(header, text) > header.sectionSize(i) - 4:
            yield text


def _cut_items(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if model is None:
        return
    # wide rows can be scrolled to unless they are shortened to the width of their column
    for index in _indices(view):
        text = str(index.data() or "")
        area = view.visualRect(index)
        if not text or not area.isValid() or not view.viewport().rect().intersects(area):
            continue
        if isinstance(view, QListView) and view.wordWrap():
            continue
        if text in str(index.data(Qt.ItemDataRole.ToolTipRole) or ""):  # names may be longer than any panel
            continue
        if isinstance(view, QTreeView | QTableView | QListView):
            need = view.sizeHintForIndex(index).width()
            if need > area.width() + SLACK or area.right() > view.viewport().width() + SLACK:
                yield text


def _indices(view: QAbstractItemView) -> Iterator[QModelIndex]:
    model = view.model()
    stack = [model.index(row, 0) for row in range(model.rowCount())]
    while stack:
        index = stack.pop()
        # a list's model keeps its count of columns to itself
        columns = 1
        if isinstance(view, QTreeView):
            columns = view.header().count()
        elif isinstance(view, QTableView):
            columns = view.horizontalHeader().count()
        for column in range(columns):
            yield index.siblingAtColumn(column)
        if not isinstance(view, QTreeView) or view.isExpanded(index):
            stack += [model.index(row, 0, index) for row in range(model.rowCount(index))]
