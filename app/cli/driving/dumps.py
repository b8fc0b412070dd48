"""What the window shows, as plain data: one function per word of `dump`."""

import json
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDockWidget,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QTreeView,
    QWidget,
)

from app.cli.driving.targets import columns_of
from app.document.element_ref import Ref
from app.panels.messages import MessagesPanel
from app.panels.plots import PlotsPanel
from app.window.main_window import MainWindow
from engine.model.files.scene_file import dumps


def _scene(window: MainWindow) -> Any:
    return json.loads(dumps(window.session.document.scene))


def _selection(window: MainWindow) -> Any:
    selection = window.session.selection
    return {
        "refs": [_ref(ref) for ref in selection.refs],
        "hover": None if selection.hover is None else _ref(selection.hover),
    }


def _ref(ref: Ref) -> list[str]:
    return [part for part in (ref.where, ref.name, ref.part) if part]


def _playhead(window: MainWindow) -> Any:
    session = window.session
    status = session.engine.status
    return {
        "t": session.t,
        "live": session.playhead.live,
        "state": session.state,
        "speed": session.transport.speed,
        "t_end": session.transport.t_end,
        "loop": session.transport.loop,
        "real_time_factor": status.real_time_factor if status else None,
        "lag": status.lag if status else None,
        "resynchronised": status.resynchronised if status else 0,
    }


def _runs(window: MainWindow) -> Any:
    session = window.session
    return [
        {
            "id": run.id,
            "name": run.name,
            "kind": run.kind,
            "method": run.method,
            "dt": run.dt,
            "t_first": run.t_first,
            "t_last": run.t_last,
            "samples": run.count,
            "segments": len(run.record.segments),
            "events": [[t, text] for t, text in run.events],
            "pinned": run.pinned,
            "visible": run.visible,
            "current": run is session.current,
        }
        for run in session.runs
    ]


def _values(window: MainWindow) -> Any:
    """All plotted channels at the playhead, in SI, of all runs that are drawn."""
    panel, t = window.docks.panel(PlotsPanel), window.session.t
    names = panel.channels()
    return {
        run.name: dict(zip(names, run.values_at(names, t).tolist(), strict=True))
        for run in panel.shown_runs()
        if run is not None and not run.empty and run.t_first <= t <= run.t_last
    }


def _messages(window: MainWindow) -> Any:
    return window.docks.panel(MessagesPanel).texts()


def _text(window: MainWindow) -> Any:
    rows = []
    for widget in _visible():
        for text in _texts(widget):
            plain = QTextDocumentFragment.fromHtml(text).toPlainText() if _looks_rich(text) else text
            if plain.strip():
                rows.append({"widget": widget.objectName(), "text": plain.strip()})
    return [{"widget": "main", "text": window.windowTitle().replace("[*]", "")}, *rows]


def _widgets(window: MainWindow) -> Any:
    """Visible widgets with a name; the rectangle is in pixels of their own window."""
    rows = []
    for widget in _visible():
        if not widget.objectName() or widget.objectName().startswith("qt_"):
            continue
        corner = widget.mapTo(widget.window(), QPoint(0, 0))
        rows.append(
            {
                "widget": widget.objectName(),
                "kind": type(widget).__name__,
                "window": widget.window().objectName(),
                "rect": [corner.x(), corner.y(), widget.width(), widget.height()],
                "enabled": widget.isEnabled(),
                "focus": widget.hasFocus(),
            }
        )
    return rows


def _actions(window: MainWindow) -> Any:
    return [
        {
            "id": id,
            "text": action.text(),
            "shortcut": action.shortcut().toString(),
            "enabled": action.isEnabled(),
            "checked": action.isChecked() if action.isCheckable() else None,
        }
        for id, action in window.menus.actions.items()
    ]


DUMPS: dict[str, Callable[[MainWindow], Any]] = {
    "actions": _actions,  # keep sorted
    "messages": _messages,
    "playhead": _playhead,
    "runs": _runs,
    "scene": _scene,
    "selection": _selection,
    "text": _text,
    "values": _values,
    "widgets": _widgets,
}


def _visible() -> list[QWidget]:
    return [w for w in QApplication.allWidgets() if w.isVisible() and not w.visibleRegion().isEmpty()]


def _looks_rich(text: str) -> bool:
    return "</" in text or "<br" in text or "&nbsp;" in text


def _texts(widget: QWidget) -> list[str]:
    """The words that a widget itself shows."""
    if isinstance(widget, QLabel | QAbstractButton):
        return [widget.text()]
    if isinstance(widget, QLineEdit):
        return [widget.displayText() or widget.placeholderText()]
    if isinstance(widget, QComboBox):
        return [widget.currentText()]
    if isinstance(widget, QGroupBox):
        return [widget.title()]
    if isinstance(widget, QTextEdit | QPlainTextEdit):
        return [widget.toPlainText()]
    if isinstance(widget, QTabBar):
        return [widget.tabText(i) for i in range(widget.count())]
    if isinstance(widget, QMenu | QMenuBar):
        return [action.text().replace("&", "") for action in widget.actions() if action.isVisible()]
    if isinstance(widget, QDockWidget):
        return [widget.windowTitle()] if widget.titleBarWidget() is None else []
    if isinstance(widget, QAbstractItemView):
        return _items(widget, widget.model(), widget.rootIndex()) if widget.model() is not None else []
    return []


def _items(view: QAbstractItemView, model: QAbstractItemModel, parent: QModelIndex) -> list[str]:
    texts: list[str] = []
    for row in range(model.rowCount(parent)):
        for column in range(columns_of(view, parent)):
            index = model.index(row, column, parent)
            if view.visualRect(index).intersects(view.viewport().rect()):
                texts.append(str(model.data(index, Qt.ItemDataRole.DisplayRole) or ""))
            if column == 0 and isinstance(view, QTreeView) and model.hasChildren(index):
                texts += _items(view, model, index)
    return texts
