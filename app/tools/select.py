"""Selecting: a click takes what is on top, another one what lies beneath, a rectangle takes many."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.refs import Ref
from app.tools.base import Pointer, Tool

SAME_PLACE = 4  # px


class SelectTool(Tool):
    """The tool that is there when no other was taken."""

    id = "select"
    _press: QPointF | None = None
    _band: QRectF | None = None
    _cycle: tuple[QPointF, list[Ref], int] | None = None

    def grab(self, at: Pointer) -> bool:
        self._press = at.position
        return True

    def drag(self, at: Pointer) -> None:
        if self._press is not None:
            self._band = QRectF(self._press, at.position)

    def drop(self, at: Pointer) -> None:
        band, self._band, self._press = self._band, None, None
        if band is None:
            return
        corners = (*self.viewport.device(band.topLeft()), *self.viewport.device(band.bottomRight()))
        refs = self.viewport.view.pick_rect(*corners, touching=_touching(band))
        before = self.session.selection.refs if at.adding else ()
        self.session.selection.set((*before, *refs))

    def end(self) -> None:
        self._press = self._band = self._cycle = None

    def click(self, at: Pointer) -> None:
        refs = self.viewport.refs_at(at.position)
        if not refs:
            self._cycle = None
            if not at.adding:
                self.session.selection.clear()
            return
        if at.adding:
            self.session.selection.toggle(refs[0])
            return
        turn = 0
        if self._cycle is not None:
            where, before, number = self._cycle
            if (at.position - where).manhattanLength() <= SAME_PLACE and before == refs:
                turn = (number + 1) % len(refs)  # the same place again: what lies beneath
        self._cycle = (at.position, refs, turn)
        self.session.selection.set((refs[turn],))

    def paint(self, painter: QPainter) -> None:
        if self._band is not None:
            accent = QColor(self.viewport.view_style.accent)
            line = Qt.PenStyle.DashLine if _touching(self._band) else Qt.PenStyle.SolidLine
            painter.setPen(QPen(accent, 1.0, line))
            painter.setBrush(QColor(accent.red(), accent.green(), accent.blue(), 40))
            painter.drawRect(self._band.normalized())


def _touching(band: QRectF) -> bool:
    """A rectangle drawn to the left takes what it touches, to the right what is wholly inside."""
    return band.width() < 0
