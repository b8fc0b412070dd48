"""Plots beside a film: the curves are drawn once, each frame adds the line of its instant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QFont, QImage, QPainter, QTextDocument

from app.exchange.sheets.sheets import Line, Sheet, thinned
from app.platform.application import application
from app.platform.theme import Theme
from app.session.recorded.run import Run
from app.viewport.canvas.offscreen import Picture
from app.widgets.plots.axes.axis import Axis, lay_out
from app.widgets.plots.axes.marked_view import MarkedView
from app.widgets.plots.axes.right_axis import second_view
from app.widgets.plots.extremes import mark_items
from app.widgets.plots.pyqtgraph_menus import bind_menus

LINE = (255, 122, 0)  # of the instant
DOT = 4  # px, half the width of the mark on a phase plot
PER_PLOT = 4  # channels of one unit in one plot
PER_ROW = 3  # plots beside each other
ROW = 0.28  # of the height of a film, for a row of plots
MAX_SHARE = 0.56  # of it, for all of them
POINTS, MARGIN = 9, 4  # pt of headings, px beside them
MAX_UNIT_LETTERS = 12  # letters of a unit that fit beside a low plot; longer ones stand in the legend

Mark = Callable[[Picture, float], None]


def sheets_of(run: Run, names: Sequence[str], span: tuple[float, float], *, dark: bool) -> list[Sheet]:
    """Plots of channels over time; those of the same unit share one."""
    theme, found = Theme(dark=dark), []
    for group in _groups(run, names):
        lines = [
            Line(name, run.unit(name), theme.plot_color(i), *run.channel(name, *span))
            for i, name in enumerate(group)
        ]
        title = group[0] if len(group) == 1 else ""
        found.append(Sheet(title, "time [s]", run.unit(group[0]), False, span, tuple(lines)))
    return found


def strip_height(count: int, height: int) -> int:
    """Pixels for so many plots below a picture of this height in all, an even number."""
    rows = -(-count // PER_ROW)
    return 2 * round(0.5 * min(ROW * rows, MAX_SHARE) * height)


class PlotStrip:
    """Plots as they are shown in the window, beside each other."""

    def __init__(self, sheets: Sequence[Sheet], size: tuple[int, int], *, dark: bool) -> None:
        application(offscreen=True)
        theme = Theme(dark=dark)
        image = QImage(*size, QImage.Format.Format_RGB888)
        image.fill(theme.color("base"))
        columns, rows = min(len(sheets), PER_ROW), -(-len(sheets) // PER_ROW)
        width, height = size[0] // columns, size[1] // rows
        painter = QPainter(image)
        try:
            self._marks = [
                _draw(painter, sheet, QRect(i % columns * width, i // columns * height, width, height), theme)
                for i, sheet in enumerate(sheets)
            ]
        finally:
            painter.end()
        self.picture = _pixels(image)

    def at(self, t: float) -> Picture:
        """The plots with a line at an instant, or the point of a phase plot."""
        picture = self.picture.copy()
        for mark in self._marks:
            mark(picture, t)
        return picture


def _draw(painter: QPainter, sheet: Sheet, place: QRect, theme: Theme) -> Mark:
    """Draw a plot with its heading; what it gives draws an instant into the picture."""
    heading = QTextDocument()
    heading.setDefaultFont(QFont(painter.font().family(), POINTS))
    heading.setHtml(f'<body style="color:{theme["text"]}">{_heading(sheet, theme)}</body>')
    heading.setTextWidth(place.width() - 2 * MARGIN)
    painter.save()
    painter.translate(place.left() + MARGIN, place.top())
    heading.drawContents(painter)
    painter.restore()
    used = round(heading.size().height())
    widget = pg.PlotWidget(
        background=theme["base"],
        axisItems={side: Axis(side, sheet.kind) for side in ("left", "bottom", "right")},
        viewBox=MarkedView(),
        enableMenu=False,
    )
    bind_menus(widget)
    widget.resize(place.width(), max(place.height() - used, 1))
    plot = widget.getPlotItem()
    plot.hideButtons()
    plot.setLogMode(y=sheet.log)
    plot.showGrid(x=True, y=True, alpha=0.25)
    beside = second_view(plot, shown=bool(sheet.right))
    for side in ("left", "bottom", "right"):
        plot.getAxis(side).setPen(pg.mkPen(theme["grid"]))
        plot.getAxis(side).setTextPen(pg.mkPen(theme["text"]))
    if sheet.kind == "time":
        plot.setXRange(*sheet.span, padding=0.0)
        if len(sheet.up) <= MAX_UNIT_LETTERS:
            plot.setLabel("left", sheet.up)
        if 0 < len(sheet.right) <= MAX_UNIT_LETTERS:
            plot.setLabel("right", sheet.right)
    for line in sorted(thinned(sheet).lines, key=lambda line: not line.run):  # earlier runs behind
        pen = pg.mkPen(line.color or theme["ghost"], width=1.0 if line.run else 1.6)
        drawn = pg.PlotDataItem(line.x, sheet.drawn(line.y), pen=pen, antialias=True)
        drawn.curve.setSegmentedLineMode("off")
        beside.addItem(drawn) if line.right else plot.addItem(drawn)
    sheet.limit_ranges(plot.getViewBox(), beside)
    for view in (plot.getViewBox(), beside):
        view.mark(bool(sheet.marks))
    for extreme in sheet.marks:
        for item in mark_items(extreme, sheet.span, log=sheet.log):
            (beside if extreme.right else plot).addItem(item, ignoreBounds=True)
    lay_out(widget, plot)
    corner = QPoint(place.left(), place.top() + used)
    painter.drawPixmap(corner, widget.grab())
    mark = _mark(sheet, plot.getViewBox(), corner)
    widget.close()
    return mark


def _heading(sheet: Sheet, theme: Theme) -> str:
    """Title and legend, as above a plot of the window."""
    parts = [f"<b>{escape(sheet.title)}</b>"] if sheet.title else []
    if sheet.kind == "phase":
        parts += [
            f'<span style="color:{line.color}">━</span>&nbsp;'
            + escape(f"{sheet.up} over {sheet.across}").replace(" ", "&nbsp;")
            for line in sheet.lines
            if not line.run
        ]
    else:
        parts += [
            f'<span style="color:{line.color}">━</span>&nbsp;{escape(line.text).replace(" ", "&nbsp;")}'
            for line in sheet.lines
            if not line.run
        ]
    for name, color in {line.run: line.color or theme["ghost"] for line in sheet.lines if line.run}.items():
        parts.append(f'<span style="color:{color}">━</span>&nbsp;{escape(name).replace(" ", "&nbsp;")}')
    return " &nbsp; ".join(parts)


def _mark(sheet: Sheet, box: pg.ViewBox, corner: QPoint) -> Mark:
    """Draws an instant into the picture of a plot whose upper left corner is there."""
    rect = box.sceneBoundingRect().translated(corner)
    left, top, right, bottom = (round(x) for x in (rect.left(), rect.top(), rect.right(), rect.bottom()))
    zero, one = (box.mapViewToScene(QPointF(z, z)) + QPointF(corner) for z in (0.0, 1.0))

    def place(x: float, y: float) -> tuple[int, int]:
        return round(zero.x() + x * (one.x() - zero.x())), round(zero.y() + y * (one.y() - zero.y()))

    def line(picture: Picture, t: float) -> None:
        x, _ = place(t, 0.0)
        if left <= x <= right:
            picture[top:bottom, max(x - 1, 0) : x + 1] = LINE

    shown = next((line for line in sheet.lines if not line.run and len(line.t)), None)

    def dot(picture: Picture, t: float) -> None:
        if shown is None:
            return
        across, up = (float(np.interp(t, shown.t, values)) for values in (shown.x, shown.y))
        if sheet.log and up <= 0.0:
            return
        x, y = place(across, np.log10(up) if sheet.log else up)
        if left <= x <= right and top <= y <= bottom:
            picture[max(y - DOT, 0) : y + DOT, max(x - DOT, 0) : x + DOT] = LINE

    def nothing(picture: Picture, t: float) -> None:
        """A spectrum is the same at all times."""

    return {"time": line, "phase": dot}.get(sheet.kind, nothing)


def _groups(run: Run, names: Sequence[str]) -> list[list[str]]:
    groups: list[list[str]] = []
    for name in names:
        for group in groups:
            if run.unit(group[0]) == run.unit(name) and len(group) < PER_PLOT:
                group.append(name)
                break
        else:
            groups.append([name])
    return groups


def _pixels(image: QImage) -> Picture:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()
