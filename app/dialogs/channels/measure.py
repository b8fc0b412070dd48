"""A new measure: an expression of channels, which are offered while it is typed, and its unit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.document.channels.channel_formula import quoted
from app.platform.appearance import button_box, label
from app.session.recorded.run import Run
from engine.errors import SceneError
from engine.maths.expression_units import unit_of
from engine.maths.expressions import quote_name

PARTS = " +-*/^(),<>="  # what ends a name that is being typed
HINT = "Channels, parameters, t and functions: joint.A.angle*2 + t. Choose a channel below to insert it."


class MeasureDialog(QDialog):
    """What is typed is checked at once; `expression` and `unit` are what was accepted."""

    def __init__(self, parent: QWidget, run: Run) -> None:
        super().__init__(parent)
        self.setObjectName("measure")
        self.setWindowTitle("Add measure")
        self.resize(480, 460)
        self._run, self._names = run, run.names()
        self.line = QLineEdit()
        self.line.setObjectName("measure.expression")
        self.unit_line = QLineEdit()
        self.unit_line.setObjectName("measure.unit")
        self.note = label(HINT, "muted", "measure.note")
        self.note.setWordWrap(True)
        self.offered = QListWidget()
        self.offered.setObjectName("measure.channels")
        for name in self._names:
            unit = run.unit(name)
            item = QListWidgetItem(f"{name}   [{unit}]" if unit else name)
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.offered.addItem(item)
        standard = QDialogButtonBox.StandardButton
        self.buttons = button_box(standard.Ok | standard.Cancel, "measure")
        form = QFormLayout()
        form.addRow("Expression", self.line)
        form.addRow("Unit", self.unit_line)
        column = QVBoxLayout(self)
        column.addLayout(form)
        for widget in (self.note, self.offered, self.buttons):
            column.addWidget(widget)
        self.line.textChanged.connect(self._typed)
        self.offered.itemActivated.connect(self._insert)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._typed()

    @property
    def expression(self) -> str:
        return quoted(self.line.text().strip(), self._names)

    @property
    def unit(self) -> str:
        return self.unit_line.text().strip()

    def _typed(self) -> None:
        word = self._word()[1].lower()
        for i in range(self.offered.count()):
            item = self.offered.item(i)
            name = str(item.data(Qt.ItemDataRole.UserRole)).lower()
            item.setHidden(not all(part in name for part in word.replace('"', "").split(".") if part))
        reason = self._reason()
        self.note.setText(reason or HINT)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(
            not reason and bool(self.expression)
        )
        if not self.unit_line.isModified():
            self.unit_line.setText(unit_of(self.expression, self._unit))

    def _unit(self, name: str) -> str:
        return str(self._run.unit(name)) if name in self._names else "s" if name == "t" else ""

    def _reason(self) -> str:
        """Why the expression cannot be used; empty when it can, or when nothing is typed."""
        if not self.expression:
            return ""
        try:
            self._run.segments[-1].channels.expression(self.expression, "measure")
        except SceneError as error:
            problem = error.problems[0]
            return f"{problem.message}: {problem.remedy}" if problem.remedy else str(problem.message)
        return ""

    def _word(self) -> tuple[int, str]:
        """Where the name before the cursor begins, and the name."""
        before = self.line.text()[: self.line.cursorPosition()]
        begin = max((before.rfind(sign) for sign in PARTS), default=-1) + 1
        return begin, before[begin:]

    def _insert(self, item: QListWidgetItem) -> None:
        """Put a channel in the place of the name that is being typed."""
        text, end = self.line.text(), self.line.cursorPosition()
        begin, _ = self._word()
        name = quote_name(str(item.data(Qt.ItemDataRole.UserRole)))
        self.line.setText(text[:begin] + name + text[end:])
        self.line.setCursorPosition(begin + len(name))
        self.line.setFocus()
