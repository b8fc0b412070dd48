"""The sign in the status bar that the run is being written to a file."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QStatusBar

from app.platform.appearance import Look, ToolButton
from app.session.session import Session
from app.session.storage.run_streaming import Streaming


class RecordingSign(ToolButton):
    """Shown while a file is open; a click completes it."""

    def __init__(self, session: Session, look: Look, bar: QStatusBar) -> None:
        super().__init__(look, "record")
        self._streaming: Streaming = session.streaming
        self.setObjectName("status.recording")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setToolTip("The run is being written to this file; click to stop")
        self.setStyleSheet("QToolButton { padding: 0px; border: none; }")  # no taller than the words there
        line = self.fontMetrics().height()
        self.setIconSize(QSize(line - 2, line - 2))
        self.setMaximumHeight(line + 2)  # the bar is as high as the highest of its parts, hidden ones too
        self.clicked.connect(self._streaming.stop)
        bar.addPermanentWidget(self)
        self._streaming.changed.connect(self.refresh)
        session.advanced.connect(self.refresh)
        self.refresh()

    def _draw(self) -> None:
        self.setIcon(self._look.icon(self._image, "danger"))

    def refresh(self) -> None:
        stream = self._streaming.stream
        self.setVisible(stream is not None)
        if stream is not None:
            text = f"{stream.path.name}: {stream.samples:,} samples".replace(",", "\u202f")
            self.setText("completing …" if stream.stopping else text)
            self.setEnabled(not stream.stopping)
