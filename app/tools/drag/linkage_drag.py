"""Dragging while nothing runs: the body under the pointer goes along, and its linkage with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPen

from app.document.document import LARGE, Edit
from app.document.element_words import reason
from app.session.session import Session
from app.tools.drag.linkage_pose import LinkagePose
from app.viewport.canvas.style import look
from engine.compiled.layout import Array
from engine.errors import SceneError

if TYPE_CHECKING:
    from app.tools.interactive_viewport import ViewportWidget

GO_ON = 16  # ms between two updates while the point is still on its way
PATIENCE = 0.02  # s for one update; what is left of the way comes with the next ones
REST = 100  # steps that a hand which lets go early still has
LAST_PATIENCE = 0.05  # s for them
TANGENT = 90.0  # px to each side
GRIP = 5.0  # px
BESIDE = 0.5  # cosine between path and pointer below which the pointer is beside the path
AWAY = 3.0  # px from the cursor to the point: the end of its reach is worth showing


class LinkageDrag:
    """Leads the point that was under the pointer; the new pose is the start, in one step to undo."""

    def __init__(self, viewport: ViewportWidget, session: Session, body: str, place: Array) -> None:
        self.viewport, self.session, self.body = viewport, session, body
        origin, R = session.poses()[body]
        self.linkage = LinkagePose(session, body, [R.T @ (place - origin)])
        self._depth = np.asarray(place, float)
        self._pointer = QPointF()
        self._target: tuple[Array, Array | None] | None = None
        self._timer: QTimer | None = QTimer(viewport)
        self._timer.setSingleShot(True)
        self._timer.setInterval(GO_ON)
        self._timer.timeout.connect(self._go_on)

    @property
    def over(self) -> bool:
        """Whether something else has happened to the scene meanwhile."""
        return self.session.document.scene is not self.linkage.scene

    @property
    def hint(self) -> str:
        lead = self.linkage
        if lead.open_joints:
            return f"The joints do not close here: {self.body} is moved alone. Esc puts it back."
        if not lead.dof:
            return f"{self.body} cannot move: 0 degrees of freedom."
        if not len(lead.directions):
            return f"This point of {self.body} cannot move: take it at another place."
        words = [f"{lead.dof} degree{'s' if lead.dof != 1 else ''} of freedom"]
        if lead.released:
            plural = "s" if len(lead.released) == 1 else ""
            words.append(f"{_few(lead.released)} let{plural} go and will start from here")
        elif lead.held:
            words.append(f"{_few(lead.held)} hold{'s' if len(lead.held) == 1 else ''}")
        if not lead.reaches and lead.arrived and self._far():
            words.append("off its path" if self._beside() else "end of its reach")
        return f"{self.body}: {' · '.join(words)}. Esc puts it back."

    def move(self, position: QPointF) -> None:
        """The pointer is here now."""
        self._pointer = position
        target = aim(self.viewport, position, self._depth)
        if target is None or self.over:
            return
        self._target = target
        self._go_on()

    def _go_on(self) -> None:
        if self._target is None or self.over:
            return
        self.linkage.follow(*self._target, seconds=PATIENCE)
        if not self.linkage.arrived and self._timer is not None:
            self._timer.start()

    def wheel(self, notches: float) -> bool:
        return False

    def drop(self) -> None:
        """Keep the pose as the start of the scene."""
        self._forget_timer()
        if self.over or self._target is None:
            self.cancel()
            return
        if not self.linkage.arrived:
            self.linkage.follow(*self._target, steps=REST, seconds=LAST_PATIENCE)
        try:
            edit = self.linkage.commit(f"Drag {self.body}")
        except SceneError as error:
            self.session.message.emit("warning", reason(error), None)
            edit = None
        if edit is None:
            self.cancel()
            return
        if len(edit.after.bodies) > LARGE:  # to work them out took long enough for one turn
            QTimer.singleShot(0, self.viewport, lambda: self._keep(edit))
        else:
            self._keep(edit)

    def _keep(self, edit: Edit) -> None:
        self.session.document.apply(edit)
        until_there_is_a_run = {**self.linkage.before, **self.linkage.poses}
        self.session.shown.pose_by_hand(until_there_is_a_run)

    def cancel(self) -> None:
        """Everything is as it was."""
        self._forget_timer()
        self._target = None
        if self.session.shown.by_hand:
            self.session.shown.pose_by_hand(None)

    def _forget_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer.deleteLater()
            self._timer = None

    # painting

    def _pixel(self, place: Array) -> QPointF:
        x, y = self.viewport.view.camera.project(place)
        ratio = self.viewport.devicePixelRatioF()
        return QPointF(x / ratio, y / ratio)

    def _far(self) -> bool:
        gap = self._pointer - self._pixel(self.linkage.place)
        return float(np.hypot(gap.x(), gap.y())) > AWAY

    def _beside(self) -> bool:
        """Whether the pointer is beside the only path that the point has, rather than beyond its end."""
        if len(self.linkage.directions) != 1:
            return False
        place = self.linkage.place
        ahead = self._pixel(place + 1e-3 * self.linkage.length * self.linkage.directions[0])
        at, way = self._pixel(place), np.zeros(2)
        way[:] = ahead.x() - at.x(), ahead.y() - at.y()
        gap = np.array([self._pointer.x() - at.x(), self._pointer.y() - at.y()])
        sizes = float(np.hypot(*way)), float(np.hypot(*gap))
        return min(sizes) > 0.0 and abs(float(way @ gap)) < BESIDE * sizes[0] * sizes[1]

    def paint(self, painter: QPainter) -> None:
        """The degree of freedom that is followed: the tangent of the point's path; and the end of its
        reach."""
        place = self.linkage.place
        at = self._pixel(place)
        if not np.isfinite([at.x(), at.y()]).all():
            return
        style = self.viewport.view_style
        accent = QColor(style.accent)
        directions = self.linkage.directions
        free = 2 if self.linkage.scene.space == "planar" else 3
        if len(directions) < free:
            for direction in directions:
                paint_tangent(
                    painter, at, self._pixel(place + 1e-3 * self.linkage.length * direction), accent
                )
        if self._target is not None and self.linkage.arrived and not self.linkage.reaches and self._far():
            ink = QColor(look(style).text)
            painter.setPen(QPen(ink, 1.2, Qt.PenStyle.DotLine))
            painter.drawLine(at, self._pointer)
            painter.setPen(QPen(ink, 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(at, 2.0 * GRIP, 2.0 * GRIP)
        painter.setPen(QPen(QColor("#FFFFFF"), 1.5))
        painter.setBrush(accent)
        painter.drawEllipse(at, GRIP, GRIP)


def _few(names: tuple[str, ...]) -> str:
    return ", ".join(names[:2]) + (" …" if len(names) > 2 else "")


def paint_tangent(painter: QPainter, at: QPointF, ahead: QPointF, color: QColor) -> None:
    """A line through a point, with heads at both ends."""
    way = np.array([ahead.x() - at.x(), ahead.y() - at.y()])
    size = float(np.hypot(*way))
    if not np.isfinite(size) or size < 1e-6:
        return  # straight into the picture
    way = way / size
    painter.setPen(QPen(color, 2.0, Qt.PenStyle.DashLine))
    one, two = (QPointF(at.x() + s * TANGENT * way[0], at.y() + s * TANGENT * way[1]) for s in (-1.0, 1.0))
    painter.drawLine(one, two)
    painter.setPen(QPen(color, 2.0))
    for end, s in ((one, -1.0), (two, 1.0)):
        for across in (-0.5, 0.5):
            back = -10.0 * s * way + 10.0 * across * np.array([-way[1], way[0]])
            painter.drawLine(end, QPointF(end.x() + back[0], end.y() + back[1]))


def aim(viewport: ViewportWidget, position: QPointF, depth: Array) -> tuple[Array, Array | None] | None:
    """The place that the pointer means, and the line of sight where that leaves the depth open.

    In a planar scene the place is in the plane; in space it is as far away as `depth`. None: there is none.
    """
    x, y = viewport.device(position)
    origin, direction = viewport.view.camera.ray(x, y)
    if viewport.view.stage.planar:
        if abs(direction[2]) < 1e-6:
            return None
        place = origin - direction * (origin[2] / direction[2])
        return (np.array([place[0], place[1], 0.0]), None) if np.isfinite(place).all() else None
    place = viewport.view.camera.unproject(x, y, depth)
    return (place, direction) if np.isfinite(place).all() else None
