"""Film a run, or take a picture: size, speed, rate, camera, plots, clock; another process does the work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QProgressBar,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.export.film_job import FilmJob
from app.panels.look import button_box, label, restyle
from app.run import Run

LOOK_EVERY = 100  # ms
PATIENCE = 5.0  # s that closing waits for a thread
FORMATS = (
    ("Film (.mp4)", ".mp4"),
    ("Film for web pages (.gif)", ".gif"),
    ("Picture of this instant (.png)", ".png"),
)
LARGEST = 8192  # px


class FilmDialog(QDialog):
    """`saved` is the file that was written, None before. `options` are those of the viewport's style."""

    def __init__(
        self,
        parent: QWidget | None,
        run: Run,
        t: float,
        view: dict[str, Any],
        *,
        plotted: list[str],
        style: list[str],
        folder: Path,
        ending: str = ".mp4",
    ) -> None:
        super().__init__(parent)
        self.setObjectName("export_film")
        self.setWindowTitle("Film or picture")
        self._run, self._t, self._view, self._folder = run, t, view, folder
        self._plotted, self._style = plotted, style
        self._job: FilmJob | None = None
        self._file: Path | None = None
        self.saved: Path | None = None
        self.format = _choice("export_film.format", FORMATS, ending)
        self.width_box, self.height_box = (
            _whole("export_film.width", 1280, LARGEST, " px"),
            _whole("export_film.height", 720, LARGEST, " px"),
        )
        self.rate = _whole("export_film.rate", 30, 120, " frames/s")
        self.speed = _real("export_film.speed", 1.0, 0.001, 1000.0, " ×")
        self.begin = _real("export_film.begin", run.t_first, run.t_first, run.t_last, " s")
        self.end = _real("export_film.end", run.t_last, run.t_first, run.t_last, " s")
        bodies = [
            (f"Follow {body.name}", f"follow:{body.name}") for body in run.scene.bodies if not body.fixed
        ]
        cameras = (("As in the viewport", "fixed"), ("Once around", "orbit"), *bodies)
        self.camera = _choice("export_film.camera", cameras, "fixed")
        self.plots = _check("export_film.plots", "Plotted channels below the mechanism", on=bool(plotted))
        self.plots.setEnabled(bool(plotted))
        self.clock = _check("export_film.clock", "Clock", on=True)
        self.smooth = _check("export_film.smooth", "Smooth edges (slower)", on=True)
        self.transparent = _check("export_film.transparent", "Transparent background", on=False)
        self.bar = QProgressBar()
        self.bar.setObjectName("export_film.progress")
        self.bar.setRange(0, 1000)
        self.bar.hide()
        self.told = label("", "muted", "export_film.told")
        self.told.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = button_box(standard.Save | standard.Cancel, "export_film")
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look)
        self.format.currentIndexChanged.connect(lambda index: self._show_format())
        self.buttons.accepted.connect(self.ask)
        self.buttons.rejected.connect(self.reject)
        self._show_format()

    def _lay_out(self) -> None:
        form = QFormLayout()
        size = QHBoxLayout()
        size.addWidget(self.width_box, 1)
        size.addWidget(label("×", "", "export_film.times"))
        size.addWidget(self.height_box, 1)
        form.addRow(label("Format", "", "export_film.format.label"), self.format)
        form.addRow(label("Size", "", "export_film.size.label"), size)
        for text, widget in (
            ("Rate", self.rate),
            ("Speed", self.speed),
            ("From", self.begin),
            ("To", self.end),
            ("Camera", self.camera),
        ):
            form.addRow(label(text, "", f"export_film.{text.lower()}.label"), widget)
        column = QVBoxLayout(self)
        column.addLayout(form)
        for box in (self.plots, self.clock, self.smooth, self.transparent):
            column.addWidget(box)
        column.addWidget(self.bar)
        column.addWidget(self.told)
        column.addWidget(self.buttons)

    def _show_format(self) -> None:
        still = self.format.currentData() == ".png"
        film = (self.rate, self.speed, self.begin, self.end, self.camera, self.clock, self.smooth)
        for widget in film:
            widget.setEnabled(not still)
        self.plots.setEnabled(not still and bool(self._plotted))
        self.transparent.setEnabled(still)

    def options(self) -> list[str]:
        """What `trammel render` is told."""
        words = [
            "--size",
            f"{self.width_box.value()}x{self.height_box.value()}",
            "--view",
            "saved",
            *self._style,
        ]
        if self.format.currentData() == ".png":
            return [
                *words,
                "--time",
                repr(self._t),
                *(["--transparent"] if self.transparent.isChecked() else []),
            ]
        words += ["--fps", str(self.rate.value()), "--speed", repr(self.speed.value())]
        words += ["--from", repr(self.begin.value()), "--camera", self.camera.currentData()]
        if self.end.value() > 0.0:
            words += ["--to", repr(self.end.value())]
        if self.plots.isChecked() and self._plotted:
            words += ["--plots", ",".join(self._plotted)]
        words += ["--clock"] if self.clock.isChecked() else []
        return words + ([] if self.smooth.isChecked() else ["--rough"])

    def ask(self) -> None:
        """Ask for the file, then make it."""
        ending = self.format.currentData()
        start = self._folder / f"{self._run.scene.title or 'run'}{ending}"
        name, _ = QFileDialog.getSaveFileName(self, "Film or picture", str(start), f"*{ending}")
        if name:
            path = Path(name)
            self.start(path if path.suffix.lower() == ending else path.with_name(path.name + ending))

    def start(self, path: Path) -> None:
        self._file = path
        self._tell("Filming in the background; you can cancel", wrong=False)
        self.bar.setValue(0)
        self.bar.show()
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(False)
        self._job = FilmJob(self._run, self._view, path, self.options())
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
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(True)
        if job.error:
            self._tell(job.error, wrong=True)
        elif job.cancelled:
            self._tell("Cancelled; nothing was saved", wrong=False)
        else:
            self.saved = self._file
            self.accept()

    def _tell(self, text: str, *, wrong: bool) -> None:
        self.told.setProperty("role", "wrong" if wrong else "muted")
        self.told.setText(text)
        restyle(self.told)

    def reject(self) -> None:
        """While a film is being made: stop that. Else close."""
        if self._job is not None:
            self._job.cancel()
            return
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job.wait(PATIENCE)
        super().closeEvent(event)


def _choice(name: str, entries: Any, value: str) -> QComboBox:
    made = QComboBox()
    made.setObjectName(name)
    for text, key in entries:
        made.addItem(text, key)
    made.setCurrentIndex(max(0, made.findData(value)))
    return made


def _whole(name: str, value: int, most: int, suffix: str) -> QSpinBox:
    made = QSpinBox()
    made.setObjectName(name)
    made.setRange(1, most)
    made.setSuffix(suffix)
    made.setValue(value)
    return made


def _real(name: str, value: float, low: float, high: float, suffix: str) -> QDoubleSpinBox:
    made = QDoubleSpinBox()
    made.setObjectName(name)
    made.setDecimals(3)
    made.setRange(low, high)
    made.setSuffix(suffix)
    made.setValue(value)
    return made


def _check(name: str, text: str, *, on: bool) -> QCheckBox:
    made = QCheckBox(text)
    made.setObjectName(name)
    made.setChecked(on)
    return made
