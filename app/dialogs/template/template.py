"""Insert a template: choose a mechanism, set its parameters and see it before it is there."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.template.lengths import LengthsBox
from app.dialogs.template.preview import PICTURE, Preview, picture_of
from app.document.document import Edit
from app.edits.building.insert_template import insert_mechanism
from app.edits.geometry.place_beside import place_beside
from app.platform.appearance import Look, button_box, label, restyle
from app.platform.resources import data_folder
from app.platform.settings import Settings
from app.widgets.editors import Context, Editor
from app.widgets.editors.number import NumberEditor
from app.widgets.editors.vector import VectorEditor
from app.widgets.mouse_wheel import pass_wheel
from engine.errors import SceneError
from engine.maths.expressions import parse
from engine.model.scene import LISTS, Scene
from engine.templates import TEMPLATES, Fact, Made, Parameter, Template, TemplateError

DELAY = 40  # ms between a key and the new preview
NAME = Qt.ItemDataRole.UserRole
KEY = "templates"  # of the settings: the last choice and the last values of each


class TemplateDialog(QDialog):
    """`taken` is what was chosen; `edit` inserts it, `new_scene` says that it shall stand alone.

    `apart`: it begins a new scene unless the user chooses otherwise.
    """

    def __init__(
        self, parent: QWidget | None, scene: Scene, look: Look, settings: Settings, *, apart: bool = False
    ) -> None:
        super().__init__(parent)
        self.setObjectName("template")
        self.setWindowTitle("Insert a template")
        self.resize(1010, 640)
        self._scene, self._look, self._settings, self._apart = scene, look, settings, apart
        self._context = Context(look, {})
        self.template: Template = TEMPLATES[TEMPLATES.names[0]]
        self.values: dict[str, float] = {}
        self.made: Made | None = None  # by the present values, as the preview shows it
        self.taken: Made | None = None  # when accepted: with parameters, where they are wanted
        self._wrong: dict[str, str] = {}
        self._last = ""  # the parameter that was changed last
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self._timer.timeout.connect(self.refresh)
        self._build()
        self._fill_list()
        self.list.currentItemChanged.connect(self._choose)
        self.list.setCurrentRow(max(self._row(str(settings.value(f"{KEY}/last", ""))), 0))

    # widgets

    def _build(self) -> None:
        self.list = QListWidget()
        self.list.setObjectName("template.list")
        self.list.setIconSize(PICTURE)
        self.list.setFixedWidth(270)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.summary = label("", "", "template.summary")
        self.summary.setWordWrap(True)
        self.area = QScrollArea()
        self.area.setObjectName("template.form")
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setMinimumWidth(280)
        self.hint = label("", "muted", "template.hint")
        self.hint.setWordWrap(True)
        self.hint.setMinimumHeight(36)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.preview = Preview(self._look)
        self.facts = label("", "", "template.facts")
        self.facts.setWordWrap(True)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.facts.setMinimumHeight(112)
        self.told = label("", "wrong", "template.told")
        self.told.setWordWrap(True)
        middle, right = QVBoxLayout(), QVBoxLayout()
        for widget, share in ((self.summary, 0), (self.area, 1), (self.hint, 0)):
            middle.addWidget(widget, share)
        right.addWidget(self.preview, 1)
        right.addWidget(self.facts)
        right.addWidget(self.told)
        body = QHBoxLayout()
        body.addWidget(self.list)
        body.addLayout(middle, 4)
        body.addLayout(right, 5)
        column = QVBoxLayout(self)
        column.addLayout(body, 1)
        column.addLayout(self._build_foot())

    def _build_foot(self) -> QHBoxLayout:
        """Where it goes, and the buttons."""
        filled = any(getattr(self._scene, where) for where in LISTS)
        self.insert, self.alone = QRadioButton("Into this scene, at"), QRadioButton("As a new scene")
        self.insert.setObjectName("template.insert")
        self.alone.setObjectName("template.alone")
        self.insert.setToolTip("Add it to what is there; names that are taken get a number")
        self.alone.setToolTip("Begin a new scene with it")
        self._where = QButtonGroup(self)
        for button in (self.insert, self.alone):
            self._where.addButton(button)
        self._joins = filled and not self._apart  # what the user wants, where it is possible
        (self.insert if self._joins else self.alone).setChecked(True)
        self.insert.clicked.connect(lambda: self._wish(True))
        self.alone.clicked.connect(lambda: self._wish(False))
        flat = self._scene.space == "planar" and filled
        self.position = VectorEditor(self._context, "m", "template.position", range(2 if flat else 3))
        self._place: tuple[Any, ...] = (0.0, 0.0) if flat else (0.0, 0.0, 0.0)
        self._placed = False  # by the user, who knows better than `place_beside`
        self.position.show_value(self._place)
        self.position.committed.connect(self._move)
        for line in self.position.lines:
            line.textEdited.connect(lambda _, line=line: line.finish())
        self.position.complained.connect(lambda text: self._complain("position", text))
        standard = QDialogButtonBox.StandardButton
        self.buttons = button_box(standard.Ok | standard.Cancel | standard.RestoreDefaults, "template")
        self.ok = self.buttons.button(standard.Ok)
        self.ok.setText("Insert")
        defaults = self.buttons.button(standard.RestoreDefaults)
        defaults.setText("Defaults")
        defaults.setToolTip("Set all parameters back to where they began")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        defaults.clicked.connect(self._restore)
        foot = QHBoxLayout()
        foot.addWidget(self.insert)
        foot.addWidget(self.position)
        foot.addWidget(label(self._look.units.shown("m"), "muted", "template.position.unit"))
        foot.addSpacing(12)
        foot.addWidget(self.alone)
        foot.addSpacing(12)
        self.lengths = LengthsBox()
        foot.addWidget(self.lengths)
        foot.addStretch(1)
        foot.addWidget(self.buttons)
        self.position.setMaximumWidth(210)
        return foot

    def _fill_list(self) -> None:
        folder = data_folder("assets") / "thumbnails" / "templates"
        for template in TEMPLATES:
            item = QListWidgetItem(
                picture_of(folder / f"{template.name}.png", template, self._look), template.title
            )
            item.setData(NAME, template.name)
            item.setToolTip(template.summary)
            self.list.addItem(item)

    def _row(self, name: str) -> int:
        return TEMPLATES.names.index(name) if name in TEMPLATES else -1

    # the form

    def choose(self, name: str) -> None:
        """Show another template."""
        self.list.setCurrentRow(self._row(name))

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        self.template = TEMPLATES[item.data(NAME)]
        self.values = {**self.template.defaults, **self._remembered()}
        self.summary.setText(self.template.summary)
        self.lengths.offer(self.template)
        self._show_form()
        self.refresh()

    def _remembered(self) -> dict[str, float]:
        """The values that were inserted last; nonsense in the settings counts as nothing."""
        try:
            found = json.loads(str(self._settings.value(f"{KEY}/{self.template.name}", "{}")))
            values = {name: float(value) for name, value in found.items() if name in self.template.defaults}
            self.template.complete(values)
        except (ValueError, TypeError, AttributeError):
            return {}
        return values

    def _show_form(self) -> None:
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 6, 0)
        form = QFormLayout()
        rows.addLayout(form)
        rows.addStretch(1)
        self.editors: dict[str, QWidget] = {}
        self._wrong.clear()
        self._last = ""
        for parameter in self.template.parameters:
            editor = self._editor(parameter)
            self.editors[parameter.name] = editor
            unit = self._look.units.shown(parameter.unit)
            title = label(f"{parameter.title} [{unit}]" if unit else parameter.title)
            title.setObjectName(f"template.{parameter.name}.title")
            title.setToolTip(self._help(parameter))
            title.setBuddy(editor)
            form.addRow(title, editor)
        self.area.setWidget(page)
        self.hint.setText(self.template.notes)

    def _editor(self, parameter: Parameter) -> QWidget:
        name, value = f"template.{parameter.name}", self.values[parameter.name]
        if parameter.choices:
            box = QComboBox()
            box.setObjectName(name)
            box.addItems(list(parameter.choices))
            box.setCurrentIndex(int(value))
            box.setToolTip(self._help(parameter))
            pass_wheel(box)
            box.currentIndexChanged.connect(lambda index: self._take(parameter, float(index)))
            return box
        editor = NumberEditor(self._context, parameter.unit, name, integer=parameter.whole)
        self._show(editor, value, parameter)
        editor.committed.connect(lambda value: self._take(parameter, value))
        editor.complained.connect(lambda text: self._complain(parameter.name, text))
        for line in editor.lines:  # the preview follows the keys
            line.textEdited.connect(lambda _, line=line: line.finish())
            line.installEventFilter(self)
        return editor

    def _show(self, editor: Editor, value: float, parameter: Parameter) -> None:
        editor.show_value(int(value) if parameter.whole else value)

    def _help(self, parameter: Parameter) -> str:
        if parameter.choices:
            return parameter.help
        low, high = (self._text(parameter, end) for end in (parameter.low, parameter.high))
        return f"{parameter.title}: {parameter.help}; {low} to {high}"

    def _text(self, parameter: Parameter, value: float) -> str:
        if parameter.choices:
            return parameter.choices[int(value)]
        return self._look.units.full_text(value, parameter.unit, 4)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The help of the field in which one types stands below the form."""
        if event.type() == QEvent.Type.FocusIn:
            name = watched.objectName().removeprefix("template.")
            if name in self.template.defaults:
                self.hint.setText(self._help(self.template.parameter(name)))
        return super().eventFilter(watched, event)

    # changing

    def _take(self, parameter: Parameter, value: Any) -> None:
        self._wrong.pop(parameter.name, None)
        self.values[parameter.name] = _number(value)
        self._last = parameter.name
        self._timer.start()

    def _wish(self, joins: bool) -> None:
        self._joins = joins
        self.refresh()

    def _move(self, value: Any) -> None:
        change = getattr(value, "make", None)
        self._place = change(self._place) if change is not None else value
        self._placed = True
        self._wrong.pop("position", None)
        self._timer.start()

    def _complain(self, name: str, text: str) -> None:
        if text:
            self._wrong[name] = text
        else:
            self._wrong.pop(name, None)
        self._timer.start()

    def _restore(self) -> None:
        self.values = self.template.defaults
        self._show_form()
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Build the mechanism and show it, or say why it cannot be."""
        self._timer.stop()
        trouble = next(iter(self._wrong.values()), "")
        if not trouble:
            trouble = self._try()
        self.position.setEnabled(self.insert.isChecked())
        self.ok.setText("Insert" if self.insert.isChecked() else "Begin")
        self.ok.setEnabled(not trouble)
        self.told.setText(f"⚠ {trouble}" if trouble else "")
        self.told.setVisible(bool(trouble))
        self.preview.fade(self.made is None)
        restyle(self.told)

    def _try(self) -> str:
        """What is wrong with the values, or nothing."""
        # the value that was changed last is the first to be explained
        order = {**self.values, self._last: self.values[self._last]} if self._last else self.values
        if self._last:
            order = {name: order[name] for name in (*(n for n in order if n != self._last), self._last)}
        try:
            made = self.template.make(**order)
        except TemplateError as error:
            self.made = None
            return self._explained(error)
        self.made = made
        if not self._placed:
            self._place = (place_beside(self._scene, made.scene), *self._place[1:])
            self.position.show_value(self._place)
        self.preview.show_made(made)
        self.facts.setText(self._facts_text(made))
        self._offer(made)
        return ""

    def _offer(self, made: Made) -> None:
        """Where it can go: not what is spatial into what is planar."""
        try:
            self.edit(self._scene)
            why = ""
        except SceneError as error:
            why = error.problems[0].message
        self.insert.setEnabled(not why)
        self.insert.setToolTip(why or "Add it to what is there; names that are taken get a number")
        (self.insert if self._joins and not why else self.alone).setChecked(True)

    def _explained(self, error: TemplateError) -> str:
        """The error in the units that are shown."""
        parameter, span = error.parameter, error.span
        if parameter is None or span is None:
            return str(error)
        value, low, high = (self._text(parameter, v) for v in (self.values[parameter.name], *span))
        if parameter.choices:
            return str(error)
        other = "" if error.reason == "out of range" else "with the other values "
        return f"{parameter.title} {value}: {error.reason}; {other}it lies between {low} and {high}"

    def _facts_text(self, made: Made) -> str:
        dof = f"{made.mobility} degree{'' if made.mobility == 1 else 's'} of freedom"
        driven = len(made.scene.motions)
        if driven:
            dof += f", {driven} led by motions" if driven > 1 else ", led by a motion"
        return "\n".join([dof, *map(self._fact_text, made.facts)])

    def _fact_text(self, fact: Fact) -> str:
        if isinstance(fact.value, str):
            return f"{fact.title}: {fact.value}"
        return f"{fact.title}: {self._look.units.full_text(fact.value, fact.unit, 4)}"

    # the answer

    @property
    def new_scene(self) -> bool:
        return self.alone.isChecked()

    def edit(self, scene: Scene) -> Edit:
        """The edit that inserts it; raises SceneError."""
        made = self.taken or self.made
        assert made is not None
        place = tuple(map(_number, self._place))
        return insert_mechanism(scene, made.scene, (*place, 0.0)[:3], self.template.title)

    def accept(self) -> None:
        if self._timer.isActive():
            self.refresh()
        if self.made is None or not self.ok.isEnabled():
            return
        known = Scene() if self.new_scene else self._scene
        # apart from what is shown: a field that loses the focus as the dialog closes builds that anew
        self.taken = self.lengths.applied(self.template, self.values, self.made, known)
        self._settings.set_value(f"{KEY}/last", self.template.name)
        self._settings.set_value(f"{KEY}/{self.template.name}", json.dumps(self.values))
        super().accept()


def _number(value: Any) -> float:
    """A typed value; expressions are of plain numbers, since the scene's parameters are not known here."""
    return float(parse(value).value({})) if isinstance(value, str) else float(value)
