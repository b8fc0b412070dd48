"""About: versions, the graphics driver, and a text for reports."""

import os
import platform
import sys
from importlib import metadata

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

import app
from app.platform.appearance import button_box, label

PACKAGES = ("PySide6_Essentials", "vtk", "pyqtgraph", "numba", "numpy", "scipy", "msgspec", "h5py")


def diagnostics(renderer: str = "") -> str:
    """Versions and machine, for a report."""
    lines = [
        f"Trammel {app.__version__}",
        f"Python {platform.python_version()} ({sys.executable})",
        f"System {platform.platform()}",
        f"Qt {qVersion()} ({QApplication.platformName()})",
        f"GL renderer {renderer or 'unknown'}",
        f"Processors {os.cpu_count()}",
    ]
    for name in PACKAGES:
        try:
            lines.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            lines.append(f"{name} missing")
    screen = QApplication.primaryScreen()
    if screen is not None:
        size = screen.size()
        lines.append(f"Screen {size.width()}×{size.height()}, scale {screen.devicePixelRatio():g}")
    return "\n".join(lines)


def citation() -> str:
    """The program as an entry of BibTeX."""
    return "\n".join(
        (
            "@software{trammel,",
            "  author  = {{The Trammel authors}},",
            "  title   = {Trammel: a desktop simulator of mechanisms},",
            f"  version = {{{app.__version__}}},",
            "  license = {MIT},",
            "}",
        )
    )


class AboutDialog(QDialog):
    def __init__(self, parent: QWidget, renderer: str) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle("About Trammel")
        self.resize(520, 420)
        text = QPlainTextEdit(diagnostics(renderer))
        text.setObjectName("about.text")
        text.setReadOnly(True)
        copy = QPushButton("Copy diagnostics")
        copy.setObjectName("about.copy")
        copy.clicked.connect(lambda: QApplication.clipboard().setText(text.toPlainText()))
        buttons = button_box(QDialogButtonBox.StandardButton.Close, "about")
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        cite = QPushButton("Copy citation")
        cite.setObjectName("about.cite")
        cite.setToolTip("Put this version on the clipboard as an entry of BibTeX")
        cite.clicked.connect(lambda: QApplication.clipboard().setText(citation()))
        buttons.addButton(cite, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        about = label(
            "A desktop simulator of mechanisms: exact closed loops, many methods, live energy and violation.",
            name="about.words",
        )
        about.setWordWrap(True)
        column = QVBoxLayout(self)
        column.addWidget(label("Trammel", "title", "about.title"))
        column.addWidget(about)
        column.addWidget(text, 1)
        column.addWidget(label("MIT licence", "muted", "about.licence"))
        column.addWidget(buttons)
