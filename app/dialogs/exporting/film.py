"""Film a run, or take a picture: size, speed, rate, camera, plots, clock; another process does the work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.dialogs.exporting.base import SavingDialog, check_box, choice_box, real_box, whole_box
from app.exchange.command_job import ProcessJob
from app.exchange.film.formats import FILM_FORMATS
from app.exchange.jobs.export_job import ExportJob
from app.exchange.sheets.sheets import Sheet
from app.platform.appearance import label
from app.session.recorded.run import Run

PICTURE = ".png"
FORMATS = (
    *((kind.title, kind.name) for kind in FILM_FORMATS),
    ("Picture of this instant (.png)", PICTURE),
)
MAX_PIXELS = 8192  # px


class FilmDialog(SavingDialog):
    """`sheets` are the plots, `style` the options of `trammel render` for what the viewport shows."""

    def __init__(
        self,
        parent: QWidget | None,
        run: Run,
        t: float,
        view: dict[str, Any],
        *,
        sheets: Sequence[Sheet],
        style: list[str],
        folder: Path,
        ending: str = ".mp4",
    ) -> None:
        super().__init__(parent, "export_film", "Film or picture", folder)
        self._run, self._t, self._view = run, t, view
        self._sheets, self._style = sheets, style
        self.format = choice_box("export_film.format", FORMATS, ending)
        self.width_box, self.height_box = (
            whole_box("export_film.width", 1280, MAX_PIXELS, " px"),
            whole_box("export_film.height", 720, MAX_PIXELS, " px"),
        )
        self.rate = whole_box("export_film.rate", 30, 120, " frames/s")
        self.speed = real_box("export_film.speed", 1.0, 0.001, 1000.0, " ×")
        self.begin = real_box("export_film.begin", run.t_first, run.t_first, run.t_last, " s")
        self.end = real_box("export_film.end", run.t_last, run.t_first, run.t_last, " s")
        bodies = [
            (f"Follow {body.name}", f"follow:{body.name}") for body in run.scene.bodies if not body.fixed
        ]
        cameras = (("As in the viewport", "fixed"), ("Once around", "orbit"), *bodies)
        self.camera = choice_box("export_film.camera", cameras, "fixed")
        self.plots = check_box("export_film.plots", "Plots below the mechanism", on=bool(sheets))
        self.plots.setEnabled(bool(sheets))
        self.clock = check_box("export_film.clock", "Clock", on=True)
        self.badge = check_box("export_film.trust", "Trust in the run", on=True)
        self.badge.setToolTip("A dot, green, amber or red, as beside the clock of the window")
        self.smooth = check_box("export_film.smooth", "Smooth edges (slower)", on=True)
        self.transparent = check_box("export_film.transparent", "Transparent background", on=False)
        self._lay_out()
        self.format.currentIndexChanged.connect(lambda index: self._show_format())
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
        self._choices = QWidget()
        self._choices.setObjectName("export_film.choices")
        inner = QVBoxLayout(self._choices)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addLayout(form)
        for box in (self.plots, self.clock, self.badge, self.smooth, self.transparent):
            inner.addWidget(box)
        column = QVBoxLayout(self)
        column.addWidget(self._choices)
        self.finish_layout(column)

    def _show_format(self) -> None:
        still = self.format.currentData() == PICTURE
        film = (self.rate, self.speed, self.begin, self.end, self.camera, self.clock, self.smooth)
        for widget in film:
            widget.setEnabled(not still)
        self.plots.setEnabled(not still and bool(self._sheets))
        self.transparent.setEnabled(still)

    def options(self) -> list[str]:
        """What `trammel render` is told."""
        words = [
            "--size",
            f"{self.width_box.value()}x{self.height_box.value()}",
            "--view",
            "saved",
            *self._style,
            *(["--trust"] if self.badge.isChecked() else []),
        ]
        if self.format.currentData() == PICTURE:
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
        words += ["--clock"] if self.clock.isChecked() else []
        return words + ([] if self.smooth.isChecked() else ["--rough"])

    def suggestion(self) -> tuple[str, str, str]:
        ending = self.format.currentData()
        return self._run.scene.title or "run", ending, "Picture" if ending == PICTURE else "Film"

    def inputs(self) -> Sequence[QWidget]:
        return (self._choices,)

    def job(self, path: Path) -> ExportJob:
        film = self.format.currentData() != PICTURE
        sheets = self._sheets if film and self.plots.isChecked() else ()
        return ProcessJob(
            "render", self._run, self._view, path, self.options(), folder=self.folder, sheets=sheets
        )
