"""The one QApplication, with the shipped font."""

import os
import sys

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QPixmapCache
from PySide6.QtWidgets import QApplication

from app.platform.resources import font_path

OFFSCREEN = "offscreen"  # Qt's platform without a display; its screen is made up
KEPT_PIXELS = 65_536  # KiB: the lines of some plots on a fine screen; Qt would keep ten thousand


def application(*, offscreen: bool = False) -> QApplication:
    """The running application, or a new one; `offscreen` needs no display."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    if offscreen:
        os.environ["QT_QPA_PLATFORM"] = OFFSCREEN
    made = QApplication(sys.argv[:1])
    made.setApplicationName("Trammel")
    QPixmapCache.setCacheLimit(KEPT_PIXELS)
    _use_shipped_font(made)
    return made


def within_screen(size: QSize) -> QSize:
    """No larger than what the screen leaves to windows; without a display there is nothing to keep to."""
    if QGuiApplication.platformName() == OFFSCREEN:
        return size
    return size.boundedTo(QGuiApplication.primaryScreen().availableSize())


def _use_shipped_font(application: QApplication) -> None:
    """Only where the system has no font of its own; elsewhere its choice is the user's."""
    number = QFontDatabase.addApplicationFont(str(font_path()))
    families = QFontDatabase.applicationFontFamilies(number)
    if families and set(QFontDatabase.families()) <= set(families):
        application.setFont(QFont(families[0]))
