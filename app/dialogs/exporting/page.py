"""Write a run as an interactive page: its span, and which channels; another process does the work."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from app.dialogs.channels.picks import ChannelPicks
from app.dialogs.exporting.base import RunBox, SavingDialog, choice_box, real_box
from app.exchange.command_job import ProcessJob
from app.exchange.jobs.export_job import ExportJob
from app.platform.appearance import label
from app.session.recorded.run import Run

NAME = "export_page"
FORMATS = (("Web page that needs nothing else (.html)", ".html"),)


class PageDialog(SavingDialog):
    """`view` is the window's, kept in the page's scene; `dark` the look of the page."""

    def __init__(
        self,
        parent: QWidget | None,
        run: Run,
        view: dict[str, Any],
        plotted: Collection[str],
        folder: Path | None = None,
        runs: Sequence[Run] = (),
        *,
        dark: bool = False,
    ) -> None:
        super().__init__(parent, NAME, "Interactive page", folder)
        self.resize(480, 500)
        self._view, self._dark = view, dark
        self.run_box = RunBox(NAME, run, runs)
        self.format = choice_box(f"{NAME}.format", FORMATS)
        self.begin, self.end = (real_box(f"{NAME}.{name}", 0.0, 0.0, 0.0, " s") for name in ("begin", "end"))
        self.picks = ChannelPicks(NAME, run, plotted)
        form = QFormLayout()
        self.run_box.add_to(form)
        form.addRow(label("From", "", f"{NAME}.begin.label"), self.begin)
        form.addRow(label("To", "", f"{NAME}.end.label"), self.end)
        text = (
            "One file with the mechanism, its paths and its curves. Whoever opens it in a browser plays, "
            "scrubs and turns the motion, without Trammel. The energies are always shown. "
            "Curves of these as well:"
        )
        told = label(text, "muted", f"{NAME}.always")
        told.setWordWrap(True)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(told)
        column.addWidget(self.picks, 1)
        self.finish_layout(column)
        self._show_span()
        self.run_box.currentIndexChanged.connect(self._run_chosen)

    def _run_chosen(self, *_: object) -> None:
        self.picks.show_run(self.run_box.run)
        self._show_span()

    def _show_span(self) -> None:
        run = self.run_box.run
        for box, value in ((self.begin, run.t_first), (self.end, run.t_last)):
            box.setRange(run.t_first, run.t_last)
            box.setValue(value)

    def suggestion(self) -> tuple[str, str, str]:
        return self.run_box.run.scene.title or "run", ".html", "Web page"

    def inputs(self) -> Sequence[QWidget]:
        return (self.run_box, self.begin, self.end, self.picks)

    def job(self, path: Path) -> ExportJob:
        if self.begin.value() >= self.end.value():
            raise ValueError("The page would end before it begins; choose a later end")
        words = [word for name in self.picks.channels() for word in ("--plots", name)]
        words += ["--from", str(self.begin.value()), "--to", str(self.end.value())]
        words += ["--dark"] if self._dark else []
        return ProcessJob("page", self.run_box.run, self._view, path, words, folder=self.folder)
