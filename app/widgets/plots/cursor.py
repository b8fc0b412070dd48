"""A line at the instant under the pointer, and a card with the values of all curves there."""

from dataclasses import dataclass
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel

from app.platform.appearance import Look

MARGIN = 6  # px between the card, the line and the edges


@dataclass(frozen=True)
class Reading:
    """One curve at the instant."""

    color: str
    text: str  # name of the channel, and of the run unless it is the present one
    value: str  # with its unit
    near: bool = False  # the curve under the pointer


class Cursor:
    """Hidden until it is told what to show."""

    def __init__(self, plot: pg.PlotWidget, look: Look, name: str) -> None:
        self._plot, self._look = plot, look
        self.line = pg.InfiniteLine(angle=90, movable=False)
        self.line.setZValue(15)
        self.line.hide()
        plot.getPlotItem().addItem(self.line, ignoreBounds=True)
        self.card = QLabel(plot)
        self.card.setObjectName(f"{name}.cursor")
        self.card.setTextFormat(Qt.TextFormat.RichText)
        self.card.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.card.hide()
        self.apply_theme()

    def apply_theme(self) -> None:
        theme = self._look.theme
        self.line.setPen(pg.mkPen(theme["muted"], width=1.0, style=Qt.PenStyle.DashLine))
        self.card.setStyleSheet(
            f"QLabel {{ background: {theme['raised']}; color: {theme['text']}; "
            f"border: 1px solid {theme['grid']}; border-radius: 3px; padding: 2px 4px; }}"
        )

    def show(self, heading: str, readings: list[Reading], at: QPoint, x: float | None) -> None:
        """Beside a pixel of the plot, where there is room; the line stands at x, if there is one."""
        if x is not None:
            self.line.setValue(x)
        self.line.setVisible(x is not None)
        if not readings:
            self.card.hide()
            return
        rows = "".join(_row(reading) for reading in readings)
        self.card.setText(f"{escape(heading)}<table cellspacing=0>{rows}</table>")
        self.card.adjustSize()
        size, room = self.card.size(), self._plot.size()
        left = at.x() + 2 * MARGIN
        if left + size.width() > room.width() - MARGIN:
            left = max(at.x() - 2 * MARGIN - size.width(), MARGIN)
        top = min(max(at.y() - size.height() // 2, MARGIN), max(room.height() - size.height() - MARGIN, 0))
        self.card.move(left, top)
        self.card.show()
        self.card.raise_()

    def hide(self) -> None:
        self.line.hide()
        self.card.hide()


def _row(reading: Reading) -> str:
    words = escape(reading.text).replace(" ", "&nbsp;")
    value = escape(reading.value).replace(" ", "&nbsp;")
    text = f"<b>{words}</b>" if reading.near else words
    return (
        f'<tr><td><span style="color:{reading.color}">━</span>&nbsp;{text}</td>'
        f"<td align=right>&nbsp;{value}</td></tr>"
    )
