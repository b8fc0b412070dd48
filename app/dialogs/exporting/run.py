"""Export a run: format, channels, range of time, sampling; with progress and cancel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.dialogs.channels.picks import ChannelPicks
from app.dialogs.exporting.base import RunBox, SavingDialog, choice_box, real_box, whole_box
from app.exchange.jobs.export_job import ExportJob
from app.exchange.runs.extracts import extract_of
from app.platform.appearance import label
from app.session.recorded.run import Run
from engine.results.files.extract import Choice, save
from engine.results.files.formats import FORMATS

SAMPLING = (("Every sample", "all"), ("Every n-th sample", "every"), ("One sample every …", "resample"))


class ExportDialog(SavingDialog):
    def __init__(
        self,
        parent: QWidget | None,
        run: Run,
        plotted: list[str],
        folder: Path | None = None,
        runs: Sequence[Run] = (),
    ) -> None:
        super().__init__(parent, "export", f"Export {run.name}", folder)
        self.resize(520, 620)
        self._run = run
        self.run_box = RunBox("export", run, runs)
        self.format = choice_box(
            "export.format", [(f"{kind.title} ({kind.name})", kind.name) for kind in FORMATS]
        )
        self.picks = ChannelPicks("export", run, plotted or run.names())
        first, last = run.t_first, run.t_last
        self.begin = real_box("export.begin", first, first, last, " s", decimals=6)
        self.end = real_box("export.end", last, first, last, " s", decimals=6)
        self.sampling = choice_box("export.sampling", SAMPLING)
        self.every = whole_box("export.every", 10, 1_000_000, "")
        self.interval = real_box("export.interval", 0.01, 1e-6, 1e6, " s", decimals=6)
        self._lay_out()
        self.run_box.currentIndexChanged.connect(self._run_chosen)
        self.sampling.currentIndexChanged.connect(lambda index: self._show_sampling())
        self._show_sampling()

    def _lay_out(self) -> None:
        form = QFormLayout()
        self.run_box.add_to(form)
        form.addRow(label("Format", "", "export.format.label"), self.format)
        form.addRow(label("From", "", "export.from.label"), self.begin)
        form.addRow(label("To", "", "export.to.label"), self.end)
        row = QHBoxLayout()
        for widget in (self.sampling, self.every, self.interval):
            row.addWidget(widget, 1)
        form.addRow(label("Samples", "", "export.samples.label"), row)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.picks, 1)
        self.finish_layout(column)

    def _run_chosen(self, *_: object) -> None:
        self._run = run = self.run_box.run
        self.setWindowTitle(f"Export {run.name}")
        self.picks.show_run(run)
        for box, value in ((self.begin, run.t_first), (self.end, run.t_last)):
            box.setRange(run.t_first, run.t_last)
            box.setValue(value)

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

    def _show_sampling(self) -> None:
        self.every.setVisible(self.sampling.currentData() == "every")
        self.interval.setVisible(self.sampling.currentData() == "resample")

    def suggestion(self) -> tuple[str, str, str]:
        kind = FORMATS[self.format.currentData()]
        return self._run.scene.title or "run", kind.name, kind.title

    def inputs(self) -> Sequence[QWidget]:
        return (
            self.run_box,
            self.format,
            self.begin,
            self.end,
            self.sampling,
            self.every,
            self.interval,
            self.picks,
        )

    def job(self, path: Path) -> ExportJob:
        run, names, choice = self._run, self.picks.channels(), self.choice()
        if not names:
            raise ValueError("Check at least one channel")
        return ExportJob(
            lambda progress, cancel: save(
                extract_of(run, names, choice, progress=progress, cancel=cancel), path
            )
        )
