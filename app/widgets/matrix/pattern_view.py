"""A pattern to be looked at: the wheel zooms, dragging moves, a double click shows all, pointing tells.

What is drawn is one image of the visible part, so a million entries cost no more than a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.platform.appearance import Look
from app.widgets.matrix.painting import image, paint_form
from app.widgets.matrix.pattern_image import Drawn
from engine.analyses.answers.result import Mention

HEAD = 18  # px above the pattern, for its title
FRAME = 1.0  # px of the line around the pattern
MAX_CELL = 40.0  # px of a cell at the highest zoom
STEP = 1.2  # of the zoom, per notch of the wheel
NOTCH = 120.0  # of a wheel


@dataclass(frozen=True)
class Cell:
    """What is under the pointer: places and lines."""

    row: int
    column: int
    row_line: Mention
    column_line: Mention
    has_entry: bool
    block: int  # number of the diagonal block from 1 on; 0: none


class PatternView(QWidget):
    """One ordering. `pointed` tells the cell under the pointer or None, `chosen` the one that was clicked."""

    pointed = Signal(object)
    chosen = Signal(object)

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setMouseTracking(True)
        self.setMinimumSize(120, 120)
        self._look = look
        self._drawn: Drawn | None = None
        self._title = ""
        self._origin, self._scale = (0.0, 0.0), 1.0
        self._fitted = True
        self._lit: frozenset[tuple[str, str]] = frozenset()
        self._cell: Cell | None = None
        self._grip: QPointF | None = None
        self._dragged = False
        self._image: QImage | None = None
        look.changed.connect(self._anew)

    def sizeHint(self) -> QSize:
        return QSize(240, 240)

    @property
    def drawn(self) -> Drawn | None:
        return self._drawn

    @property
    def scale(self) -> float:
        """Pixels per line."""
        return self._scale

    def show_form(self, drawn: Drawn | None, title: str) -> None:
        """Another pattern; the zoom stays where the matrix has the same size."""
        same = drawn is not None and self._drawn is not None and drawn.shape == self._drawn.shape
        self._drawn, self._title, self._cell = drawn, title, None
        self.setAccessibleName(title)
        if not same or self._fitted:
            self.fit()
        self._anew()

    def light(self, elements: frozenset[tuple[str, str]]) -> None:
        """Elements, by list and name, whose lines stand out."""
        if elements != self._lit:
            self._lit = elements
            self._anew()

    def fit(self) -> None:
        """All of it."""
        self._fitted, self._origin = True, (0.0, 0.0)
        if self._drawn is not None:
            self._scale = self._whole(self._drawn)
        self._anew()

    def _whole(self, drawn: Drawn) -> float:
        """Pixels per line at which all of a pattern is seen, with the line around it."""
        area = self._area()
        return max(1e-6, (min(area.width(), area.height()) - FRAME) / max(1, *drawn.shape))

    def zoom(self, factor: float, at: QPointF) -> None:
        """About a pixel of the widget."""
        if self._drawn is None:
            return
        area = self._area()
        least = self._whole(self._drawn)
        scale = min(max(self._scale * factor, least), max(MAX_CELL, least))
        if scale <= least:
            self.fit()
            return
        x, y = (at.x() - area.left()) / self._scale, (at.y() - area.top()) / self._scale
        column, row = self._origin[0] + x, self._origin[1] + y
        self._fitted = False
        self._origin = (
            column - (at.x() - area.left()) / scale,
            row - (at.y() - area.top()) / scale,
        )
        self._scale = scale
        self._keep_inside()

    def _keep_inside(self) -> None:
        assert self._drawn is not None
        area = self._area()
        rows, columns = self._drawn.shape
        x = min(max(self._origin[0], 0.0), max(0.0, columns - area.width() / self._scale))
        y = min(max(self._origin[1], 0.0), max(0.0, rows - area.height() / self._scale))
        self._origin = (x, y)
        self._anew()

    def _area(self) -> QRectF:
        return QRectF(2, HEAD, max(1, self.width() - 4), max(1, self.height() - HEAD - 2))

    def _anew(self) -> None:
        self._image = None
        self.update()

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, area = self._look.theme, self._area()
        painter.fillRect(self.rect(), theme.color("base"))
        painter.setPen(theme.color("text"))
        head = QRectF(4, 0, self.width() - 8, HEAD)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        title = painter.fontMetrics().elidedText(
            self._title, Qt.TextElideMode.ElideRight, round(head.width())
        )
        painter.drawText(head, flags, title)
        if self._drawn is None:
            return
        ratio = self.devicePixelRatioF()
        size = (round(area.width() * ratio), round(area.height() * ratio))
        if self._image is None or (self._image.width(), self._image.height()) != size:
            self._image = image(self._drawn, self._origin, self._scale * ratio, size, theme, self._lit)
        painter.drawImage(area, self._image)
        paint_form(painter, self._drawn, self._origin, self._scale, area, theme)
        if self._cell is not None:
            self._paint_cross(painter, area, self._drawn, self._cell)

    def _paint_cross(self, painter: QPainter, area: QRectF, drawn: Drawn, cell: Cell) -> None:
        """Row and column of the cell under the pointer, as far as the matrix goes."""
        size = max(1.0, self._scale)
        x = area.left() + (cell.column - self._origin[0]) * self._scale
        y = area.top() + (cell.row - self._origin[1]) * self._scale
        painter.setClipRect(area)
        color = self._look.theme.color("text")
        color.setAlpha(40)
        rows, columns = drawn.shape
        left, top = area.left() - self._origin[0] * self._scale, area.top() - self._origin[1] * self._scale
        painter.fillRect(QRectF(x, top, size, rows * self._scale), color)
        painter.fillRect(QRectF(left, y, columns * self._scale, size), color)
        if size >= 3.0:
            painter.setPen(QPen(self._look.theme.color("text"), 1.5))
            painter.drawRect(QRectF(x, y, size, size))

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._fitted:
            self.fit()
        elif self._drawn is not None:
            self._keep_inside()

    # the pointer

    def cell_at(self, at: QPointF) -> Cell | None:
        """What is under a pixel of the widget."""
        drawn, area = self._drawn, self._area()
        if drawn is None or not area.contains(at):
            return None
        column = int(self._origin[0] + (at.x() - area.left()) / self._scale)
        row = int(self._origin[1] + (at.y() - area.top()) / self._scale)
        rows, columns = drawn.shape
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        found = drawn.form.reordering
        line, across = int(found.rows[row]), int(found.columns[column])
        block, at_place = 0, 0
        for number, size in enumerate(found.blocks, start=1):
            if at_place <= min(row, column) and max(row, column) < at_place + size:
                block = number
            at_place += size
        return Cell(
            row,
            column,
            drawn.matrix.rows[line],
            drawn.matrix.columns[across],
            bool((drawn.matrix.pattern.row(line) == across).any()),
            block,
        )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._grip is not None and self._drawn is not None:
            step = at - self._grip
            if self._dragged or step.manhattanLength() > 3:
                self._dragged = True
                self._grip = at
                self._origin = (
                    self._origin[0] - step.x() / self._scale,
                    self._origin[1] - step.y() / self._scale,
                )
                self._keep_inside()
            return
        self._point(self.cell_at(at))

    def _point(self, cell: Cell | None) -> None:
        if cell != self._cell:
            self._cell = cell
            self.update()
            self.pointed.emit(cell)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grip, self._dragged = event.position(), False

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._grip is not None and not self._dragged:
            self.chosen.emit(self.cell_at(event.position()))
        self._grip = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / NOTCH
        if notches:
            self.zoom(STEP**notches, event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)
