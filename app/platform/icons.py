"""One set of icons: the drawings of `assets/icons`, strokes on a 24 × 24 grid, tinted by the theme.

Each is an SVG file in `currentColor`, which is replaced by the tint. Kinds of elements without a drawing of
their own get the one of their sort (`joint-screw` falls back to `joint`). An icon is drawn when it is first
seen, in the size that is asked for: the window has hundreds, of which few are seen at its start.
"""

from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.platform.resources import data_folder
from app.platform.theme import Theme


@cache
def drawings() -> frozenset[str]:
    """Names of all drawings there are."""
    return frozenset(file.stem for file in _folder().glob("*.svg"))


def _folder() -> Path:
    return data_folder("assets") / "icons"


@cache
def _drawing(name: str) -> str:
    return (_folder() / f"{name}.svg").read_text(encoding="utf-8")


def _known(name: str) -> str | None:
    """The drawing's name, falling back to the sort before the hyphen."""
    sort = name.split("-", 1)[0]
    return next((known for known in (name, sort) if known in drawings()), None)


def icon(name: str, theme: Theme, role: str = "text") -> QIcon:
    """The icon in a colour of the theme; grey where its action is disabled."""
    return _icon(_known(name) or "info", theme[role], theme["ghost"], theme["on_accent"])


@lru_cache(maxsize=1024)
def _icon(name: str, color: str, disabled: str, selected: str) -> QIcon:
    return QIcon(_TintedDrawing(name, color, disabled, selected))


class _TintedDrawing(QIconEngine):
    """Draws an icon when Qt asks for it."""

    def __init__(self, name: str, color: str, disabled: str, selected: str) -> None:
        super().__init__()
        self._name, self._color = name, color
        self._tints = {QIcon.Mode.Disabled: disabled, QIcon.Mode.Selected: selected}

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        side = min(size.width(), size.height())
        return pixmap(self._name, self._tints.get(mode, self._color), max(side, 1))

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatioF()
        side = min(rect.width(), rect.height())
        inside = QRect(0, 0, side, side)
        inside.moveCenter(rect.center())
        picture = self.pixmap(QSize(side, side) * ratio, mode, state)
        painter.drawPixmap(inside, picture)

    def clone(self) -> QIconEngine:
        return _TintedDrawing(self._name, self._color, *self._tints.values())


@lru_cache(maxsize=4096)
def pixmap(name: str, color: str, size: int) -> QPixmap:
    """The drawing as a square of `size` pixels."""
    svg = _drawing(_known(name) or "info").replace("currentColor", color)
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    picture = QPixmap(QSize(size, size))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture
