"""One set of icons: the drawings of `assets/icons`, strokes on a 24 × 24 grid, tinted by the theme.

Each is an SVG file in `currentColor`, which is replaced by the tint. Kinds of elements without a drawing of
their own get the one of their sort (`joint-screw` falls back to `joint`).
"""

from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.platform.resources import data_folder
from app.platform.theme import Theme

_SIZES = (16, 20, 24, 32, 48)


@cache
def drawings() -> frozenset[str]:
    """Names of all drawings there are."""
    return frozenset(file.stem for file in _folder().glob("*.svg"))


def _folder() -> Path:
    return data_folder("assets") / "icons"


@cache
def _drawing(name: str) -> str:
    return (_folder() / f"{name}.svg").read_text(encoding="utf-8")


def has_icon(name: str) -> bool:
    return _known(name) is not None


def _known(name: str) -> str | None:
    """The drawing's name, falling back to the sort before the hyphen."""
    sort = name.split("-", 1)[0]
    return next((known for known in (name, sort) if known in drawings()), None)


def icon(name: str, theme: Theme, role: str = "text") -> QIcon:
    """The icon in a colour of the theme; grey where its action is disabled."""
    return _icon(_known(name) or "info", theme[role], theme["ghost"], theme["on_accent"])


@lru_cache(maxsize=1024)
def _icon(name: str, color: str, disabled: str, selected: str) -> QIcon:
    made = QIcon()
    for mode, tint in (
        (QIcon.Mode.Normal, color),
        (QIcon.Mode.Disabled, disabled),
        (QIcon.Mode.Selected, selected),
    ):
        for size in _SIZES:
            made.addPixmap(pixmap(name, tint, size), mode)
    return made


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
