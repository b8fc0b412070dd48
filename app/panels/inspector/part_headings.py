"""Headings of a body's points and shapes, with the buttons that add, copy and remove them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QMenu, QWidget

from app.document.document import Edit, Ref
from app.document.element_ref import Piece
from app.edits import add_point, add_shape, duplicate_shape, remove_shape
from app.panels.inspector.form import Entry
from app.panels.inspector.form_rows import BUTTON_SIZE
from app.platform.appearance import Look, ToolButton, label, tool_button
from app.widgets.editors.file import choose_mesh
from engine.elements.bodies.shapes import SHAPES
from engine.model.scene import Scene

Make = Callable[[Scene], Edit]


class PartHeadings:
    """Makes the headings of the inspector's form.

    `apply` makes an edit of the present scene, `hold` takes the handles to a part of the selected body.
    """

    def __init__(
        self,
        look: Look,
        apply: Callable[[Make], object],
        folder: Callable[[], str],
        hold: Callable[[Piece], object],
    ) -> None:
        self._look, self._apply, self._folder, self._hold = look, apply, folder, hold

    def place(self, grid: QGridLayout, at: int, line: Entry, ref: Ref | None) -> int:
        """A rule, the title and its buttons; the next free line of the grid."""
        if line.part != "shape":
            rule = QFrame()
            rule.setFrameShape(QFrame.Shape.HLine)
            rule.setFrameShadow(QFrame.Shadow.Plain)
            grid.addWidget(rule, at, 0, 1, 3)
            at += 1
        bar = QWidget()
        bar.setObjectName(f"inspector.{line.path or line.title}.heading")
        row = QHBoxLayout(bar)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        role = "muted" if line.part == "shape" else "section"
        row.addWidget(label(line.title, role, f"inspector.{line.path or line.title}.heading.text"), 1)
        if ref is not None:
            for button in self._buttons(line, ref):
                button.setIconSize(QSize(14, 14))
                button.setFixedSize(BUTTON_SIZE)
                row.addWidget(button)
        grid.addWidget(bar, at, 0, 1, 3)
        return at + 1

    def _buttons(self, line: Entry, ref: Ref) -> list[ToolButton]:
        if line.part == "points":
            add = self._button("inspector.points.add", "plus", "Add a point to this body")
            add.clicked.connect(lambda: self._apply(lambda scene: add_point(scene, ref)))
            return [add]
        if line.part == "shapes":
            return [self._shape_button(ref)]
        if line.part == "shape":
            index = int(line.path.rsplit(".", 1)[1])
            move = self._button(f"inspector.{line.path}.move", "move", "Move and turn this shape by handles")
            move.clicked.connect(lambda: self._hold(Piece("shapes", index)))
            copy = self._button(f"inspector.{line.path}.copy", "duplicate", "Copy this shape")
            remove = self._button(f"inspector.{line.path}.remove", "minus", "Remove this shape")
            copy.clicked.connect(lambda: self._apply(lambda scene: duplicate_shape(scene, ref, index)))
            remove.clicked.connect(lambda: self._apply(lambda scene: remove_shape(scene, ref, index)))
            return [move, copy, remove]
        return []

    def _shape_button(self, ref: Ref) -> ToolButton:
        button = self._button("inspector.shapes.add", "plus", "Add a shape to this body")
        menu = QMenu(button)
        menu.setObjectName("inspector.shapes.menu")
        menu.setToolTipsVisible(True)
        for kind in SHAPES:
            action = menu.addAction(self._look.icon(kind.icon), kind.title)
            action.setObjectName(f"inspector.shapes.add.{kind.name}")
            action.setToolTip(kind.summary)
            action.triggered.connect(lambda _=False, name=kind.name: self._add_shape(button, ref, name))
        button.setMenu(menu)
        button.setPopupMode(ToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _add_shape(self, parent: QWidget, ref: Ref, kind: str) -> None:
        fields: dict[str, Any] = {}
        if "file" in SHAPES[kind].spec.__struct_fields__:
            file = choose_mesh(parent, self._folder())
            if not file:
                return
            fields["file"] = file
        self._apply(lambda scene: add_shape(scene, ref, kind, **fields))

    def _button(self, name: str, image: str, tooltip: str) -> ToolButton:
        return tool_button(self._look, name, image, tooltip)
