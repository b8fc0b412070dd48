"""The small form beside a joint that is being made: kind, bodies, axis by list, by numbers or by two points;
Enter makes it, Esc drops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
)

from app.document.element_words import reason
from app.edits.building.joint_kind import kinds_for
from app.platform.appearance import label
from app.tools.connect.axis_guess import Axis
from app.tools.connect.direction_text import SAMPLES, DirectionError, direction_text, read_direction
from app.tools.connect.slider_guide import takes_block
from engine.elements.base import WORLD
from engine.errors import SceneError

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

OFFSET = QPoint(26, 30)  # px from the spot
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class JointCard(QFrame):
    """Lies over the viewport; `tool` is the joint tool that shows it."""

    def __init__(self, viewport: ViewportWidget, tool: Any) -> None:
        super().__init__(viewport)
        self.setObjectName("joint_card")
        self.setProperty("role", "card")
        self.setAutoFillBackground(True)
        self._viewport, self._tool = viewport, tool
        self._axes: Sequence[Axis] = ()
        self._warning = ""
        self.kind, self.a, self.b, self.axis = QComboBox(), QComboBox(), QComboBox(), QComboBox()
        self.slides = QComboBox()
        for box, name, tip in (
            (self.kind, "kind", "Kind of the joint"),
            (self.a, "a", "The body that carries frame A"),
            (self.b, "b", "The body that moves against it"),
            (self.axis, "axis", "The axis that it turns about, or slides along"),
            (self.slides, "slides", "A new block that is pinned to B, or B itself, which then cannot turn"),
        ):
            box.setObjectName(f"joint_card.{name}")
            box.setToolTip(tip)
            box.activated.connect(self._changed)
        self.direction = QLineEdit()
        self.direction.setObjectName("joint_card.direction")
        self.direction.textEdited.connect(self._typed)
        self.between = QPushButton("Two points")
        self.between.setObjectName("joint_card.between")
        self.between.setToolTip("Click two points in the viewport: the axis takes the direction between them")
        self.between.setAutoDefault(False)
        self.between.clicked.connect(tool.pick_axis)
        along = QHBoxLayout()
        along.setContentsMargins(0, 0, 0, 0)
        along.setSpacing(3)
        along.addWidget(self.direction, 1)
        along.addWidget(self.between)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(3)
        rows = (("Joint", self.kind), ("A", self.a), ("B", self.b), ("Slides", self.slides))
        for title, box in (*rows, ("Axis", self.axis)):
            form.addRow(title, box)
        form.addRow("Direction", along)
        self._form, self._along = form, along
        self.note: QLabel = label("", "wrong", "joint_card.note")
        self.note.setWordWrap(True)
        self.take = QPushButton("Make the joint")
        self.take.setObjectName("joint_card.take")
        self.take.setToolTip("Make the joint as it is shown (Enter)")
        self.take.setDefault(True)
        drop = QPushButton("Cancel")
        drop.setObjectName("joint_card.cancel")
        drop.setToolTip("Make no joint (Esc)")
        self.take.clicked.connect(self.accept)
        drop.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(drop)
        row.addWidget(self.take)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(5)
        column.addLayout(form)
        column.addWidget(self.note)
        column.addLayout(row)

    def show_proposal(self, proposal: Any, axes: Sequence[Axis], warning: str) -> None:
        """Fill the boxes, and take the keyboard, so that Enter makes the joint."""
        own = proposal.axis
        if own is not None and _place(own, axes) < 0:
            axes = [*axes, own]
        scene, self._axes, self._warning = self._viewport.view.scene, axes, warning
        _fill(self.kind, [(kind.title, kind.name) for kind in kinds_for(scene)], proposal.kind)
        bodies = [("ground", WORLD), *((body.name, body.name) for body in scene.bodies)]
        _fill(self.a, bodies, proposal.a)
        blocks = takes_block(proposal.kind)
        _fill(self.b, [*bodies, ("none: the block alone", "")] if blocks else bodies, proposal.b)
        ways = [(f"a block, pinned to {proposal.b}" if proposal.b else "a block", True)]
        if proposal.b:
            ways.append((f"{proposal.b} itself, without turning", False))
        _fill(self.slides, ways, proposal.block)
        self._form.setRowVisible(self.slides, blocks)
        _fill(self.axis, [(axis.title, i) for i, axis in enumerate(axes)], _place(proposal.axis, axes))
        for row in (self.axis, self._along):
            self._form.setRowVisible(row, bool(axes))
        self._show_direction(own)
        self.complain(warning)
        self.show()
        self.raise_()
        self.take.setFocus()

    def _show_direction(self, axis: Axis | None) -> None:
        self.direction.setText("" if axis is None else direction_text(axis.direction, self._count))
        self.direction.setToolTip(
            "The axis in the world, any direction and length. Type its components, "
            f"such as {SAMPLES[self._count]}; parameters are known."
        )
        self._mark(wrong=False)

    @property
    def _count(self) -> int:
        """How many components a direction has here."""
        return 2 if self._viewport.view.stage.planar else 3

    def _typed(self, text: str) -> None:
        """Show the axis while it is being typed, or say what is wrong with it."""
        try:
            axis = Axis("as typed", read_direction(text, self._count, self._tool.names), given=True)
        except DirectionError as error:
            self._tool.set_axis(None)
            self._mark(wrong=True)
            self.complain(f"Axis: {error}")
            return
        self._tool.set_axis(axis)
        self._axes = [*(other for other in self._axes if not other.given), axis]
        titles = [(other.title, i) for i, other in enumerate(self._axes)]
        _fill(self.axis, titles, _place(axis, self._axes))
        self._mark(wrong=False)
        self.complain(self._warning)

    def _mark(self, *, wrong: bool) -> None:
        """What is typed cannot be made, until it is put right."""
        self.direction.setProperty("wrong", wrong)
        self.direction.style().polish(self.direction)
        self.take.setEnabled(not wrong)

    def complain(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self.adjustSize()

    def move_near(self, spot: QPoint) -> None:
        """Beside the spot, inside of the viewport."""
        self.adjustSize()
        room = self._viewport.rect().adjusted(4, 4, -4, -4)
        at = spot + OFFSET
        if at.x() + self.width() > room.right():
            at.setX(spot.x() - OFFSET.x() - self.width())
        at.setX(max(room.left(), min(at.x(), room.right() - self.width())))
        at.setY(max(room.top(), min(at.y(), room.bottom() - self.height())))
        self.move(at)

    def accept(self) -> None:
        if not self.take.isEnabled():  # Enter in a text that is wrong
            self.direction.setFocus()
            return
        try:
            self._tool.accept()
        except (SceneError, ValueError, KeyError) as error:
            self.complain(reason(error))

    def reject(self) -> None:
        self._tool.step_back()
        self._viewport.setFocus()
        self._viewport.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.reject()
        else:
            super().keyPressEvent(event)

    def _changed(self) -> None:
        proposal = self._tool.proposal
        if proposal is None:
            return
        index = self.axis.currentIndex()
        axis = self._axes[index] if 0 <= index < len(self._axes) else None
        same = (self.kind.currentData(), self.a.currentData(), self.b.currentData())
        if same != (proposal.kind, proposal.a, proposal.b):
            axis = axis if axis is not None and axis.given else None  # guessed anew
        block = self.slides.currentData()
        if same != (proposal.kind, proposal.a, proposal.b):
            block = None  # as it suits them
        if block != proposal.block:
            axis = axis if axis is not None and axis.given else None
        self._tool.propose(replace(proposal, kind=same[0], a=same[1], b=same[2], axis=axis, block=block))


def _fill(box: QComboBox, items: Sequence[tuple[str, Any]], chosen: Any) -> None:
    box.clear()
    for text, data in items:
        box.addItem(text, data)
    box.setCurrentIndex(next((i for i, (_, data) in enumerate(items) if data == chosen), -1))


def _place(axis: Axis | None, axes: Sequence[Axis]) -> int:
    if axis is None:
        return -1
    return next((i for i, other in enumerate(axes) if np.allclose(other.direction, axis.direction)), -1)
