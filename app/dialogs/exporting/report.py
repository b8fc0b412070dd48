"""Write a report of a run: web page or paper, and which channels it shows; another process does the work."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from app.dialogs.channels.picks import ChannelPicks
from app.dialogs.exporting.base import RunBox, SavingDialog, choice_box
from app.exchange.command_job import ProcessJob
from app.exchange.jobs.export_job import ExportJob
from app.exchange.report.formats import REPORT_FORMATS
from app.platform.appearance import label
from app.session.recorded.run import Run

FORMATS = tuple((kind.title, kind.name) for kind in REPORT_FORMATS)


class ReportDialog(SavingDialog):
    def __init__(
        self,
        parent: QWidget | None,
        run: Run,
        view: dict[str, Any],
        plotted: Collection[str],
        folder: Path | None = None,
        runs: Sequence[Run] = (),
    ) -> None:
        super().__init__(parent, "export_report", "Report", folder)
        self.resize(480, 480)
        self._run, self._view = run, view
        self.run_box = RunBox("export_report", run, runs)
        self.format = choice_box("export_report.format", FORMATS)
        self.picks = ChannelPicks("export_report", run, plotted)
        form = QFormLayout()
        self.run_box.add_to(form)
        self.run_box.currentIndexChanged.connect(self._run_chosen)
        form.addRow(label("Format", "", "export_report.format.label"), self.format)
        column = QVBoxLayout(self)
        column.addLayout(form)
        text = "Picture, accuracy, method, energy and violation are always shown. Plots of these as well:"
        told = label(text, "muted", "export_report.always")
        told.setWordWrap(True)
        column.addWidget(told)
        column.addWidget(self.picks, 1)
        self.finish_layout(column)

    def _run_chosen(self, *_: object) -> None:
        self._run = self.run_box.run
        self.picks.show_run(self._run)

    def suggestion(self) -> tuple[str, str, str]:
        return self._run.scene.title or "run", self.format.currentData(), "Report"

    def inputs(self) -> Sequence[QWidget]:
        return (self.run_box, self.format, self.picks)

    def job(self, path: Path) -> ExportJob:
        words = [word for name in self.picks.channels() for word in ("--plots", name)]
        words += ["--name", self._run.name]
        return ProcessJob("report", self._run, self._view, path, words, folder=self.folder)
