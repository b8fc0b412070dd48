"""Selecting and moving by hand.

A click takes what is on top, another one what lies beneath; a rectangle drawn from an empty place takes many.
A body that is dragged moves with its linkage while nothing runs, and is pulled by a spring while it runs.
A limit of a stop goes where it is dragged.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen

from app.document.element_ref import Ref
from app.tools.base import Pointer, Tool
from app.tools.drag.hand import Hand, held_body, take
from app.tools.drag.limit_drag import LimitDrag, held_stop
from engine.compiled.layout import Array

SAME_PLACE = 4  # px


class SelectTool(Tool):
    """The tool that is there when no other was taken."""

    id = "select"
    _press: QPointF | None = None
    _band: QRectF | None = None
    _cycle: tuple[QPointF, list[Ref], int] | None = None
    _held: tuple[str, Array] | None = None  # the body under the press, and where it was touched
    _stop: Any = None  # a stop under the press
    _hand: Hand | None = None
    _cancelled = False

    @property
    def hint(self) -> str:  # type: ignore[override]
        """What the hand says, which may change while the pointer rests."""
        return "" if self._hand is None else self._hand.hint

    def grab(self, at: Pointer) -> bool:
        self._press, self._cancelled = at.position, False
        self._stop = None if at.adding else held_stop(self.viewport, self.session, at.position)
        free = not at.adding and self._stop is None
        self._held = held_body(self.viewport, self.session, at.position) if free else None
        return True

    def drag(self, at: Pointer) -> None:
        if self._press is None or self._cancelled:
            return
        if self._stop is not None and self._hand is None:
            self._hand = LimitDrag(self.viewport, self.session, self._stop, self._press)
        if self._held is not None and self._hand is None:
            self._hand = take(self.viewport, self.session, *self._held)
            self._held = self._held if self._hand is not None else None
        if self._hand is None:
            self._band = QRectF(self._press, at.position)
            return
        if self._hand.over:
            self._let_go()
            return
        self._hand.move(at.position)

    def _let_go(self) -> None:
        """Forget what is half done; what was moved goes back."""
        hand, self._hand = self._hand, None
        self._band, self._held, self._stop, self._cancelled = None, None, None, True
        if hand is not None:
            hand.cancel()

    def key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape and (self._hand is not None or self._band is not None):
            self._let_go()
            return True
        return False

    def wheel(self, notches: float) -> bool:
        return self._hand is not None and self._hand.wheel(notches)

    def drop(self, at: Pointer) -> None:
        hand, self._hand, self._held, self._stop = self._hand, None, None, None
        if hand is not None:
            self._press = None
            hand.drop()
            return
        band, self._band, self._press = self._band, None, None
        if band is None:
            return
        corners = (*self.viewport.device(band.topLeft()), *self.viewport.device(band.bottomRight()))
        refs = self.viewport.view.queries.pick_rect(*corners, touching=_touching(band))
        before = self.session.selection.refs if at.adding else ()
        self.session.selection.set((*before, *refs))

    def end(self) -> None:
        self._let_go()
        self._press = self._cycle = None

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
        if self._hand is not None:
            self._hand.paint(painter)
        if self._band is not None:
            accent = QColor(self.viewport.view_style.accent)
            line = Qt.PenStyle.DashLine if _touching(self._band) else Qt.PenStyle.SolidLine
            painter.setPen(QPen(accent, 1.0, line))
            painter.setBrush(QColor(accent.red(), accent.green(), accent.blue(), 40))
            painter.drawRect(self._band.normalized())


def _touching(band: QRectF) -> bool:
    """A rectangle drawn to the left takes what it touches, to the right what is wholly inside."""
    return band.width() < 0
