"""The report on paper: A4 pages, plots as lines and not as pixels, the scene file attached."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QTextDocument

from app.exchange.report.html_page import EQUATIONS
from app.exchange.report.report import Report
from app.exchange.sheets.sheets import paint
from app.platform.theme import Theme
from engine.progress import Progress

MARGIN = 15.0  # mm
COLUMN = 520.0  # units across a plot: the size of letters and lines belongs to it
GAP = 20.0  # units between two things
PLOT_SHAPE = 0.58  # height over width
PICTURE_WIDTH = 0.72  # of the page
LETTERS = 9.0  # pt
COLORS = {True: "#00734f", False: "#b3400a"}
STYLE = (
    "h1 { font-size: 18pt; } h2 { font-size: 12pt; } td { padding-right: 14px; } .muted { color: #66717d; }"
)


def pdf(report: Report, progress: Progress) -> bytes:
    """The pages as a file: title, picture, accuracy and method first, then plots in two columns."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(report.title)
    writer.setCreator("Trammel")
    margins = QMarginsF(MARGIN, MARGIN, MARGIN, MARGIN)
    layout = QPageLayout(
        QPageSize(QPageSize.PageSizeId.A4),
        QPageLayout.Orientation.Portrait,
        margins,
        QPageLayout.Unit.Millimeter,
    )
    writer.setPageLayout(layout)
    across = layout.paintRect(QPageLayout.Unit.Inch).width()
    writer.setResolution(round((2 * COLUMN + GAP) / across))
    writer.addFileAttachment("scene.json", report.scene.encode(), "application/json")
    painter = QPainter()
    if not painter.begin(writer):
        raise OSError("the page cannot be drawn")
    try:
        _Paper(writer, painter).draw(report, progress)
    finally:
        painter.end()
    return bytes(buffer.data().data())


class _Paper:
    """Things one below the other; what does not fit begins a new page."""

    def __init__(self, writer: QPdfWriter, painter: QPainter) -> None:
        self._writer, self._painter = writer, painter
        self.width, self.height = float(writer.width()), float(writer.height())
        self.y = 0.0

    def draw(self, report: Report, progress: Progress) -> None:
        head = f"<h1>{escape(report.title)}</h1><p class='muted'>{escape(report.made_by)}</p>"
        self.text(head + (f"<p>{escape(report.description)}</p>" if report.description else ""))
        self.picture(report.picture)
        self.text(_accuracy(report))
        self.text(_method(report))
        progress(0.2, "plotting")
        wide = (self.width - GAP) / 2.0
        tall = wide * PLOT_SHAPE
        for i, sheet in enumerate(report.sheets):
            if i % 2 == 0:
                self.room(tall)
            target = QRectF((i % 2) * (wide + GAP), self.y, wide, tall)
            paint(sheet, self._painter, target, Theme())
            if i % 2 or i + 1 == len(report.sheets):
                self.y += tall + GAP
            progress(0.2 + 0.8 * (i + 1) / len(report.sheets), "plotting")
        if report.matrix:
            self.text(f"<h2>Equations</h2><p>{EQUATIONS}</p>")
            self.picture(report.matrix, 1.0)
        self.text("<p class='muted'>The scene file is attached to this document: scene.json</p>")

    def room(self, height: float) -> None:
        """Begin a new page unless there is room for this."""
        if self.y > 0.0 and self.y + height > self.height:
            self._writer.newPage()
            self.y = 0.0

    def text(self, body: str) -> None:
        document = QTextDocument()
        document.documentLayout().setPaintDevice(self._writer)
        font = document.defaultFont()
        font.setPointSizeF(LETTERS)
        document.setDefaultFont(font)
        document.setDocumentMargin(0.0)
        document.setDefaultStyleSheet(STYLE)
        document.setHtml(body)
        document.setTextWidth(self.width)
        height = document.size().height()
        self.room(height)
        self._painter.save()
        self._painter.translate(QPointF(0.0, self.y))
        document.drawContents(self._painter)
        self._painter.restore()
        self.y += height + GAP

    def picture(self, png: bytes, share: float = PICTURE_WIDTH) -> None:
        image = QImage.fromData(png)
        wide = share * self.width
        tall = wide * image.height() / image.width()
        self.room(tall)
        self._painter.drawImage(QRectF((self.width - wide) / 2.0, self.y, wide, tall), image)
        self.y += tall + GAP


def _accuracy(report: Report) -> str:
    tests = "".join(
        f"<li style='color: {COLORS[passed]}'>{escape(text)}</li>" for passed, text in report.tests
    )
    note = f"<p>{escape(report.message)}</p>" if report.message else ""
    word = f"<p style='color: {COLORS[report.believed]}'><b>{report.accuracy}</b></p>"
    return f"<h2>Accuracy</h2>{word}<ul>{tests}</ul>{note}"


def _method(report: Report) -> str:
    rows = "".join(
        f"<tr><td><b>{escape(name)}</b></td><td>{escape(value)}</td></tr>"
        for name, value in report.facts.items()
    )
    return f"<h2>How it was computed</h2><table style='margin-top: 6px'>{rows}</table>"
