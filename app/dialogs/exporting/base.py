"""What dialogs that write a file have in common: a job in the background, its progress, cancel, trouble."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QMessageBox,
    QProgressBar,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.exchange.jobs.export_job import ExportJob
from app.platform.appearance import button_box, label, restyle
from app.platform.plain_text import as_plain
from app.session.recorded.run import Run
from app.widgets.decimal_box import DecimalBox

LOOK_EVERY = 50  # ms
PATIENCE = 5.0  # s that closing waits for a thread


class SavingDialog(QDialog):
    """`saved` is the file that was written, None before. Esc stops a job, and closes when there is none.

    `format` has the endings of its formats as data.
    """

    format: QComboBox

    def __init__(self, parent: QWidget | None, name: str, title: str, folder: Path | None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.folder = folder or Path.cwd()  # of the scene and its meshes
        self.first_folder = self.folder  # where the user is asked for a file
        self.saved: Path | None = None
        self._job: ExportJob | None = None
        self._file: Path | None = None
        self.bar = QProgressBar()
        self.bar.setObjectName(f"{name}.progress")
        self.bar.setRange(0, 1000)
        self.bar.hide()
        self.told = label("", "muted", f"{name}.told")
        self.told.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = button_box(standard.Save | standard.Cancel, name)
        self.buttons.accepted.connect(self.ask)
        self.buttons.rejected.connect(self.reject)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look)

    def finish_layout(self, column: QVBoxLayout) -> None:
        for widget in (self.bar, self.told, self.buttons):
            column.addWidget(widget)

    # of the kind of dialog

    def suggestion(self) -> tuple[str, str, str]:
        """Name without ending, ending, and what such files are called."""
        raise NotImplementedError

    def inputs(self) -> Sequence[QWidget]:
        """What cannot be changed while a file is written."""
        return ()

    def job(self, path: Path) -> ExportJob:
        """Begin to write; raises ValueError for a choice that does not fit."""
        raise NotImplementedError

    # writing

    def ask(self) -> None:
        """Ask for the file, then write it."""
        name, ending, title = self.suggestion()
        others = [str(self.format.itemData(i)) for i in range(self.format.count())]
        endings = [ending, *(other for other in others if other != ending)]
        path = ask_file(self, self.windowTitle(), self.first_folder / name, endings, title)
        if path is None:
            return
        typed = self.format.findData(path.suffix.lower())
        if typed >= 0:
            self.format.setCurrentIndex(typed)  # film.gif is no film.gif.mp4
        self.start(path)

    def start(self, path: Path) -> None:
        """Write a file in the background."""
        try:
            self._job = self.job(path)
        except ValueError as error:
            self.tell(str(error), wrong=True)
            return
        self._file = path
        self.tell("Working in the background; you can cancel")
        self.bar.setValue(0)
        self.bar.show()
        self._enable(False)
        self._timer.start()

    def _look(self) -> None:
        job = self._job
        if job is None:
            return
        self.bar.setValue(round(1000 * job.progress))
        if not job.done:
            return
        self._timer.stop()
        self._job = None
        self.bar.hide()
        self._enable(True)
        if job.error:
            self.tell(job.error, wrong=True)
        elif job.cancelled:
            self.tell("Cancelled; nothing was saved")
        else:
            self.saved = self._file
            self.accept()

    def _enable(self, on: bool) -> None:
        for widget in self.inputs():
            widget.setEnabled(on)
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(on)

    def tell(self, text: str, *, wrong: bool = False) -> None:
        self.told.setProperty("role", "wrong" if wrong else "muted")
        self.told.setText(text)
        restyle(self.told)

    def reject(self) -> None:
        """While a file is being written: stop that. Else close."""
        if self._job is not None:
            self._job.cancel()
            return
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job.wait(PATIENCE)
        super().closeEvent(event)


def ask_file(parent: QWidget, title: str, start: Path, endings: Sequence[str], kind: str) -> Path | None:
    """A file to be written, with one of the endings; None when the user changed his mind.

    The system asks before it lets a file be replaced, but knows nothing of an ending that is added here.
    """
    known = " ".join(f"*{ending}" for ending in endings)
    chosen, _ = QFileDialog.getSaveFileName(parent, title, f"{start}{endings[0]}", f"{kind} ({known})")
    if not chosen:
        return None
    path = Path(chosen)
    if path.suffix.lower() in endings:
        return path
    path = path.with_name(path.name + endings[0])
    question = f"{path.name} is there already. Replace it?"
    if (
        path.exists()
        and QMessageBox.question(parent, title, as_plain(question)) != QMessageBox.StandardButton.Yes
    ):
        return None
    return path


class RunBox(QComboBox):
    """Which run; with a single one there is nothing to choose, and the row is not shown."""

    def __init__(self, name: str, run: Run, runs: Sequence[Run]) -> None:
        super().__init__()
        self.setObjectName(f"{name}.run")
        self.setToolTip("The run that is taken; at first the one that is shown")
        self.runs = [run, *(other for other in runs if other is not run and not other.empty)]
        for one in self.runs:
            self.addItem(one.name)

    def add_to(self, form: QFormLayout) -> None:
        if len(self.runs) > 1:
            form.addRow(label("Run", "", f"{self.objectName()}.label"), self)

    @property
    def run(self) -> Run:
        return self.runs[self.currentIndex()]


def choice_box(name: str, entries: Sequence[tuple[str, str]], value: str = "") -> QComboBox:
    made = QComboBox()
    made.setObjectName(name)
    for text, key in entries:
        made.addItem(text, key)
    made.setCurrentIndex(max(0, made.findData(value)))
    return made


def whole_box(name: str, value: int, most: int, suffix: str, least: int = 1) -> QSpinBox:
    made = QSpinBox()
    made.setObjectName(name)
    made.setRange(least, most)
    made.setSuffix(suffix)
    made.setValue(value)
    return made


def real_box(name: str, value: float, low: float, high: float, suffix: str, decimals: int = 3) -> DecimalBox:
    made = DecimalBox()
    made.setObjectName(name)
    made.setDecimals(decimals)
    made.setRange(low, high)
    made.setSuffix(suffix)
    made.setValue(value)
    return made


def check_box(name: str, text: str, *, on: bool) -> QCheckBox:
    made = QCheckBox(text)
    made.setObjectName(name)
    made.setChecked(on)
    return made
