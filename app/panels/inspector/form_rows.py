"""Rows of the inspector: label, editor, way back to the default, and the reason when something is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QMenu, QSizePolicy, QWidget

from app.panels.inspector.form import Entry
from app.platform.appearance import Look, ToolButton, label, restyle, tool_button
from app.platform.plain_text import unbroken
from app.widgets.editors import Context, Editor
from app.widgets.editors.parts.text_line import LineEdit
from app.widgets.show_once import show_once
from engine.elements.fields import Field

TITLE = 98  # px, width of titles beside their editor
UNLIMITED = 16_777_215  # px, what Qt calls QWIDGETSIZE_MAX
BUTTON_SIZE = QSize(20, 20)  # buttons beside an editor


class Row:
    """One field of what is selected."""

    def __init__(
        self, line: Entry, editor: Editor, context: Context, look: Look, commit: Callable[[Any], object]
    ) -> None:
        assert line.field is not None
        self.field: Field = line.field
        self.line = line
        self.editor, self.context = editor, context
        self._look = look
        self._commit = commit
        self._below: bool | None = None  # not yet placed
        self._reason = label("", "wrong", f"inspector.{line.path}.reason")
        self._reason.setWordWrap(True)
        self._reason.hide()
        self.title: QWidget = self._make_title()
        self.button = self._make_button()
        self.button.setIconSize(QSize(13, 13))
        self.button.setFixedSize(BUTTON_SIZE)
        self._shown: tuple[Any, ...] | None = None  # what the editor goes by; None once it was touched
        editor.setToolTip(self._about())  # Qt shows it for all parts of it that have none of their own
        editor.committed.connect(self._touched)
        editor.committed.connect(commit)
        editor.complained.connect(self._complained)

    def _make_title(self) -> QWidget:
        made = label(self._heading(), name=f"inspector.{self.line.path}.title")
        made.setWordWrap(True)
        about = [self._about(), "" if self.field.required else "right-click: reset"]
        made.setToolTip("\n".join(part for part in about if part))
        made.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        made.customContextMenuRequested.connect(self._menu)
        return made

    def _about(self) -> str:
        """What the field means and its unit; what files call null is an empty field here."""
        unit = self.context.units.shown(self.field.unit)
        parts = (self.field.description.replace("null:", "empty:"), f"unit: {unit}" if unit else "")
        return "\n".join(part for part in parts if part)

    def _heading(self) -> str:
        """The title with the unit in which bare numbers count: formulas count in SI, names in none."""
        if self.field.role == "vec" and all(isinstance(value, str) for value in self.line.values):
            return self.line.title
        values = [
            part for value in self.line.values for part in (value if isinstance(value, tuple) else [value])
        ]
        formulas = [isinstance(value, str) for value in values] if self.field.unit else []
        shown = self.field.unit if any(formulas) else self.context.units.shown(self.field.unit)
        mixed = any(formulas) and not all(formulas) and shown != self.context.units.shown(self.field.unit)
        return self.line.title + (f" [{unbroken(shown)}]" if shown and not mixed else "")

    def _make_button(self) -> ToolButton:
        made = tool_button(self._look, f"inspector.{self.line.path}.reset", "reset", "Back to the default")
        made.setVisible(False)
        policy = made.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        made.setSizePolicy(policy)
        made.clicked.connect(self.reset)
        return made

    def place(self, grid: QGridLayout, at: int, room: int) -> int:
        """Put it into a form of this width [px]; the next free line of the grid."""
        self._grid, self._at, self._room = grid, at, room
        self._present((self.line.values, *self.context.facts))
        return at + 3

    def _arrange(self) -> None:
        """The editor beside its title, or below it when its texts would be cut off there."""
        grid, at = self._grid, self._at
        beside = self._room - TITLE - BUTTON_SIZE.width() - 2 * grid.horizontalSpacing()
        # once below it stays there, so that the form does not jump while numbers change
        below = self._below or self.editor.wide or self.editor.needed() > beside
        self.editor.fit(self._room if below else beside)
        if below == self._below:
            return
        self._below = below
        for widget in (self.title, self.editor, self.button, self._reason):
            grid.removeWidget(widget)
        if below:
            self.title.setMinimumWidth(0)
            self.title.setMaximumWidth(UNLIMITED)
            self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            grid.addWidget(self.title, at, 0, 1, 2)
            grid.addWidget(self.button, at, 2)
            grid.addWidget(self.editor, at + 1, 0, 1, 3)
        else:
            self.title.setFixedWidth(TITLE)
            grid.addWidget(self.title, at, 0)
            grid.addWidget(self.editor, at, 1)
            grid.addWidget(self.button, at, 2, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._reason, at + 2, 0, 1, 3)

    @property
    def wrong(self) -> bool:
        return bool(self._reason.text())

    def show(self, line: Entry) -> None:
        """Present values; text that is wrong, or being typed, stays."""
        before, self.line = self.line, line
        if isinstance(self.title, QLabel) and line.values != before.values:
            self.title.setText(self._heading())
        if self._reason.property("role") != "wrong":  # what was waited for has come
            self._tell("")
        self._show_button(line)
        facts = (line.values, *self.context.facts)
        if facts != self._shown and not self.editor.busy() and not self.wrong:
            self._present(facts)

    def _present(self, facts: tuple[Any, ...]) -> None:
        self.editor.show_values(self.line.values)
        self._arrange()
        self._shown = facts  # last: while it shows them, the editor tells that nothing is wrong

    def _touched(self, *_: object) -> None:
        self._shown = None

    def _complained(self, reason: str) -> None:
        self._touched()
        self._tell(reason)

    def _show_button(self, line: Entry) -> None:
        self.button.setVisible(not self.field.required and (line.mixed or line.value != self.field.default))

    def reset(self) -> None:
        self.complain("")
        self._commit(self.field.default)

    def complain(self, reason: str) -> None:
        self.editor.complain(reason)
        self._tell(reason)

    def wait(self, words: str) -> None:
        """Say that an answer is being worked out, in the place of the reason."""
        self._tell(words, "muted")

    def _tell(self, reason: str, role: str = "wrong") -> None:
        if self._reason.property("role") != role:
            self._reason.setProperty("role", role)
            restyle(self._reason)
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self.title)
        menu.setObjectName("inspector.menu")
        action = menu.addAction(self._look.icon("reset"), "Reset to default")
        action.setEnabled(not self.field.required)
        action.triggered.connect(self.reset)
        show_once(menu, self.title.mapToGlobal(at))


class PointRow(Row):
    """A named point: its name can be typed where other rows have a label; the button removes it."""

    def __init__(
        self,
        line: Entry,
        editor: Editor,
        context: Context,
        look: Look,
        commit: Callable[[Any], object],
        *,
        rename: Callable[[str], object],
        remove: Callable[[], object],
    ) -> None:
        self._rename, self._remove = rename, remove
        super().__init__(line, editor, context, look, commit)

    def _make_title(self) -> QWidget:
        made = LineEdit(str.strip)
        made.setObjectName(f"inspector.{self.line.path.rsplit('.', 1)[0]}.name")
        made.setAccessibleName("Name of the point")
        made.show_text(self.line.title, "Name of the point; a change is made everywhere it is used")
        made.finished.connect(self._rename)
        made.complained.connect(self._tell)
        return made

    def _make_button(self) -> ToolButton:
        name = f"inspector.{self.line.path.rsplit('.', 1)[0]}.remove"
        made = tool_button(self._look, name, "minus", "Remove this point; what is at it stays there")
        made.clicked.connect(lambda: self._remove())
        return made

    def _show_button(self, line: Entry) -> None:
        self.button.setVisible(True)

    def complain_name(self, reason: str) -> None:
        """The name cannot be taken: it stays, red, with the reason."""
        assert isinstance(self.title, LineEdit)
        self.title.complain(reason)
        self._tell(reason)
