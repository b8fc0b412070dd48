"""The small form beside a joint that is being made: kind, bodies, axis; Enter makes it, Esc drops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from app.commands.joint_kind import kinds_for
from app.panels.look import label
from app.panels.naming import reason
from app.tools.axes import Axis
from engine.elements.base import WORLD
from engine.errors import SceneError

OFFSET = QPoint(26, 30)  # px from the spot
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class JointCard(QFrame):
    """Lies over the viewport; `tool` is the joint tool that shows it."""

    def __init__(self, viewport: Any, tool: Any) -> None:
        super().__init__(viewport)
        self.setObjectName("joint_card")
        self.setProperty("role", "card")
        self.setAutoFillBackground(True)
        self._viewport, self._tool = viewport, tool
        self._axes: Sequence[Axis] = ()
        self.kind, self.a, self.b, self.axis = QComboBox(), QComboBox(), QComboBox(), QComboBox()
        for box, name, tip in (
            (self.kind, "kind", "Kind of the joint"),
            (self.a, "a", "The body that carries frame A"),
            (self.b, "b", "The body that moves against it"),
            (self.axis, "axis", "The axis that it turns about, or slides along"),
        ):
            box.setObjectName(f"joint_card.{name}")
            box.setToolTip(tip)
            box.activated.connect(self._changed)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(3)
        for title, box in (("Joint", self.kind), ("A", self.a), ("B", self.b), ("Axis", self.axis)):
            form.addRow(title, box)
        self._form = form
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
        scene, self._axes = self._viewport.view.scene, axes
        _fill(self.kind, [(kind.title, kind.name) for kind in kinds_for(scene)], proposal.kind)
        bodies = [("ground", WORLD), *((body.name, body.name) for body in scene.bodies)]
        _fill(self.a, bodies, proposal.a)
        _fill(self.b, bodies, proposal.b)
        _fill(self.axis, [(axis.title, i) for i, axis in enumerate(axes)], _place(proposal.axis, axes))
        self._form.setRowVisible(self.axis, bool(axes))
        self.complain(warning)
        self.show()
        self.raise_()
        self.take.setFocus()

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
            axis = None  # guessed anew
        self._tool.propose(replace(proposal, kind=same[0], a=same[1], b=same[2], axis=axis))


def _fill(box: QComboBox, items: Sequence[tuple[str, Any]], chosen: Any) -> None:
    box.clear()
    for text, data in items:
        box.addItem(text, data)
    box.setCurrentIndex(next((i for i, (_, data) in enumerate(items) if data == chosen), -1))


def _place(axis: Axis | None, axes: Sequence[Axis]) -> int:
    if axis is None:
        return -1
    return next((i for i, other in enumerate(axes) if np.allclose(other.direction, axis.direction)), -1)
