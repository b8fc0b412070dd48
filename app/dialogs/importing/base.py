"""What dialogs that import a file have in common: it is read on a thread, then choices are shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget

from app.exchange.jobs.export_job import ExportJob
from app.platform.appearance import button_box, label, restyle

LOOK_EVERY = 30  # ms
PATIENCE = 5.0  # s that a second reading waits for the first


class ReadingDialog(QDialog):
    """`show_content` is called with what was read; until then, and after a failure, OK is off."""

    def __init__(self, parent: QWidget | None, name: str, path: Path) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(f"Import {path.name}")
        self.path = path
        self._job: ExportJob | None = None
        self._read: list[Any] = []
        self.told = label("", "muted", f"{name}.told")
        self.told.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = button_box(standard.Ok | standard.Cancel, name)
        self.buttons.accepted.connect(self.take)
        self.buttons.rejected.connect(self.reject)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look_at_job)

    def read_by(self, reader: Callable[[], Any]) -> None:
        """Read on a thread: files can be long, and their folders far away."""
        if self._job is not None:
            self._job.wait(PATIENCE)
        self.tell("Reading …")
        self._read = read = []
        self._job = ExportJob(lambda progress, cancel: read.append(reader()))
        self.ok().setEnabled(False)
        self._timer.start()

    def _look_at_job(self) -> None:
        job = self._job
        if job is None or not job.done:
            return
        self._timer.stop()
        self._job = None
        if job.error or not self._read:
            self.failed(job.error)
            return
        self.tell("")
        self.ok().setEnabled(True)
        self.show_content(self._read[0])

    # of the kind of dialog

    def show_content(self, content: Any) -> None:
        raise NotImplementedError

    def take(self) -> None:
        """OK: make what was asked for, then accept."""
        raise NotImplementedError

    def failed(self, reason: str) -> None:
        self.tell(f"{self.path.name}: {reason}", wrong=True)

    def ok(self) -> QPushButton:
        return self.buttons.button(QDialogButtonBox.StandardButton.Ok)

    def tell(self, text: str, *, wrong: bool = False) -> None:
        self.told.setProperty("role", "wrong" if wrong else "muted")
        self.told.setText(text)
        restyle(self.told)

    def reject(self) -> None:
        self._timer.stop()
        super().reject()
