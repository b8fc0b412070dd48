"""What no test may leave behind: threads, top-level widgets, and windows of VTK that are still open.

Whatever was there before the test (of a fixture that several tests share) does not count. Nothing is imported
for the check: a test without Qt or VTK cannot leave anything of theirs.
"""

import gc
import itertools
import sys
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

PATIENCE = 90.0  # s; a kernel that is just being compiled cannot be broken off: its thread ends with it
QT_KEEPS = {"QTipLabel"}  # Qt has one bubble for all tool tips and takes it away when it likes


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Fail a test that leaves something; for all tests, before their own fixtures and after them."""
    before = Belongings()
    yield
    if left := before.left():
        pytest.fail(left, pytrace=False)


class Belongings:
    """What there is now, to be compared with what there is later."""

    def __init__(self) -> None:
        _watch_vtk()
        self._threads = set(threading.enumerate())
        self._widgets = _top_level_widgets()
        self._vtk_windows = set(_open_vtk_windows)

    def left(self, patience: float = PATIENCE) -> str:
        """What came since then and has not gone, with the remedy; "" for nothing."""
        _delete_later()
        if _top_level_widgets() - self._widgets or _open_vtk_windows - self._vtk_windows:
            gc.collect()  # what hangs in a cycle of references is not lost
        parts = []
        if count := len(_open_vtk_windows - self._vtk_windows):
            parts.append(f"{count} VTK window(s) still open: close the SceneView")
        if widgets := _top_level_widgets() - self._widgets:
            names = ", ".join(sorted(name for _, name in widgets))
            parts.append(f"widgets left: {names}: close them and call deleteLater, or use qtbot.addWidget")
        started = set(threading.enumerate()) - self._threads
        for thread in started:
            thread.join(patience)
        if names := ", ".join(sorted(thread.name for thread in started if thread.is_alive())):
            parts.append(f"threads left: {names}: close what started them")
        return "\n".join(parts)


def _top_level_widgets() -> set[tuple[int, str]]:
    """Address and name of each widget that has no parent."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return set()
    shiboken = sys.modules["shiboken6"]
    return {
        (shiboken.getCppPointer(widget)[0], f"{type(widget).__name__} {widget.objectName()!r}")
        for widget in widgets.QApplication.topLevelWidgets()
        if widget.parentWidget() is None and widget.metaObject().className() not in QT_KEEPS
    }


def _delete_later() -> None:
    """Do what deleteLater has put off, as the event loop of the program would."""
    core = sys.modules.get("PySide6.QtCore")
    if core is not None and core.QCoreApplication.instance() is not None:
        for _ in range(2):  # what goes may take something with it
            core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)


_open_vtk_windows: set[int] = set()
_numbers = itertools.count()
_watched: set[ModuleType] = set()


def _watch_vtk() -> None:
    """Count the windows of VTK from the moment on that the one module which makes them is loaded."""
    offscreen: Any = sys.modules.get("app.viewport.canvas.offscreen")
    if offscreen is None or offscreen in _watched:
        return
    _watched.add(offscreen)
    make = offscreen.vtkRenderWindow

    def counted() -> Any:
        window, number = make(), next(_numbers)
        _open_vtk_windows.add(number)
        window.AddObserver("DeleteEvent", lambda *_: _open_vtk_windows.discard(number))
        return window

    offscreen.vtkRenderWindow = counted
