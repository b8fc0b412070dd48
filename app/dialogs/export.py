"""Export a run: format, channels, range of time, sampling; with progress and cancel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.export.extracts import extract_of
from app.export.job import ExportJob
from app.panels.look import button_box, label
from app.run import Run
from engine.runtime.saving import WRITERS, Choice, save

LOOK_EVERY = 50  # ms
PATIENCE = 5.0  # s that closing waits for a thread
SAMPLING = (("Every sample", "all"), ("Every n-th sample", "every"), ("One sample every …", "resample"))
NAME = Qt.ItemDataRole.UserRole


class ExportDialog(QDialog):
    """`saved` is the file that was written, None before."""

    def __init__(
        self, parent: QWidget | None, run: Run, plotted: list[str], folder: Path | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("export")
        self.setWindowTitle(f"Export {run.name}")
        self.resize(520, 620)
        self._run, self._folder = run, folder or Path.cwd()
        self._job: ExportJob | None = None
        self._file: Path | None = None
        self.saved: Path | None = None
        self.format = QComboBox()
        self.format.setObjectName("export.format")
        for writer in WRITERS:
            self.format.addItem(f"{writer.title} ({writer.name})", writer.name)
        self.search = QLineEdit()
        self.search.setObjectName("export.search")
        self.search.setPlaceholderText("Search channels, for instance: crank angle")
        self.view = QListWidget()
        self.view.setObjectName("export.channels")
        for name in run.names():
            item = QListWidgetItem(f"{name}   [{run.unit(name)}]")
            item.setData(NAME, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
            self.view.addItem(item)
        self._check(lambda item: not plotted or item.data(NAME) in plotted)
        self._counted = label("", "muted", "export.counted")
        self.begin = _seconds("export.begin", run.t_first, run)
        self.end = _seconds("export.end", run.t_last, run)
        self.sampling = QComboBox()
        self.sampling.setObjectName("export.sampling")
        for text, key in SAMPLING:
            self.sampling.addItem(text, key)
        self.every = QSpinBox()
        self.every.setObjectName("export.every")
        self.every.setRange(1, 1_000_000)
        self.every.setValue(10)
        self.interval = QDoubleSpinBox()
        self.interval.setObjectName("export.interval")
        self.interval.setDecimals(6)
        self.interval.setRange(1e-6, 1e6)
        self.interval.setValue(0.01)
        self.interval.setSuffix(" s")
        self.bar = QProgressBar()
        self.bar.setObjectName("export.progress")
        self.bar.setRange(0, 1000)
        self.bar.hide()
        self.told = label("", "", "export.told")
        self.told.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = button_box(standard.Save | standard.Cancel, "export")
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look)
        self.search.textChanged.connect(self._filter)
        self.view.itemChanged.connect(lambda item: self._count())
        self.sampling.currentIndexChanged.connect(lambda index: self._show_sampling())
        self.buttons.accepted.connect(self.ask)
        self.buttons.rejected.connect(self.reject)
        self._show_sampling()
        self._count()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(label("Format", "", "export.format.label"), self.format)
        form.addRow(label("From", "", "export.from.label"), self.begin)
        form.addRow(label("To", "", "export.to.label"), self.end)
        row = QHBoxLayout()
        for widget in (self.sampling, self.every, self.interval):
            row.addWidget(widget, 1)
        form.addRow(label("Samples", "", "export.samples.label"), row)
        picks = QHBoxLayout()
        for name, text, tip, on in (
            ("all", "Check shown", "Take all channels that the search shows", True),
            ("none", "Uncheck shown", "Leave out all channels that the search shows", False),
        ):
            button = QPushButton(text)
            button.setObjectName(f"export.{name}")
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, on=on: self._check_shown(on))
            picks.addWidget(button)
        picks.addStretch(1)
        picks.addWidget(self._counted)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.search)
        column.addWidget(self.view, 1)
        column.addLayout(picks)
        column.addWidget(self.bar)
        column.addWidget(self.told)
        column.addWidget(self.buttons)

    # what is chosen

    def channels(self) -> list[str]:
        return [item.data(NAME) for item in self._items() if item.checkState() == Qt.CheckState.Checked]

    def choice(self) -> Choice:
        """Raises ValueError for what does not fit together."""
        kind = self.sampling.currentData()
        begin, end = self.begin.value(), self.end.value()
        whole = 0.5 * 10.0 ** -self.begin.decimals()  # the box shows fewer digits than the run has
        return Choice(
            None if begin <= self._run.t_first + whole else begin,
            None if end >= self._run.t_last - whole else end,
            self.every.value() if kind == "every" else 1,
            self.interval.value() if kind == "resample" else None,
        )

    def _items(self) -> list[QListWidgetItem]:
        return [self.view.item(i) for i in range(self.view.count())]

    def _check(self, wanted: Any) -> None:
        for item in self._items():
            item.setCheckState(Qt.CheckState.Checked if wanted(item) else Qt.CheckState.Unchecked)

    def _check_shown(self, on: bool) -> None:
        for item in self._items():
            if not item.isHidden():
                item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        for item in self._items():
            item.setHidden(not all(word in item.text().lower() for word in words))

    def _count(self) -> None:
        self._counted.setText(f"{len(self.channels())} of {self.view.count()} channels")

    def _show_sampling(self) -> None:
        self.every.setVisible(self.sampling.currentData() == "every")
        self.interval.setVisible(self.sampling.currentData() == "resample")

    # writing

    def ask(self) -> None:
        """Ask for the file, then write it."""
        writer = WRITERS[self.format.currentData()]
        start = self._folder / f"{self._run.scene.title or 'run'}{writer.name}"
        name, _ = QFileDialog.getSaveFileName(
            self, "Export run", str(start), f"{writer.title} (*{writer.name})"
        )
        if name:
            path = Path(name)
            self.start(
                path if path.suffix.lower() == writer.name else path.with_name(path.name + writer.name)
            )

    def start(self, path: Path) -> None:
        """Write a file in the background."""
        run, names = self._run, self.channels()
        try:
            choice = self.choice()
        except ValueError as error:
            self._tell(str(error), wrong=True)
            return
        if not names:
            self._tell("Check at least one channel", wrong=True)
            return
        self._file = path
        self._tell("")
        self.bar.setValue(0)
        self.bar.show()
        self._enable(False)
        self._job = ExportJob(
            lambda progress, cancel: save(
                extract_of(run, names, choice, progress=progress, cancel=cancel), path
            )
        )
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
            self._tell(job.error, wrong=True)
        elif job.cancelled:
            self._tell("Cancelled; nothing was saved")
        else:
            self.saved = self._file
            self.accept()

    def _enable(self, on: bool) -> None:
        for widget in (
            self.format,
            self.begin,
            self.end,
            self.sampling,
            self.every,
            self.interval,
            self.view,
        ):
            widget.setEnabled(on)
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(on)

    def _tell(self, text: str, *, wrong: bool = False) -> None:
        self.told.setProperty("role", "wrong" if wrong else "muted")
        self.told.setText(text)
        self.told.style().unpolish(self.told)
        self.told.style().polish(self.told)

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


def _seconds(name: str, value: float, run: Run) -> QDoubleSpinBox:
    made = QDoubleSpinBox()
    made.setObjectName(name)
    made.setDecimals(6)
    made.setRange(run.t_first, run.t_last)
    made.setSuffix(" s")
    made.setValue(value)
    return made
