"""Films and reports come from another process: the run is saved, a command works on it and tells how far."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

import app
from app.exchange.jobs.child_process import ChildJob
from app.exchange.runs.extracts import extract_of
from app.exchange.sheets.packed_sheets import packed
from app.exchange.sheets.sheets import Sheet, thinned
from app.session.recorded.run import Run
from engine.progress import Cancel, Cancelled, Progress
from engine.results.files.extract import Choice, save

SAVED = 0.1  # of the progress is for saving the run


class ProcessJob(ChildJob):
    """`trammel COMMAND RUN --out FILE --background OPTIONS`, with the view of the window in the saved run.

    `sheets` are the plots of the window, for a film.
    """

    def __init__(
        self,
        command: str,
        run: Run,
        view: dict[str, object],
        file: Path,
        options: Sequence[str],
        *,
        folder: Path,
        sheets: Sequence[Sheet] = (),
    ) -> None:
        self._command, self._run_, self._view = command, run, view
        self._file, self._sheets = file.resolve(), sheets
        self._options = ["--folder", str(folder.resolve()), *options]  # of the mesh files
        super().__init__(self._make)

    def _make(self, progress: Progress, cancel: Cancel) -> None:
        with tempfile.TemporaryDirectory(prefix="trammel-") as folder:
            saved = Path(folder) / "run.npz"
            extract = extract_of(
                self._run_,
                (),
                Choice(),
                progress=lambda share, words: progress(SAVED * share, words),
                cancel=cancel,
            )
            scene = msgspec.structs.replace(extract.scene, view=dict(self._view))
            save(dataclasses.replace(extract, scene=scene), saved)
            if cancel():
                raise Cancelled
            words = [app.__name__, self._command, str(saved), "--out", str(self._file), "--background"]
            if self._sheets:
                plots = Path(folder) / "plots.json"
                shown = [packed(thinned(sheet)) for sheet in self._sheets]
                plots.write_text(json.dumps(shown), encoding="utf-8")
                words += ["--plots-from", str(plots)]
            self.call(
                [*words, *self._options],
                [self._file],
                lambda share, words: progress(SAVED + (1.0 - SAVED) * share, words),
                cancel,
            )
