"""Where a script points: a widget by name, an entry of it by text, an element of the scene, or a pixel."""

from difflib import get_close_matches
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QListView,
    QMenu,
    QMenuBar,
    QTabBar,
    QWidget,
)

from app.document.element_ref import Ref
from app.window.main_window import MainWindow

Spot = tuple[QWidget, QPoint]  # a widget and a point in it


class ScriptError(Exception):
    """A line of the script cannot be done."""


def spot_of(window: MainWindow, where: Any) -> Spot:
    """The point that `where` names; raises ScriptError."""
    if not isinstance(where, dict):
        raise ScriptError(f"{where!r} is no place; write for instance {{'widget': 'transport.play'}}")
    if "widget" in where:
        widget = widget_of(str(where["widget"]))
        if "item" in where:
            return _entry(widget, str(where["item"]))
        centre = widget.rect().center()
        return widget, QPoint(round(where.get("x", centre.x())), round(where.get("y", centre.y())))
    if "ref" in where or "point" in where:
        return window.viewport, pixel_of(window, where).toPoint()
    if "x" in where and "y" in where:
        return window, QPoint(round(where["x"]), round(where["y"]))
    raise ScriptError("a place needs widget, ref, point, or x and y")


def widget_of(name: str) -> QWidget:
    """The visible widget of an object name; the front window's goes first."""
    front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    found = [widget for widget in QApplication.allWidgets() if widget.objectName() == name]
    shown = [widget for widget in found if widget.isVisible()]
    if shown:
        return next((widget for widget in shown if widget.window() is front), shown[0])
    if found:
        raise ScriptError(f"{name} is not visible")
    known = {widget.objectName() for widget in QApplication.allWidgets() if widget.isVisible()} - {""}
    raise ScriptError(unknown("widget", name, known))


def ref_of(window: MainWindow, value: Any) -> Ref:
    """`["bodies", "crank"]` or "bodies.crank" as a reference to an element that is there."""
    parts = value.split(".", 1) if isinstance(value, str) else list(value)
    if len(parts) not in (2, 3) or not all(isinstance(part, str) for part in parts):
        raise ScriptError(f'{value!r} is no element; write for instance ["bodies", "crank"]')
    where, name = parts[:2]
    items = getattr(window.session.document.scene, where, None)
    if not isinstance(items, tuple):
        raise ScriptError(f"the scene has no list {where!r}")
    names = [item.name for item in items]
    if name not in names:
        raise ScriptError(unknown(f"element of {where}", name, names))
    return Ref(*parts)


def pixel_of(window: MainWindow, where: dict[str, Any]) -> QPointF:
    """Where a point of an element (by name, or in the frame of a body [m]) or of the world is drawn."""
    if not window.viewport.is_open:
        raise ScriptError("the viewport is closed")
    view, point = window.viewport.view, where.get("point", "")
    if not isinstance(point, str):
        point = tuple(float(number) for number in point)
        if len(point) == 2:
            point = (*point, 0.0)
        if len(point) != 3:
            raise ScriptError("a point has two or three coordinates")
    try:
        world = view.queries.position_of(ref_of(window, where["ref"]), point) if "ref" in where else point
        x, y = view.camera.project(world)
    except (StopIteration, KeyError, AttributeError, ValueError, TypeError) as error:
        raise ScriptError(f"{where} has no place in the viewport: {error}") from None
    ratio = window.viewport.devicePixelRatioF()
    return QPointF(x / ratio, y / ratio)


def _entry(widget: QWidget, text: str) -> Spot:
    """An entry of a list, tree, table, menu or row of tabs."""
    if isinstance(widget, QComboBox):
        if not widget.view().isVisible():
            widget.showPopup()  # its entries are nowhere until then
        widget = widget.view()
    if isinstance(widget, QAbstractItemView):
        return _item(widget, text)
    if isinstance(widget, QMenu | QMenuBar):
        actions = {action.text().replace("&", ""): action for action in widget.actions()}
        if text in actions:
            return widget, widget.actionGeometry(actions[text]).center()
        raise ScriptError(unknown("entry", text, actions))
    if isinstance(widget, QTabBar):
        tabs = {widget.tabText(i).replace("&", ""): i for i in range(widget.count())}
        if text in tabs:
            return widget, widget.tabRect(tabs[text]).center()
        raise ScriptError(unknown("tab", text, tabs))
    raise ScriptError(f"{widget.objectName()} has no entries")


def columns_of(view: QAbstractItemView, parent: QModelIndex) -> int:
    """Columns below an entry; the models of lists keep their only one to themselves."""
    return 1 if isinstance(view, QListView) else view.model().columnCount(parent)


def _item(view: QAbstractItemView, text: str) -> Spot:
    model = view.model()
    flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchWrap
    for column in range(columns_of(view, QModelIndex())):
        start = model.index(0, column)
        found = model.match(start, Qt.ItemDataRole.DisplayRole, text, 1, flags) if start.isValid() else []
        if found:
            view.scrollTo(found[0])
            return view.viewport(), view.visualRect(found[0]).center()
    raise ScriptError(f"{view.objectName()} has no entry {text!r}")


def unknown(sort: str, name: str, known: Any) -> str:
    near = get_close_matches(name, list(known), n=3)
    return f"there is no {sort} {name!r}" + (f"; did you mean {' or '.join(near)}?" if near else "")
