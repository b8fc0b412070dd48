"""Plots for paper: what a plot shows, as PNG, SVG, PDF, or as the numbers in a CSV file."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen
from PySide6.QtSvg import QSvgGenerator

from app.exchange.sheets.paper_curve import PaperCurve
from app.platform.picture_bytes import picture_bytes
from app.platform.theme import Theme
from app.widgets.plots.axes.axis import PlainAxis, lay_out
from app.widgets.plots.axes.marked_view import MarkedView
from app.widgets.plots.axes.right_axis import second_view
from app.widgets.plots.box import PlotBox
from app.widgets.plots.curves.pyramid import Pyramid
from app.widgets.plots.extremes import Extreme, mark_items, spread
from app.widgets.plots.pyqtgraph_menus import bind_menus
from engine.progress import Progress
from engine.results.files.formats.as_csv import trust_column
from engine.results.files.whole_file import whole

LOGICAL = 800  # units across a page: letters and lines keep their size when the page grows
FINE = 4000  # columns of pixels that a curve is drawn for
MAX_COLUMNS = 4  # of the legend
SAMPLE, LETTER = 60, 7  # units across, of a line in the legend and of a letter behind it
NUMBERS = 12  # the height of letters at the axes
PDF_WIDTH = 160.0  # mm
RESOLUTION = 96  # units of a drawing per inch: its letters in points are as large as those in pixels
FAMILIES = b'font-family="DejaVu Sans, Arial, sans-serif"'  # Qt's "Sans Serif" means nothing elsewhere
SIZE = (1600, 1000)  # px
DIGITS = ".17g"


@dataclass(frozen=True)
class Line:
    label: str
    unit: str
    color: str  # empty: grey
    x: np.ndarray
    y: np.ndarray
    t: np.ndarray = field(default_factory=lambda: np.zeros(0))  # the instants of a phase plot's points
    run: str = ""  # name of an earlier run; nothing: the present one
    right: bool = False  # of the axis at the right

    @property
    def text(self) -> str:
        """For the legend."""
        return f"{self.label} [{self.unit}]" if self.unit else self.label


@dataclass(frozen=True)
class Sheet:
    """One plot as it is shown: the same curves, the same range."""

    title: str
    across: str
    up: str
    log: bool
    span: tuple[float, float]
    lines: tuple[Line, ...]
    kind: str = "time"  # or "phase", "spectrum"
    floor: float = 0.0  # lowest value that is drawn on a logarithmic axis; the numbers are kept as they are
    right: str = ""  # unit of the axis at the right; nothing: there is none
    marks: tuple[Extreme, ...] = ()  # smallest and largest values
    limits: tuple[tuple[float, float | None], ...] = ()  # of both axes: lowest value, least extent
    trust: dict[str, Any] | None = None  # the verdict on its run, as plain data

    def drawn(self, y: np.ndarray) -> np.ndarray:
        """Values as they are drawn: not below the floor of a logarithmic axis."""
        return np.maximum(y, self.floor) if self.log else y

    def limit_ranges(self, left: MarkedView, right: MarkedView) -> None:
        """As in the window: axes do not magnify noise, nor reach below it."""
        for view, on_right, (low, extent) in zip((left, right), (False, True), self.limits, strict=False):
            values = [self.drawn(line.y) for line in self.lines if line.right is on_right]
            view.limit(low, extent, [np.log10(y[y > 0.0]) for y in values] if self.log else values)

    @property
    def name(self) -> str:
        """For files."""
        return re.sub(r"\W+", "_", self.title.lower()).strip("_") or "plot"


def sheet_of(
    box: PlotBox, runs: Sequence[Any], current: Any, least: tuple[float, float] | None = None
) -> Sheet:
    """What a plot shows at this moment; `least`: what a plot over time shows in any case [s]."""
    x_range = box.plot.getViewBox().viewRange()[0]
    span = (float(x_range[0]), float(x_range[1]))
    if least is not None and box.kind == "time" and not (span[0] <= least[0] and least[1] <= span[1]):
        span = least
    lines = []
    for run in runs:
        main = run is current
        for name, x, y, t in box.curves.lines(run, span):
            label = box.content.short(name) if main else f"{box.content.short(name)} ({run.name})"
            color = box.look.theme.plot_color(box.channels.index(name)) if main else run.color
            instants = t if box.kind == "phase" else np.zeros(0)
            right = name in box.content.right
            unit, earlier = box.content.unit(name), "" if main else run.name
            lines.append(Line(label, unit, color, x, y, instants, earlier, right))
    across = {"time": "time [s]", "spectrum": "frequency [Hz]"}.get(box.kind, "")
    up, beside = (
        " | ".join(dict.fromkeys(line.unit for line in lines if line.unit and line.right is right))
        for right in (False, True)
    )
    if box.kind == "phase" and len(box.channels) > 1:
        across, up = (f"{name} [{box.content.unit(name)}]" for name in box.channels[:2])
    floor = box.curves.floor(current) if box.kind == "time" and current is not None else 0.0
    marks = tuple(box.curves.extremes(current, span)) if box.content.extremes and current is not None else ()
    return Sheet(
        box.content.name,
        across,
        up,
        box.log,
        span,
        tuple(lines),
        box.kind,
        floor,
        beside,
        marks,
        box.curves.limits,
    )


def page_of(
    sheet: Sheet, size: tuple[float, float], theme: Theme, *, paper: bool = True, thick: float = 1.0
) -> pg.GraphicsLayoutWidget:
    """The plot as a page; `paper`: black on white; `thick`: pixels of the device per unit of the page."""
    page = pg.GraphicsLayoutWidget(show=False, size=(round(size[0]), round(size[1])))
    page.setBackground("w" if paper else theme["base"])
    plot, beside = _fill(page, sheet, size[0], theme, paper=paper, thick=thick)
    bind_menus(page)
    page.ci.layout.activate()  # takes in the size of the legend
    lay_out(page, plot)
    taken: list[QRectF] = []
    for view in (plot.getViewBox(), beside):
        spread(view, view.childGroup.childItems(), taken)
    return page


def _fill(
    page: pg.GraphicsLayoutWidget, sheet: Sheet, width: float, theme: Theme, *, paper: bool, thick: float
) -> tuple[pg.PlotItem, MarkedView]:
    """Put the plot on the page, with its legend below; with the view of its right axis."""
    ink, grey = ("#000000", "#999999") if paper else (theme["text"], theme["ghost"])
    ground = QColor("white") if paper else theme.color("base")
    axes = {side: _Axis(side, ground) for side in ("left", "bottom", "right")}
    plot = page.addPlot(axisItems=axes, viewBox=MarkedView())
    beside = second_view(plot, shown=bool(sheet.right))
    plot.setTitle(escape(sheet.title), color=ink, size="11pt")
    legend = pg.LegendItem(colCount=_columns(sheet, width), labelTextColor=ink, labelTextSize="9pt")
    page.addItem(legend, 1, 0)  # below the curves, where it hides none
    page.ci.layout.setRowStretchFactor(0, 1)
    if sheet.trust is not None:
        page.addItem(
            _note(f"trust: {sheet.trust['words']}", "#666666" if paper else theme["muted"], width), 2, 0
        )
    plot.setLogMode(y=sheet.log)
    plot.showGrid(x=True, y=True, alpha=0.25)
    for side, text in (("bottom", sheet.across), ("left", sheet.up), ("right", sheet.right)):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(ink))
        axis.setTextPen(pg.mkPen(ink))
        axis.setLabel(text, color=ink)
        axis.setZValue(-1.0)  # its grid below the curves
    for line in sheet.lines:
        x, y = _thinned(line, sheet.span)
        y = sheet.drawn(y)
        width = 1.0 if line.run else 1.6
        curve = PaperCurve(x, y, line.color or grey, width, log=sheet.log)
        beside.addItem(curve) if line.right else plot.addItem(curve)
        if line.color:
            curve.setPen(pg.mkPen(line.color, width=width * thick))  # of the sample in the legend
            legend.addItem(curve, line.text)
    sheet.limit_ranges(plot.getViewBox(), beside)
    for view in (plot.getViewBox(), beside):
        view.mark(bool(sheet.marks))
    for mark in sheet.marks:
        for item in mark_items(mark, sheet.span, log=sheet.log):
            (beside if mark.right else plot).addItem(item, ignoreBounds=True)
    if sheet.kind == "time":
        plot.setXRange(*sheet.span, padding=0.0)
    return plot, beside


def _note(text: str, color: str, width: float) -> pg.LabelItem:
    """Small letters below everything, in as many lines as they need."""
    made = pg.LabelItem(escape(text), color=color, size="8pt", justify="left")
    made.item.setTextWidth(0.96 * width)
    made.updateMin()
    return made


def _columns(sheet: Sheet, width: float) -> int:
    """As many columns as the longest text of the legend leaves room for."""
    longest = max((len(line.text) for line in sheet.lines if line.color), default=0)
    return max(1, min(MAX_COLUMNS, int(width // (SAMPLE + LETTER * longest))))


class _Axis(PlainAxis):
    """An axis for paper: pyqtgraph plays its own as a QPicture, which Qt scales by the page's resolution."""

    def __init__(self, side: str, ground: QColor) -> None:
        super().__init__(side)
        self._ground = ground
        font = QFont()
        font.setPixelSize(NUMBERS)
        self.setStyle(tickFont=font)

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        specs = self.generateDrawSpecs(painter)
        if specs is not None:
            axis, ticks, texts = specs
            opaque = [(_opaque(pen, self._ground), begin, end) for pen, begin, end in ticks]
            self.drawPicture(painter, axis, opaque, texts)


def _opaque(pen: QPen, ground: QColor) -> QPen:
    """The colour that a transparent pen has on its ground: few programs read the opacity of groups."""
    color, share = pen.color(), pen.color().alphaF()
    mixed = [round(share * c + (1.0 - share) * g) for c, g in zip(_rgb(color), _rgb(ground), strict=True)]
    made = QPen(pen)
    made.setColor(QColor(*mixed))
    return made


def _rgb(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


def _thinned(line: Line, span: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Points that look the same; a drawing with a million of them could not be opened."""
    if len(line.x) <= 4 * FINE or not np.all(np.diff(line.x) >= 0.0):
        return line.x, line.y
    pyramid = Pyramid()
    pyramid.append(line.x, line.y)
    return pyramid.drawn(*span, FINE)


def thinned(sheet: Sheet) -> Sheet:
    """The same to look at, from few points; phase plots keep theirs, which have instants."""
    if sheet.kind == "phase":
        return sheet
    lines = []
    for line in sheet.lines:
        x, y = _thinned(line, sheet.span)
        lines.append(replace(line, x=x, y=y))
    return replace(sheet, lines=tuple(lines))


def draw(sheet: Sheet, size: tuple[int, int], theme: Theme, *, paper: bool = True) -> QImage:
    """The plot as a picture of so many pixels."""
    image = QImage(QSize(*size), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    ratio = size[0] / LOGICAL
    image.setDevicePixelRatio(ratio)  # lines and the legend grow with the picture
    _on(image, sheet, QRectF(0, 0, LOGICAL, size[1] / ratio), theme, paper=paper)
    image.setDevicePixelRatio(1.0)
    return image


def sheet_bytes(
    sheet: Sheet,
    ending: str,
    size: tuple[int, int] = SIZE,
    theme: Theme | None = None,
    *,
    paper: bool = True,
) -> bytes:
    """The content of a file with this ending; raises ValueError for an unknown one."""
    look = theme or Theme()
    writers: dict[str, Callable[[], bytes]] = {
        ".png": lambda: _png(sheet, size, look, paper=paper),
        ".svg": lambda: svg(sheet, size, look, paper=paper),
        ".pdf": lambda: _pdf(sheet, size, look, paper=paper),
        ".csv": lambda: _csv(sheet),
    }
    writer = writers.get(ending.lower())
    if writer is None:
        raise ValueError(f"unknown ending {ending!r}; use one of {' '.join(writers)}")
    return writer()


def sheet_files(sheets: Sequence[Sheet], file: Path) -> list[Path]:
    """One file per plot: `name.png` for one, `name-1-energy.png` and so on for several."""
    if len(sheets) == 1:
        return [file]
    return [file.with_name(f"{file.stem}-{i}-{s.name}{file.suffix}") for i, s in enumerate(sheets, 1)]


def save_sheets(
    sheets: Sequence[Sheet], file: Path, *, progress: Progress | None = None, **options: Any
) -> list[Path]:
    """Write all plots or none of them."""
    files = sheet_files(sheets, file)
    with contextlib.ExitStack() as stack:
        for i, (sheet, path) in enumerate(zip(sheets, files, strict=True)):
            temporary = stack.enter_context(whole(path))
            temporary.touch()  # a folder that cannot be written is told before anything is drawn
            temporary.write_bytes(sheet_bytes(sheet, path.suffix, **options))
            if progress is not None:
                progress((i + 1) / len(files), "plotting")
    return files


def paint(
    sheet: Sheet,
    painter: QPainter,
    target: QRectF,
    theme: Theme,
    *,
    paper: bool = True,
    thick: float = 1.0,
) -> None:
    """Draw the plot into a part of a page, whose units are those of letters and lines."""
    page = page_of(sheet, (target.width(), target.height()), theme, paper=paper, thick=thick)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(target, page.backgroundBrush())
    page.scene().render(painter, target, page.viewRect())
    page.close()


def _on(device: Any, sheet: Sheet, target: QRectF, theme: Theme, *, paper: bool) -> None:
    painter = QPainter()
    if not painter.begin(device):
        raise OSError("the plot cannot be drawn")
    try:
        thick = painter.device().devicePixelRatio()  # pens know nothing of it
        paint(sheet, painter, target, theme, paper=paper, thick=thick)
    finally:
        painter.end()


def _png(sheet: Sheet, size: tuple[int, int], theme: Theme, *, paper: bool) -> bytes:
    return picture_bytes(draw(sheet, size, theme, paper=paper))


def svg(sheet: Sheet, size: tuple[int, int], theme: Theme | None = None, *, paper: bool = True) -> bytes:
    """The plot as a drawing; a larger size changes only its shape."""
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    width, height = LOGICAL, LOGICAL * size[1] / size[0]
    generator.setSize(QSize(width, round(height)))
    generator.setViewBox(QRectF(0, 0, width, height))
    generator.setResolution(RESOLUTION)
    generator.setTitle(sheet.title)
    trust = f"; trust: {sheet.trust['words']}" if sheet.trust is not None else ""
    generator.setDescription(f"Plot made by Trammel{trust}")
    _on(generator, sheet, QRectF(0, 0, width, height), theme or Theme(), paper=paper)
    # lines are drawn in units of the page; what Qt adds about their widths is not understood everywhere
    drawing = re.sub(rb' vector-effect="[^"]*"', b"", bytes(buffer.data().data()))
    return re.sub(rb'font-family="[^"]*"', FAMILIES, drawing)


def _pdf(sheet: Sheet, size: tuple[int, int], theme: Theme, *, paper: bool) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(round(LOGICAL / PDF_WIDTH * 25.4))  # widths of lines are those of the device
    writer.setTitle(sheet.title)
    writer.setCreator("Trammel")
    shape = QSizeF(PDF_WIDTH, PDF_WIDTH * size[1] / size[0])
    writer.setPageLayout(
        QPageLayout(
            QPageSize(shape, QPageSize.Unit.Millimeter),
            QPageLayout.Orientation.Portrait,
            QMarginsF(0, 0, 0, 0),
        )
    )
    _on(writer, sheet, QRectF(0, 0, writer.width(), writer.height()), theme, paper=paper)
    return bytes(buffer.data().data())


def _cell(value: float) -> str:
    """A gap is an empty cell."""
    return format(float(value), DIGITS) if value == value else ""


def _csv(sheet: Sheet) -> bytes:
    """Columns in pairs, since curves of several runs have instants of their own."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    across = sheet.across or "x"
    same = len({line.x.tobytes() for line in sheet.lines}) == 1
    ups = [f"{line.label} [{line.unit}]" if line.unit else line.label for line in sheet.lines]
    trust = trust_column(sheet.trust)  # the last column, as in saved runs
    if same:
        writer.writerow([across, *ups, *trust])
        columns = [sheet.lines[0].x, *(line.y for line in sheet.lines)]
    else:
        writer.writerow([*(word for up in ups for word in (across, up)), *trust])
        columns = [values for line in sheet.lines for values in (line.x, line.y)]
    for i in range(max(map(len, columns), default=0)):
        writer.writerow([*(_cell(c[i]) if i < len(c) else "" for c in columns), *trust.values()])
    return text.getvalue().encode()
