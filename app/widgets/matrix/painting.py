"""A pattern painted: entries, fill-in, diagonal blocks, border and bottom; and whole sheets of orderings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from app.platform.picture_bytes import picture_bytes, svg_bytes
from app.platform.theme import Theme
from app.widgets.matrix.pattern_image import CHOSEN, ENTRY, FILL, NOTHING, Drawn, raster
from engine.analyses.answers.result import MatrixForms
from engine.results.files.whole_file import whole

SMALLEST_BLOCK = 4.0  # px; smaller diagonal blocks are not outlined
TILE = 360  # px of a pattern on a sheet
WORDS = 70  # px below it for title and counts
MARGIN = 16  # px
ENDINGS = (".png", ".svg")


def colors(theme: Theme) -> dict[int, QColor]:
    """Of entries, of fill-in and of the lines of what is selected: told apart by all."""
    return {
        NOTHING: theme.color("base"),
        FILL: QColor(theme.plot_color(1)),
        ENTRY: QColor(theme.plot_color(0)),
        CHOSEN: QColor(theme.plot_color(3)),
    }


def image(
    drawn: Drawn,
    origin: tuple[float, float],
    scale: float,
    size: tuple[int, int],
    theme: Theme,
    chosen: frozenset[tuple[str, str]] = frozenset(),
) -> QImage:
    """The entries as an image of this size."""
    numbers = raster(drawn, origin, scale, size, chosen)
    table = np.zeros(4, np.uint32)
    for kind, color in colors(theme).items():
        table[kind] = color.rgba()
    pixels = np.ascontiguousarray(table[numbers])
    height, width = pixels.shape
    made = QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_ARGB32)
    return made.copy()  # the bytes go away


def paint_form(
    painter: QPainter, drawn: Drawn, origin: tuple[float, float], scale: float, area: QRectF, theme: Theme
) -> None:
    """Outlines over the entries: the whole matrix, diagonal blocks, where border and bottom begin."""
    found, (rows, columns) = drawn.form.reordering, drawn.shape

    def x(column: float) -> float:
        return area.left() + (column - origin[0]) * scale

    def y(row: float) -> float:
        return area.top() + (row - origin[1]) * scale

    painter.save()
    painter.setClipRect(area)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("border"), 1.0))
    painter.drawRect(QRectF(QPointF(x(0), y(0)), QPointF(x(columns), y(rows))))
    if found.blocks:
        order = found.triangular
        line = theme.color("text")
        if order < max(rows, columns):
            painter.setPen(QPen(line, 1.0, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x(order), y(0)), QPointF(x(order), y(rows)))
            painter.drawLine(QPointF(x(0), y(order)), QPointF(x(columns), y(order)))
        painter.setPen(QPen(line, 1.0))
        at = 0
        for size in found.blocks:
            if size * scale >= SMALLEST_BLOCK and y(at + size) >= area.top() and y(at) <= area.bottom():
                painter.drawRect(QRectF(x(at), y(at), size * scale, size * scale))
            at += size
    painter.restore()


def counts_in_words(drawn: Drawn) -> str:
    """What the ordering comes to, in a line or two."""
    facts, found = drawn.form.facts, drawn.form.reordering
    words = f"{drawn.matrix.pattern.entries} entries, fill-in {facts['fill']:.0f}, "
    words += f"{facts['multiplications']:.0f} multiplications"
    if found.blocks:
        blocks = "1 block" if len(found.blocks) == 1 else f"{len(found.blocks)} blocks"
        words += f"\n{blocks}, border {found.border}, bottom {found.bottom}"
    if np.isfinite(facts["factor_seconds"]):
        times = f"factor {1e6 * facts['factor_seconds']:.3g} µs"
        if np.isfinite(facts["solve_seconds"]):
            times += f", solve {1e6 * facts['solve_seconds']:.3g} µs"
        words += f"\n{times}"
    return words


def paint_sheet(
    painter: QPainter, matrix: MatrixForms, area: QRectF, theme: Theme, names: Sequence[str] = ()
) -> None:
    """Orderings side by side, each with its counts below; all of them, or those that are named."""
    forms = [form for form in matrix.forms if not names or form.name in names]
    painter.fillRect(area, theme.color("base"))
    across = columns_of(len(forms))
    font = painter.font()
    font.setPixelSize(12)
    painter.setFont(font)
    for i, form in enumerate(forms):
        drawn = Drawn(matrix, form)
        left = area.left() + MARGIN + (i % across) * (TILE + MARGIN)
        top = area.top() + MARGIN + (i // across) * (TILE + WORDS + MARGIN)
        scale = TILE / max(1, *drawn.shape)
        target = QRectF(left, top, TILE, TILE)
        sharp = 2  # pixels per unit, for paper
        made = image(drawn, (0.0, 0.0), sharp * scale, (sharp * TILE, sharp * TILE), theme)
        painter.drawImage(target, made)
        paint_form(painter, drawn, (0.0, 0.0), scale, target.adjusted(-1, -1, 1, 1).translated(1, 1), theme)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        words = QRectF(left, top + TILE + 4, TILE, WORDS)
        title = QFontMetricsF(font).elidedText(
            f"{matrix.title}: {form.title}", Qt.TextElideMode.ElideRight, TILE
        )
        painter.drawText(words, Qt.AlignmentFlag.AlignTop, title)
        font.setBold(False)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        painter.drawText(
            words.adjusted(0, 18, 0, 0),
            Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap,
            counts_in_words(drawn),
        )


def columns_of(forms: int) -> int:
    """How many patterns stand side by side."""
    return min(3, max(1, forms))


def sheet_size(forms: int) -> tuple[int, int]:
    across = columns_of(forms)
    down = -(-max(1, forms) // across)
    return MARGIN + across * (TILE + MARGIN), MARGIN + down * (TILE + WORDS + MARGIN)


def sheet_image(
    matrix: MatrixForms, theme: Theme | None = None, names: Sequence[str] = (), scale: float = 2.0
) -> QImage:
    """All orderings, or those that are named, as one picture."""
    count = len([form for form in matrix.forms if not names or form.name in names])
    width, height = sheet_size(count)
    made = QImage(round(width * scale), round(height * scale), QImage.Format.Format_RGB32)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.scale(scale, scale)
    paint_sheet(painter, matrix, QRectF(0, 0, width, height), theme or Theme(), names)
    painter.end()
    return made


def save_matrix(matrix: MatrixForms, file: Path, theme: Theme | None = None) -> None:
    """All orderings as a picture; the ending chooses PNG or SVG. Raises OSError."""
    with whole(file) as temporary:
        if file.suffix.lower() == ".svg":
            page = QRectF(0, 0, *sheet_size(len(matrix.forms)))
            drawing = svg_bytes(page, lambda painter: paint_sheet(painter, matrix, page, theme or Theme()))
            temporary.write_bytes(drawing)
        else:
            temporary.write_bytes(picture_bytes(sheet_image(matrix, theme)))
