"""The inspector: a form for what is selected, built from the metadata of the structs."""

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.commands import rename, set_field
from app.document import Edit, Ref
from app.panels.editors import (
    ChoiceEditor,
    Context,
    Editor,
    ExpressionEditor,
    ExpressionsEditor,
    FunctionEditor,
    ListEditor,
    NotesEditor,
    NumberEditor,
)
from app.panels.form import Entry, VectorFunctions, entries, make_editor
from app.panels.look import Look, label, tool_button
from engine.elements.fields import Field, fields_of
from engine.errors import SceneError
from engine.model.resolve import parameter_values
from engine.model.scene import KINDS, Parameter, Scene, Simulation
from engine.model.set_value import set_value
from engine.runtime.methods import METHODS, find_method

SCENE_FIELDS = ("title", "description", "category", "author", "source", "notes", "space", "gravity", "up")
SLIDER_STEPS = 1000
_LABEL_WIDTH = 84  # px
WIDE = (
    ExpressionEditor,
    ExpressionsEditor,
    FunctionEditor,
    ListEditor,
    NotesEditor,
    VectorFunctions,
)  # a line of their own


class InspectorPanel(QWidget):
    """Shows and edits the selected elements, or the scene itself when nothing is selected."""

    def __init__(self, session: Any, look: Look) -> None:
        super().__init__()
        self.setObjectName("inspector")
        self._session, self._look = session, look
        self._rows: dict[str, _Row] = {}
        self._shape: tuple[Any, ...] = ()
        self._heading = label("", "section", "inspector.heading")
        self._kind = label("", "muted", "inspector.kind")
        for widget in (self._heading, self._kind):
            widget.setWordWrap(True)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 2, 2)
        column.setSpacing(2)
        column.addWidget(self._heading)
        column.addWidget(self._kind)
        column.addWidget(self._area, 1)
        session.selection.changed.connect(self.refresh)
        session.document.changed.connect(self.refresh)
        look.changed.connect(self.rebuild)
        self.refresh()

    # what is shown

    def rebuild(self) -> None:
        self._shape = ()
        self.refresh()

    def refresh(self, *_: Any) -> None:
        """Show present values; editors are made anew only when the form itself changes."""
        scene: Scene = self._session.document.scene
        refs = shown_refs(scene, self._session.selection.refs)
        lines = list(self._lines(scene, refs))
        shape = (refs, tuple(line.shape for line in lines), scene.space, _names_in(scene))
        self._name(scene, refs)
        if shape != self._shape:
            self._shape = shape
            self._build(scene, refs, lines)
        names, duration = _parameters(scene), _duration(scene)
        for line in lines:
            row = self._rows.get(line.path)
            if row is not None and line.field is not None:
                row.context.names, row.context.duration = names, duration
                row.show(line)

    def _lines(self, scene: Scene, refs: tuple[Ref, ...]) -> list[Entry]:
        items = [element(scene, ref) for ref in refs]
        if items:
            return list(entries(scene, items))
        return _scene_lines(scene)

    def _name(self, scene: Scene, refs: tuple[Ref, ...]) -> None:
        if not refs:
            self._heading.setText(scene.title or "Untitled scene")
            self._kind.setText("Scene")
        elif len(refs) == 1:
            item = element(scene, refs[0])
            self._heading.setText(refs[0].name)
            self._kind.setText(kind_title(refs[0].where, item))
        else:
            self._heading.setText(f"{len(refs)} elements")
            self._kind.setText(", ".join(ref.name for ref in refs[:6]) + ("…" if len(refs) > 6 else ""))

    def _build(self, scene: Scene, refs: tuple[Ref, ...], lines: list[Entry]) -> None:
        self._rows = {}
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 2, 4, 6)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(3)
        grid.setColumnMinimumWidth(0, _LABEL_WIDTH)
        grid.setColumnStretch(1, 1)
        at = 0
        for line in lines:
            if line.heading:
                at = _add_heading(grid, at, line)
                continue
            context = Context(self._look, _parameters(scene), _duration(scene))
            editor = self._editor(scene, line, context)
            if editor is None or line.field is None:
                continue
            row = _Row(
                line, editor, context, self._look, lambda value, line=line: self._commit(refs, line, value)
            )
            self._rows[line.path] = row
            at = row.place(grid, at)
            if isinstance(line.owners[0], Parameter) and line.path.endswith(".value"):
                at = self._add_slider(grid, at, line)
        grid.setRowStretch(at, 1)
        old = self._area.takeWidget()
        if old is not None:  # an editor of it may be the one that is just telling its edit
            old.hide()
            old.deleteLater()
        self._area.setWidget(body)

    def _editor(self, scene: Scene, line: Entry, context: Context) -> Editor | None:
        name = f"inspector.{line.path}"
        if line.path == "simulation.method":
            names = [*METHODS.names]
            if line.value not in names:
                names.insert(0, str(line.value))
            return ChoiceEditor(name, [(method, method) for method in names])
        if line.path.startswith("simulation.options."):
            return NumberEditor(context, "", name)
        return make_editor(scene, line, context, name)

    def _add_slider(self, grid: QGridLayout, at: int, line: Entry) -> int:
        """A parameter with limits gets a slider; one drag is one undo step."""
        parameter = line.owners[0]
        low, high = parameter.min, parameter.max
        if not all(isinstance(value, int | float) for value in (low, high, parameter.value)) or low >= high:
            return at
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setObjectName(f"inspector.{line.path}.slider")
        slider.setRange(0, SLIDER_STEPS)
        slider.setToolTip(f"{parameter.name}: {low:g} to {high:g} {parameter.unit}")
        slider.setValue(round((float(parameter.value) - low) / (high - low) * SLIDER_STEPS))
        drag = {"key": None, "count": 0}

        def begin() -> None:
            drag["count"] = int(drag["count"] or 0) + 1

        def move(step: int) -> None:
            value = low + (high - low) * step / SLIDER_STEPS
            self._apply_scene(
                line.path,
                float(f"{value:.6g}"),
                f"Set {parameter.name}",
                f"slider {line.path} {drag['count']}",
            )

        slider.sliderPressed.connect(begin)
        slider.sliderMoved.connect(move)
        grid.addWidget(slider, at, 1)
        self._rows[line.path].follow(slider, float(low), float(high))
        return at + 1

    # edits

    def _commit(self, refs: tuple[Ref, ...], line: Entry, value: Any) -> None:
        row = self._rows[line.path]
        if not line.mixed and value == row.value and type(value) is type(row.value):
            return
        document = self._session.document
        try:
            if not refs:
                self._apply_scene(line.path, value, f"Set {line.title.lower()}")
            elif line.path == "name":
                document.apply(rename(document.scene, refs[0], str(value).strip()))
            else:
                document.apply(set_field(document.scene, refs, line.path, value))
        except (SceneError, ValueError, KeyError) as error:
            row.complain(reason(error))
            return
        row.complain("")

    def _apply_scene(self, path: str, value: Any, text: str, key: str | None = None) -> None:
        document = self._session.document
        after = set_value(document.scene, path, value)
        document.apply(Edit(text, after, key=key))


class _Row:
    """Label, editor, button to go back to the default, and the reason when something is wrong."""

    def __init__(self, line: Entry, editor: Editor, context: Context, look: Look, commit: Any) -> None:
        assert line.field is not None
        self.field: Field = line.field
        self.value: Any = line.value
        self.editor, self.context = editor, context
        self._commit = commit
        self._slider: tuple[QSlider, float, float] | None = None
        unit = context.units.shown(self.field.unit)
        self._label = QLabel(line.title + (f" [{unit}]" if unit else ""))
        self._label.setWordWrap(True)
        about = [
            self.field.description,
            f"unit: {unit}" if unit else "",
            "" if line.field.required else "right-click: reset",
        ]
        self._label.setToolTip("\n".join(part for part in about if part))
        self._reason = label("", "wrong", f"{line.path}.reason")
        self._reason.setWordWrap(True)
        self._reason.hide()
        self._reset = tool_button(look, f"inspector.{line.path}.reset", "reset", "Back to the default")
        self._reset.setIconSize(QSize(13, 13))
        self._reset.setFixedSize(QSize(20, 20))
        self._reset.setVisible(False)
        policy = self._reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._reset.setSizePolicy(policy)
        self._reset.clicked.connect(self.reset)
        self._label.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._label.customContextMenuRequested.connect(self._menu)
        editor.committed.connect(commit)
        editor.complained.connect(self._tell)

    def place(self, grid: QGridLayout, at: int) -> int:
        if isinstance(self.editor, WIDE) or self.field.name == "method":
            grid.addWidget(self._label, at, 0, 1, 2)
            grid.addWidget(self._reset, at, 2)
            grid.addWidget(self.editor, at + 1, 0, 1, 3)
            grid.addWidget(self._reason, at + 2, 0, 1, 3)
            return at + 3
        grid.addWidget(self._label, at, 0)
        grid.addWidget(self.editor, at, 1)
        grid.addWidget(self._reset, at, 2)
        grid.addWidget(self._reason, at + 1, 0, 1, 3)
        return at + 2

    def show(self, line: Entry) -> None:
        self.value = line.value
        self._reset.setVisible(not self.field.required and (line.mixed or line.value != self.field.default))
        if self._slider and isinstance(line.value, int | float):
            slider, low, high = self._slider
            if not slider.isSliderDown():
                slider.setValue(round((float(line.value) - low) / (high - low) * SLIDER_STEPS))
        if not self.editor.busy() and not self._reason.isVisibleTo(
            self._reason.parentWidget() or self._reason
        ):
            self.editor.show_value(line.value, mixed=line.mixed)

    def follow(self, slider: QSlider, low: float, high: float) -> None:
        self._slider = (slider, low, high)

    def reset(self) -> None:
        self.complain("")
        self._commit(self.field.default)

    def complain(self, reason: str) -> None:
        mark = getattr(self.editor, "complain", None)
        if mark is not None:
            mark(reason)
        self._tell(reason)

    def _tell(self, reason: str) -> None:
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))

    def _menu(self, at: Any) -> None:
        menu = QMenu(self._label)
        action = menu.addAction("Reset to default")
        action.setEnabled(not self.field.required)
        action.triggered.connect(self.reset)
        menu.exec(self._label.mapToGlobal(at))


def _add_heading(grid: QGridLayout, at: int, line: Entry) -> int:
    rule = QFrame()
    rule.setFrameShape(QFrame.Shape.HLine)
    rule.setFrameShadow(QFrame.Shadow.Plain)
    grid.addWidget(rule, at, 0, 1, 3)
    grid.addWidget(label(line.title, "section"), at + 1, 0, 1, 3)
    return at + 2


# what is selected


def element(scene: Scene, ref: Ref) -> Any:
    """The element a reference means, None when it is gone."""
    return next((item for item in getattr(scene, ref.where, ()) if item.name == ref.name), None)


def shown_refs(scene: Scene, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """References to whole elements that exist, each once."""
    whole = dict.fromkeys(Ref(ref.where, ref.name) for ref in refs)
    lists = ("parameters", "bodies", "joints", "forces", "motions", "traces", "measures", "groups")
    return tuple(ref for ref in whole if ref.where in lists and element(scene, ref) is not None)


def kind_title(where: str, item: Any) -> str:
    """`Revolute joint`, `Body`."""
    one = {"bodies": "body"}.get(where, where.removesuffix("s"))
    tag = item.__struct_config__.tag
    if where in KINDS and tag in KINDS[where]:
        title = KINDS[where][tag].title
        return title if one in title.lower() else f"{title} {one}"
    return one.capitalize()


def reason(error: Exception) -> str:
    """One line on what is wrong and how to mend it."""
    problems = getattr(error, "problems", ())
    if problems:
        return f"{problems[0].message}; {problems[0].cure}"
    return str(error.args[0] if error.args else error)


def _scene_lines(scene: Scene) -> list[Entry]:
    lines = []
    for field in fields_of(Scene):
        if field.name in SCENE_FIELDS:
            lines.append(Entry(field.title, field.name, field, (getattr(scene, field.name),), (scene,)))
    lines.append(Entry("Simulation", heading=True))
    for field in fields_of(Simulation):
        value = getattr(scene.simulation, field.name)
        if isinstance(value, dict):
            lines += _option_lines(scene.simulation)
        else:
            lines.append(Entry(field.title, f"simulation.{field.name}", field, (value,), (scene.simulation,)))
    if scene.parameters:
        lines.append(Entry("Parameters", heading=True))
    for parameter in scene.parameters:
        facts = {
            **vars(_value_field()),
            "unit": parameter.unit,
            "description": parameter.note,
            "required": True,
        }
        path = f"parameters.{parameter.name}.value"
        lines.append(Entry(parameter.name, path, Field(**facts), (parameter.value,), (parameter,)))
    return lines


def _option_lines(simulation: Simulation) -> list[Entry]:
    """Numbers of the method, by name; what is not given is the method's own."""
    try:
        options = find_method(simulation.method).options
    except SceneError:
        return []
    lines = []
    for option in options:
        title = option.name.replace("_", " ").capitalize()
        fact = Field(option.name, float, True, option.default, title, "of the method", "number")
        value = simulation.options.get(option.name, option.default)
        lines.append(Entry(title, f"simulation.options.{option.name}", fact, (value,), (simulation,)))
    return lines


def _value_field() -> Field:
    return next(field for field in fields_of(Parameter) if field.name == "value")


def _parameters(scene: Scene) -> dict[str, float]:
    try:
        return parameter_values(scene)
    except SceneError:
        known = {p.name: p.value for p in scene.parameters}
        return {name: float(value) for name, value in known.items() if isinstance(value, int | float)}


def _duration(scene: Scene) -> float:
    value = scene.simulation.duration
    return float(value) if isinstance(value, int | float) else 10.0


def _names_in(scene: Scene) -> tuple[Any, ...]:
    """Names that drop-downs offer."""
    bodies = tuple((body.name, tuple(point.name for point in body.points)) for body in scene.bodies)
    return bodies, tuple(joint.name for joint in scene.joints)


__all__ = ["InspectorPanel", "element", "kind_title", "reason", "shown_refs"]
