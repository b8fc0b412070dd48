"""The one QApplication, with the shipped font."""

import os
import sys

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from app.platform.resources import font_path


def application(*, offscreen: bool = False) -> QApplication:
    """The running application, or a new one; `offscreen` needs no display."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    if offscreen:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    made = QApplication(sys.argv[:1])
    made.setApplicationName("Trammel")
    _use_shipped_font(made)
    return made


def _use_shipped_font(application: QApplication) -> None:
    """Only where the system has no font of its own; elsewhere its choice is the user's."""
    number = QFontDatabase.addApplicationFont(str(font_path()))
    families = QFontDatabase.applicationFontFamilies(number)
    if families and set(QFontDatabase.families()) <= set(families):
        application.setFont(QFont(families[0]))
