"""The inspector: a form for what is selected, built from the metadata of the structs."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QScrollArea, QVBoxLayout, QWidget

from app.document.document import Edit, Ref, SceneChange
from app.document.element_words import element, kind_title, reason, shown_refs
from app.document.present_values import duration_now, parameters_now
from app.edits import change_field, choose_method, remove, rename, set_field
from app.panels.base import PanelKind
from app.panels.inspector.derived import DERIVED, SHARED
from app.panels.inspector.form import Entry, make_editor
from app.panels.inspector.form_rows import TITLE, PointRow, Row
from app.panels.inspector.listed_fields import lines_for
from app.panels.inspector.mass_card import MassCard
from app.panels.inspector.part_headings import Make, PartHeadings
from app.panels.inspector.present_card import PresentCard
from app.panels.transport.method_button import MethodEditor
from app.platform.appearance import Look, label, wrap
from app.platform.settings.recent_methods import RecentMethods
from app.session.session import Session
from app.widgets.editors import Change, Context, Editor
from app.widgets.parameter_slider import ParameterSlider
from engine.errors import SceneError
from engine.model.scene import Parameter, Scene
from engine.model.set_value import set_value

PATIENCE = 200  # ms without an answer, after which is said that it is being worked out
NARROWEST = 214  # px of a form
BAR = 18  # px of a scroll bar and the border of the form


class InspectorPanel(QWidget):
    """Shows and edits the selected elements, or the scene itself when nothing is selected."""

    held = Signal(object)  # Piece of the selected body that is to be moved by handles

    def __init__(self, session: Session, look: Look, recent: RecentMethods | None = None) -> None:
        super().__init__()
        self.setObjectName("inspector")
        self._session, self._look = session, look
        self._recent = recent or RecentMethods()
        self._rows: dict[str, Row] = {}
        self._sliders: dict[str, ParameterSlider] = {}
        self._mass: MassCard | None = None
        self._shape: tuple[Any, ...] = ()
        self._context = Context(look, {})
        self._heading = label("", "section", "inspector.heading")
        self._kind = label("", "muted", "inspector.kind")
        self._problems = label("", "wrong", "inspector.problems")
        for widget in (self._heading, self._kind, self._problems):
            wrap(widget)
        self._area = QScrollArea()
        self._area.setObjectName("inspector.area")
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 2, 2)
        column.setSpacing(2)
        self._present = PresentCard(session, "inspector.now")
        for widget in (self._heading, self._kind, self._problems, self._present):
            column.addWidget(widget)
        column.addWidget(self._area, 1)
        self._headings = PartHeadings(look, self._apply, self._folder, self.held.emit)
        session.selection.changed.connect(self.refresh)
        session.document.changed.connect(self._follow)
        session.faults.changed.connect(self._show_problems)
        look.changed.connect(self.rebuild)
        self.refresh()

    # what is shown

    def rebuild(self) -> None:
        self._shape = ()
        self.refresh()

    def _follow(self, change: SceneChange) -> None:
        if change.large:
            QTimer.singleShot(0, self, self.refresh)
        else:
            self.refresh()

    def refresh(self, *_: Any) -> None:
        """Show present values; editors are made anew only when the form itself changes."""
        scene: Scene = self._session.document.scene
        refs = shown_refs(scene, self._session.selection.refs)
        lines = lines_for(scene, refs)
        shape = (refs, tuple(line.shape for line in lines), scene.space, _names_in(scene))
        self._name(scene, refs)
        self._show_problems()
        self._present.follow(refs, self._look.units)
        context = self._context
        context.names, context.duration = parameters_now(scene), duration_now(scene)
        context.folder = self._folder()
        if shape != self._shape:
            self._shape = shape
            self._build(scene, refs, lines)
        for line in lines:
            row = self._rows.get(line.path)
            if row is not None and line.field is not None:
                row.show(line)
        for path, slider in self._sliders.items():
            slider.follow(scene.parameter(path))
        if self._mass is not None:
            self._mass.show_body(scene, refs[0])

    def _name(self, scene: Scene, refs: tuple[Ref, ...]) -> None:
        if not refs:
            self._heading.setText(scene.title or "Untitled scene")
            self._kind.setText("Scene")
        elif len(refs) == 1:
            self._heading.setText(refs[0].name)
            self._kind.setText(kind_title(refs[0].where, element(scene, refs[0])))
        else:
            self._heading.setText(f"{len(refs)} elements")
            self._kind.setText(", ".join(ref.name for ref in refs[:6]) + ("…" if len(refs) > 6 else ""))

    def _show_problems(self) -> None:
        """What is wrong with the selected elements, and how to mend it."""
        refs = shown_refs(self._session.document.scene, self._session.selection.refs)
        found = self._session.faults.by_element() if refs else {}
        texts = [f"{problem.message} → {problem.remedy}" for ref in refs for problem in found.get(ref, ())]
        self._problems.setText("\n".join(texts))
        self._problems.setVisible(bool(texts))

    def _build(self, scene: Scene, refs: tuple[Ref, ...], lines: list[Entry]) -> None:
        self._rows, self._sliders, self._mass = {}, {}, None
        body = QWidget()
        body.setObjectName("inspector.form")
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 2, 4, 6)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(3)
        grid.setColumnMinimumWidth(0, TITLE)
        grid.setColumnStretch(1, 1)
        room = max(self._area.viewport().width() - BAR, NARROWEST)
        at = 0
        for line in lines:
            if line.part == "mass":
                self._mass = MassCard(self._look, self._apply)
                grid.addWidget(self._mass, at, 0, 1, 3)
                at += 1
                continue
            if line.heading:
                at = self._headings.place(grid, at, line, refs[0] if len(refs) == 1 else None)
                continue
            row = self._row(scene, refs, line)
            if row is None:
                continue
            self._rows[line.path] = row
            at = row.place(grid, at, room)
            if isinstance(line.owners[0], Parameter) and line.path.endswith("value") and len(refs) < 2:
                at = self._add_slider(grid, at, line)
        grid.setRowStretch(at, 1)
        old = self._area.takeWidget()
        if old is not None:  # an editor of it may be the one that is just telling its edit
            old.hide()
            old.deleteLater()
        self._area.setWidget(body)

    def _row(self, scene: Scene, refs: tuple[Ref, ...], line: Entry) -> Row | None:
        context = self._context
        editor = self._editor(scene, line, context)
        if editor is None or line.field is None:
            return None

        def commit(value: Any) -> None:
            self._commit(refs, line, value)

        if line.part != "point":
            return Row(line, editor, context, self._look, commit)
        point = Ref(refs[0].where, refs[0].name, line.title)
        return PointRow(
            line,
            editor,
            context,
            self._look,
            commit,
            rename=lambda name: self._rename_point(line.path, point, name),
            remove=lambda: self._apply(lambda now: remove(now, [point])),
        )

    def _editor(self, scene: Scene, line: Entry, context: Context) -> Editor | None:
        name = f"inspector.{line.path}"
        if line.path == "simulation.method":
            return MethodEditor(self._look, self._recent, name, self._session.compiled)
        return make_editor(scene, line, context, name)

    def _add_slider(self, grid: QGridLayout, at: int, line: Entry) -> int:
        """A parameter with limits gets a slider."""
        parameter = line.owners[0]
        slider = ParameterSlider(self._session.document, f"inspector.{line.path}.slider", parameter)
        if not slider.isEnabled():
            slider.deleteLater()
            return at
        grid.addWidget(slider, at, 1)
        self._sliders[parameter.name] = slider
        return at + 1

    # edits

    def _folder(self) -> str:
        path = self._session.document.path
        return str(path.parent) if path is not None else ""

    def _commit(self, refs: tuple[Ref, ...], line: Entry, value: Any) -> None:
        if line.part == "derived":
            self._commit_derived(refs[0], line.path, value)
            return
        try:
            self._session.document.apply(self._edit(refs, line, value))
            why = ""
        except (SceneError, ValueError, KeyError) as error:
            why = reason(error)
        # none for an editor that answers when something else is shown already
        row = self._rows.get(line.path)
        if row is not None:
            row.complain(why)

    def _commit_derived(self, ref: Ref, path: str, value: Any) -> None:
        scene, answered = self._session.document.scene, False

        def shown() -> Row | None:
            return self._rows.get(path) if self._shape[:1] == ((ref,),) else None

        def complain(why: str) -> None:
            nonlocal answered
            answered = bool(why)
            row = shown()
            if row is not None:
                row.complain(why)

        def still_trying() -> None:
            row = None if answered or self._session.document.scene is not scene else shown()
            if row is not None:
                row.wait("trying whether the mechanism closes with it …")

        complain("")
        try:
            asked = DERIVED[path].commit(self._session, ref, value, complain, self._look.units)
        except (SceneError, ValueError, KeyError) as error:
            complain(reason(error))
            return
        if asked:
            QTimer.singleShot(PATIENCE, self, still_trying)

    def _edit(self, refs: tuple[Ref, ...], line: Entry, value: Any) -> Edit:
        scene = self._session.document.scene
        if not refs:
            new = value.make(line.value) if isinstance(value, Change) else value
            if line.path == "simulation.method":
                return choose_method(scene, new)
            return Edit(f"Change {line.title.lower()}", set_value(scene, line.path, new))
        if line.part == "shared":
            if self._session.not_yet:
                raise ValueError(self._session.not_yet)
            return SHARED[line.path].edit(scene, refs, value)
        if line.path == "name":
            return rename(scene, refs[0], str(value).strip())
        if isinstance(value, Change):
            return change_field(scene, refs, line.path, value.make)
        return set_field(scene, refs, line.path, value)

    def _apply(self, make: Make) -> None:
        document = self._session.document
        try:
            document.apply(make(document.scene))
        except (SceneError, ValueError, KeyError) as error:
            self._session.message.emit("warning", reason(error), None)

    def _rename_point(self, path: str, point: Ref, name: str) -> None:
        document = self._session.document
        try:
            document.apply(rename(document.scene, point, name))
        except SceneError as error:
            row = self._rows[path]
            assert isinstance(row, PointRow)
            row.complain_name(reason(error))


PANEL = PanelKind(
    "inspector",
    "Inspector",
    "inspector",
    "right",
    lambda given: InspectorPanel(given.session, given.look, given.recent),
)


def _names_in(scene: Scene) -> tuple[Any, ...]:
    """Names that drop-downs offer."""
    bodies = tuple((body.name, tuple(point.name for point in body.points)) for body in scene.bodies)
    lists = ("joints", "forces", "motions", "traces", "measures")
    return bodies, tuple(tuple(item.name for item in getattr(scene, where)) for where in lists)
