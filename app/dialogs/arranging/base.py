"""What dialogs for copies in other places share: numbers with units, a preview in words, and the edit."""

from __future__ import annotations

from collections import Counter

from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFormLayout, QWidget

from app.document.document import Edit, Ref
from app.document.element_words import reason
from app.document.present_values import parameters_now
from app.edits.elements.copies import chosen, with_what_holds
from app.platform.appearance import Look, button_box, label
from app.widgets.editors import Context, Editor
from app.widgets.editors.number import NumberEditor
from app.widgets.editors.vector import VectorEditor
from engine.errors import SceneError
from engine.maths.expressions import ExpressionError, parse
from engine.model.scene import Scene, noun_of


class ArrangeDialog(QDialog):
    """Asks how; `edit` makes the edit of a scene. The last line says what will come, or why it cannot."""

    name = ""
    title = ""
    copies = 1  # sets of copies that are made

    def __init__(self, parent: QWidget, scene: Scene, refs: tuple[Ref, ...], look: Look) -> None:
        super().__init__(parent)
        self.setObjectName(self.name)
        self.setWindowTitle(self.title)
        self.setMinimumWidth(320)
        self.scene, self.refs = scene, refs
        self._context = Context(look, parameters_now(scene))
        self.form = QFormLayout(self)
        self._values: dict[str, object] = {}
        self._wrong: dict[str, str] = {}
        self.ground = QCheckBox("With joints and forces to the ground")
        self.ground.setObjectName(f"{self.name}.ground")
        self.ground.setChecked(True)
        self.preview = label("", "muted", f"{self.name}.preview")
        self.preview.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = button_box(standard.Ok | standard.Cancel, self.name)
        self.fill()
        for widget in (self.ground, self.preview, self.buttons):
            self.form.addRow(widget)
        self.ground.toggled.connect(self.refresh)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.refresh()

    def fill(self) -> None:
        """Add the rows of the form."""

    def make(self, scene: Scene) -> Edit:
        """The edit, with what the form says; raises SceneError."""
        raise NotImplementedError

    def edit(self, scene: Scene) -> Edit:
        return self.make(scene)

    # rows

    def add_number(
        self, key: str, title: str, value: float, unit: str = "", *, integer: bool = False
    ) -> None:
        editor = NumberEditor(self._context, unit, f"{self.name}.{key}", integer=integer)
        self._add(key, title, editor, value, unit)

    def add_vector(self, key: str, title: str, value: tuple[float, ...], unit: str = "m") -> None:
        editor = VectorEditor(self._context, unit, f"{self.name}.{key}", range(len(value)))
        self._add(key, title, editor, value, unit)

    def _add(self, key: str, title: str, editor: Editor, value: object, unit: str) -> None:
        self._values[key] = value
        editor.show_value(value)

        def take(new: object) -> None:
            change = getattr(new, "make", None)
            self._values[key] = change(self._values[key]) if change is not None else new
            self.refresh()

        def complain(text: str) -> None:
            self._wrong[key] = text
            self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not any(self._wrong.values()))

        editor.committed.connect(take)
        editor.complained.connect(complain)
        for line in getattr(editor, "lines", ()):  # the preview follows the keys
            line.textEdited.connect(lambda _, line=line: line.finish())
        shown = self._context.units.shown(unit)
        text = f"{title} [{shown}]" if shown else title
        self.form.addRow(label(text, "", f"{self.name}.{key}.title"), editor)

    def number(self, key: str) -> float:
        return _value(self._values[key], self._context)

    def vector(self, key: str) -> tuple[float, ...]:
        given = self._values[key]
        assert isinstance(given, tuple)
        return tuple(_value(x, self._context) for x in given)

    # what will come

    def refresh(self, *_: object) -> None:
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        try:
            self.make(self.scene)
        except (SceneError, ValueError, ExpressionError) as error:
            self.preview.setText(f"⚠ {reason(error)}")
            ok.setEnabled(False)
            return
        ok.setEnabled(not any(self._wrong.values()))
        self.preview.setText(self.outcome())

    def outcome(self) -> str:
        """What the edit does, in words."""
        return f"Adds {self.count_text()}."

    def count_text(self) -> str:
        refs = with_what_holds(self.scene, chosen(self.scene, self.refs), ground=self.ground.isChecked())
        counted = Counter(ref.where for ref in refs)
        words = []
        for where, count in counted.items():
            total = count * self.copies
            words.append(f"{total} {noun_of(where, total)}")
        return ", ".join(words) or "nothing"


def _value(given: object, context: Context) -> float:
    return float(parse(given).value(context.names)) if isinstance(given, str) else float(given)  # type: ignore[arg-type]
