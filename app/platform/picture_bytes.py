"""Pictures and drawings of Qt as the bytes of a file.

Qt writes files behind a buffer and does not say when the last part of it had no room: made in memory first, a
file is written by Python, which does.
"""

import errno
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator


def picture_bytes(picture: QImage | QPixmap, ending: str = ".png") -> bytes:
    """The ending chooses the format. Raises OSError where there is no such format, or no memory."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    made: Any = picture  # the stubs know neither devices nor texts here
    if not made.save(buffer, ending.removeprefix(".").upper()):
        raise OSError(errno.EIO, f"no picture can be made for {ending or 'a name without ending'}")
    return bytes(buffer.data().data())


def svg_bytes(page: QRectF, paint: Callable[[QPainter], None], resolution: int | None = None) -> bytes:
    """What is painted on the page [px], as lines and letters."""
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(page.size().toSize())
    generator.setViewBox(page)
    if resolution is not None:
        generator.setResolution(resolution)
    painter = QPainter(generator)
    paint(painter)
    painter.end()
    return bytes(buffer.data().data())
