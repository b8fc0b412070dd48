"""What stands in for a session in tests of panels, and a hand that uses their widgets."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from app.document.document import Document, Edit, Ref
from app.document.problem_elements import problems_by_element
from app.document.selection import Selection
from app.session.recorded.run_list import RunList
from engine import Scene
from engine.errors import Problem
from engine.results.recorder import MEMORY
from engine.solvers.catalogue import Method


class WrittenFaults(QObject):
    """What is wrong with the scene as it is written, known at once."""

    changed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document

    def by_element(self) -> dict[Ref | None, list[Problem]]:
        return problems_by_element(self._document.scene, self._document.problems)


class Desk(QObject):
    """What panels need of a session."""

    state_changed = Signal(str)
    advanced = Signal()
    t = 0.0  # s
    not_yet = ""  # nothing has to be compiled
    message = Signal(str, str, object)

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.document = Document(self, autosave=folder)
        self.selection = Selection(self)
        self.faults = WrittenFaults(self.document)
        self.runs = RunList(self, MEMORY)
        self.whole_motion = SimpleNamespace(family="")
        self.racing = SimpleNamespace(running=False)
        self.told: list[str] = []
        self.document.changed.connect(self.selection.follow)
        self.message.connect(lambda level, text, ref: self.told.append(text))

    @property
    def scene(self) -> Scene:
        return self.document.scene

    def compiled(self, method: Method) -> bool | None:
        return None

    def begin(self, scene: Scene, *refs: Ref) -> None:
        """Open a scene with nothing to undo, and select elements of it."""
        self.document.apply(Edit("Open", scene))
        self.document.stack.clear()
        self.selection.set(refs)

    @property
    def steps(self) -> int:
        return self.document.stack.count()


def hands_on(panel: QWidget) -> SimpleNamespace:
    """What a user's hand does to widgets of the panel, which it finds by name."""

    def find(name: str, kind: type[Any] = QWidget) -> Any:
        found = [widget for widget in panel.findChildren(kind, name) if not _going(panel, widget)]
        assert found, f"no {name}; there are {sorted(w.objectName() for w in panel.findChildren(kind))}"
        return found[-1]

    def type_(name: str, text: str) -> QLineEdit:
        line: QLineEdit = find(name, QLineEdit)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Delete)
        QTest.keyClick(line, Qt.Key.Key_Return)
        return line

    def click(name: str) -> None:
        QTest.mouseClick(find(name), Qt.MouseButton.LeftButton)

    def choose(name: str, text: str) -> None:
        box = find(name)
        index = box.findText(text)
        assert index >= 0, [box.itemText(i) for i in range(box.count())]
        box.setCurrentIndex(index)
        box.activated.emit(index)

    return SimpleNamespace(find=find, type=type_, click=click, choose=choose)


def _going(panel: QWidget, widget: QWidget) -> bool:
    """Whether a widget belongs to a form that has been replaced and only waits to be deleted."""
    parent: Any = widget
    while parent is not None and parent is not panel:
        if parent.objectName() == "inspector.form" and parent.isHidden():
            return True
        parent = parent.parentWidget()
    return parent is None
